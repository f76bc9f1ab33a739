import { addressSpellings } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import { perServer, type Context } from '../../context.ts'
import type { Accounts, Quotes, Statuses } from '../../db/schema.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { batched } from '../../lib/batch.ts'
import { hasOwnPage } from './find.ts'
import { isPublicOrUnlistedSql } from './visibility.ts'

/** Null for local and unknown statuses. */
export async function findRemoteUri(ctx: Context, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Statuses, 'uri'>>(
    sql`select uri from statuses where id = ${statusId} and not local`,
  )
  return row?.uri ?? null
}

/** What is stored under an ActivityPub id. */
export type Received = { id: string | null; authorId: string | null; silent: boolean | null; deleted: boolean }

const MAX_URIS = 100

const received = perServer((ctx) => batched((uris: string[]) => readReceived(ctx, uris), MAX_URIS))

/** For an object of another server. Look-ups that are made together share a statement: never call it in a transaction. */
export const findReceived = (ctx: Context, uri: string): Promise<Received> => received(ctx)(uri)

async function readReceived(ctx: Context, uris: readonly string[]): Promise<Received[]> {
  return ctx.db.many<Received>(sql`
    select s.id, s.account_id as "authorId", s.silent, exists (select from tombstones t where t.uri = wanted.uri) as deleted
    from unnest(${uris}::text[]) with ordinality wanted (uri, place) left join statuses s on s.uri = wanted.uri
    order by wanted.place`)
}

type FetchedStatus = Pick<Statuses, 'visibility'> & {
  accountId: string
  mentionIds: string[]
  inReplyToId: string | null
  lacksParent: boolean
  quotes: boolean
}

/** Null when the status was not stored silently, was spread before, or lacks the approval of its parent's author. */
export const endSilence = (tx: Context, statusId: string): Promise<FetchedStatus | null> =>
  tx.db.maybe<FetchedStatus>(sql`
    update statuses set silent = false where id = ${statusId} and silent and approval is null
    returning account_id as "accountId", visibility, in_reply_to_id as "inReplyToId", quote_id is not null as quotes,
      in_reply_to_id is null and in_reply_to_uri is not null as "lacksParent",
      array(select m.account_id from mentions m where m.status_id = statuses.id) as "mentionIds"`)

/** Locks a status against deletion until the end of the transaction. */
export async function lockStatus(tx: Context, statusId: string): Promise<boolean> {
  return (await tx.db.maybe(sql`select id from statuses where id = ${statusId} for key share`)) !== null
}

/** The time is at most now: the clocks of other servers may be ahead. */
export async function markEdited(tx: Context, statusId: string, editedAt: Date): Promise<void> {
  await tx.db.run(sql`update statuses set edited_at = least(${editedAt}::timestamptz, now()) where id = ${statusId}`)
}

/**
 * Stores what the server of a status counts beyond the favourites and boosts that are known here. The note comes from another
 * server, so it counts only for a status of its author. Null: the note names no number.
 */
export async function storeCountsElsewhere(
  ctx: Context,
  { id: uri, attributedTo, likesCount, sharesCount }: Pick<Note, 'id' | 'attributedTo' | 'likesCount' | 'sharesCount'>,
): Promise<void> {
  if (likesCount === null && sharesCount === null) return
  const [favourites, reblogs] = [sql`${likesCount}::int`, sql`${sharesCount}::int`]
  const more = (total: Sql, known: Sql, before: Sql): Sql =>
    sql`case when ${total} is null then ${before} else greatest(${total} - ${known}, 0) end`
  const favouritesElsewhere = more(favourites, sql`t.favourites_count`, sql`t.favourites_elsewhere`)
  const reblogsElsewhere = more(reblogs, sql`t.reblogs_count`, sql`t.reblogs_elsewhere`)
  await ctx.db.run(sql`
    insert into status_stats as t (status_id, favourites_elsewhere, reblogs_elsewhere)
    select s.id, coalesce(${favourites}, 0), coalesce(${reblogs}, 0)
    from statuses s join accounts a on a.id = s.account_id
    where s.uri = ${uri} and not s.local and a.uri = ${attributedTo}
      and (${favourites} > 0 or ${reblogs} > 0 or exists (select from status_stats t where t.status_id = s.id))
    on conflict (status_id) do update set favourites_elsewhere = ${favouritesElsewhere}, reblogs_elsewhere = ${reblogsElsewhere}
    where (t.favourites_elsewhere, t.reblogs_elsewhere) is distinct from (${favouritesElsewhere}, ${reblogsElsewhere})`)
}

/** For a boost that the status's server had counted before it was received: it is not one of those elsewhere any more. */
export async function moveReblogHere(tx: Context, statusId: string): Promise<void> {
  await tx.db.run(
    sql`update status_stats set reblogs_elsewhere = reblogs_elsewhere - 1 where status_id = ${statusId} and reblogs_elsewhere > 0`,
  )
}

/** Returns false when the reply is not pending, or named the authorization before. */
export async function storeClaimedApproval(tx: Context, statusId: string, approvalUri: string): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update statuses set approval_uri = ${approvalUri}
    where id = ${statusId} and approval = 'pending' and approval_uri is distinct from ${approvalUri}`)
  return changed > 0
}

/** `url`: an ActivityPub id or the address of a page. */
export async function findByAddress(
  ctx: Context,
  url: string,
): Promise<{ account_id: string | null; status_id: string | null }> {
  const isPage = sql`url = any(${addressSpellings(url)}::text[])`
  return ctx.db.one(sql`
    select (select id from accounts where uri = ${url} or (${isPage} and domain is not null) order by id limit 1) as account_id,
      (select id from statuses where uri = ${url} or (${isPage} and ${hasOwnPage} and not local) order by id limit 1) as status_id`)
}

const MAX_DEPTH = 100
const MAX_SEARCHED = 1000

/** Only statuses that everyone may read, oldest first. */
export async function findRemoteReplies(ctx: Context, statusId: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.many<{ uri: string }>(sql`
    with recursive below (id, depth) as (
      select ${statusId}::bigint, 0
      union
      select s.id, below.depth + 1 from below join statuses s on s.in_reply_to_id = below.id where below.depth < ${MAX_DEPTH}
    )
    select distinct s.uri, s.id from (select id from below limit ${MAX_SEARCHED}) below join statuses s on s.id = below.id
    where not s.local and s.uri is not null and ${isPublicOrUnlistedSql(sql`s.visibility`)} and s.id <> ${statusId} order by s.id limit ${limit}`)
  return rows.map(({ uri }) => uri)
}

export type PendingRemoteQuote = Pick<
  Quotes,
  'id' | 'account_id' | 'quoted_uri' | 'quoted_status_id' | 'approval_uri'
> & {
  /** The id of the quoting status. */
  uri: string
}

export function findPendingRemoteQuote(ctx: Context, statusId: string): Promise<PendingRemoteQuote | null> {
  return ctx.db.maybe<PendingRemoteQuote>(sql`
    select q.id, q.account_id, s.uri, q.quoted_uri, q.quoted_status_id, q.approval_uri
    from quotes q join statuses s on s.id = q.status_id where q.status_id = ${statusId} and not s.local and q.state = 'pending'`)
}

/** `status_id`, `uri`, `local` and `username`: of the quoting status. */
export type AuthorizedQuote = Pick<Quotes, 'id' | 'status_id'> &
  Pick<Statuses, 'uri' | 'local'> &
  Pick<Accounts, 'username'> & { approval_uri: string; quoted_uri: string | null; author_uri: string | null }

/**
 * A server may not announce the end of an authorization: this finds one of a remote author that was last read more than a week
 * ago.
 */
export const findQuoteToCheck = (ctx: Context, statusId: string): Promise<AuthorizedQuote | null> =>
  ctx.db.maybe<AuthorizedQuote>(sql`
    select q.id, q.status_id, s.uri, s.local, a.username, q.approval_uri, o.uri as quoted_uri, oa.uri as author_uri
    from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = s.account_id
      join statuses o on o.id = q.quoted_status_id and not o.local join accounts oa on oa.id = o.account_id
    where q.status_id = ${statusId} and q.state = 'accepted' and q.approval_uri is not null and q.checked_at < now() - interval '7 days'`)

export async function markQuoteChecked(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`update quotes set checked_at = now() where id = ${id}`)
}

export type QuotedStatus = Pick<Statuses, 'account_id' | 'uri'> & { author_uri: string | null }

/** Null when the quoted status is gone, or a reblog. */
export function linkQuote(ctx: Context, quoteId: string, statusId: string): Promise<QuotedStatus | null> {
  return ctx.db.maybe<QuotedStatus>(sql`
    update quotes q set quoted_status_id = s.id, quoted_account_id = s.account_id
    from statuses s join accounts a on a.id = s.account_id where q.id = ${quoteId} and s.id = ${statusId} and s.reblog_of_id is null
    returning s.account_id, s.uri, a.uri as author_uri`)
}
