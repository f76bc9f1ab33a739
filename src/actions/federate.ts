import type { Context } from '../context.ts'
import type { FederatedAct } from '../jobs/distribution.ts'

/**
 * Enqueues acts for other servers, in the transaction of `ctx`. The job renders the activity from the current rows, finds its
 * recipients and delivers it: see federation/outgoing/distribute.ts. It skips an act that was undone before it runs.
 */
export async function federate(ctx: Context, acts: FederatedAct | readonly FederatedAct[]): Promise<void> {
  if ('activity' in acts) await ctx.enqueue('federation.distribute', acts)
  else await ctx.enqueueMany('federation.distribute', [...acts])
}
