import type { Context } from '../../context.ts'
import { lockUnlessDeleted } from '../../domain/peers/tombstones.ts'
import {
  approveFavourite,
  approveReplyOrReblog,
  findInteraction,
  findParentOfReply,
  findPendingReplies,
  type ApprovableInteraction,
} from '../../domain/statuses/approvals.ts'
import { permissionFor } from '../../domain/statuses/interaction-policy.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { federate } from '../federate.ts'
import { isAuthorized } from '../remote/authorizations.ts'
import { deleteStatuses, withdrawReply } from './delete.ts'
import { unfavourite } from './interactions.ts'
import { spreadStatus } from './publish.ts'
import { spreadReblog } from './reblog.ts'

/**
 * Approves an interaction for the author of its target: it is counted and shown as it would have been without a policy.
 * `approvalUri` is the authorization; null when none is needed. When it was withdrawn before it arrived, the interaction is
 * rejected. `silent`: without notifications, feeds and streams, for old interactions. May run twice.
 */
export async function approveInteraction(
  ctx: Context,
  interaction: ApprovableInteraction,
  approvalUri: string | null,
  { silent = false }: { silent?: boolean } = {},
): Promise<void> {
  const { kind, id, accountId, targetId, local } = interaction
  await ctx.transaction(async (tx) => {
    if (approvalUri !== null && !(await lockUnlessDeleted(tx, approvalUri)))
      return rejectInteraction(tx, interaction, 'revoked')
    if (kind === 'like') {
      const approved = await approveFavourite(tx, interaction, approvalUri)
      if (approved && local) await federate(tx, { activity: 'like', accountId, statusId: targetId, favouriteId: id })
      return
    }
    const approved = await approveReplyOrReblog(tx, interaction, approvalUri)
    if (!approved) return
    const replyIds = await findPendingReplies(tx, id)
    if (replyIds.length > 0)
      await tx.enqueueMany(
        'federation.approval',
        replyIds.map((statusId) => ({ statusId, silent })),
      )
    if (silent) return
    if (kind === 'announce') return spreadReblog(tx, accountId, interaction)
    const { visibility, mentioned: mentionIds, quotes } = approved
    await spreadStatus(tx, id, { accountId, local, visibility, mentionIds, inReplyToId: targetId, quotes })
  })
}

/**
 * Rejects an interaction for the author of its target, or revokes the approval. Deletes favourites, reblogs and remote replies. A
 * local reply stays visible to its author, who may need the text.
 */
export async function rejectInteraction(
  ctx: Context,
  { kind, id, accountId, targetId, local }: ApprovableInteraction,
  state: 'rejected' | 'revoked',
): Promise<void> {
  if (kind === 'like') await unfavourite(ctx, accountId, targetId)
  else if (kind === 'announce' || !local) await deleteStatuses(ctx, [id], { authorId: accountId })
  else await withdrawReply(ctx, id, state)
}

/** Job `federation.approval`: approves a pending remote reply once its parent's author allows it or has authorized it. */
export async function checkApproval(ctx: Context, { statusId, silent }: JobData['federation.approval']): Promise<void> {
  const interaction = await findInteraction(ctx, 'reply', statusId)
  if (interaction?.approval !== 'pending' || interaction.local) return
  const parent = await findParentOfReply(ctx, statusId)
  if (!parent || parent.approval !== null) return
  const isApproved =
    (await permissionFor(ctx, parent, interaction.accountId, 'reply')) === 'allowed' ||
    (parent.claimed_uri !== null &&
      (await isAuthorized(ctx, {
        kind: 'reply',
        uri: parent.claimed_uri,
        authorUri: parent.author_uri,
        interactingObject: parent.reply_uri,
        interactionTarget: parent.uri,
      })))
  if (isApproved) await approveInteraction(ctx, interaction, parent.claimed_uri, { silent })
}
