import type { Context } from '../../../context.ts'
import type { StoreOptions } from '../../../domain/peers/activities.ts'
import type { FederatedAct } from '../../../jobs/distribution.ts'
import type { DeliveryRecipients } from '../recipients.ts'

export type OutgoingActivity = StoreOptions & {
  /** The account whose key signs it; null for the instance actor. */
  accountId: string | null
  activity: Record<string, unknown>
  to: DeliveryRecipients
  withdrawn?: Withdrawal
}

/** A Delete for the servers that may no longer have the object, unless they receive the activity too. */
export type Withdrawal = { activity: Record<string, unknown>; to: DeliveryRecipients }

export type ActKind = FederatedAct['activity']

export type ActOf<Kind extends ActKind, Act = FederatedAct> = Act extends { activity: infer Kinds }
  ? Kind extends Kinds
    ? Act
    : never
  : never

/**
 * Renders an act from the current rows. Returns null when there is nothing to send: its subject is gone, or the act was undone.
 * `jobId` is the same when the job runs again, so ids are derived from it where no row gives one.
 */
export type Prepare<Kind extends ActKind> = (
  ctx: Context,
  act: ActOf<Kind>,
  jobId: string,
) => Promise<OutgoingActivity | null>
