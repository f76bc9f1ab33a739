import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { preventDeletion } from '../accounts/find.ts'
import { hasBlocked, notHiddenFrom } from './hidden.ts'
import type { RelationshipEntry } from './lists.ts'

/** May run twice. Throws Invalid unless the account is followed. */
export async function endorse(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await preventDeletion(tx, [targetAccountId])
    // Locked, so that the follow cannot end without its endorsement.
    const follows = await tx.db.maybe(sql`
      select id from follows where account_id = ${accountId} and target_account_id = ${targetAccountId} for key share`)
    if (!follows) throw invalidRequest('endorse_not_following')
    await tx.db.run(sql`
      insert into endorsements (account_id, target_account_id) values (${accountId}, ${targetAccountId}) on conflict do nothing`)
  })
}

export async function unendorse(ctx: Context, accountId: string, targetAccountIds: readonly string[]): Promise<void> {
  await ctx.db.run(
    sql`delete from endorsements where account_id = ${accountId} and target_account_id = any(${targetAccountIds}::bigint[])`,
  )
}

/** Newest first. The account itself sees all but suspended accounts; an account that it blocks sees none. */
export async function listEndorsements(
  ctx: Context,
  viewer: { accountId: string } | null,
  accountId: string,
  page: Pagination,
): Promise<RelationshipEntry[]> {
  const me = viewer && viewer.accountId !== accountId ? viewer : null
  const rows = await ctx.db.many<RelationshipEntry>(sql`
    select e.id, a.id as account_id from endorsements e
    join accounts a on a.id = e.target_account_id join accounts owner on owner.id = e.account_id
    where e.account_id = ${accountId} and owner.suspended_at is null and ${notHiddenFrom(me)}
      and not ${hasBlocked(accountId, sql`${me?.accountId ?? null}::bigint`)}
      and ${onPage(sql`e.id`, page)}`)
  return newestFirst(rows, page)
}
