import type { Accounts } from '../../db/schema.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import {
  countExportedRelationships,
  listExportedBlocks,
  listExportedDomains,
  listExportedFollows,
  listExportedMutes,
} from '../relationships/exports.ts'
import { fullHandle, statusUri } from '../server/addresses.ts'
import { followRows, writeCsv } from './csv.ts'
import { exportFilters } from './filters.ts'

/** File names, as on Mastodon. */
export const EXPORTS = [
  'following_accounts',
  'lists',
  'blocked_accounts',
  'muted_accounts',
  'blocked_domains',
  'bookmarks',
  'custom_filters',
] as const
export type ExportName = (typeof EXPORTS)[number]

export const isExportName = (name: string): name is ExportName => (EXPORTS as readonly string[]).includes(name)

export async function countExports(ctx: Context, accountId: string): Promise<Record<ExportName, number>> {
  const { follows, blocks, mutes, domains } = await countExportedRelationships(ctx, accountId)
  const rest = await ctx.db.one<{ lists: number; bookmarks: number; filters: number }>(sql`
    select (select count(*)::int from list_accounts where owner_id = ${accountId}) as lists,
      (select count(*)::int from bookmarks where account_id = ${accountId}) as bookmarks,
      (select count(*)::int from filters where account_id = ${accountId}) as filters`)
  return {
    following_accounts: follows,
    lists: rest.lists,
    blocked_accounts: blocks,
    muted_accounts: mutes,
    blocked_domains: domains,
    bookmarks: rest.bookmarks,
    custom_filters: rest.filters,
  }
}

type Handle = Pick<Accounts, 'username' | 'domain'>

export const exportExtension = (name: ExportName): 'csv' | 'json' => (name === 'custom_filters' ? 'json' : 'csv')

/** In Mastodon's form. */
export async function exportText(ctx: Context, accountId: string, name: ExportName): Promise<string> {
  return name === 'custom_filters' ? exportFilters(ctx, accountId) : writeCsv(await ROWS[name](ctx, accountId))
}

const ROWS: Record<Exclude<ExportName, 'custom_filters'>, (ctx: Context, accountId: string) => Promise<string[][]>> = {
  async following_accounts(ctx, accountId) {
    return followRows(ctx, await listExportedFollows(ctx, accountId))
  },
  async lists(ctx, accountId) {
    const rows = await ctx.db.many<Handle & { title: string }>(sql`
      select l.title, a.username, a.domain from lists l join list_accounts la on la.list_id = l.id join accounts a on a.id = la.account_id
      where l.account_id = ${accountId} order by l.id, la.id`)
    return rows.map((row) => [row.title, fullHandle(ctx, row)])
  },
  async blocked_accounts(ctx, accountId) {
    return (await listExportedBlocks(ctx, accountId)).map((row) => [fullHandle(ctx, row)])
  },
  async muted_accounts(ctx, accountId) {
    const rows = await listExportedMutes(ctx, accountId)
    return [
      ['Account address', 'Hide notifications'],
      ...rows.map((row) => [fullHandle(ctx, row), String(row.hide_notifications)]),
    ]
  },
  async blocked_domains(ctx, accountId) {
    return (await listExportedDomains(ctx, accountId)).map((domain) => [domain])
  },
  async bookmarks(ctx, accountId) {
    return (await listStatusUris(ctx, accountId, 'bookmarks')).map((uri) => [uri])
  },
}

/** ActivityPub ids, the oldest favourite or bookmark first. */
export async function listStatusUris(
  ctx: Context,
  accountId: string,
  table: 'favourites' | 'bookmarks',
): Promise<string[]> {
  const { rows } = await ctx.db.raw(
    `select s.id, s.uri, a.username from ${table} t join statuses s on s.id = t.status_id join accounts a on a.id = s.account_id
    where t.account_id = $1 order by t.id`,
    [accountId],
  )
  return (rows as { id: string; uri: string | null; username: string }[]).map(
    (row) => row.uri ?? statusUri(ctx, row.username, row.id),
  )
}
