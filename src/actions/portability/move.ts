import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { fetchActor, resolveHandle } from '../remote/resolve-account.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import { federate } from '../federate.ts'

/** How long after a move there can be another: days. */
export const COOLDOWN_DAYS = 30

/** Where somebody has moved to, and when they could move again. */
export type MoveState = { movedTo: { acct: string; url: string } | null; freeAt: Date | null }

type Mover = { accountId: string; userId: string; username: string }

/** What the page about moving says. */
export async function moveStateOf(ctx: Context, accountId: string): Promise<MoveState> {
  const row = await ctx.db.one<{
    username: string | null
    domain: string | null
    uri: string | null
    free_at: Date | null
  }>(sql`
    select t.username, t.domain, t.uri, (
      select max(created_at) + ${COOLDOWN_DAYS} * interval '1 day' from account_moves
      where account_id = ${accountId} and created_at > now() - ${COOLDOWN_DAYS} * interval '1 day') as free_at
    from accounts a left join accounts t on t.id = a.moved_to_id where a.id = ${accountId}`)
  const movedTo =
    row.username === null
      ? null
      : { acct: acctOf(ctx, { ...row, username: row.username }), url: row.uri ?? accountUri(ctx, row.username) }
  return { movedTo, freeAt: row.free_at }
}

const acctOf = (ctx: Context, account: { username: string; domain: string | null }): string =>
  `${account.username}@${account.domain ?? ctx.config.localDomain}`

/**
 * Moves somebody to another account of theirs, which has to name this one as an alias: its server is asked anew. Followers are
 * told, those here follow it by themselves; this account can post and follow no more. Throws Invalid, in words for the person.
 */
export async function moveAccount(ctx: Context, mover: Mover, acct: string): Promise<void> {
  const target = await findTarget(ctx, mover, acct)
  await ctx.transaction(async (tx) => {
    const before = await tx.db.one<{ moved_to_id: string | null; followers_count: number }>(sql`
      select a.moved_to_id, coalesce(st.followers_count, 0) as followers_count
      from accounts a left join account_stats st on st.account_id = a.id where a.id = ${mover.accountId} for no key update of a`)
    if (before.moved_to_id !== null) throw new Invalid('You have moved already. Undo that first')
    const { freeAt } = await moveStateOf(tx, mover.accountId)
    if (freeAt) throw new Invalid(`You have moved lately. You can move again on ${freeAt.toISOString().slice(0, 10)}`)
    await tx.db.run(sql`update accounts set moved_to_id = ${target.id} where id = ${mover.accountId}`)
    const { id: moveId } = await tx.db.one<{ id: string }>(sql`
      insert into account_moves (account_id, target_account_id, acct, followers_count)
      values (${mover.accountId}, ${target.id}, ${acctOf(tx, target)}, ${before.followers_count}) returning id`)
    const tie = { accountId: mover.accountId, targetAccountId: target.id }
    // Whoever hears of the move looks at the profile, where it has to stand by then: it does with this commit.
    await federate(tx, { activity: 'move', ...tie, moveId })
    await tx.enqueue('portability.followers', tie)
    tx.publish({ type: 'user.changed', userId: mover.userId })
  })
}

async function findTarget(ctx: Context, mover: Mover, acct: string): Promise<AccountRow> {
  const known = await resolveHandle(ctx, acct)
  // What is known of it may be older than the alias.
  const target = known && known.domain !== null ? await fetchActor(ctx, known.uri ?? '').catch(() => null) : known
  if (!target || target.suspended_at)
    throw new Invalid('This account could not be found, or its server does not answer')
  if (target.id === mover.accountId) throw new Invalid('This is the account that you are in')
  if (target.moved_to_id !== null) throw new Invalid('That account has moved itself')
  if (!target.also_known_as.includes(accountUri(ctx, mover.username)))
    throw new Invalid(
      `That account does not name @${mover.username}@${ctx.config.localDomain} as an alias yet. Add it there first`,
    )
  return target
}

/** Takes a move back: this account is in use again. Followers who went do not come back by themselves. */
export async function undoMove(ctx: Context, mover: Mover): Promise<void> {
  await ctx.transaction(async (tx) => {
    const undone = await tx.db.run(
      sql`update accounts set moved_to_id = null where id = ${mover.accountId} and moved_to_id is not null`,
    )
    if (undone === 0) return
    await federate(tx, { activity: 'update-actor', accountId: mover.accountId })
    tx.publish({ type: 'user.changed', userId: mover.userId })
  })
}

/**
 * An account of another server has said that it moved, and `target` names it as an alias: notes so, and lets its followers
 * here follow. Doing it twice changes nothing.
 */
export async function recordMove(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`
      update accounts set moved_to_id = ${targetAccountId} where id = ${accountId} and moved_to_id is distinct from ${targetAccountId}`)
    await tx.enqueue('portability.followers', { accountId, targetAccountId })
  })
}
