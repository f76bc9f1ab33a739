// The merging of two stored accounts of one remote person: one of them takes over what refers to the other.
import type { Context } from '../../context.ts'
import { invalidateAllCaches } from '../../db/changes.ts'
import { foreignKeysTo, sql } from '../../db/sql.ts'

export type Merge = { from: string; to: string }

/** Whether both accounts published the same key: then they are the same person's. */
export const shareKey = async (ctx: Context, { from, to }: Merge): Promise<boolean> =>
  (await ctx.db.maybe(sql`
    select from account_keys a join account_keys b on b.public_key = a.public_key and b.account_id = ${to}
    where a.account_id = ${from} limit 1`)) !== null

/** Locks both, so that nothing new refers to them until the transaction ends. */
export async function lockMerged(tx: Context, { from, to }: Merge): Promise<void> {
  await tx.db.run(sql`select from accounts where id = any(${[from, to]}::bigint[]) order by id for update`)
}

/** Tables whose rows describe the account itself: those of the other account are right. */
const OWN: ReadonlySet<string> = new Set([
  'account_keys',
  'account_purges',
  'account_stats',
  'accounts',
  'collections',
  'devices',
  'featured_tags',
  'status_pins',
  'well_known_accounts',
])

type Reference = { table: string; column: string; uniques: { columns: string[] | null; nulls_distinct: boolean }[] }

/**
 * Rows that refer to `from` then refer to `to`, apart from those that `to` has as well and those between the two. The foreign
 * keys and unique indexes come from PostgreSQL's catalog, so that new tables are included.
 */
export async function moveReferences(tx: Context, { from, to }: Merge): Promise<void> {
  const references = await tx.db.many<Reference>(sql`
    select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column", coalesce((
        select jsonb_agg(jsonb_build_object('nulls_distinct', not i.indnullsnotdistinct, 'columns', (
          select jsonb_agg(quote_ident(o.attname)) from pg_attribute o
          where o.attrelid = i.indrelid and o.attnum = any(i.indkey::int2[]) and o.attnum <> a.attnum)))
        from pg_index i where i.indrelid = c.conrelid and i.indisunique and a.attnum = any(i.indkey::int2[])), '[]') as uniques
    from ${foreignKeysTo('accounts')} order by 1, 2`)
  const isReference = (table: string, column: string): boolean =>
    references.some((other) => other.table === table && other.column === column)
  for (const { table, column, uniques } of references) {
    if (OWN.has(table)) continue
    const conditions = uniques.flatMap(({ columns, nulls_distinct: distinct }) => {
      const others = columns ?? []
      const same = others.map((other) => `x.${other} ${distinct ? '=' : 'is not distinct from'} t.${other}`)
      const pairs = others.filter((other) => isReference(table, other)).map((other) => `t.${other} is distinct from $2`)
      return [`not exists (select from ${table} x where ${[`x.${column} = $2`, ...same].join(' and ')})`, ...pairs]
    })
    const where = [`t.${column} = $1`, ...conditions].join(' and ')
    await tx.db.raw(`update ${table} t set ${column} = $2 where ${where}`, [from, to])
  }
  // An account may have followed one of the two, and requested to follow the other.
  await tx.db.run(sql`
    delete from follow_requests r using follows f
    where f.account_id = r.account_id and f.target_account_id = r.target_account_id and ${to} in (r.account_id, r.target_account_id)`)
  await tx.db.run(sql`update accounts set moved_to_id = ${to} where moved_to_id = ${from} and id <> ${to}`)
  await tx.db.run(sql`update home_feed set author_id = ${to} where author_id = ${from}`)
  await moveParticipant(tx, { from, to })
  // Triggers do not note that rows of these tables refer to another account.
  await invalidateAllCaches(tx.db)
}

/** Replaces a participant of direct conversations. A conversation that has both accounts already stays as it is. */
const moveParticipant = (tx: Context, { from, to }: Merge): Promise<number> =>
  tx.db.run(sql`
    with moved as (
      select c.id, array(select distinct case when p = ${from} then ${to}::bigint else p end from unnest(c.participant_ids) p order by 1) as ids
      from account_conversations c where ${from} = any(c.participant_ids)
    )
    update account_conversations c set participant_ids = moved.ids, participants_digest = md5(array_to_string(moved.ids, ','))::uuid
    from moved where moved.id = c.id and not exists (
      select from account_conversations x where x.account_id = c.account_id and x.conversation_id = c.conversation_id
        and x.participants_digest = md5(array_to_string(moved.ids, ','))::uuid)`)
