import { changeSettings, setSettings } from '../actions/server/settings.ts'
import type { Context } from '../context.ts'
import {
  fixedSettings,
  getSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
} from '../domain/server/settings.ts'
import { SETTING_RULES } from '../domain/server/setting-rules.ts'
import { parseSize } from '../lib/text/size.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'

function settingNamed({ errors }: CliTexts, name = ''): SettingName {
  if (!SETTING_NAMES.includes(name as SettingName))
    throw new UsageError(errors.no_setting({ name, known: SETTING_NAMES.join(', ') }))
  return name as SettingName
}

export const getSetting = defineCommand({
  name: 'settings get',
  args: ['NAME|all'],
  options: {},
  async run({ t, ctx: open, args }) {
    const name = args[0] === 'all' ? null : settingNamed(t, args[0])
    const settings = await getSettings(await open())
    if (name === null)
      return {
        text: SETTING_NAMES.map((key) => `${key} = ${JSON.stringify(settings[key])}`).join('\n'),
        json: settings,
      }
    const value = settings[name]
    return { text: typeof value === 'string' ? value : JSON.stringify(value), json: value }
  },
})

export const setSetting = defineCommand({
  name: 'settings set',
  args: ['NAME', 'VALUE'],
  options: {},
  async run({ t, ctx: open, args }) {
    const name = settingNamed(t, args[0])
    const ctx = await open()
    const before = await getSettings(ctx)
    refuseFixed(t, ctx, name)
    const value = valueFor(t, name, args[1] as string, before[name])
    await setSettings(ctx, { [name]: value } as Partial<Settings>)
    return { text: `${name} = ${JSON.stringify(value)}`, json: { [name]: value } }
  },
})

function refuseFixed(t: CliTexts, ctx: Context, name: SettingName): void {
  const variable = fixedSettings(ctx)[name]
  if (variable !== undefined) throw new CommandError(t.errors.set_by_environment({ name, variable }))
}

const REGISTRATIONS = { open: 'open', close: 'none', approved: 'approved' } as const

export const setRegistrations = defineCommand({
  name: 'settings registrations',
  args: ['open|close|approved'],
  options: {},
  async run({ t, ctx: open, args }) {
    const given = args[0] as string
    const choices = Object.keys(REGISTRATIONS)
    if (!choices.includes(given)) throw new UsageError(t.errors.one_of({ name: 'MODE', choices: choices.join(', ') }))
    const ctx = await open()
    const name = 'registrations_mode'
    refuseFixed(t, ctx, name)
    const value = REGISTRATIONS[given as keyof typeof REGISTRATIONS]
    await changeSettings(ctx, null, { texts: { [name]: value } })
    return { text: `${name} = ${JSON.stringify(value)}`, json: { [name]: value } }
  },
})

const CHOICES: Partial<Record<SettingName, readonly string[]>> = {
  registrations_mode: ['open', 'approved', 'none'],
  local_live_feed_access: ['public', 'authenticated', 'disabled'],
  remote_live_feed_access: ['public', 'authenticated', 'disabled'],
  local_topic_feed_access: ['public', 'authenticated', 'disabled'],
  remote_topic_feed_access: ['public', 'authenticated', 'disabled'],
}

/** Throws UsageError. */
function valueFor({ errors }: CliTexts, name: SettingName, text: string, current: unknown): unknown {
  const choices = CHOICES[name]
  if (choices && !choices.includes(text)) throw new UsageError(errors.one_of({ name, choices: choices.join(', ') }))
  if (typeof current === 'boolean') {
    if (/^(true|on|yes|1)$/i.test(text)) return true
    if (/^(false|off|no|0)$/i.test(text)) return false
    throw new UsageError(errors.boolean({ name }))
  }
  if (Array.isArray(current)) return text.split(/[\s,]+/).filter(Boolean)
  if (name === 'min_age') {
    if (text === '' || text === 'none') return null
    if (!/^\d{1,3}$/.test(text)) throw new UsageError(errors.years({ name }))
    return Number(text)
  }
  const rule = SETTING_RULES[name]
  if (rule?.kind !== 'number') return text
  if (!rule.required && (text === '' || text === 'none')) return null
  const value = name === 'media_cache_max_bytes' ? parseSize(text) : /^\d{1,15}$/.test(text) ? Number(text) : null
  if (value === null || value < rule.min || value > rule.max)
    throw new UsageError(errors.number({ name, min: rule.min, max: rule.max }))
  return value
}
