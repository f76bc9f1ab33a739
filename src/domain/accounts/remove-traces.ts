import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

/**
 * Tables whose rows stay with the bare row of a deleted account: they sign and carry the Delete that other servers are sent,
 * and count nothing.
 */
export const KEPT: ReadonlySet<string> = new Set(['account_keys', 'account_stats', 'outbox_activities'])

/** Derived, and bound to no account by the database. */
export const UNBOUND = ['home_feed', 'home_feeds'] as const

type Reference = { table: string; column: string; rule: string }

/**
 * Does to everything that refers to an account what deleting its row would do: rows that belong to it go, those that only
 * mention it forget it. Which these are is asked of the catalog, so that no table is forgotten.
 */
export async function removeTraces(tx: Context, accountId: string): Promise<void> {
  const references = await tx.db.many<Reference>(sql`
    select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column", c.confdeltype as rule
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
    order by c.conrelid::regclass::text = 'statuses' desc, 1, 2`)
  for (const { table, column, rule } of references) {
    if (KEPT.has(table)) continue
    const statement =
      rule === 'c'
        ? `delete from ${table} where ${column} = $1`
        : `update ${table} set ${column} = null where ${column} = $1`
    await tx.db.raw(statement, [accountId])
  }
  for (const table of UNBOUND) await tx.db.raw(`delete from ${table} where account_id = $1`, [accountId])
}
