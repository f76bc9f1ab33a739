import { isHiddenBy } from '../domain/relationships/hidden.ts'
import type { MarksOf } from '../domain/statuses/marks.ts'
import { approvalFor } from '../domain/statuses/quotes/policy.ts'
import { unpackPolicy } from '../lib/approval-policy.ts'
import type { StatusReader } from '../domain/statuses/reader.ts'
import type { StatusFacts } from '../domain/statuses/status-facts.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import type { JsonPieces } from '../lib/json.ts'
import { presentCacheable, type EntityFormat, presentObject, type Presented } from './entity-format.ts'
import { type Poll, type PollContent, presentPoll } from './poll.ts'
import { type ShallowQuote, type ShownQuoteState, VISIBILITIES } from './status.ts'

/** The state of a quote as the viewer sees it, and the quoted status where the viewer may see that. */
type ShownQuote = { state: ShownQuoteState; id: string | null }

/** `reader` must have the quoted status. Null for a status without a quote. */
export function quoteFor(reader: StatusReader, { quote }: StatusFacts): ShownQuote | null {
  if (!quote) return null
  const quoted = quote.quoted_status_id === null ? undefined : reader.status(quote.quoted_status_id)
  if (quote.state !== 'accepted') return { state: quote.state, id: null }
  if (!quoted) return { state: 'deleted', id: null }
  if (!reader.sees(quoted)) return { state: 'unauthorized', id: null }
  // In these states, the quoted status is included: the viewer may still decide to see it.
  return { state: hidingState(reader, quoted) ?? 'accepted', id: quoted.id }
}

function hidingState(reader: StatusReader, { account_id }: StatusFacts): ShownQuoteState | null {
  const relationship = reader.relationship(account_id)
  if (!isHiddenBy(relationship)) return null
  if (relationship.blocks) return 'blocked_account'
  if (relationship.blocks_domain) return 'blocked_domain'
  return relationship.blocked_by ? null : 'muted_account'
}

/** `quoted`: null when it could not be presented. */
export function presentQuote(
  format: EntityFormat,
  shown: ShownQuote | null,
  quoted: Presented | JsonPieces | null,
): Presented | null {
  if (!shown) return null
  const state = quoted === null && shown.id !== null ? 'deleted' : shown.state
  return presentObject(format, { state, quoted_status: quoted })
}

export const presentShallowQuote = (shown: ShownQuote | null): ShallowQuote | null =>
  shown && { state: shown.state, quoted_status_id: shown.id }

export function presentPollFor(
  content: PollContent | null,
  { id, account_id, poll }: StatusFacts,
  viewer: MaybeViewer,
  marks: MarksOf,
): Poll | null {
  if (!content || !poll) return null
  const mine = viewer && {
    ownVotes: marks.of(viewer.accountId, id).own_votes ?? [],
    isAuthor: account_id === viewer.accountId,
  }
  return presentPoll(content, poll, mine)
}

/** `key` is the same for equal approvals in one format, and below 2^26. */
type Approval = { key: number; presented: Presented }

/** Every status has an approval, and there are few different ones. */
const approvals: Record<EntityFormat, Map<number, Approval>> = { json: new Map(), value: new Map() }
const bit = (value: boolean): number => (value ? 1 : 0)

export function presentQuoteApproval(
  format: EntityFormat,
  reader: StatusReader,
  { account_id, visibility, quote_policy }: StatusFacts,
  viewer: MaybeViewer,
): Approval {
  const { follows, followed_by: followed } = reader.relationship(account_id)
  const isAuthor = viewer?.accountId === account_id
  const facts = [viewer !== null, isAuthor, follows, followed].reduce((bits, value) => bits * 2 + bit(value), 0)
  const key = (quote_policy * VISIBILITIES.length + VISIBILITIES.indexOf(visibility)) * 16 + facts
  const known = approvals[format].get(key)
  if (known) return known
  const current = viewer ? approvalFor(quote_policy, { visibility, isAuthor, follows, followed }) : 'denied'
  const presented = presentCacheable(format, { ...unpackPolicy(quote_policy), current_user: current })
  const approval = { key, presented }
  approvals[format].set(key, approval)
  return approval
}
