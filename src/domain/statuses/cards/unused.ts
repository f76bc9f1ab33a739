import type { Context } from '../../../context.ts'
import { sql } from '../../../db/sql.ts'

const AT_ONCE = 500

/** Removes previews that no post has had for a month or more, with their pictures. */
export async function removeUnusedCards(ctx: Context): Promise<void> {
  for (;;) {
    const gone = await ctx.db.many<{ image_key: string | null }>(sql`
      delete from preview_cards where id in (
        select c.id from preview_cards c
        where c.created_at < now() - interval '30 days' and not exists (select from statuses s where s.card_id = c.id)
        order by c.created_at limit ${AT_ONCE})
      returning image_key`)
    await ctx.files.delete(gone.flatMap(({ image_key }) => image_key ?? []))
    if (gone.length < AT_ONCE) return
  }
}
