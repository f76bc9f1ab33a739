import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import type { Webhooks } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidFields, type ErrorDetails, NotFound } from '../../lib/errors.ts'
import { plainHttpUrl } from '../../lib/http-url.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../jobs/webhook-events.ts'
import { message, type TextKey } from '../../messages/message.ts'
import type { Permission } from '../auth/viewer.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'
import { isTemplate } from './template.ts'

const MAX_WEBHOOKS = 50
const MAX_URL = 2048

export type Webhook = Pick<Webhooks, 'id' | 'url' | 'template' | 'enabled' | 'created_at'> & { events: WebhookEvent[] }

export type WebhookForm = { url: string; events: readonly string[]; template: string }

/** The permission to see what an event contains; null where everyone may. Only staff who have it can choose the event. */
export const EVENT_PERMISSION: Record<WebhookEvent, Permission | null> = {
  'account.approved': 'manage_users',
  'account.created': 'manage_users',
  'account.updated': 'manage_users',
  'report.created': 'manage_reports',
  'report.updated': 'manage_reports',
  'status.created': null,
  'status.updated': null,
}

/** Throws Invalid with `details` that name every problem. */
export function checkWebhook(form: WebhookForm): { url: string; events: WebhookEvent[]; template: string | null } {
  const url = form.url.trim()
  const template = form.template.trim()
  const events = WEBHOOK_EVENTS.filter((event) => form.events.includes(event))
  const details: ErrorDetails = {}
  const refuse = (field: string, key: TextKey & ('webhook_url' | 'webhook_events' | 'webhook_template')): void => {
    details[field] = [{ error: 'ERR_INVALID', description: message(key) }]
  }
  if (url.length > MAX_URL || plainHttpUrl(url) === null) refuse('url', 'webhook_url')
  if (events.length === 0) refuse('events', 'webhook_events')
  if (template !== '' && !isTemplate(template)) refuse('template', 'webhook_template')
  if (Object.keys(details).length > 0) throw invalidFields(details)
  return { url, events, template: template || null }
}

const columns = sql`id, url, events, template, enabled, created_at`

export const listWebhooks = (ctx: Context): Promise<Webhook[]> =>
  ctx.db.many<Webhook>(sql`select ${columns} from webhooks order by id`)

/** Throws NotFound. */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  const webhook = await ctx.db.maybe<Webhook>(sql`select ${columns} from webhooks where id = ${id}`)
  if (!webhook) throw new NotFound()
  return webhook
}

const newWebhookSecret = async (ctx: Context): Promise<Buffer> =>
  seal((await getSecrets(ctx)).tokenKey, randomBytes(20).toString('hex'))

/** Throws NotFound. */
export async function readWebhookSecret(ctx: Context, id: string): Promise<string> {
  const row = await ctx.db.maybe<Pick<Webhooks, 'secret'>>(sql`select secret from webhooks where id = ${id}`)
  if (!row) throw new NotFound()
  return unseal((await getSecrets(ctx)).tokenKey, row.secret)
}

type Checked = ReturnType<typeof checkWebhook>

/** Throws Invalid for an address that another webhook has, and above the limit. */
export async function insertWebhook(tx: Context, { url, events, template }: Checked): Promise<string> {
  const secret = await newWebhookSecret(tx)
  const row = await refuseDuplicate('url', () =>
    tx.db.maybe<Pick<Webhooks, 'id'>>(sql`
      insert into webhooks (url, events, template, secret)
      select ${url}, ${events}::text[], ${template}, ${secret} where (select count(*) from webhooks) < ${MAX_WEBHOOKS}
      returning id`),
  )
  if (!row)
    throw invalidFields({
      base: [{ error: 'ERR_INVALID', description: message('webhook_limit', { count: MAX_WEBHOOKS }) }],
    })
  return row.id
}

/** False when it was so before. Throws NotFound; Invalid for an address that another webhook has. */
export async function updateWebhook(tx: Context, id: string, { url, events, template }: Checked): Promise<boolean> {
  await getWebhook(tx, id)
  const changed = await refuseDuplicate('url', () =>
    tx.db.run(sql`
      update webhooks set url = ${url}, events = ${events}::text[], template = ${template}, updated_at = now()
      where id = ${id} and (url, events, template) is distinct from (${url}, ${events}::text[], ${template})`),
  )
  return changed > 0
}

/** False when it was so before. */
export const setWebhookEnabled = async (tx: Context, id: string, enabled: boolean): Promise<boolean> =>
  (await tx.db.run(sql`
    update webhooks set enabled = ${enabled}, updated_at = now() where id = ${id} and enabled <> ${enabled}`)) > 0

export async function rotateStoredSecret(tx: Context, id: string): Promise<void> {
  const secret = await newWebhookSecret(tx)
  await tx.db.run(sql`update webhooks set secret = ${secret}, updated_at = now() where id = ${id}`)
}

export const deleteStoredWebhook = (tx: Context, id: string): Promise<number> =>
  tx.db.run(sql`delete from webhooks where id = ${id}`)
