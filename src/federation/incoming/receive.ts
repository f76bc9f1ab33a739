import { parseActivity } from '../../ap/activity.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { WebfingerError } from '../../ap/webfinger.ts'
import type { Context } from '../../context.ts'
import { findByUri, refreshIfStale } from '../../actions/remote/resolve-account.ts'
import { findIncoming, finishIncoming } from '../../domain/peers/inbox.ts'
import { isTemporary } from '../../domain/media/download.ts'
import { AppError } from '../../lib/errors.ts'
import { activities } from './activities/table.ts'
import { findForwarding, forward } from './forward.ts'

/**
 * Job `federation.receive`: does what an activity says. Throws when another try later may go better; whatever else is wrong
 * with it is its sender's fault, and it is dropped.
 */
export async function receiveActivity(ctx: Context, { id }: { id: string }): Promise<void> {
  const row = await findIncoming(ctx, id)
  if (!row) return
  const json: unknown = JSON.parse(row.body)
  const activity = parseActivity(json)
  const signer = await findByUri(ctx, row.actor_uri)
  const handle = activity && activities[activity.type]
  if (signer && signer.domain !== null && signer.suspended_at === null && handle) {
    try {
      const incoming = { activity, actor: signer, forwarded: activity.actor !== row.actor_uri }
      // Whom it concerns can be told before a post goes, and after it came.
      const before = await findForwarding(ctx, incoming, json)
      await handle(ctx, incoming)
      const forwarding = before ?? (await findForwarding(ctx, incoming, json))
      if (forwarding) await forward(ctx, forwarding)
    } catch (error) {
      if (!isFinal(error)) throw error
      ctx.log.debug({ err: error, activity: activity.id, type: activity.type }, 'an activity was dropped')
    }
    await refreshIfStale(ctx, signer)
  } else {
    ctx.log.debug({ type: activity?.type, actor: row.actor_uri }, 'an activity means nothing here')
  }
  await finishIncoming(ctx, id)
}

function isFinal(error: unknown): boolean {
  if (error instanceof AppError) return error.status < 500
  return error instanceof WebfingerError || (error instanceof FetchError && !isTemporary(error))
}
