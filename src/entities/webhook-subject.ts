import type { Context } from '../context.ts'
import { findReports } from '../domain/reports/reports.ts'
import { findVisibleStatuses } from '../domain/statuses/visibility.ts'
import type { WebhookEvent } from '../jobs/webhook-events.ts'
import { presentAdminAccounts } from './admin/account.ts'
import { presentAdminReports } from './admin/report.ts'
import { readStatusEntities } from './status-presenter.ts'

type Present = (ctx: Context, id: string) => Promise<object | null>

const presenters: Record<string, Present> = {
  /** Public and unlisted statuses only: an address outside of the server is no recipient of private ones. */
  async status(ctx, id) {
    const visible = await findVisibleStatuses(ctx, null, [id])
    if (visible.length === 0) return null
    return (await readStatusEntities(ctx, null, [id]))[0] ?? null
  },
  account: async (ctx, id) => parsed(await presentAdminAccounts(ctx, [id])),
  report: async (ctx, id) => parsed(await presentAdminReports(ctx, null, await findReports(ctx, [id]))),
}

const parsed = ([entity]: readonly Buffer[]): object | null =>
  entity ? (JSON.parse(entity.toString()) as object) : null

/** Null when the subject is gone, or is not for webhooks. */
export const presentWebhookSubject = (ctx: Context, event: WebhookEvent, id: string): Promise<object | null> =>
  (presenters[event.split('.', 1)[0] as string] as Present)(ctx, id)
