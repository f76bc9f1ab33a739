// POST /api/v1/media, POST /api/v2/media: a medium to attach to a status. Pictures are ready at once. Films, sounds and animations
// are converted: the first waits for that, the second answers 202, and apps look again at GET /api/v1/media/:id.
import Type, { type Static, type TObject } from 'typebox'
import type { Attachment } from '../../domain/media/attachments.ts'
import { NOT_PROCESSED } from '../../domain/media/av/protocol.ts'
import { receiveUpload, waitUntilProcessed } from '../../domain/media/upload.ts'
import { MediaAttachment, presentMedia } from '../../entities/media-attachment.ts'
import { Upload } from '../../http/params.ts'
import { route, type Call } from '../../http/route.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { Invalid, invalidField } from '../../lib/errors.ts'

const params = {
  // Needed all the same: its absence is a failed validation, as of a record, not a malformed request.
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
  summary: 'Upload a medium for a status',
  ...options,
  also: [202],
  async handle(call) {
    const medium = await receive(call)
    if (medium.processing === 'waiting') void call.reply.status(202)
    return presentMedia(call.ctx, medium)
  },
})

export const uploadMediaV1 = route({
  summary: 'Upload a medium for a status and wait until it is processed',
  ...options,
  async handle(call) {
    const medium = await waitUntilProcessed(call.ctx, await receive(call))
    if (medium.processing === 'failed') throw new Invalid(NOT_PROCESSED)
    return presentMedia(call.ctx, medium)
  },
})
