import { profileColumns } from './profile-attributes.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { type Handle, parseHandle } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { type Sql, commaList, name, sql } from '../../db/sql.ts'
import { Forbidden, Gone, NotFound } from '../../lib/errors.ts'
import { hasJoined } from '../users/states.ts'

export type ProfileField = { name: string; value: string; html: string; verified_at: string | null }

const COLUMNS = [
  ...profileColumns,
  'id',
  'username',
  'domain',
  'note_text',
  'note',
  'fields',
  'uri',
  'url',
  'avatar_key',
  'avatar_static_key',
  'avatar_remote_url',
  'header_key',
  'header_static_key',
  'header_remote_url',
  'also_known_as',
  'moved_to_id',
  'inbox_url',
  'shared_inbox_url',
  'outbox_url',
  'followers_url',
  'following_url',
  'featured_url',
  'featured_tags_url',
  'featured_collections_url',
  'suspended_at',
  'purged_at',
  'suspension_origin',
  'silenced_at',
  'sensitized_at',
  'created_at',
  'fetched_at',
] as const satisfies readonly (keyof Accounts)[]

/** `domain` is null for local accounts. */
export type AccountRow = Omit<Pick<Accounts, (typeof COLUMNS)[number]>, 'fields'> & { fields: ProfileField[] }

export const accountColumns: Sql = commaList(COLUMNS.map((column) => name(`a.${column}`)))

/**
 * Whether an account `a` may be shown to others at all, suspended or not: a local account only after its user's address is
 * confirmed and the user is approved.
 */
export const isShown: Sql = sql`(a.domain is not null or a.suspended_at is not null
  or exists (select from users u where u.account_id = a.id and ${hasJoined}))`

/** Whether the owner of an account `a` wants it to be found (FEP-5feb), and moderators do not object. */
export const wantsToBeFound: Sql = sql`(a.discoverable and a.suspended_at is null and a.silenced_at is null and ${isShown})`

/** The ids of those accounts that exist. They are not deleted until the transaction ends. */
export const lockAgainstDeletion = (ids: readonly string[]): Sql =>
  sql`select id from accounts where id = any(${ids}::bigint[]) order by id for key share`

/** Call it before locking rows that refer to these accounts: a deletion locks the account first, too. Ignores missing ones. */
export async function preventDeletion(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(lockAgainstDeletion(ids))
}

/** In any state: suspended, unconfirmed and unapproved accounts too. */
export function findAccount(ctx: Context, id: string): Promise<AccountRow | null> {
  return ctx.db.maybe<AccountRow>(sql`select ${accountColumns} from accounts a where a.id = ${id}`)
}

/** In any state. Throws NotFound. */
export async function getAccountRow(ctx: Context, id: string): Promise<AccountRow> {
  const account = await findAccount(ctx, id)
  if (!account) throw new NotFound()
  return account
}

/** Throws NotFound unless `isShown`. */
export async function getShownAccount(ctx: Context, id: string): Promise<AccountRow> {
  const account = await ctx.db.maybe<AccountRow>(
    sql`select ${accountColumns} from accounts a where a.id = ${id} and ${isShown}`,
  )
  if (!account) throw new NotFound()
  return account
}

/** As getShownAccount. Throws Gone for a suspended account. */
export async function getUnsuspendedAccount(ctx: Context, id: string): Promise<AccountRow> {
  const account = await getShownAccount(ctx, id)
  if (account.suspended_at) throw new Gone()
  return account
}

/** Without duplicates, in the order of `ids`. */
export async function findShownIds(
  ctx: Context,
  ids: readonly string[],
  options: { suspended: boolean },
): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select a.id from accounts a
    where a.id = any(${ids}::bigint[]) and ${isShown} and (${options.suspended} or a.suspended_at is null)`)
  const found = new Set(rows.map(({ id }) => id))
  return [...new Set(ids)].filter((id) => found.has(id))
}

/** Whether this is the handle of the account `a`. Ignores case. `domain`: null, or this server's own, for a local account. */
export function hasHandle(ctx: Context, { username, domain }: Handle): Sql {
  const host = domain === null || isLocalDomain(ctx, domain) ? '' : domain.toLowerCase()
  return sql`(lower(a.username) = ${username.toLowerCase()} and coalesce(a.domain, '') = ${host})`
}

/** As `hasHandle`. */
export const findByHandle = (ctx: Context, username: string, domain: string | null): Promise<AccountRow | null> =>
  ctx.db.maybe<AccountRow>(sql`select ${accountColumns} from accounts a where ${hasHandle(ctx, { username, domain })}`)

const findShown = (ctx: Context, handle: Handle): Promise<AccountRow | null> =>
  ctx.db.maybe<AccountRow>(sql`select ${accountColumns} from accounts a where ${hasHandle(ctx, handle)} and ${isShown}`)

/** Null unless `isShown`. */
export const findLocal = (ctx: Context, username: string): Promise<AccountRow | null> =>
  findShown(ctx, { username, domain: null })

/** `text`: `user`, `user@host`, `@user@host` or `acct:user@host`. Null unless the account is stored and may be shown. */
export async function lookupHandle(ctx: Context, text: string): Promise<AccountRow | null> {
  const handle = parseHandle(text)
  return handle && findShown(ctx, handle)
}

/** Whether an account is limited: its follows become requests, and its public statuses unlisted. */
export async function isSilenced(ctx: Context, accountId: string): Promise<boolean> {
  return (await ctx.db.maybe(sql`select from accounts where id = ${accountId} and silenced_at is not null`)) !== null
}

/** Throws Forbidden for a local account that has moved: it can no longer post, boost or follow. */
export async function refuseMoved(ctx: Context, accountId: string): Promise<void> {
  const moved = await ctx.db.maybe(
    sql`select from accounts where id = ${accountId} and domain is null and moved_to_id is not null`,
  )
  if (moved) throw new Forbidden()
}
