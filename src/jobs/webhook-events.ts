/** Mastodon's events. `status` events are about public and unlisted local statuses, `account` events about local accounts. */
export const WEBHOOK_EVENTS = [
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
