import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { UserSettings } from '../domain/auth/viewer.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonObject, concatJson, type JsonText } from '../lib/json.ts'
import { accountMembers, Field } from './account.ts'
import { accountFacts, assembleAccounts, type AccountFacts } from './account-presenter.ts'
import { nullable } from './schema.ts'

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

/** Presents an account to its owner: with what was typed, what is preferred, and the role. */
export async function presentCredentialAccount(ctx: Context, accountId: string): Promise<JsonText<CredentialAccount>> {
  const row = await ctx.db.maybe<SourceRow & AccountFacts>(sql`
    select ${accountFacts}, a.note_text, a.fields, u.settings, a.attribution_domains, a.hide_collections, a.discoverable, a.indexable,
      (select count(*)::int from follow_requests fr where fr.target_account_id = a.id) as follow_requests_count,
      r.id as role_id, r.name as role_name, r.color as role_color, r.permissions | e.permissions as permissions, r.highlighted, r.collection_limit
    from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id join roles e on e.id = -99
    left join account_stats ast on ast.account_id = a.id
    where a.id = ${accountId}`)
  const account = row && (await assembleAccounts(ctx, [row])).get(accountId)
  if (!account) throw new NotFound()
  const more = jsonObject({ source: sourceOf(row), role: roleOf(row) })
  return concatJson([account.subarray(0, -1), ',', more.subarray(1)])
}

function sourceOf(row: SourceRow): Record<string, unknown> {
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

function roleOf(row: SourceRow): Record<string, unknown> {
  return {
    id: row.role_id,
    name: row.role_name,
    color: row.role_color,
    permissions: row.permissions,
    highlighted: row.highlighted,
    collection_limit: row.collection_limit,
  }
}
