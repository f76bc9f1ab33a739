// The home timeline of the last hours: loaded page by page, then sorted and counted here.
import { api, readPage } from '../api/client.ts'
import type { Account, Status } from '../api/entities.ts'
import { webAddress } from '../ui/web-address.ts'

/** Pages of 40 that one catch-up loads at most. */
const MOST_PAGES = 40

/** A status with the accounts that boosted it in this time. */
export type CaughtUp = { status: Status; boosters: Account[]; at: number }

export type Progress = { statuses: number; oldest: number }

/** Newest first. `onProgress` is called after each page. Throws ApiError, and what the signal was aborted with. */
export async function collect(
  hours: number,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<CaughtUp[]> {
  const since = Date.now() - hours * 3_600_000
  const found = new Map<string, CaughtUp>()
  let query: Record<string, string | number> = { limit: 40 }
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next } = await readPage(api.GET('/api/v1/timelines/home', { params: { query }, signal }))
    for (const status of items) if (Date.parse(status.created_at) >= since) add(found, status)
    const oldest = Date.parse(items.at(-1)?.created_at ?? '') || since
    onProgress({ statuses: found.size, oldest })
    if (!next || items.length === 0 || oldest < since) break
    query = { ...next, limit: 40 }
  }
  return [...found.values()]
}

function add(found: Map<string, CaughtUp>, status: Status): void {
  const shown = (status.reblog as Status | null) ?? status
  const known = found.get(shown.id) ?? { status: shown, boosters: [], at: Date.parse(status.created_at) }
  if (status.reblog) known.boosters.push(status.account)
  found.set(shown.id, known)
}

export type Kind = 'posts' | 'replies' | 'boosts' | 'media'

export const KINDS: readonly Kind[] = ['posts', 'replies', 'boosts', 'media']

export function isOfKind({ status, boosters }: CaughtUp, kind: Kind): boolean {
  if (kind === 'boosts') return boosters.length > 0
  if (kind === 'media') return status.media_attachments.length > 0
  if (boosters.length > 0) return false
  const isReply = status.in_reply_to_id !== null && status.in_reply_to_account_id !== status.account.id
  return kind === 'replies' ? isReply : !isReply
}

export type Order = 'newest' | 'oldest' | 'favourites' | 'boosts' | 'replies' | 'author'

export const ORDERS: readonly Order[] = ['newest', 'oldest', 'favourites', 'boosts', 'replies', 'author']

export function sortBy(items: readonly CaughtUp[], order: Order): CaughtUp[] {
  const comparisons: Record<Order, (a: CaughtUp, b: CaughtUp) => number> = {
    newest: (a, b) => b.at - a.at,
    oldest: (a, b) => a.at - b.at,
    favourites: (a, b) => b.status.favourites_count - a.status.favourites_count,
    boosts: (a, b) => b.status.reblogs_count - a.status.reblogs_count,
    replies: (a, b) => b.status.replies_count - a.status.replies_count,
    author: (a, b) => a.status.account.acct.localeCompare(b.status.account.acct) || b.at - a.at,
  }
  return items.toSorted(comparisons[order])
}

export type AuthorCount = { account: Account; count: number }

/** The accounts that wrote or boosted, the most active first. */
export function authorsOf(items: readonly CaughtUp[]): AuthorCount[] {
  const counts = new Map<string, AuthorCount>()
  for (const { status, boosters } of items)
    for (const account of boosters.length > 0 ? boosters : [status.account]) {
      const known = counts.get(account.id)
      if (known) known.count += 1
      else counts.set(account.id, { account, count: 1 })
    }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)
}

export const isBy = ({ status, boosters }: CaughtUp, accountId: string): boolean =>
  boosters.length > 0 ? boosters.some(({ id }) => id === accountId) : status.account.id === accountId

export type SharedLink = { url: string; title: string; image: string | null; provider: string; sharers: Account[] }

/** Links by the number of people who shared them. */
export function linksOf(items: readonly CaughtUp[]): SharedLink[] {
  const links = new Map<string, SharedLink>()
  for (const { status, boosters } of items) {
    const { card } = status
    if (!card || !webAddress(card.url)) continue
    const known = links.get(card.url) ?? {
      url: card.url,
      title: card.title,
      image: card.image,
      provider: card.provider_name,
      sharers: [],
    }
    for (const account of [status.account, ...boosters])
      if (!known.sharers.some(({ id }) => id === account.id)) known.sharers.push(account)
    links.set(card.url, known)
  }
  return [...links.values()].toSorted((a, b) => b.sharers.length - a.sharers.length)
}
