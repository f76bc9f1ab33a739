import { idsOf, type Json } from './normalise.ts'

export const publicCollection = 'https://www.w3.org/ns/activitystreams#Public'
const spellings = new Set([publicCollection, 'as:Public', 'Public'])
const MAX_RECIPIENTS = 1000

export function isPublic(recipient: string): boolean {
  return spellings.has(recipient)
}

/** Without duplicates, and with the public collection in its full spelling. */
export function recipientsOf(value: unknown): string[] {
  const ids = idsOf(value, MAX_RECIPIENTS).map((id) => (isPublic(id) ? publicCollection : id))
  return [...new Set(ids)]
}

/** The recipients in `bto` and `bcc`, which no other recipient may see. Most servers remove them before delivery. */
export const hiddenRecipientsOf = (object: Json): string[] => recipientsOf([object['bto'], object['bcc']].flat())

type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

export function visibilityOf(to: readonly string[], cc: readonly string[], followersUri: string | null): Visibility {
  if (to.some(isPublic)) return 'public'
  if (cc.some(isPublic)) return 'unlisted'
  if (followersUri !== null && (to.includes(followersUri) || cc.includes(followersUri))) return 'private'
  return 'direct'
}

/** The visibility of a reblog, which is never direct. */
export function reblogVisibilityOf(...audience: Parameters<typeof visibilityOf>): Exclude<Visibility, 'direct'> {
  const visibility = visibilityOf(...audience)
  return visibility === 'direct' ? 'private' : visibility
}
