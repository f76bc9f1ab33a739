import { asObject, typesOf, urlOf } from './normalise.ts'

/** FEP-044f for quotes, FEP-7aa9 for accounts in collections, GoToSocial's interaction controls for the others. */
export type AuthorizedKind = 'like' | 'reply' | 'announce' | 'quote' | 'feature'

const STEMS: Record<AuthorizedKind, string> = {
  like: 'Like',
  reply: 'Reply',
  announce: 'Announce',
  quote: 'Quote',
  feature: 'Feature',
}

/** GoToSocial up to 0.19 calls their authorizations approvals, and up to 0.17 uses the Accept of the interaction. */
const hasEarlierForms = (kind: AuthorizedKind): boolean => kind !== 'quote' && kind !== 'feature'

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
 * Returns null when a property is missing. Does not verify who made it. The authorization of an account in a collection is by
 * that account, so that it may leave out `attributedTo`.
 */
export function parseAuthorization(json: unknown, kind: AuthorizedKind): Authorization | null {
  const document = asObject(json)
  if (document === null) return null
  const types = typesOf(document)
  const isAccept = hasEarlierForms(kind) && types.includes('Accept')
  const isApproval =
    types.includes(authorizationType(kind)) || (hasEarlierForms(kind) && types.includes(`${STEMS[kind]}Approval`))
  if (!isAccept && !isApproval) return null
  const id = urlOf(document)
  const interactingObject = urlOf(document[isAccept ? 'object' : 'interactingObject'])
  const interactionTarget = urlOf(document[isAccept ? 'target' : 'interactionTarget'])
  const author = urlOf(document[isAccept ? 'actor' : 'attributedTo'])
  const attributedTo = kind === 'feature' ? (author ?? interactionTarget) : author
  if (id === null || attributedTo === null || interactingObject === null) return null
  if (interactionTarget === null && !isAccept) return null
  return { id, attributedTo, interactingObject, interactionTarget }
}
