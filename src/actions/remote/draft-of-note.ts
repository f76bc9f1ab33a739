import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { resolveActor } from './resolve-account.ts'
import { remoteEmojis } from '../../domain/accounts/store-actor.ts'
import { visibilityOf } from '../../ap/audience.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { type StatusRow, findStatusByUri } from '../../domain/statuses/find.ts'
import { permissionFor } from '../../domain/statuses/interaction-policy.ts'
import { findLanguage } from '../../domain/statuses/language.ts'
import { findAccountsByAddress, localAddresses, mentionUris } from '../../domain/statuses/mentions.ts'
import {
  noteHtml,
  hashtagsOf,
  remoteInteractionPolicyOf,
  remoteMediaOf,
  remoteQuotePolicyOf,
  remotePollOf,
  remoteQuoteOf,
  noteSpoiler,
} from '../../domain/statuses/remote-content.ts'
import { findVisibleStatuses } from '../../domain/statuses/visibility.ts'
import { FetchError } from '../../net/fetch-error.ts'

export type RemoteDraft = StatusDraft & {
  uri: string
  /** Mentioned accounts whose servers could not be reached: the job `statuses.mentions` tries again. */
  unreachedMentions: string[]
}

/** May resolve mentioned accounts on other servers: never call it in a transaction. */
export async function draftOfNote(
  ctx: Context,
  note: Note,
  author: AccountRow,
  options: { resolveMentions?: boolean },
): Promise<RemoteDraft> {
  const visibility = visibilityOf(note.to, [...note.cc, ...note.hiddenRecipients], author.followers_url)
  const { mentionIds, unreached } = await findRemoteMentions(ctx, note, visibility, options)
  const hidden = await findReaders(ctx, note.hiddenRecipients, visibility)
  const hiddenMentionIds = [...new Set(hidden)].filter((id) => !mentionIds.includes(id))
  const parent = note.inReplyTo === null ? null : await findParent(ctx, note.inReplyTo, author.id)
  const content = noteHtml(ctx, note)
  const mayReply = parent === null || (await permissionFor(ctx, parent, author.id, 'reply')) === 'allowed'
  return {
    accountId: author.id,
    local: false,
    uri: note.id,
    url: note.url ?? note.id,
    content,
    spoilerText: noteSpoiler(note),
    visibility,
    sensitive: note.sensitive || author.sensitized_at !== null,
    ...findLanguage(content, note.language),
    mentionIds: [...mentionIds, ...hiddenMentionIds],
    hiddenMentionIds,
    unreachedMentions: unreached,
    tags: hashtagsOf(note),
    emojis: remoteEmojis(note.tags),
    inReplyToId: parent?.id ?? null,
    inReplyToUri: parent === null ? note.inReplyTo : null,
    approval: mayReply ? null : 'pending',
    approvalUri: note.inReplyTo === null ? null : note.replyAuthorization,
    conversationUri: note.conversation ?? note.context,
    remoteMedia: remoteMediaOf(note),
    poll: remotePollOf(note),
    quote: await remoteQuoteOf(ctx, note, author.id),
    quotePolicy: remoteQuotePolicyOf(note, author, visibility),
    interactionPolicy: remoteInteractionPolicyOf(note, author),
    ...(note.published ? { createdAt: note.published } : {}),
  }
}

/**
 * A local parent counts only if the author may read it, so that a guessed address joins no thread. This server does not know
 * who may read a remote parent.
 */
async function findParent(ctx: Context, uri: string, authorId: string): Promise<StatusRow | null> {
  const parent = await findStatusByUri(ctx, uri)
  if (!parent || parent.reblog_of_id !== null) return null
  if (!parent.local) return parent
  const [readable] = await findVisibleStatuses(ctx, { accountId: authorId }, [parent.id])
  return readable ?? null
}

/** Limits for one post: accounts to resolve, requests at once, milliseconds. */
const MAX_RESOLVED = 20
const CONCURRENCY = 5
const MAX_MS = 20_000

/**
 * The accounts that the tags name, in their order; `resolveMentions` resolves unknown ones. Private and direct posts also mention
 * the local accounts that they are addressed to, which could not read them otherwise. Never call it in a transaction.
 */
async function findRemoteMentions(
  ctx: Context,
  note: Note,
  visibility: Visibility,
  options: { resolveMentions?: boolean },
): Promise<{ mentionIds: string[]; unreached: string[] }> {
  const uris = mentionUris(note)
  const known = await findAccountsByAddress(ctx, uris)
  const unknown = uris.filter((uri) => !known.has(uri) && parseLocalUrl(ctx, uri) === null).slice(0, MAX_RESOLVED)
  const { resolved, unreached } = await resolveAll(ctx, options.resolveMentions ? unknown : [])
  const ids = new Map([...known, ...resolved])
  const addressed = await findReaders(ctx, [...note.to, ...note.cc], visibility)
  return { mentionIds: [...new Set([...uris.flatMap((uri) => ids.get(uri) ?? []), ...addressed])], unreached }
}

/** The local accounts among the recipients of a post that is not for everyone. */
async function findReaders(ctx: Context, recipients: readonly string[], visibility: Visibility): Promise<string[]> {
  if (visibility !== 'private' && visibility !== 'direct') return []
  return [...(await findAccountsByAddress(ctx, localAddresses(ctx, recipients))).values()]
}

/**
 * The ids of accounts by URI. `unreached`: the actors that a later attempt may resolve, also those that are not resolved within
 * MAX_MS. Never call it in a transaction.
 */
export async function resolveAll(
  ctx: Context,
  uris: readonly string[],
): Promise<{ resolved: Map<string, string>; unreached: string[] }> {
  const resolved = new Map<string, string>()
  const unreached: string[] = []
  const queue = [...uris]
  const end = Date.now() + MAX_MS
  const worker = async (): Promise<void> => {
    while (Date.now() < end) {
      const uri = queue.shift()
      if (uri === undefined) return
      try {
        const account = await resolveActor(ctx, uri, { retried: true })
        if (account && account.suspended_at === null) resolved.set(uri, account.id)
      } catch (error) {
        if (!(error instanceof FetchError)) throw error
        unreached.push(uri)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, worker))
  return { resolved, unreached: [...unreached, ...queue] }
}
