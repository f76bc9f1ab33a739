import type { Context } from '../../context.ts'
import { nothing, sql, type Sql } from '../../db/sql.ts'
import { accountsWhoseFiltersHide, hasNotificationFilters } from '../../domain/filters/active.ts'
import { recipients, type Recipients } from '../../domain/notifications/recipients.ts'
import {
  BUCKET_SECONDS,
  FILTERABLE,
  GROUPED,
  OWN_DOING,
  RENEWED,
  SCREENED,
  type NotificationType,
} from '../../domain/notifications/types.ts'
import { policyVerdicts } from '../../domain/notifications/decision.ts'
import { acceptsNotifications } from '../../domain/relationships/hidden.ts'

export type Occasion = {
  type: NotificationType
  /** Whose doing it is. Absent: each recipient's own affair. */
  fromAccountId?: string
  /** The post it is about: of favourites and boosts the one that was favourited or boosted. */
  statusId?: string
  /** What else it is about, by type: the severance event, the warning, the report, the collection. */
  subjectId?: string
  to: Recipients
}

/** A snowflake like all others, made where the rows are. */
const newSnowflake: Sql = sql`(floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 16) | (nextval('notification_sequence') & 65535)`

type Told = { id: string; account_id: string; filtered: boolean; screens: boolean; subscriptions: string[] }

/**
 * Tells people of this server what happened, in one statement however many they are, unless they do not want to hear of it:
 * blocks either way, mutes that hide notifications, domains they block, muted conversations, irreversible filters, their policy. What the policy
 * filters is kept for the sender's request and not announced. What somebody was told already is not told again, but for
 * changes, where the newest counts. Whoever has subscribed to it is sent a push.
 */
export async function notify(tx: Context, occasion: Occasion): Promise<void> {
  const { type, fromAccountId, statusId = null } = occasion
  if (RENEWED.includes(type) && fromAccountId !== undefined)
    await unnotify(tx, { ...occasion, fromAccountId, to: occasion.to === 'quoters' ? 'quoters' : null })
  const screens = SCREENED.includes(type) ? hasNotificationFilters(sql`t.account_id`) : sql`false`
  const rows = await tx.db.many<Told>(sql`
    with wanted as materialized (
      select r.account_id, r.subject_id, r.status_id, fa.id as from_account_id, ${FILTERABLE.includes(type) ? policyVerdicts(statusId) : sql`'{}'::text[]`} as verdicts
      from (${recipients(occasion)}) r
        join accounts ra on ra.id = r.account_id and ra.domain is null and ra.suspended_at is null
        join users u on u.account_id = r.account_id and u.confirmed_at is not null and u.approved
        join accounts fa on fa.id = coalesce(${fromAccountId ?? null}::bigint, r.account_id) and fa.suspended_at is null
        left join notification_policies p on p.account_id = r.account_id
      where ${OWN_DOING.includes(type) ? sql`true` : sql`r.account_id <> fa.id`}
        and ${acceptsNotifications}
        ${
          statusId === null
            ? nothing
            : sql`and not exists (
          select from statuses s join conversation_mutes cm on cm.conversation_id = s.conversation_id
          where s.id = ${statusId} and cm.account_id = r.account_id)`
        }
    ), told as (
      insert into notifications (id, account_id, from_account_id, type, status_id, subject_id, group_key, filtered)
      select ${newSnowflake}, account_id, from_account_id, ${type}, status_id, subject_id,
        case when 'filter' <> all(verdicts) then ${groupKey(type, statusId)}::text end, 'filter' = any(verdicts)
      from wanted where 'drop' <> all(verdicts)
      on conflict on constraint notifications_once do nothing
      returning id, account_id, from_account_id, filtered
    ), asked as (
      insert into notification_requests (id, account_id, from_account_id)
      select ${newSnowflake}, account_id, from_account_id from told where filtered order by account_id
      on conflict (account_id, from_account_id) do update set updated_at = now()
    )
    select t.id, t.account_id, t.filtered, ${screens} as screens, array(select ps.id::text from push_subscriptions ps where ${wantsPush(type)}) as subscriptions
    from told t where not t.filtered or ${screens}`)
  const told = (await screen(tx, statusId, rows)).filter(({ filtered }) => !filtered)
  tx.publish(...told.map(({ id, account_id }) => ({ type: 'notification.new' as const, id, accountId: account_id })))
  const pushes = told.flatMap(({ id, subscriptions }) =>
    subscriptions.map((subscriptionId) => ({ subscriptionId, notificationId: id })),
  )
  if (pushes.length > 0) await tx.enqueueMany('push.send', pushes)
}

/** Takes back what filters keep from those who would have been told. Gives who is left. */
async function screen(tx: Context, statusId: string | null, rows: Told[]): Promise<Told[]> {
  const asked = rows.filter(({ screens }) => screens).map(({ account_id }) => account_id)
  if (statusId === null || asked.length === 0) return rows
  const out = await accountsWhoseFiltersHide(tx, statusId, asked)
  const ids = rows.flatMap(({ id, account_id }) => (out.has(account_id) ? [id] : []))
  if (ids.length > 0) await tx.db.run(sql`delete from notifications where id = any(${ids}::bigint[])`)
  return rows.filter(({ account_id }) => !out.has(account_id))
}

/** What `unnotify` takes back: of everybody, of those who quoted the status about their quotes, or of `to` only (ties between two people have no status to name them). */
export type Retraction = {
  type: NotificationType
  fromAccountId: string
  statusId?: string
  subjectId?: string
  to?: readonly string[] | 'quoters' | null
}

/** Takes back what `notify` told. */
export async function unnotify(
  tx: Context,
  { type, fromAccountId, statusId, subjectId, to }: Retraction,
): Promise<void> {
  await tx.db.run(sql`
    delete from notifications
    where from_account_id = ${fromAccountId} and type = ${type}
      and ${aboutStatus(statusId, to === 'quoters')}
      and ${subjectId === undefined ? sql`subject_id is null` : sql`subject_id = ${subjectId}`}
      ${to && to !== 'quoters' ? sql`and account_id = any(${to}::bigint[])` : nothing}`)
}

function aboutStatus(statusId: string | undefined, quotesOf: boolean): Sql {
  if (statusId === undefined) return sql`status_id is null`
  return quotesOf
    ? sql`status_id in (select status_id from quotes where quoted_status_id = ${statusId})`
    : sql`status_id = ${statusId}`
}

function groupKey(type: NotificationType, statusId: string | null): string | null {
  if (!GROUPED.includes(type)) return null
  return [type, statusId, Math.floor(Date.now() / 1000 / BUCKET_SECONDS)].filter((part) => part !== null).join('-')
}

/** Whether the subscription `ps` is to hear of the notification `t`. */
function wantsPush(type: NotificationType): Sql {
  return sql`ps.account_id = t.account_id and ${type} = any(ps.alerts) and (ps.policy = 'all'
    or (ps.policy = 'followed' and exists (select from follows pf where pf.account_id = t.account_id and pf.target_account_id = t.from_account_id))
    or (ps.policy = 'follower' and exists (select from follows pf where pf.account_id = t.from_account_id and pf.target_account_id = t.account_id)))`
}
