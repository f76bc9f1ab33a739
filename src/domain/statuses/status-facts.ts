import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import type { Polls, Quotes, Statuses, StatusStats } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import type { QuoteState } from './quotes/policy.ts'
import { mentionsThatGiveAccess } from './visibility.ts'

type StatusColumns =
  | 'id'
  | 'account_id'
  | 'reblog_of_id'
  | 'visibility'
  | 'approval'
  | 'sensitive'
  | 'conversation_id'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'reply'
  | 'quote_policy'
  | 'card_id'

/** The facts that decide which viewers see a status, and those that change often. The content is presented separately. */
export type StatusFacts = Pick<Statuses, StatusColumns> &
  Pick<StatusStats, 'replies_count' | 'reblogs_count' | 'favourites_count' | 'quotes_count'> & {
    /** Mentioned accounts; empty for statuses that everyone may see. */
    mentioned_ids: string[]
    poll: PollFacts | null
    quote: QuoteFacts | null
  }

/** The facts about a poll, other than its options. `expires_at`: in PostgreSQL's JSON form. */
export type PollFacts = Pick<Polls, 'tallies' | 'voters_count' | 'hide_totals'> & {
  id: string
  expires_at: string | null
}

/** `quoted_status_id`: null when the quoted status is gone or not known here. */
export type QuoteFacts = Pick<Quotes, 'quoted_status_id'> & { state: QuoteState }

const cache = perServer(
  (ctx) => new CoherentCache<StatusFacts>(ctx.changes, ['status', 'status-count'], { max: 50_000 }),
)

/** Unknown ids have no entry. One statement, or none when all are cached. */
function loadStatusFacts(ctx: Context, ids: Iterable<string>): Promise<Map<string, StatusFacts>> {
  return cache(ctx).load(ctx, ids, async (missing) => {
    const rows = await ctx.db.many<StatusFacts>(sql`
      select s.id, s.account_id, s.reblog_of_id, s.visibility, s.approval, s.sensitive, s.conversation_id, s.in_reply_to_id, s.in_reply_to_account_id,
        s.reply, s.quote_policy, s.card_id, coalesce(sst.replies_count, 0) as replies_count, coalesce(sst.reblogs_count + sst.reblogs_elsewhere, 0) as reblogs_count,
        coalesce(sst.favourites_count + sst.favourites_elsewhere, 0) as favourites_count, coalesce(sst.quotes_count, 0) as quotes_count,
        ${mentionsThatGiveAccess} as mentioned_ids,
        case when s.poll_id is not null then (
          select json_build_object('id', p.id::text, 'expires_at', p.expires_at, 'hide_totals', p.hide_totals, 'tallies', p.tallies, 'voters_count', p.voters_count)
          from polls p where p.id = s.poll_id) end as poll,
        case when s.quote_id is not null then (
          select json_build_object('state', q.state, 'quoted_status_id', q.quoted_status_id::text) from quotes q where q.id = s.quote_id) end as quote
      from statuses s left join status_stats sst on sst.status_id = s.id
      where s.id = any(${missing}::bigint[])`)
    return rows.map((row) => [row.id, row])
  })
}

/** Includes the originals of boosts. Sends a second statement when these are not cached. */
export async function loadWithOriginals(ctx: Context, ids: Iterable<string>): Promise<Map<string, StatusFacts>> {
  const statuses = await loadStatusFacts(ctx, ids)
  const originals = [...statuses.values()].flatMap(({ reblog_of_id }) => reblog_of_id ?? [])
  if (originals.length === 0) return statuses
  for (const [id, status] of await loadStatusFacts(ctx, originals)) statuses.set(id, status)
  return statuses
}
