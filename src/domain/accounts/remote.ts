import type { Follows } from '../../db/schema.ts'
import { parseLocalUrl } from '../server/addresses.ts'
import { perServer, type Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { batched } from '../../lib/batch.ts'
import { accountColumns, findLocal, type AccountRow } from './find.ts'

/** Whether the id of an actor is on the server `origin`. An actor may be the whole server, without a path. */
export const isAtOrigin = (uri: Sql, origin: string): Sql =>
  sql`(${uri} = ${origin} or starts_with(${uri}, ${`${origin}/`}))`

export async function findByUri(ctx: Context, uri: string): Promise<AccountRow | null> {
  const local = parseLocalUrl(ctx, uri)
  if (local) return local.statusId === null ? findLocal(ctx, local.username) : null
  return ctx.db.maybe<AccountRow>(sql`select ${accountColumns} from accounts a where a.uri = ${uri}`)
}

const MAX_URIS = 100

const remoteAccounts = perServer((ctx) => batched((uris: string[]) => readRemoteAccounts(ctx, uris), MAX_URIS))

/** Look-ups that are made together share a statement: never call it in a transaction. */
export const findRemoteAccount = (ctx: Context, uri: string): Promise<AccountRow | null> => remoteAccounts(ctx)(uri)

async function readRemoteAccounts(ctx: Context, uris: readonly string[]): Promise<(AccountRow | null)[]> {
  const rows = await ctx.db.many<AccountRow>(
    sql`select ${accountColumns} from accounts a where a.uri = any(${uris}::text[]) and a.domain is not null`,
  )
  const byUri = new Map(rows.map((row) => [row.uri, row]))
  return uris.map((uri) => byUri.get(uri) ?? null)
}

/**
 * Up to 20 of the accounts to which deliveries go there; the first is the one that was fetched longest ago. An account that has a
 * shared inbox too is found by its own one if `uris` has its id, or that of a post by it.
 */
export function findByInbox(ctx: Context, inbox: string, uris: readonly string[]): Promise<AccountRow[]> {
  // Large servers have hundreds of thousands in one shared inbox: a thousand of them tell enough.
  return ctx.db.many<AccountRow>(sql`
    select ${accountColumns} from accounts a where a.suspended_at is null and a.id in (
      (select id from accounts where domain is not null and coalesce(shared_inbox_url, inbox_url) = ${inbox} limit 1000)
      union select id from accounts where uri = any(${uris}::text[]) and inbox_url = ${inbox}
      union select author.id from statuses s join accounts author on author.id = s.account_id
        where s.uri = any(${uris}::text[]) and author.inbox_url = ${inbox})
    order by a.fetched_at nulls first limit 20`)
}

/** Whether an account on another host names the inbox as its own. The host of the inbox may know nothing of it. */
export async function isNamedElsewhere(ctx: Context, inbox: string): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from accounts where inbox_url = ${inbox} and split_part(inbox_url, '/', 3) <> split_part(uri, '/', 3)
    union all select from accounts
    where shared_inbox_url = ${inbox} and split_part(shared_inbox_url, '/', 3) <> split_part(uri, '/', 3) limit 1`)
  return row !== null
}

export function findHandle(ctx: Context, uri: string): Promise<{ username: string; domain: string } | null> {
  return ctx.db.maybe(sql`select username, domain from accounts where uri = ${uri}`)
}

export function findLocalFollows(ctx: Context, accountId: string): Promise<Pick<Follows, 'id' | 'account_id'>[]> {
  return ctx.db.many(sql`
    select f.id, f.account_id from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.domain is null`)
}

export async function hasFreshCounts(ctx: Context, accountId: string): Promise<boolean> {
  const statement = sql`
    select from account_stats where account_id = ${accountId} and refreshed_at > now() - interval '1 day'`
  return (await ctx.db.maybe(statement)) !== null
}

/** As the account's own server gives them; null where it does not. */
export type RemoteCounts = { statuses: number | null; following: number | null; followers: number | null }

/** Followers and following are never fewer than the follows stored here. Null leaves a counter as it is. */
export async function storeRemoteCounts(ctx: Context, accountId: string, counts: RemoteCounts): Promise<void> {
  await ctx.db.run(sql`
    insert into account_stats as st (account_id, statuses_count, following_count, followers_count, refreshed_at)
    values (${accountId}, ${counts.statuses ?? 0}, ${counts.following ?? 0}, ${counts.followers ?? 0}, now())
    on conflict (account_id) do update set refreshed_at = now(), statuses_count = coalesce(${counts.statuses}::int, st.statuses_count),
      following_count = greatest(coalesce(${counts.following}::int, st.following_count), (select count(*)::int from follows where account_id = ${accountId})),
      followers_count = greatest(coalesce(${counts.followers}::int, st.followers_count), (select count(*)::int from follows where target_account_id = ${accountId}))`)
}

/** Also called after a failed fetch, so that the next one waits. */
export async function markFetched(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.run(sql`update accounts set fetched_at = now() where id = ${accountId}`)
}
