import { isHiddenBy } from '../domain/relationships/hidden.ts'
import type { MarksOf } from '../domain/statuses/marks.ts'
import { approvalFor, unpackPolicy } from '../domain/statuses/quotes/policy.ts'
import type { StatusReader } from '../domain/statuses/reader.ts'
import type { StatusFacts } from '../domain/statuses/status-facts.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { cacheablePart, type Form, objectPart, type Part } from './parts.ts'
import { type Poll, type PollContent, presentPoll } from './poll.ts'
import type { ShallowQuote } from './status.ts'

/** The state of a quote as the viewer sees it, and the quoted status where the viewer may see that. */
type ShownQuote = { state: string; id: string | null }

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

function hidingState(reader: StatusReader, { account_id }: StatusFacts): string | null {
  const relation = reader.relation(account_id)
  if (!isHiddenBy(relation)) return null
  if (relation.blocks) return 'blocked_account'
  if (relation.blocks_domain) return 'blocked_domain'
  return relation.blocked_by ? null : 'muted_account'
}

/** `quoted`: null when it could not be presented. */
export function presentQuote(form: Form, shown: ShownQuote | null, quoted: Part | null): Part | null {
  if (!shown) return null
  const state = quoted === null && shown.id !== null ? 'deleted' : shown.state
  return objectPart(form, { state, quoted_status: quoted })
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
    ownVotes: marks(viewer.accountId, id).own_votes ?? [],
    isAuthor: account_id === viewer.accountId,
  }
  return presentPoll(content, poll, mine)
}

export function presentQuoteApproval(form: Form, reader: StatusReader, status: StatusFacts, viewer: MaybeViewer): Part {
  const { follows, followed_by } = reader.relation(status.account_id)
  const current = viewer
    ? approvalFor(status.quote_policy, {
        visibility: status.visibility,
        isAuthor: status.account_id === viewer.accountId,
        follows,
        followed: followed_by,
      })
    : 'denied'
  const key = `${form} ${status.quote_policy} ${current}`
  let approval = approvals.get(key)
  if (approval === undefined) {
    approval = cacheablePart(form, { ...unpackPolicy(status.quote_policy), current_user: current })
    approvals.set(key, approval)
  }
  return approval
}

/** Every status has an approval, and there are few different ones. */
const approvals = new Map<string, Part>()
