import { LRUCache } from 'lru-cache'
import { perServer, type Context } from '../../context.ts'
import { whichListsHave } from '../../domain/timelines/live.ts'
import type { Hub, Subscription } from '../hub.ts'
import { publicSubscriptions } from '../public-topics.ts'
import type { EventSource } from './event.ts'

/** Posts whose end public feeds were told of: of one that was in many home feeds, several messages come. */
const told = perServer(() => new LRUCache<string, true>({ max: 1000 }))

/** A post or boost is gone: from the home feeds and lists that had it, and from public feeds. The payload is the bare id. */
export const statusDeleted: EventSource<'status.deleted'> = async (ctx, hub, message) => {
  const { id, visibility, remainingIn } = message
  const home = remainingIn.flatMap((accountId) => hub.at('user', accountId))
  const isFirst = !told(ctx).has(id)
  told(ctx).set(id, true)
  const everywhere =
    visibility === 'public' && isFirst ? await publicSubscriptions(ctx, hub, { ...message, reply: false }) : []
  const lists = isFirst || visibility === 'direct' ? await inLists(ctx, hub, message) : []
  return [{ to: [...home, ...lists, ...everywhere], event: 'delete', payload: id }]
}

/** Of direct posts nobody hears who was not mentioned. */
async function inLists(
  ctx: Context,
  hub: Hub,
  { accountId, visibility, remainingIn }: { accountId: string; visibility: string; remainingIn: readonly string[] },
): Promise<Subscription[]> {
  const lists = await whichListsHave(ctx, accountId, hub.keys('list'))
  const knowing = lists.filter(({ owner_id }) => visibility !== 'direct' || remainingIn.includes(owner_id))
  return knowing.flatMap(({ id }) => hub.at('list', id))
}
