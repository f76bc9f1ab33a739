import { FetchError } from '../../ap/fetch-error.ts'
import { asObject, idsOf, isSameHost, urlOf } from '../../ap/normalise.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/names.ts'
import { fetchCollection } from '../accounts/documents.ts'
import { resolveActor } from '../accounts/remote.ts'
import { parseOurUrl } from '../instance/addresses.ts'
import {
  beginRefresh,
  countResults,
  findRunningRefresh,
  finishRefresh,
  type AsyncRefresh,
} from '../instance/async-refreshes.ts'
import type { StatusRow } from '../statuses/visibility.ts'
import { fetchNote, receiveNote } from './remote-status.ts'

/** How long a thread that was looked through is left alone: seconds. */
const REST = 15 * 60
/** Of one thread, at one time: so many replies are fetched at most, for so long, so many side by side. */
const MOST_REPLIES = 100
const LONGEST_MS = 60_000
const AT_ONCE = 4
/** So many pages of a collection of replies are read, and so many addresses taken from each. */
const MOST_PAGES = 10
const PER_PAGE = 100

const keyOf = (statusId: string): string => `context:${statusId}`

/**
 * Lets the replies to a post of another server be fetched in the background, as only those that concern somebody here come by
 * themselves. Gives how that stands while it is going on; null for posts of this server, posts that are not for everybody, and
 * threads that were looked through lately.
 */
export async function seekReplies(ctx: Context, status: StatusRow): Promise<AsyncRefresh | null> {
  if (status.local || status.uri === null || !['public', 'unlisted'].includes(status.visibility)) return null
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
    const row = await ctx.db.maybe<{ uri: string | null }>(
      sql`select uri from statuses where id = ${statusId} and not local`,
    )
    if (row?.uri) await lookThrough(ctx, row.uri, (more) => countResults(ctx, key, more))
  } finally {
    await finishRefresh(ctx, key)
  }
}

async function lookThrough(ctx: Context, uri: string, tell: (more: number) => Promise<void>): Promise<void> {
  const until = Date.now() + LONGEST_MS
  const thread = new Set([uri])
  const collections = repliesOf(await unlessUnreachable(fetchNote(ctx, uri)))
  let left = MOST_REPLIES
  for (let url = collections.shift(); url !== undefined; url = collections.shift()) {
    const wanted = await findUnknown(ctx, await readCollection(ctx, url, until), thread)
    while (wanted.length > 0 && left > 0 && Date.now() < until) {
      const some = wanted.splice(0, Math.min(AT_ONCE, left))
      left -= some.length
      const found = (await Promise.all(some.map((each) => fetchReply(ctx, each, thread)))).filter(
        (note) => note !== null,
      )
      for (const note of found) thread.add(note.id)
      collections.push(...found.flatMap(repliesOf))
      if (found.length > 0) await tell(found.length)
    }
    if (left <= 0 || Date.now() >= until) return
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

/** Those that are to be fetched. Posts known here already belong to the thread as well: others may answer to them. */
async function findUnknown(ctx: Context, uris: readonly string[], thread: Set<string>): Promise<string[]> {
  const others = [...new Set(uris)].filter((uri) => urlOf(uri) !== null && !thread.has(uri) && !parseOurUrl(ctx, uri))
  const rows = await ctx.db.many<{ uri: string }>(sql`select uri from statuses where uri = any(${others}::text[])`)
  const known = new Set(rows.map(({ uri }) => uri))
  for (const uri of known) thread.add(uri)
  return others.filter((uri) => !known.has(uri))
}

/** Fetches and stores a reply, quietly. Null for what cannot be had, or answers to nothing of this thread. */
async function fetchReply(ctx: Context, uri: string, thread: ReadonlySet<string>): Promise<Note | null> {
  return unlessUnreachable(
    (async () => {
      const note = await fetchNote(ctx, uri)
      if (!note?.inReplyTo || !thread.has(note.inReplyTo)) return null
      const author = await resolveActor(ctx, note.attributedTo)
      if (!author || author.domain === null || author.suspended_at !== null) return null
      return (await receiveNote(ctx, note, author, { quiet: true })) === null ? null : note
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
