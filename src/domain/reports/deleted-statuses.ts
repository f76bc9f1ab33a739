// The text of reported posts that were deleted before a moderator decided on the report: it stays for a while, so that authors
// cannot hide it by deleting.
import type { Context } from '../../context.ts'
import type { DeletedReportedStatuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'

/** Days after the deletion. */
export const KEEP_DAYS = 30

/** Call it before the rows of the statuses are deleted, and before their media are detached. Their files are not kept. */
export async function keepReportedStatuses(tx: Context, ids: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    insert into deleted_reported_statuses (id, account_id, spoiler_text, content, language, poll_options, media_descriptions, created_at)
    select s.id, s.account_id, s.spoiler_text, s.content, s.language,
      coalesce((select p.options from polls p where p.id = s.poll_id), '{}'),
      array(select coalesce(m.description, '') from media_attachments m where m.id = any(s.media_ids) order by m.id), s.created_at
    from statuses s
    where s.id = any(${ids}::bigint[]) and exists (
      select from reports r where r.target_account_id = s.account_id and r.action_taken_at is null and s.id = any(r.status_ids))
    on conflict do nothing`)
}

export type DeletedReportedStatus = Omit<DeletedReportedStatuses, 'account_id'>

/** Oldest first. */
export const findDeletedReported = (ctx: Context, ids: readonly string[]): Promise<DeletedReportedStatus[]> =>
  ctx.db.many<DeletedReportedStatus>(sql`
    select id, spoiler_text, content, language, poll_options, media_descriptions, created_at, deleted_at
    from deleted_reported_statuses where id = any(${ids}::bigint[]) order by id`)
