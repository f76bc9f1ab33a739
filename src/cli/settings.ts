import { changeSettings, setSettings } from '../actions/server/settings.ts'
import type { Context } from '../context.ts'
import { fixedSettings, getSettings, SETTING_NAMES, type SettingName } from '../domain/server/settings.ts'
import { parseSettings, SETTING_RULES } from '../domain/server/setting-rules.ts'
import { Invalid, problemsIn } from '../lib/errors.ts'
import { parseSize } from '../lib/text/size.ts'
import type { CliTexts } from '../messages/en/cli.ts'
import { render } from '../messages/message.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'
import { choiceFrom, choicesIn } from './outcome.ts'

function settingNamed({ errors }: CliTexts, name = ''): SettingName {
  if (!SETTING_NAMES.includes(name as SettingName))
    throw new UsageError(errors.no_setting({ name, known: SETTING_NAMES.join(', ') }))
  return name as SettingName
}

export const getSetting = defineCommand({
  name: 'settings get',
  args: ['NAME|all'],
  options: {},
  async run({ t, open, args }) {
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
  async run({ t, language, open, args }) {
    const name = settingNamed(t, args[0])
    const text = formText(t, name, args[1] as string)
    const ctx = await open()
    refuseFixed(t, ctx, name)
    const changes = await parseSettings(ctx, { [name]: text }).catch((error: unknown) => {
      throw error instanceof Invalid ? new UsageError(render(problemsIn(error), language)) : error
    })
    await setSettings(ctx, changes)
    return { text: `${name} = ${JSON.stringify(changes[name])}`, json: changes }
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
  async run({ t, open, args }) {
    const mode = choiceFrom(t, 'MODE', args[0], choicesIn(REGISTRATIONS))
    const ctx = await open()
    const name = 'registrations_mode'
    refuseFixed(t, ctx, name)
    const value = REGISTRATIONS[mode]
    await changeSettings(ctx, null, { texts: { [name]: value } })
    return { text: `${name} = ${JSON.stringify(value)}`, json: { [name]: value } }
  },
})

const numberIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** The text that a form of the administration would send for this one. Throws UsageError. */
function formText(t: CliTexts, name: SettingName, text: string): string {
  const { errors } = t
  const rule = SETTING_RULES[name]
  switch (rule.kind) {
    case 'boolean':
      if (/^(true|on|yes|1)$/i.test(text)) return '1'
      if (/^(false|off|no|0)$/i.test(text)) return ''
      throw new UsageError(errors.boolean({ name }))
    case 'choice':
      return choiceFrom(t, name, text, rule.options)
    case 'number': {
      if (!rule.required && (text === '' || text === 'none')) return ''
      const value = rule.bytes ? parseSize(text) : numberIn(text)
      if (value !== null && value >= rule.min && value <= rule.max) return String(value)
      if (rule.bytes) throw new UsageError(errors.size({ name }))
      throw new UsageError(errors[rule.required ? 'number' : 'number_or_none']({ name, min: rule.min, max: rule.max }))
    }
    default:
      return text
  }
}
