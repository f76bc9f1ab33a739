import { isPublic } from '../../ap/audience.ts'
import { firstObject, idsOf, type Json } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { cutText } from '../../lib/text/count.ts'
import type { AccountRow } from '../accounts/find.ts'
import type { QuoteDraft, InteractionKind, InteractionPolicy, InteractionRule } from './draft.ts'
import type { Visibility } from '../../db/schema.ts'
import { findStatusByUri } from './find.ts'
import type { PollDraft } from './polls/rules.ts'
import { packPolicy, type PolicyGroup } from './quotes/policy.ts'
import { findVisibleStatuses } from './visibility.ts'

const LONGEST_OPTION = 500
const MOST_OPTIONS = 32

/** What is kept of each list of a policy: so many entries, of so many characters. */
const POLICY_ENTRIES = 50
const LONGEST_ENTRY = 512

const SUB_POLICIES: readonly [InteractionKind, string][] = [
  ['like', 'canLike'],
  ['reply', 'canReply'],
  ['announce', 'canAnnounce'],
]
/** The terms of GoToSocial since 0.19, and those before. */
const AUTOMATIC = ['automaticApproval', 'always'] as const
const MANUAL = ['manualApproval', 'approvalRequired'] as const

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

/** Who may favourite, answer and boost a remote post, as its author says: interaction-policy.ts. Null: no restrictions. */
export function remoteInteractionPolicyOf(
  { interactionPolicy: sent }: Note,
  author: AccountRow,
): InteractionPolicy | null {
  const rules = SUB_POLICIES.flatMap(([kind, name]) => {
    const subPolicy = firstObject(sent?.[name])
    const rule = subPolicy && ruleOf(subPolicy, author)
    return rule ? [[kind, rule, AUTOMATIC[0] in subPolicy || MANUAL[0] in subPolicy] as const] : []
  })
  if (rules.length === 0) return null
  const isCurrent = rules.some(([, , current]) => current)
  return { ...Object.fromEntries(rules.map(([kind, rule]) => [kind, rule])), ...(isCurrent ? {} : { legacy: true }) }
}

/** Null where everyone may; lists that are missing or empty say nothing. */
function ruleOf(subPolicy: Json, author: AccountRow): InteractionRule | null {
  const [automatic, manual] = [entriesOf(subPolicy, AUTOMATIC, author), entriesOf(subPolicy, MANUAL, author)]
  if (automatic.length + manual.length === 0) return null
  if (automatic.includes('public') && manual.length === 0) return null
  return { automatic, manual }
}

/** Collections come first, so that no length of the list cuts them off. */
function entriesOf(subPolicy: Json, names: readonly string[], author: AccountRow): string[] {
  const uris = names.flatMap((name) => idsOf(subPolicy[name])).filter((uri) => uri.length <= LONGEST_ENTRY)
  const groups = uris.flatMap((uri) => groupOf(uri, author)).filter((group) => group !== 'unsupported_policy')
  const actors = uris.filter((uri) => groupOf(uri, author)[0] === 'unsupported_policy' || uri === author.uri)
  return [...new Set([...groups, ...actors])].slice(0, POLICY_ENTRIES)
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
