import { LRUCache } from 'lru-cache'
import { type Context, perServer } from '../context.ts'
import {
  findLivePost,
  whichListsHave,
  whichListsShow,
  whoHasInHome,
  whoIsShown,
  whoMaySee,
} from '../domain/timelines/live.ts'
import { presentStatusForEach } from '../entities/status-presenter.ts'
import { deliveries, type Delivery, type EventSource } from './events.ts'
import type { Hub, Subscription, TopicKind } from './hub.ts'
import { anyPublic, publicSubscriptions } from './public-topics.ts'

/** Who was told of which recent post at home: fan-out to very many followers goes on after the first were told. */
const announcedTo = perServer(() => new LRUCache<string, Set<string>>({ max: 500 }))

/** A post or boost is new: it appears in the home feeds it was put into, and in public feeds. */
export const statusCreated: EventSource<'status.new'> = async (ctx, hub, { id, more }) => {
  const known = announcedTo(ctx).get(id) ?? new Set()
  announcedTo(ctx).set(id, known)
  const [holders, lists, everywhere] = await Promise.all([
    whoHasInHome(ctx, id, hub.keys('user'), { boosted: false }),
    more ? [] : inLists(ctx, hub, id, { boosted: false }),
    more ? [] : inPublic(ctx, hub, id),
  ])
  const untold = holders.filter((accountId) => !known.has(accountId))
  for (const accountId of untold) known.add(accountId)
  return present(ctx, 'update', id, [...atHome(hub, untold), ...lists, ...everywhere])
}

/**
 * A post was edited: wherever it may be shown, also within a boost. Accounts that it stopped mentioning have it on their
 * screens, too: they get the new version, or are told that it is gone where they may not see it any more.
 */
export const statusEdited: EventSource<'status.edited'> = async (ctx, hub, { id, unmentioned = [] }) => {
  const [holders, lists, everywhere] = await Promise.all([
    whoHasInHome(ctx, id, hub.keys('user'), { boosted: true }),
    inLists(ctx, hub, id, { boosted: true }),
    inPublic(ctx, hub, id),
  ])
  const allowed = await whoMaySee(ctx, id, unmentioned)
  const isHidden = ({ listener: { viewer } }: Subscription): boolean =>
    unmentioned.includes(viewer.accountId) && !allowed.has(viewer.accountId)
  const all = [...new Set([...atHome(hub, [...holders, ...unmentioned]), ...lists, ...everywhere])]
  const [hidden, shown] = [all.filter(isHidden), all.filter((one) => !isHidden(one))]
  const updates = await present(ctx, 'status.update', id, shown)
  return hidden.length === 0 ? updates : [...updates, { to: hidden, event: 'delete', payload: id }]
}

/** Where filters that hide on the server do so. */
const AT_HOME: ReadonlySet<TopicKind> = new Set(['user', 'list'])

async function present(ctx: Context, event: string, id: string, to: readonly Subscription[]): Promise<Delivery[]> {
  const accountIds = [...new Set(to.map(({ listener }) => listener.viewer.accountId))]
  const { presented, leftOut } = await presentStatusForEach(ctx, accountIds, id)
  const shown = to.filter(({ topic, listener }) => !AT_HOME.has(topic.kind) || !leftOut.has(listener.viewer.accountId))
  return deliveries(event, shown, presented)
}

const atHome = (hub: Hub, accountIds: readonly string[]): Subscription[] =>
  accountIds.flatMap((accountId) => hub.at('user', accountId))

async function inLists(ctx: Context, hub: Hub, id: string, options: { boosted: boolean }): Promise<Subscription[]> {
  const lists = await whichListsShow(ctx, id, hub.keys('list'), options)
  return lists.flatMap((list) => hub.at('list', list))
}

async function inPublic(ctx: Context, hub: Hub, id: string): Promise<Subscription[]> {
  const post = anyPublic(hub) ? await findLivePost(ctx, id) : null
  if (!post) return []
  const candidates = await publicSubscriptions(ctx, hub, post)
  const shown = await whoIsShown(ctx, post.accountId, [
    ...new Set(candidates.map(({ listener }) => listener.viewer.accountId)),
  ])
  return candidates.filter(({ listener }) => shown.has(listener.viewer.accountId))
}

/** Posts whose end public feeds were told of: of one that was in many home feeds, several messages come. */
const announcedDeletions = perServer(() => new LRUCache<string, true>({ max: 1000 }))

/** A post or boost is gone: from the home feeds and lists that had it, and from public feeds. The payload is the bare id. */
export const statusDeleted: EventSource<'status.deleted'> = async (ctx, hub, message) => {
  const { id, visibility, remainingIn } = message
  const home = remainingIn.flatMap((accountId) => hub.at('user', accountId))
  const isFirst = !announcedDeletions(ctx).has(id)
  announcedDeletions(ctx).set(id, true)
  const everywhere =
    visibility === 'public' && isFirst ? await publicSubscriptions(ctx, hub, { ...message, reply: false }) : []
  const lists = isFirst || visibility === 'direct' ? await inListsHaving(ctx, hub, message) : []
  return [{ to: [...home, ...lists, ...everywhere], event: 'delete', payload: id }]
}

/** Of direct posts nobody hears who was not mentioned. */
async function inListsHaving(
  ctx: Context,
  hub: Hub,
  { accountId, visibility, remainingIn }: { accountId: string; visibility: string; remainingIn: readonly string[] },
): Promise<Subscription[]> {
  const lists = await whichListsHave(ctx, accountId, hub.keys('list'))
  const knowing = lists.filter(({ owner_id }) => visibility !== 'direct' || remainingIn.includes(owner_id))
  return knowing.flatMap(({ id }) => hub.at('list', id))
}
