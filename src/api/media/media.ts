// Images are ready at once. A job converts video, audio and animations: version 1 waits for it, version 2 answers 202, and
// clients poll GET /api/v1/media/:id.
import { CONVERSION_FAILED } from '../../domain/media/av/protocol.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { type Attachment, deleteAttachment, getUnattached, updateAttachment } from '../../domain/media/attachments.ts'
import { receiveUpload, waitUntilProcessed } from '../../actions/media/upload.ts'
import { MediaAttachment, presentMedia } from '../../entities/media-attachment.ts'
import { Empty } from '../../entities/schema.ts'
import { IdParam, Upload } from '../../http/params.ts'
import { type Call, route } from '../../http/route.ts'
import { Invalid, invalidField } from '../../lib/errors.ts'
import Type from 'typebox'
import type { Static, TObject } from 'typebox'

const params = {
  // Required, but its absence is a validation error (422) and not a malformed request (400).
  file: Type.Optional(Upload),
  thumbnail: Type.Optional(Upload),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(Type.String()),
}

const options = { scope: 'write:media', params, returns: MediaAttachment, rate: 'media' } as const

async function receive({
  ctx,
  viewer,
  params: { file, ...details },
}: Call<Static<TObject<typeof params>>, Viewer>): Promise<Attachment> {
  if (!file) throw invalidField('file', 'blank')
  return receiveUpload(ctx, viewer.accountId, file, details)
}

export const uploadMedia = route({
  summary: 'Upload a media attachment',
  ...options,
  also: [202],
  async handle(call) {
    const attachment = await receive(call)
    if (attachment.processing === 'waiting') void call.reply.status(202)
    return presentMedia(call.ctx, attachment)
  },
})

export const uploadMediaV1 = route({
  summary: 'Upload a media attachment and wait until it is processed',
  ...options,
  async handle(call) {
    // Nothing is sent while the client waits, for longer than other connections may be idle.
    call.request.raw.setTimeout(0)
    const attachment = await waitUntilProcessed(call.ctx, await receive(call))
    if (attachment.processing === 'failed') throw new Invalid(CONVERSION_FAILED)
    return presentMedia(call.ctx, attachment)
  },
})

export const getMedia = route({
  summary: 'A media attachment that no status has',
  scope: 'write:media',
  params: { id: IdParam },
  returns: MediaAttachment,
  also: [206],
  async handle({ ctx, viewer, params, reply }) {
    const attachment = await getUnattached(ctx, viewer.accountId, params.id)
    if (attachment.processing === 'failed') throw new Invalid(CONVERSION_FAILED)
    if (attachment.processing === 'waiting') void reply.status(206)
    return presentMedia(ctx, attachment)
  },
})

export const updateMedia = route({
  summary: 'Change the description, focus or thumbnail of a media attachment that no status has',
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
  summary: 'Delete a media attachment that no status has',
  scope: 'write:media',
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await deleteAttachment(ctx, viewer.accountId, params.id)
    return {}
  },
})
