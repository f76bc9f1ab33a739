import type { Context } from '../../context.ts'
import { sql, today } from '../../db/sql.ts'
import { SESSION_DAYS } from '../auth/sessions.ts'
import { WAITING_DAYS } from '../fasp/providers.ts'
import { KEEP_DAYS } from '../reports/deleted-statuses.ts'
import { KEY_LIFETIME } from '../statuses/idempotency.ts'

const EXPIRED = {
  'expired-idempotency-keys': sql`delete from idempotency_keys where created_at <= now() - ${KEY_LIFETIME}`,
  'expired-inbox-activities': sql`delete from inbox_activities where received_at < now() - interval '30 days'`,
  'expired-outbox-activities': sql`delete from outbox_activities where created_at < now() - interval '7 days'`,
  'sent-encrypted-messages': sql`delete from outgoing_encrypted_messages where created_at < now() - interval '1 day'`,
  'expired-one-time-links': sql`delete from one_time_tokens where expires_at < now()`,
  'expired-rate-limits': sql`delete from rate_limits where expires_at < now()`,
  'expired-sign-in-steps': sql`delete from sign_in_steps where expires_at < now()`,
  'expired-identity-requests': sql`delete from identity_requests where expires_at < now()`,
  'expired-identity-sign-ups': sql`delete from identity_sign_ups where expires_at < now()`,
  'spent-challenges': sql`delete from spent_challenges where expires_at < now()`,
  'unconfirmed-authenticators': sql`
    delete from totp_keys where confirmed_at is null and created_at < now() - interval '1 day'`,
  'expired-ip-blocks': sql`delete from ip_blocks where expires_at < now()`,
  'old-email-domain-attempts': sql`delete from email_domain_block_attempts where day < ${today} - 7`,
  'expired-oauth-grants': sql`delete from oauth_grants where expires_at < now() - interval '1 day'`,
  'expired-sessions': sql`delete from sessions where last_seen_at < now() - make_interval(days => ${SESSION_DAYS}::int)`,
  // The other IP addresses are kept no longer than those of sessions.
  'old-login-activities': sql`
    delete from login_activities where created_at < now() - make_interval(days => ${SESSION_DAYS}::int)`,
  'old-sign-up-addresses': sql`
    update users set sign_up_ip = null
    where sign_up_ip is not null and created_at < now() - make_interval(days => ${SESSION_DAYS}::int)`,
  'old-token-addresses': sql`
    update oauth_tokens set last_used_ip = null
    where last_used_ip is not null and last_used_at < now() - make_interval(days => ${SESSION_DAYS}::int)`,
  'expired-async-refreshes': sql`delete from async_refreshes where started_at < now() - interval '1 day'`,
  'expired-translations': sql`delete from status_translations where created_at < now() - interval '30 days'`,
  'deleted-reported-statuses': sql`delete from deleted_reported_statuses where deleted_at < now() - make_interval(days => ${KEEP_DAYS}::int)`,
  'unconfirmed-email-subscriptions': sql`
    delete from email_subscriptions
    where confirmed_at is null and created_at < now() - interval '7 days'`,
  'expired-webhook-deliveries': sql`delete from webhook_deliveries where created_at < now() - interval '3 days'`,
  'expired-fasp-registrations': sql`
    delete from fasp_providers where confirmed_at is null and created_at < now() - make_interval(days => ${WAITING_DAYS}::int)`,
  'expired-fasp-events': sql`delete from fasp_events where created_at < now() - interval '1 day'`,
  'expired-fasp-backfills': sql`
    delete from fasp_backfills where fulfilled_at < now() - interval '1 day' or created_at < now() - interval '30 days'`,
  'expired-fasp-recommendations': sql`delete from fasp_follow_recommendations where created_at < now() - interval '30 days'`,
  'expired-fasp-callbacks': sql`delete from fasp_debug_callbacks where created_at < now() - interval '7 days'`,
  // The owner may ask again. An item without a URI is in a local collection.
  'rejected-collection-items': sql`
    delete from collection_items where state = 'rejected' and uri is null and verified_at < now() - interval '1 day'`,
  'expired-imports': sql`
    delete from imports where (state = 'finished' and finished_at < now() - interval '30 days')
      or (state = 'unconfirmed' and created_at < now() - interval '1 day')`,
}

export const expiredRowTasks = (): Record<string, (ctx: Context) => Promise<number>> =>
  Object.fromEntries(
    Object.entries(EXPIRED).map(([task, statement]) => [task, (ctx: Context) => ctx.db.run(statement)]),
  )
