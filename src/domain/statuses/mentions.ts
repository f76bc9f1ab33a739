import { resolveHandle } from '../../actions/remote/resolve-account.ts'
import { normaliseDomain } from '../../ap/handle.ts'
import type { Note } from '../../ap/note.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isShown } from '../accounts/find.ts'
import { accountUrl, isLocalDomain, parseLocalUrl } from '../server/addresses.ts'
import { extractMentions } from '../../lib/text/extract.ts'
import type { Mentioned } from '../../lib/text/format.ts'

/** So many people that were never heard of are looked up for one post, for so long (milliseconds). The rest stays text. */
const MAX_LOOK_UPS = 10
const PATIENCE = 5000

type Wanted = { handle: string; username: string; domain: string | null }
type Found = {
  handle: string
  id: string
  username: string
  domain: string | null
  url: string | null
  uri: string | null
}

type Mentions = {
  /** The accounts, each once. */
  ids: string[]
  /** By handle as typed, for rendering. */
  byHandle: Map<string, Mentioned>
}

/**
 * Finds out who is mentioned in a text. People of other servers who are not known here are looked up over the network, so this
 * is never called in a transaction. Whoever cannot be found is left out.
 */
export async function findMentions(ctx: Context, text: string): Promise<Mentions> {
  const wanted = extractMentions(text).flatMap((handle) => wantedOf(ctx, handle))
  if (wanted.length === 0) return { ids: [], byHandle: new Map() }
  const found = await lookUp(ctx, wanted)
  const known = new Set(found.map(({ handle }) => handle))
  const strangers = wanted.filter(({ handle, domain }) => domain !== null && !known.has(handle))
  if (strangers.length > 0) {
    await Promise.all(
      strangers.slice(0, MAX_LOOK_UPS).map(({ username, domain }) => meet(ctx, `${username}@${domain}`)),
    )
    found.push(...(await lookUp(ctx, strangers)))
  }
  return {
    ids: [...new Set(found.map(({ id }) => id))],
    byHandle: new Map(found.map((account) => [account.handle, mentionedOf(ctx, account)])),
  }
}

function wantedOf(ctx: Context, handle: string): Wanted[] {
  const [username = '', typedDomain] = handle.split('@')
  if (typedDomain === undefined) return [{ handle, username, domain: null }]
  const domain = normaliseDomain(typedDomain)
  if (domain === null) return []
  return [{ handle, username, domain: isLocalDomain(ctx, domain) ? null : domain }]
}

async function lookUp(ctx: Context, wanted: Wanted[]): Promise<Found[]> {
  const columns = [
    wanted.map(({ handle }) => handle),
    wanted.map(({ username }) => username),
    wanted.map(({ domain }) => domain ?? ''),
  ]
  return ctx.db.many<Found>(sql`
    select w.handle, a.id, a.username, a.domain, a.url, a.uri
    from unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[]) as w (handle, username, domain)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
    where a.suspended_at is null and ${isShown}`)
}

/** Has somebody's account fetched, within the time that a person waits for a post to go out. */
async function meet(ctx: Context, handle: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE)
  })
  const fetched = resolveHandle(ctx, handle).then(
    () => {},
    (error: unknown) => ctx.log.info({ err: error, handle }, 'somebody mentioned could not be found'),
  )
  await Promise.race([fetched, late])
  clearTimeout(timer)
}

function mentionedOf(ctx: Context, account: Found): Mentioned {
  if (account.domain === null) return { url: accountUrl(ctx, account.username), acct: account.username }
  return { url: account.url ?? account.uri ?? '', acct: `${account.username}@${account.domain}` }
}

/** The ids of the actors that a remote post mentions. */
export const mentionUris = (note: Pick<Note, 'tags'>): string[] => [
  ...new Set(note.tags.flatMap(({ type, href }) => (type === 'Mention' && href !== null ? [href] : []))),
]

/** Whether a post is addressed to a local account. */
export async function isAddressedHere(ctx: Context, note: Pick<Note, 'tags' | 'to' | 'cc'>): Promise<boolean> {
  const uris = localAddresses(ctx, [...mentionUris(note), ...note.to, ...note.cc])
  return uris.length > 0 && (await findAccountsByAddress(ctx, uris)).size > 0
}

/** Those of these addresses that are of local accounts. */
export const localAddresses = (ctx: Context, uris: readonly string[]): string[] =>
  uris.filter((uri) => parseLocalUrl(ctx, uri)?.statusId === null)

/** The ids of the accounts with these addresses, by address: ActivityPub ids and profile pages. Unknown ones are missing. */
export async function findAccountsByAddress(ctx: Context, uris: readonly string[]): Promise<Map<string, string>> {
  if (uris.length === 0) return new Map()
  const names = new Map(
    uris.flatMap((uri) => parseLocalUrl(ctx, uri)?.username.toLowerCase() ?? []).map((name) => [name, '']),
  )
  const [ours, others] = await Promise.all([
    ctx.db.many<{ name: string; id: string }>(sql`
      select lower(a.username) as name, a.id from accounts a join users u on u.account_id = a.id and u.confirmed_at is not null and u.approved
      where lower(a.username) = any(${[...names.keys()]}::text[]) and coalesce(a.domain, '') = '' and a.suspended_at is null`),
    ctx.db.many<{ uri: string; url: string | null; id: string }>(sql`
      select uri, url, id from accounts where uri = any(${uris}::text[]) and suspended_at is null
      union select uri, url, id from accounts where url = any(${uris}::text[]) and suspended_at is null`),
  ])
  for (const { name, id } of ours) names.set(name, id)
  const found = new Map<string, string>()
  for (const uri of uris) {
    const ownName = parseLocalUrl(ctx, uri)?.username.toLowerCase()
    const other = others.find((row) => row.uri === uri) ?? others.find((row) => row.url === uri)
    const id = ownName === undefined ? other?.id : names.get(ownName)
    if (id) found.set(uri, id)
  }
  return found
}
