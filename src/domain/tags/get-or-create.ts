import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isTagName, normaliseTag } from '../../lib/text/tags.ts'
import { findTags } from './find.ts'

/**
 * The ids of tags by names as typed (without `#`), made where they are new; the first spelling of a new tag is kept for
 * display. Names that cannot be tags are left out. To be called first in a transaction: a tag that somebody else is just
 * making is waited for, always in the order of names, so that nobody waits for each other.
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
  // Read again rather than returned: what another transaction made meanwhile is not ours to return.
  return [...(await findTags(tx, [...spellings.keys()])).values()]
}

/**
 * Notes that tags were used. Kept to the hour only, and never waiting for anybody, so that a tag which everybody uses is no
 * queue for those who post.
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
