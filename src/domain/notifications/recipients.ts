import { sql, type Sql } from '../../db/sql.ts'
import { permissionBits, type Permission } from '../auth/viewer.ts'
import type { Occasion } from '../../actions/notifications/notify.ts'

/**
 * Who is told: accounts by id (those that are not of this server are left out), everybody the status mentions, its author,
 * everybody who boosted it, everybody who quoted it (each is told about the own quote), everybody who voted in its poll, the
 * author's followers who asked to hear of every post, those whom severance events are about, or people whose role permits
 * something.
 */
export type Recipients =
  | readonly string[]
  | 'mentioned'
  | 'author'
  | 'boosters'
  | 'quoters'
  | 'voters'
  | 'subscribers'
  | { events: readonly string[] }
  | { may: Permission }

/** Statement that gives `account_id`, and what it is about as `subject_id` and `status_id`. */
export function recipients(occasion: Occasion): Sql {
  const { to } = occasion
  const [statusId, fromAccountId] = [occasion.statusId ?? null, occasion.fromAccountId ?? null]
  const status = sql`${statusId}::bigint as status_id`
  const subject = sql`${occasion.subjectId ?? null}::bigint as subject_id, ${status}`
  if (typeof to === 'object' && 'events' in to)
    return sql`select account_id, id as subject_id, ${status} from relationship_severance_events where id = any(${to.events}::bigint[])`
  if (typeof to === 'object' && 'may' in to)
    return sql`
      select ru.account_id, ${subject} from users ru join roles rr on rr.id = ru.role_id left join roles re on re.id = -99
      where ((rr.permissions | re.permissions) & ${permissionBits(to.may).toString()}::bigint) <> 0`
  switch (to) {
    case 'mentioned':
      return sql`select account_id, ${subject} from mentions where status_id = ${statusId}`
    case 'author':
      return sql`select account_id, ${subject} from statuses where id = ${statusId}`
    case 'boosters':
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
