import { activityStreamsContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, PollVotes, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import { voteUri } from '../../ids.ts'
import type { Prepare } from './outgoing.ts'

type VoteRow = Pick<PollVotes, 'id'> &
  Pick<Accounts, 'username'> & {
    option: string
    question: Statuses['uri']
    author_id: Accounts['id']
    author_uri: Accounts['uri']
  }

/** The most options that are read of a remote poll. */
const MAX_VOTES = 100

/**
 * Creates of notes that each name an option, for the author of the poll alone. They are delivered one after another, because
 * servers that process several votes of one voter at once lose some.
 */
export const prepareVote: Prepare<'vote'> = async (ctx, { accountId, voteIds }) => {
  const rows = await ctx.db.many<VoteRow>(sql`
    select v.id, a.username, p.options[v.choice + 1] as option, s.uri as question, s.account_id as author_id, author.uri as author_uri
    from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id
    join accounts a on a.id = v.account_id join accounts author on author.id = s.account_id 
    where v.id = any(${voteIds.slice(0, MAX_VOTES)}::bigint[]) order by v.id`)
  const [activity, ...followedBy] = rows.map((row) => renderVote(ctx, row)).filter((vote) => vote !== null)
  const authorId = rows[0]?.author_id
  return activity && authorId !== undefined ? { accountId, activity, followedBy, to: { accountIds: [authorId] } } : null
}

function renderVote(ctx: Context, row: VoteRow): Record<string, unknown> | null {
  if (!row.question || !row.author_uri) return null
  const [id, actor] = [voteUri(ctx, row.username, row.id), accountUri(ctx, row.username)]
  return {
    '@context': activityStreamsContext,
    id: `${id}/activity`,
    type: 'Create',
    actor,
    to: row.author_uri,
    object: { id, type: 'Note', name: row.option, attributedTo: actor, inReplyTo: row.question, to: row.author_uri },
  }
}
