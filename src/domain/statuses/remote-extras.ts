import { isPublic } from '../../ap/audience.ts'
import { firstObject, idsOf } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { cutText } from '../../lib/text/count.ts'
import type { AccountRow } from '../accounts/find.ts'
import type { QuoteDraft, Visibility } from './draft.ts'
import { findStatusByUri } from './find-by-uri.ts'
import type { PollDraft } from './poll-rules.ts'
import { packPolicy, type PolicyGroup } from './quote-policy.ts'
import { findVisibleStatuses } from './visibility.ts'

const LONGEST_OPTION = 500
const MOST_OPTIONS = 32

/** The poll of a remote post, with the votes that its server counted; null where it has none. */
export function remotePollOf({ poll }: Note): PollDraft | null {
  if (!poll) return null
  const options = poll.options.slice(0, MOST_OPTIONS)
  const end = poll.endTime?.getTime() ?? null
  const isOver = poll.isClosed && (end === null || end > Date.now())
  return {
    options: options.map(({ title }) => cutText(title, LONGEST_OPTION)),
    tallies: options.map(({ votesCount }) => votesCount),
    multiple: poll.multiple,
    hideTotals: false,
    expiresAt: isOver ? new Date() : end === null ? null : new Date(end),
    votersCount: poll.votersCount,
  }
}

/** Who may quote a remote post, as its author says: quote-policy.ts. */
export function remotePolicyOf(note: Note, author: AccountRow, visibility: Visibility): number {
  const canQuote = firstObject(note.interactionPolicy?.['canQuote'])
  if (canQuote === null || visibility === 'private' || visibility === 'direct') return 0
  const groups = (...names: string[]): PolicyGroup[] =>
    names.flatMap((name) => idsOf(canQuote[name]).flatMap((uri) => groupOf(uri, author)))
  return packPolicy(groups('automaticApproval', 'always'), groups('manualApproval', 'approvalRequired'))
}

function groupOf(uri: string, author: AccountRow): PolicyGroup[] {
  if (isPublic(uri)) return ['public']
  if (uri === author.followers_url) return ['followers']
  if (uri === author.following_url) return ['following']
  return uri === author.uri ? [] : ['unsupported_policy']
}

/**
 * What a remote post quotes. Of oneself one may quote anything; otherwise it is pending until the quoted author is known to
 * agree. A post of this server that the author cannot read is treated as one that is not known.
 */
export async function remoteQuoteOf(ctx: Context, note: Note, authorId: string): Promise<QuoteDraft | null> {
  if (note.quote === null) return null
  const known = await findStatusByUri(ctx, note.quote)
  const isReadable =
    known && (!known.local || (await findVisibleStatuses(ctx, { accountId: authorId }, [known.id])).length > 0)
  const statusId = isReadable && known.reblog_of_id === null ? known.id : null
  const isOwn = statusId !== null && known?.account_id === authorId
  return { statusId, uri: note.quote, state: isOwn ? 'accepted' : 'pending', approvalUri: note.quoteAuthorization }
}
