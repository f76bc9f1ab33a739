import type { Context } from '../../context.ts'
import type { Visibility } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { recordTagUses, touchTags } from '../tags/tags.ts'
import type { InteractionKind } from './draft.ts'
import { statusColumns, type StatusRow } from './find.ts'
import { isPublicOrUnlisted, isPublicOrUnlistedSql } from './visibility.ts'

/** A reply, reblog or favourite that the author of its target may have to approve. */
export type ApprovableInteraction = {
  kind: InteractionKind
  /** The id of the reply, the reblog or the favourite. */
  id: string
  accountId: string
  local: boolean
  targetId: string
  targetAccountId: string
  approval: StatusRow['approval']
  approvalUri: string | null
}

const statusInteractions = (condition: Sql): Sql => sql`
  select case when s.reblog_of_id is null then 'reply' else 'announce' end as kind, s.id, s.account_id as "accountId", s.local,
    t.id as "targetId", t.account_id as "targetAccountId", s.approval, s.approval_uri as "approvalUri"
  from statuses s join statuses t on t.id = coalesce(s.reblog_of_id, s.in_reply_to_id) where ${condition}`

const favouriteInteractions = (condition: Sql): Sql => sql`
  select 'like' as kind, f.id, f.account_id as "accountId", a.domain is null as local, t.id as "targetId",
    t.account_id as "targetAccountId", f.approval, f.approval_uri as "approvalUri"
  from favourites f join accounts a on a.id = f.account_id join statuses t on t.id = f.status_id where ${condition}`

export function findInteraction(
  ctx: Context,
  kind: InteractionKind,
  id: string,
): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(
    kind === 'like' ? favouriteInteractions(sql`f.id = ${id}`) : statusInteractions(sql`s.id = ${id}`),
  )
}

export function findFavouriteByUri(ctx: Context, uri: string): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(sql`${favouriteInteractions(sql`f.uri = ${uri}`)} limit 1`)
}

/** `uri`: the ActivityPub id of the authorization. Null unless the target of the interaction belongs to `targetAccountId`. */
export function findInteractionByApproval(
  ctx: Context,
  uri: string,
  targetAccountId: string,
): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(sql`
    ${statusInteractions(sql`s.approval_uri = ${uri} and t.account_id = ${targetAccountId}`)}
    union all ${favouriteInteractions(sql`f.approval_uri = ${uri} and t.account_id = ${targetAccountId}`)} limit 1`)
}

/** Returns false when the favourite was approved before, or is gone. */
export async function approveFavourite(
  tx: Context,
  { id, targetId }: ApprovableInteraction,
  approvalUri: string | null,
): Promise<boolean> {
  const approved = await tx.db.maybe<{ before: string | null }>(sql`
    with before as (select id, approval from favourites where id = ${id} for update), counted as (
      insert into status_stats (status_id, favourites_count) select ${targetId}::bigint, 1 from before where approval is not null
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
    )
    update favourites f set approval = null, approval_uri = ${approvalUri} from before where f.id = before.id returning before.approval as before`)
  return Boolean(approved?.before)
}

type ApprovedStatus = {
  before: string | null
  visibility: Visibility
  quotes: boolean
  mentioned: string[]
  tags: { id: string; name: string }[]
}

/** Returns null when the reply or reblog was approved before, or is gone. */
export async function approveReplyOrReblog(
  tx: Context,
  { kind, id, targetId }: ApprovableInteraction,
  approvalUri: string | null,
): Promise<ApprovedStatus | null> {
  const reblogs = kind === 'announce' ? 1 : 0
  const approved = await tx.db.maybe<ApprovedStatus>(sql`
    with before as (select id, approval, visibility from statuses where id = ${id} for update), counted as (
      insert into status_stats (status_id, reblogs_count, replies_count)
      select ${targetId}::bigint, ${reblogs}::int, 1 - ${reblogs}::int from before
      where approval is not null and (${reblogs}::int = 1 or ${isPublicOrUnlistedSql(sql`visibility`)})
      on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + excluded.reblogs_count,
        replies_count = status_stats.replies_count + excluded.replies_count
    )
    update statuses s set approval = null, approval_uri = ${approvalUri} from before where s.id = before.id
    returning before.approval as before, s.visibility, s.quote_id is not null as quotes,
      array(select m.account_id::text from mentions m where m.status_id = s.id) as mentioned,
      (select coalesce(jsonb_agg(jsonb_build_object('id', t.id::text, 'name', t.name)), '[]') from status_tags st join tags t on t.id = st.tag_id
        where st.status_id = s.id) as tags`)
  if (!approved?.before) return null
  if (isPublicOrUnlisted(approved.visibility)) await showTags(tx, id, approved.tags)
  return approved
}

/** As for a status that needed no approval. How its author spelled the hashtags is not known any more. */
async function showTags(tx: Context, statusId: string, tags: ApprovedStatus['tags']): Promise<void> {
  if (tags.length === 0) return
  const ids = tags.map(({ id }) => id)
  await recordTagUses(tx, statusId, ids)
  await touchTags(
    tx,
    ids,
    tags.map(({ name }) => name),
  )
}

const MAX_REPLIES = 1000

/** Only remote replies: the approval of their parent may be all that they lacked. */
export async function findPendingReplies(tx: Context, statusId: string): Promise<string[]> {
  const replies = await tx.db.many<{ id: string }>(sql`
    select id from statuses where in_reply_to_id = ${statusId} and approval = 'pending' and not local limit ${MAX_REPLIES}`)
  return replies.map(({ id }) => id)
}

/** The parent of a remote reply. `claimed_uri`: the authorization that the reply names, not verified. */
export const findParentOfReply = (
  ctx: Context,
  replyId: string,
): Promise<(StatusRow & { author_uri: string | null; reply_uri: string; claimed_uri: string | null }) | null> =>
  ctx.db.maybe(sql`
    select ${statusColumns}, a.uri as author_uri, r.uri as reply_uri, r.approval_uri as claimed_uri
    from statuses r join statuses s on s.id = r.in_reply_to_id join accounts a on a.id = s.account_id where r.id = ${replyId}`)
