import { hiddenRecipientsOf, recipientsOf } from './audience.ts'
import { requestType } from './authorization.ts'
import { asArray, asObject, dateOf, idOf, MAX_TEXT_LENGTH, textOf, typesOf, urlOf } from './normalise.ts'
import type { Json } from './normalise.ts'

export type Activity = {
  /** Null for the transient activities that some servers send. */
  id: string | null
  type: string
  actor: string
  /** The first of several, as sent: an id, or an object whose claims are not verified. */
  object: string | Json | null
  objectId: string | null
  objectTypes: string[]
  /** All of them: a Flag names an account and its posts, and GoToSocial sends the votes for several options in one Create. */
  objects: (string | Json)[]
  target: string | null
  /** The interaction that a QuoteRequest, ReplyRequest, LikeRequest or AnnounceRequest is about. */
  instrument: string | Json | null
  instrumentId: string | null
  /** An approval that an Accept carries (FEP-044f). */
  result: string | null
  /** The URI of the approval that a Like or an Announce has. */
  authorization: string | null
  /** The comment of a Flag, which Lemmy sends as `summary`; the emoji of a reaction. */
  content: string | null
  to: string[]
  cc: string[]
  hiddenRecipients: string[]
  published: Date | null
}

/**
 * Returns null if the type or the actor is missing. Does not verify who sent it. `signer`: the actor of a FeatureRequest, in
 * which Mastodon names none.
 */
export function parseActivity(json: unknown, signer: string | null = null): Activity | null {
  const activity = asObject(json)
  const type = activity === null ? undefined : typesOf(activity)[0]
  const isBySigner = type === requestType('feature') && activity?.['actor'] === undefined
  const actor = isBySigner ? signer : urlOf(activity?.['actor'])
  if (activity === null || type === undefined || actor === null) return null
  const objects = valuesOf(activity['object'])
  const [instrument = null] = valuesOf(activity['instrument'])
  return {
    id: urlOf(activity),
    type,
    actor,
    ...describe(objects[0] ?? null),
    objects,
    target: urlOf(activity['target']),
    instrument,
    instrumentId: urlOf(instrument),
    result: urlOf(activity['result']),
    authorization:
      urlOf(activity['likeAuthorization']) ?? urlOf(activity['announceAuthorization']) ?? urlOf(activity['approvedBy']),
    content: textOf(activity['content'], MAX_TEXT_LENGTH) || textOf(activity['summary'], MAX_TEXT_LENGTH),
    to: recipientsOf(activity['to']),
    cc: recipientsOf(activity['cc']),
    hiddenRecipients: hiddenRecipientsOf(activity),
    published: dateOf(activity['published']),
  }
}

/** The id of the object of a Create, null for other documents. */
export function createdIn(json: unknown): string | null {
  const activity = parseActivity(json)
  return activity?.type === 'Create' ? activity.objectId : null
}

/** The activity as if it had only this one of its objects. */
export const withObject = (activity: Activity, object: string | Json): Activity => ({
  ...activity,
  ...describe(object),
  objects: [object],
})

function describe(object: string | Json | null): Pick<Activity, 'object' | 'objectId' | 'objectTypes'> {
  return { object, objectId: urlOf(object), objectTypes: typesOf(asObject(object) ?? {}) }
}

function valuesOf(value: unknown): (string | Json)[] {
  const values = asArray(value).map((each) => (typeof each === 'string' ? idOf(each) : asObject(each)))
  return values.filter((each) => each !== null)
}
