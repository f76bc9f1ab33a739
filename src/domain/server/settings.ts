import { perServer, type Context } from '../../context.ts'
import type { RegistrationsMode } from '../../config.ts'
import { sql } from '../../db/sql.ts'

export type Access = 'public' | 'authenticated' | 'disabled'
export type DomainBlockAudience = 'all' | 'users' | 'disabled'

/** What administrators set, with what holds until they do. */
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
  profile_directory: true,
  /** Handles of accounts that are suggested to everybody. */
  staff_picks: [] as string[],
  peers_api_enabled: true,
  activity_api_enabled: true,
  /** Who may read which domains are blocked, and the public comments about why. */
  show_domain_blocks: 'disabled' as DomainBlockAudience,
  show_domain_blocks_rationale: 'disabled' as DomainBlockAudience,
  languages: ['en'],
  local_live_feed_access: 'public' as Access,
  remote_live_feed_access: 'public' as Access,
  local_topic_feed_access: 'public' as Access,
  remote_topic_feed_access: 'public' as Access,
  /** Whether somebody has been through the set-up page. */
  set_up: false,
}

export type Settings = typeof DEFAULTS
export type SettingName = keyof Settings

export const SETTING_NAMES = Object.keys(DEFAULTS) as SettingName[]

const cache = perServer((ctx) => {
  const state: { settings: Promise<Settings> | null; until: number } = { settings: null, until: 0 }
  ctx.subscribe((message) => {
    if (message.type === 'settings.changed') state.settings = null
  })
  return state
})

/** How long a process may go on with settings that another one changed, should the message be lost: milliseconds. */
const TRUST = 30_000

/** The settings in force. What the environment fixes (REGISTRATIONS_MODE) wins over what is stored. */
export function getSettings(ctx: Context): Promise<Settings> {
  const state = cache(ctx)
  if (!state.settings || Date.now() > state.until) {
    state.until = Date.now() + TRUST
    state.settings = read(ctx).catch((error: unknown) => {
      state.settings = null
      throw error
    })
  }
  return state.settings
}

async function read(ctx: Context): Promise<Settings> {
  const rows = await ctx.db.many<{ key: string; value: unknown }>(sql`select key, value from settings`)
  const stored = Object.fromEntries(rows.filter(({ key }) => key in DEFAULTS).map(({ key, value }) => [key, value]))
  const fixed = ctx.config.registrationsMode ? { registrations_mode: ctx.config.registrationsMode } : {}
  return { ...DEFAULTS, ...stored, ...fixed }
}

/** When a setting was last stored; null for one that never was. */
export async function settingChangedAt(ctx: Context, name: SettingName): Promise<Date | null> {
  const row = await ctx.db.maybe<{ updated_at: Date }>(sql`select updated_at from settings where key = ${name}`)
  return row?.updated_at ?? null
}

/** When this server was set up. */
export async function createdAt(ctx: Context): Promise<Date> {
  return (await ctx.db.one<{ at: Date }>(sql`select min(applied_at) as at from schema_migrations`)).at
}

/** Stores settings, and tells every process. */
export async function saveSettings(ctx: Context, changes: Partial<Settings>): Promise<void> {
  const entries = Object.entries(changes)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      insert into settings (key, value)
      select key, value::jsonb from unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => JSON.stringify(value))}::text[]) as new (key, value)
      on conflict (key) do update set value = excluded.value, updated_at = now()`)
    tx.publish({ type: 'settings.changed' })
  })
}
