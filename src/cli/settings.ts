import { saveSettings } from '../actions/server/save-settings.ts'
import { getSettings, SETTING_NAMES, type SettingName, type Settings } from '../domain/server/settings.ts'
import { CommandError, UsageError, type Command } from './command.ts'

const known = (name: string | undefined): SettingName => {
  if (!SETTING_NAMES.includes(name as SettingName))
    throw new UsageError(`there is no setting ${name}. There are: ${SETTING_NAMES.join(', ')}`)
  return name as SettingName
}

/** rookery settings get: what is set, all of it or one. */
export const getSetting: Command = {
  name: 'settings get',
  args: ['NAME|all'],
  summary: 'Show a setting of this server, or all of them',
  options: {},
  async run({ ctx: open, args }) {
    const name = args[0] === 'all' ? null : known(args[0])
    const settings = await getSettings(await open())
    if (name === null)
      return {
        text: SETTING_NAMES.map((key) => `${key} = ${JSON.stringify(settings[key])}`).join('\n'),
        json: settings,
      }
    const value = settings[name]
    return { text: typeof value === 'string' ? value : JSON.stringify(value), json: value }
  },
}

/** rookery settings set: changes one. */
export const setSetting: Command = {
  name: 'settings set',
  args: ['NAME', 'VALUE'],
  summary: 'Change a setting of this server. Takes effect at once',
  options: {},
  async run({ ctx: open, args }) {
    const name = known(args[0])
    const ctx = await open()
    const before = await getSettings(ctx)
    if (name === 'registrations_mode' && ctx.config.registrationsMode)
      throw new CommandError('registrations_mode is fixed by REGISTRATIONS_MODE in the environment.')
    const value = valueFor(name, args[1] as string, before[name])
    await saveSettings(ctx, { [name]: value } as Partial<Settings>)
    return { text: `${name} = ${JSON.stringify(value)}`, json: { [name]: value } }
  },
}

const CHOICES: Partial<Record<SettingName, readonly string[]>> = {
  registrations_mode: ['open', 'approved', 'none'],
  local_live_feed_access: ['public', 'authenticated', 'disabled'],
  remote_live_feed_access: ['public', 'authenticated', 'disabled'],
  local_topic_feed_access: ['public', 'authenticated', 'disabled'],
  remote_topic_feed_access: ['public', 'authenticated', 'disabled'],
}

/** Reads a value in the kind that the setting has. Throws UsageError. */
function valueFor(name: SettingName, text: string, current: unknown): unknown {
  const choices = CHOICES[name]
  if (choices && !choices.includes(text)) throw new UsageError(`${name} must be one of ${choices.join(', ')}`)
  if (typeof current === 'boolean') {
    if (/^(true|on|yes|1)$/i.test(text)) return true
    if (/^(false|off|no|0)$/i.test(text)) return false
    throw new UsageError(`${name} must be true or false`)
  }
  if (Array.isArray(current)) return text.split(/[\s,]+/).filter(Boolean)
  if (name === 'min_age') {
    if (text === '' || text === 'none') return null
    if (!/^\d{1,3}$/.test(text)) throw new UsageError('min_age must be a whole number of years, or none')
    return Number(text)
  }
  return text
}
