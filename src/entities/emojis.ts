import Type, { type Static } from 'typebox'
import { type Context, perServer } from '../context.ts'
import type { CustomEmojis } from '../db/schema.ts'
import { sql } from '../db/sql.ts'
import { emojiProxyUrl } from '../domain/media/remote.ts'
import { nullable } from './schema.ts'

export type RemoteEmoji = { shortcode: string; url: string }

/** It does not stand right beside letters, numbers or colons. */
export const SHORTCODE_IN_TEXT = /(?<=[^\p{L}\p{N}:]|^):([a-zA-Z0-9_]{2,}):(?=[^\p{L}\p{N}:]|$)/gu

const state = perServer((ctx) => {
  const cache = { known: new Map<string, CustomEmoji>(), loaded: null as Promise<Map<string, CustomEmoji>> | null }
  ctx.changes.on('setting', () => (cache.loaded = null))
  return cache
})

/** Await it before `emojisIn`. */
export async function loadEmojis(ctx: Context): Promise<Map<string, CustomEmoji>> {
  const cache = state(ctx)
  const loading = (cache.loaded ??= read(ctx))
  const known = await loading
  // Another change may have arrived, and newer emojis may be there already.
  if (cache.loaded === loading) cache.known = known
  return known
}

type LocalEmoji = Pick<CustomEmojis, 'shortcode' | 'static_key' | 'category' | 'visible_in_picker'> & {
  image_key: string
  aliases: string[]
}

async function read(ctx: Context): Promise<Map<string, CustomEmoji>> {
  const rows = await ctx.db.many<LocalEmoji>(sql`
    select shortcode, image_key, static_key, category, visible_in_picker, aliases from custom_emojis
    where domain is null and not disabled and image_key is not null order by category nulls first, shortcode`)
  const emojis = rows.flatMap((row) => {
    const emoji = {
      shortcode: row.shortcode,
      url: ctx.files.url(row.image_key),
      static_url: ctx.files.url(row.static_key ?? row.image_key),
      visible_in_picker: row.visible_in_picker,
      category: row.category,
    }
    // Clients complete aliases as they are typed, and show the image once in the picker.
    return [emoji, ...row.aliases.map((shortcode) => ({ ...emoji, shortcode, visible_in_picker: false }))]
  })
  return new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))
}

/** A local account uses the emojis in its texts; those of remote accounts and statuses go through the media proxy. */
export function emojisIn(
  ctx: Context,
  remote: readonly RemoteEmoji[],
  domain: string | null,
  texts: readonly string[],
): CustomEmoji[] {
  if (domain !== null)
    return remote.map(({ shortcode, url }) => ({
      shortcode,
      url: emojiProxyUrl(ctx, url, domain, 'original'),
      static_url: emojiProxyUrl(ctx, url, domain, 'static'),
      visible_in_picker: false,
      category: null,
    }))
  const { known } = state(ctx)
  if (known.size === 0) return []
  const used = new Set(
    texts.flatMap((text) => [...text.matchAll(SHORTCODE_IN_TEXT)].map((match) => match[1] as string)),
  )
  return [...used].flatMap((shortcode) => known.get(shortcode) ?? [])
}

export const CustomEmoji = Type.Object(
  {
    shortcode: Type.String(),
    url: Type.String(),
    static_url: Type.String(),
    visible_in_picker: Type.Boolean(),
    category: nullable(Type.String()),
    featured: Type.Optional(Type.Boolean()),
  },
  { $id: 'CustomEmoji' },
)
export type CustomEmoji = Static<typeof CustomEmoji>
