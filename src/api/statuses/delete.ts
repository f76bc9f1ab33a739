// DELETE /api/v1/statuses/:id: delete a post of one's own, and get it back to write it again.
import Type from 'typebox'
import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { findOwnStatus } from '../../domain/statuses/find.ts'
import { deleteAttachment } from '../../domain/media/attachments.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { DeletedStatus } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import { concatJson } from '../../lib/json.ts'

export const deleteStatus = route({
  summary: 'Delete a status of yours; its text and media come back, to post them again',
  scope: 'write:statuses',
  rate: 'deletes',
  params: { id: IdParam, delete_media: Type.Optional(Type.Boolean()) },
  returns: DeletedStatus,
  async handle({ ctx, viewer, params }) {
    const status = await findOwnStatus(ctx, viewer.accountId, params.id)
    if (!status) throw new NotFound()
    const presented = await presentStatus(ctx, viewer, status.id)
    const deleted = await deleteStatuses(ctx, [status.id], { by: viewer.accountId })
    // Somebody else, most likely the same person twice, was faster.
    if (deleted.length === 0) throw new NotFound()
    if (params.delete_media)
      await Promise.all(status.media_ids.map((id) => deleteAttachment(ctx, viewer.accountId, id)))
    return concatJson([presented.subarray(0, -1), `,"text":${JSON.stringify(status.text)}}`])
  },
})
