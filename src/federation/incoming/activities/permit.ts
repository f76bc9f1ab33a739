import type { StatusRow } from '../../../domain/statuses/find.ts'
import type { Context } from '../../../context.ts'
import { findAccountUri } from '../../accounts.ts'
import { isAuthorized } from '../../../actions/remote/authorizations.ts'
import { permissionFor } from '../../../domain/statuses/interaction-policy.ts'
import type { InteractionKind } from '../../../domain/statuses/draft.ts'
import type { Incoming } from './incoming.ts'

/**
 * Whether a remote favourite or boost of a remote post counts: the policy of the author permits it, or it carries an authorization
 * that the author's server confirms. Null when it does not. Never call it in a transaction.
 */
export async function permitFor(
  ctx: Context,
  { activity, actor }: Incoming,
  target: StatusRow,
  kind: InteractionKind,
): Promise<{ approvalUri?: string } | null> {
  if ((await permissionFor(ctx, target, actor.id, kind)) === 'allowed') return {}
  const { id, authorization } = activity
  if (id === null || authorization === null) return null
  const authorUri = await findAccountUri(ctx, target.account_id)
  const claim = { kind, uri: authorization, authorUri, interactingObject: id, interactionTarget: target.uri }
  return (await isAuthorized(ctx, claim)) ? { approvalUri: authorization } : null
}
