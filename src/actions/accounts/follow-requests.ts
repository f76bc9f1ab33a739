import type { Context } from '../../context.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { notify } from '../notifications/notify.ts'
import { countFollows } from '../../domain/relationships/counts.ts'
import { forgetNotifications } from '../../domain/relationships/notifications.ts'
import { lockPair, readDomains } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'
import { sever } from './unlink.ts'

type Accepted = { account_id: string; target_account_id: string; uri: string | null; domain: string | null }

/**
 * The followed account accepts: the request becomes a follow. Of this server, it is told that it has a new follower, and a
 * remote follower that it was accepted. False when there is no such request.
 */
export async function authorizeFollow(ctx: Context, tie: { accountId: string; followerId: string }): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockPair(tx, tie.accountId, tie.followerId)
    const accepted = await accept(tx, tie.accountId, sql`r.account_id = ${tie.followerId}`)
    const { mine } = await readDomains(tx, tie.accountId, tie.followerId)
    if (accepted.length > 0 && mine === null)
      await notify(tx, { type: 'follow', fromAccountId: tie.followerId, to: [tie.accountId] })
    return accepted.length > 0
  })
}

/** Accepts everybody who waits, silenced accounts apart: what happens when a profile of this server is unlocked. */
export async function authorizeAll(ctx: Context, accountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await accept(tx, accountId, sql`a.silenced_at is null and a.suspended_at is null`)
  })
}

async function accept(tx: Context, accountId: string, which: Sql): Promise<Accepted[]> {
  const accepted = await tx.db.many<Accepted>(sql`
    with accepted as (
      delete from follow_requests r using accounts a where r.target_account_id = ${accountId} and a.id = r.account_id and ${which}
      returning r.*, a.domain
    ), made as (
      insert into follows (id, account_id, target_account_id, show_reblogs, notify, languages, uri)
      select id, account_id, target_account_id, show_reblogs, notify, languages, uri from accepted order by id
      on conflict do nothing returning account_id
    )
    select account_id, target_account_id, uri, domain from accepted join made using (account_id)`)
  if (accepted.length === 0) return []
  await countFollows(tx, accepted)
  await forgetNotifications(
    tx,
    accountId,
    accepted.map((row) => row.account_id),
    ['follow_request'],
  )
  const [local, remote] = [accepted.filter((row) => row.domain === null), accepted.filter((row) => row.domain !== null)]
  await tx.enqueueMany(
    'fanout.merge',
    local.map((row) => ({ accountId: row.account_id, targetAccountId: accountId })),
  )
  await federate(
    tx,
    remote.map((row) => ({
      activity: 'answer-follow' as const,
      accepted: true,
      accountId,
      targetAccountId: row.account_id,
      followUri: row.uri,
    })),
  )
  return accepted
}

/** The followed account refuses a request, or removes a follower. False when there was neither. */
export async function rejectFollow(ctx: Context, tie: { accountId: string; followerId: string }): Promise<boolean> {
  const { accountId, followerId } = tie
  return ctx.transaction(async (tx) => {
    await lockPair(tx, accountId, followerId)
    const severed = await sever(tx, followerId, accountId)
    if (!severed) return false
    const { mine, theirs } = await readDomains(tx, accountId, followerId)
    if (mine === null && theirs !== null)
      await federate(tx, {
        activity: 'answer-follow',
        accepted: false,
        accountId,
        targetAccountId: followerId,
        followUri: severed.uri,
      })
    return true
  })
}

/** As rejectFollow, but of somebody who waits only: a follower stays one. */
export async function rejectRequest(ctx: Context, tie: { accountId: string; followerId: string }): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockPair(tx, tie.accountId, tie.followerId)
    const waits = await tx.db.maybe(
      sql`select id from follow_requests where account_id = ${tie.followerId} and target_account_id = ${tie.accountId}`,
    )
    return waits !== null && rejectFollow(tx, tie)
  })
}
