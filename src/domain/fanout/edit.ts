import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { addToConversations } from '../conversations/add.ts'
import { removeFromConversations } from '../conversations/remove.ts'
import { notify, unnotify } from '../notifications/notify.ts'
import { applyEdit, type Edited, type StatusChanges } from '../statuses/edit.ts'
import { readReach } from './reach.ts'
import { tendToEdited } from './tend.ts'

/**
 * Edits a post, of this server or another: keeps the revision before, and in the same transaction tells those who are newly
 * mentioned, who boosted or quoted it, and other servers. Gives false, and does nothing, when nothing would change. Throws NotFound.
 */
export async function editStatus(ctx: Context, statusId: string, changes: StatusChanges): Promise<boolean> {
  const replaced: string[] = []
  const changed = await ctx.transaction(async (tx) => {
    replaced.length = 0
    const edited = await applyEdit(tx, statusId, changes)
    if (!edited) return false
    replaced.push(...edited.replaced)
    await tendToEdited(tx, statusId)
    await tellOfEdit(tx, statusId, edited)
    return true
  })
  if (replaced.length > 0) await ctx.files.delete(replaced)
  return changed
}

async function tellOfEdit(tx: Context, statusId: string, edited: Edited): Promise<void> {
  if (edited.revised) {
    const about = { fromAccountId: edited.accountId, statusId }
    if (edited.unmentioned.length > 0) await unnotify(tx, { type: 'mention', ...about, to: edited.unmentioned })
    if (edited.mentioned.length > 0) await notify(tx, { type: 'mention', ...about, to: edited.mentioned })
    if (edited.unmentioned.length > 0)
      await removeFromConversations(tx, sql`select ${statusId}::bigint`, edited.unmentioned)
    if (edited.mentioned.length > 0) await addToConversations(tx, [statusId], edited.mentioned)
    await notify(tx, { type: 'update', ...about, to: 'boosters' })
    await notify(tx, { type: 'quoted_update', ...about, to: 'quoters' })
  }
  if (edited.local && ((await readReach(tx, statusId)).elsewhere || (await wasPassedOn(tx, statusId))))
    await tx.enqueue('federation.distribute', { activity: edited.revised ? 'update' : 'refresh', statusId })
  tx.publish({ type: 'status.edited', id: statusId })
}

/** Whether somebody of another server boosted it, favourited it, answered, quoted it or voted: they have a copy, whoever follows the author. */
async function wasPassedOn(tx: Context, statusId: string): Promise<boolean> {
  const { passed } = await tx.db.one<{ passed: boolean }>(sql`
    select exists (select from statuses s join accounts a on a.id = s.account_id where s.reblog_of_id = ${statusId} and a.domain is not null)
      or exists (select from favourites f join accounts a on a.id = f.account_id where f.status_id = ${statusId} and a.domain is not null)
      or exists (select from statuses s join accounts a on a.id = s.account_id where s.in_reply_to_id = ${statusId} and a.domain is not null)
      or exists (select from quotes q join accounts a on a.id = q.account_id where q.quoted_status_id = ${statusId} and a.domain is not null)
      or exists (
        select from polls p join poll_votes v on v.poll_id = p.id join accounts a on a.id = v.account_id
        where p.status_id = ${statusId} and a.domain is not null) as passed`)
  return passed
}
