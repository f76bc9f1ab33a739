import type { Context } from '../../context.ts'
import { deleteAlias, insertAlias } from '../../domain/accounts/aliases.ts'
import { accountUri } from '../../domain/server/addresses.ts'
import { Invalid } from '../../lib/errors.ts'
import { federate } from '../federate.ts'
import { resolveHandle } from '../remote/resolve-account.ts'

/** Adds another account of the same person, from which they may move here. Throws Invalid for one that cannot be found. */
export async function addAlias(ctx: Context, accountId: string, acct: string): Promise<void> {
  const other = await resolveHandle(ctx, acct)
  if (!other || other.suspended_at) throw new Invalid('This account could not be found')
  if (other.id === accountId) throw new Invalid('This is the account that you are in')
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
