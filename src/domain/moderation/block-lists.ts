// Lists of blocks at an address, which this server reads every day.
import type { Context } from '../../context.ts'
import type { BlockLists } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { Invalid, invalidField, invalidFields, NotFound } from '../../lib/errors.ts'
import { cutText } from '../../lib/text/count.ts'
import { message } from '../../messages/message.ts'
import { fetchableUrl } from '../../net/gate.ts'
import { type BlockSeverity, BLOCK_SEVERITIES } from './domain-blocks.ts'

/** `apply` puts changes of a list into effect at once; `ask` leaves them to an administrator. */
export const LIST_MODES = ['apply', 'ask'] as const
export type ListMode = (typeof LIST_MODES)[number]

/** Why a list could not be read: a key of the message catalogue. */
export type ListError = 'unreachable' | 'refused' | 'not_found' | 'too_large' | 'malformed' | 'empty'

/** `severity` holds for entries that come without one. */
export type BlockListRow = Pick<
  BlockLists,
  'id' | 'title' | 'url' | 'etag' | 'fetched_at' | 'next_fetch_at' | 'skipped_count' | 'created_at'
> & { mode: ListMode; severity: BlockSeverity; error: ListError | null }

export type CountedBlockList = BlockListRow & { applied: number; waiting: number }

const MAX_LISTS = 50
export const MAX_LIST_TITLE = 100
const FETCH_INTERVAL = sql`interval '1 day'`
const RETRY_INTERVAL = sql`interval '3 hours'`

const columns: Sql = sql`l.id, l.title, l.url, l.mode, l.severity, l.etag, l.fetched_at, l.next_fetch_at, l.error, l.skipped_count, l.created_at`

export const listBlockLists = (ctx: Context): Promise<CountedBlockList[]> =>
  ctx.db.many<CountedBlockList>(sql`
    select ${columns}, count(e.domain) filter (where e.state = 'applied')::int as applied,
      count(e.domain) filter (where e.state in ('proposed', 'retracted'))::int as waiting
    from block_lists l left join block_list_entries e on e.block_list_id = l.id group by l.id order by l.title, l.id`)

export const findBlockList = (ctx: Context, id: string): Promise<BlockListRow | null> =>
  ctx.db.maybe<BlockListRow>(sql`select ${columns} from block_lists l where l.id = ${id}`)

/** Throws NotFound. */
export async function getBlockList(ctx: Context, id: string): Promise<BlockListRow> {
  const row = await findBlockList(ctx, id)
  if (!row) throw new NotFound()
  return row
}

/** Whether the list, which is locked, has the mode and severity with which it was read. */
export const lockUnchangedList = async (tx: Context, { id, mode, severity }: BlockListRow): Promise<boolean> =>
  (await tx.db.maybe(
    sql`select from block_lists where id = ${id} and mode = ${mode} and severity = ${severity} for no key update`,
  )) !== null

/** Changes that wait for an administrator, in all lists. */
export async function countWaitingEntries(ctx: Context): Promise<number> {
  const { n } = await ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from block_list_entries where state in ('proposed', 'retracted')`,
  )
  return n
}

export type BlockListForm = { title: string; url: string; mode: string; severity: string }
type CheckedForm = { title: string; url: string; mode: ListMode; severity: BlockSeverity }

/** Throws Invalid. */
export function checkBlockList(ctx: Context, form: BlockListForm): CheckedForm {
  const url = fetchableUrl(ctx.fetch, form.url.trim())
  if (!url || url.href.length > 2000)
    throw invalidFields({ url: [{ error: 'ERR_INVALID', description: message('url_invalid') }] })
  const typed = form.title.trim()
  if ([...typed].length > MAX_LIST_TITLE) throw invalidField('title', 'too_long', { count: MAX_LIST_TITLE })
  const title = typed || cutText(url.host, MAX_LIST_TITLE)
  const mode = LIST_MODES.find((each) => each === form.mode) ?? 'ask'
  const severity = BLOCK_SEVERITIES.find((each) => each === form.severity) ?? 'suspend'
  return { title, url: url.href, mode, severity }
}

/** Returns the id. Throws Invalid when the address is in use, and above the limit. */
export async function insertBlockList(tx: Context, form: CheckedForm): Promise<string> {
  const row = await tx.db.maybe<{ id: string }>(sql`
    insert into block_lists (title, url, mode, severity)
    select ${form.title}, ${form.url}, ${form.mode}, ${form.severity} where (select count(*) from block_lists) < ${MAX_LISTS}
    on conflict (url) do nothing returning id`)
  if (row) return row.id
  if (await tx.db.maybe(sql`select from block_lists where url = ${form.url}`))
    throw invalidFields({ url: [{ error: 'ERR_TAKEN', description: message('taken') }] })
  throw new Invalid(message('block_list_limit', { count: MAX_LISTS }))
}

/** The address stays. False when the list was so before. */
export async function updateStoredBlockList(
  tx: Context,
  id: string,
  { title, mode, severity }: Pick<CheckedForm, 'title' | 'mode' | 'severity'>,
): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update block_lists set title = ${title}, mode = ${mode}, severity = ${severity}, etag = null
    where id = ${id} and (title, mode, severity) is distinct from (${title}, ${mode}, ${severity})`)
  return changed > 0
}

export const deleteStoredBlockList = (tx: Context, id: string): Promise<number> =>
  tx.db.run(sql`delete from block_lists where id = ${id}`)

export const listDueBlockLists = (ctx: Context): Promise<{ id: string }[]> =>
  ctx.db.many<{ id: string }>(sql`select id from block_lists where next_fetch_at <= now() order by next_fetch_at`)

export async function recordFetched(
  tx: Context,
  id: string,
  { etag, skipped }: { etag: string | null; skipped: number },
): Promise<void> {
  await tx.db.run(sql`
    update block_lists set etag = ${etag}, skipped_count = ${skipped}, error = null, fetched_at = now(), next_fetch_at = now() + ${FETCH_INTERVAL}
    where id = ${id}`)
}

export async function recordUnchanged(ctx: Context, id: string): Promise<void> {
  await ctx.db.run(sql`
    update block_lists set error = null, fetched_at = now(), next_fetch_at = now() + ${FETCH_INTERVAL} where id = ${id}`)
}

export async function recordFetchError(ctx: Context, id: string, error: ListError): Promise<void> {
  await ctx.db.run(sql`
    update block_lists set error = ${error}, next_fetch_at = now() + ${RETRY_INTERVAL} where id = ${id}`)
}
