import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { lruCache } from '../../lib/lru-cache.ts'
import { catchUpOnStatus, fetchNote, fetchStatusOrNull, receiveNote } from './receive-status.ts'
import { resolveActor } from './resolve-account.ts'
import { idsOf, urlOf } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import { type Context, perServer } from '../../context.ts'
import type { Statuses } from '../../db/schema.ts'
import { readPages } from '../../domain/accounts/documents.ts'
import { type AsyncRefresh, countResults, findRefresh, finishRefresh } from '../../domain/server/async-refreshes.ts'
import { findKnownUris, findMissingParent } from '../../domain/statuses/find.ts'
import { linkReplies } from '../../domain/statuses/insert.ts'
import { startRefresh } from '../async-refresh.ts'
import { followUpReplies } from '../statuses/publish.ts'
import { findRemoteReplies, findRemoteUri } from '../../domain/statuses/remote.ts'
import { isPublicOrUnlisted } from '../../domain/statuses/visibility.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { unlessUnreachable } from '../../net/fetch-error.ts'

/** Seconds between two fetches of a thread. */
const MIN_INTERVAL = 15 * 60
/** Limits of one job: new replies, stored statuses that are read again for their replies, milliseconds, requests at once. */
const MAX_REPLIES = 100
const MAX_STORED = 50
const MAX_MS = 60_000
const CONCURRENT_REQUESTS = 4
/** Addresses of one page of a collection of replies. */
const PER_PAGE = 100

type Post = { id: string; uri: string }

const keyOf = (statusId: string): string => `context:${statusId}`

/** When the replies to a status may be fetched again, in Unix time (ms), by its id. No process fetches them before. */
const nextFetches = perServer(() => lruCache<string, number>({ max: 10_000 }))

/**
 * Other servers deliver only the replies that concern local accounts. Takes a remote status. Returns the progress of a job
 * that it starts or that runs; null for statuses that are not public or unlisted, and threads that were fetched within
 * MIN_INTERVAL. `mayBegin` is called before a job is started.
 */
export async function requestReplies(
  ctx: Context,
  { id, visibility }: Pick<Statuses, 'id' | 'visibility'>,
  mayBegin: () => Promise<boolean>,
): Promise<AsyncRefresh | null> {
  if (!isPublicOrUnlisted(visibility) || (nextFetches(ctx).get(id) ?? 0) > Date.now()) return null
  const key = keyOf(id)
  const known = await findRefresh(ctx, key)
  if (known?.status === 'running') return known
  if (known && known.age < MIN_INTERVAL) {
    nextFetches(ctx).set(id, Date.now() + (MIN_INTERVAL - known.age) * 1000)
    return null
  }
  if (!(await mayBegin())) return null
  const enqueue = (tx: Context): Promise<void> => tx.enqueue('federation.replies', { statusId: id })
  return startRefresh(ctx, { key, intervalSeconds: MIN_INTERVAL, enqueue })
}

/** Job `federation.replies`: fetches the replies to a remote status, and the replies to them. */
export async function fetchReplies(ctx: Context, { statusId }: JobData['federation.replies']): Promise<void> {
  const key = keyOf(statusId)
  try {
    const uri = await findRemoteUri(ctx, statusId)
    if (uri) await fetchDescendants(ctx, { id: statusId, uri }, (more) => countResults(ctx, key, more))
  } finally {
    await finishRefresh(ctx, key)
  }
}

/**
 * Reads each status once, from its own server, stores new ones, catches up on stored ones, and continues with the statuses in its
 * collection of replies.
 */
async function fetchDescendants(ctx: Context, root: Post, onStored: (more: number) => Promise<void>): Promise<void> {
  const deadline = Date.now() + MAX_MS
  const stored = new Set([root.uri, ...(await findRemoteReplies(ctx, root.id, MAX_STORED))])
  const thread = new Set(stored)
  const queue = [...stored]
  const seen = new Set(stored)
  /** Replies that were read before their parents, by the addresses of these. */
  const early = new Map<string, Note[]>()
  let leftNew = MAX_REPLIES
  let leftStored = MAX_STORED
  // Both return the notes that have become part of the thread: a reply may bring those that waited for it.
  const join = async (reply: Note): Promise<Note[]> => {
    const parent = reply.inReplyTo
    if (parent === null) return []
    if (!thread.has(parent)) {
      early.set(parent, [...(early.get(parent) ?? []), reply])
      return []
    }
    if (!(await unlessUnreachable(storeReply(ctx, reply)))) return []
    await onStored(1)
    return [reply, ...(await extend(reply.id))]
  }
  const extend = async (uri: string): Promise<Note[]> => {
    thread.add(uri)
    const waiting = early.get(uri) ?? []
    // Each joins once: replies may answer each other, as their server may change them meanwhile.
    early.delete(uri)
    return oneByOne(waiting, deadline, join)
  }
  const visit = async (uri: string): Promise<string[]> => {
    const isStored = stored.has(uri)
    if (isStored ? leftStored-- <= 0 : leftNew-- <= 0) return []
    const note = await unlessUnreachable(isStored ? catchUpOnStatus(ctx, uri) : fetchNote(ctx, uri))
    if (note === null) return []
    const joined = isStored ? [note] : await join(note)
    return oneByOne(joined, deadline, (each) => readListed(ctx, each, deadline))
  }
  while (queue.length > 0 && (leftNew > 0 || leftStored > 0) && Date.now() < deadline) {
    const listed = (await Promise.all(queue.splice(0, CONCURRENT_REQUESTS).map(visit))).flat()
    const fresh = [...new Set(listed)].filter(
      (uri) => urlOf(uri) !== null && !seen.has(uri) && !parseLocalUrl(ctx, uri),
    )
    for (const uri of fresh) seen.add(uri)
    for (const uri of await findKnownUris(ctx, fresh)) stored.add(uri)
    for (const uri of fresh) if (stored.has(uri)) await extend(uri)
    queue.push(...fresh)
  }
}

/** Calls `work`, which sends requests, for one after the other until the deadline. Returns the results so far. */
async function oneByOne<T, R>(all: readonly T[], deadline: number, work: (one: T) => Promise<R[]>): Promise<R[]> {
  const results: R[] = []
  for (const one of all) if (Date.now() < deadline) results.push(...(await work(one)))
  return results
}

/**
 * The addresses in the replies of a post. The first post of a thread without replies may name a collection of the whole thread
 * (FEP-f228), as those of Discourse and Lemmy do.
 */
async function readListed(
  ctx: Context,
  { id, replies, inReplyTo, context }: Note,
  deadline: number,
): Promise<string[]> {
  const collection = replies ?? (inReplyTo === null ? context : null)
  const found: string[] = []
  if (collection === null) return found
  for await (const page of readPages(ctx, collection, id)) {
    found.push(...idsOf(page['items'] ?? page['orderedItems'], PER_PAGE))
    if (Date.now() >= deadline) break
  }
  return found
}

/** Stores the reply silently: no feeds, notifications or streams. False if it was deleted or its author is not shown. */
async function storeReply(ctx: Context, note: Note): Promise<boolean> {
  const author = await resolveActor(ctx, note.attributedTo)
  if (!author || author.domain === null || author.suspended_at !== null) return false
  return (await receiveNote(ctx, note, author, { silent: true })) !== null
}

const MAX_ANCESTORS = 40

/** Job `federation.thread`: fetches the ancestors of a reply. */
export async function fetchThread(ctx: Context, { statusId }: JobData['federation.thread']): Promise<void> {
  let current: string | null = statusId
  for (let depth = 0; depth < MAX_ANCESTORS && current !== null; depth++) current = await fetchParent(ctx, current)
}

/** Returns the id of the parent, unless it was linked before. */
async function fetchParent(ctx: Context, statusId: string): Promise<string | null> {
  const uri = await findMissingParent(ctx, statusId)
  if (uri === null || parseLocalUrl(ctx, uri)) return null
  const parentId = await fetchStatusOrNull(ctx, uri, { thread: false })
  // Parent and reply may have been stored at the same time, without seeing each other.
  const parent = parentId === null ? null : { id: parentId, uri }
  if (parent) await ctx.transaction(async (tx) => followUpReplies(tx, await linkReplies(tx, parent, statusId)))
  return parentId
}
