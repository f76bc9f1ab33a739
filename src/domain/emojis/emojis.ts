import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import type { CustomEmojis } from '../../db/schema.ts'
import { allOf, commaList, escapeLike, sql, type Sql } from '../../db/sql.ts'
import { invalidFields, type ErrorDetail, type ErrorDetails } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

export type EmojiRow = Pick<
  CustomEmojis,
  | 'id'
  | 'shortcode'
  | 'domain'
  | 'image_key'
  | 'static_key'
  | 'remote_url'
  | 'category'
  | 'visible_in_picker'
  | 'disabled'
> & { aliases: string[] }

const columns = commaList([
  sql`e.id, e.shortcode, e.domain, e.image_key, e.static_key, e.remote_url`,
  sql`e.category, e.visible_in_picker, e.disabled, e.aliases`,
])

export const MAX_LOCAL_EMOJIS = 10_000
export const MAX_EMOJI_CATEGORY = 100
const MAX_ALIASES = 10
const SHORTCODE = /^[A-Za-z0-9_]{2,100}$/

const isShortcode = (text: string): boolean => SHORTCODE.test(text)

export type EmojiFields = {
  shortcode: string
  /** Empty for none. */
  category: string
  /** Further shortcodes of the same image. */
  aliases: readonly string[]
  visibleInPicker: boolean
}

/** Throws Invalid with `details` that name every problem. */
export function checkEmoji({ shortcode, category, aliases, ...rest }: EmojiFields): EmojiFields {
  const wanted = {
    ...rest,
    shortcode: withoutColons(shortcode),
    category: category.trim(),
    aliases: [...new Set(aliases.map(withoutColons))],
  }
  const details: ErrorDetails = {}
  const wrong: ErrorDetail = { error: 'ERR_INVALID', description: message('emoji_shortcode') }
  if (!isShortcode(wanted.shortcode)) details['shortcode'] = [wrong]
  if (!wanted.aliases.every(isShortcode)) details['aliases'] = [wrong]
  if (wanted.aliases.length > MAX_ALIASES)
    details['aliases'] = [{ error: 'ERR_TOO_LONG', description: message('too_many_entries', { count: MAX_ALIASES }) }]
  if ([...wanted.category].length > MAX_EMOJI_CATEGORY)
    details['category'] = [{ error: 'ERR_TOO_LONG', description: message('too_long', { count: MAX_EMOJI_CATEGORY }) }]
  if (Object.keys(details).length > 0) throw invalidFields(details)
  return wanted
}

const withoutColons = (text: string): string => text.trim().replace(/^:|:$/g, '')

/** Until the end of the transaction, no other one changes the names of local emojis. */
export const lockEmojiNames = (tx: Context): Promise<unknown> =>
  tx.db.run(sql`select pg_advisory_xact_lock(${0x656d_6f6a})`)

/** The local emojis that have one of the names as shortcode or alias. */
export const findNamed = (ctx: Context, names: readonly string[]): Promise<EmojiRow[]> =>
  ctx.db.many<EmojiRow>(sql`
    select ${columns} from custom_emojis e
    where e.domain is null and (e.shortcode = any(${names}::text[]) or e.aliases && ${names}::text[])`)

/** Throws Invalid for a name that another local emoji has. The caller has locked the names. */
export async function checkNamesAreFree(tx: Context, fields: EmojiFields, exceptId: string | null): Promise<void> {
  const others = (await findNamed(tx, [fields.shortcode, ...fields.aliases])).filter(({ id }) => id !== exceptId)
  const isTaken = (name: string): boolean =>
    others.some(({ shortcode, aliases }) => shortcode === name || aliases.includes(name))
  const details: ErrorDetails = {}
  const taken: ErrorDetail = { error: 'ERR_TAKEN', description: message('taken') }
  if (isTaken(fields.shortcode)) details['shortcode'] = [taken]
  if (fields.aliases.some((name) => isTaken(name) || name === fields.shortcode)) details['aliases'] = [taken]
  if (Object.keys(details).length > 0) throw invalidFields(details)
}

export type EmojiFiles = Pick<CustomEmojis, 'image_key' | 'static_key'>

/** Null above the limit. */
export async function insertEmoji(tx: Context, fields: EmojiFields, files: EmojiFiles): Promise<string | null> {
  const { shortcode, category, aliases, visibleInPicker } = fields
  const row = await tx.db.maybe<Pick<CustomEmojis, 'id'>>(sql`
    insert into custom_emojis (shortcode, category, aliases, visible_in_picker, image_key, static_key)
    select ${shortcode}, ${category || null}, ${aliases}::text[], ${visibleInPicker}, ${files.image_key}, ${files.static_key}
    where (select count(*) from custom_emojis where domain is null) < ${MAX_LOCAL_EMOJIS}
    returning id`)
  return row?.id ?? null
}

/** Without `files`, the image stays. False when the emoji was so before. */
export async function updateEmoji(
  tx: Context,
  id: string,
  fields: EmojiFields,
  files: EmojiFiles | null,
): Promise<boolean> {
  const { shortcode, aliases, visibleInPicker: visible } = fields
  const category = fields.category || null
  const changed = await tx.db.run(sql`
    update custom_emojis set shortcode = ${shortcode}, category = ${category}, aliases = ${aliases}::text[], visible_in_picker = ${visible},
      image_key = coalesce(${files?.image_key ?? null}, image_key),
      static_key = case when ${files !== null} then ${files?.static_key ?? null} else static_key end, updated_at = now()
    where id = ${id} and domain is null and (${files !== null}
      or (shortcode, category, aliases, visible_in_picker) is distinct from (${shortcode}, ${category}, ${aliases}::text[], ${visible}))`)
  return changed > 0
}

export type BatchChange = { disabled?: boolean; visibleInPicker?: boolean; category?: string }

/** Changes local emojis. Returns those that have changed. */
export const updateEmojis = (
  tx: Context,
  ids: readonly string[],
  { disabled = null, visibleInPicker = null, category = null }: { [K in keyof BatchChange]: BatchChange[K] | null },
): Promise<Pick<EmojiRow, 'id' | 'shortcode'>[]> =>
  tx.db.many(sql`
    update custom_emojis set disabled = coalesce(${disabled}, disabled),
      visible_in_picker = coalesce(${visibleInPicker}, visible_in_picker),
      category = case when ${category}::text is null then category else nullif(${category}, '') end, updated_at = now()
    where id = any(${ids}::bigint[]) and domain is null
      and (disabled is distinct from coalesce(${disabled}, disabled)
        or visible_in_picker is distinct from coalesce(${visibleInPicker}, visible_in_picker)
        or (${category}::text is not null and category is distinct from nullif(${category}, '')))
    returning id, shortcode`)

/** Remote ones too. */
export const deleteStoredEmojis = (tx: Context, ids: readonly string[]): Promise<EmojiRow[]> =>
  tx.db.many<EmojiRow>(sql`delete from custom_emojis e where e.id = any(${ids}::bigint[]) returning ${columns}`)

export type EmojiFilter = {
  /** `remote`, `suspended` for those of suspended servers, or a domain; absent for local ones. */
  from?: string
  /** The beginning of a shortcode or, for local ones, an alias. */
  search?: string
  category?: string
  state?: 'enabled' | 'disabled' | 'hidden'
}

const ofSuspendedServer = sql`exists (
  select from domain_blocks b where b.severity = 'suspend' and (e.domain = b.domain or right(e.domain, length(b.domain) + 1) = '.' || b.domain))`

/** A condition on a custom emoji `e`. */
function matching({ from = '', search = '', category, state }: EmojiFilter): Sql {
  const pattern = `${escapeLike(search)}%`
  const named = sql`(e.shortcode ilike ${pattern} or exists (select from unnest(e.aliases) alias where alias ilike ${pattern}))`
  const states = {
    enabled: sql`not e.disabled`,
    disabled: sql`e.disabled`,
    hidden: sql`not e.visible_in_picker`,
  }
  return allOf([
    from === '' && sql`e.domain is null`,
    from === 'remote' && sql`e.domain is not null`,
    from === 'suspended' && ofSuspendedServer,
    !['', 'remote', 'suspended'].includes(from) && sql`e.domain = ${from}`,
    search !== '' && named,
    category !== undefined && sql`coalesce(e.category, '') = ${category}`,
    state !== undefined && states[state],
  ])
}

/** In the order of their categories and shortcodes. */
export const listEmojis = (ctx: Context, filter: EmojiFilter, { limit, offset }: OffsetPage): Promise<EmojiRow[]> =>
  ctx.db.many<EmojiRow>(sql`
    select ${columns} from custom_emojis e where ${matching(filter)}
    order by e.category nulls first, e.shortcode, e.domain nulls first limit ${limit} offset ${offset}`)

export const countEmojis = async (ctx: Context, filter: EmojiFilter): Promise<number> =>
  (await ctx.db.one<{ n: number }>(sql`select count(*)::int as n from custom_emojis e where ${matching(filter)}`)).n

export const findMatchingIds = async (ctx: Context, filter: EmojiFilter, limit: number): Promise<string[]> =>
  (
    await ctx.db.many<Pick<CustomEmojis, 'id'>>(
      sql`select e.id from custom_emojis e where ${matching(filter)} order by e.id limit ${limit}`,
    )
  ).map(({ id }) => id)

export const findEmojis = (ctx: Context, ids: readonly string[]): Promise<EmojiRow[]> =>
  ctx.db.many<EmojiRow>(
    sql`select ${columns} from custom_emojis e where e.id = any(${ids}::bigint[]) order by e.shortcode`,
  )

/** The categories of local emojis, by name. */
export const listCategories = async (ctx: Context): Promise<string[]> =>
  (
    await ctx.db.many<{ category: string }>(sql`
      select distinct category from custom_emojis where domain is null and category is not null order by category limit 500`)
  ).map(({ category }) => category)
