import { activityStreamsContext } from '../ap/context.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri } from '../domain/instance/addresses.ts'
import type { Of, Outgoing } from './distribute.ts'
import { voteUri } from './ids.ts'

type Row = { username: string; option: string; question: string | null; author_id: string; author_uri: string | null }

/** Create of a note that names an option: a vote in somebody's poll, for its author alone. */
export async function vote(ctx: Context, { accountId, voteId }: Of<'vote'>): Promise<Outgoing | null> {
  const row = await ctx.db.maybe<Row>(sql`
    select a.username, p.options[v.choice + 1] as option, s.uri as question, s.account_id as author_id, author.uri as author_uri
    from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id
    join accounts a on a.id = v.account_id join accounts author on author.id = s.account_id where v.id = ${voteId}`)
  if (!row?.question || !row.author_uri) return null
  const [id, actor] = [voteUri(ctx, row.username, voteId), accountUri(ctx, row.username)]
  const activity = {
    '@context': activityStreamsContext,
    id: `${id}/activity`,
    type: 'Create',
    actor,
    to: row.author_uri,
    object: { id, type: 'Note', name: row.option, attributedTo: actor, inReplyTo: row.question, to: row.author_uri },
  }
  return { accountId, activity, to: { accountIds: [row.author_id] } }
}
