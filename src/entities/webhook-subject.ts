import type { Context } from '../context.ts'
import { findReports } from '../domain/reports/reports.ts'
import { findVisibleStatuses, isPublicOrUnlisted } from '../domain/statuses/visibility.ts'
import type { WebhookEvent } from '../jobs/webhook-events.ts'
import type { JsonText } from '../lib/json.ts'
import { presentAdminAccounts } from './admin/account.ts'
import { presentAdminReports } from './admin/report.ts'
import { readStatusEntities } from './status-presenter.ts'

type Present = (ctx: Context, id: string) => Promise<object | null>

/** What an event is about: the part of its name before the dot. */
type SubjectKind = WebhookEvent extends `${infer Kind}.${string}` ? Kind : never

const presenters: Record<SubjectKind, Present> = {
  /** Here and in reports, public and unlisted statuses only: an address outside of the server is no recipient of private ones. */
  async status(ctx, id) {
    const visible = await findVisibleStatuses(ctx, null, [id])
    if (visible.length === 0) return null
    return (await readStatusEntities(ctx, null, [id]))[0] ?? null
  },
  account: async (ctx, id) => parsed(await presentAdminAccounts(ctx, [id])),
  async report(ctx, id) {
    const report = parsed(await presentAdminReports(ctx, null, await findReports(ctx, [id])))
    return report && { ...report, statuses: report.statuses.filter(({ visibility }) => isPublicOrUnlisted(visibility)) }
  },
}

const parsed = <T extends object>([entity]: readonly JsonText<T>[]): T | null =>
  entity ? (JSON.parse(entity.toString()) as T) : null

/** Null when the subject is gone, or is not for webhooks. */
export const presentWebhookSubject = (ctx: Context, event: WebhookEvent, id: string): Promise<object | null> =>
  presenters[event.split('.', 1)[0] as SubjectKind](ctx, id)
