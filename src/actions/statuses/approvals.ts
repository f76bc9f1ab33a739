import type { StatusRow } from '../../domain/statuses/find.ts'
import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { unfavourite } from './favourite.ts'
import type { Visibility } from '../../db/schema.ts'
import { permissionFor } from '../../domain/statuses/interaction-policy.ts'
import type { InteractionKind } from '../../domain/statuses/draft.ts'
import { isAuthorized } from '../remote/authorizations.ts'
import { deleteStatuses, withdrawStatus } from './delete.ts'
import { spread } from './publish.ts'
import { spreadReblog } from './reblog.ts'
import { federate } from '../federate.ts'
import { isPublicOrUnlisted } from '../../domain/statuses/visibility.ts'

/** A reply, boost or favourite with whose approval the author of its target is concerned. */
export type ApprovableInteraction = {
  kind: InteractionKind
  /** Of the reply, the boost or the favourite. */
  id: string
  accountId: string
  local: boolean
  targetId: string
  targetAccountId: string
  approval: StatusRow['approval']
  approvalUri: string | null
}

/** At most so many replies to a reply that was approved are looked at again. */
const REPLIES_PER_APPROVAL = 1000

const statusInteractions = (condition: Sql): Sql => sql`
  select case when s.reblog_of_id is null then 'reply' else 'announce' end as kind, s.id, s.account_id as "accountId", s.local,
    t.id as "targetId", t.account_id as "targetAccountId", s.approval, s.approval_uri as "approvalUri"
  from statuses s join statuses t on t.id = coalesce(s.reblog_of_id, s.in_reply_to_id) where ${condition}`

const favouriteInteractions = (condition: Sql): Sql => sql`
  select 'like' as kind, f.id, f.account_id as "accountId", a.domain is null as local, t.id as "targetId",
    t.account_id as "targetAccountId", f.approval, f.approval_uri as "approvalUri"
  from favourites f join accounts a on a.id = f.account_id join statuses t on t.id = f.status_id where ${condition}`

/** A reply or boost, or a favourite, by the id of its row; null when there is none. */
export function findInteraction(
  ctx: Context,
  kind: InteractionKind,
  id: string,
): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(
    kind === 'like' ? favouriteInteractions(sql`f.id = ${id}`) : statusInteractions(sql`s.id = ${id}`),
  )
}

/** A favourite of a remote account by its id on its server. */
export function findFavouriteByUri(ctx: Context, uri: string): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(sql`${favouriteInteractions(sql`f.uri = ${uri}`)} limit 1`)
}

/** What an author authorized by the authorization with this id; null when it is nothing that is known here. */
export function findByApproval(
  ctx: Context,
  uri: string,
  targetAccountId: string,
): Promise<ApprovableInteraction | null> {
  return ctx.db.maybe<ApprovableInteraction>(sql`
    ${statusInteractions(sql`s.approval_uri = ${uri} and t.account_id = ${targetAccountId}`)}
    union all ${favouriteInteractions(sql`f.approval_uri = ${uri} and t.account_id = ${targetAccountId}`)} limit 1`)
}

/**
 * The author of the target approves an interaction: it counts, and spreads, as it would have at once without the approval.
 * `approvalUri` is the authorization; null where none is needed any more. `silent`: it is too old for anybody to be notified.
 * Doing it twice changes nothing.
 */
export async function approveInteraction(
  ctx: Context,
  interaction: ApprovableInteraction,
  approvalUri: string | null,
  { silent = false }: { silent?: boolean } = {},
): Promise<void> {
  await ctx.transaction((tx) =>
    interaction.kind === 'like'
      ? approveFavourite(tx, interaction, approvalUri)
      : approveStatus(tx, interaction, approvalUri, silent),
  )
}

async function approveFavourite(
  tx: Context,
  { id, accountId, targetId, local }: ApprovableInteraction,
  approvalUri: string | null,
): Promise<void> {
  const approved = await tx.db.maybe<{ was: string | null }>(sql`
    with before as (select id, approval from favourites where id = ${id} for update), counted as (
      insert into status_stats (status_id, favourites_count) select ${targetId}::bigint, 1 from before where approval is not null
      on conflict (status_id) do update set favourites_count = status_stats.favourites_count + 1
    )
    update favourites f set approval = null, approval_uri = ${approvalUri} from before where f.id = before.id returning before.approval as was`)
  if (approved?.was && local) await federate(tx, { activity: 'like', accountId, statusId: targetId, favouriteId: id })
}

type Approved = {
  was: string | null
  visibility: Visibility
  quotes: boolean
  mentioned: string[]
}

async function approveStatus(
  tx: Context,
  { kind, id, accountId, targetId, local }: ApprovableInteraction,
  approvalUri: string | null,
  silent: boolean,
): Promise<void> {
  const reblogs = kind === 'announce' ? 1 : 0
  const approved = await tx.db.maybe<Approved>(sql`
    with before as (select id, approval, visibility from statuses where id = ${id} for update), counted as (
      insert into status_stats (status_id, reblogs_count, replies_count)
      select ${targetId}::bigint, ${reblogs}::int, 1 - ${reblogs}::int from before
      where approval is not null and (${reblogs}::int = 1 or ${isPublicOrUnlisted(sql`visibility`)})
      on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + excluded.reblogs_count,
        replies_count = status_stats.replies_count + excluded.replies_count
    )
    update statuses s set approval = null, approval_uri = ${approvalUri} from before where s.id = before.id
    returning before.approval as was, s.visibility, s.quote_id is not null as quotes,
      array(select m.account_id::text from mentions m where m.status_id = s.id) as mentioned`)
  if (!approved?.was) return
  await lookAtReplies(tx, id, silent)
  if (silent) return
  if (kind === 'announce') return spreadReblog(tx, { id, accountId, targetId, local })
  const { visibility, mentioned: mentionIds, quotes } = approved
  await spread(tx, { accountId, local, visibility, mentionIds, quotes }, id)
}

/** Replies to a reply that waits wait as well. */
async function lookAtReplies(tx: Context, statusId: string, silent: boolean): Promise<void> {
  const replies = await tx.db.many<{ id: string }>(sql`
    select id from statuses where in_reply_to_id = ${statusId} and approval = 'pending' and not local limit ${REPLIES_PER_APPROVAL}`)
  if (replies.length > 0)
    await tx.enqueueMany(
      'federation.approval',
      replies.map(({ id }) => ({ statusId: id, silent })),
    )
}

/**
 * The author of the target rejects an interaction, or takes the approval back. Favourites, boosts and remote replies are
 * removed. A local reply stays for its author alone, who may still need the text.
 */
export async function endInteraction(
  ctx: Context,
  { kind, id, accountId, targetId, local }: ApprovableInteraction,
  state: 'rejected' | 'revoked',
): Promise<void> {
  if (kind === 'like') await unfavourite(ctx, accountId, targetId)
  else if (kind === 'announce' || !local) await deleteStatuses(ctx, [id], { by: accountId })
  else await withdrawStatus(ctx, id, state)
}

type Claim = { reply_uri: string; claimed_uri: string | null; parent_author_uri: string | null }

/** Job `federation.approval`: shows a remote reply once the author of its parent is known to approve it. */
export async function checkApproval(ctx: Context, { statusId, silent }: JobData['federation.approval']): Promise<void> {
  const interaction = await findInteraction(ctx, 'reply', statusId)
  if (interaction?.approval !== 'pending' || interaction.local) return
  const parent = await ctx.db.maybe<StatusRow & Claim>(sql`
    select p.*, pa.username, pa.domain, pa.uri as parent_author_uri, s.uri as reply_uri, s.approval_uri as claimed_uri
    from statuses s join statuses p on p.id = s.in_reply_to_id join accounts pa on pa.id = p.account_id where s.id = ${statusId}`)
  if (!parent || parent.approval !== null) return
  if ((await permissionFor(ctx, parent, interaction.accountId, 'reply')) === 'allowed')
    return approveInteraction(ctx, interaction, parent.claimed_uri, { silent })
  const claim = {
    kind: 'reply' as const,
    authorUri: parent.parent_author_uri,
    interactingObject: parent.reply_uri,
    interactionTarget: parent.uri,
  }
  if (parent.claimed_uri !== null && (await isAuthorized(ctx, { ...claim, uri: parent.claimed_uri })))
    await approveInteraction(ctx, interaction, parent.claimed_uri, { silent })
}
