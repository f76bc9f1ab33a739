import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { refuseDuplicate } from '../../db/database.ts'
import { type Pagination, newestFirst, onPage } from '../../db/page.ts'
import type { Accounts, CanonicalEmailBlocks } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { invalidFieldWithDetails, NotFound } from '../../lib/errors.ts'

export type CanonicalEmailBlock = Pick<CanonicalEmailBlocks, 'id' | 'canonical_email_hash'>

const columns = sql`id, canonical_email_hash`

/**
 * The hash under which all spellings of an address are blocked: lower case, without dots and without what follows a plus in
 * front of the @, as SHA-256 in hexadecimal. As in Mastodon, so that hashes can be exchanged.
 */
export function canonicalEmailHash(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@', 2)
  const [name = ''] = local.replaceAll('.', '').split('+', 1)
  return createHash('sha256').update(`${name}@${domain}`).digest('hex')
}

export async function listCanonicalEmailBlocks(ctx: Context, page: Pagination): Promise<CanonicalEmailBlock[]> {
  const rows = await ctx.db.many<CanonicalEmailBlock>(
    sql`select ${columns} from canonical_email_blocks where ${onPage(sql`id`, page)}`,
  )
  return newestFirst(rows, page)
}

/** Throws NotFound. */
export async function getCanonicalEmailBlock(ctx: Context, id: string): Promise<CanonicalEmailBlock> {
  const row = await ctx.db.maybe<CanonicalEmailBlock>(
    sql`select ${columns} from canonical_email_blocks where id = ${id}`,
  )
  if (!row) throw new NotFound()
  return row
}

export const findCanonicalEmailBlocks = (ctx: Context, email: string): Promise<CanonicalEmailBlock[]> =>
  ctx.db.many<CanonicalEmailBlock>(
    sql`select ${columns} from canonical_email_blocks where canonical_email_hash = ${canonicalEmailHash(email)}`,
  )

/** Throws Invalid for a text that is no such hash, and for one that is blocked. */
export async function insertCanonicalEmailBlock(tx: Context, hash: string): Promise<CanonicalEmailBlock> {
  const value = hash.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(value))
    throw invalidFieldWithDetails('canonical_email_hash', value === '' ? 'blank' : 'invalid')
  return refuseDuplicate('canonical_email_hash', () =>
    tx.db.one<CanonicalEmailBlock>(
      sql`insert into canonical_email_blocks (canonical_email_hash) values (${value}) returning ${columns}`,
    ),
  )
}

/** Returns those that existed. */
export const deleteCanonicalEmailBlocks = (tx: Context, ids: readonly string[]): Promise<CanonicalEmailBlock[]> =>
  tx.db.many<CanonicalEmailBlock>(
    sql`delete from canonical_email_blocks where id = any(${ids}::bigint[]) returning ${columns}`,
  )

/** For the suspension of a local account: its address cannot sign up again, however it is spelt. Without effect on others. */
export async function blockCanonicalEmail(tx: Context, accountId: string): Promise<void> {
  const user = await tx.db.maybe<{ email: string }>(sql`select email from users where account_id = ${accountId}`)
  if (!user) return
  await tx.db.run(sql`
    insert into canonical_email_blocks (canonical_email_hash, reference_account_id)
    values (${canonicalEmailHash(user.email)}, ${accountId}) on conflict do nothing`)
}

/** Undoes blockCanonicalEmail when a suspension ends. */
export async function unblockCanonicalEmail(tx: Context, accountId: string): Promise<void> {
  await tx.db.run(sql`delete from canonical_email_blocks where reference_account_id = ${accountId}`)
}

/** The suspended accounts that had the blocked addresses, by the id of the block. */
export async function findReferenceAccounts(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Pick<Accounts, 'id' | 'username'>>> {
  const rows = await ctx.db.many<Pick<Accounts, 'id' | 'username'> & { block_id: string }>(sql`
    select b.id as block_id, a.id, a.username from canonical_email_blocks b join accounts a on a.id = b.reference_account_id
    where b.id = any(${ids}::bigint[])`)
  return new Map(rows.map(({ block_id, id, username }) => [block_id, { id, username }]))
}
