// GET, PUT and DELETE /api/v1/media/:id: one's own media, until a status has them.
import Type from 'typebox'
import { deleteAttachment, getUnattached, updateAttachment } from '../../domain/media/attachments.ts'
import { NOT_PROCESSED } from '../../domain/media/av/protocol.ts'
import { MediaAttachment, presentMedia } from '../../entities/media-attachment.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam, Upload } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Invalid } from '../../lib/errors.ts'

export const getMedia = route({
  summary: 'A medium that no status has yet',
  scope: 'write:media',
  params: { id: IdParam },
  returns: MediaAttachment,
  also: [206],
  async handle({ ctx, viewer, params, reply }) {
    const medium = await getUnattached(ctx, viewer.accountId, params.id)
    if (medium.processing === 'failed') throw new Invalid(NOT_PROCESSED)
    if (medium.processing === 'waiting') void reply.status(206)
    return presentMedia(ctx, medium)
  },
})

export const updateMedia = route({
  summary: 'Change the description, focus or thumbnail of a medium that no status has yet',
  scope: 'write:media',
  params: {
    id: IdParam,
    thumbnail: Type.Optional(Upload),
    description: Type.Optional(Type.String()),
    focus: Type.Optional(Type.String()),
  },
  returns: MediaAttachment,
  also: [206],
  async handle({ ctx, viewer, params: { id, ...details }, reply }) {
    const media = await updateAttachment(ctx, viewer.accountId, id, details)
    if (media.processing === 'waiting') void reply.status(206)
    return presentMedia(ctx, media)
  },
})

export const deleteMedia = route({
  summary: 'Delete a medium that no status has',
  scope: 'write:media',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await deleteAttachment(ctx, viewer.accountId, params.id)
    return {}
  },
})
