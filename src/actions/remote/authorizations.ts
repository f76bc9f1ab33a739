import { parseAuthorization, type AuthorizedKind } from '../../ap/authorization.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { isDeleted } from '../../domain/peers/tombstones.ts'
import { isTemporary } from '../../domain/media/files.ts'

export type ClaimedAuthorization = {
  kind: AuthorizedKind
  /** Where it is said to be. */
  uri: string
  /** The author of the target, who must have issued it. */
  authorUri: string | null
  /** The quote, reply, Like or Announce. */
  interactingObject: string
  /** The post that it is about. */
  interactionTarget: string | null
}

/**
 * Whether the author of a post authorized an interaction with it: the authorization is on the author's own host, and names both.
 * Asks that host, so never call it in a transaction. Throws FetchError where another try may go better.
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
