import { asObject, typesOf, urlOf } from './normalise.ts'

/** FEP-044f for quotes, GoToSocial's interaction controls for the others. */
export type AuthorizedKind = 'like' | 'reply' | 'announce' | 'quote'

const STEMS: Record<AuthorizedKind, string> = { like: 'Like', reply: 'Reply', announce: 'Announce', quote: 'Quote' }

export const requestType = (kind: AuthorizedKind): string => `${STEMS[kind]}Request`
export const authorizationType = (kind: AuthorizedKind): string => `${STEMS[kind]}Authorization`
export const authorizationProperty = (kind: AuthorizedKind): string => `${kind}Authorization`

export type Authorization = {
  id: string
  attributedTo: string
  interactingObject: string
  /** Null for the Accept activities that GoToSocial up to 0.17 uses as proof. */
  interactionTarget: string | null
}

/**
 * GoToSocial up to 0.19 calls an authorization an approval, and up to 0.17 uses the Accept of the interaction. Returns null when
 * a property is missing. Does not verify who made it.
 */
export function parseAuthorization(json: unknown, kind: AuthorizedKind): Authorization | null {
  const document = asObject(json)
  if (document === null) return null
  const types = typesOf(document)
  const isAccept = kind !== 'quote' && types.includes('Accept')
  const isApproval =
    types.includes(authorizationType(kind)) || (kind !== 'quote' && types.includes(`${STEMS[kind]}Approval`))
  if (!isAccept && !isApproval) return null
  const [id, attributedTo] = [urlOf(document), urlOf(document[isAccept ? 'actor' : 'attributedTo'])]
  const interactingObject = urlOf(document[isAccept ? 'object' : 'interactingObject'])
  const interactionTarget = urlOf(document[isAccept ? 'target' : 'interactionTarget'])
  if (id === null || attributedTo === null || interactingObject === null) return null
  if (interactionTarget === null && !isAccept) return null
  return { id, attributedTo, interactingObject, interactionTarget }
}
