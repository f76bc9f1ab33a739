// Relays: servers that pass public posts on to all servers that follow them.
import { randomUUID } from 'node:crypto'
import { type Context, perServer } from '../../context.ts'
import type { Accounts, Relays } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { cachedRead } from '../../lib/concurrency.ts'
import { invalidFields, NotFound } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { fetchableUrl } from '../../net/gate.ts'
import { instanceActorUri } from '../accounts/keys.ts'
import { isLocalDomain } from '../server/addresses.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** `pending`: followed, without an answer yet. */
export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

export type RelayRow = Pick<Relays, 'id' | 'inbox_url' | 'follow_uri' | 'created_at'> & { state: RelayState }

const columns: Sql = sql`r.id, r.inbox_url, r.state, r.follow_uri, r.created_at`

export const listRelays = (ctx: Context): Promise<RelayRow[]> =>
  ctx.db.many<RelayRow>(sql`select ${columns} from relays r order by r.id`)

/** Throws NotFound. */
export async function getRelay(ctx: Context, id: string): Promise<RelayRow> {
  const row = await ctx.db.maybe<RelayRow>(sql`select ${columns} from relays r where r.id = ${id}`)
  if (!row) throw new NotFound()
  return row
}

/** Returns the normalised address. Throws Invalid. */
export function checkRelayUrl(ctx: Context, text: string): string {
  const url = fetchableUrl(ctx.fetch, text.trim())
  if (!url || url.href.length > 2000 || isLocalDomain(ctx, url.host))
    throw invalidFields({ inbox_url: [{ error: 'ERR_INVALID', description: message('url_invalid') }] })
  return url.href
}

/** Throws Invalid for a relay that is known. */
export async function insertRelay(tx: Context, inboxUrl: string): Promise<string> {
  const row = await tx.db.maybe<{ id: string }>(
    sql`insert into relays (inbox_url) values (${inboxUrl}) on conflict do nothing returning id`,
  )
  if (!row) throw invalidFields({ inbox_url: [{ error: 'ERR_TAKEN', description: message('taken') }] })
  return row.id
}

/** In the ids of the Follows that the instance actor sends to relays. */
const RELAY_FOLLOW = '#relay_follows/'

/** The relay waits for an answer to a new Follow. Returns the id of that. */
export async function markRelayPending(tx: Context, id: string): Promise<string> {
  const uri = `${instanceActorUri(tx)}${RELAY_FOLLOW}${id}/${randomUUID()}`
  await tx.db.run(sql`update relays set state = 'pending', follow_uri = ${uri} where id = ${id}`)
  return uri
}

export async function markRelayIdle(tx: Context, id: string): Promise<void> {
  await tx.db.run(sql`update relays set state = 'idle', follow_uri = null where id = ${id}`)
}

export const deleteStoredRelay = (tx: Context, id: string): Promise<number> =>
  tx.db.run(sql`delete from relays where id = ${id}`)

/** Whether a URI has the form of the Follow of a relay. */
export const isRelayFollowUri = (uri: string): boolean => uri.includes(RELAY_FOLLOW)

/** The answer of the relay with this inbox to the Follow. False when there is no such Follow. */
export async function storeRelayAnswer(
  tx: Context,
  from: Inboxes,
  followUri: string,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const count = await tx.db.run(sql`
    update relays set state = ${state}
    where follow_uri = ${followUri} and inbox_url = any(${ownInboxes(from)}::text[]) and state <> 'idle'`)
  return count > 0
}

type Inboxes = Pick<Accounts, 'uri' | 'inbox_url' | 'shared_inbox_url'>

/** The account's inboxes on its own server: any actor can name the inbox of a relay as its own. */
function ownInboxes({ uri, inbox_url, shared_inbox_url }: Inboxes): string[] {
  const hostOf = (url: string): string | undefined => URL.parse(url)?.host
  const host = uri === null ? undefined : hostOf(uri)
  return [inbox_url, shared_inbox_url].flatMap((inbox) =>
    inbox !== null && host !== undefined && hostOf(inbox) === host ? [inbox] : [],
  )
}

/** Dropped when settings change, and after a minute at the latest. */
const accepted = perServer((ctx) => {
  const cache = lruCache<string, Promise<ReadonlySet<string>>>({ max: 1, ttl: 60_000 })
  ctx.changes.on('setting', () => cache.clear())
  return cache
})

/** Whether the account is a relay that accepted this server. */
export async function isAcceptedRelay(ctx: Context, account: Inboxes): Promise<boolean> {
  const found = await cachedRead(accepted(ctx), 'inboxes', () => readAccepted(ctx))
  return found.size > 0 && ownInboxes(account).some((inbox) => found.has(inbox))
}

async function readAccepted(ctx: Context): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.many<{ inbox_url: string }>(sql`select inbox_url from relays where state = 'accepted'`)
  return new Set(rows.map(({ inbox_url }) => inbox_url))
}
