import { createHmac } from 'node:crypto'
import { type Context, perServer } from '../../context.ts'
import type { WebhookDeliveries, Webhooks } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { getSecrets, unseal } from '../server/secrets.ts'
import type { WebhookEvent } from '../../jobs/webhook-events.ts'
import { renderTemplate } from './template.ts'

type Wanting = Map<string, string[]>

const cached = perServer((ctx) => {
  const state = { value: null as Promise<Wanting> | null }
  ctx.changes.on('webhook', () => (state.value = null))
  return state
})

/** The enabled webhooks that want the event. Cached, as statuses and accounts ask at every change. */
export async function findWebhooksFor(ctx: Context, event: WebhookEvent): Promise<readonly string[]> {
  const state = cached(ctx)
  if (state.value === null) {
    const value = readWanting(ctx)
    state.value = value
    value.catch(() => {
      if (state.value === value) state.value = null
    })
  }
  return (await state.value).get(event) ?? []
}

async function readWanting(ctx: Context): Promise<Wanting> {
  const rows = await ctx.db.many<{ event: string; ids: string[] }>(sql`
    select event, array_agg(id order by id) as ids from webhooks, unnest(events) as event where enabled group by event`)
  return new Map(rows.map(({ event, ids }) => [event, ids.map(String)]))
}

export type SignedBody = { url: string; body: string; signature: string }

/**
 * Null for a webhook that is gone, disabled, or does not want the event any more; with `test`, only for one that is gone.
 * Throws RangeError for a body that is too long.
 */
export async function composeDelivery(
  ctx: Context,
  webhookId: string,
  payload: { event: string },
  { test }: { test: boolean },
): Promise<SignedBody | null> {
  const row = await ctx.db.maybe<Pick<Webhooks, 'url' | 'template' | 'secret'>>(sql`
    select url, template, secret from webhooks
    where id = ${webhookId} and (${test} or (enabled and ${payload.event} = any(events)))`)
  if (!row) return null
  const body = row.template === null ? JSON.stringify(payload) : renderTemplate(row.template, payload)
  const secret = unseal((await getSecrets(ctx)).tokenKey, row.secret)
  return { url: row.url, body, signature: `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
}

export type DeliveryResult = {
  webhookId: string
  event: string
  httpStatus: number | null
  error: string | null
  outcome: 'delivered' | 'failed' | 'retried'
}

/** `id` is the job's: its attempts share a row. */
export async function recordDelivery(ctx: Context, id: string, result: DeliveryResult): Promise<void> {
  const { webhookId, event, httpStatus, error, outcome } = result
  await ctx.db.run(sql`
    insert into webhook_deliveries as d (id, webhook_id, event, http_status, error, delivered_at, failed_at)
    select ${id}, id, ${event}, ${httpStatus}, ${error}, case when ${outcome} = 'delivered' then now() end,
      case when ${outcome} = 'failed' then now() end
    from webhooks where id = ${webhookId}
    on conflict (id) do update set attempts = d.attempts + 1, http_status = excluded.http_status, error = excluded.error,
      delivered_at = excluded.delivered_at, failed_at = excluded.failed_at, updated_at = now()`)
}

export type Delivery = Omit<WebhookDeliveries, 'webhook_id'>

/** Newest first. */
export const listDeliveries = (ctx: Context, webhookId: string, limit: number): Promise<Delivery[]> =>
  ctx.db.many<Delivery>(sql`
    select id, event, attempts, http_status, error, delivered_at, failed_at, created_at, updated_at
    from webhook_deliveries where webhook_id = ${webhookId} order by created_at desc limit ${limit}`)

/** The newest one of each webhook. */
export async function listLastDeliveries(ctx: Context): Promise<Map<string, Delivery>> {
  const rows = await ctx.db.many<WebhookDeliveries>(sql`
    select d.id, d.webhook_id, d.event, d.attempts, d.http_status, d.error, d.delivered_at, d.failed_at, d.created_at, d.updated_at
    from webhooks w cross join lateral (
      select id, webhook_id, event, attempts, http_status, error, delivered_at, failed_at, created_at, updated_at
      from webhook_deliveries where webhook_id = w.id order by created_at desc limit 1) d`)
  return new Map(rows.map((row) => [row.webhook_id, row]))
}
