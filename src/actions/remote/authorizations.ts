import { parseAuthorization, type AuthorizedKind } from '../../ap/authorization.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { isDeleted } from '../../domain/peers/tombstones.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'

export type ClaimedAuthorization = {
  kind: AuthorizedKind
  uri: string
  /** The author of the target, who must have issued it. */
  authorUri: string | null
  /** The quote, reply, Like or Announce. */
  interactingObject: string
  /** The status that is quoted, answered, favourited or boosted. */
  interactionTarget: string | null
}

/**
 * Whether the author of a status authorized an interaction with it: the authorization must be on the author's own host and name
 * both objects. Sends a request, so never call it in a transaction. Throws FetchError when a retry may succeed.
 */
export async function isAuthorized(
  ctx: Context,
  { kind, uri, authorUri, interactingObject, interactionTarget }: ClaimedAuthorization,
): Promise<boolean> {
  if (authorUri === null || interactionTarget === null || !isSameHost(uri, authorUri) || (await isDeleted(ctx, uri)))
    return false
  try {
    const found = parseAuthorization((await fetchDocument(ctx, uri)).json, kind)
    return (
      found !== null &&
      found.id === uri &&
      found.attributedTo === authorUri &&
      found.interactingObject === interactingObject &&
      (found.interactionTarget ?? interactionTarget) === interactionTarget
    )
  } catch (error) {
    if (!(error instanceof FetchError) || isTemporary(error)) throw error
    return false
  }
}
