import type { Context } from '../context.ts'
import type { FederatedAct } from '../jobs/distribution.ts'

/**
 * Tells other servers of acts, in the transaction of `ctx`. A job then renders the activity from the rows as they are by then,
 * finds its recipients and delivers it: see federation/outgoing/distribute.ts. An act that was undone meanwhile is not sent.
 */
export async function federate(ctx: Context, acts: FederatedAct | readonly FederatedAct[]): Promise<void> {
  if ('activity' in acts) await ctx.enqueue('federation.distribute', acts)
  else await ctx.enqueueMany('federation.distribute', [...acts])
}
