import { FetchError } from '../../net/fetch-error.ts'
import { isSameHost } from '../../ap/normalise.ts'
import { parseObject, type Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { NotFound } from '../../lib/errors.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { resolveActor } from './resolve-account.ts'
import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { isDeleted, lockUri } from '../../domain/peers/tombstones.ts'
import { findIdByPage, findStatusByUri } from '../../domain/statuses/find.ts'
import { draftOfNote, type RemoteDraft } from './draft-of-note.ts'
import { reviseQuote } from '../../domain/statuses/quotes/quotes.ts'
import { lockStatus, markEdited, storeClaimedApproval } from '../../domain/statuses/remote.ts'
import { editStatus } from '../statuses/edit.ts'
import { publishStatus } from '../statuses/publish.ts'

export type FetchStatusOptions = {
  /** Whether feeds, notifications and streams hear of it. Not unless told: what is fetched is mostly old. */
  loud?: boolean
  /** Whether the posts it answers to are fetched as well, in the background. So unless told. */
  thread?: boolean
  /** Whether what it quotes is fetched as well, in the background. So unless told. */
  quotes?: boolean
  /** Whether accounts that it mentions and that are not known here are looked up. Only when a local user is waiting for it. */
  resolveMentions?: boolean
  /** The only author that counts, by uri. Others' posts are neither stored nor are their authors looked up. */
  by?: string
}

/**
 * The id of the post at this address: known here, or fetched from its server and stored. Null for what is no post, or cannot
 * be reached or trusted. Whether the viewer may read it is for the caller to check. Never call it in a transaction.
 */
export async function fetchRemoteStatus(
  ctx: Context,
  uri: string,
  options: FetchStatusOptions = {},
): Promise<string | null> {
  try {
    return await fetchStatus(ctx, uri, options)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.debug({ err: error, uri }, 'status.unreachable')
    return null
  }
}

/** As fetchRemoteStatus; throws FetchError when the server of the post cannot be asked. */
export async function fetchStatus(ctx: Context, uri: string, options: FetchStatusOptions = {}): Promise<string | null> {
  const known = (await findStatusByUri(ctx, uri))?.id ?? (await findIdByPage(ctx, uri))
  if (known || parseLocalUrl(ctx, uri)) return known
  const note = await fetchNote(ctx, uri)
  if (!note || (options.by !== undefined && note.attributedTo !== options.by)) return null
  const author = await resolveActor(ctx, note.attributedTo)
  if (!author || author.domain === null || author.suspended_at !== null) return null
  const { loud = false, quotes = true, resolveMentions = loud } = options
  const id = await receiveNote(ctx, note, author, { silent: !loud, quotes, resolveMentions })
  if (id && options.thread !== false && note.inReplyTo !== null)
    await ctx.enqueue('federation.thread', { statusId: id }, { key: id })
  return id
}

/** A post as its own server has it, by an author of that server; or null. Throws FetchError. */
export async function fetchNote(ctx: Context, uri: string): Promise<Note | null> {
  const { json } = await fetchDocument(ctx, uri)
  const note = parseObject(json)
  return note && isSameHost(note.id, note.attributedTo) ? note : null
}

/**
 * Stores a post by a remote author, of whom the caller knows that it is the author's; gives its id, also if it is here
 * already. Null when it was deleted meanwhile, or is somebody else's. Never call it in a transaction.
 */
export async function receiveNote(
  ctx: Context,
  note: Note,
  author: AccountRow,
  options: { silent?: boolean; quotes?: boolean; resolveMentions?: boolean } = {},
): Promise<string | null> {
  const known = await findStatusByUri(ctx, note.id)
  if (known) return known.account_id === author.id ? known.id : null
  if (await isDeleted(ctx, note.id)) return null
  const draft = await draftOfNote(ctx, note, author, options)
  return ctx.transaction(async (tx) => {
    await lockUri(tx, note.id)
    if (await isDeleted(tx, note.id)) return null
    const inserted = await publish(tx, draft, note, options.silent ?? false)
    if (!inserted.created) return inserted.id
    if (note.updated && note.published && note.updated > note.published) await markEdited(tx, inserted.id, note.updated)
    if (draft.remoteMedia?.length) await tx.enqueue('media.cache', { statusId: inserted.id })
    if (options.quotes !== false) await lookAtQuote(tx, inserted.id, draft)
    if (draft.approval && draft.approvalUri)
      await tx.enqueue('federation.approval', { statusId: inserted.id, silent: options.silent ?? false })
    return inserted.id
  })
}

/** What is quoted may have to be fetched, or the consent of its author. */
async function lookAtQuote(tx: Context, statusId: string, { quote }: RemoteDraft): Promise<void> {
  if (quote?.state === 'pending' && (quote.statusId === null || quote.approvalUri))
    await tx.enqueue('federation.quote', { statusId }, { key: statusId })
}

async function publish(
  tx: Context,
  draft: RemoteDraft,
  note: Note,
  silent: boolean,
): Promise<{ id: string; created: boolean }> {
  // Only what is still there can be held: a parent that was deleted since the draft was made is unknown again.
  const isGone = draft.inReplyToId && !(await lockStatus(tx, draft.inReplyToId))
  const settled = isGone ? { ...draft, inReplyToId: null, inReplyToUri: note.inReplyTo, approval: null } : draft
  return publishStatus(tx, settled, { silent })
}

/** Brings a known post up to what its author says of it now. Nothing happens when this is not newer than what is known. */
export async function reviseNote(
  ctx: Context,
  statusId: string,
  note: Note,
  author: AccountRow,
  editedAt: Date,
  options: { resolveMentions?: boolean } = {},
): Promise<void> {
  const draft = await draftOfNote(ctx, note, author, options)
  const { content, spoilerText, sensitive, language, mentionIds, tags, emojis, remoteMedia, poll, quotePolicy } = draft
  const interactionPolicy = draft.interactionPolicy ?? null
  const at = new Date(Math.min(editedAt.getTime(), Date.now()))
  await ctx
    .transaction(async (tx) => {
      await lockUri(tx, note.id)
      const changed = await editStatus(tx, statusId, {
        content,
        spoilerText,
        sensitive,
        language,
        mentionIds,
        tags,
        emojis,
        remoteMedia,
        poll: poll ?? null,
        quotePolicy: quotePolicy ?? 0,
        interactionPolicy,
        editedAt: at,
      })
      if (draft.approvalUri && (await storeClaimedApproval(tx, statusId, draft.approvalUri)))
        await tx.enqueue('federation.approval', { statusId, silent: false })
      if (await reviseQuote(tx, { id: statusId, accountId: author.id }, draft.quote ?? null)) {
        await lookAtQuote(tx, statusId, draft)
        tx.publish({ type: 'status.edited', id: statusId })
      }
      if (changed && remoteMedia?.length) await tx.enqueue('media.cache', { statusId })
    })
    .catch((error: unknown) => {
      // Deleted meanwhile.
      if (!(error instanceof NotFound)) throw error
    })
}
