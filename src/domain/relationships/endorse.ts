import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Page } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { invalidRequest } from '../../lib/errors.ts'
import { hasBlocked, notHiddenFrom } from './hidden.ts'
import type { TieRow } from './lists.ts'

/** Puts somebody forward on one's profile, once. Throws Invalid unless they are followed. */
export async function endorse(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    // Held, lest the follow ends without the endorsement ending too.
    const follows = await tx.db.maybe(sql`
      select id from follows where account_id = ${accountId} and target_account_id = ${targetAccountId} for key share`)
    if (!follows) throw invalidRequest('endorse_not_following')
    await tx.db.run(sql`
      insert into endorsements (account_id, target_account_id) values (${accountId}, ${targetAccountId}) on conflict do nothing`)
  })
}

/** Puts people forward no longer, if they were. */
export async function unendorse(ctx: Context, accountId: string, targetAccountIds: readonly string[]): Promise<void> {
  await ctx.db.run(
    sql`delete from endorsements where account_id = ${accountId} and target_account_id = any(${targetAccountIds}::bigint[])`,
  )
}

/**
 * Whom an account puts forward, the newest first. To its owner nobody is hidden but the suspended; whom the account blocks
 * sees nobody.
 */
export async function listEndorsements(
  ctx: Context,
  viewer: { accountId: string } | null,
  accountId: string,
  page: Page,
): Promise<TieRow[]> {
  const me = viewer && viewer.accountId !== accountId ? viewer : null
  const rows = await ctx.db.many<TieRow>(sql`
    select tie.id, a.id as account_id from endorsements tie
    join accounts a on a.id = tie.target_account_id join accounts owner on owner.id = tie.account_id
    where tie.account_id = ${accountId} and owner.suspended_at is null and ${notHiddenFrom(me)}
      and not ${hasBlocked(accountId, sql`${me?.accountId ?? null}::bigint`)}
      and ${within(sql`tie.id`, page)} ${ordered(sql`tie.id`, page)}`)
  return newestFirst(rows, page)
}
