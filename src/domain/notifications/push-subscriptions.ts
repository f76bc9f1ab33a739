import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import { checkTarget, type PushTarget } from './push-endpoint.ts'
import { NOTIFICATION_TYPES } from './types.ts'

/** From whom pushes are wanted: everybody, whom one follows, one's followers, nobody. */
export type PushPolicy = 'all' | 'followed' | 'follower' | 'none'

/** Types of notifications, and whether they are wanted. */
export type Alerts = Readonly<Record<string, boolean | undefined>>

export type SubscriptionRow = { id: string; endpoint: string; standard: boolean; alerts: string[]; policy: PushPolicy }

type Holder = { accountId: string; tokenId: string }

/** The push subscription of a token. Throws NotFound. */
export async function getSubscription(ctx: Context, { tokenId }: Holder): Promise<SubscriptionRow> {
  const row = await ctx.db.maybe<SubscriptionRow>(sql`
    select id, endpoint, standard, alerts, policy from push_subscriptions where token_id = ${tokenId}`)
  if (!row) throw new NotFound()
  return row
}

export type NewSubscription = Partial<PushTarget> & { standard?: boolean; alerts?: Alerts; policy?: PushPolicy }

/** Subscribes a token, instead of what it was subscribed to before. Throws Invalid. */
export async function saveSubscription(ctx: Context, holder: Holder, wish: NewSubscription): Promise<SubscriptionRow> {
  const { endpoint, p256dh, auth } = checkTarget(ctx, wish)
  const wanted = [
    endpoint,
    p256dh,
    auth,
    wish.standard ?? false,
    wantedTypes(wish.alerts ?? {}),
    wish.policy ?? 'all',
  ] as const
  const [, , , standard, alerts, policy] = wanted
  // Under a new id, so that pushes on their way to the old target do not reach the new one.
  return ctx.db.one<SubscriptionRow>(sql`
    insert into push_subscriptions (token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy)
    values (${holder.tokenId}, ${holder.accountId}, ${endpoint}, ${p256dh}, ${auth}, ${standard}, ${alerts}::text[], ${policy})
    on conflict (token_id) do update set id = default, endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
      standard = excluded.standard, alerts = excluded.alerts, policy = excluded.policy, created_at = now()
    returning id, endpoint, standard, alerts, policy`)
}

/** Changes which pushes a token gets. Alerts are given as a whole: those left out are off. Throws NotFound. */
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

/** Deletes a subscription that its push service refuses. */
export async function deleteSubscriptionById(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`delete from push_subscriptions where id = ${id}`)
}

/** Deletes the subscription of a token, if there is one. */
export async function deleteSubscription(ctx: Context, { tokenId }: Holder): Promise<void> {
  await ctx.db.run(sql`delete from push_subscriptions where token_id = ${tokenId}`)
}

const wantedTypes = (alerts: Alerts): string[] => NOTIFICATION_TYPES.filter((type) => alerts[type] === true)
