import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'
import { newId } from '../../../lib/ids.ts'
import type { QuoteDraft } from '../draft.ts'
import { countQuotes, findQuoteOf, insertQuote, type QuoteRow } from './quotes.ts'

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
