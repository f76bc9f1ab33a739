// Accounts in batches, for commands that go through all of them.
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { nothing, sql } from '../../db/sql.ts'

const BATCH = 200

export type LocalAccountRow = Pick<Accounts, 'id' | 'username'>
export type RemoteAccountRow = Pick<Accounts, 'id' | 'username'> & { domain: string; uri: string }

/** Accounts of users who are not suspended. */
export async function* localAccounts(ctx: Context): AsyncGenerator<LocalAccountRow[]> {
  for (let after = '0'; ;) {
    const rows = await ctx.db.many<LocalAccountRow>(sql`
      select a.id, a.username from accounts a join users u on u.account_id = a.id
      where a.id > ${after} and a.suspended_at is null order by a.id limit ${BATCH}`)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Of one domain, or of all. */
export async function* remoteAccounts(ctx: Context, domain: string | null): AsyncGenerator<RemoteAccountRow[]> {
  for (let after = '0'; ;) {
    const rows = await ctx.db.many<RemoteAccountRow>(sql`
      select a.id, a.username, a.domain, a.uri from accounts a
      where a.id > ${after} and a.domain is not null and a.uri is not null and a.suspended_at is null
        ${domain === null ? nothing : sql`and a.domain = ${domain}`} order by a.id limit ${BATCH}`)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}

export const countLocalAccounts = async (ctx: Context): Promise<number> =>
  (
    await ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from accounts a join users u on u.account_id = a.id where a.suspended_at is null`)
  ).count

export const countRemoteAccounts = async (ctx: Context, domain: string | null): Promise<number> =>
  (
    await ctx.db.one<{ count: number }>(sql`
      select count(*)::int as count from accounts a where a.domain is not null and a.uri is not null and a.suspended_at is null
        ${domain === null ? nothing : sql`and a.domain = ${domain}`}`)
  ).count
