import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'

/** The ids of tags by normalised name (`normaliseTag`). Names that no status or account used are missing. */
export async function findTags(ctx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.many<{ id: string; name: string }>(
    sql`select id, name from tags where name = any(${names}::text[])`,
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/**
 * The ids of tags by names as typed (without `#`); creates the missing ones, displayed as first spelled. Leaves out names that
 * cannot be tags. Call it first in a transaction: it waits for concurrent inserts of the same tags, in the order of names to
 * avoid deadlocks.
 */
export async function getOrCreateTags(tx: Context, names: readonly string[]): Promise<string[]> {
  const spellings = new Map<string, string>()
  for (const typed of names) {
    const name = normaliseTag(typed)
    if (isTagName(name) && !spellings.has(name)) spellings.set(name, typed)
  }
  if (spellings.size === 0) return []
  const known = await findTags(tx, [...spellings.keys()])
  const missing = [...spellings.keys()].filter((name) => !known.has(name))
  if (missing.length === 0) return [...known.values()]
  await tx.db.run(sql`
    insert into tags (name, display_name)
    select name, display_name from unnest(${missing}::text[], ${missing.map((name) => spellings.get(name))}::text[]) as new (name, display_name)
    order by name on conflict (name) do nothing`)
  // Select again: `returning` omits the tags that another transaction inserted meanwhile.
  return [...(await findTags(tx, [...spellings.keys()])).values()]
}

/**
 * Records that tags were used, to the hour. Skips locked rows, so that concurrent posts with a popular tag do not wait for each
 * other.
 */
export async function touchTags(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.db.run(sql`
    with due as (
      select id from tags where id = any(${ids}::bigint[]) and (last_status_at is null or last_status_at < now() - interval '1 hour')
      for no key update skip locked
    )
    update tags set last_status_at = now() from due where tags.id = due.id`)
}
