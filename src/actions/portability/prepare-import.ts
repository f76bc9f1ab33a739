import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { unbookmark } from '../../domain/statuses/bookmarks.ts'
import { insertList, listLists } from '../../domain/lists/lists.ts'
import { removeList, removeListMembers } from '../lists/change.ts'
import { unblock } from '../accounts/block.ts'
import { unblockDomain } from '../accounts/domain-blocks.ts'
import { unmute } from '../accounts/mute.ts'
import { unfollow } from '../accounts/unfollow.ts'
import type { ImportType } from '../../domain/portability/import-rows.ts'

type Wanted = { id: string; account_id: string; type: ImportType; overwrite: boolean }

/**
 * What comes before the first row: the lists are made, and where the import replaces, whatever is not in the file goes. All
 * rows of the file are there still. It may be done twice.
 */
export async function prepareImport(ctx: Context, wanted: Wanted): Promise<void> {
  if (wanted.overwrite) await REMOVALS[wanted.type](ctx, wanted)
  if (wanted.type === 'lists') await makeLists(ctx, wanted)
}

async function makeLists(ctx: Context, { id, account_id: accountId }: Wanted): Promise<void> {
  const missing = await ctx.db.many<{ title: string }>(sql`
    select trim(data ->> 'list') as title from import_rows r
    where import_id = ${id} and data ? 'list' and not exists (select from lists where account_id = ${accountId} and title = trim(data ->> 'list'))
    group by 1 order by min(r.id)`)
  for (const { title } of missing)
    await insertList(ctx, accountId, { title }).catch((error: unknown) => {
      // Too many, or too long a name: its rows will say so.
      if (!(error instanceof Invalid)) throw error
    })
}

/** Ends ties to accounts whose handles are not in the file. */
const ties =
  (
    table: 'follows' | 'follow_requests' | 'blocks' | 'mutes',
    end: (ctx: Context, tie: { accountId: string; targetAccountId: string }) => Promise<unknown>,
  ) =>
  async (ctx: Context, { id, account_id: accountId }: Wanted): Promise<void> => {
    const { rows } = await ctx.db.raw(
      `select t.target_account_id as "targetAccountId" from ${table} t join accounts a on a.id = t.target_account_id
      where t.account_id = $1 and lower(a.username || '@' || coalesce(a.domain, $3)) not in (
        select data ->> 'key' from import_rows where import_id = $2 and data ? 'key')`,
      [accountId, id, ctx.config.localDomain],
    )
    for (const { targetAccountId } of rows as { targetAccountId: string }[])
      await end(ctx, { accountId, targetAccountId })
  }

const REMOVALS: Record<ImportType, (ctx: Context, wanted: Wanted) => Promise<void>> = {
  async following(ctx, wanted) {
    await ties('follows', unfollow)(ctx, wanted)
    await ties('follow_requests', unfollow)(ctx, wanted)
  },
  blocking: ties('blocks', unblock),
  muting: ties('mutes', unmute),
  async domain_blocking(ctx, { id, account_id: accountId }) {
    const rows = await ctx.db.many<{ domain: string }>(sql`
      select domain from account_domain_blocks
      where account_id = ${accountId} and domain not in (select data ->> 'key' from import_rows where import_id = ${id} and data ? 'key')`)
    for (const { domain } of rows) await unblockDomain(ctx, accountId, domain)
  },
  async bookmarks(ctx, { id, account_id: accountId }) {
    const rows = await ctx.db.many<{ id: string; uri: string | null; url: string | null; username: string }>(sql`
      select s.id, s.uri, s.url, a.username from bookmarks b join statuses s on s.id = b.status_id join accounts a on a.id = s.account_id
      where b.account_id = ${accountId}`)
    const wanted = await ctx.db.many<{ key: string }>(
      sql`select data ->> 'key' as key from import_rows where import_id = ${id} and data ? 'key'`,
    )
    const keys = new Set(wanted.map(({ key }) => key))
    const isIn = (row: (typeof rows)[number]): boolean =>
      [row.uri ?? statusUri(ctx, row.username, row.id), row.url ?? ''].some((address) => keys.has(address))
    for (const row of rows) if (!isIn(row)) await unbookmark(ctx, accountId, row.id)
  },
  async lists(ctx, { id, account_id: accountId }) {
    const wanted = await ctx.db.many<{ title: string }>(
      sql`select distinct trim(data ->> 'list') as title from import_rows where import_id = ${id} and data ? 'list'`,
    )
    const titles = new Set(wanted.map(({ title }) => title))
    for (const list of await listLists(ctx, accountId)) {
      if (!titles.has(list.title)) {
        await removeList(ctx, accountId, list.id)
        continue
      }
      const gone = await ctx.db.many<{ id: string }>(sql`
        select la.account_id as id from list_accounts la join accounts a on a.id = la.account_id
        where la.list_id = ${list.id} and lower(a.username || '@' || coalesce(a.domain, ${ctx.config.localDomain})) not in (
          select data ->> 'key' from import_rows where import_id = ${id} and trim(data ->> 'list') = ${list.title})`)
      await removeListMembers(
        ctx,
        list,
        gone.map((row) => row.id),
      )
    }
  },
}
