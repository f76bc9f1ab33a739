import type { IncomingHttpHeaders } from 'node:http'
import { publishStatus } from '../../actions/statuses/publish.ts'
import { scheduleStatus, unexpectedMentions } from '../../actions/statuses/schedule.ts'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import { composeStatus } from '../../actions/statuses/compose.ts'
import type { StatusDraft } from '../../domain/statuses/draft.ts'
import { type KeyedStatus, findByKey } from '../../domain/statuses/idempotency.ts'
import { QUOTE_POLICIES } from '../../domain/statuses/quotes/policy.ts'
import { type ScheduledParams, getScheduled, timeToPost } from '../../domain/statuses/scheduled.ts'
import { readAccountEntities } from '../../entities/account-presenter.ts'
import { ScheduledStatus, presentScheduled } from '../../entities/scheduled-status.ts'
import { presentStatus } from '../../entities/status-presenter.ts'
import { Status, VisibilityName } from '../../entities/status.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { Invalid, NotFound } from '../../lib/errors.ts'
import type { JsonText } from '../../lib/json.ts'
import { message } from '../../messages/message.ts'
import Type from 'typebox'
import type { Static } from 'typebox'

/** The domain checks the rules of polls. */
export const StatusPollParams = Type.Object({
  options: Type.Optional(Type.Array(Type.String())),
  expires_in: Type.Optional(Type.Integer()),
  multiple: Type.Optional(Type.Boolean()),
  hide_totals: Type.Optional(Type.Boolean()),
})

/** Some applications send an empty poll for none. */
export function isPoll<P extends Static<typeof StatusPollParams>>(poll: P | null | undefined): poll is P {
  return Object.keys(poll ?? {}).length > 0
}

export const QuotePolicyParam = Type.Enum([...QUOTE_POLICIES])

const params = Type.Object({
  status: Type.Optional(Type.String()),
  media_ids: Type.Optional(Type.Array(IdParam)),
  in_reply_to_id: Type.Optional(IdParam),
  sensitive: Type.Optional(Type.Boolean()),
  spoiler_text: Type.Optional(Type.String()),
  visibility: Type.Optional(VisibilityName),
  language: Type.Optional(Type.String()),
  allowed_mentions: Type.Optional(Type.Array(IdParam)),
  poll: Type.Optional(StatusPollParams),
  scheduled_at: Type.Optional(Type.String()),
  quoted_status_id: Type.Optional(IdParam),
  quote_approval_policy: Type.Optional(QuotePolicyParam),
})
type Params = Static<typeof params>

export const createStatus = route({
  summary: 'Post a status, or schedule it',
  scope: 'write:statuses',
  rate: 'statuses',
  params: params.properties,
  returns: Type.Union([Status, ScheduledStatus]),
  async handle({ ctx, viewer, params: { poll, ...rest }, request }) {
    const form = isPoll(poll) ? { ...rest, poll } : rest
    const key = keyOf(request.headers)
    const repeated = key === null ? null : await findByKey(ctx, viewer.accountId, key)
    return present(ctx, viewer, repeated ?? (await make(ctx, viewer, form, key)))
  },
})

async function present(
  ctx: Context,
  viewer: Viewer,
  made: KeyedStatus,
): Promise<JsonText<Status> | JsonText<ScheduledStatus>> {
  if (made.statusId !== undefined) return presentStatus(ctx, viewer, made.statusId)
  const [scheduled] = await presentScheduled(ctx, [await getScheduled(ctx, viewer.accountId, made.scheduledId)])
  if (!scheduled) throw new NotFound()
  return scheduled
}

async function make(ctx: Context, viewer: Viewer, form: Params, key: string | null): Promise<KeyedStatus> {
  try {
    const at = timeToPost(form.scheduled_at)
    const draft = await composeStatus(ctx, viewer, form)
    await refuseUnexpected(ctx, unexpectedMentions(draft, form.allowed_mentions))
    if (at === null) return { statusId: (await publishStatus(ctx, draft, { idempotencyKey: key })).id }
    return { scheduledId: await scheduleStatus(ctx, draft, at, scheduledParams(form, draft, viewer, key)) }
  } catch (error) {
    // Of two equal concurrent requests, one may find its media attached by the other.
    const repeated = key === null ? null : await findByKey(ctx, viewer.accountId, key)
    if (repeated !== null) return repeated
    throw error
  }
}

/** Adds the author's defaults for missing parameters. */
function scheduledParams(form: Params, draft: StatusDraft, viewer: Viewer, key: string | null): ScheduledParams {
  const { status, scheduled_at: _at, ...rest } = form
  const { language, quote_policy: policy } = viewer.settings
  return {
    ...rest,
    text: status ?? '',
    idempotency: key,
    defaults: {
      visibility: draft.visibility,
      sensitive: draft.sensitive ?? false,
      ...(language ? { language } : {}),
      ...(policy ? { quote_approval_policy: policy } : {}),
    },
  }
}

const keyOf = (headers: IncomingHttpHeaders): string | null => {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key !== '' ? key : null
}

/** Throws Invalid with accounts that the text mentions and the client's `allowed_mentions` does not list. */
async function refuseUnexpected(ctx: Context, unexpected: readonly string[]): Promise<void> {
  if (unexpected.length === 0) return
  throw new Invalid(message('unexpected_mentions'), undefined, {
    unexpected_accounts: await readAccountEntities(ctx, unexpected),
  })
}
