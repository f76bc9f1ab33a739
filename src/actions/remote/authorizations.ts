import { parseAuthorization, type AuthorizedKind } from '../../ap/authorization.ts'
import { isSameHost } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { fetchDocument } from '../../domain/accounts/documents.ts'
import { isDeleted } from '../../domain/peers/tombstones.ts'
import { FetchError, isMissing, isTemporary } from '../../net/fetch-error.ts'

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

/** `gone`: the author's server does not have it, or not any more. */
type AuthorizationState = 'valid' | 'invalid' | 'gone'

/**
 * Whether the author of a status authorized an interaction with it: the authorization must be on the author's own host and name
 * both objects. Sends a request, so never call it in a transaction. Throws FetchError when a retry may succeed.
 */
export async function checkAuthorization(
  ctx: Context,
  { kind, uri, authorUri, interactingObject, interactionTarget }: ClaimedAuthorization,
): Promise<AuthorizationState> {
  if (authorUri === null || interactionTarget === null || !isSameHost(uri, authorUri)) return 'invalid'
  if (await isDeleted(ctx, uri)) return 'gone'
  try {
    const found = parseAuthorization((await fetchDocument(ctx, uri)).json, kind)
    const isValid =
      found !== null &&
      found.id === uri &&
      found.attributedTo === authorUri &&
      found.interactingObject === interactingObject &&
      (found.interactionTarget ?? interactionTarget) === interactionTarget
    return isValid ? 'valid' : 'invalid'
  } catch (error) {
    if (isMissing(error)) return 'gone'
    if (!(error instanceof FetchError) || isTemporary(error)) throw error
    return 'invalid'
  }
}

/** As checkAuthorization. */
export const isAuthorized = async (ctx: Context, claim: ClaimedAuthorization): Promise<boolean> =>
  (await checkAuthorization(ctx, claim)) === 'valid'
