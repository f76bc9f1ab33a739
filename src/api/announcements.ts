import Type from 'typebox'
import { reactTo, removeReaction } from '../actions/announcements/react.ts'
import { dismiss, getActive } from '../domain/announcements/announcements.ts'
import { Announcement, presentActive } from '../entities/announcement.ts'
import { Empty } from '../entities/schema.ts'
import { IdParam } from '../http/params.ts'
import { route } from '../http/route.ts'

export const getAnnouncements = route({
  summary: 'The announcements of the administrators that are current, newest first',
  params: { with_dismissed: Type.Optional(Type.Boolean({ description: 'false leaves dismissed ones out' })) },
  returns: Type.Array(Announcement),
  async handle({ ctx, viewer, params }) {
    const all = await presentActive(ctx, viewer.accountId)
    return params.with_dismissed === false ? all.filter(({ read }) => !read) : all
  },
})

export const dismissAnnouncement = route({
  summary: 'Mark an announcement as read',
  scope: 'write:accounts',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await getActive(ctx, params.id)
    await dismiss(ctx, params.id, viewer.accountId)
    return {}
  },
})

const reactionParams = {
  id: IdParam,
  name: Type.String({ description: 'An emoji, or the shortcode of a custom emoji of this server' }),
}

export const addAnnouncementReaction = route({
  summary: 'React to an announcement with an emoji',
  scope: 'write:favourites',
  params: reactionParams,
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await reactTo(ctx, params.id, viewer.accountId, params.name)
    return {}
  },
})

export const removeAnnouncementReaction = route({
  summary: 'Remove a reaction to an announcement',
  scope: 'write:favourites',
  params: reactionParams,
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeReaction(ctx, params.id, viewer.accountId, params.name)
    return {}
  },
})
