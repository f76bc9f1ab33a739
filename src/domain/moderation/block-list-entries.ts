// The entries of block lists, and their state on this server.
import type { Context } from '../../context.ts'
import type { OffsetPage } from '../../db/page.ts'
import type { BlockListEntries } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import {
  type AdminDomainBlockRow,
  type BlockDraft,
  combined,
  deleteDomainBlocks,
  findDomainBlocks,
  type StoredBlock,
  upsertDomainBlocks,
} from './domain-blocks.ts'
import { isSame } from './import-plan.ts'
import type { ListMode } from './block-lists.ts'

/** `proposed`: new or changed; `retracted`: gone from the list. Both wait for an administrator. */
export type EntryState = BlockListEntries['state']

export type ListEntryRow = Pick<
  BlockListEntries,
  'block_list_id' | 'domain' | 'severity' | 'reject_media' | 'reject_reports' | 'obfuscate' | 'public_comment' | 'state'
>

const columns: Sql = sql`e.block_list_id, e.domain, e.severity, e.reject_media, e.reject_reports, e.obfuscate, e.public_comment, e.state`

/** By domain, the entries that wait for an administrator first. */
export const listEntries = (ctx: Context, listId: string, { limit, offset }: OffsetPage): Promise<ListEntryRow[]> =>
  ctx.db.many<ListEntryRow>(sql`
    select ${columns} from block_list_entries e where e.block_list_id = ${listId}
    order by e.state in ('applied', 'declined'), e.domain limit ${limit} offset ${offset}`)

export type WaitingEntry = Pick<ListEntryRow, 'domain' | 'severity' | 'state'>

/** All entries of a list that wait for an administrator, by domain. */
export const listWaitingEntries = (ctx: Context, listId: string): Promise<WaitingEntry[]> =>
  ctx.db.many<WaitingEntry>(sql`
    select domain, severity, state from block_list_entries
    where block_list_id = ${listId} and state in ('proposed', 'retracted') order by domain`)

/** By domain: the lists whose entries block it. */
export async function listSources(
  ctx: Context,
  domains: readonly string[],
): Promise<Map<string, { id: string; title: string }[]>> {
  const rows = await ctx.db.many<{ domain: string; id: string; title: string }>(sql`
    select e.domain, l.id, l.title from block_list_entries e join block_lists l on l.id = e.block_list_id
    where e.domain = any(${domains}::text[]) and e.state in ('applied', 'retracted') order by l.title, l.id`)
  return Map.groupBy(rows, ({ domain }) => domain)
}

/**
 * Stores the present content of a list. Returns the domains whose blocks may change: none in the mode `ask`, where changes wait.
 */
export async function storeListContent(
  tx: Context,
  listId: string,
  mode: ListMode,
  drafts: readonly BlockDraft[],
): Promise<string[]> {
  const rows = await tx.db.many<ListEntryRow>(
    sql`select ${columns} from block_list_entries e where e.block_list_id = ${listId} for update`,
  )
  const before = new Map(rows.map((row) => [row.domain, row]))
  const now = new Set(drafts.map(({ domain }) => domain))
  const changed = drafts.filter((draft) => {
    const row = before.get(draft.domain)
    return !row || !isSame(row, draft) || row.state === 'retracted'
  })
  await upsertEntries(tx, listId, mode === 'apply' ? 'applied' : 'proposed', changed)
  const gone = rows.filter(({ domain }) => !now.has(domain))
  const [inEffect, idle] = [gone.filter(isInEffect), gone.filter((row) => !isInEffect(row))]
  await deleteEntries(tx, listId, (mode === 'apply' ? gone : idle).map(domainOf))
  if (mode === 'apply') return [...changed, ...inEffect].map(domainOf)
  await setEntryState(tx, listId, inEffect.map(domainOf), 'retracted')
  return []
}

const domainOf = ({ domain }: { domain: string }): string => domain
const isInEffect = ({ state }: ListEntryRow): boolean => state === 'applied' || state === 'retracted'

/** An entry that returns unchanged after its retraction is still in effect. */
async function upsertEntries(
  tx: Context,
  listId: string,
  state: EntryState,
  drafts: readonly BlockDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  await tx.db.run(sql`
    insert into block_list_entries as e (block_list_id, domain, severity, reject_media, reject_reports, obfuscate, public_comment, state)
    select ${listId}::bigint, g.domain, g.severity, g.reject_media, g.reject_reports, g.obfuscate, g.public_comment, ${state}
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
      as g (domain text, severity text, reject_media boolean, reject_reports boolean, obfuscate boolean, public_comment text)
    on conflict (block_list_id, domain) do update set severity = excluded.severity, reject_media = excluded.reject_media,
      reject_reports = excluded.reject_reports, obfuscate = excluded.obfuscate, public_comment = excluded.public_comment,
      state = case when e.state = 'retracted' and (e.severity, e.reject_media, e.reject_reports) = (excluded.severity, excluded.reject_media, excluded.reject_reports)
        then 'applied' else excluded.state end`)
}

export async function deleteEntries(tx: Context, listId: string, domains: readonly string[]): Promise<void> {
  await tx.db.run(
    sql`delete from block_list_entries where block_list_id = ${listId} and domain = any(${domains}::text[])`,
  )
}

export async function setEntryState(
  tx: Context,
  listId: string,
  domains: readonly string[],
  state: EntryState,
): Promise<void> {
  await tx.db.run(sql`
    update block_list_entries set state = ${state} where block_list_id = ${listId} and domain = any(${domains}::text[])`)
}

/** Locks the entries about `domains`, or all. */
export const lockEntries = (tx: Context, listId: string, domains: readonly string[] | null): Promise<ListEntryRow[]> =>
  tx.db.many<ListEntryRow>(sql`
    select ${columns} from block_list_entries e
    where e.block_list_id = ${listId} and (${domains}::text[] is null or e.domain = any(${domains}::text[])) for update`)

/** An administrator ended a block by hand: lists do not bring it back. */
export async function declineEntriesFor(tx: Context, domain: string): Promise<void> {
  await tx.db.run(sql`
    update block_list_entries set state = 'declined' where domain = ${domain} and state in ('applied', 'retracted')`)
}

/** The blocks belong to the administrators from now on, except those that another list is a reason for. */
export async function takeOverBlocks(tx: Context, domains: readonly string[]): Promise<void> {
  await tx.db.run(sql`
    update domain_blocks b set managed = false where b.domain = any(${domains}::text[])
      and not exists (select from block_list_entries e where e.domain = b.domain and e.state = 'applied')`)
}

/**
 * Sets the block of each domain to all that the entries in effect do together, and ends blocks without an entry. Leaves blocks
 * alone that an administrator set or changed. Returns the blocks that were stored, and the domains whose block ended.
 */
export async function followLists(
  tx: Context,
  domains: readonly string[],
): Promise<{ stored: StoredBlock[]; lifted: string[] }> {
  const [entries, blocks] = [
    await tx.db.many<ListEntryRow>(sql`
      select ${columns} from block_list_entries e
      where e.domain = any(${domains}::text[]) and e.state <> 'declined' order by e.block_list_id`),
    await findDomainBlocks(tx, domains),
  ]
  const wanted = new Map<string, BlockDraft>()
  for (const entry of entries.filter(isInEffect)) {
    const draft = { ...entry, private_comment: null }
    const other = wanted.get(entry.domain)
    wanted.set(entry.domain, other ? combined(other, draft) : draft)
  }
  const existing = new Map<string, AdminDomainBlockRow>(blocks.map((block) => [block.domain, block]))
  const drafts = [...wanted.values()].filter((draft) => {
    const block = existing.get(draft.domain)
    return !block || (block.managed && !isSame(draft, block))
  })
  const stored = await upsertDomainBlocks(tx, drafts, { managed: true })
  // A block whose entry changed stays while the change waits.
  const withoutEntry = domains.filter((domain) => !entries.some((entry) => entry.domain === domain))
  return { stored, lifted: await deleteDomainBlocks(tx, withoutEntry, { onlyManaged: true }) }
}
