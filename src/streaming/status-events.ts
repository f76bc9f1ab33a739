import pLimit from 'p-limit'
import { type Context, perServer } from '../context.ts'
import { covers } from '../domain/auth/scopes.ts'
import { may } from '../domain/auth/viewer.ts'
import { type Access, getSettings } from '../domain/server/settings.ts'
import { isRepeat } from '../domain/timelines/list.ts'
import {
  findLivePost,
  findListsContaining,
  findListsShowing,
  findAccountsWithInHome,
  findAccountsNotHiding,
  findAccountsSeeing,
} from '../domain/timelines/live.ts'
import { findEarlyRecipients } from '../domain/timelines/running-fan-outs.ts'
import { presentStatusForEach } from '../entities/status-presenter.ts'
import { lruCache } from '../lib/lru-cache.ts'
import { type EventBuilder, eventsForEach, type StreamEvent } from './events.ts'
import type { Hub, Listener, Subscription, TopicKind } from './hub.ts'

/**
 * The accounts to which recent statuses were streamed at home, by the id of the status. A fan-out to very many followers
 * publishes several messages about one status.
 */
const recentRecipients = perServer(() => lruCache<string, Set<string>>({ max: 500 }))

/** Goes to the home feeds and lists that contain the status, and to public feeds. */
export const statusCreated: EventBuilder<'status.new'> = async (ctx, hub, { id, more }) => {
  const recipients = recentRecipients(ctx).get(id) ?? new Set()
  recentRecipients(ctx).set(id, recipients)
  const [holders, early, lists, publicFeeds] = await Promise.all([
    findAccountsWithInHome(ctx, id, hub.keys('user'), { boosted: false }),
    more ? findEarlyRecipients(ctx, id, hub.keys('user')) : [],
    more ? [] : inListsAsNew(ctx, hub, id),
    more ? [] : inPublic(ctx, hub, id),
  ])
  const added = [...new Set([...holders, ...early])].filter((accountId) => !recipients.has(accountId))
  for (const accountId of added) recipients.add(accountId)
  return present(ctx, 'update', id, [...atHome(hub, added), ...lists, ...publicFeeds])
}

/**
 * An edited status goes to all feeds that may show it, also within a boost. Accounts that it no longer mentions receive the new
 * version, or a deletion when they may not see it any more.
 */
export const statusEdited: EventBuilder<'status.edited'> = async (ctx, hub, { id, unmentioned = [] }) => {
  const [holders, early, lists, publicFeeds] = await Promise.all([
    findAccountsWithInHome(ctx, id, hub.keys('user'), { boosted: true }),
    findEarlyRecipients(ctx, id, hub.keys('user')),
    findListsShowing(ctx, id, hub.keys('list'), { boosted: true }),
    inPublic(ctx, hub, id),
  ])
  const allowed = await findAccountsSeeing(ctx, id, unmentioned)
  const isHidden = ({ listener: { viewer } }: Subscription): boolean =>
    unmentioned.includes(viewer.accountId) && !allowed.has(viewer.accountId)
  const inLists = lists.flatMap((list) => hub.at('list', list.id))
  const all = [...new Set([...atHome(hub, [...holders, ...early, ...unmentioned]), ...inLists, ...publicFeeds])]
  const [hidden, shown] = [all.filter(isHidden), all.filter((one) => !isHidden(one))]
  const updates = await present(ctx, 'status.update', id, shown)
  return hidden.length === 0 ? updates : [...updates, { to: hidden, event: 'delete', payload: id }]
}

const CONCURRENT_LISTS = 4

/** Topics from which irreversible filters remove statuses. */
const FILTERED_TOPICS: ReadonlySet<TopicKind> = new Set(['user', 'list'])

async function present(ctx: Context, event: string, id: string, to: readonly Subscription[]): Promise<StreamEvent[]> {
  const accountIds = [...new Set(to.map(({ listener }) => listener.viewer.accountId))]
  const { presented, leftOut } = await presentStatusForEach(ctx, accountIds, id)
  const shown = to.filter(
    ({ topic, listener }) => !FILTERED_TOPICS.has(topic.kind) || !leftOut.has(listener.viewer.accountId),
  )
  return eventsForEach(event, shown, presented)
}

const atHome = (hub: Hub, accountIds: readonly string[]): Subscription[] =>
  accountIds.flatMap((accountId) => hub.at('user', accountId))

/** Leaves out lists in which the status, a boost, repeats one of the entries before it. */
async function inListsAsNew(ctx: Context, hub: Hub, id: string): Promise<Subscription[]> {
  const lists = await findListsShowing(ctx, id, hub.keys('list'), { boosted: false })
  const limit = pLimit(CONCURRENT_LISTS)
  const repeated = await limit.map(lists, async (list) => list.may_repeat && (await isRepeat(ctx, list, id)))
  return lists.filter((_list, i) => !repeated[i]).flatMap((list) => hub.at('list', list.id))
}

async function inPublic(ctx: Context, hub: Hub, id: string): Promise<Subscription[]> {
  const post = hasPublicSubscriptions(hub) ? await findLivePost(ctx, id) : null
  if (!post) return []
  const candidates = await publicSubscriptions(ctx, hub, post)
  const shown = await findAccountsNotHiding(ctx, id, [
    ...new Set(candidates.map(({ listener }) => listener.viewer.accountId)),
  ])
  // Languages are chosen for the public timelines, not for hashtags.
  return candidates.filter(({ topic, listener }) => {
    const account = shown.get(listener.viewer.accountId)
    return account !== undefined && (account.reads || topic.kind === 'hashtag')
  })
}

/** Statuses whose deletion went to public feeds: one that was in many home feeds causes several messages. */
const recentDeletions = perServer(() => lruCache<string, true>({ max: 1000 }))

/**
 * A deletion goes to the home feeds, lists and public feeds that had the status. The payload is its id. Accounts to which it was
 * streamed may have lost it since, such as by unfollowing, and their clients go on showing it. A withdrawn reply stays with its
 * author.
 */
export const statusDeleted: EventBuilder<'status.deleted'> = async (ctx, hub, message) => {
  const { id, visibility, remainingIn } = message
  const isFirst = !recentDeletions(ctx).has(id)
  recentDeletions(ctx).set(id, true)
  const streamedTo = new Set(recentRecipients(ctx).get(id))
  streamedTo.delete(message.accountId)
  const remaining = remainingIn.filter((accountId) => !streamedTo.has(accountId))
  const home = atHome(hub, isFirst ? [...remaining, ...streamedTo] : remaining)
  const publicFeeds =
    visibility === 'public' && isFirst ? await publicSubscriptions(ctx, hub, { ...message, reply: false }) : []
  const lists = isFirst || visibility === 'direct' ? await inListsHaving(ctx, hub, message) : []
  return [{ to: [...home, ...lists, ...publicFeeds], event: 'delete', payload: id }]
}

/** Direct statuses were streamed only to the accounts that they mention. */
async function inListsHaving(
  ctx: Context,
  hub: Hub,
  { accountId, visibility, remainingIn }: { accountId: string; visibility: string; remainingIn: readonly string[] },
): Promise<Subscription[]> {
  const lists = await findListsContaining(ctx, accountId, hub.keys('list'))
  const informed = lists.filter(({ owner_id }) => visibility !== 'direct' || remainingIn.includes(owner_id))
  return informed.flatMap(({ id }) => hub.at('list', id))
}

type PublicPost = { local: boolean; media: boolean; reply: boolean; tags: readonly string[] }

const hasPublicSubscriptions = (hub: Hub): boolean => hub.has('public') || hub.has('hashtag')

/** The keys of the public streams that contain the status. */
function liveFeedsOf({ local, media, reply }: PublicPost): string[] {
  if (reply) return []
  const names = ['public', local ? 'public:local' : 'public:remote']
  return media ? names.flatMap((name) => [name, `${name}:media`]) : names
}

const hashtagFeedsOf = ({ local, tags }: PublicPost): string[] =>
  tags.flatMap((tag) => (local ? [`hashtag:${tag}`, `hashtag:local:${tag}`] : [`hashtag:${tag}`]))

/** The subscriptions to public feeds that contain the status and that this server lets the listener see. */
async function publicSubscriptions(ctx: Context, hub: Hub, post: PublicPost): Promise<Subscription[]> {
  const settings = await getSettings(ctx)
  const access = post.local
    ? { live: settings.local_live_feed_access, hashtag: settings.local_topic_feed_access }
    : { live: settings.remote_live_feed_access, hashtag: settings.remote_topic_feed_access }
  return [
    ...liveFeedsOf(post)
      .flatMap((key) => hub.at('public', key))
      .filter(({ listener }) => mayRead(ctx, listener, access.live)),
    ...hashtagFeedsOf(post)
      .flatMap((key) => hub.at('hashtag', key))
      .filter(({ listener }) => mayRead(ctx, listener, access.hashtag)),
  ]
}

/** Any token of a user may subscribe to what everyone may read; other feeds need the scope with which the API reads them. */
function mayRead(ctx: Context, { viewer }: Listener, access: Access): boolean {
  if (access === 'public' && !ctx.config.limitedFederation) return true
  return covers(viewer.scopes, 'read:statuses') && (access !== 'disabled' || may(viewer, 'view_feeds'))
}
