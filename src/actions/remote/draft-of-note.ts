import { visibilityOf } from '../../ap/audience.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { remoteEmojis } from './save-actor.ts'
import { languageOf } from '../../domain/server/languages.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { findStatusByUri, type StatusRow } from '../../domain/statuses/find.ts'
import { permissionFor } from '../../domain/statuses/interaction-policy.ts'
import {
  contentOf,
  hashtagsOf,
  remoteInteractionPolicyOf,
  remoteMediaOf,
  remotePolicyOf,
  remotePollOf,
  remoteQuoteOf,
  spoilerOf,
} from '../../domain/statuses/remote-content.ts'
import { findRemoteMentions } from './resolve-mentions.ts'
import { findVisibleStatuses } from '../../domain/statuses/visibility.ts'

export type RemoteDraft = StatusDraft & { uri: string }

/** The draft of a remote post. May resolve mentioned accounts on other servers: never call it in a transaction. */
export async function draftOfNote(
  ctx: Context,
  note: Note,
  author: AccountRow,
  options: { resolveMentions?: boolean } = {},
): Promise<RemoteDraft> {
  const visibility = visibilityOf(note.to, note.cc, author.followers_url)
  const parent = note.inReplyTo === null ? null : await findParent(ctx, note.inReplyTo, author.id)
  const mayReply = parent === null || (await permissionFor(ctx, parent, author.id, 'reply')) === 'allowed'
  return {
    accountId: author.id,
    local: false,
    uri: note.id,
    url: note.url ?? note.id,
    content: contentOf(note),
    spoilerText: spoilerOf(note),
    visibility,
    sensitive: note.sensitive || author.sensitized_at !== null,
    language: languageOf(note.language),
    mentionIds: await findRemoteMentions(ctx, note, visibility, options),
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
    quotePolicy: remotePolicyOf(note, author, visibility),
    interactionPolicy: remoteInteractionPolicyOf(note, author),
    ...(note.published ? { createdAt: note.published } : {}),
  }
}

/**
 * The post answered to, if it is here. Of this server, the author must be able to read it: who only guessed its address does
 * not join its thread. Who may read a post of another server is not known here.
 */
async function findParent(ctx: Context, uri: string, authorId: string): Promise<StatusRow | null> {
  const parent = await findStatusByUri(ctx, uri)
  if (!parent || parent.reblog_of_id !== null) return null
  if (!parent.local) return parent
  const [readable] = await findVisibleStatuses(ctx, { accountId: authorId }, [parent.id])
  return readable ?? null
}
