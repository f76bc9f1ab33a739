import type { Context } from '../context.ts'
import { may } from '../domain/auth/viewer.ts'
import { getSettings } from '../domain/server/settings.ts'
import type { Hub, Subscription } from './hub.ts'

/** Of a public post, what decides which public feeds it is in. */
export type PublicPost = { local: boolean; media: boolean; reply: boolean; tags: readonly string[] }

/** Whether anybody listens to a public feed at all. */
export const anyPublic = (hub: Hub): boolean => hub.has('public') || hub.has('hashtag')

/** The subscriptions to public feeds in which a post is, of those who may look at such feeds on this server. */
export async function publicSubscriptions(ctx: Context, hub: Hub, post: PublicPost): Promise<Subscription[]> {
  const live = post.reply
    ? []
    : ['public', post.local ? 'public:local' : 'public:remote'].flatMap((name) =>
        post.media ? [name, `${name}:media`] : [name],
      )
  const topics = post.tags.flatMap((tag) =>
    post.local ? [`hashtag:${tag}`, `hashtag:local:${tag}`] : [`hashtag:${tag}`],
  )
  const settings = await getSettings(ctx)
  const feeds = post.local
    ? ({ live: settings.local_live_feed_access, topic: settings.local_topic_feed_access } as const)
    : ({ live: settings.remote_live_feed_access, topic: settings.remote_topic_feed_access } as const)
  const open = (subscription: Subscription, access: string): boolean =>
    access !== 'disabled' || may(subscription.listener.viewer, 'view_feeds')
  return [
    ...live.flatMap((key) => hub.at('public', key)).filter((subscription) => open(subscription, feeds.live)),
    ...topics.flatMap((key) => hub.at('hashtag', key)).filter((subscription) => open(subscription, feeds.topic)),
  ]
}
