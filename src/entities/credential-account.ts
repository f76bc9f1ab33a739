import Type, { type Static } from 'typebox'
import { type Context, perServer } from '../context.ts'
import { CoherentCache } from '../db/coherent-cache.ts'
import type { Accounts, Roles } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { getAccountRow } from '../domain/accounts/find.ts'
import { attributesOf, type ProfileColumn, selectedProfileColumns } from '../domain/accounts/profile-attributes.ts'
import { effectivePermissions, grantedPermissions, settingsColumn, type UserSettings } from '../domain/auth/viewer.ts'
import { NotFound } from '../lib/errors.ts'
import { JsonDocument, type JsonText } from '../lib/json.ts'
import { assembleAccounts } from './account-presenter.ts'
import { accountMembers, Field, profileMembersIn } from './account.ts'
import { extendPresented, type EntityFormat, type Presented } from './entity-format.ts'
import { Id, nullable } from './schema.ts'
import { FeaturedTag, listFeaturedTags, presentFeaturedTag } from './tag.ts'

export const Role = Type.Object(
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
      ...profileMembersIn('source'),
      note: Type.String(),
      fields: Type.Array(Field),
      privacy: Type.String(),
      sensitive: Type.Boolean(),
      language: nullable(Type.String()),
      follow_requests_count: Type.Integer(),
      quote_policy: Type.String(),
    }),
    role: Role,
  },
  { $id: 'CredentialAccount' },
)

export type CredentialAccount = Static<typeof CredentialAccount>

export type RoleRow = Pick<Roles, 'permissions' | 'highlighted' | 'collection_limit'> & {
  role_id: string
  role_name: string
  role_color: string
}

type SourceRow = Pick<Accounts, ProfileColumn | 'note_text'> &
  RoleRow & {
    fields: { name: string; value: string; verified_at: string | null }[]
    settings: UserSettings
    follow_requests_count: number
  }

/** For queries with the role as `r`. */
export const roleColumns = sql`r.id as role_id, r.name as role_name, r.color as role_color, ${effectivePermissions} as permissions,
  r.highlighted, r.collection_limit`

/** Only for the owner of the account. Throws NotFound. */
export async function presentCredentialAccount(
  ctx: Context,
  accountId: string,
): Promise<JsonDocument<CredentialAccount>> {
  const whole = await assembleOwn(ctx, 'json', accountId)
  return (whole.document ??= new JsonDocument(whole.presented as JsonText<CredentialAccount>))
}

/** Throws NotFound. */
export async function readCredentialAccount(ctx: Context, accountId: string): Promise<CredentialAccount> {
  return (await assembleOwn(ctx, 'value', accountId)).presented as CredentialAccount
}

/** `whole` is the last assembled account, which is valid while its `account` is the same. */
type OwnMembers = Pick<CredentialAccount, 'source' | 'role'> & { whole?: Whole }

/** `document`: of the JSON text. Clients ask for it when they start and, to check their token, all the time. */
type Whole = { account: Presented; presented: Presented; document?: JsonDocument<CredentialAccount> }

const ownMembers = perServer(
  ({ changes }) => new CoherentCache<OwnMembers>(changes, ['account', 'account-count', 'setting'], { max: 5000 }),
)

async function assembleOwn(ctx: Context, format: EntityFormat, accountId: string): Promise<Whole> {
  await ctx.changes.catchUpAfterWrites()
  const [accounts, members] = await Promise.all([
    assembleAccounts(ctx, format, [accountId]),
    ownMembers(ctx).load(ctx, [accountId], (missing) => readOwnMembers(ctx, missing)),
  ])
  const [account, own] = [accounts.get(accountId), members.get(accountId)]
  if (!account || !own) throw new NotFound()
  if (own.whole?.account !== account)
    own.whole = { account, presented: extendPresented(account, { source: own.source, role: own.role }) }
  return own.whole
}

async function readOwnMembers(ctx: Context, ids: readonly string[]): Promise<[string, OwnMembers][]> {
  const rows = await ctx.db.many<SourceRow & { id: string }>(sql`
    select a.id, a.note_text, a.fields, ${settingsColumn}, ${selectedProfileColumns},
      (select count(*)::int from follow_requests fr where fr.target_account_id = a.id) as follow_requests_count,
      ${roleColumns}
    from accounts a join users u on u.account_id = a.id join roles r on r.id = u.role_id
    where a.id = any(${ids}::bigint[])`)
  return rows.map((row) => [row.id, { source: sourceOf(row), role: roleOf(row) }])
}

function sourceOf(row: SourceRow): CredentialAccount['source'] {
  return {
    ...attributesOf(row, 'source'),
    note: row.note_text,
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    privacy: row.settings.privacy ?? 'public',
    sensitive: row.settings.sensitive ?? false,
    language: row.settings.language ?? null,
    follow_requests_count: row.follow_requests_count,
    quote_policy: row.settings.quote_policy ?? 'public',
  }
}

export function roleOf(row: RoleRow): CredentialAccount['role'] {
  return {
    id: row.role_id,
    name: row.role_name,
    color: row.role_color,
    permissions: grantedPermissions(BigInt(row.permissions)).toString(),
    highlighted: row.highlighted,
    collection_limit: row.collection_limit,
  }
}

/** https://docs.joinmastodon.org/entities/Profile/ */
export const Profile = Type.Object(
  {
    id: Id,
    ...profileMembersIn('profile'),
    note: Type.String(),
    fields: Type.Array(Field),
    avatar: nullable(Type.String()),
    avatar_static: nullable(Type.String()),
    header: nullable(Type.String()),
    header_static: nullable(Type.String()),
    featured_tags: Type.Array(FeaturedTag),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

/** Only for the owner of the account. Texts are as typed, and an image that was not chosen is null. Throws NotFound. */
export async function presentProfile(ctx: Context, accountId: string): Promise<Profile> {
  const [row, featured] = await Promise.all([getAccountRow(ctx, accountId), listFeaturedTags(ctx, accountId)])
  const imageUrl = (key: string | null): string | null => (key === null ? null : ctx.files.url(key))
  return {
    id: row.id,
    ...attributesOf(row, 'profile'),
    note: row.note_text,
    fields: row.fields.map(({ name, value, verified_at }) => ({ name, value, verified_at })),
    avatar: imageUrl(row.avatar_key),
    avatar_static: imageUrl(row.avatar_static_key ?? row.avatar_key),
    header: imageUrl(row.header_key),
    header_static: imageUrl(row.header_static_key ?? row.header_key),
    featured_tags: featured.map((tag) => presentFeaturedTag(ctx, tag)),
  }
}
