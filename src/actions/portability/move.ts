import { federate } from '../federate.ts'
import { fetchActor, resolveHandle } from '../remote/resolve-account.ts'
import type { Context } from '../../context.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { deleteAlias, insertAlias, insertMove, setMovedTo } from '../../domain/portability/moves.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

type Mover = { accountId: string; userId: string; username: string }

/**
 * Moves a local account to another one, which must name it as an alias; a remote account is fetched anew for that. Local
 * followers follow the new account by a job, remote ones after the Move activity. Throws Invalid.
 */
export async function moveAccount(ctx: Context, mover: Mover, acct: string): Promise<void> {
  const target = await findTarget(ctx, mover, acct)
  await ctx.transaction(async (tx) => {
    const moveId = await insertMove(tx, mover.accountId, target)
    const pair = { accountId: mover.accountId, targetAccountId: target.id }
    // Servers that receive the Move fetch the actor, which must name the target by then: the job starts after the commit.
    await federate(tx, { activity: 'move', ...pair, moveId })
    await tx.enqueue('portability.followers', pair)
    tx.publish({ type: 'user.changed', userId: mover.userId })
  })
}

async function findTarget(ctx: Context, mover: Mover, acct: string): Promise<AccountRow> {
  const known = await resolveHandle(ctx, acct)
  // The stored actor may be older than the alias.
  const target = known && known.domain !== null ? await fetchActor(ctx, known.uri ?? '').catch(() => null) : known
  if (!target || target.suspended_at) throw new Invalid(message('account_unreachable'))
  if (target.id === mover.accountId) throw new Invalid(message('account_own'))
  if (target.moved_to_id !== null) throw new Invalid(message('account_has_moved'))
  if (!target.also_known_as.includes(accountUri(ctx, mover.username)))
    throw new Invalid(
      `That account does not name @${mover.username}@${ctx.config.localDomain} as an alias yet. Add it there first`,
    )
  return target
}

/** Undoes a move, so that the account is in use again. Its former followers do not return. */
export async function undoMove(ctx: Context, mover: Mover): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!(await setMovedTo(tx, mover.accountId, null))) return
    await federate(tx, { activity: 'update-actor', accountId: mover.accountId })
    tx.publish({ type: 'user.changed', userId: mover.userId })
  })
}

/** Records the move of a remote account, after its alias was checked, and moves its local followers. It may run twice. */
export async function recordMove(ctx: Context, accountId: string, targetAccountId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setMovedTo(tx, accountId, targetAccountId)
    await tx.enqueue('portability.followers', { accountId, targetAccountId })
  })
}

/** Adds another account of the same person, from which they may move here. Throws Invalid for one that cannot be found. */
export async function addAlias(ctx: Context, accountId: string, acct: string): Promise<void> {
  const other = await resolveHandle(ctx, acct)
  if (!other || other.suspended_at) throw new Invalid(message('account_missing'))
  if (other.id === accountId) throw new Invalid(message('account_own'))
  const uri = other.uri ?? accountUri(ctx, other.username)
  await ctx.transaction(async (tx) => {
    if (await insertAlias(tx, accountId, uri)) await federate(tx, { activity: 'update-actor', accountId })
  })
}

/** Removes an alias. Unknown ones are ignored. */
export async function removeAlias(ctx: Context, accountId: string, uri: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (await deleteAlias(tx, accountId, uri)) await federate(tx, { activity: 'update-actor', accountId })
  })
}
