import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { getAccountRow } from '../domain/accounts/find.ts'
import type { UserSettings } from '../domain/auth/viewer.ts'
import { NotFound } from '../lib/errors.ts'
import type { JsonText } from '../lib/json.ts'
import { type AccountFacts, accountFacts, assembleAccounts } from './account-presenter.ts'
import { accountMembers, Field } from './account.ts'
import { extendPart, type Form, type Part } from './parts.ts'
import { Id, nullable } from './schema.ts'

const Role = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    color: Type.String(),
    permissions: Type.String(),
    highlighted: Type.Boolean(),
    collection_limit: Type.Integer(),
  },
  { $id: 'Role' },
)

/** https://docs.joinmastodon.org/entities/Account/#CredentialAccount */
export const CredentialAccount = Type.Object(
  {
    ...accountMembers,
    source: Type.Object({
      attribution_domains: Type.Array(Type.String()),
      note: Type.String(),
      fields: Type.Array(Field),
      privacy: Type.String(),
      sensitive: Type.Boolean(),
      language: nullable(Type.String()),
      follow_requests_count: Type.Integer(),
      hide_collections: nullable(Type.Boolean()),
      discoverable: nullable(Type.Boolean()),
      indexable: Type.Boolean(),
      quote_policy: Type.String(),
    }),
    role: Role,
  },
  { $id: 'CredentialAccount' },
)

export type CredentialAccount = Static<typeof CredentialAccount>

type SourceRow = {
  note_text: string
  fields: { name: string; value: string; verified_at: string | null }[]
  settings: UserSettings
  attribution_domains: string[]
  hide_collections: boolean | null
  discoverable: boolean | null
  indexable: boolean
  follow_requests_count: number
  role_id: string
  role_name: string
  role_color: string
  permissions: string
  highlighted: boolean
  collection_limit: number
}

/** Presents an account to its owner, with the texts as typed, the preferences and the role. Throws NotFound. */
export async function presentCredentialAccount(ctx: Context, accountId: string): Promise<JsonText<CredentialAccount>> {
  return (await presentAs(ctx, 'json', accountId)) as JsonText<CredentialAccount>
}

/** As presentCredentialAccount, as a value for pages. */
export async function readCredentialAccount(ctx: Context, accountId: string): Promise<CredentialAccount> {
  return (await presentAs(ctx, 'value', accountId)) as CredentialAccount
}

async function presentAs(ctx: Context, form: Form, accountId: string): Promise<Part> {
  const row = await ctx.db.maybe<SourceRow & AccountFacts>(sql`
    select ${accountFacts}, a.note_text, a.fields, u.settings, a.attribution_domains, a.hide_collections, a.discoverable, a.indexable,
      (select count(*)::int from follow_requests fr where fr.target_account_id = a.id) as follow_requests_count,
      r.id as role_id, r.name as role_name, r.color as role_color, r.permissions | e.permissions as permissions, r.highlighted, r.collection_limit
    from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id join roles e on e.id = -99
    left join account_stats ast on ast.account_id = a.id
    where a.id = ${accountId}`)
  const account = row && (await assembleAccounts(ctx, form, [row])).get(accountId)
  if (!account) throw new NotFound()
  return extendPart(account, { source: sourceOf(row), role: roleOf(row) })
}

function sourceOf(row: SourceRow): CredentialAccount['source'] {
  return {
    attribution_domains: row.attribution_domains,
    note: row.note_text,
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    privacy: row.settings.privacy ?? 'public',
    sensitive: row.settings.sensitive ?? false,
    language: row.settings.language ?? null,
    follow_requests_count: row.follow_requests_count,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    quote_policy: row.settings.quote_policy ?? 'public',
  }
}

function roleOf(row: SourceRow): CredentialAccount['role'] {
  return {
    id: row.role_id,
    name: row.role_name,
    color: row.role_color,
    permissions: row.permissions,
    highlighted: row.highlighted,
    collection_limit: row.collection_limit,
  }
}

/** https://docs.joinmastodon.org/entities/Profile/ */
export const Profile = Type.Object(
  {
    id: Id,
    display_name: Type.String(),
    note: Type.String(),
    fields: Type.Array(Field),
    avatar: nullable(Type.String()),
    avatar_static: nullable(Type.String()),
    avatar_description: Type.String(),
    header: nullable(Type.String()),
    header_static: nullable(Type.String()),
    header_description: Type.String(),
    locked: Type.Boolean(),
    bot: Type.Boolean(),
    hide_collections: nullable(Type.Boolean()),
    discoverable: nullable(Type.Boolean()),
    indexable: Type.Boolean(),
    show_media: Type.Boolean(),
    show_media_replies: Type.Boolean(),
    show_featured: Type.Boolean(),
    attribution_domains: Type.Array(Type.String()),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

/** Presents a profile to its owner, for editing: texts as typed, pictures only where there are some. Throws NotFound. */
export async function presentProfile(ctx: Context, accountId: string): Promise<Profile> {
  const row = await getAccountRow(ctx, accountId)
  const imageUrl = (key: string | null): string | null => (key === null ? null : ctx.files.url(key))
  return {
    id: row.id,
    display_name: row.display_name,
    note: row.note_text,
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    avatar: imageUrl(row.avatar_key),
    avatar_static: imageUrl(row.avatar_static_key ?? row.avatar_key),
    avatar_description: row.avatar_description,
    header: imageUrl(row.header_key),
    header_static: imageUrl(row.header_static_key ?? row.header_key),
    header_description: row.header_description,
    locked: row.locked,
    bot: row.actor_type === 'Service' || row.actor_type === 'Application',
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
  }
}
