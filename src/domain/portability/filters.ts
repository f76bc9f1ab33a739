// Filters in the JSON file that Mastodon exports.
import { asArray, asObject, textOf } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { parseInstant } from '../../lib/dates.ts'
import { isId } from '../../lib/ids.ts'
import { parseForeignJson } from '../../lib/json.ts'
import { type FilterRow, listFilters } from '../filters/filters.ts'
import {
  FILTER_ACTIONS,
  FILTER_CONTEXTS,
  type FilterAction,
  type FilterContext,
  MAX_KEYWORDS,
  MAX_STATUSES,
} from '../filters/rules.ts'
import { parseLocalUrl, statusUri } from '../server/addresses.ts'
import { findVisibleStatuses } from '../statuses/visibility.ts'

/** `expires_at`: ISO 8601; null means never. `statuses`: ActivityPub ids. */
export type PortableFilter = {
  title: string
  context: FilterContext[]
  action: FilterAction
  expires_at: string | null
  keywords: { keyword: string; whole_word: boolean }[]
  statuses: string[]
}

export async function exportFilters(ctx: Context, accountId: string): Promise<string> {
  const filters = await listFilters(ctx, [accountId])
  const rows = await ctx.db.many<{ id: string; uri: string | null; username: string }>(sql`
    select s.id, s.uri, a.username from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${filters.flatMap(({ statuses }) => statuses.map((each) => each.status_id))}::bigint[])`)
  const uris = new Map(rows.map((row) => [row.id, row.uri ?? statusUri(ctx, row.username, row.id)]))
  const custom_filters = filters.map(({ title, expires_at, context, action, keywords, statuses }) => ({
    title,
    expires_at,
    context,
    action,
    keywords_attributes: keywords.map(({ keyword, whole_word }) => ({ keyword, whole_word })),
    statuses: statuses.flatMap((each) => uris.get(each.status_id) ?? []),
  }))
  return JSON.stringify({ custom_filters })
}

/** The entries of a file; `filter` is null for an unusable one. Null for a file of another kind. */
export function readFilters(bytes: Uint8Array): { names: string[]; filter: PortableFilter | null }[] | null {
  const list = asObject(parsed(bytes))?.['custom_filters']
  return Array.isArray(list) ? list.map(readFilter) : null
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseForeignJson(Buffer.from(bytes))
  } catch {
    return null
  }
}

const MAX_TEXT = 1000

function readFilter(entry: unknown): { names: string[]; filter: PortableFilter | null } {
  const given = asObject(entry) ?? {}
  const title = textOf(given['title'], MAX_TEXT)?.trim() ?? ''
  const named = asArray(given['context'])
  const context = FILTER_CONTEXTS.filter((known) => named.includes(known))
  const keywords = asArray(given['keywords_attributes'], MAX_KEYWORDS + 1).flatMap((each) => {
    const keyword = textOf(asObject(each)?.['keyword'], MAX_TEXT)?.trim()
    return keyword ? [{ keyword, whole_word: asObject(each)?.['whole_word'] !== false }] : []
  })
  const filter = {
    title,
    context,
    action: FILTER_ACTIONS.find((known) => known === given['action']) ?? 'warn',
    // The first exports, here and in Mastodon, called it `expire_at`.
    expires_at: parseInstant(textOf(given['expires_at'] ?? given['expire_at']) ?? '')?.toISOString() ?? null,
    keywords,
    statuses: asArray(given['statuses'], MAX_STATUSES + 1).flatMap((each) => textOf(each) ?? []),
  }
  const isUsable = title !== '' && context.length > 0
  return { names: [title, ...keywords.map(({ keyword }) => keyword)], filter: isUsable ? filter : null }
}

/** Whether a filter has the same title and keywords. */
export function isSameFilter(row: FilterRow, filter: PortableFilter): boolean {
  const [known, given] = [row.keywords, filter.keywords].map((list) => new Set(list.map(({ keyword }) => keyword)))
  return row.title === filter.title && known?.symmetricDifference(given ?? new Set()).size === 0
}

/** Adds the posts of a filter that are stored here and that its owner may see. */
export async function addFilteredStatuses(
  tx: Context,
  accountId: string,
  filterId: string,
  uris: readonly string[],
): Promise<void> {
  const local = uris.flatMap((uri) => parseLocalUrl(tx, uri)?.statusId ?? []).filter(isId)
  const remote = await tx.db.many<{ id: string }>(sql`select id from statuses where uri = any(${uris}::text[])`)
  const visible = await findVisibleStatuses(tx, { accountId }, [...local, ...remote.map(({ id }) => id)])
  await tx.db.run(sql`
    insert into filter_statuses (filter_id, status_id)
    select ${filterId}, id from unnest(${visible.map(({ id }) => id)}::bigint[]) as id on conflict do nothing`)
}

/** The filters whose titles the import does not name. */
export async function filtersMissingFrom(
  ctx: Context,
  { id, account_id: accountId }: { id: string; account_id: string },
): Promise<FilterRow[]> {
  const rows = await ctx.db.many<{ title: string }>(sql`
    select distinct data -> 'filter' ->> 'title' as title from import_rows where import_id = ${id} and data ? 'filter'`)
  const titles = new Set(rows.map(({ title }) => title))
  return (await listFilters(ctx, [accountId])).filter(({ title }) => !titles.has(title))
}
