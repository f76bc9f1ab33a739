import { activityStreamsContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import * as ids from '../ids.ts'
import { blocksSigner, localActor } from './actor.ts'
import { type CollectionQuery, type CollectionItems, orderedCollection } from './collection.ts'

/** Accounts that hide their network, or block the signer, show only its size. */
export async function networkDocument(
  ctx: Context,
  signer: MaybeViewer,
  username: string,
  which: 'followers' | 'following',
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const stats = await ctx.db.maybe<{ followers_count: number; following_count: number }>(
    sql`select followers_count, following_count from account_stats where account_id = ${account.id}`,
  )
  const total = (which === 'followers' ? stats?.followers_count : stats?.following_count) ?? 0
  const id = which === 'followers' ? ids.followersUri(ctx, account.username) : ids.followingUri(ctx, account.username)
  const read = async (page: Pagination): Promise<CollectionItems> => {
    const [mine, theirs] =
      which === 'followers'
        ? [sql`f.target_account_id`, sql`f.account_id`]
        : [sql`f.account_id`, sql`f.target_account_id`]
    const found = await ctx.db.many<{ id: string; uri: string | null; username: string }>(sql`
      select f.id, a.uri, a.username from follows f join accounts a on a.id = ${theirs}
      where ${mine} = ${account.id} and a.suspended_at is null and ${onPage(sql`f.id`, page)}`)
    const rows = newestFirst(found, page)
    return { items: rows.map((row) => row.uri ?? accountUri(ctx, row.username)), rowIds: rows.map((row) => row.id) }
  }
  const hidden = account.hidden || (await blocksSigner(ctx, signer, account.id))
  return orderedCollection(id, query, total, activityStreamsContext, hidden ? null : read)
}
