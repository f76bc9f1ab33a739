import { block, unblock } from '../accounts/block.ts'
import { blockDomain, unblockDomain } from '../accounts/domain-blocks.ts'
import { parseServerDomain } from '../../domain/peers/domain-names.ts'
import { follow, unfollow } from '../accounts/follow.ts'
import { mute, unmute } from '../accounts/mute.ts'
import { changeFilters, importFilter } from '../filters.ts'
import { addListMembers, removeList, removeListMembers } from '../lists.ts'
import { fetchStatusOrNull } from '../remote/receive-status.ts'
import { resolveHandle } from '../remote/resolve-account.ts'
import { resolveUrl } from '../remote/resolve-url.ts'
import { bookmark, unbookmark } from '../statuses/interactions.ts'
import type { Context } from '../../context.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { deleteFilter } from '../../domain/filters/filters.ts'
import { findListByTitle, insertList, isListMember, listLists } from '../../domain/lists/lists.ts'
import { filtersMissingFrom } from '../../domain/portability/filters.ts'
import {
  type RunningImport,
  bookmarksMissingFrom,
  findRunningImport,
  importedListTitles,
  markFinished,
  markPrepared,
  membersMissingFrom,
  missingListTitles,
  nextRows,
  recordOutcomes,
  startImport,
} from '../../domain/portability/imports.ts'
import type { ImportRow, ImportType } from '../../domain/portability/import-rows.ts'
import { listDomainsMissingFrom, listTargetsMissingFrom } from '../../domain/relationships/exports.ts'
import { getTargetStatus } from '../../domain/statuses/visibility.ts'
import { lockAccount } from '../../domain/users/locks.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { causedBy, newCause } from '../../lib/cause.ts'
import { AppError, Forbidden, Invalid, NotFound, problemsIn } from '../../lib/errors.ts'
import { message, render } from '../../messages/message.ts'

/**
 * Runs before the first row and needs all rows of the file: creates missing lists and, if the import overwrites, removes what
 * the file does not name. May run twice.
 */
async function prepareImport(ctx: Context, running: RunningImport): Promise<void> {
  if (running.overwrite) await REMOVALS[running.type](ctx, running)
  if (running.type === 'lists') await createMissingLists(ctx, running)
}

/** False once its owner has stopped it or has deleted the account, or may no longer act. */
const mayGoOn = async (ctx: Context, importId: string): Promise<boolean> =>
  (await findRunningImport(ctx, importId))?.may_act ?? false

/** The given items one by one, as long as the import may go on. */
async function* whileRunning<Item>(ctx: Context, { id }: RunningImport, items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) {
    if (!(await mayGoOn(ctx, id))) return
    yield item
  }
}

async function createMissingLists(ctx: Context, running: RunningImport): Promise<void> {
  for await (const title of whileRunning(ctx, running, await missingListTitles(ctx, running)))
    await insertMissingList(ctx, running.account_id, title).catch((error: unknown) => {
      // Too many lists, or too long a title: the rows of the list report it.
      if (!(error instanceof Invalid)) throw error
    })
}

/** Does nothing for a title that another request has used meanwhile. */
const insertMissingList = (ctx: Context, accountId: string, title: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await findListByTitle(tx, accountId, title))) await insertList(tx, accountId, { title })
  })

type Removal = (ctx: Context, running: RunningImport) => Promise<void>

const removing =
  (
    table: 'follows' | 'follow_requests' | 'blocks' | 'mutes',
    remove: (ctx: Context, pair: { accountId: string; targetAccountId: string }) => Promise<unknown>,
  ): Removal =>
  async (ctx, running) => {
    for await (const targetAccountId of whileRunning(ctx, running, await listTargetsMissingFrom(ctx, running, table)))
      await remove(ctx, { accountId: running.account_id, targetAccountId })
  }

const REMOVALS: Record<ImportType, Removal> = {
  async filters(ctx, running) {
    const missing = await filtersMissingFrom(ctx, running)
    await changeFilters(ctx, running.account_id, async (tx) => {
      for (const { id } of missing) await deleteFilter(tx, running.account_id, id)
    })
  },
  async following(ctx, running) {
    await removing('follows', unfollow)(ctx, running)
    await removing('follow_requests', unfollow)(ctx, running)
  },
  blocking: removing('blocks', unblock),
  muting: removing('mutes', unmute),
  async domain_blocking(ctx, running) {
    for await (const domain of whileRunning(ctx, running, await listDomainsMissingFrom(ctx, running)))
      await unblockDomain(ctx, running.account_id, domain)
  },
  async bookmarks(ctx, running) {
    for await (const id of whileRunning(ctx, running, await bookmarksMissingFrom(ctx, running)))
      await unbookmark(ctx, running.account_id, id)
  },
  async lists(ctx, running) {
    const titles = await importedListTitles(ctx, running)
    for await (const list of whileRunning(ctx, running, await listLists(ctx, running.account_id))) {
      if (titles.has(list.title)) await removeListMembers(ctx, list, await membersMissingFrom(ctx, running, list))
      else await removeList(ctx, running.account_id, list.id)
    }
  },
}

/** Rows per job: few enough that the job does not expire even if every server is slow. */
const BATCH = 40
const CONCURRENCY = 8

/** Returns false unless the import awaits confirmation. */
export const confirmImport = (ctx: Context, accountId: string, id: string): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const started = await startImport(tx, accountId, id)
    if (started) await tx.enqueue('portability.import', { importId: id })
    return started
  })

/**
 * Job `portability.import`: imports a batch of rows and enqueues itself for the rest. Ends when moderators have disabled or
 * suspended the owner.
 */
export async function runImport(ctx: Context, { importId }: JobData['portability.import']): Promise<void> {
  const running = await findRunningImport(ctx, importId)
  if (!running) return
  if (!running.may_act) return markFinished(ctx, importId)
  if (!running.prepared) {
    await prepareImport(ctx, running)
    await markPrepared(ctx, importId)
  }
  const rows = await nextRows(ctx, importId, BATCH)
  if (rows.length === 0) {
    await markFinished(ctx, importId)
    return
  }
  for (let at = 0; at < rows.length; at += CONCURRENCY) {
    // The next job finds out why.
    if (!(await mayGoOn(ctx, importId))) break
    const part = rows.slice(at, at + CONCURRENCY)
    const outcomes = await Promise.all(
      part.map(async ({ id, data }) => ({ id, error: await errorOf(ctx, running, data) })),
    )
    await recordOutcomes(ctx, importId, outcomes)
  }
  await ctx.enqueue('portability.import', { importId })
}

/** Null, or in the owner's language the reason why the row fails for good. Throws when a retry may succeed. */
async function errorOf(ctx: Context, running: RunningImport, row: ImportRow): Promise<string | null> {
  try {
    await importRow(ctx, running, row)
    return null
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { language } = running
    if (error instanceof NotFound) return render(message('import_row_not_found'), language)
    if (error instanceof Forbidden) return render(message('import_row_refused'), language)
    return render(problemsIn(error), language)
  }
}

type Owner = { account_id: string }
type RowImporter = (ctx: Context, owner: Owner, row: ImportRow) => Promise<void>

/** Throws AppError when the row is refused. */
const importRow = (ctx: Context, owner: Owner & { type: ImportType }, row: ImportRow): Promise<void> =>
  causedBy(newCause(), () => IMPORTERS[owner.type](ctx, owner, row))

const IMPORTERS: Record<ImportType, RowImporter> = {
  async following(ctx, { account_id: accountId }, row) {
    const targetAccountId = await resolveOther(ctx, accountId, row.key)
    const { reblogs, notify, languages } = row
    await follow(ctx, { accountId, targetAccountId, reblogs, notify, languages })
  },
  async blocking(ctx, { account_id: accountId }, row) {
    const targetAccountId = await resolveOther(ctx, accountId, row.key)
    await block(ctx, { accountId, targetAccountId })
  },
  async muting(ctx, { account_id: accountId }, row) {
    const targetAccountId = await resolveOther(ctx, accountId, row.key)
    await mute(ctx, { accountId, targetAccountId, notifications: row.notifications })
  },
  async domain_blocking(ctx, { account_id: accountId }, row) {
    await blockDomain(ctx, accountId, parseServerDomain(ctx, row.key))
  },
  async bookmarks(ctx, { account_id: accountId }, row) {
    const known = await resolveUrl(ctx, row.key, { fetch: false })
    const id = known && 'statusId' in known ? known.statusId : await fetchStatusOrNull(ctx, row.key)
    if (!id) throw new NotFound()
    const status = await getTargetStatus(ctx, { accountId }, id)
    await bookmark(ctx, accountId, status.id)
  },
  async filters(ctx, { account_id: accountId }, { filter }) {
    if (!filter) throw new NotFound()
    await importFilter(ctx, accountId, filter)
  },
  async lists(ctx, { account_id: accountId }, row) {
    const list = await findListByTitle(ctx, accountId, row.list?.trim() ?? '')
    if (!list) throw new Invalid(message('import_row_too_many_lists'))
    const target = await resolve(ctx, row.key)
    if (await isListMember(ctx, list.id, target.id)) return
    try {
      await addListMembers(ctx, list, [target.id])
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      // Only followed accounts can be in a list. Mastodon follows them too, so people may import their lists first.
      await follow(ctx, { accountId, targetAccountId: target.id })
      await addListMembers(ctx, list, [target.id])
    }
  },
}

/** Throws NotFound. */
async function resolve(ctx: Context, handle: string): Promise<AccountRow> {
  const account = await resolveHandle(ctx, handle)
  if (!account || account.suspended_at) throw new NotFound()
  return account
}

/** As resolve. Throws Invalid for the account itself. */
async function resolveOther(ctx: Context, accountId: string, handle: string): Promise<string> {
  const { id } = await resolve(ctx, handle)
  if (id === accountId) throw new Invalid(message('import_row_own_account'))
  return id
}
