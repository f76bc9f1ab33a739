import type { Context } from '../../context.ts'
import {
  expireDetachedMedia,
  findModeratedStatuses,
  markRemoteSensitive,
} from '../../domain/moderation/moderated-statuses.ts'
import { MAX_REPORTED } from '../../domain/reports/reports.ts'
import { indexStatuses } from '../../domain/search/status-index.ts'
import { deleteStatuses } from '../statuses/delete.ts'
import { editStatus } from '../statuses/edit.ts'

export type StatusOutcome = 'delete_statuses' | 'mark_statuses_as_sensitive'

/**
 * Deletes statuses and boosts of the account, with their media, or marks those with media or a preview card as sensitive. Other
 * servers receive a Delete or an Update of local statuses. Returns the ids of the statuses that changed; those of other accounts
 * do not, nor those after the first hundred. The caller records the act: `actOnAccount` writes the warning and the entry of the
 * audit log.
 */
export async function moderateStatuses(
  tx: Context,
  { type, accountId, statusIds }: { type: StatusOutcome; accountId: string; statusIds: readonly string[] },
): Promise<string[]> {
  const ids = [...new Set(statusIds)].slice(0, MAX_REPORTED)
  const statuses = await findModeratedStatuses(tx, accountId, ids)
  if (type === 'delete_statuses') {
    const deleted = await deleteStatuses(tx, ids, { authorId: accountId })
    await expireDetachedMedia(
      tx,
      accountId,
      statuses.flatMap(({ media_ids }) => media_ids),
    )
    return deleted
  }
  const shown = statuses.filter(
    ({ sensitive, media_ids, has_card }) => !sensitive && (media_ids.length > 0 || has_card),
  )
  const remote = shown.flatMap(({ id, local }) => (local ? [] : [id]))
  if (remote.length > 0) {
    await markRemoteSensitive(tx, remote)
    await indexStatuses(tx, remote)
  }
  for (const id of remote) tx.publish({ type: 'status.edited', id })
  for (const { id, local } of shown) if (local) await editStatus(tx, id, { sensitive: true })
  return shown.map(({ id }) => id)
}
