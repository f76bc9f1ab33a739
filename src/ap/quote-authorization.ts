import { asObject, typesOf, urlOf } from './normalise.ts'

/** A stamp (FEP-044f): the author of a post agrees to another post that quotes it. */
export type QuoteAuthorization = {
  id: string
  attributedTo: string
  /** The post that quotes. */
  interactingObject: string
  /** The quoted post. */
  interactionTarget: string
}

/** A stamp; null when it is none or lacks something. Says nothing about who made it. */
export function parseQuoteAuthorization(json: unknown): QuoteAuthorization | null {
  const stamp = asObject(json)
  if (stamp === null || !typesOf(stamp).includes('QuoteAuthorization')) return null
  const [id, attributedTo] = [urlOf(stamp), urlOf(stamp['attributedTo'])]
  const [interactingObject, interactionTarget] = [urlOf(stamp['interactingObject']), urlOf(stamp['interactionTarget'])]
  if (id === null || attributedTo === null || interactingObject === null || interactionTarget === null) return null
  return { id, attributedTo, interactingObject, interactionTarget }
}
