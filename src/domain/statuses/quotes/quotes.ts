import type { Context } from '../../../context.ts'
import { type Pagination, newestFirst, ordered, within } from '../../../db/page.ts'
import type { Visibility } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { statusUri, statusUrl } from '../../server/addresses.ts'
import { isShownInThread } from '../context.ts'
import type { QuoteDraft } from '../draft.ts'
import type { Entry } from '../interactions.ts'
import { approvalFor } from './policy.ts'
import { type MaybeViewer, getTargetStatus } from '../visibility.ts'
import { NotFound, invalidRequest } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'

export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked'

export type QuoteRow = {
  id: string
  status_id: string
  account_id: string
  quoted_status_id: string | null
  quoted_account_id: string | null
  quoted_uri: string | null
  state: QuoteState
  approval_uri: string | null
  request_uri: string | null
}

/** What is about to be quoted. */
export type Quotable = {
  statusId: string
  accountId: string
  visibility: Visibility
  /** Its page, and the address by which servers know it. */
  url: string
  uri: string
  /** Whether it can be quoted without asking its author's server. */
  atOnce: boolean
}

const REFUSED = 'The post you are trying to quote does not appear to exist.'

/**
 * The post that somebody of this server wants to quote. Throws NotFound, in the same words, when it is missing, hidden from them,
 * or not to be quoted by them.
 */
export async function getQuotable(ctx: Context, author: NonNullable<MaybeViewer>, id: string): Promise<Quotable> {
  const status = await getTargetStatus(ctx, author, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new NotFound(REFUSED) : error
  })
  const isAuthor = status.account_id === author.accountId
  const approval = await approvalOf(ctx, status, author.accountId)
  if (approval !== 'automatic' && approval !== 'manual') throw new NotFound(REFUSED)
  const uri = status.uri ?? statusUri(ctx, status.username, status.id)
  return {
    statusId: status.id,
    accountId: status.account_id,
    visibility: status.visibility,
    url: status.local ? statusUrl(ctx, status.username, status.id) : (status.url ?? uri),
    uri,
    atOnce: isAuthor || status.local,
  }
}

/** Whether an account that may read a post may quote it, too. */
export async function approvalOf(
  ctx: Context,
  status: { account_id: string; visibility: Visibility; quote_policy: number },
  accountId: string,
): Promise<ReturnType<typeof approvalFor>> {
  const ties = await ctx.db.one<{ follows: boolean; followed: boolean }>(sql`
    select exists (select from follows where account_id = ${accountId} and target_account_id = ${status.account_id}) as follows,
      exists (select from follows where account_id = ${status.account_id} and target_account_id = ${accountId}) as followed`)
  const isAuthor = status.account_id === accountId
  return approvalFor(status.quote_policy, { visibility: status.visibility, isAuthor, ...ties })
}

/** In a post to few, whoever is quoted must be among them. Throws Invalid. */
export function checkQuotedIsMentioned(
  quoted: Quotable,
  authorId: string,
  visibility: Visibility,
  mentionIds: readonly string[],
): void {
  if (visibility !== 'direct' || quoted.accountId === authorId || mentionIds.includes(quoted.accountId)) return
  throw invalidRequest('quote_not_mentioned')
}

/**
 * Stores what a post, whose row names it already, quotes; counts it where it is accepted. Throws NotFound when the quoted post
 * is gone and cannot be asked for again.
 */
export async function insertQuote(
  tx: Context,
  id: string,
  post: { id: string; accountId: string },
  draft: QuoteDraft,
): Promise<void> {
  const target =
    draft.statusId === null
      ? null
      : await tx.db.maybe<{ id: string; account_id: string }>(
          sql`select id, account_id from statuses where id = ${draft.statusId} for key share`,
        )
  if (draft.statusId !== null && !target && draft.uri === null) throw new NotFound(REFUSED)
  const state = target ? draft.state : 'pending'
  await tx.db.run(sql`
    insert into quotes (id, status_id, account_id, quoted_status_id, quoted_account_id, quoted_uri, state, approval_uri)
    values (${id}, ${post.id}, ${post.accountId}, ${target?.id ?? null}, ${target?.account_id ?? null}, ${draft.uri}, ${state}, ${draft.approvalUri ?? null})`)
  if (state === 'accepted' && target) await countQuotes(tx, target.id, 1)
}

/** Changes how many accepted quotes a post has. */
export async function countQuotes(tx: Context, statusId: string, by: 1 | -1): Promise<void> {
  await tx.db.run(sql`
    insert into status_stats (status_id, quotes_count) values (${statusId}, greatest(${by}::int, 0))
    on conflict (status_id) do update set quotes_count = greatest(status_stats.quotes_count + ${by}::int, 0)`)
}

/** A quote by its id, or null. */
export function findQuote(ctx: Context, id: string): Promise<QuoteRow | null> {
  return ctx.db.maybe<QuoteRow>(sql`select * from quotes where id = ${id}`)
}

/** The quote that a post is, or null. Says nothing about who may see it. */
export function findQuoteOf(ctx: Context, statusId: string): Promise<QuoteRow | null> {
  return ctx.db.maybe<QuoteRow>(sql`select * from quotes where status_id = ${statusId}`)
}

/** The address of the post that a post of this server quotes, as its text names it; null where there is none any more. */
export async function findQuotedUrl(ctx: Context, statusId: string): Promise<string | null> {
  const row = await ctx.db.maybe<{
    id: string
    uri: string | null
    url: string | null
    local: boolean
    username: string
  }>(sql`
    select s.id, s.uri, s.url, s.local, a.username from quotes q join statuses s on s.id = q.quoted_status_id join accounts a on a.id = s.account_id
    where q.status_id = ${statusId}`)
  if (!row) return null
  return row.local ? statusUrl(ctx, row.username, row.id) : (row.url ?? row.uri)
}

/**
 * Makes what a known remote post quotes what its author says now: another post, none, or the same with another stamp. Gives
 * whether anything changed.
 */
export async function reviseQuote(
  tx: Context,
  post: { id: string; accountId: string },
  draft: QuoteDraft | null,
): Promise<boolean> {
  const before = await findQuoteOf(tx, post.id)
  if (before && draft && (before.quoted_uri === draft.uri || before.quoted_status_id === draft.statusId))
    return claimApproval(tx, before, draft.approvalUri ?? null)
  if (!before && !draft) return false
  if (before) await removeQuote(tx, before)
  const id = draft ? newId() : null
  await tx.db.run(sql`update statuses set quote_id = ${id} where id = ${post.id}`)
  if (draft && id) await insertQuote(tx, id, post, draft)
  return true
}

/** A stamp is only claimed until somebody has looked: see federation.quote. One that stands is not given up for another. */
async function claimApproval(tx: Context, before: QuoteRow, approvalUri: string | null): Promise<boolean> {
  if (before.state === 'accepted' || approvalUri === null || approvalUri === before.approval_uri) return false
  await tx.db.run(
    sql`update quotes set state = 'pending', approval_uri = ${approvalUri} where id = ${before.id} and state <> 'accepted'`,
  )
  return true
}

async function removeQuote(tx: Context, quote: QuoteRow): Promise<void> {
  await tx.db.run(sql`delete from quotes where id = ${quote.id}`)
  if (quote.state === 'accepted' && quote.quoted_status_id !== null) await countQuotes(tx, quote.quoted_status_id, -1)
}

/** Posts that quote a status with its author's consent, as far as the viewer may read them and wants to hear of their authors. */
export async function findQuotes(
  ctx: Context,
  viewer: NonNullable<MaybeViewer>,
  statusId: string,
  page: Pagination,
): Promise<Entry[]> {
  const rows = await ctx.db.many<Entry>(sql`
    select q.id as cursor, s.id from quotes q join statuses s on s.id = q.status_id join accounts a on a.id = s.account_id
    where q.quoted_status_id = ${statusId} and q.state = 'accepted' and ${isShownInThread(viewer)}
      and ${within(sql`q.id`, page)} ${ordered(sql`q.id`, page)}`)
  return newestFirst(rows, page)
}
