// Moves local followers of an account that has moved, or is merged into another one, to the new account.
import type { Context } from '../../context.ts'
import type { Accounts, Follows } from '../../db/schema.ts'
import { sql, type Sql } from '../../db/sql.ts'
import { type Message, message, render } from '../../messages/message.ts'
import { fullHandle } from '../server/addresses.ts'
import { LOCALES, messageLanguage } from '../server/languages.ts'
import { PRIVATE_NOTE_LIMIT } from './account-notes.ts'
import { countFollows, type FollowAccounts, uncountFollows } from './follows.ts'
import { activeMutesAgainst, hasBlockBetween, hasBlockedDomain } from './hidden.ts'
import { holdDomainBlocks, lockRelationships } from './locks.ts'

/** Followers per transaction. */
export const MOVE_BATCH = 500

export type MovedFollower = Pick<Follows, 'id' | 'account_id'> & {
  silenced: boolean
  /** Already follows the new account, or has asked to. */
  settled: boolean
  /** No block or move prevents a follow of the new account. */
  may_follow: boolean
}

export type MoveTarget = Pick<Accounts, 'domain' | 'locked'> & { suspended: boolean; old_domain: string | null }

/** `ids`: the followers that the step is about. */
export type MoveStep = { from: string; to: string; ids: readonly string[] }

/** Null unless the account `from` has moved to `to`. */
export const findMoveTarget = (ctx: Context, from: string, to: string): Promise<MoveTarget | null> =>
  ctx.db.maybe<MoveTarget>(sql`
    select t.domain, t.locked, t.suspended_at is not null as suspended, o.domain as old_domain
    from accounts o join accounts t on t.id = ${to} where o.id = ${from} and o.moved_to_id = t.id`)

/** The locks last until the transaction ends, so that no block of an account or a domain begins meanwhile. */
export async function lockMovedFollowers(
  tx: Context,
  from: string,
  to: string,
  after: string,
): Promise<MovedFollower[]> {
  const held = await tx.db.many<{ account_id: string }>(sql`
    select f.account_id from follows f join accounts a on a.id = f.account_id and a.domain is null and a.suspended_at is null
    where f.target_account_id = ${from} and f.id > ${after} order by f.id limit ${MOVE_BATCH} for update of f`)
  const ids = held.map(({ account_id }) => account_id)
  await lockRelationships(tx, to, ids)
  await holdDomainBlocks(tx, ids)
  return tx.db.many<MovedFollower>(sql`
    select f.id, f.account_id, a.silenced_at is not null as silenced,
      exists (select from follows x where x.account_id = f.account_id and x.target_account_id = t.id)
        or exists (select from follow_requests x where x.account_id = f.account_id and x.target_account_id = t.id) as settled,
      f.account_id <> t.id and a.moved_to_id is null
        and not ${hasBlockBetween(sql`f.account_id`, sql`t.id`)} and not ${hasBlockedDomain(sql`f.account_id`, sql`t.domain`)} as may_follow
    from follows f join accounts a on a.id = f.account_id join accounts t on t.id = ${to}
    where f.target_account_id = ${from} and f.account_id = any(${ids}::bigint[]) order by f.id`)
}

/** For `insert into`: the follows of a step, as follows of the new account. */
const movedFollows = ({ from, to, ids }: MoveStep): Sql => sql`
  (account_id, target_account_id, show_reblogs, notify, languages)
  select account_id, ${to}::bigint, show_reblogs, notify, languages from follows
  where target_account_id = ${from} and account_id = any(${ids}::bigint[])`

/** Keeps the options of the old follows. Returns the new requests. */
export async function requestMovedFollows(tx: Context, step: MoveStep): Promise<Pick<Follows, 'id' | 'account_id'>[]> {
  if (step.ids.length === 0) return []
  return tx.db.many(sql`
    insert into follow_requests ${movedFollows(step)} on conflict do nothing returning id, account_id`)
}

/** Keeps the options of the old follows. Returns the new followers. */
export async function insertMovedFollows(tx: Context, step: MoveStep): Promise<string[]> {
  if (step.ids.length === 0) return []
  const follows = await tx.db.many<FollowAccounts>(sql`
    insert into follows ${movedFollows(step)} on conflict do nothing returning account_id, target_account_id`)
  await countFollows(tx, follows)
  return follows.map((row) => row.account_id)
}

/** Also moves list memberships and deletes endorsements. Statuses stay in home feeds. */
export async function deleteMovedFollows(
  tx: Context,
  { from, to, ids }: MoveStep,
): Promise<Pick<Follows, 'id' | 'account_id'>[]> {
  await tx.db.run(sql`
    insert into list_accounts (list_id, account_id, owner_id, exclusive)
    select list_id, ${to}::bigint, owner_id, exclusive from list_accounts
    where account_id = ${from} and owner_id = any(${ids}::bigint[]) on conflict do nothing`)
  await tx.db.run(sql`delete from list_accounts where account_id = ${from} and owner_id = any(${ids}::bigint[])`)
  await tx.db.run(
    sql`delete from endorsements where target_account_id = ${from} and account_id = any(${ids}::bigint[])`,
  )
  const deleted = await tx.db.many<FollowAccounts & Pick<Follows, 'id'>>(sql`
    delete from follows where target_account_id = ${from} and account_id = any(${ids}::bigint[])
    returning id, account_id, target_account_id`)
  await uncountFollows(tx, deleted)
  return deleted
}

/**
 * Copies private notes, below those about the new account, and the mutes of local accounts that do not follow it. Returns the
 * accounts that must also block it. A private note says why an account is muted or blocked that the user may never have seen.
 */
export async function copyMovedRelationships(ctx: Context, from: string, to: string): Promise<string[]> {
  await ctx.db.run(
    addNotes(sql`
      select account_id, ${to}::bigint, comment from account_notes where target_account_id = ${from} and account_id <> ${to}`),
  )
  const old = await ctx.db.one<Pick<Accounts, 'username' | 'domain'>>(
    sql`select username, domain from accounts where id = ${from}`,
  )
  const handle = `@${fullHandle(ctx, old)}`
  const notFollowing = sql`join accounts a on a.id = t.account_id and a.domain is null
    where t.target_account_id = ${from} and t.account_id <> ${to}
      and not exists (select from follows f where f.account_id = t.account_id and f.target_account_id = ${to})`
  await ctx.db.run(sql`
    with muted as (
      insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
      select t.account_id, ${to}::bigint, t.hide_notifications, t.expires_at from (${activeMutesAgainst(from)}) t ${notFollowing}
      on conflict (account_id, target_account_id) do update set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at
        where mutes.expires_at <= now() returning account_id)
    ${addNotes(sql`select muted.account_id, ${to}::bigint, text.comment from muted ${inTheirLanguage(sql`muted`, message('moved_muted', { handle }))}`)}`)
  const blockers = await ctx.db.many<{ account_id: string }>(sql`
    with blocked as (
      select t.account_id from blocks t ${notFollowing}
      and not exists (select from blocks b where b.account_id = t.account_id and b.target_account_id = ${to})),
    noted as (${addNotes(sql`select blocked.account_id, ${to}::bigint, text.comment from blocked ${inTheirLanguage(sql`blocked`, message('moved_blocked', { handle }))}`)})
    select account_id from blocked`)
  return blockers.map((row) => row.account_id)
}

/** `notes`: selects the author of each note, its target, and a comment, which is added below the present one. */
const addNotes = (notes: Sql): Sql => sql`
  insert into account_notes (account_id, target_account_id, comment) ${notes}
  on conflict (account_id, target_account_id)
  do update set comment = left(account_notes.comment || E'\\n\\n' || excluded.comment, ${PRIVATE_NOTE_LIMIT})
  where position(excluded.comment in account_notes.comment) = 0`

/** A join of the accounts in a relation with the text in the languages of their users, as `text.comment`. */
function inTheirLanguage(whose: Sql, text: Message): Sql {
  const locales = [...LOCALES]
  const comments = locales.map((locale) => render(text, messageLanguage(locale)))
  return sql`join users u on u.account_id = ${whose}.account_id
    join unnest(${locales}::text[], ${comments}::text[]) as text (locale, comment) on text.locale = u.locale`
}

// For the merging of two remote accounts, which leaves nothing with the old one.

type Merge = Pick<MoveStep, 'from' | 'to'>
type Relationship = { accountId: string; targetAccountId: string }

/** The blocks by and of `from`, with `to` in its place. */
export const findMovingBlocks = (ctx: Context, { from, to }: Merge): Promise<Relationship[]> =>
  ctx.db.many<Relationship>(sql`
    select account_id as "accountId", ${to}::bigint as "targetAccountId" from blocks where target_account_id = ${from}
    union all select ${to}::bigint, target_account_id from blocks where account_id = ${from}`)

/** The follows by and of `from`, and requests, that a block between the other account and `to` forbids. */
export const findForbiddenFollows = (ctx: Context, { from, to }: Merge): Promise<Relationship[]> =>
  ctx.db.many<Relationship>(sql`
    with wanted as (select account_id, target_account_id from follows union select account_id, target_account_id from follow_requests)
    select account_id as "accountId", target_account_id as "targetAccountId" from wanted
    where target_account_id = ${from} and ${hasBlockBetween(sql`wanted.account_id`, sql`${to}::bigint`)}
      or account_id = ${from} and ${hasBlockBetween(sql`wanted.target_account_id`, sql`${to}::bigint`)}`)

/** The follows of `from` by local accounts, and their requests. Leaves out accounts that follow `to` already. */
export const findMovingFollows = (ctx: Context, { from, to }: Merge): Promise<Pick<Follows, 'id' | 'account_id'>[]> =>
  ctx.db.many<Pick<Follows, 'id' | 'account_id'>>(sql`
    with wanted as (
      select id, account_id, target_account_id from follows union all select id, account_id, target_account_id from follow_requests)
    select wanted.id, wanted.account_id from wanted join accounts a on a.id = wanted.account_id and a.domain is null
    where wanted.target_account_id = ${from}
      and not exists (select from wanted known where known.account_id = wanted.account_id and known.target_account_id = ${to})`)
