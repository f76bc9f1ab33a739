import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteEntries,
  followLists,
  lockEntries,
  setEntryState,
  storeListContent,
  takeOverBlocks,
} from '../../domain/moderation/block-list-entries.ts'
import {
  type BlockListForm,
  type BlockListRow,
  checkBlockList,
  deleteStoredBlockList,
  findBlockList,
  getBlockList,
  insertBlockList,
  type ListError,
  listDueBlockLists,
  lockUnchangedList,
  recordFetched,
  recordFetchError,
  recordUnchanged,
  updateStoredBlockList,
} from '../../domain/moderation/block-lists.ts'
import { lockDomainRules } from '../../domain/moderation/domain-blocks.ts'
import { type DomainList, MAX_LIST_BYTES, parseDomainList } from '../../domain/moderation/domain-csv.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { FetchError } from '../../net/fetch-error.ts'
import { applyBlocks, liftBlocks } from './domain-blocks.ts'
import { NotFound } from '../../lib/errors.ts'

/** A job reads the list at once, and then every day. Returns the id. Throws Invalid. */
export async function subscribeToBlockList(ctx: Context, staffId: StaffId, form: BlockListForm): Promise<string> {
  const checked = checkBlockList(ctx, form)
  return ctx.transaction(async (tx) => {
    const id = await insertBlockList(tx, checked)
    const { title, ...details } = checked
    await insertAuditEntry(tx, staffId, { type: 'block_list', action: 'create', id, label: title, details })
    await tx.enqueue('moderation.fetch-list', { listId: id }, { key: id })
    return id
  })
}

/**
 * The address stays. Does nothing for the same values. Entries that wait for an administrator still do, also in the mode `apply`.
 * Throws Invalid, NotFound.
 */
export async function updateBlockList(
  ctx: Context,
  staffId: StaffId,
  id: string,
  form: Omit<BlockListForm, 'url'>,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const list = await getBlockList(tx, id)
    const { title, mode, severity } = checkBlockList(tx, { ...form, url: list.url })
    if (!(await updateStoredBlockList(tx, id, { title, mode, severity }))) return
    const details = { mode, severity }
    await insertAuditEntry(tx, staffId, { type: 'block_list', action: 'update', id, label: title, details })
    await tx.enqueue('moderation.fetch-list', { listId: id }, { key: id })
  })
}

/**
 * Blocks that the list alone created end; those that an administrator changed, or that another list names, stay. Throws NotFound.
 */
export async function unsubscribeFromBlockList(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const list = await getBlockList(tx, id)
    await lockDomainRules(tx)
    const entries = await lockEntries(tx, id, null)
    if ((await deleteStoredBlockList(tx, id)) === 0) throw new NotFound()
    const lifted = await putIntoEffect(
      tx,
      entries.map(({ domain }) => domain),
    )
    const details = { url: list.url, ended: lifted }
    await insertAuditEntry(tx, staffId, { type: 'block_list', action: 'delete', id, label: list.title, details })
  })
}

/** Returns how many blocks ended. */
async function putIntoEffect(tx: Context, domains: readonly string[]): Promise<number> {
  const { stored, lifted } = await followLists(tx, domains)
  await applyBlocks(tx, stored)
  await liftBlocks(tx, lifted, { restoreFollows: true })
  return lifted.length
}

/** Answers changes of a list that wait for an administrator. Ignores domains without one. Returns how many were answered. */
export async function answerListChanges(
  ctx: Context,
  staffId: StaffId,
  id: string,
  { domains, accept }: { domains: readonly string[]; accept: boolean },
): Promise<number> {
  return ctx.transaction(async (tx) => {
    const list = await getBlockList(tx, id)
    await lockDomainRules(tx)
    const waiting = await lockEntries(tx, id, domains)
    const named = (state: string): string[] =>
      waiting.filter((entry) => entry.state === state).map(({ domain }) => domain)
    const [proposed, retracted] = [named('proposed'), named('retracted')]
    if (proposed.length + retracted.length === 0) return 0
    await setEntryState(tx, id, proposed, accept ? 'applied' : 'declined')
    // Administrators who decline a change want the block as it is: it is theirs from now on, and the list does not change it.
    if (!accept) await takeOverBlocks(tx, [...proposed, ...retracted])
    await deleteEntries(tx, id, retracted)
    await putIntoEffect(tx, accept ? [...proposed, ...retracted] : proposed)
    const details = { proposed: proposed.slice(0, 100), retracted: retracted.slice(0, 100) }
    const action = accept ? 'accept' : 'decline'
    await insertAuditEntry(tx, staffId, { type: 'block_list', action, id, label: list.title, details })
    return proposed.length + retracted.length
  })
}

export const readListNow = (ctx: Context, id: string): Promise<void> =>
  ctx.enqueue('moderation.fetch-list', { listId: id }, { key: id })

/** Clean-up: enqueues a job for each list that is due. */
export async function enqueueDueLists(ctx: Context): Promise<void> {
  const due = await listDueBlockLists(ctx)
  await ctx.enqueueMany(
    'moderation.fetch-list',
    due.map(({ id: listId }) => ({ listId })),
    ({ listId }) => listId,
  )
}

/** Job `moderation.fetch-list`: failures are shown to administrators, and retried after some hours. */
export async function fetchBlockList(ctx: Context, { listId }: JobData['moderation.fetch-list']): Promise<void> {
  const list = await findBlockList(ctx, listId)
  if (!list) return
  const read = await readList(ctx, list)
  if (read === 'unchanged') await recordUnchanged(ctx, listId)
  else if (typeof read === 'string') await recordFetchError(ctx, listId, read)
  else
    await ctx.transaction(async (tx) => {
      await lockDomainRules(tx)
      // Unfollowed meanwhile, or changed: the job of the change reads it again.
      if (!(await lockUnchangedList(tx, list))) return
      // An administrator confirms the first content.
      const mode = list.fetched_at === null ? 'ask' : list.mode
      const domains = await storeListContent(tx, listId, mode, read.drafts)
      await putIntoEffect(tx, domains)
      await recordFetched(tx, listId, { etag: read.etag, skipped: read.problemCount })
    })
}

type ReadList = DomainList & { etag: string | null }

async function readList(ctx: Context, list: BlockListRow): Promise<ReadList | ListError | 'unchanged'> {
  try {
    const answer = await ctx.fetch.request(list.url, {
      headers: list.etag === null ? {} : { 'if-none-match': list.etag },
      accept: 'text/csv, text/plain;q=0.9, */*;q=0.1',
      maxBytes: MAX_LIST_BYTES,
      timeoutMs: 30_000,
      // An administrator chose the address: the budgets for other servers do not apply.
      service: true,
    })
    if (answer.status === 304) return 'unchanged'
    if (answer.status === 404 || answer.status === 410) return 'not_found'
    if (answer.status < 200 || answer.status >= 300) return answer.status < 500 ? 'refused' : 'unreachable'
    const parsed = parseDomainList(ctx, answer.body.toString('utf8'), list.severity)
    if (!parsed) return 'malformed'
    // A list that lost all its entries is more likely broken than empty.
    return parsed.drafts.length === 0 ? 'empty' : { ...parsed, etag: answer.headers['etag'] ?? null }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    ctx.log.info({ err: error, url: list.url }, 'block-list.unreachable')
    return error.reason === 'too-large' ? 'too_large' : 'unreachable'
  }
}
