import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { findStatusByUri } from './find-by-uri.ts'
import { concernsUs } from './remote-mentions.ts'

/** Whether anybody of this server follows the account. */
export async function isFollowedHere(ctx: Context, accountId: string): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from follows f join accounts a on a.id = f.account_id where f.target_account_id = ${accountId} and a.domain is null limit 1`)
  return row !== null
}

/**
 * Whether a post that was sent here is anybody's business: its author is followed, it is for or mentions somebody of this
 * server, or it answers somebody who is of this server or followed from here. Anything else would be what anybody cares to send.
 */
export async function isRelevant(ctx: Context, note: Note, authorId: string): Promise<boolean> {
  if (await isFollowedHere(ctx, authorId)) return true
  if (await concernsUs(ctx, note)) return true
  const parent = note.inReplyTo === null ? null : await findStatusByUri(ctx, note.inReplyTo)
  return parent !== null && (parent.domain === null || isFollowedHere(ctx, parent.account_id))
}
