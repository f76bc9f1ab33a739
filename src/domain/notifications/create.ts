import type { Context } from '../../context.ts'
import { type Sql, newSnowflake, nothing, sql } from '../../db/sql.ts'
import { hasPermission, type Permission } from '../auth/viewer.ts'
import { accountsWhoseFiltersHide, hasNotificationFilters } from '../filters/active.ts'
import { policyDecisions } from './policy.ts'
import { wantsPush } from './push-subscriptions.ts'
import { BUCKET_SECONDS, type NotificationType, rulesOf } from './types.ts'
import { acceptsNotifications } from '../relationships/hidden.ts'
import { hasJoined } from '../users/states.ts'

export type NotificationEvent = {
  type: NotificationType
  /** The account that caused the event. Absent: each recipient itself. */
  fromAccountId?: string
  /** Whether that account is local, if known: the statement is then shorter. */
  fromLocal?: boolean
  /** The status it is about: for favourites and boosts the status that was favourited or boosted. */
  statusId?: string
  /** The id of a further subject, by type: severance event, warning, report, collection. */
  subjectId?: string
  to: NotificationRecipients
}

/**
 * Ids of accounts (remote ones are ignored), or a group: `quoters` are notified about their own quotes, `subscribers`
 * follow with `notify`, `events` names severance events, `may` selects users whose role has the permission.
 */
type NotificationRecipients =
  | readonly string[]
  | 'mentioned'
  | 'author'
  | 'rebloggers'
  | 'quoters'
  | 'voters'
  | 'subscribers'
  | { events: readonly string[] }
  | { may: Permission }

/** The id of a notification: a plain serial, which some apps store in 32 bits. */
const newNotificationId: Sql = sql`nextval('notification_sequence')`

/** The id of a request, in the format of most other ids. */
const newRequestId: Sql = newSnowflake(newNotificationId)

/** `subscriptions`: the push subscriptions that want it. */
export type CreatedNotification = { id: string; account_id: string; subscriptions: string[] }

/** `id` is null when the notification is not created yet because its recipient has a policy, or its sender is limited. */
export type CreatedRow = {
  id: string | null
  account_id: string
  from_account_id: string
  status_id: string | null
  filtered: boolean
  has_filters: boolean
  has_subscriptions: boolean
}

/**
 * Returns the notifications to stream and push. Recipients get none when a block, a mute that includes notifications, a domain
 * block, a muted conversation, an irreversible filter or their policy prevents it. Notifications that the policy
 * filters are held for a notification request of the sender, and not returned. May run twice; a renewed type replaces the former
 * notification.
 */
export async function createNotifications(tx: Context, event: NotificationEvent): Promise<CreatedNotification[]> {
  const { type, fromAccountId } = event
  if (rulesOf(type).renewed && fromAccountId !== undefined)
    await deleteNotificationsOfEvent(tx, { ...event, fromAccountId, to: event.to === 'quoters' ? 'quoters' : null })
  const rows = await tx.db.many<CreatedRow>(sql`
    with ${insertedNotifications(event, recipientsOf(event), 'unless-policy')} ${createdRows(type)}`)
  return finishNotifications(tx, event, rows)
}

/** Notifies one account of the acts of several, in one statement. The type must be neither renewed nor about a status. */
export async function createNotificationsFrom(
  tx: Context,
  fromAccountIds: readonly string[],
  event: { type: NotificationType; to: readonly [string] },
): Promise<CreatedNotification[]> {
  const recipients = sql`
    select ${event.to[0]}::bigint as account_id, null::bigint as subject_id, null::bigint as status_id, from_account_id
    from unnest(${fromAccountIds}::bigint[]) given (from_account_id)`
  const source = { sender: sql`r.from_account_id`, conversation: null }
  const rows = await tx.db.many<CreatedRow>(sql`
    with ${insertedNotifications(event, recipients, 'by-policy', source)} ${createdRows(event.type)}`)
  return finishNotifications(tx, event, rows)
}

/** The last step after a statement with `insertedNotifications` and `createdRows`. */
export async function finishNotifications(
  tx: Context,
  event: NotificationEvent,
  rows: readonly CreatedRow[],
): Promise<CreatedNotification[]> {
  const created = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]))
  const undecided = rows.filter(({ id }) => id === null).map((row) => row.account_id)
  if (undecided.length > 0) {
    const rest = sql`select * from (${recipientsOf(event)}) rest where account_id = any(${undecided}::bigint[])`
    const decided = await tx.db.many<Created>(sql`
      with ${insertedNotifications(event, rest, 'by-policy')} ${createdRows(event.type)}`)
    created.push(...decided)
  }
  const shown = (await applyFilters(tx, event.statusId ?? null, created)).filter(({ filtered }) => !filtered)
  return withSubscriptions(tx, shown)
}

type Created = Omit<CreatedRow, 'id'> & { id: string }

/** SQL for the sender of a notification and the conversation of its status, from the columns of its recipient `r`. */
type NotificationSource = { sender: Sql; conversation: Sql | null }

const sourceOf = ({ fromAccountId, statusId }: NotificationEvent): NotificationSource => ({
  sender: sql`coalesce(${fromAccountId ?? null}::bigint, r.account_id)`,
  conversation: statusId === undefined ? null : sql`(select conversation_id from statuses where id = ${statusId})`,
})

/**
 * Members of a `with` list; `created` has the new notifications. `recipients` selects `account_id`, `subject_id` and
 * `status_id`. Few recipients have a policy, and few senders are limited, but the look-ups for them cost more than all others.
 * So the first statement leaves these notifications out, as rows of `undecided`, and a second one creates them.
 */
export function insertedNotifications(
  event: NotificationEvent,
  recipients: Sql,
  mode: 'unless-policy' | 'by-policy',
  { sender, conversation }: NotificationSource = sourceOf(event),
): Sql {
  const { type, statusId = null } = event
  const rules = rulesOf(type)
  const mayFilter = rules.filterable === true
  const decisions = {
    'unless-policy': sql`case when p.account_id is null and fa.silenced_at is null then '{}'::text[] end`,
    'by-policy': policyDecisions(statusId),
  }[mode]
  const requested = sql`, requested as (
      insert into notification_requests (id, account_id, from_account_id)
      select ${newRequestId}, account_id, from_account_id from created where filtered order by account_id
      on conflict (account_id, from_account_id) do update set updated_at = now()
    )`
  return sql`wanted as materialized (
      select r.account_id, r.subject_id, r.status_id, fa.id as from_account_id, ${mayFilter ? decisions : sql`'{}'::text[]`} as decisions
      from (${recipients}) r
        join accounts ra on ra.id = r.account_id and ra.domain is null and ra.suspended_at is null
        join users u on u.account_id = r.account_id and ${hasJoined}
        join accounts fa on fa.id = ${sender} and fa.suspended_at is null
        ${mayFilter ? sql`left join notification_policies p on p.account_id = r.account_id` : nothing}
      where ${rules.ownActivity ? sql`true` : sql`r.account_id <> fa.id`}
        and ${acceptsNotifications({ fromLocal: event.fromLocal === true, mentionedIn: type === 'mention' ? statusId : null })}
        ${conversation === null ? nothing : sql`and not exists (select from conversation_mutes cm where cm.account_id = r.account_id and cm.conversation_id = ${conversation})`}
    ), created as (
      insert into notifications (id, account_id, from_account_id, type, status_id, subject_id, group_key, filtered)
      select ${newNotificationId}, account_id, from_account_id, ${type}, status_id, subject_id,
        case when 'filter' <> all(decisions) then ${groupKey(type)} end, 'filter' = any(decisions)
      from wanted where 'drop' <> all(decisions)
      on conflict on constraint notifications_once do nothing
      returning id, account_id, from_account_id, status_id, filtered
    ), undecided as (select account_id, from_account_id, status_id from wanted where decisions is null)
    ${mode === 'by-policy' ? requested : nothing}`
}

/** Selects CreatedRows. */
export function createdRows(type: NotificationType): Sql {
  const hasFilters = rulesOf(type).matchesFilters ? hasNotificationFilters(sql`c.account_id`) : sql`false`
  return sql`
    select c.id, c.account_id, c.from_account_id, c.status_id, c.filtered, ${hasFilters} as has_filters,
      exists (select from push_subscriptions ps where ps.account_id = c.account_id) as has_subscriptions
    from created c where not c.filtered or ${hasFilters}
    union all select null, account_id, from_account_id, status_id, false, false, false from undecided`
}

async function withSubscriptions(tx: Context, created: readonly Created[]): Promise<CreatedNotification[]> {
  const ids = created.flatMap(({ id, has_subscriptions }) => (has_subscriptions ? [id] : []))
  const wanting =
    ids.length === 0
      ? []
      : await tx.db.many<{ notification_id: string; id: string }>(sql`
          select n.id as notification_id, ps.id from notifications n join push_subscriptions ps on ${wantsPush}
          where n.id = any(${ids}::bigint[])`)
  const subscriptions = Map.groupBy(wanting, (row) => row.notification_id)
  return created.map(({ id, account_id }) => ({
    id,
    account_id,
    subscriptions: (subscriptions.get(id) ?? []).map((row) => row.id),
  }))
}

/** Deletes the notifications that irreversible filters of their recipients hide, and returns the others. */
async function applyFilters(tx: Context, statusId: string | null, rows: Created[]): Promise<Created[]> {
  const accountIds = rows.filter(({ has_filters }) => has_filters).map(({ account_id }) => account_id)
  if (statusId === null || accountIds.length === 0) return rows
  const hiding = await accountsWhoseFiltersHide(tx, statusId, accountIds)
  const ids = rows.flatMap(({ id, account_id }) => (hiding.has(account_id) ? [id] : []))
  if (ids.length > 0) await tx.db.run(sql`delete from notifications where id = any(${ids}::bigint[])`)
  return rows.filter(({ account_id }) => !hiding.has(account_id))
}

/** A statement that selects `account_id`, `subject_id` and `status_id`. */
function recipientsOf(event: NotificationEvent): Sql {
  const { to } = event
  const [statusId, fromAccountId] = [event.statusId ?? null, event.fromAccountId ?? null]
  const status = sql`${statusId}::bigint as status_id`
  const subject = sql`${event.subjectId ?? null}::bigint as subject_id, ${status}`
  if (typeof to === 'object' && 'events' in to)
    return sql`select account_id, id as subject_id, ${status} from relationship_severance_events where id = any(${to.events}::bigint[])`
  if (typeof to === 'object' && 'may' in to)
    return sql`
      select u.account_id, ${subject} from users u join roles r on r.id = u.role_id
      where ${hasPermission(to.may)}`
  switch (to) {
    case 'mentioned':
      return sql`select account_id, ${subject} from mentions where status_id = ${statusId}`
    case 'author':
      return sql`select account_id, ${subject} from statuses where id = ${statusId}`
    case 'rebloggers':
      return sql`select account_id, ${subject} from statuses where reblog_of_id = ${statusId}`
    case 'quoters':
      return sql`
        select account_id, null::bigint as subject_id, status_id from quotes where quoted_status_id = ${statusId} and state = 'accepted'`
    case 'voters':
      return sql`
        select distinct v.account_id, ${subject} from polls p join poll_votes v on v.poll_id = p.id where p.status_id = ${statusId}`
    case 'subscribers':
      return sql`select account_id, ${subject} from follows where target_account_id = ${fromAccountId} and notify`
    default:
      return sql`select distinct account_id, ${subject} from unnest(${to}::bigint[]) given (account_id)`
  }
}

/**
 * Which notifications to delete: those of all recipients, of accounts that quoted the status (about their quotes), or of `to`.
 * Notifications about a relationship name no status, so they need `to`.
 */
type Retraction = Pick<NotificationEvent, 'type' | 'statusId' | 'subjectId'> & {
  fromAccountId: string
  to?: readonly string[] | 'quoters' | null
}

export async function deleteNotificationsOfEvent(
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

/** The key of a notification's group, from the column `status_id`. */
function groupKey(type: NotificationType): Sql {
  if (!rulesOf(type).grouped) return sql`null::text`
  return sql`concat_ws('-', ${type}::text, status_id, ${String(Math.floor(Date.now() / 1000 / BUCKET_SECONDS))}::text)`
}
