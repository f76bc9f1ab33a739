import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { editStatus } from '../../actions/statuses/edit.ts'
import { StatusPollParams, QuotePolicyParam, isPoll } from './create.ts'
import { deleteAttachment } from '../../domain/media/attachments.ts'
import { composeEdit } from '../../actions/statuses/compose-edit.ts'
import { findOwnStatus, getOwnStatus } from '../../domain/statuses/find.ts'
import { ownPolicy } from '../../domain/statuses/quotes/policy.ts'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { nullable } from '../../entities/schema.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { DeletedStatus, Status } from '../../entities/status.ts'
import { IdParam, Upload } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { extendJson } from '../../lib/json.ts'
import Type from 'typebox'

/** As text, or as media attachments show it: so Tokodon sends it back with every edit. */
const FocusParam = Type.Union([Type.String(), Type.Object({ x: Type.Number(), y: Type.Number() })])

const MediaAttributes = Type.Object({
  id: Type.Optional(IdParam),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(FocusParam),
  thumbnail: Type.Optional(Upload),
})

export const updateStatus = route({
  summary: 'Edit one of your statuses',
  scope: 'write:statuses',
  rate: 'statuses',
  params: {
    id: IdParam,
    status: Type.Optional(Type.String()),
    spoiler_text: Type.Optional(Type.String()),
    sensitive: Type.Optional(Type.Boolean()),
    language: Type.Optional(Type.String()),
    media_ids: Type.Optional(Type.Array(IdParam)),
    media_attributes: Type.Optional(Type.Array(MediaAttributes)),
    poll: Type.Optional(nullable(StatusPollParams)),
    quote_approval_policy: Type.Optional(QuotePolicyParam),
  },
  returns: Status,
  async handle({ ctx, viewer, params: { id, poll, ...rest } }) {
    const status = await getOwnStatus(ctx, viewer.accountId, id)
    const asked = poll === undefined ? {} : { poll: isPoll(poll) ? poll : null }
    const changes = await composeEdit(ctx, viewer, status, { ...rest, ...asked })
    try {
      await editStatus(ctx, status.id, changes)
    } catch (error) {
      await ctx.files.delete((changes.mediaDetails ?? []).flatMap(({ thumbnail }) => thumbnail?.previewKey ?? []))
      throw error
    }
    return presentStatus(ctx, viewer, status.id)
  },
})

export const updateInteractionPolicy = route({
  summary: 'Decide who may quote one of your statuses; this does not count as an edit',
  scope: 'write:statuses',
  params: { id: IdParam, quote_approval_policy: Type.Optional(QuotePolicyParam) },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const status = await getVisibleStatus(ctx, viewer, params.id)
    if (status.account_id !== viewer.accountId || status.reblog_of_id !== null) throw new Forbidden()
    if (params.quote_approval_policy !== undefined)
      await editStatus(ctx, status.id, { quotePolicy: ownPolicy(params.quote_approval_policy, status.visibility) })
    return presentStatus(ctx, viewer, status.id)
  },
})

export const deleteStatus = route({
  summary: 'Delete one of your statuses; the response has its text and media, to write it again',
  scope: 'write:statuses',
  rate: 'deletes',
  params: { id: IdParam, delete_media: Type.Optional(Type.Boolean()) },
  returns: DeletedStatus,
  async handle({ ctx, viewer, params }) {
    const status = await findOwnStatus(ctx, viewer.accountId, params.id)
    if (!status) throw new NotFound()
    const presented = await presentStatus(ctx, viewer, status.id)
    const deleted = await deleteStatuses(ctx, [status.id], { by: viewer.accountId })
    // Another request deleted it meanwhile.
    if (deleted.length === 0) throw new NotFound()
    if (params.delete_media)
      await Promise.all(status.media_ids.map((id) => deleteAttachment(ctx, viewer.accountId, id)))
    return extendJson(presented, { text: status.text })
  },
})
