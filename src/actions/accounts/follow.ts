import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Forbidden, invalidRequest, NotFound } from '../../lib/errors.ts'
import { refreshForViewer } from '../remote/resolve-account.ts'
import { isDomainAllowed } from '../../domain/peers/domain-policy.ts'
import { notify } from '../notifications/notify.ts'
import { countFollows } from '../../domain/relationships/counts.ts'
import { lockPair, readPair, type Pair } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'

/** What a follow brings into the home timeline. Undefined: as it is, or as usual for a new one. */
export type FollowOptions = {
  reblogs?: boolean
  /** A notification for each post. */
  notify?: boolean
  /** Only posts in these languages; null for all. */
  languages?: string[] | null
}

export type FollowWish = FollowOptions & {
  accountId: string
  targetAccountId: string
  /** How the follow of somebody on another server is called there. */
  uri?: string | null
}

/** `refused` comes only to accounts of other servers, who are told by a rejection; our own people get an error. */
export type FollowOutcome = 'following' | 'requested' | 'refused'

const FOLLOW_LIMIT = 7500
/** Beyond the limit, how many people one may follow for each follower. */
const FOLLOW_RATIO = 1.1

/**
 * Lets an account follow another: at once, or as a request where the other is locked, lives on another server, or the follower
 * is silenced. Following again changes the options, and tells a remote follower once more that it was accepted.
 * Throws NotFound for missing and suspended targets, Forbidden where blocks, a move or oneself stand in the way, Invalid over the limit.
 */
export async function follow(ctx: Context, wish: FollowWish): Promise<FollowOutcome> {
  if (wish.accountId === wish.targetAccountId) throw new Forbidden()
  return ctx.transaction(async (tx) => {
    await lockPair(tx, wish.accountId, wish.targetAccountId)
    const pair = await readPair(tx, wish.accountId, wish.targetAccountId)
    if (!pair || pair.target_suspended) throw new NotFound()
    if (!(await isPermitted(tx, pair))) return refuse(tx, pair, wish)
    if (pair.follow_id !== null) {
      await changeOptions(tx, 'follows', pair.follow_id, wish)
      if (pair.account_domain !== null) await accept(tx, pair, wish)
      return 'following'
    }
    if (pair.request_id !== null) {
      await changeOptions(tx, 'follow_requests', pair.request_id, wish)
      return 'requested'
    }
    checkLimit(pair)
    const needsConsent = pair.target_domain !== null || pair.target_locked || pair.account_silenced
    if (pair.account_domain === null) await refreshForViewer(tx, { id: pair.target_id, domain: pair.target_domain })
    return needsConsent ? request(tx, pair, wish) : establish(tx, pair, wish)
  })
}

async function isPermitted(tx: Context, pair: Pair): Promise<boolean> {
  if (
    pair.blocked ||
    pair.account_suspended ||
    pair.target_moved ||
    (pair.account_moved && pair.account_domain === null)
  )
    return false
  const host = pair.target_domain ?? pair.account_domain
  return host === null || isDomainAllowed(tx, host)
}

async function refuse(tx: Context, pair: Pair, wish: FollowWish): Promise<FollowOutcome> {
  if (pair.account_domain === null) throw new Forbidden()
  await federate(tx, {
    activity: 'answer-follow',
    accepted: false,
    accountId: pair.target_id,
    targetAccountId: pair.account_id,
    followUri: wish.uri ?? null,
  })
  return 'refused'
}

function checkLimit(pair: Pair): void {
  if (pair.account_domain !== null || pair.following_count < FOLLOW_LIMIT) return
  const limit = Math.max(FOLLOW_LIMIT, Math.round(pair.followers_count * FOLLOW_RATIO))
  if (pair.following_count >= limit) throw invalidRequest('follow_limit', { count: limit })
}

async function changeOptions(
  tx: Context,
  table: 'follows' | 'follow_requests',
  id: string,
  wish: FollowWish,
): Promise<void> {
  const changes = sql`set show_reblogs = coalesce(${wish.reblogs ?? null}::boolean, show_reblogs), notify = coalesce(${wish.notify ?? null}::boolean, notify),
    languages = case when ${wish.languages !== undefined} then ${stored(wish.languages)}::text[] else languages end, uri = coalesce(${wish.uri ?? null}, uri)
    where id = ${id}`
  await tx.db.run(table === 'follows' ? sql`update follows ${changes}` : sql`update follow_requests ${changes}`)
}

/** No languages chosen means all of them. */
const stored = (languages: string[] | null | undefined): string[] | null =>
  languages && languages.length > 0 ? languages : null

async function request(tx: Context, pair: Pair, wish: FollowWish): Promise<FollowOutcome> {
  const { id } = await tx.db.one<{ id: string }>(sql`
    insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages, uri)
    values (${pair.account_id}, ${pair.target_id}, ${wish.reblogs ?? true}, ${wish.notify ?? false}, ${stored(wish.languages)}::text[], ${wish.uri ?? null})
    returning id`)
  if (pair.target_domain === null)
    await notify(tx, { type: 'follow_request', fromAccountId: pair.account_id, to: [pair.target_id] })
  else if (pair.account_domain === null)
    await federate(tx, {
      activity: 'follow',
      accountId: pair.account_id,
      targetAccountId: pair.target_id,
      followId: id,
    })
  return 'requested'
}

async function establish(tx: Context, pair: Pair, wish: FollowWish): Promise<FollowOutcome> {
  await tx.db.run(sql`
    insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri)
    values (${pair.account_id}, ${pair.target_id}, ${wish.reblogs ?? true}, ${wish.notify ?? false}, ${stored(wish.languages)}::text[], ${wish.uri ?? null})`)
  await countFollows(tx, [{ account_id: pair.account_id, target_account_id: pair.target_id }])
  await notify(tx, { type: 'follow', fromAccountId: pair.account_id, to: [pair.target_id] })
  if (pair.account_domain === null)
    await tx.enqueue('fanout.merge', { accountId: pair.account_id, targetAccountId: pair.target_id })
  else await accept(tx, pair, wish)
  return 'following'
}

async function accept(tx: Context, pair: Pair, wish: FollowWish): Promise<void> {
  if (pair.target_domain !== null) return
  await federate(tx, {
    activity: 'answer-follow',
    accepted: true,
    accountId: pair.target_id,
    targetAccountId: pair.account_id,
    followUri: wish.uri ?? null,
  })
}
