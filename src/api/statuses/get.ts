import Type from 'typebox'
import { requestQuoteCheck } from '../../actions/remote/fetch-quote.ts'
import { requestReplies } from '../../actions/remote/fetch-replies.ts'
import { findThread } from '../../domain/statuses/context.ts'
import { translateStatus } from '../../domain/statuses/translation/translate.ts'
import { filterVisible, getShownTarget } from '../../domain/statuses/reader.ts'
import { getTargetStatus, getVisibleStatus } from '../../domain/statuses/visibility.ts'
import { Id } from '../../entities/schema.ts'
import { presentHistory } from '../../entities/status-edit.ts'
import { presentStatus, presentStatusList, presentStatusPieces } from '../../entities/status-presenter.ts'
import { StatusContext, Status, StatusEdit, StatusSource } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { addressKey, countWork, isWithinLimit, limitUse } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'
import { invalidRequest, NotFound } from '../../lib/errors.ts'
import { arrayPieces, objectPieces } from '../../lib/json.ts'
import { announceRefresh } from '../async-refreshes.ts'

const MAX_IDS = 20
/** A thread counts as one more request for each further part of this length: 4096 replies take half a second. */
const THREAD_PART = 200

export const getStatus = route({
  summary: 'One status',
  auth: 'public',
  scope: 'read:statuses',
  cacheable: true,
  params: { id: IdParam },
  returns: Status,
  async handle({ ctx, viewer, params }) {
    const [id] = await filterVisible(ctx, viewer, [params.id])
    if (id === undefined) throw new NotFound()
    return presentStatus(ctx, viewer, id)
  },
})

export const getStatuses = route({
  summary: 'Statuses by their ids, in that order; unknown and hidden ones are left out',
  auth: 'public',
  scope: 'read:statuses',
  params: { id: Type.Optional(Type.Array(IdParam)) },
  returns: Type.Array(Status),
  async handle({ ctx, viewer, params }) {
    const ids = [...new Set(params.id ?? [])]
    if (ids.length > MAX_IDS) throw invalidRequest('statuses_too_many', { count: MAX_IDS })
    return presentStatusList(ctx, viewer, await filterVisible(ctx, viewer, ids))
  },
})

export const getStatusContext = route({
  summary: 'The ancestors and the replies of a status',
  auth: 'public',
  scope: 'read:statuses',
  cacheable: true,
  params: { id: IdParam },
  returns: StatusContext,
  async handle(call) {
    const { ctx, viewer, caller, params } = call
    const { status, isLocal } = await getShownTarget(ctx, viewer, params.id)
    // Before the thread is read: the header makes the client ask again for replies that arrive later.
    const more =
      viewer &&
      !isLocal &&
      (await requestReplies(ctx, status, () => isWithinLimit(ctx, 'thread-fetches', viewer.userId)))
    if (more) await announceRefresh({ ...call, viewer }, more)
    if (viewer && status.quote?.state === 'accepted') await requestQuoteCheck(ctx, status.id)
    const { ancestors, descendants } = await findThread(ctx, viewer, status, { withToken: caller !== null })
    const ids = [...ancestors, ...descendants]
    await countWork(ctx, call, Math.floor(ids.length / THREAD_PART))
    const presented = await presentStatusPieces(ctx, viewer, ids)
    const list = (ids: string[]) =>
      arrayPieces(ids.map((id) => presented.get(id)).filter((status) => status !== undefined))
    return objectPieces({ ancestors: list(ancestors), descendants: list(descendants) })
  },
})

export const getStatusHistory = route({
  summary: 'All revisions of a status, the oldest first',
  auth: 'public',
  scope: 'read:statuses',
  params: { id: IdParam },
  returns: Type.Array(StatusEdit),
  async handle({ ctx, viewer, params }) {
    const status = await getVisibleStatus(ctx, viewer, params.id)
    return presentHistory(ctx, viewer, status.id)
  },
})

export const getStatusSource = route({
  summary: 'The text of a status as it was typed',
  auth: 'app',
  scope: 'read:statuses',
  params: { id: IdParam },
  returns: StatusSource,
  async handle({ ctx, viewer, params }) {
    const { id, text, content, local, spoiler_text } = await getVisibleStatus(ctx, viewer, params.id)
    return { id, text: local ? text : content, spoiler_text }
  },
})

const Poll = Type.Object(
  { id: Id, options: Type.Array(Type.Object({ title: Type.String() }, { $id: 'Translation_Poll_Option' })) },
  { $id: 'Translation_Poll' },
)
const Attachment = Type.Object({ id: Id, description: Type.String() }, { $id: 'Translation_Attachment' })

/** https://docs.joinmastodon.org/entities/Translation/ */
const Translation = Type.Object(
  {
    content: Type.String(),
    spoiler_text: Type.String(),
    language: Type.String(),
    poll: Type.Optional(Poll),
    media_attachments: Type.Array(Attachment),
    detected_source_language: Type.String(),
    provider: Type.String(),
  },
  { $id: 'Translation' },
)

export const getTranslation = route({
  summary: 'Translate a public status, if this server has a translation service',
  auth: 'app',
  scope: 'read:statuses',
  params: { id: IdParam, lang: Type.Optional(Type.String()) },
  returns: Translation,
  async handle({ ctx, viewer, params, request }) {
    const status = await getTargetStatus(ctx, viewer, params.id)
    // Every client can register an application, and use it without a user.
    const admit = (): Promise<void> => limitUse(ctx, 'translations', viewer?.userId ?? addressKey(request.ip))
    return translateStatus(ctx, status, params.lang || viewer?.locale || 'en', admit)
  },
})
