import { parseLocalUrl } from '../../domain/server/addresses.ts'
import { fetchNote, fetchRemoteStatus, receiveNote } from './receive-status.ts'
import { resolveActor } from './resolve-account.ts'
import { asObject, idsOf, isSameHost, urlOf } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { fetchCollection } from '../../domain/accounts/documents.ts'
import {
  type AsyncRefresh,
  beginRefresh,
  countResults,
  findRunningRefresh,
  finishRefresh,
} from '../../domain/server/async-refreshes.ts'
import { type StatusRow, findKnownUris, findMissingParent } from '../../domain/statuses/find.ts'
import { linkReplies } from '../../domain/statuses/insert.ts'
import { findRemoteReplies, findRemoteUri } from '../../domain/statuses/remote.ts'
import { isOpenVisibility } from '../../domain/statuses/visibility.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { FetchError } from '../../net/fetch-error.ts'

/** How long a thread that was looked through is left alone: seconds. */
const REST = 15 * 60
/** Of one thread, at one time: so many replies are fetched at most, for so long, so many side by side. */
const MOST_REPLIES = 100
/** So many posts of it that are known already are read again, for the replies that they list. */
const MOST_KNOWN = 50
const LONGEST_MS = 60_000
const AT_ONCE = 4
/** So many pages of a collection of replies are read, and so many addresses taken from each. */
const MOST_PAGES = 10
const PER_PAGE = 100

type Post = { id: string; uri: string }

const keyOf = (statusId: string): string => `context:${statusId}`

/**
 * Lets the replies to a post of another server be fetched in the background, as only those that concern somebody here come by
 * themselves. Gives how that stands while it is going on; null for posts of this server, posts that are not for everybody, and
 * threads that were looked through lately.
 */
export async function seekReplies(ctx: Context, status: StatusRow): Promise<AsyncRefresh | null> {
  if (status.local || status.uri === null || !isOpenVisibility(status.visibility)) return null
  const key = keyOf(status.id)
  const running = await findRunningRefresh(ctx, key)
  if (running) return running
  const begun = await ctx.transaction(async (tx) => {
    const begins = await beginRefresh(tx, key, { counts: true, restSeconds: REST })
    if (begins) await tx.enqueue('federation.replies', { statusId: status.id })
    return begins
  })
  // Somebody else may have been quicker by a moment.
  return begun ? { key, status: 'running', result_count: 0 } : findRunningRefresh(ctx, key)
}

/** Job `federation.replies`: fetches the replies to a post of another server, and the replies to them. */
export async function fetchReplies(ctx: Context, { statusId }: JobData['federation.replies']): Promise<void> {
  const key = keyOf(statusId)
  try {
    const uri = await findRemoteUri(ctx, statusId)
    if (uri) await lookThrough(ctx, { id: statusId, uri }, (more) => countResults(ctx, key, more))
  } finally {
    await finishRefresh(ctx, key)
  }
}

/**
 * Walks down a thread: reads each of its posts where it is, those known here too, stores what is new, and goes on with what its
 * collection of replies lists. Each post is read once.
 */
async function lookThrough(ctx: Context, root: Post, tell: (more: number) => Promise<void>): Promise<void> {
  const until = Date.now() + LONGEST_MS
  const known = new Set([root.uri, ...(await findRemoteReplies(ctx, root.id, MOST_KNOWN))])
  const thread = new Set(known)
  const queue = [...known]
  const seen = new Set(known)
  let leftNew = MOST_REPLIES
  let leftKnown = MOST_KNOWN
  const visit = async (uri: string): Promise<string[]> => {
    const isKnown = known.has(uri)
    if (isKnown ? leftKnown-- <= 0 : leftNew-- <= 0) return []
    const note = isKnown ? await unlessUnreachable(fetchNote(ctx, uri)) : await fetchReply(ctx, uri, thread)
    if (note === null) return []
    thread.add(note.id)
    if (!isKnown) await tell(1)
    const [url] = repliesOf(note)
    return url === undefined ? [] : readCollection(ctx, url, until)
  }
  while (queue.length > 0 && (leftNew > 0 || leftKnown > 0) && Date.now() < until) {
    const listed = (await Promise.all(queue.splice(0, AT_ONCE).map(visit))).flat()
    const fresh = [...new Set(listed)].filter(
      (uri) => urlOf(uri) !== null && !seen.has(uri) && !parseLocalUrl(ctx, uri),
    )
    for (const uri of fresh) seen.add(uri)
    for (const uri of await findKnownUris(ctx, fresh)) known.add(uri)
    for (const uri of fresh) if (known.has(uri)) thread.add(uri)
    queue.push(...fresh)
  }
}

/** Where the replies to a post are listed: on its own server, or nowhere. */
const repliesOf = (note: Note | null): string[] =>
  note?.replies && isSameHost(note.replies, note.id) ? [note.replies] : []

/** The addresses in a collection, page by page. */
async function readCollection(ctx: Context, url: string, until: number): Promise<string[]> {
  const found: string[] = []
  let next: unknown = url
  for (let pages = 0; pages <= MOST_PAGES && next && Date.now() < until; pages++) {
    const address = typeof next === 'string' ? urlOf(next) : null
    if (address !== null && !isSameHost(address, url)) break
    const page = asObject(address === null ? next : await unlessUnreachable(fetchCollection(ctx, address)))
    if (page === null) break
    found.push(...idsOf(page['items'] ?? page['orderedItems'], PER_PAGE))
    next = (pages === 0 ? page['first'] : null) ?? page['next']
  }
  return found
}

/** Fetches and stores a reply, quietly. Null for what cannot be had, or answers to nothing of this thread. */
async function fetchReply(ctx: Context, uri: string, thread: ReadonlySet<string>): Promise<Note | null> {
  return unlessUnreachable(
    (async () => {
      const note = await fetchNote(ctx, uri)
      if (!note?.inReplyTo || !thread.has(note.inReplyTo)) return null
      const author = await resolveActor(ctx, note.attributedTo)
      if (!author || author.domain === null || author.suspended_at !== null) return null
      return (await receiveNote(ctx, note, author, { silent: true })) === null ? null : note
    })(),
  )
}

/** Null where another server does not give what it is asked for. */
async function unlessUnreachable<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FetchError) return null
    throw error
  }
}

/** At most this many ancestors are fetched. */
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
  const parentId = await fetchRemoteStatus(ctx, uri, { thread: false })
  // Parent and reply may have been stored at the same time, without seeing each other.
  const parent = parentId === null ? null : { id: parentId, uri }
  if (parent)
    await ctx.transaction(async (tx) => {
      const pending = await linkReplies(tx, parent, statusId)
      for (const id of pending) await tx.enqueue('federation.approval', { statusId: id, silent: true })
    })
  return parentId
}
