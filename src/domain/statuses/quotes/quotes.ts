import type { Context } from '../../../context.ts'
import { type Pagination, newestFirst, onPage } from '../../../db/page.ts'
import type { Accounts, Quotes, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { NotFound, invalidRequest } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { message } from '../../../messages/message.ts'
import { followColumns } from '../../relationships/follows.ts'
import { hasBlocked } from '../../relationships/hidden.ts'
import { statusUri, statusUrl } from '../../server/addresses.ts'
import { isShownInThread } from '../context.ts'
import type { QuoteDraft } from '../draft.ts'
import type { ListEntry } from '../interactions.ts'
import { type MaybeViewer, getTargetStatus } from '../visibility.ts'
import { approvalFor, type QuoteState } from './policy.ts'

export type QuoteRow = Omit<Quotes, 'state' | 'created_at' | 'checked_at'> & { state: QuoteState }

const quoteColumns = sql`
  id, status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, approval_uri, request_uri`

export const findQuote = (ctx: Context, id: string): Promise<QuoteRow | null> =>
  ctx.db.maybe<QuoteRow>(sql`select ${quoteColumns} from quotes where id = ${id}`)

/** Does not check who may see the status. */
export const findQuoteOf = (ctx: Context, statusId: string): Promise<QuoteRow | null> =>
  ctx.db.maybe<QuoteRow>(sql`select ${quoteColumns} from quotes where status_id = ${statusId}`)

/** Finds only accepted quotes. */
export async function findQuoteByApproval(ctx: Context, uri: string, quotedAccountId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Quotes, 'id'>>(
    sql`select id from quotes where approval_uri = ${uri} and quoted_account_id = ${quotedAccountId} and state = 'accepted'`,
  )
  return row?.id ?? null
}

export const lockAcceptedQuote = (
  tx: Context,
  quotingId: string,
  quotedId: string,
): Promise<Pick<Quotes, 'id' | 'account_id'> | null> =>
  tx.db.maybe(sql`
    select id, account_id from quotes where status_id = ${quotingId} and quoted_status_id = ${quotedId} and state = 'accepted' for update`)

/** The page of the quoted status, as the text of the quoting one names it. */
export async function findQuotedUrl(ctx: Context, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<Pick<Statuses, 'id' | 'uri' | 'url' | 'local'> & Pick<Accounts, 'username'>>(sql`
    select s.id, s.uri, s.url, s.local, a.username from quotes q join statuses s on s.id = q.quoted_status_id join accounts a on a.id = s.account_id
    where q.status_id = ${statusId}`)
  if (!row) return null
  return row.local ? statusUrl(ctx, row.username, row.id) : (row.url ?? row.uri)
}

/** Newest first. Leaves out quotes that the viewer may not see, and accounts hidden from the viewer. */
export async function listQuotes(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  statusId: string,
  page: Pagination,
): Promise<ListEntry[]> {
  const rows = await ctx.db.many<ListEntry>(sql`
    select q.id as cursor, s.id from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = s.account_id
    where q.quoted_status_id = ${statusId} and q.state = 'accepted' and ${isShownInThread(viewer)}
      and ${onPage(sql`q.id`, page)}`)
  return newestFirst(rows, page)
}

export type QuotableStatus = Pick<Statuses, 'visibility'> & {
  statusId: string
  accountId: string
  url: string
  uri: string
  /** Of a new quote: pending until the server of a remote quoted author approves it. */
  quoteState: QuoteDraft['state']
}

/** Throws the same NotFound when the status is missing, hidden or may not be quoted. */
export async function getQuotable(ctx: Context, author: NonNullable<MaybeViewer>, id: string): Promise<QuotableStatus> {
  const status = await getTargetStatus(ctx, author, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound(message('quote_not_found')) : error
  })
  const isAuthor = status.account_id === author.accountId
  const approval = await approvalOf(ctx, status, author.accountId)
  if (approval !== 'automatic' && approval !== 'manual') throw new NotFound(message('quote_not_found'))
  const uri = status.uri ?? statusUri(ctx, status.username, status.id)
  return {
    statusId: status.id,
    accountId: status.account_id,
    visibility: status.visibility,
    url: status.local ? statusUrl(ctx, status.username, status.id) : (status.url ?? uri),
    uri,
    quoteState: isAuthor || status.local ? 'accepted' : 'pending',
  }
}

/** The account must be able to see the status. Those that it blocks it may not quote. */
export async function approvalOf(
  ctx: Context,
  status: Pick<Statuses, 'account_id' | 'visibility' | 'quote_policy'>,
  accountId: string,
): Promise<ReturnType<typeof approvalFor>> {
  const { blocks, ...relationship } = await ctx.db.one<{ follows: boolean; followed: boolean; blocks: boolean }>(sql`
    select ${followColumns(accountId, status.account_id)}, ${hasBlocked(accountId, status.account_id)} as blocks`)
  if (blocks) return 'denied'
  const isAuthor = status.account_id === accountId
  return approvalFor(status.quote_policy, { visibility: status.visibility, isAuthor, ...relationship })
}

/** Throws Invalid for a direct status that does not mention the author of the status that it quotes. */
export function checkQuotedIsMentioned(
  quoted: QuotableStatus,
  authorId: string,
  visibility: Statuses['visibility'],
  mentionIds: readonly string[],
): void {
  if (visibility !== 'direct' || quoted.accountId === authorId || mentionIds.includes(quoted.accountId)) return
  throw invalidRequest('quote_not_mentioned')
}

/**
 * Stores the quote of a status whose row has its id already. Throws NotFound when the quoted status is gone and has no
 * ActivityPub id by which it could be fetched.
 */
export async function insertQuote(
  tx: Context,
  id: string,
  quoting: { id: string; accountId: string },
  draft: QuoteDraft,
): Promise<void> {
  const target =
    draft.statusId === null
      ? null
      : await tx.db.maybe<Pick<Statuses, 'id' | 'account_id'>>(
          sql`select id, account_id from statuses where id = ${draft.statusId} for key share`,
        )
  if (draft.statusId !== null && !target && draft.uri === null) throw new NotFound(message('quote_not_found'))
  const isDeleted = draft.statusId === null && draft.uri === null
  const state = target || isDeleted ? draft.state : 'pending'
  await tx.db.run(sql`
    insert into quotes (id, status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, approval_uri)
    values (${id}, ${quoting.id}, ${quoting.accountId}, ${target?.id ?? null}, ${target?.account_id ?? null}, ${draft.uri}, ${state}, ${draft.approvalUri ?? null})`)
  if (state === 'accepted' && target) await countQuotes(tx, target.id, 1)
}

export async function countQuotes(tx: Context, statusId: string, by: 1 | -1): Promise<void> {
  await tx.db.run(sql`
    insert into status_stats (status_id, quotes_count) values (${statusId}, greatest(${by}::int, 0))
    on conflict (status_id) do update set quotes_count = greatest(status_stats.quotes_count + ${by}::int, 0)`)
}

export type ChangedQuote = Pick<
  QuoteRow,
  'id' | 'status_id' | 'account_id' | 'quoted_status_id' | 'quoted_account_id'
> & {
  local: boolean
  quoted_local: boolean
  before: QuoteState
}

/** Returns null when the quote is missing, or had this state. Does not change counters. */
export const changeQuoteState = (
  tx: Context,
  id: string,
  state: QuoteState,
  approvalUri: string | null,
): Promise<ChangedQuote | null> =>
  tx.db.maybe<ChangedQuote>(sql`
    with before as (select id, account_id, quoted_account_id, state from quotes where id = ${id} for update)
    update quotes q set state = ${state}, approval_uri = ${approvalUri}, checked_at = now() from before
      join accounts a on a.id = before.account_id left join accounts qa on qa.id = before.quoted_account_id
    where q.id = before.id and before.state <> ${state}
    returning q.id, q.status_id, q.account_id, a.domain is null as local, qa.id is not null and qa.domain is null as quoted_local,
      q.quoted_status_id, q.quoted_account_id, before.state as before`)

/**
 * Replaces the quote of a remote status by the one that its author's server sends now: another status, none, or the same one
 * with another authorization. Returns whether anything changed.
 */
export async function reviseQuote(
  tx: Context,
  quoting: { id: string; accountId: string },
  draft: QuoteDraft | null,
): Promise<boolean> {
  const before = await findQuoteOf(tx, quoting.id)
  if (before && draft && isSameQuoted(before, draft)) return claimApproval(tx, before, draft.approvalUri ?? null)
  if (!before && !draft) return false
  if (before) await removeQuote(tx, before)
  const id = draft ? newId() : null
  await tx.db.run(sql`update statuses set quote_id = ${id} where id = ${quoting.id}`)
  if (draft && id) await insertQuote(tx, id, quoting, draft)
  return true
}

function isSameQuoted(before: QuoteRow, { statusId, uri }: QuoteDraft): boolean {
  // Deleted.
  if (statusId === null && uri === null) return before.state === 'accepted' && before.quoted_status_id === null
  return (uri !== null && before.quoted_uri === uri) || (statusId !== null && before.quoted_status_id === statusId)
}

/** Stores an authorization that the job `federation.quote` has yet to verify. An accepted quote keeps its authorization. */
async function claimApproval(tx: Context, before: QuoteRow, approvalUri: string | null): Promise<boolean> {
  if (before.state === 'accepted' || approvalUri === null || approvalUri === before.approval_uri) return false
  await tx.db.run(
    sql`update quotes set state = 'pending', approval_uri = ${approvalUri} where id = ${before.id} and state <> 'accepted'`,
  )
  return true
}

async function removeQuote(tx: Context, { id }: QuoteRow): Promise<void> {
  // As it is when it is deleted: its author's answer may have arrived since it was read.
  const quote = await tx.db.maybe<Pick<QuoteRow, 'state' | 'quoted_status_id'>>(
    sql`delete from quotes where id = ${id} returning state, quoted_status_id`,
  )
  if (quote?.state === 'accepted' && quote.quoted_status_id !== null) await countQuotes(tx, quote.quoted_status_id, -1)
}
