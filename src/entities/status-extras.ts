import type { Context } from '../context.ts'
import type { Statuses } from '../db/schema.ts'
import { sql, type Sql } from '../db/sql.ts'
import { hasBlocked, hasBlockedDomain, hasMuted } from '../domain/relationships/hidden.ts'
import { approvalFor, NEEDS_FOLLOWED, NEEDS_FOLLOWER, unpackPolicy } from '../domain/statuses/quotes/policy.ts'
import { type MaybeViewer, visibleTo, visibleToAccount } from '../domain/statuses/visibility.ts'
import { cacheablePart, type Form, objectPart, type Part } from './parts.ts'
import { type Poll, type PollContent, type PollFacts, presentPoll } from './poll.ts'
import type { ShallowQuote } from './status.ts'

export type ExtraFacts = Pick<Statuses, 'visibility' | 'quote_policy' | 'poll_id' | 'quote_id'>

/** Members that only some statuses have, as the viewer may see them. */
export type Extras = {
  poll?: PollFacts | null
  quote?: { state: string; id: string | null } | null
  own_votes?: number[] | null
  follows_author?: boolean | null
  followed_by_author?: boolean | null
}

/** Of a status `s`. */
export const extraFacts: Sql = sql`s.visibility, s.quote_policy, s.poll_id, s.quote_id`

type Facts = ExtraFacts & Extras & { status_id: string; account_id: string }

/** Whether a status may have extras. Most have none, and need no statement. */
const hasMore = (facts: Facts): boolean =>
  facts.poll_id !== null || facts.quote_id !== null || (facts.quote_policy & (NEEDS_FOLLOWER | NEEDS_FOLLOWED)) !== 0

/** One statement, for polls and quotes as each viewer may see them. The key null stands for anonymous viewers. */
export async function addExtras(ctx: Context, byViewer: ReadonlyMap<string | null, readonly Facts[]>): Promise<void> {
  const wanted = new Set(
    [...byViewer.values()]
      .flat()
      .filter(hasMore)
      .map(({ status_id }) => status_id),
  )
  if (wanted.size === 0) return
  const rows = await ctx.db.many<Extras & { viewer_id: string | null; status_id: string }>(sql`
    select v.id as viewer_id, s.id as status_id, ${extras(sql`v.id`)}
    from unnest(${[...byViewer.keys()]}::bigint[]) v (id) cross join statuses s where s.id = any(${[...wanted]}::bigint[])`)
  for (const [viewerId, own] of Map.groupBy(rows, ({ viewer_id }) => viewer_id)) {
    const byId = new Map(own.map(({ viewer_id: _viewer, status_id, ...rest }) => [status_id, rest]))
    for (const facts of byViewer.get(viewerId) ?? []) Object.assign(facts, byId.get(facts.status_id))
  }
}

/** Of a status `s`. `me` may be null. */
function extras(me: Sql): Sql {
  return sql`${quoteState(me)},
    case when s.poll_id is not null then (
      select json_build_object('expires_at', xp.expires_at, 'expired', xp.expires_at <= now(), 'hide_totals', xp.hide_totals,
        'tallies', xp.tallies, 'voters_count', xp.voters_count)
      from polls xp where xp.id = s.poll_id) end as poll,
    case when s.poll_id is not null then array(
      select xv.choice from poll_votes xv where xv.poll_id = s.poll_id and xv.account_id = ${me} order by xv.choice) end as own_votes,
    case when s.quote_policy & ${NEEDS_FOLLOWER}::int <> 0 then exists (
      select from follows xf where xf.account_id = ${me} and xf.target_account_id = s.account_id) end as follows_author,
    case when s.quote_policy & ${NEEDS_FOLLOWED}::int <> 0 then exists (
      select from follows xf where xf.account_id = s.account_id and xf.target_account_id = ${me}) end as followed_by_author`
}

/** Inside, `s` and `a` are the quoted status and its author. */
function quoteState(me: Sql): Sql {
  return sql`
    case when s.quote_id is not null then (
      select json_build_object('id', s.id::text, 'state', case
        when q.state <> 'accepted' then q.state
        when s.id is null then 'deleted'
        when not case when ${me} is null then ${visibleTo(null)} else ${visibleToAccount(me)} end then 'unauthorized'
        when ${hasBlocked(me, sql`a.id`)} then 'blocked_account'
        when ${hasBlockedDomain(me, sql`a.domain`)} then 'blocked_domain'
        when ${hasMuted(me, sql`a.id`)} then 'muted_account'
        else 'accepted' end)
      from (select xq.state, xq.quoted_status_id from quotes xq where xq.id = s.quote_id) q
        left join statuses s on s.id = q.quoted_status_id left join accounts a on a.id = s.account_id) end as quote`
}

/** States in which the quoted status is included: the viewer may still decide to see it. */
const SHOWN = ['accepted', 'blocked_account', 'blocked_domain', 'muted_account']

export const shownQuote = ({ quote }: Extras): string | null => (quote && SHOWN.includes(quote.state) ? quote.id : null)

export function presentQuote(form: Form, facts: Extras, quoted: Part | null): Part | null {
  if (!facts.quote) return null
  const state = quoted === null && shownQuote(facts) !== null ? 'deleted' : facts.quote.state
  return objectPart(form, { state, quoted_status: quoted })
}

export function presentShallowQuote(facts: Extras): ShallowQuote | null {
  return facts.quote ? { state: facts.quote.state, quoted_status_id: shownQuote(facts) } : null
}

export function presentPollFor(content: PollContent | null, facts: Facts, viewer: MaybeViewer): Poll | null {
  if (!content || !facts.poll) return null
  const mine = viewer && { ownVotes: facts.own_votes ?? [], isAuthor: facts.account_id === viewer.accountId }
  return presentPoll(content, facts.poll, mine)
}

export function presentQuoteApproval(form: Form, facts: Facts, viewer: MaybeViewer): Part {
  const current = viewer
    ? approvalFor(facts.quote_policy, {
        visibility: facts.visibility,
        isAuthor: facts.account_id === viewer.accountId,
        follows: facts.follows_author ?? null,
        followed: facts.followed_by_author ?? null,
      })
    : 'denied'
  const key = `${form} ${facts.quote_policy} ${current}`
  let approval = approvals.get(key)
  if (approval === undefined) {
    approval = cacheablePart(form, { ...unpackPolicy(facts.quote_policy), current_user: current })
    approvals.set(key, approval)
  }
  return approval
}

/** Every status has an approval, and there are few different ones. */
const approvals = new Map<string, Part>()
