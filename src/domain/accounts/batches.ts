// Accounts, read in batches, for commands that go through all of them.
import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'

const BATCH = 200

export type LocalAccountRow = Pick<Accounts, 'id' | 'username'>
export type RemoteAccountRow = Pick<Accounts, 'id' | 'username'> & { domain: string; uri: string }

/** `read` returns up to BATCH rows with ids above `after`, in their order. */
async function* batchesOf<Row extends { id: string }>(read: (after: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let after = '0'; ;) {
    const rows = await read(after)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Accounts of users who are not suspended. */
export async function* localAccounts(ctx: Context): AsyncGenerator<LocalAccountRow> {
  const read = (after: string): Promise<LocalAccountRow[]> =>
    ctx.db.many<LocalAccountRow>(sql`
      select a.id, a.username from accounts a join users u on u.account_id = a.id
      where a.id > ${after} and a.suspended_at is null order by a.id limit ${BATCH}`)
  for await (const batch of batchesOf(read)) yield* batch
}

/** Remote accounts of one domain, or of all. */
export const remoteAccountBatches = (ctx: Context, domain: string | null): AsyncGenerator<RemoteAccountRow[]> =>
  batchesOf((after) =>
    ctx.db.many<RemoteAccountRow>(sql`
      select a.id, a.username, a.domain, a.uri from accounts a
      where a.id > ${after} and a.domain is not null and a.uri is not null and a.suspended_at is null
        ${domain === null ? nothing : sql`and a.domain = ${domain}`} order by a.id limit ${BATCH}`),
  )

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

/** `follows`: the accounts that it follows; `followers`: those that follow it. Follow requests are left out. */
export type FollowSide = 'follows' | 'followers'

const FOLLOW_SIDES: Record<FollowSide, { own: Sql; other: Sql }> = {
  follows: { own: sql`account_id`, other: sql`target_account_id` },
  followers: { own: sql`target_account_id`, other: sql`account_id` },
}

/** The ids of the accounts on one side, suspended ones included. The caller may end each follow before it takes the next id. */
export async function* followedOrFollowing(ctx: Context, accountId: string, side: FollowSide): AsyncGenerator<string> {
  const { own, other } = FOLLOW_SIDES[side]
  const read = (after: string): Promise<{ id: string; other_id: string }[]> =>
    ctx.db.many(sql`
      select id, ${other} as other_id from follows where ${own} = ${accountId} and id > ${after} order by id limit ${BATCH}`)
  for await (const batch of batchesOf(read)) yield* batch.map((row) => row.other_id)
}

export const countFollowSide = async (ctx: Context, accountId: string, side: FollowSide): Promise<number> =>
  (
    await ctx.db.one<{ count: number }>(
      sql`select count(*)::int as count from follows where ${FOLLOW_SIDES[side].own} = ${accountId}`,
    )
  ).count
