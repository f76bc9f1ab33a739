import { activityStreamsContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { followersUri, followingUri } from '../ids.ts'
import { blocksSigner, localActor } from './actor.ts'
import { type CollectionQuery, type CollectionItems, orderedCollection } from './collection.ts'

const NETWORKS = {
  followers: {
    uriOf: followersUri,
    count: sql`followers_count`,
    own: sql`f.target_account_id`,
    others: sql`f.account_id`,
  },
  following: {
    uriOf: followingUri,
    count: sql`following_count`,
    own: sql`f.account_id`,
    others: sql`f.target_account_id`,
  },
}

/** Accounts that hide their network, or block the signer, show only its size. */
export async function networkDocument(
  ctx: Context,
  signer: MaybeViewer,
  { username, list }: { username: string; list: keyof typeof NETWORKS },
  query: CollectionQuery,
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const { uriOf, count, own, others } = NETWORKS[list]
  const stats = await ctx.db.maybe<{ total: number }>(
    sql`select ${count} as total from account_stats where account_id = ${account.id}`,
  )
  const read = async (page: Pagination): Promise<CollectionItems> => {
    const found = await ctx.db.many<{ id: string; uri: string | null; username: string }>(sql`
      select f.id, a.uri, a.username from follows f join accounts a on a.id = ${others}
      where ${own} = ${account.id} and a.suspended_at is null and ${onPage(sql`f.id`, page)}`)
    const rows = newestFirst(found, page)
    return { items: rows.map((row) => row.uri ?? accountUri(ctx, row.username)), rowIds: rows.map((row) => row.id) }
  }
  const hidden = account.hidden || (await blocksSigner(ctx, signer, account.id))
  return orderedCollection(query, {
    id: uriOf(ctx, account.username),
    total: stats?.total ?? 0,
    context: activityStreamsContext,
    read: hidden ? null : read,
  })
}
