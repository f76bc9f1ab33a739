import { presentActive, presentReactionEvent } from '../entities/announcement.ts'
import type { EventBuilder, StreamEvent } from './events.ts'
import type { Hub, Subscription } from './hub.ts'

// All users get announcements on their own stream: the same payload, as in Mastodon, without their flags.

const everyone = (hub: Hub): Subscription[] => hub.keys('user').flatMap((accountId) => hub.at('user', accountId))

export const announcementPublished: EventBuilder<'announcement.published'> = async (ctx, hub, { id }) => {
  const to = everyone(hub)
  const [announcement] = to.length > 0 ? await presentActive(ctx, null, { id }) : []
  return announcement ? [{ to, event: 'announcement', payload: JSON.stringify(announcement) }] : []
}

export const announcementReaction: EventBuilder<'announcement.reaction'> = async (ctx, hub, { id, name }) => {
  const to = everyone(hub)
  if (to.length === 0) return []
  const payload = JSON.stringify(await presentReactionEvent(ctx, id, name))
  return [{ to, event: 'announcement.reaction', payload }]
}

export const announcementDeleted: EventBuilder<'announcement.deleted'> = async (
  _ctx,
  hub,
  { id },
): Promise<StreamEvent[]> => [{ to: everyone(hub), event: 'announcement.delete', payload: id }]
