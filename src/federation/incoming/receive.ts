import { parseActivity } from '../../ap/activity.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { WebfingerError } from '../../domain/peers/webfinger.ts'
import type { Context } from '../../context.ts'
import { refreshIfStale } from '../../actions/remote/resolve-account.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { findIncoming, finishIncoming } from '../../domain/peers/activities.ts'
import { metersOf } from '../../domain/server/meters.ts'
import { isTemporary } from '../../domain/media/files.ts'
import { AppError } from '../../lib/errors.ts'
import type { Handler } from './activities/incoming.ts'
import { incomingActivities } from './activities/table.ts'
import { findForwarding, forward } from './forward.ts'

/** Job `federation.receive`. Throws when a retry may succeed, and drops an invalid activity. */
export async function receiveActivity(ctx: Context, { id }: { id: string }): Promise<void> {
  const row = await findIncoming(ctx, id)
  if (!row) return
  const json: unknown = JSON.parse(row.body)
  const activity = parseActivity(json)
  const signer = await findByUri(ctx, row.actor_uri)
  const handle = activity && handlerOf(activity.type)
  let outcome: 'processed' | 'ignored' | 'failed' = 'processed'
  if (signer && signer.domain !== null && signer.suspended_at === null && handle) {
    try {
      const incoming = { activity, actor: signer, forwarded: activity.actor !== row.actor_uri }
      // A Delete removes the rows that name the recipients, and a Create inserts them.
      const before = await findForwarding(ctx, incoming, json)
      await handle(ctx, incoming)
      const forwarding = before ?? (await findForwarding(ctx, incoming, json))
      if (forwarding) await forward(ctx, forwarding)
    } catch (error) {
      if (!isFinal(error)) throw error
      ctx.log.debug({ err: error, activity: activity.id, type: activity.type }, 'activity.dropped')
      outcome = 'failed'
    }
    await refreshIfStale(ctx, signer)
  } else {
    outcome = 'ignored'
    ctx.log.debug({ type: activity?.type, actor: row.actor_uri }, 'activity.ignored')
  }
  metersOf(ctx)?.received(handle ? activity.type : 'other', outcome)
  await finishIncoming(ctx, id)
}

// The type comes from another server: it may be `constructor`.
const handlerOf = (type: string): Handler | undefined =>
  Object.hasOwn(incomingActivities, type) ? incomingActivities[type] : undefined

function isFinal(error: unknown): boolean {
  if (error instanceof AppError) return error.status < 500
  return error instanceof WebfingerError || (error instanceof FetchError && !isTemporary(error))
}
