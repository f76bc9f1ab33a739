import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import { isPublicOrUnlisted } from './visibility.ts'

/**
 * Links replies that came before their parent to it: all, or one. Where the parent restricts replies, those by others wait until
 * the job `federation.approval` has looked at each.
 */
export async function linkReplies(
  tx: Context,
  parent: { id: string; uri: string },
  onlyId: string | null = null,
): Promise<void> {
  const waiting = await tx.db.many<{ id: string }>(sql`
    with linked as (
      update statuses c set in_reply_to_id = p.id, in_reply_to_account_id = p.account_id, in_reply_to_uri = null,
        approval = case when p.approval is not null or (p.interaction_policy ? 'reply' and c.account_id <> p.account_id) then 'pending' end
      from statuses p where p.id = ${parent.id} and c.in_reply_to_uri = ${parent.uri} and p.id <> c.id
        ${onlyId === null ? nothing : sql`and c.id = ${onlyId}`}
      returning c.id, c.visibility, c.approval
    ), counted as (
      insert into status_stats (status_id, replies_count)
      select ${parent.id}::bigint, count(*)::int from linked where ${isPublicOrUnlisted(sql`visibility`)} and approval is null having count(*) > 0
      on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count
    )
    select id from linked where approval = 'pending'`)
  if (waiting.length > 0)
    await tx.enqueueMany(
      'federation.approval',
      waiting.map(({ id }) => ({ statusId: id, quiet: true })),
    )
}
