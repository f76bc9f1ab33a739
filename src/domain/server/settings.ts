import type { RegistrationsMode } from '../../config.ts'
import { type Context, perServer } from '../../context.ts'
import type { Settings as SettingRows } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

export type Access = 'public' | 'authenticated' | 'disabled'
export type DomainBlockAudience = 'all' | 'users' | 'disabled'

const DEFAULTS = {
  site_title: 'Rookery',
  site_short_description: 'A place to talk, connected with others.',
  site_extended_description: '',
  site_contact_email: '',
  site_contact_username: '',
  privacy_policy: '',
  registrations_mode: 'open' as RegistrationsMode,
  closed_registrations_message: '',
  require_invite_text: false,
  min_age: null as number | null,
  /** Whether a new user's browser must do a proof of work. */
  captcha_enabled: false,
  profile_directory: true,
  /** Whether accounts may offer visitors to receive their posts by mail. */
  email_subscriptions: false,
  /** Handles of accounts that are suggested to everyone. */
  staff_picks: [] as string[],
  peers_api_enabled: true,
  activity_api_enabled: true,
  /** Who may read the blocked domains, and the public comments on them. */
  show_domain_blocks: 'disabled' as DomainBlockAudience,
  show_domain_blocks_rationale: 'disabled' as DomainBlockAudience,
  languages: ['en'],
  /** Whether the server computes and shows trends. */
  trends: true,
  /** Whether hashtags, links and posts trend before staff has reviewed them. */
  trendable_by_default: false,
  local_live_feed_access: 'public' as Access,
  remote_live_feed_access: 'public' as Access,
  local_topic_feed_access: 'public' as Access,
  remote_topic_feed_access: 'public' as Access,
  /** Bytes that copies of remote media may take on the disk; null: without a limit. */
  media_cache_max_bytes: 20_000_000_000 as number | null,
  /** Days after which unused copies of remote media are deleted; null: never. */
  media_cache_retention_period: null as number | null,
  /** Days after which remote statuses without local interactions are deleted; null: never. */
  content_cache_retention_period: null as number | null,
  /** Days after which remote accounts without local relationships are deleted; null: never. */
  profile_cache_retention_period: null as number | null,
  /** Days for which users can download the archives of their data. */
  backups_retention_period: 7,
  /** Rules that pages use after their own, apart from the administration and the way to it. */
  custom_css: '',
  /** Whether the owner has finished the set-up page. */
  set_up: false,
}

export type Settings = typeof DEFAULTS
export type SettingName = keyof Settings

export const SETTING_NAMES = Object.keys(DEFAULTS) as SettingName[]

/** Seconds for which a process may use settings that another process has changed, should the message be lost. */
const CACHE_SECONDS = 30

/** The environment (REGISTRATIONS_MODE, SINGLE_USER_MODE, DISABLE_EMAIL_SUBSCRIPTIONS) overrides stored settings. */
export const getSettings: (ctx: Context) => Promise<Settings> = memoized(CACHE_SECONDS, read)

async function read(ctx: Context): Promise<Settings> {
  const rows = await ctx.db.many<Pick<SettingRows, 'key' | 'value'>>(sql`select key, value from settings`)
  const stored = Object.fromEntries(rows.filter(({ key }) => key in DEFAULTS).map(({ key, value }) => [key, value]))
  const { registrationsMode, emailSubscriptions } = ctx.config
  return {
    ...DEFAULTS,
    ...stored,
    ...(registrationsMode && { registrations_mode: registrationsMode }),
    ...(!emailSubscriptions && { email_subscriptions: false }),
  }
}

/** The settings that the environment decides, with the variable. */
export function fixedSettings({ config }: Context): Partial<Record<SettingName, string>> {
  return {
    ...(config.registrationsMode !== null && {
      registrations_mode: config.singleUserMode ? 'SINGLE_USER_MODE' : 'REGISTRATIONS_MODE',
    }),
    ...(!config.emailSubscriptions && { email_subscriptions: 'DISABLE_EMAIL_SUBSCRIPTIONS' }),
  }
}

/** Null while the setting has its default. */
export async function settingChangedAt(ctx: Context, name: SettingName): Promise<Date | null> {
  const row = await ctx.db.maybe<Pick<SettingRows, 'updated_at'>>(
    sql`select updated_at from settings where key = ${name}`,
  )
  return row?.updated_at ?? null
}

export async function createdAt(ctx: Context): Promise<Date> {
  return (await ctx.db.one<{ at: Date }>(sql`select min(applied_at) as at from schema_migrations`)).at
}

export async function updateSettings(tx: Context, changes: Partial<Settings>): Promise<void> {
  const entries = Object.entries(changes)
  await tx.db.run(sql`
    insert into settings (key, value)
    select key, value::jsonb from unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => JSON.stringify(value))}::text[]) as new (key, value)
    on conflict (key) do update set value = excluded.value, updated_at = now()`)
}

/**
 * Caches the result until settings change, or `seconds` have passed. For documents that every client requests and that
 * may be a little outdated. Simultaneous calls share one result.
 */
export function memoized<T>(seconds: number, make: (ctx: Context) => Promise<T>): (ctx: Context) => Promise<T> {
  const stateOf = perServer((ctx) => {
    const state = { value: null as Promise<T> | null, until: 0 }
    ctx.changes.on('setting', () => (state.value = null))
    return state
  })
  return (ctx) => {
    const state = stateOf(ctx)
    const now = performance.now()
    if (state.value && now < state.until) return state.value
    state.until = now + seconds * 1000
    const value = make(ctx).catch((error: unknown) => {
      if (state.value === value) state.value = null
      throw error
    })
    state.value = value
    return value
  }
}
