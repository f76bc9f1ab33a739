import type { Context } from '../../../context.ts'
import type { Accounts, Favourites, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { usernameOf } from '../../accounts.ts'
import { renderLike, renderUndo } from '../render/activity.ts'
import type { OutgoingActivity, Prepare } from './outgoing.ts'

type LikeRow = Pick<Accounts, 'username'> &
  Pick<Statuses, 'uri'> &
  Pick<Favourites, 'approval_uri'> & { author_id: Accounts['id'] }

/** Like: a favourite, and its Undo. Only the author receives it. */
export const prepareLike: Prepare<'like'> = async (ctx, act) => {
  if (act.undo) return prepareUndo(ctx, act)
  const row = await ctx.db.maybe<LikeRow>(sql`
    select a.username, s.uri, s.account_id as author_id, f.approval_uri
    from favourites f join accounts a on a.id = f.account_id join statuses s on s.id = f.status_id
    where f.id = ${act.favouriteId} and f.approval is null`)
  if (!row?.uri) return null
  return {
    accountId: act.accountId,
    activity: renderLike(ctx, row.username, act.favouriteId, row.uri, row.approval_uri),
    topic: { kind: 'like', id: row.uri },
    to: { accountIds: [row.author_id] },
  }
}

/** Nothing when the account favourited the status again. */
async function prepareUndo(
  ctx: Context,
  act: { accountId: string; favouriteId: string; originalUri: string; to: string[] },
): Promise<OutgoingActivity | null> {
  const username = await usernameOf(ctx, act.accountId)
  const isFavourited = await ctx.db.maybe(sql`
    select from favourites f join statuses s on s.id = f.status_id where f.account_id = ${act.accountId} and s.uri = ${act.originalUri}`)
  if (username === null || isFavourited) return null
  return {
    accountId: act.accountId,
    activity: renderUndo(ctx, username, renderLike(ctx, username, act.favouriteId, act.originalUri)),
    topic: { kind: 'like', id: act.originalUri },
    to: { accountIds: act.to },
  }
}
