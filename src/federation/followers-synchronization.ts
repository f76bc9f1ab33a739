import { createHash } from 'node:crypto'
import { isPublic, recipientsOf } from '../ap/audience.ts'
import { asObject, idsOf, isSameHost } from '../ap/normalise.ts'
import { parseParameters } from '../ap/signatures/draft-cavage.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { fetchCollection } from '../domain/accounts/documents.ts'
import { findAccount, isShown, type AccountRow } from '../domain/accounts/find.ts'
import { isAtOrigin } from '../domain/accounts/remote.ts'
import { siteOf } from '../domain/peers/budgets.ts'
import { accountUri, parseLocalUrl } from '../domain/server/addresses.ts'
import { reserveUses } from '../domain/server/rate-limits.ts'
import { authorizeFollow, unfollow } from '../actions/accounts/follow.ts'
import type { JobData, JobRun } from '../jobs/kinds.ts'
import { followersSynchronizationUri, followersUri } from './ids.ts'
import { federate } from '../actions/federate.ts'
import { FetchError, isTemporary } from '../net/fetch-error.ts'

// FEP-8fcf: with an activity for followers only, a server sends a digest of its followers on the receiving server. When the
// receiver computes another digest, it fetches the list and corrects its own rows.

export const SYNCHRONIZATION_HEADER = 'collection-synchronization'

/** The XOR of the SHA-256 of each URI, so the order does not matter. */
function digestOf(uris: readonly string[]): string {
  const sum = Buffer.alloc(32)
  for (const uri of uris) {
    const hash = createHash('sha256').update(uri).digest()
    for (let i = 0; i < sum.length; i++) sum[i]! ^= hash[i]!
  }
  return sum.toString('hex')
}

async function followersFrom(ctx: Context, accountId: string, address: string): Promise<string[]> {
  const rows = await ctx.db.many<{ uri: string }>(sql`
    select a.uri from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.suspended_at is null and ${isAtOrigin(sql`a.uri`, new URL(address).origin)} order by f.id`)
  return rows.map(({ uri }) => uri)
}

/** Empty unless the activity is for followers only. */
export async function synchronizationHeader(
  ctx: Context,
  { account_id: accountId, body }: { account_id: string | null; body: string },
  inbox: string,
): Promise<Record<string, string>> {
  if (accountId === null) return {}
  const activity = asObject(JSON.parse(body))
  const recipients = [...recipientsOf(activity?.['to']), ...recipientsOf(activity?.['cc'])]
  if (recipients.length === 0 || recipients.some(isPublic)) return {}
  const { username } = await ctx.db.one<{ username: string }>(
    sql`select username from accounts where id = ${accountId}`,
  )
  const collection = followersUri(ctx, username)
  if (!recipients.includes(collection)) return {}
  const digest = digestOf(await followersFrom(ctx, accountId, inbox))
  return {
    [SYNCHRONIZATION_HEADER]: `collectionId="${collection}", url="${followersSynchronizationUri(ctx, username)}", digest="${digest}"`,
  }
}

export async function followersOfServer(
  ctx: Context,
  account: { id: string; username: string },
  signerUri: string,
): Promise<Record<string, unknown>> {
  return {
    id: followersSynchronizationUri(ctx, account.username),
    type: 'OrderedCollection',
    orderedItems: await followersFrom(ctx, account.id, signerUri),
  }
}

export async function checkSynchronization(ctx: Context, header: string, accountId: string): Promise<void> {
  const parameters = parseParameters(header)
  const [collection, url, digest] = ['collectionId', 'url', 'digest'].map((name) => parameters?.get(name))
  const account = await findAccount(ctx, accountId)
  if (!account?.uri || !url || !digest || collection !== account.followers_url) return
  if (!isSameHost(url, account.uri) || digest === digestOf(await localFollowersOf(ctx, account))) return
  await ctx.enqueue('federation.synchronize', { accountId, url, digest }, { key: accountId })
}

async function localFollowersOf(ctx: Context, account: AccountRow): Promise<string[]> {
  const rows = await ctx.db.many<{ username: string }>(sql`
    select a.username from follows f join accounts a on a.id = f.account_id where f.target_account_id = ${account.id} and a.domain is null`)
  return rows.map(({ username }) => accountUri(ctx, username))
}

/**
 * Job `federation.synchronize`: fetches the local followers that a remote account's server knows. Removes a follow that is
 * missing there, and sends an Undo for a follow that is missing here. Ignores a list that does not match the digest.
 */
export async function synchronizeFollowers(
  ctx: Context,
  { accountId, url, digest }: JobData['federation.synchronize'],
  { jobId }: JobRun,
): Promise<void> {
  const account = await findAccount(ctx, accountId)
  if (!account) return
  const listed = await readMembers(ctx, url)
  if (listed === null || digestOf(listed) !== digest) return
  const names = listed.flatMap((uri) => parseLocalUrl(ctx, uri)?.username.toLowerCase() ?? [])
  const differing = await ctx.db.many<{ id: string; listed: boolean; follows: boolean; requested: boolean }>(sql`
    select found.id, found.listed, found.follows, found.requested from (
      select a.id, lower(a.username) = any(${names}::text[]) as listed,
        exists (select from follows f where f.account_id = a.id and f.target_account_id = ${accountId}) as follows,
        exists (select from follow_requests r where r.account_id = a.id and r.target_account_id = ${accountId}) as requested
      from accounts a where a.domain is null and ((lower(a.username) = any(${names}::text[]) and ${isShown})
        or a.id in (select account_id from follows where target_account_id = ${accountId}))) as found
    where listed <> follows`)
  for (const { id, follows, requested } of differing) {
    if (follows) await unfollow(ctx, { accountId: id, targetAccountId: accountId })
    else if (requested) await authorizeFollow(ctx, { accountId, followerId: id })
  }
  const unknown = differing.filter(({ follows, requested }) => !follows && !requested).map(({ id }) => id)
  await undoUnknownFollows(ctx, account, unknown, jobId)
}

/** Undos for one site within UNDO_SECONDS. A job sends a twentieth of those that are left. */
const MAX_UNDOS = 1000
const UNDO_SECONDS = 3600

/**
 * The number is limited, as a list may name all local accounts: each would make a key, and send a request to the inbox that the
 * remote account names, which may be on any server.
 */
async function undoUnknownFollows(
  ctx: Context,
  account: AccountRow,
  followerIds: readonly string[],
  jobId: string,
): Promise<void> {
  if (followerIds.length === 0) return
  const site = siteOf(account.domain ?? '')
  const { granted } = await reserveUses(ctx, `unknown-follows ${site}`, MAX_UNDOS, UNDO_SECONDS)
  await federate(
    ctx,
    followerIds.slice(0, granted).map((id) => ({
      activity: 'follow' as const,
      undo: true as const,
      accountId: id,
      targetAccountId: account.id,
      followId: jobId,
    })),
  )
}

const MAX_PAGES = 10
const MAX_MEMBERS = 10_000

/** Null if the server refuses the list or has none, such as for a deleted account. Throws FetchError when a retry may succeed. */
async function readMembers(ctx: Context, url: string): Promise<string[] | null> {
  try {
    return await readAllMembers(ctx, url)
  } catch (error) {
    if (!(error instanceof FetchError) || isTemporary(error)) throw error
    return null
  }
}

async function readAllMembers(ctx: Context, url: string): Promise<string[]> {
  const found: string[] = []
  let part: unknown = url
  for (let page = 0; page < MAX_PAGES && found.length < MAX_MEMBERS && part !== undefined; page++) {
    const collection = asObject(typeof part === 'string' ? await fetchCollection(ctx, part) : part)
    found.push(...idsOf(collection?.['orderedItems'] ?? collection?.['items'], MAX_MEMBERS - found.length))
    part = (page === 0 ? collection?.['first'] : null) ?? collection?.['next']
    if (typeof part === 'string' && !isSameHost(part, url)) break
  }
  return found
}
