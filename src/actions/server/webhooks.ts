import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import { isStaffWith, type StaffId } from '../../domain/auth/staff.ts'
import { composeDelivery, findWebhooksFor, recordDelivery } from '../../domain/webhooks/deliveries.ts'
import {
  checkWebhook,
  deleteStoredWebhook,
  EVENT_PERMISSION,
  getWebhook,
  insertWebhook,
  rotateStoredSecret,
  setWebhookEnabled,
  updateWebhook,
  type WebhookForm,
} from '../../domain/webhooks/webhooks.ts'
import type { JobData, JobRun } from '../../jobs/kinds.ts'
import type { WebhookEvent } from '../../jobs/webhook-events.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { FetchError, isRefusedAddress } from '../../net/fetch-error.ts'

/**
 * Enqueues a delivery to each enabled webhook that wants the event. `subjectIds`: of accounts, reports or statuses. Call it in
 * the transaction of the change. Costs nothing when no webhook wants the event.
 */
export async function triggerWebhooks(
  tx: Context,
  event: WebhookEvent,
  ...subjectIds: readonly string[]
): Promise<void> {
  const webhookIds = await findWebhooksFor(tx, event)
  if (webhookIds.length === 0) return
  const at = new Date().toISOString()
  await tx.enqueueMany(
    'webhooks.deliver',
    subjectIds.flatMap((subjectId) => webhookIds.map((webhookId) => ({ webhookId, event, subjectId, at }))),
  )
}

/** Null when the subject is gone, or is not for webhooks. */
export type PresentSubject = (ctx: Context, event: WebhookEvent, subjectId: string) => Promise<object | null>

/** Job `webhooks.deliver`: presents the subject as it is now. Throws unless it is delivered or never can be, for a retry. */
export const webhookDelivery =
  (present: PresentSubject) =>
  async (ctx: Context, job: JobData['webhooks.deliver'], { jobId, isLastAttempt }: JobRun): Promise<void> => {
    const object = job.event === 'test' ? { id: job.webhookId } : await present(ctx, job.event, job.subjectId)
    if (object === null) return
    const payload = { event: job.event, created_at: job.at, object }
    const request = await composeDelivery(ctx, job.webhookId, payload, { test: job.event === 'test' })
    if (request === null) return
    const { httpStatus, error, permanent } = await post(ctx, request)
    const delivered = error === null && httpStatus !== null && httpStatus >= 200 && httpStatus < 300
    const undelivered = permanent || isLastAttempt ? 'failed' : 'retried'
    const outcome = delivered ? 'delivered' : undelivered
    await recordDelivery(ctx, jobId, { webhookId: job.webhookId, event: job.event, httpStatus, error, outcome })
    if (outcome === 'retried') throw new Error(`the webhook answered ${httpStatus ?? error}`)
  }

type Answer = { httpStatus: number | null; error: string | null; permanent: boolean }

async function post(ctx: Context, request: { url: string; body: string; signature: string }): Promise<Answer> {
  try {
    const { status } = await ctx.fetch.request(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature': request.signature },
      body: request.body,
      redirects: 0,
      maxBytes: 16_384,
      service: true,
    })
    return { httpStatus: status, error: null, permanent: status === 410 }
  } catch (error) {
    // Such as a redirect, which is not followed, or a response that is too long: both have a status.
    if (!(error instanceof FetchError)) throw error
    return { httpStatus: error.status ?? null, error: error.message, permanent: isRefusedAddress(error) }
  }
}

/** Throws Forbidden for an event that would tell more than the staff member may see. */
async function checkMaySee(tx: Context, staffId: StaffId, events: readonly WebhookEvent[]): Promise<void> {
  if (staffId === null) return
  const permissions = new Set(events.flatMap((event) => EVENT_PERMISSION[event] ?? []))
  for (const permission of permissions) if (!(await isStaffWith(tx, staffId, permission))) throw new Forbidden()
}

/** Throws Invalid with `details`; Forbidden as checkMaySee. Returns the id. */
export const createWebhook = (ctx: Context, staffId: StaffId, form: WebhookForm): Promise<string> =>
  ctx.transaction(async (tx) => {
    const checked = checkWebhook(form)
    await checkMaySee(tx, staffId, checked.events)
    const id = await insertWebhook(tx, checked)
    await recordAct(tx, staffId, 'create', { id, ...checked })
    return id
  })

/** Does nothing for the same values. Throws NotFound; Invalid with `details`; Forbidden as checkMaySee. */
export const modifyWebhook = (ctx: Context, staffId: StaffId, id: string, form: WebhookForm): Promise<void> =>
  ctx.transaction(async (tx) => {
    const checked = checkWebhook(form)
    // The new address would receive the former events as well, or they would get lost.
    await checkMaySee(tx, staffId, [...(await getWebhook(tx, id)).events, ...checked.events])
    if (await updateWebhook(tx, id, checked)) await recordAct(tx, staffId, 'update', { id, ...checked })
  })

/** Throws NotFound. Waiting deliveries of a disabled webhook are dropped. */
export const switchWebhook = (
  ctx: Context,
  staffId: StaffId,
  id: string,
  { enabled }: { enabled: boolean },
): Promise<void> =>
  ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id)
    if (await setWebhookEnabled(tx, id, enabled)) await recordAct(tx, staffId, enabled ? 'enable' : 'disable', webhook)
  })

/** Throws NotFound. Deliveries are signed with the new secret from now on. */
export const rotateWebhookSecret = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id)
    await rotateStoredSecret(tx, id)
    await recordAct(tx, staffId, 'rotate_secret', webhook)
  })

/** Throws NotFound. */
export const deleteWebhook = (ctx: Context, staffId: StaffId, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id)
    if ((await deleteStoredWebhook(tx, id)) === 0) throw new NotFound()
    await recordAct(tx, staffId, 'delete', webhook)
  })

/** Sends the event `test`, to a disabled webhook too. Throws NotFound. */
export const testWebhook = (ctx: Context, id: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await getWebhook(tx, id)
    const at = new Date().toISOString()
    await tx.enqueue('webhooks.deliver', { webhookId: id, event: 'test', subjectId: id, at })
  })

type Act = 'create' | 'update' | 'enable' | 'disable' | 'rotate_secret' | 'delete'

async function recordAct(
  tx: Context,
  staffId: StaffId,
  action: Act,
  { id, url, events }: { id: string; url: string; events: readonly WebhookEvent[] },
): Promise<void> {
  // The path of an address may hold a secret of the service.
  const label = new URL(url).origin
  await insertAuditEntry(tx, staffId, { type: 'webhook', action, id, label, details: { events } })
}
