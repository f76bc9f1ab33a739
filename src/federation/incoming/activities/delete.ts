import { asObject, isSameHost, typesOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { fetchDocument, isMissing } from '../../../domain/accounts/documents.ts'
import { endInteraction, findByApproval } from '../../../actions/statuses/approvals.ts'
import { deleteStatuses } from '../../../actions/statuses/delete.ts'
import { lockUri, rememberUnseenDeleted } from '../../../domain/peers/tombstones.ts'
import { endQuote, findQuoteByApproval } from '../../../actions/statuses/quote.ts'
import { purgeRemoteAccount } from '../../../actions/accounts/delete.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import type { Handler } from './incoming.ts'

/** A remote account deleted a status, a boost, the authorization of an interaction, or itself. */
export const receiveDelete: Handler = async (ctx, { activity, actor, forwarded }) => {
  const uri = activity.objectId
  if (uri === null) return
  if (forwarded) return removeIfGone(ctx, uri)
  if (uri === actor.uri) return purgeRemoteAccount(ctx, actor.id)
  if (!isSameHost(uri, actor.uri ?? '')) return
  const quoteId = await findQuoteByApproval(ctx, uri, actor.id)
  if (quoteId !== null) await endQuote(ctx, quoteId, 'revoked')
  const interaction = await findByApproval(ctx, uri, actor.id)
  if (interaction) await endInteraction(ctx, interaction, 'revoked')
  await ctx.transaction(async (tx) => {
    await lockUri(tx, uri)
    const known = await findStatusByUri(tx, uri)
    if (known) await deleteStatuses(tx, [known.id], { by: actor.id })
    else await rememberUnseenDeleted(tx, uri)
  })
}

/** Deletes a remote status that its own server no longer has, after another server reported the deletion. */
export async function removeIfGone(ctx: Context, uri: string): Promise<void> {
  const known = await findStatusByUri(ctx, uri)
  if (!known || known.domain === null) return
  if (await isThere(ctx, uri)) return
  await deleteStatuses(ctx, [known.id], { by: known.account_id })
}

async function isThere(ctx: Context, uri: string): Promise<boolean> {
  try {
    const document = asObject((await fetchDocument(ctx, uri)).json)
    return document === null || !typesOf(document).includes('Tombstone')
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}
