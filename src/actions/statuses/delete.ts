import type { Context } from '../../context.ts'
import { nothing, sql } from '../../db/sql.ts'
import { removeFromConversations } from '../../domain/conversations/conversations.ts'
import { accountUri, boostUri, statusUri } from '../../domain/server/addresses.ts'
import { unnotify } from '../notifications/notify.ts'
import type { Visibility } from '../../db/schema.ts'
import { takeBackCounts } from '../../domain/statuses/counts.ts'
import { findRemotelyFollowed, findDeletionAudience, type DeletionAudience } from '../../domain/statuses/audience.ts'
import { federate } from '../federate.ts'
import { isPublicOrUnlisted } from '../../domain/statuses/visibility.ts'

export type DeleteOptions = {
  /** Only posts of this account; others are left alone. */
  by?: string
}

type Doomed = {
  id: string
  account_id: string
  username: string
  /** Whether the author is of this server. */
  local: boolean
  uri: string | null
  visibility: Visibility
  /** Null: it was shown to others. */
  approval: string | null
  reblog_of_id: string | null
  original_uri: string | null
  original_username: string | null
  original_author_uri: string | null
  tags: string[]
  /** Those of this server. */
  mentioned: string[]
  media: boolean
}

/** A bus message holds some 7 KB. */
const ACCOUNTS_PER_MESSAGE = 300

/**
 * Deletes posts and boosts, with the boosts of what is deleted: rows, counters, entries in feeds. Media of posts of this server
 * stay for a day as uploads without a post, so that it can be written again; those of remote posts go with the next sweep. The
 * address of a post is remembered, so that it answers 410 and does not come back. Gives the ids that were deleted by this call,
 * boosts of others not among them.
 */
export async function deleteStatuses(
  ctx: Context,
  ids: readonly string[],
  options: DeleteOptions = {},
): Promise<string[]> {
  return ctx.transaction(async (tx) => {
    const doomed = await lock(
      tx,
      sql`s.id = any(${ids}::bigint[]) ${options.by === undefined ? nothing : sql`and s.account_id = ${options.by}`}`,
    )
    if (doomed.length === 0) return []
    const boosts = await lock(
      tx,
      sql`s.reblog_of_id = any(${doomed.map(({ id }) => id)}::bigint[]) and s.id <> all(${doomed.map(({ id }) => id)}::bigint[])`,
    )
    const all = [...doomed, ...boosts]
    const audience = await findDeletionAudience(
      tx,
      doomed.filter(({ local }) => local),
    )
    const homes = await removeFromHomes(tx, all)
    await takeBackCounts(
      tx,
      all.map(({ id }) => id),
    )
    await detachMedia(tx, doomed)
    await rememberDeleted(tx, doomed)
    await unnotifyBoosts(tx, doomed)
    const direct = doomed.flatMap(({ id, visibility }) => (visibility === 'direct' ? [id] : []))
    if (direct.length > 0) await removeFromConversations(tx, sql`select unnest(${direct}::bigint[])`)
    await tx.db.run(sql`delete from statuses where id = any(${all.map(({ id }) => id)}::bigint[])`)
    for (const status of doomed) await tell(tx, status, audience)
    await undoBoosts(tx, doomed, boosts)
    for (const status of all)
      publishDeleted(tx, status, [...new Set([...(homes.get(status.id) ?? []), ...status.mentioned])])
    return doomed.map(({ id }) => id)
  })
}

/**
 * Takes a reply away from everyone but its author, whose parent's author does not approve it (any more): from feeds, counters
 * and streams. Does nothing when it is gone, or is in that state.
 */
export async function withdrawStatus(ctx: Context, id: string, state: 'rejected' | 'revoked'): Promise<void> {
  await ctx.transaction(async (tx) => {
    const [status] = await lock(tx, sql`s.id = ${id} and s.approval is distinct from ${state}`)
    if (!status) return
    const homes = await removeFromHomes(tx, [status])
    await tx.db.run(sql`
      with withdrawn as (update statuses set approval = ${state}, approval_uri = null where id = ${id} returning in_reply_to_id, visibility)
      update status_stats t set replies_count = greatest(t.replies_count - 1, 0) from withdrawn
      where t.status_id = withdrawn.in_reply_to_id and ${isPublicOrUnlisted(sql`withdrawn.visibility`)} and ${status.approval === null}`)
    if (status.approval === null)
      publishDeleted(tx, status, [...new Set([...(homes.get(id) ?? []), ...status.mentioned])])
  })
}

/** Holds rows until the end of the transaction, always in the order of ids. Those that are gone meanwhile are not there. */
async function lock(tx: Context, condition: ReturnType<typeof sql>): Promise<Doomed[]> {
  return tx.db.many<Doomed>(sql`
    select s.id, s.account_id, a.username, a.domain is null as local, s.uri, s.visibility, s.approval, s.reblog_of_id,
      o.uri as original_uri, oa.username as original_username, oa.uri as original_author_uri, cardinality(s.media_ids) > 0 as media,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
      array(select m.account_id from mentions m join accounts ma on ma.id = m.account_id where m.status_id = s.id and ma.domain is null) as mentioned
    from statuses s join accounts a on a.id = s.account_id
    left join statuses o on o.id = s.reblog_of_id left join accounts oa on oa.id = o.account_id
    where ${condition} order by s.id for update of s`)
}

/** Takes posts out of the home feeds they are in. Gives, by post, whose feeds those were. */
async function removeFromHomes(tx: Context, statuses: readonly Doomed[]): Promise<Map<string, string[]>> {
  const rows = await tx.db.many<{ account_id: string; status_id: string }>(sql`
    with gone (id, account_id) as (select * from unnest(${statuses.map(({ id }) => id)}::bigint[], ${statuses.map((s) => s.account_id)}::bigint[])),
      places as (
        select h.account_id, gone.id as status_id from gone join follows f on f.target_account_id = gone.account_id join home_feeds h on h.account_id = f.account_id
        union select account_id, id from gone
      )
    delete from home_feed h using places where h.account_id = places.account_id and h.status_id = places.status_id
    returning h.account_id, h.status_id`)
  return new Map(
    [...Map.groupBy(rows, (row) => row.status_id)].map(([id, feeds]) => [
      id,
      feeds.map(({ account_id }) => account_id),
    ]),
  )
}

/** The day for which media are kept begins now; those of remote posts have had theirs. */
async function detachMedia(tx: Context, statuses: readonly Doomed[]): Promise<void> {
  const [ids, kept] = [statuses.map(({ id }) => id), statuses.filter(({ local }) => local).map(({ id }) => id)]
  await tx.db.run(sql`
    update media_attachments set status_id = null, created_at = case when status_id = any(${kept}::bigint[]) then now() else to_timestamp(0) end
    where status_id = any(${ids}::bigint[])`)
}

/** Of a boost its author heard by a notification about the original, which stays. */
async function unnotifyBoosts(tx: Context, statuses: readonly Doomed[]): Promise<void> {
  for (const { account_id, reblog_of_id } of statuses)
    if (reblog_of_id !== null) await unnotify(tx, { type: 'reblog', fromAccountId: account_id, statusId: reblog_of_id })
}

async function rememberDeleted(tx: Context, statuses: readonly Doomed[]): Promise<void> {
  const uris = statuses.filter(({ reblog_of_id }) => reblog_of_id === null).map((status) => uriOf(tx, status))
  if (uris.length > 0)
    await tx.db.run(
      sql`insert into tombstones (uri) select unnest(${uris}::text[]) on conflict (uri) do update set expires_at = null`,
    )
}

function uriOf(tx: Context, { uri, username, id, reblog_of_id }: Doomed): string {
  return uri ?? (reblog_of_id === null ? statusUri(tx, username, id) : boostUri(tx, username, id))
}

/** Tells other servers, where anybody there may have heard of it. */
async function tell(tx: Context, status: Doomed, audience: DeletionAudience): Promise<void> {
  const to = audience.byStatus.get(status.id) ?? []
  const sharers = audience.sharers.get(status.id) ?? []
  // Followers know nothing of what was not approved.
  const visibility = status.approval === null ? status.visibility : 'direct'
  const toFollowers = visibility !== 'direct' && audience.followed.has(status.account_id)
  if (!status.local || (to.length + sharers.length === 0 && !toFollowers)) return
  const what = { accountId: status.account_id, statusId: status.id, visibility, to }
  if (status.reblog_of_id === null) {
    const shared = sharers.length > 0 ? { sharers } : {}
    return federate(tx, { activity: 'delete', ...what, ...shared })
  }
  return federate(tx, {
    activity: 'announce',
    undo: true,
    ...what,
    originalUri: originalOf(tx, status),
    originalAuthorUri: originalAuthorOf(tx, status),
  })
}

const originalOf = (
  tx: Context,
  { original_uri: uri, original_username: username, reblog_of_id: id }: Doomed,
): string => uri ?? statusUri(tx, username ?? '', id ?? '')

const originalAuthorOf = (
  tx: Context,
  { original_author_uri: uri, original_username: username }: Doomed,
): string | null => uri ?? (username === null ? null : accountUri(tx, username))

/**
 * Undoes local boosts of deleted remote posts. Servers that met the post by such a boost may not hear of its end otherwise: its
 * own server need not know of them, and they need not believe us about a post that is not ours.
 */
async function undoBoosts(tx: Context, doomed: readonly Doomed[], boosts: readonly Doomed[]): Promise<void> {
  const remote = new Set(doomed.filter(({ local }) => !local).map(({ id }) => id))
  const undone = boosts.filter(({ local, reblog_of_id: id }) => local && id !== null && remote.has(id))
  const followed = await findRemotelyFollowed(
    tx,
    undone.map(({ account_id: id }) => id),
  )
  await federate(
    tx,
    undone
      .filter(({ account_id: id, approval }) => approval === null && followed.has(id))
      .map((boost) => ({
        activity: 'announce' as const,
        undo: true as const,
        accountId: boost.account_id,
        statusId: boost.id,
        visibility: boost.visibility,
        originalUri: originalOf(tx, boost),
        originalAuthorUri: originalAuthorOf(tx, boost),
        to: [],
      })),
  )
}

function publishDeleted(tx: Context, status: Doomed, knownTo: string[]): void {
  const { id, account_id: accountId, visibility, tags, local, media } = status
  for (let from = 0; from === 0 || from < knownTo.length; from += ACCOUNTS_PER_MESSAGE)
    tx.publish({
      type: 'status.deleted',
      id,
      accountId,
      visibility,
      tags,
      local,
      media,
      remainingIn: knownTo.slice(from, from + ACCOUNTS_PER_MESSAGE),
    })
}
