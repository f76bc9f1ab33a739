import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { partsOfKey } from '../../files/store.ts'

/** Areas whose keys contain the id of the row that a file belongs to. */
const AREAS = ['media', 'avatars', 'headers', 'cards'] as const

/**
 * Removes the keys of copies of remote files from the rows that name them, before the files are deleted. The files are fetched
 * again when a user requests them.
 */
export async function unlinkFiles(ctx: Context, keys: readonly string[]): Promise<void> {
  const ids = Object.fromEntries(AREAS.map((area) => [area, [] as string[]]))
  const emojis: string[] = []
  for (const key of keys) {
    const { area, id } = partsOfKey(key)
    if (area === 'emojis') emojis.push(key)
    else if (/^\d+$/.test(id)) ids[area]?.push(id)
  }
  const { media = [], avatars = [], headers = [], cards = [] } = ids
  await ctx.transaction(async (tx) => {
    if (media.length > 0) await unlinkAttachments(tx, media, keys)
    if (avatars.length > 0)
      await tx.db.run(sql`
        update accounts set avatar_key = null, avatar_static_key = null
        where id = any(${avatars}::bigint[]) and domain is not null and (avatar_key = any(${keys}::text[]) or avatar_static_key = any(${keys}::text[]))`)
    if (headers.length > 0)
      await tx.db.run(sql`
        update accounts set header_key = null, header_static_key = null
        where id = any(${headers}::bigint[]) and domain is not null and (header_key = any(${keys}::text[]) or header_static_key = any(${keys}::text[]))`)
    if (cards.length > 0)
      await tx.db.run(sql`
        update preview_cards set image_key = null where id = any(${cards}::bigint[]) and image_key = any(${keys}::text[])`)
    if (emojis.length > 0) await tx.db.run(sql`delete from remote_emojis where image_key = any(${emojis}::text[])`)
  })
}

/** A new version of its row invalidates the cached JSON of a status. */
async function unlinkAttachments(tx: Context, ids: readonly string[], keys: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    with emptied as (
      update media_attachments set file_key = null, preview_key = null, file_size = null
      where id = any(${ids}::bigint[]) and remote_url is not null and (file_key = any(${keys}::text[]) or preview_key = any(${keys}::text[]))
      returning status_id
    )
    update statuses s set fetched_at = now() from emptied where s.id = emptied.status_id`)
}
