import type { Context } from '../context.ts'
import { sql, type Sql } from '../db/sql.ts'
import type { Visibility } from '../db/schema.ts'
import { approvalFor, NEEDS_FOLLOWED, NEEDS_FOLLOWER, unpackPolicy } from '../domain/statuses/quotes/policy.ts'
import { visibleTo, visibleToAccount, type MaybeViewer } from '../domain/statuses/visibility.ts'
import { presentPoll, type PollContent, type PollFacts } from './poll.ts'
import { hasBlocked, hasBlockedDomain, hasMuted } from '../domain/relationships/hidden.ts'

/** What tells whether a status has any of this: columns of its row. */
export type ExtraFacts = {
  visibility: Visibility
  quote_policy: number
  poll_id: string | null
  quote_id: string | null
}

/** What only some statuses have, as who looks may see it. Absent where there is nothing of it. */
export type Extras = {
  poll?: PollFacts | null
  quote?: { state: string; id: string | null } | null
  own_votes?: number[] | null
  follows_author?: boolean | null
  followed_by_author?: boolean | null
}

/** The columns of ExtraFacts, of a status `s`. */
export const extraFacts: Sql = sql`s.visibility, s.quote_policy, s.poll_id, s.quote_id`

type Facts = ExtraFacts & Extras & { status_id: string; account_id: string }

/** Whether there is more to know. Of most statuses there is not, and nothing more is asked of the database. */
const hasMore = (facts: Facts): boolean =>
  facts.poll_id !== null || facts.quote_id !== null || (facts.quote_policy & (NEEDS_FOLLOWER | NEEDS_FOLLOWED)) !== 0

/** Reads polls and quotes, as each viewer (null: nobody) may see them, in one statement, and notes them in the facts. */
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

/** The columns of Extras, of a status `s`, for the account `me`, which may be null. */
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

/** Whether what a status quotes may be shown, and its id. Inside, `s` and `a` are the quoted status and its author. */
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

/** States in which the quoted status comes along: whoever looks may still decide to see it. */
const SHOWN = ['accepted', 'blocked_account', 'blocked_domain', 'muted_account']

/** The status that is shown as quoted, or null. */
export const shownQuote = ({ quote }: Extras): string | null => (quote && SHOWN.includes(quote.state) ? quote.id : null)

/** What a status that is shown for itself quotes, as JSON text in pieces. `quoted`: the quoted status as JSON. */
export function quotePieces(facts: Extras, quoted: Buffer | null): (string | Buffer)[] {
  if (!facts.quote) return ['null']
  const state = quoted === null && shownQuote(facts) !== null ? 'deleted' : facts.quote.state
  return [`{"state":${JSON.stringify(state)},"quoted_status":`, quoted ?? 'null', '}']
}

/** What a status that is quoted itself quotes: a ShallowQuote. */
export function shallowQuotePieces(facts: Extras): string[] {
  if (!facts.quote) return ['null']
  return [JSON.stringify({ state: facts.quote.state, quoted_status_id: shownQuote(facts) })]
}

/** The poll of a status as JSON text; `null` where it has none. */
export function pollJson(content: PollContent | null, facts: Facts, viewer: MaybeViewer): string {
  if (!content || !facts.poll) return 'null'
  const mine = viewer && { ownVotes: facts.own_votes ?? [], isAuthor: facts.account_id === viewer.accountId }
  return JSON.stringify(presentPoll(content, facts.poll, mine))
}

/** The `quote_approval` member: who may quote a status, and whether the viewer is among them. */
export function approvalPiece(facts: Facts, viewer: MaybeViewer): string {
  const current = viewer
    ? approvalFor(facts.quote_policy, {
        visibility: facts.visibility,
        isAuthor: facts.account_id === viewer.accountId,
        follows: facts.follows_author ?? null,
        followed: facts.followed_by_author ?? null,
      })
    : 'denied'
  return `,"quote_approval":{${groupsOf(facts.quote_policy)},"current_user":"${current}"}`
}

const knownGroups = new Map<number, string>()

/** There are few policies, and each status has one. */
function groupsOf(policy: number): string {
  let groups = knownGroups.get(policy)
  if (groups === undefined) knownGroups.set(policy, (groups = JSON.stringify(unpackPolicy(policy)).slice(1, -1)))
  return groups
}
