import { deleteStatuses } from '../../actions/statuses/delete.ts'
import { editStatus } from '../../actions/statuses/edit.ts'
import { StatusPollParams, QuotePolicyParam, isPoll } from './create.ts'
import { deleteAttachment } from '../../domain/media/attachments.ts'
import { discardFiles } from '../../domain/media/files.ts'
import { composeEdit } from '../../actions/statuses/compose-edit.ts'
import { thumbnailKeys } from '../../domain/statuses/edit-media.ts'
import { findOwnStatus, getOwnStatus } from '../../domain/statuses/find.ts'
import { ownPolicy } from '../../domain/statuses/quotes/policy.ts'
import { getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { readAccountEntity } from '../../entities/account-presenter.ts'
import { nullable } from '../../entities/schema.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { DeletedStatus, Status } from '../../entities/status.ts'
import { IdParam, Upload } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import Type, { type Static } from 'typebox'

/** Text, or the object that media attachments have, which Tokodon sends back with every edit. */
const FocusParam = Type.Union([Type.String(), Type.Object({ x: Type.Number(), y: Type.Number() })])

const MediaAttributes = Type.Object({
  id: Type.Optional(IdParam),
  description: Type.Optional(Type.String()),
  focus: Type.Optional(FocusParam),
  thumbnail: Type.Optional(Upload),
})

/** A list for each member, as Fedilab sends them with every edit of a post that has media. */
const MediaAttributeLists = Type.Object({
  id: Type.Array(IdParam),
  description: Type.Optional(Type.Array(Type.String())),
  focus: Type.Optional(Type.Array(Type.String())),
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
    media_attributes: Type.Optional(Type.Union([Type.Array(MediaAttributes), MediaAttributeLists])),
    poll: Type.Optional(nullable(StatusPollParams)),
    quote_approval_policy: Type.Optional(QuotePolicyParam),
  },
  returns: Status,
  async handle({ ctx, viewer, params: { id, poll, media_attributes, ...rest } }) {
    const status = await getOwnStatus(ctx, viewer.accountId, id)
    const asked = {
      ...(poll === undefined ? {} : { poll: isPoll(poll) ? poll : null }),
      ...(media_attributes === undefined ? {} : { media_attributes: attributesOf(media_attributes) }),
    }
    const changes = await composeEdit(ctx, viewer, status, { ...rest, ...asked })
    try {
      await editStatus(ctx, status.id, changes)
    } catch (error) {
      await discardFiles(ctx, thumbnailKeys(changes.mediaDetails), error)
      throw error
    }
    return presentStatus(ctx, viewer, status.id)
  },
})

type Attributes = Static<typeof MediaAttributes>[]

function attributesOf(sent: Attributes | Static<typeof MediaAttributeLists>): Attributes {
  if (Array.isArray(sent)) return sent
  const { id: ids, description, focus } = sent
  // Fedilab leaves out missing values, so a shorter list does not tell which media it describes.
  const valueOf = (list: string[] | undefined, i: number) => (list?.length === ids.length ? list[i] : undefined)
  return ids.map((id, i) => ({ id, description: valueOf(description, i), focus: valueOf(focus, i) }))
}

export const updateInteractionPolicy = route({
  summary: 'Decide who may quote one of your statuses; this does not count as an edit',
  scope: 'write:statuses',
  rate: 'statuses',
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
    const presented = JSON.parse(String(await presentStatus(ctx, viewer, status.id))) as Status
    await ctx.transaction(async (tx) => {
      const deleted = await deleteStatuses(tx, [status.id], { authorId: viewer.accountId })
      // Another request deleted it meanwhile.
      if (deleted.length === 0) throw new NotFound()
      if (params.delete_media)
        await Promise.all(status.media_ids.map((id) => deleteAttachment(tx, viewer.accountId, id)))
    })
    // Clients show the new number of posts.
    return { ...presented, text: status.text, account: await readAccountEntity(ctx, viewer.accountId) }
  },
})
