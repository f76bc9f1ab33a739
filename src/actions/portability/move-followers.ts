import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { notify } from '../notifications/notify.ts'
import { block } from '../accounts/block.ts'
import { countFollows, uncountFollows } from '../../domain/relationships/counts.ts'
import { lockPairs } from '../../domain/relationships/relationship.ts'
import { federate } from '../federate.ts'

/** How many followers are moved in one transaction. */
const CHUNK = 500

type Follower = {
  id: string
  account_id: string
  silenced: boolean
  /** They follow the new account, or have asked to. */
  settled: boolean
  /** Nothing stands between them and the new account. */
  welcome: boolean
}
type Target = { domain: string | null; locked: boolean; suspended: boolean; old_domain: string | null }

/**
 * Job `portability.followers`: the people of this server who follow an account that has moved follow the new one instead, with
 * the same options; they find it in the same lists, with the same note, muted or blocked as the old one was. Where somebody
 * blocks somebody, the old follow stays. Doing it twice changes nothing.
 */
export async function moveFollowers(
  ctx: Context,
  { accountId: from, targetAccountId: to, after = '0' }: JobData['portability.followers'],
): Promise<void> {
  const target = await ctx.db.maybe<Target>(sql`
    select t.domain, t.locked, t.suspended_at is not null as suspended, o.domain as old_domain
    from accounts o join accounts t on t.id = ${to} where o.id = ${from} and o.moved_to_id = t.id`)
  if (!target || target.suspended) return
  if (after === '0') await carryOver(ctx, from, to)
  await ctx.transaction(async (tx) => {
    const followers = await nextFollowers(tx, from, to, after)
    if (followers.length === 0) return
    const welcome = followers.filter((one) => one.welcome && !one.settled)
    const asks = (one: Follower): boolean => target.domain !== null || target.locked || one.silenced
    await ask(tx, { from, to, target, ids: welcome.filter(asks).map(({ account_id }) => account_id) })
    const ids = welcome.filter((one) => !asks(one)).map(({ account_id }) => account_id)
    await establish(tx, { from, to, ids })
    const settled = followers.filter((one) => one.settled || one.welcome).map(({ account_id }) => account_id)
    await leaveOld(tx, { from, to, target, ids: settled })
    if (followers.length === CHUNK)
      await tx.enqueue('portability.followers', {
        accountId: from,
        targetAccountId: to,
        after: followers.at(-1)?.id ?? after,
      })
  })
}

/** The next followers of this server, held: nothing comes between them and the new account meanwhile. */
async function nextFollowers(tx: Context, from: string, to: string, after: string): Promise<Follower[]> {
  const held = await tx.db.many<{ account_id: string }>(sql`
    select f.account_id from follows f join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null
    where f.target_account_id = ${from} and f.id > ${after} order by f.id limit ${CHUNK} for update of f`)
  const ids = held.map(({ account_id }) => account_id)
  await lockPairs(tx, to, ids)
  return tx.db.many<Follower>(sql`
    select f.id, f.account_id, a.silenced_at is not null as silenced,
      exists (select from follows x where x.account_id = f.account_id and x.target_account_id = t.id)
        or exists (select from follow_requests x where x.account_id = f.account_id and x.target_account_id = t.id) as settled,
      f.account_id <> t.id and a.moved_to_id is null
        and not exists (select from blocks b where (b.account_id = f.account_id and b.target_account_id = t.id) or (b.account_id = t.id and b.target_account_id = f.account_id))
        and not exists (select from account_domain_blocks d where d.account_id = f.account_id and d.domain = t.domain) as welcome
    from follows f join accounts a on a.id = f.account_id join accounts t on t.id = ${to}
    where f.target_account_id = ${from} and f.account_id = any(${ids}::bigint[]) order by f.id`)
}

type Step = { from: string; to: string; ids: readonly string[] }

async function ask(tx: Context, { from, to, ids, target }: Step & { target: Target }): Promise<void> {
  if (ids.length === 0) return
  const made = await tx.db.many<{ id: string; account_id: string }>(sql`
    insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages)
    select account_id, ${to}::bigint, show_reblogs, notify, languages from follows
    where target_account_id = ${from} and account_id = any(${ids}::bigint[]) on conflict do nothing returning id, account_id`)
  if (target.domain === null)
    for (const { account_id } of made) await notify(tx, { type: 'follow_request', fromAccountId: account_id, to: [to] })
  else
    await federate(
      tx,
      made.map(({ id, account_id: accountId }) => ({
        activity: 'follow' as const,
        accountId,
        targetAccountId: to,
        followId: id,
      })),
    )
}

async function establish(tx: Context, { from, to, ids }: Step): Promise<void> {
  if (ids.length === 0) return
  const made = await tx.db.many<{ account_id: string; target_account_id: string }>(sql`
    insert into follows (account_id, target_account_id, show_reblogs, notify, languages)
    select account_id, ${to}::bigint, show_reblogs, notify, languages from follows
    where target_account_id = ${from} and account_id = any(${ids}::bigint[]) on conflict do nothing returning account_id, target_account_id`)
  await countFollows(tx, made)
  await tx.enqueueMany(
    'fanout.merge',
    made.map(({ account_id: accountId }) => ({ accountId, targetAccountId: to })),
  )
}

/** The old follows end. What came of them so far stays in the home timelines. */
async function leaveOld(tx: Context, { from, to, ids, target }: Step & { target: Target }): Promise<void> {
  await tx.db.run(sql`
    insert into list_accounts (list_id, account_id, owner_id, exclusive)
    select list_id, ${to}::bigint, owner_id, exclusive from list_accounts
    where account_id = ${from} and owner_id = any(${ids}::bigint[]) on conflict do nothing`)
  await tx.db.run(sql`delete from list_accounts where account_id = ${from} and owner_id = any(${ids}::bigint[])`)
  await tx.db.run(
    sql`delete from endorsements where target_account_id = ${from} and account_id = any(${ids}::bigint[])`,
  )
  const ended = await tx.db.many<{ id: string; account_id: string; target_account_id: string }>(sql`
    delete from follows where target_account_id = ${from} and account_id = any(${ids}::bigint[])
    returning id, account_id, target_account_id`)
  await uncountFollows(tx, ended)
  if (target.old_domain === null) return
  await federate(
    tx,
    ended.map(({ id, account_id: accountId }) => ({
      activity: 'follow' as const,
      undo: true as const,
      accountId,
      targetAccountId: from,
      followId: id,
    })),
  )
}

/** What people here think of the old account, they think of the new one, unless they know it already. */
async function carryOver(ctx: Context, from: string, to: string): Promise<void> {
  await ctx.db.run(sql`
    insert into account_notes (account_id, target_account_id, comment)
    select account_id, ${to}::bigint, comment from account_notes where target_account_id = ${from} and account_id <> ${to}
    on conflict do nothing`)
  const stranger = sql`join accounts a on a.id = t.account_id and a.domain is null
    where t.target_account_id = ${from} and t.account_id <> ${to}
      and not exists (select from follows f where f.account_id = t.account_id and f.target_account_id = ${to})`
  await ctx.db.run(sql`
    insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
    select t.account_id, ${to}::bigint, t.hide_notifications, t.expires_at from mutes t ${stranger} on conflict do nothing`)
  const blockers = await ctx.db.many<{ account_id: string }>(sql`select t.account_id from blocks t ${stranger}`)
  for (const { account_id: accountId } of blockers) await block(ctx, { accountId, targetAccountId: to })
}
