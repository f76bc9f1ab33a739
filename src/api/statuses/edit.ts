// PUT /api/v1/statuses/:id: edit a post of one's own. PUT …/interaction_policy: decide who may quote it.
import Type from 'typebox'
import { editStatus } from '../../actions/statuses/edit.ts'
import { composeEdit } from '../../domain/statuses/compose-edit.ts'
import { getOwnPost } from '../../domain/statuses/find.ts'
import { ownPolicy } from '../../domain/statuses/quotes/policy.ts'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { nullable } from '../../entities/schema.ts'
import { Status } from '../../entities/status.ts'
import { IdParam, Upload } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Forbidden } from '../../lib/errors.ts'
import { isPoll, PollParams, QuotePolicyParam } from './params.ts'

const MediaAttributes = Type.Object({
  id: Type.Optional(IdParam),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(Type.String()),
  thumbnail: Type.Optional(Upload),
})

export const updateStatus = route({
  summary: 'Edit a status of yours',
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
    poll: Type.Optional(nullable(PollParams)),
    quote_approval_policy: Type.Optional(QuotePolicyParam),
  },
  returns: Status,
  async handle({ ctx, viewer, params: { id, poll, ...rest } }) {
    const status = await getOwnPost(ctx, viewer.accountId, id)
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
  summary: 'Decide who may quote a status of yours; this is no edit',
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
