// The values that each setting accepts, for pages and the command line.
import type { RegistrationsMode } from '../../config.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { invalidFields, type ErrorDetails } from '../../lib/errors.ts'
import { isEmail } from '../../lib/mail.ts'
import { message, type Text } from '../../messages/message.ts'
import { languageOf } from './languages.ts'
import { type Access, type DomainBlockAudience, fixedSettings, type SettingName, type Settings } from './settings.ts'

/** Each has a label in the texts of the page. */
export type SettingChoice = Access | DomainBlockAudience | RegistrationsMode

export type SettingRule =
  /** `max`: in characters. */
  | { kind: 'text'; max: number; required?: boolean; lines?: boolean }
  | { kind: 'email' }
  /** The username of a local account. */
  | { kind: 'username' }
  | { kind: 'choice'; options: readonly SettingChoice[] }
  | { kind: 'boolean' }
  /** Null is no limit. `bytes`: forms have gigabytes, and commands take sizes such as `5 GB`. */
  | { kind: 'number'; min: number; max: number; required?: boolean; bytes?: boolean }
  | { kind: 'handles' | 'languages'; max: number }

const access: SettingRule = { kind: 'choice', options: ['public', 'authenticated', 'disabled'] }
const audience: SettingRule = { kind: 'choice', options: ['all', 'users', 'disabled'] }
const boolean: SettingRule = { kind: 'boolean' }

export const MAX_SITE_TITLE = 100

export const SETTING_RULES: Record<SettingName, SettingRule> = {
  site_title: { kind: 'text', max: MAX_SITE_TITLE, required: true },
  site_short_description: { kind: 'text', max: 500, lines: true },
  site_contact_username: { kind: 'username' },
  site_contact_email: { kind: 'email' },
  site_extended_description: { kind: 'text', max: 20_000, lines: true },
  privacy_policy: { kind: 'text', max: 100_000, lines: true },
  show_domain_blocks: audience,
  show_domain_blocks_rationale: audience,
  registrations_mode: { kind: 'choice', options: ['open', 'approved', 'none'] },
  closed_registrations_message: { kind: 'text', max: 2000, lines: true },
  require_invite_text: boolean,
  min_age: { kind: 'number', min: 1, max: 120 },
  captcha_enabled: boolean,
  trends: boolean,
  trendable_by_default: boolean,
  languages: { kind: 'languages', max: 20 },
  profile_directory: boolean,
  email_subscriptions: boolean,
  staff_picks: { kind: 'handles', max: 100 },
  local_live_feed_access: access,
  remote_live_feed_access: access,
  local_topic_feed_access: access,
  remote_topic_feed_access: access,
  peers_api_enabled: boolean,
  activity_api_enabled: boolean,
  media_cache_max_bytes: { kind: 'number', min: 0, max: 1e15, bytes: true },
  media_cache_retention_period: { kind: 'number', min: 1, max: 36_500 },
  content_cache_retention_period: { kind: 'number', min: 1, max: 36_500 },
  profile_cache_retention_period: { kind: 'number', min: 1, max: 36_500 },
  backups_retention_period: { kind: 'number', min: 1, max: 3650, required: true },
  custom_css: { kind: 'text', max: 65_536, lines: true },
  set_up: boolean,
}

/** Texts as a form has them: lists by lines or spaces, booleans as `1` or nothing. */
export type SettingTexts = Partial<Record<SettingName, string>>

/**
 * The values that the texts stand for. Settings that the environment decides stay out. Throws Invalid with `details` that name
 * every problem.
 */
export async function parseSettings(ctx: Context, texts: SettingTexts): Promise<Partial<Settings>> {
  const fixed = fixedSettings(ctx)
  const changes: Record<string, unknown> = {}
  const details: ErrorDetails = {}
  for (const [name, given] of Object.entries(texts) as [SettingName, string][]) {
    const rule = SETTING_RULES[name]
    if (fixed[name]) continue
    const text = given.replaceAll('\r\n', '\n').trim()
    const problem = await problemWith(ctx, rule, text)
    if (problem) details[name] = [{ error: 'ERR_INVALID', description: problem }]
    else changes[name] = valueOf(rule, text)
  }
  if (Object.keys(details).length > 0) throw invalidFields(details)
  return changes as Partial<Settings>
}

async function problemWith(ctx: Context, rule: SettingRule, text: string): Promise<Text | null> {
  switch (rule.kind) {
    case 'text':
      if (rule.required && text === '') return message('blank')
      return [...text].length > rule.max ? message('too_long', { count: rule.max }) : null
    case 'email':
      return text === '' || isEmail(text) ? null : message('invalid')
    case 'username':
      return text === '' || (await isLocalUser(ctx, nameIn(text))) ? null : message('must_exist')
    case 'choice':
      return rule.options.some((option) => option === text) ? null : message('not_included')
    case 'boolean':
      return null
    case 'number':
      if (text === '') return rule.required ? message('blank') : null
      if (!/^\d{1,15}$/.test(text)) return message('not_a_number')
      if (Number(text) < rule.min) return message('at_least', { count: rule.min })
      return Number(text) > rule.max ? message('at_most', { count: rule.max }) : null
    case 'languages':
      return problemWithWords(text, rule.max, (word) => languageOf(word) !== null)
    case 'handles':
      return problemWithWords(text, rule.max, (word) => /^@?[\w.-]+(@[\w.:-]+)?$/.test(word))
  }
}

/** Names a few of the words that are not valid. */
function problemWithWords(text: string, max: number, isValid: (word: string) => boolean): Text | null {
  const words = wordsIn(text)
  const entries = words.filter((word) => !isValid(word)).slice(0, 3)
  if (entries.length > 0) return message('invalid_entries', { entries: entries.join(', ') })
  return words.length > max ? message('too_many_entries', { count: max }) : null
}

function valueOf(rule: SettingRule, text: string): unknown {
  switch (rule.kind) {
    case 'username':
      return nameIn(text)
    case 'boolean':
      return text !== ''
    case 'number':
      return text === '' ? null : Number(text)
    case 'languages':
      return [...new Set(wordsIn(text).flatMap((word) => languageOf(word) ?? []))]
    case 'handles':
      return [...new Set(wordsIn(text).map((word) => word.replace(/^@/, '')))]
    default:
      return text
  }
}

/** How a form shows a value. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? '1' : ''
  return value === null || value === undefined ? '' : String(value)
}

const nameIn = (text: string): string => text.replace(/^@/, '')
const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const isLocalUser = async (ctx: Context, username: string): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from accounts where lower(username) = lower(${username}) and domain is null and suspended_at is null`)) !==
  null
