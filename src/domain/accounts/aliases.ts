import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { accountUri } from '../server/addresses.ts'
import { findAccount } from './find.ts'
import { resolveHandle } from '../../actions/remote/resolve-account.ts'

const MAX_ALIASES = 10

/** Another account of the same person; `acct` where it is known here. */
export type Alias = { uri: string; acct: string | null }

/** Which other accounts somebody says are theirs. */
export async function listAliases(ctx: Context, accountId: string): Promise<Alias[]> {
  const rows = await ctx.db.many<{ uri: string; username: string | null; domain: string | null }>(sql`
    select alias.uri, a.username, a.domain
    from accounts me cross join unnest(me.also_known_as) with ordinality as alias (uri, position)
    left join accounts a on a.uri = alias.uri or (a.domain is null and ${ctx.config.baseUrl} || '/users/' || a.username = alias.uri)
    where me.id = ${accountId} order by alias.position`)
  return rows.map(({ uri, username, domain }) => ({
    uri,
    acct: username === null ? null : `${username}@${domain ?? ctx.config.localDomain}`,
  }))
}

/** Adds another account of the same person, from which they may move here. Throws Invalid for one that cannot be found. */
export async function addAlias(ctx: Context, accountId: string, acct: string): Promise<void> {
  const other = await resolveHandle(ctx, acct)
  if (!other || other.suspended_at) throw new Invalid('This account could not be found')
  if (other.id === accountId) throw new Invalid('This is the account that you are in')
  const uri = other.uri ?? accountUri(ctx, other.username)
  await ctx.transaction(async (tx) => {
    await tx.db.run(sql`select from accounts where id = ${accountId} for no key update`)
    const known = (await findAccount(tx, accountId))?.also_known_as ?? []
    if (known.includes(uri)) return
    if (known.length >= MAX_ALIASES) throw new Invalid(`You cannot have more than ${MAX_ALIASES} aliases`)
    await tx.db.run(sql`update accounts set also_known_as = also_known_as || ${[uri]}::text[] where id = ${accountId}`)
    await tx.enqueue('federation.distribute', { activity: 'update-actor', accountId })
  })
}

/** Takes an alias away. Nothing happens when there is no such. */
export async function removeAlias(ctx: Context, accountId: string, uri: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const changed = await tx.db.run(sql`
      update accounts set also_known_as = array_remove(also_known_as, ${uri}) where id = ${accountId} and ${uri} = any(also_known_as)`)
    if (changed > 0) await tx.enqueue('federation.distribute', { activity: 'update-actor', accountId })
  })
}
