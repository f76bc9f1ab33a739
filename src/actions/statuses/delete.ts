import type { Context } from '../../context.ts'
import { recordStatusEvent } from '../../domain/fasp/sharing.ts'
import { keepReportedStatuses } from '../../domain/reports/deleted-statuses.ts'
import { accountUri, statusUri } from '../../domain/server/addresses.ts'
import { findDeletionAudience, findRemotelyFollowed, type DeletionAudience } from '../../domain/statuses/audience.ts'
import {
  deleteStatusRows,
  hideReply,
  lockReblogsOf,
  lockStatuses,
  unlinkStatuses,
  type LockedStatus,
} from '../../domain/statuses/delete.ts'
import { replaceReblogs } from '../../domain/timelines/home-feed.ts'
import { removeFromConversations } from '../conversations/change.ts'
import { federate } from '../federate.ts'
import { deleteNotificationsOfEvent } from '../../domain/notifications/create.ts'

/** A bus message holds about 7 KB. */
const ACCOUNTS_PER_MESSAGE = 300

/**
 * Deletes statuses and reblogs, and the reblogs of these statuses. Ignores ids of other authors. Media of local statuses stay for
 * a day, so that a status can be deleted and written again; media of remote ones go with the next clean-up. Moderators still see
 * what reported ones said. Returns the deleted ids among `ids`. May run twice.
 */
export async function deleteStatuses(
  ctx: Context,
  ids: readonly string[],
  { authorId }: { authorId: string },
): Promise<string[]> {
  return ctx.transaction(async (tx) => {
    const statuses = await lockStatuses(tx, ids, authorId)
    if (statuses.length === 0) return []
    const reblogs = await lockReblogsOf(tx, statuses)
    const all = [...statuses, ...reblogs]
    const audience = await findDeletionAudience(
      tx,
      statuses.filter(({ local }) => local),
    )
    await keepReportedStatuses(
      tx,
      statuses.map(({ id }) => id),
    )
    await recordStatusEvent(
      tx,
      'delete',
      statuses.map(({ id }) => id),
    )
    const feedOwners = await unlinkStatuses(tx, statuses, reblogs)
    await deleteReblogNotifications(tx, statuses)
    const directIds = statuses.flatMap(({ id, visibility }) => (visibility === 'direct' ? [id] : []))
    if (directIds.length > 0) await removeFromConversations(tx, { statusIds: directIds })
    await deleteStatusRows(
      tx,
      all.map(({ id }) => id),
    )
    await replaceReblogs(
      tx,
      statuses.flatMap(({ id, reblog_of_id: original }) =>
        original === null ? [] : { original, feeds: feedOwners.get(id) ?? [] },
      ),
    )
    for (const status of statuses) await federateDeletion(tx, status, audience)
    await undoReblogs(tx, statuses, reblogs)
    for (const status of all) publishDeleted(tx, status, feedOwners.get(status.id) ?? [])
    return statuses.map(({ id }) => id)
  })
}

/** Hides a reply from all but its author, because the parent's author does not approve it. May run twice. */
export async function withdrawReply(ctx: Context, id: string, state: 'rejected' | 'revoked'): Promise<void> {
  await ctx.transaction(async (tx) => {
    await recordStatusEvent(tx, 'delete', [id])
    const hidden = await hideReply(tx, id, state)
    if (hidden?.status.approval === null) publishDeleted(tx, hidden.status, hidden.feedOwners)
  })
}

/** The notification about a reblog refers to the original, which stays. */
async function deleteReblogNotifications(tx: Context, statuses: readonly LockedStatus[]): Promise<void> {
  for (const { account_id, reblog_of_id } of statuses)
    if (reblog_of_id !== null)
      await deleteNotificationsOfEvent(tx, { type: 'reblog', fromAccountId: account_id, statusId: reblog_of_id })
}

async function federateDeletion(tx: Context, status: LockedStatus, audience: DeletionAudience): Promise<void> {
  const to = audience.byStatus.get(status.id) ?? []
  const sharers = audience.sharers.get(status.id) ?? []
  // Followers never received a status that was not approved.
  const visibility = status.approval === null ? status.visibility : 'direct'
  const toFollowers = visibility !== 'direct' && audience.followed.has(status.account_id)
  if (!status.local || (to.length + sharers.length === 0 && !toFollowers)) return
  const deletion = { accountId: status.account_id, statusId: status.id, visibility, to }
  if (status.reblog_of_id === null)
    return federate(tx, { activity: 'delete', ...deletion, ...(sharers.length > 0 ? { sharers } : {}) })
  return federate(tx, { activity: 'announce', undo: true, ...deletion, ...originalOf(tx, status) })
}

function originalOf(
  tx: Context,
  { original_uri, original_username: username, original_author_uri, reblog_of_id }: LockedStatus,
): { originalUri: string; originalAuthorUri: string | null } {
  return {
    originalUri: original_uri ?? statusUri(tx, username ?? '', reblog_of_id ?? ''),
    originalAuthorUri: original_author_uri ?? (username === null ? null : accountUri(tx, username)),
  }
}

/**
 * Servers that know a remote status only through a local reblog may not receive its Delete: the status's server need not know
 * of them, and they do not accept a Delete from this server.
 */
async function undoReblogs(
  tx: Context,
  statuses: readonly LockedStatus[],
  reblogs: readonly LockedStatus[],
): Promise<void> {
  const remoteIds = new Set(statuses.filter(({ local }) => !local).map(({ id }) => id))
  const undone = reblogs.filter(({ local, reblog_of_id: id }) => local && id !== null && remoteIds.has(id))
  const followed = await findRemotelyFollowed(
    tx,
    undone.map(({ account_id: id }) => id),
  )
  await federate(
    tx,
    undone
      .filter(({ account_id: id, approval }) => approval === null && followed.has(id))
      .map((reblog) => ({
        activity: 'announce' as const,
        undo: true as const,
        accountId: reblog.account_id,
        statusId: reblog.id,
        visibility: reblog.visibility,
        ...originalOf(tx, reblog),
        to: [],
      })),
  )
}

/** `feedOwners`: the local accounts whose home feed had the status. */
function publishDeleted(tx: Context, status: LockedStatus, feedOwners: readonly string[]): void {
  const { id, account_id: accountId, visibility, tags, local, media, mentioned } = status
  const recipients = [...new Set([...feedOwners, ...mentioned])]
  for (let from = 0; from === 0 || from < recipients.length; from += ACCOUNTS_PER_MESSAGE)
    tx.publish({
      type: 'status.deleted',
      id,
      accountId,
      visibility,
      tags,
      local,
      media,
      remainingIn: recipients.slice(from, from + ACCOUNTS_PER_MESSAGE),
    })
}
