import type { Context } from '../../context.ts'
import { continuedAfter, newestFirst, type Pagination } from '../../db/page.ts'
import { NotFound } from '../../lib/errors.ts'
import { type AccountFacts, loadAccountFacts } from '../accounts/account-facts.ts'
import { isHiddenBy } from '../relationships/hidden.ts'
import {
  loadRelationships,
  loadRelationshipsOf,
  NO_RELATIONSHIP,
  type RelationshipFacts,
  type Relationships,
} from '../relationships/relationship-facts.ts'
import { loadWithOriginals, type StatusFacts } from './status-facts.ts'
import { type StatusAccess, type MaybeViewer, maySee } from './visibility.ts'

const NONE: Relationships = new Map()

/**
 * Decides in memory which statuses a viewer sees. Holds statuses, the originals of boosts, their authors and the viewer's
 * relationships with these. Sends no statement when all of that is cached.
 */
export class StatusReader {
  readonly #viewerId: string | null
  readonly #statuses: ReadonlyMap<string, StatusFacts>
  readonly #accounts: ReadonlyMap<string, AccountFacts>
  readonly #relationships: Relationships

  private constructor(
    viewer: MaybeViewer,
    statuses: ReadonlyMap<string, StatusFacts>,
    accounts: ReadonlyMap<string, AccountFacts>,
    relationships: Relationships,
  ) {
    this.#viewerId = viewer?.accountId ?? null
    this.#statuses = statuses
    this.#accounts = accounts
    this.#relationships = relationships
  }

  /** `accountIds`: further accounts to ask about. */
  static async load(
    ctx: Context,
    viewer: MaybeViewer,
    ids: Iterable<string>,
    accountIds: readonly string[] = [],
  ): Promise<StatusReader> {
    const statuses = await loadWithOriginals(ctx, ids)
    const authors = new Set(accountIds)
    for (const { account_id } of statuses.values()) authors.add(account_id)
    const [accounts, relationships] = await Promise.all([
      loadAccountFacts(ctx, authors),
      viewer ? loadRelationships(ctx, viewer.accountId, authors) : NONE,
    ])
    return new StatusReader(viewer, statuses, accounts, relationships)
  }

  /** Originals included. */
  all(): StatusFacts[] {
    return [...this.#statuses.values()]
  }

  /** The same statuses for other viewers, in their order. */
  async forViewers(ctx: Context, viewerIds: readonly string[]): Promise<StatusReader[]> {
    const relationships = await loadRelationshipsOf(ctx, viewerIds, this.#accounts.keys())
    return viewerIds.map(
      (accountId) =>
        new StatusReader({ accountId }, this.#statuses, this.#accounts, relationships.get(accountId) ?? NONE),
    )
  }

  /** The relationships of the viewer with the authors, and perhaps with others. */
  get relationships(): Relationships {
    return this.#relationships
  }

  /** Undefined when it was deleted. */
  status(id: string): StatusFacts | undefined {
    return this.#statuses.get(id)
  }

  /** The original of a boost, or the status itself. Undefined when it was deleted. */
  originalOf(status: StatusFacts): StatusFacts | undefined {
    return status.reblog_of_id === null ? status : this.#statuses.get(status.reblog_of_id)
  }

  account(id: string): AccountFacts | undefined {
    return this.#accounts.get(id)
  }

  relationship(accountId: string): RelationshipFacts {
    return this.#relationships.get(accountId) ?? NO_RELATIONSHIP
  }

  /** Whether the viewer sees the status by its own visibility. `status`: undefined when it was deleted. */
  sees(status: StatusFacts | undefined): boolean {
    if (!status) return false
    const author = this.#accounts.get(status.account_id)
    return author !== undefined && maySee(this.#viewerId, status, author, this.relationship(status.account_id))
  }

  /** For a boost, the viewer must see the original too. */
  seesWithOriginal(
    status: StatusFacts | undefined,
    alsoRequired?: (original: StatusFacts) => boolean,
  ): status is StatusFacts {
    if (!status || !this.sees(status)) return false
    if (status.reblog_of_id === null) return true
    const original = this.originalOf(status)
    return original !== undefined && this.sees(original) && (alsoRequired?.(original) ?? true)
  }

  /** Which statuses of an account the viewer may see, apart from those that mention the viewer. */
  accessTo(accountId: string): StatusAccess {
    const account = this.#accounts.get(accountId)
    if (!account || account.suspended) return 'none'
    if (accountId === this.#viewerId) return 'all'
    const { follows, blocked_by } = this.relationship(accountId)
    if (blocked_by) return 'none'
    return follows ? 'private' : 'open'
  }

  /** Whether a block in either direction, a mute or a blocked domain hides the account. The viewer's own is never hidden. */
  hides(accountId: string): boolean {
    return accountId !== this.#viewerId && isHiddenBy(this.relationship(accountId))
  }

  /** Whether public feeds show the statuses of an account. */
  showsInPublic(accountId: string): boolean {
    const account = this.#accounts.get(accountId)
    return account !== undefined && !account.suspended && !account.silenced && !this.hides(accountId)
  }

  /** Statuses of limited accounts reach only their followers and themselves. */
  isLimitedFor(accountId: string): boolean {
    if (!this.#accounts.get(accountId)?.silenced) return false
    return accountId !== this.#viewerId && !this.relationship(accountId).follows
  }
}

/** Those of `ids` that the viewer may see, in their order. */
export async function filterVisible(ctx: Context, viewer: MaybeViewer, ids: readonly string[]): Promise<string[]> {
  await ctx.changes.catchUpAfterWrites()
  const reader = await StatusReader.load(ctx, viewer, ids)
  return ids.filter((id) => reader.seesWithOriginal(reader.status(id)))
}

/**
 * The id of a status that the viewer acts on: for a reblog, that of the original. From memory where it is certain that the
 * viewer may see it and that no policy applies to it, which is so for most statuses by local accounts; otherwise null.
 */
export async function findOpenTarget(ctx: Context, viewer: MaybeViewer, id: string): Promise<string | null> {
  await ctx.changes.catchUpAfterWrites()
  const reader = await StatusReader.load(ctx, viewer, [id])
  const status = reader.status(id)
  if (!reader.seesWithOriginal(status)) return null
  const target = reader.originalOf(status)
  const isOpen = [status, target].every(
    (each) => each && each.approval === null && reader.account(each.account_id)?.domain === null,
  )
  return isOpen && target ? target.id : null
}

/**
 * The status, or the original of a boost, from memory, and whether its author is local. Throws NotFound unless the viewer may see
 * it.
 */
export async function getShownTarget(
  ctx: Context,
  viewer: MaybeViewer,
  id: string,
): Promise<{ status: StatusFacts; isLocal: boolean }> {
  const reader = await StatusReader.load(ctx, viewer, [id])
  const asked = reader.status(id)
  if (!reader.seesWithOriginal(asked)) throw new NotFound()
  const status = reader.originalOf(asked) as StatusFacts
  return { status, isLocal: reader.account(status.account_id)?.domain === null }
}

/** Sizes of the reads after the first one. */
const [SECOND_READ, LATER_READS] = [160, 800]
/** Entries that a page leaves out at most: the reader may have blocked, or be blocked by, thousands of accounts. */
const MAX_LEFT_OUT = 10_000

/** `read` and `filter` return entries in the direction of the page; `cursor` is the id by which the list pages. */
type ShownList<Entry> = {
  read: (part: Pagination) => Promise<Entry[]>
  filter: (entries: Entry[]) => Promise<Entry[]>
  cursor: (entry: Entry) => string
}

/**
 * The entries of a page that `filter` lets through, newest first. Reads on until the page is full or nothing is left; as little
 * is left out, one read is nearly always enough. A page is short after MAX_LEFT_OUT entries that it leaves out.
 */
export async function readShown<Entry>(page: Pagination, { read, filter, cursor }: ShownList<Entry>): Promise<Entry[]> {
  const shown: Entry[] = []
  let part = page
  let leftOut = 0
  for (;;) {
    const entries = await read(part)
    const found = entries.length === 0 ? entries : await filter(entries)
    shown.push(...found)
    leftOut += entries.length - found.length
    const last = entries.at(-1)
    if (last === undefined || entries.length < part.limit || shown.length >= page.limit || leftOut > MAX_LEFT_OUT) break
    const limit = part === page ? SECOND_READ : LATER_READS
    part = continuedAfter({ ...page, limit }, cursor(last))
  }
  return newestFirst(shown.slice(0, page.limit), page)
}
