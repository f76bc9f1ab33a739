import type { PushSubscriptions } from '../../db/schema.ts'
import { ECDH } from 'node:crypto'
import { isIP } from 'node:net'
import { type Context, perServer } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { NOTIFICATION_TYPES } from './types.ts'
import { plainHttpUrl } from '../../lib/http-url.ts'
import { NotFound, invalid, problemOf } from '../../lib/errors.ts'
import { type Message, message } from '../../messages/message.ts'
import { createAddressPolicy } from '../../net/addresses.ts'

type PushPolicy = PushSubscriptions['policy']

type Alerts = Readonly<Record<string, boolean | undefined>>

export type SubscriptionRow = Pick<PushSubscriptions, 'id' | 'endpoint' | 'standard' | 'alerts' | 'policy'>

type Holder = { accountId: string; tokenId: string }

/** Throws NotFound. */
export async function getSubscription(ctx: Context, { tokenId }: Holder): Promise<SubscriptionRow> {
  const row = await ctx.db.maybe<SubscriptionRow>(sql`
    select id, endpoint, standard, alerts, policy from push_subscriptions where token_id = ${tokenId}`)
  if (!row) throw new NotFound()
  return row
}

type NewSubscription = Partial<PushTarget> & { standard?: boolean; alerts?: Alerts; policy?: PushPolicy }

/** Subscriptions of one account, which may have any number of tokens, and chooses the addresses to which pushes are sent. */
const MAX_SUBSCRIPTIONS = 50

/** Replaces the token's former subscription, and the account's oldest ones above the limit. Throws Invalid. */
export async function saveSubscription(
  ctx: Context,
  holder: Holder,
  wanted: NewSubscription,
): Promise<SubscriptionRow> {
  const { endpoint, p256dh, auth } = checkTarget(ctx, wanted)
  const { standard = false, alerts = {}, policy = 'all' } = wanted
  // The id changes, so that queued pushes to the former endpoint do not reach the new one.
  return ctx.transaction(async (tx) => {
    const saved = await tx.db.one<SubscriptionRow>(sql`
      insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy)
      values (${holder.tokenId}, ${holder.accountId}, ${endpoint}, ${p256dh}, ${auth}, ${standard}, ${wantedTypes(alerts)}::text[], ${policy})
      on conflict (token_id) do update set id = default, endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
        standard = excluded.standard, alerts = excluded.alerts, policy = excluded.policy, created_at = now()
      returning id, endpoint, standard, alerts, policy`)
    await tx.db.run(sql`
      delete from push_subscriptions where id in (
        select id from push_subscriptions where account_id = ${holder.accountId} order by id desc offset ${MAX_SUBSCRIPTIONS}::int)`)
    return saved
  })
}

/** `alerts` replaces all alerts: absent types are off. Throws NotFound. */
export async function changeSubscription(
  ctx: Context,
  { tokenId }: Holder,
  changes: { alerts?: Alerts; policy?: PushPolicy },
): Promise<SubscriptionRow> {
  const row = await ctx.db.maybe<SubscriptionRow>(sql`
    update push_subscriptions
    set alerts = coalesce(${changes.alerts ? wantedTypes(changes.alerts) : null}::text[], alerts), policy = coalesce(${changes.policy ?? null}, policy)
    where token_id = ${tokenId}
    returning id, endpoint, standard, alerts, policy`)
  if (!row) throw new NotFound()
  return row
}

export async function deleteSubscriptionById(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`delete from push_subscriptions where id = ${id}`)
}

export async function deleteSubscription(ctx: Context, { tokenId }: Holder): Promise<void> {
  await ctx.db.run(sql`delete from push_subscriptions where token_id = ${tokenId}`)
}

const wantedTypes = (alerts: Alerts): string[] => NOTIFICATION_TYPES.filter((type) => alerts[type] === true)

/** An SQL condition: whether the push subscription `ps` wants the notification `n`. */
export const wantsPush: Sql = sql`(ps.account_id = n.account_id and n.type = any(ps.alerts) and (ps.policy = 'all'
  or (ps.policy = 'followed' and exists (select from follows pf where pf.account_id = n.account_id and pf.target_account_id = n.from_account_id))
  or (ps.policy = 'follower' and exists (select from follows pf where pf.account_id = n.from_account_id and pf.target_account_id = n.account_id))))`

type PushTarget = Pick<PushSubscriptions, 'endpoint' | 'p256dh' | 'auth'>

const MAX_ENDPOINT_LENGTH = 2048
/** RFC 8291: an uncompressed point on P-256, and 16 random bytes. */
const BYTES = { p256dh: 65, auth: 16 }

const addresses = perServer((ctx) => createAddressPolicy(ctx.config.allowedPrivateAddresses))

/** Normalises a target: both keys as base64url without padding. Throws Invalid that names every problem. */
function checkTarget(ctx: Context, sent: Partial<PushTarget>): PushTarget {
  const problems: Message[] = []
  const endpoint = sent.endpoint?.trim() ?? ''
  if (endpoint === '') problems.push(problemOf('endpoint', message('blank')))
  else if (!isReachable(ctx, endpoint)) problems.push(problemOf('endpoint', message('invalid')))
  const p256dh = readKey(sent.p256dh)
  if (p256dh?.length !== BYTES.p256dh || !isOnCurve(p256dh)) problems.push(problemOf('key_p256dh', message('invalid')))
  const auth = readKey(sent.auth)
  if (auth?.length !== BYTES.auth) problems.push(problemOf('key_auth', message('invalid')))
  if (problems.length > 0 || !p256dh || !auth) throw invalid(problems)
  return { endpoint, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
}

/**
 * Accepts https only, except for allowed private addresses. Host names are resolved only when a push is sent: the gate
 * then refuses private addresses.
 */
function isReachable(ctx: Context, endpoint: string): boolean {
  const url = endpoint.length <= MAX_ENDPOINT_LENGTH ? plainHttpUrl(endpoint) : null
  if (!url) return false
  const name = url.hostname.replaceAll(/^\[|\]$|\.$/g, '')
  const address = /(^|\.)localhost$/.test(name) ? '127.0.0.1' : name
  const policy = addresses(ctx)
  if (url.protocol === 'http:') return policy.isListed(address)
  return isIP(address) === 0 ? name.includes('.') : policy.allows(address)
}

/** Reads base64url, or base64 as some libraries write it; null for other texts. */
function readKey(text: string | undefined): Buffer | null {
  const match = /^([A-Za-z0-9+/_-]{1,200})={0,2}$/.exec(text?.trim() ?? '')
  return match ? Buffer.from(match[1] as string, 'base64url') : null
}

function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1')
    return point[0] === 4
  } catch {
    return false
  }
}
