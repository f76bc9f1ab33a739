import type { Context } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import type { AnnouncementReactions, CustomEmojis } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { unicodeEmoji } from '../../lib/emoji.ts'
import { invalidField, invalidRequest } from '../../lib/errors.ts'

const MAX_DISTINCT = 8

export type ReactionRow = Pick<AnnouncementReactions, 'announcement_id' | 'name'> &
  Pick<CustomEmojis, 'image_key' | 'static_key'> & { count: number; me: boolean }

/** In the order in which they were first used. `name`: only this one. */
export const listReactions = (
  ctx: Context,
  announcementIds: readonly string[],
  { accountId = null, name = null }: { accountId?: string | null; name?: string | null } = {},
): Promise<ReactionRow[]> =>
  ctx.db.many<ReactionRow>(sql`
    select r.announcement_id, r.name, e.image_key, e.static_key, count(*)::int as count,
      coalesce(bool_or(r.account_id = ${accountId}), false) as me
    from announcement_reactions r left join custom_emojis e on e.id = r.custom_emoji_id
    where r.announcement_id = any(${announcementIds}::bigint[]) and (${name}::text is null or r.name = ${name})
    group by r.announcement_id, r.name, e.id order by r.announcement_id, min(r.id)`)

type Named = { name: string; customEmojiId: string | null }

/** An emoji, or the shortcode or an alias of an enabled local custom emoji. */
async function recognise(ctx: Context, text: string): Promise<Named | null> {
  const emoji = unicodeEmoji(text)
  if (emoji !== null) return { name: emoji, customEmojiId: null }
  const custom = await ctx.db.maybe<Pick<CustomEmojis, 'id' | 'shortcode'>>(sql`
    select id, shortcode from custom_emojis
    where (shortcode = ${text} or ${text} = any(aliases)) and domain is null and not disabled and image_key is not null`)
  return custom && { name: custom.shortcode, customEmojiId: custom.id }
}

/**
 * Returns the name as stored. The caller has locked the announcement. Throws Invalid for an unknown emoji, a repeated reaction,
 * and a further emoji beyond the limit.
 */
export async function insertReaction(tx: Context, id: string, accountId: string, text: string): Promise<string> {
  const found = await recognise(tx, text)
  if (!found) throw invalidField('name', 'emoji_unknown')
  const { name, customEmojiId } = found
  const { known, distinct } = await tx.db.one<{ known: boolean; distinct: number }>(sql`
    select coalesce(bool_or(name = ${name}), false) as known, count(distinct name)::int as distinct
    from announcement_reactions where announcement_id = ${id}`)
  if (!known && distinct >= MAX_DISTINCT) throw invalidRequest('reaction_limit')
  try {
    await tx.db.run(sql`
      insert into announcement_reactions (announcement_id, account_id, name, custom_emoji_id)
      values (${id}, ${accountId}, ${name}, ${customEmojiId})`)
  } catch (error) {
    if (isDuplicate(error, 'announcement_reactions_announcement_id_account_id_name_key'))
      throw invalidField('name', 'taken')
    throw error
  }
  return name
}

/** Returns the name as stored; null if there was no such reaction. Throws Invalid for text that is no emoji. */
export async function deleteReaction(tx: Context, id: string, accountId: string, text: string): Promise<string | null> {
  const found = await recognise(tx, text)
  const name = found?.name ?? text
  const deleted = await tx.db.run(sql`
    delete from announcement_reactions where announcement_id = ${id} and account_id = ${accountId} and name = ${name}`)
  if (deleted > 0) return name
  // The reactions with a custom emoji that was disabled since can still be removed.
  if (!found) throw invalidField('name', 'emoji_unknown')
  return null
}
