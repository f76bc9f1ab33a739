import type { Context } from '../../context.ts'
import { normaliseDomain } from '../../ap/handle.ts'
import { sql } from '../../db/sql.ts'
import { extractMentions } from '../../lib/text/extract.ts'
import type { Mentioned } from '../../lib/text/format.ts'
import { isShown } from '../accounts/find.ts'
import { resolveHandle } from '../../actions/remote/resolve-account.ts'
import { accountUrl, isOurDomain } from '../server/addresses.ts'

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

export type Mentions = {
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
  return [{ handle, username, domain: isOurDomain(ctx, domain) ? null : domain }]
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
