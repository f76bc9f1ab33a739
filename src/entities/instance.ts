import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { campaignYear } from '../domain/annual-reports/reports.ts'
import { assetUrl } from '../domain/server/addresses.ts'
import { mayEveryoneInvite } from '../domain/roles/roles.ts'
import { listRules, type ServerRule } from '../domain/server/rules.ts'
import { getSettings, memoized, type Settings } from '../domain/server/settings.ts'
import { getSiteUploads, type SiteUpload } from '../domain/server/site-uploads.ts'
import { readStats } from '../domain/server/stats.ts'
import { JsonDocument, jsonObject, type JsonText } from '../lib/json.ts'
import { API_VERSION, MASTODON_VERSION, VERSION } from '../lib/version.ts'
import { presentAccount } from './account-presenter.ts'
import { Account } from './account.ts'
import {
  Configuration,
  presentConfiguration,
  presentSharedConfiguration,
  sharedConfiguration,
  streamingUrl,
} from './instance-configuration.ts'
import { Id, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/Rule/ */
export const Rule = Type.Object(
  {
    id: Id,
    text: Type.String(),
    hint: Type.String(),
    translations: Type.Record(Type.String(), Type.Object({ text: Type.String(), hint: Type.String() })),
  },
  { $id: 'Rule' },
)

export const presentRule = (rule: ServerRule): Static<typeof Rule> => rule

/** https://docs.joinmastodon.org/entities/Instance/ */
export const Instance = Type.Object(
  {
    domain: Type.String(),
    title: Type.String(),
    version: Type.String(),
    source_url: Type.String(),
    description: Type.String(),
    wrapstodon: nullable(Type.String()),
    usage: Type.Object({ users: Type.Object({ active_month: Type.Integer() }) }),
    thumbnail: Type.Object({
      url: Type.String(),
      description: Type.String(),
      blurhash: Type.Optional(Type.String()),
      versions: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
    icon: Type.Array(Type.Object({ src: Type.String(), size: Type.String() }, { $id: 'InstanceIcon' })),
    languages: Type.Array(Type.String()),
    configuration: Configuration,
    registrations: Type.Object({
      enabled: Type.Boolean(),
      approval_required: Type.Boolean(),
      reason_required: nullable(Type.Boolean()),
      message: nullable(Type.String()),
      min_age: nullable(Type.Integer()),
      url: nullable(Type.String()),
    }),
    api_versions: Type.Object({ mastodon: Type.Integer() }),
    contact: Type.Object({ email: Type.String(), account: nullable(Account) }),
    rules: Type.Array(Rule),
  },
  { $id: 'Instance' },
)

/** https://docs.joinmastodon.org/entities/V1_Instance/ */
export const V1Instance = Type.Object(
  {
    uri: Type.String(),
    title: Type.String(),
    short_description: Type.String(),
    description: Type.String(),
    email: Type.String(),
    version: Type.String(),
    urls: Type.Object({ streaming_api: Type.String() }),
    stats: Type.Object({ user_count: Type.Integer(), status_count: Type.Integer(), domain_count: Type.Integer() }),
    thumbnail: nullable(Type.String()),
    languages: Type.Array(Type.String()),
    registrations: Type.Boolean(),
    approval_required: Type.Boolean(),
    invites_enabled: Type.Boolean(),
    configuration: Type.Object({
      accounts: Type.Object({ max_featured_tags: Type.Integer(), max_pinned_statuses: Type.Integer() }),
      ...sharedConfiguration,
    }),
    contact_account: nullable(Account),
    rules: Type.Array(Rule),
  },
  { $id: 'V1_Instance' },
)

/**
 * Clients parse the Mastodon version at the start. The whole is a semantic version, as some insist on, and has no hyphen, at
 * which others stop.
 */
const SHOWN_VERSION = `${MASTODON_VERSION}+rookery.${VERSION}`
const ICON = { file: 'icon.png', size: '180x180' }

async function readParts(ctx: Context) {
  const settings = await getSettings(ctx)
  const [stats, rules, contact, uploads] = await Promise.all([
    readStats(ctx),
    listRules(ctx),
    presentContact(ctx, settings),
    getSiteUploads(ctx),
  ])
  return { settings, stats, rules: rules.map(presentRule), contact, uploads }
}

function presentThumbnail(ctx: Context, upload: SiteUpload | undefined): Static<typeof Instance>['thumbnail'] {
  if (!upload) return { url: assetUrl(ctx, 'header.png'), description: '' }
  const versions = Object.entries(upload.variants).map(([name, key]) => [`@${name}`, ctx.files.url(key)] as const)
  return {
    url: ctx.files.url(upload.variants['1x'] ?? ''),
    description: upload.description,
    ...(upload.blurhash === null ? {} : { blurhash: upload.blurhash }),
    versions: Object.fromEntries(versions),
  }
}

const presentIcons = (ctx: Context, upload: SiteUpload | undefined): Static<typeof Instance>['icon'] =>
  upload
    ? Object.entries(upload.variants).map(([side, key]) => ({ src: ctx.files.url(key), size: `${side}x${side}` }))
    : [{ src: assetUrl(ctx, ICON.file), size: ICON.size }]

/** Cached: at most a minute old. */
export const presentInstance = memoized(30, async (ctx) => {
  const { settings, stats, rules, contact, uploads } = await readParts(ctx)
  const open = settings.registrations_mode !== 'none'
  const approval = settings.registrations_mode === 'approved'
  const document = jsonObject<Static<typeof Instance>>({
    domain: ctx.config.localDomain,
    title: settings.site_title,
    version: SHOWN_VERSION,
    source_url: ctx.config.sourceUrl,
    description: settings.site_short_description,
    wrapstodon: campaignYear(new Date())?.toString() ?? null,
    usage: { users: { active_month: stats.activeMonth } },
    thumbnail: presentThumbnail(ctx, uploads.thumbnail),
    icon: presentIcons(ctx, uploads.app_icon),
    languages: settings.languages,
    configuration: await presentConfiguration(ctx, settings),
    registrations: {
      enabled: open,
      approval_required: approval,
      reason_required: approval && settings.require_invite_text,
      message: open ? null : settings.closed_registrations_message || null,
      min_age: settings.min_age,
      url: ctx.config.omniauthOnly ? `${ctx.config.baseUrl}/auth/sign_up` : null,
    },
    api_versions: { mastodon: API_VERSION },
    contact: jsonObject({ email: settings.site_contact_email, account: contact }),
    rules,
  })
  return new JsonDocument(document)
})

export const presentV1Instance = memoized(30, async (ctx) => {
  const { settings, stats, rules, contact, uploads } = await readParts(ctx)
  const { max_featured_tags, max_pinned_statuses } = (await presentConfiguration(ctx, settings)).accounts
  const document = jsonObject<Static<typeof V1Instance>>({
    uri: ctx.config.localDomain,
    title: settings.site_title,
    short_description: settings.site_short_description,
    description: settings.site_short_description,
    email: settings.site_contact_email,
    version: SHOWN_VERSION,
    urls: { streaming_api: streamingUrl(ctx) },
    stats: { user_count: stats.users, status_count: stats.statuses, domain_count: stats.domains },
    thumbnail: presentThumbnail(ctx, uploads.thumbnail).url,
    languages: settings.languages,
    registrations: settings.registrations_mode !== 'none',
    approval_required: settings.registrations_mode === 'approved',
    invites_enabled: await mayEveryoneInvite(ctx),
    configuration: { accounts: { max_featured_tags, max_pinned_statuses }, ...presentSharedConfiguration(ctx) },
    contact_account: contact,
    rules,
  })
  return new JsonDocument(document)
})

/** Null when the settings name no local account, or an unknown one. */
async function presentContact(
  ctx: Context,
  { site_contact_username: username }: Settings,
): Promise<JsonText<Account> | null> {
  if (username === '') return null
  const row = await ctx.db.maybe<{ id: string }>(sql`
    select id from accounts where lower(username) = lower(${username}) and domain is null and suspended_at is null`)
  return row && presentAccount(ctx, row.id)
}
