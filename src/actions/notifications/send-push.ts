import { FetchError } from '../../net/fetch-error.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { getSecrets } from '../../domain/server/secrets.ts'
import { getSettings } from '../../domain/server/settings.ts'
import { findNotification } from '../../domain/notifications/list.ts'
import { payloadOf, type PushRow } from '../../domain/notifications/push-payload.ts'

/** How long a push service keeps a message for a device that is not there, and how old one may get on our side: seconds. */
const TTL = 48 * 3600

/**
 * Job `push.send`: sends one notification to the push service of one subscription. What the recipient is not to be shown any
 * more, was read away, or is too old is not sent. Where the service says that the subscription is no good, it is removed; for
 * what may pass, it throws, and is tried again.
 */
export async function sendPush(ctx: Context, { subscriptionId, notificationId }: JobData['push.send']): Promise<void> {
  const row = await readPush(ctx, subscriptionId, notificationId)
  if (!row || !(await findNotification(ctx, { accountId: row.account_id }, notificationId))) return
  const request = await requestOf(ctx, row)
  try {
    const { status } = await ctx.fetch.request(row.endpoint, {
      ...request,
      method: 'POST',
      redirects: 0,
      maxBytes: 16_384,
      service: true,
    })
    if (status >= 200 && status < 300) return
    if (status < 400 || status >= 500 || status === 408 || status === 429)
      throw new Error(`the push service answered ${status}`)
  } catch (error) {
    // What is not on the public internet will not be pushed to later either.
    if (!(error instanceof FetchError) || !['address', 'scheme'].includes(error.reason)) throw error
    ctx.log.info({ err: error, subscriptionId }, 'a push subscription names an address that is not pushed to')
  }
  await ctx.db.run(sql`delete from push_subscriptions where id = ${subscriptionId}`)
}

async function readPush(ctx: Context, subscriptionId: string, notificationId: string): Promise<PushRow | null> {
  return ctx.db.maybe<PushRow>(sql`
    select ps.account_id, ps.endpoint, ps.p256dh, ps.auth, ps.standard, t.sealed, u.locale, n.id as notification_id, n.type,
      fa.username, fa.display_name, fa.note, fa.avatar_key, fa.avatar_static_key, s.spoiler_text, s.content
    from push_subscriptions ps
    join oauth_tokens t on t.id = ps.token_id
    join users u on u.id = t.user_id and u.confirmed_at is not null and u.approved and not u.disabled
    join accounts a on a.id = ps.account_id and a.suspended_at is null
    join notifications n on n.id = ${notificationId} and n.account_id = ps.account_id and not n.filtered
      and n.created_at > now() - ${TTL}::int * interval '1 second'
    join accounts fa on fa.id = n.from_account_id
    left join statuses s on s.id = n.status_id
    where ps.id = ${subscriptionId}`)
}

async function requestOf(ctx: Context, row: PushRow): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const [{ vapid, tokenKey }, { site_contact_email: contact }] = await Promise.all([getSecrets(ctx), getSettings(ctx)])
  const { default: webpush } = await import('web-push')
  const host = ctx.config.webDomain.replace(/:\d+$/, '')
  const { headers, body } = webpush.generateRequestDetails(
    { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } },
    payloadOf(ctx, row, tokenKey),
    {
      vapidDetails: { subject: `mailto:${contact || `webmaster@${host}`}`, ...vapid },
      TTL,
      urgency: 'normal',
      contentEncoding: row.standard ? 'aes128gcm' : 'aesgcm',
    },
  )
  // The length is for whoever writes it to the socket to say.
  const said = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length')
  return { headers: Object.fromEntries(said.map(([name, value]) => [name, String(value)])), body: body as Buffer }
}
