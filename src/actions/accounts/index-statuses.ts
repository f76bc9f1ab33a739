import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'

const AT_ONCE = 500

/** The job `search.account`: lets everybody find an account's public posts, or not any more, as its owner wants by now. */
export async function indexAccount(ctx: Context, { accountId, after }: JobData['search.account']): Promise<void> {
  await ctx.transaction(async (tx) => {
    const rows = await tx.db.many<{ id: string }>(sql`
      select id from statuses where account_id = ${accountId} and visibility = 'public' and reblog_of_id is null and id > ${after}
      order by id limit ${AT_ONCE}`)
    const ids = rows.map(({ id }) => id)
    await indexStatuses(tx, ids)
    if (ids.length === AT_ONCE) await tx.enqueue('search.account', { accountId, after: ids.at(-1) as string })
  })
}
