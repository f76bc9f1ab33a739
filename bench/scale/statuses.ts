import { documentOf, fact } from '../../src/domain/search/status-document.ts'
import { sentences, TAGS } from '../seed/random.ts'
import type { Graph } from './graph.ts'
import type { Tables } from './tables.ts'

/** Shares of statuses. */
const USERS_POSTS = 0.05
const REBLOG = 0.15
const REPLY = 0.35
const MEDIA = 0.15
const TAG = 0.2
const MENTION = 0.15
/** How far back a reply or a reblog reaches, in statuses. */
const RECENT = 2000
const THREAD_REPLIES = 100
const VISIBILITIES = [
  [0.7, 'public'],
  [0.9, 'unlisted'],
  [1, 'private'],
] as const
const HOUR = 3_600_000
/** Statuses in each part of the search index: some 1,000 of them are local. */
const SHARE = 7500

/** The first status of the part of the search index that `n` is in. */
const shareOf = (n: number): number => n - (n % SHARE)

/** Statuses in the order of their ids, with what belongs to them, added to `tables` one by one. */
export class StatusMaker {
  readonly #graph: Graph
  readonly #tables: Tables
  readonly #authors: Int32Array
  /** The status that began the conversation. */
  readonly #roots: Int32Array
  /** Reblogs and private statuses. */
  readonly #closed: Uint8Array
  /** Public, and no reblogs. */
  readonly #public: Uint8Array
  readonly #replies: Int32Array
  readonly #reblogs: Int32Array
  readonly #favourites: Int32Array
  readonly #reblogged = new Set<string>()
  readonly statusCounts: Int32Array
  /** The newest status of each account, or -1. */
  readonly last: Int32Array

  constructor(graph: Graph, tables: Tables) {
    this.#graph = graph
    this.#tables = tables
    const perStatus = (): Int32Array => new Int32Array(graph.size)
    this.#authors = perStatus()
    this.#roots = perStatus()
    this.#replies = perStatus()
    this.#reblogs = perStatus()
    this.#favourites = perStatus()
    this.#closed = new Uint8Array(graph.size)
    this.#public = new Uint8Array(graph.size)
    this.statusCounts = new Int32Array(graph.accounts)
    this.last = new Int32Array(graph.accounts).fill(-1)
  }

  /** The status with a hundred replies that every size has, in its middle. */
  get thread(): number {
    return Math.floor(this.#graph.size / 2)
  }

  isLocalPublicPost(n: number): boolean {
    return this.#public[n] === 1 && this.#graph.isLocal(this.#authors[n] as number)
  }

  add(n: number): void {
    const { random, users } = this.#graph
    const inThread = n > this.thread && n <= this.thread + THREAD_REPLIES
    const author = random.chance(USERS_POSTS) ? random.below(users) : this.#graph.pickAccount()
    this.#authors[n] = author
    this.#roots[n] = n
    this.statusCounts[author]!++
    this.last[author] = n
    const recent = this.#recentOpen(n)
    if (inThread) this.#addPost(n, author, random.chance(0.5) && n > this.thread + 1 ? n - 1 : this.thread, 'public')
    else if (n !== this.thread && recent !== null && random.chance(REBLOG)) this.#addReblog(n, author, recent)
    else {
      const share = random.next()
      const visibility = VISIBILITIES.find(([upTo]) => share < upTo)?.[1] ?? 'public'
      const isReply = n !== this.thread && random.chance(REPLY)
      this.#addPost(n, author, isReply ? recent : null, n === this.thread ? 'public' : visibility)
    }
  }

  /** The counters, when all statuses are there. */
  addStats(n: number): void {
    this.#tables.add('status_stats', [this.#graph.idOf(n), this.#replies[n], this.#reblogs[n], this.#favourites[n]])
  }

  /** A recent status that may be replied to and reblogged; outside of the long thread. */
  #recentOpen(n: number): number | null {
    const { random } = this.#graph
    const found = n - 1 - Math.floor(random.next() ** 2 * Math.min(n, RECENT))
    if (found < 0 || this.#closed[found] || this.#roots[found] === this.thread) return null
    return found
  }

  #addPost(n: number, author: number, parent: number | null, visibility: string): void {
    const { random, ids, isLocal, isIndexable, idOf, timeOf } = this.#graph
    const [id, created] = [idOf(n), timeOf(n).toISOString()]
    const text = sentences(random).join(' ')
    const content = `<p>${text}</p>`
    const local = isLocal(author)
    if (visibility === 'private') this.#closed[n] = 1
    if (visibility === 'public') this.#public[n] = 1
    if (parent !== null) {
      this.#roots[n] = this.#roots[parent] as number
      this.#replies[parent]!++
    }
    const media = random.chance(MEDIA) ? idOf(n, 1) : null
    const parentAuthor = parent === null ? null : (this.#authors[parent] as number)
    const root = this.#roots[n] as number
    if (n > 0 && shareOf(n) === n) this.#tables.add('search_shares', [id])
    if (root === n) this.#tables.add('conversations', [id])
    this.#tables.add('statuses', [
      id, ids[author], local ? null : `https://far.test/statuses/${n}`, local ? text : '', content, visibility, 'en', local,
      parent !== null, parent === null ? null : idOf(parent), parentAuthor === null ? null : ids[parentAuthor], null,
      idOf(root), media ? `{${media}}` : '{}', created,
    ]) // prettier-ignore
    if (media) this.#addMedia(media, n, author)
    const tags = random.chance(TAG) ? [1 + Math.floor(random.next() ** 2 * TAGS.length * 100)] : []
    for (const tag of tags) this.#tables.add('status_tags', [tag, id])
    this.#addMentions(n, author, parentAuthor, created)
    if (visibility !== 'private') this.#addFavourites(n, author)
    const open = visibility === 'public' && isIndexable(author)
    if (local) this.#addDocument(n, author, text, open, parent !== null, media !== null)
  }

  #addReblog(n: number, author: number, of: number): void {
    const { ids, isLocal, idOf, timeOf } = this.#graph
    const pair = `${of}:${author}`
    if (this.#reblogged.has(pair)) return this.#addPost(n, author, null, 'public')
    this.#reblogged.add(pair)
    this.#closed[n] = 1
    this.#reblogs[of]!++
    const created = timeOf(n).toISOString()
    this.#tables.add('statuses', [
      idOf(n), ids[author], isLocal(author) ? null : `https://far.test/statuses/${n}`, '', '', 'public', null, isLocal(author),
      false, null, null, idOf(of), null, '{}', created,
    ]) // prettier-ignore
    this.#notify(n, 2, this.#authors[of] as number, author, 'reblog', idOf(of))
  }

  #addMedia(id: string, n: number, author: number): void {
    const file = `media/${n}/original.jpg`
    const meta = JSON.stringify({ original: { width: 1200, height: 800, size: '1200x800', aspect: 1.5 } })
    const { ids, idOf } = this.#graph
    this.#tables.add('media_attachments', [
      id, ids[author], idOf(n), 'image', 'image/jpeg', file, 240_000, file, 'A view from the hill', 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', meta,
    ]) // prettier-ignore
  }

  #addMentions(n: number, author: number, parentAuthor: number | null, created: string): void {
    const { random, ids, idOf, users } = this.#graph
    const mentioned = new Set<number>()
    if (parentAuthor !== null && parentAuthor !== author) mentioned.add(parentAuthor)
    if (random.chance(MENTION)) mentioned.add(random.chance(0.2) ? random.below(users) : this.#graph.pickAccount())
    mentioned.delete(author)
    let low = 3
    for (const account of mentioned) {
      this.#tables.add('mentions', [idOf(n), ids[account]])
      this.#notify(n, low++, account, author, 'mention', idOf(n), created)
    }
  }

  /** Most statuses have none, a few have hundreds. */
  #addFavourites(n: number, author: number): void {
    const { random, ids, accounts, idOf, timeOf } = this.#graph
    const count = Math.min(Math.floor(0.06 / (1 - random.next() ** 0.25)), accounts / 2, 500)
    const start = random.below(accounts)
    const created = new Date(timeOf(n).getTime() + random.below(HOUR)).toISOString()
    for (let i = 0; i < count; i++) {
      const account = (start + i * 7) % accounts
      if (account === author) continue
      this.#favourites[n]!++
      this.#tables.add('favourites', [ids[account], idOf(n), created])
      this.#notify(n, 8 + i, author, account, 'favourite', idOf(n))
    }
  }

  #notify(
    n: number,
    low: number,
    account: number,
    from: number,
    type: string,
    statusId: string,
    created?: string,
  ): void {
    const { ids, isLocal, idOf, timeOf } = this.#graph
    if (!isLocal(account) || account === from) return
    this.#tables.add('notifications', [
      idOf(n, low), ids[account], ids[from], type, statusId, type === 'favourite' ? `favourite-${statusId}-1` : null,
      created ?? timeOf(n).toISOString(),
    ]) // prettier-ignore
  }

  #addDocument(n: number, author: number, text: string, open: boolean, reply: boolean, media: boolean): void {
    const { ids, idOf } = this.#graph
    const id = idOf(n)
    const document = documentOf({
      account_id: ids[author] as string, open, texts: [text], reply, sensitive: false, language: 'en', poll: false,
      media: media ? ['image'] : [], card: null, readers: [],
    }) // prettier-ignore
    this.#tables.add('status_search', [id, `${document} '${fact.share(shareOf(n) === 0 ? '0' : idOf(shareOf(n)))}'`])
  }
}
