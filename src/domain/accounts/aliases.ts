import type { Context } from '../../context.ts'
import type { Accounts } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'

const MAX_ALIASES = 10

/** Another account of the same person; `acct` where it is known here. */
export type Alias = { uri: string; acct: string | null }

/** The aliases of an account, in the order in which they were added. */
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

/** Adds an alias; false when the account has it already. Throws Invalid when it has too many. */
export async function insertAlias(tx: Context, accountId: string, uri: string): Promise<boolean> {
  const account = await tx.db.maybe<Pick<Accounts, 'also_known_as'>>(
    sql`select also_known_as from accounts where id = ${accountId} for no key update`,
  )
  const known = account?.also_known_as ?? []
  if (known.includes(uri)) return false
  if (known.length >= MAX_ALIASES) throw new Invalid(`You cannot have more than ${MAX_ALIASES} aliases`)
  const changed = await tx.db.run(
    sql`update accounts set also_known_as = also_known_as || ${[uri]}::text[] where id = ${accountId}`,
  )
  return changed > 0
}

/** Deletes an alias; false when the account does not have it. */
export async function deleteAlias(tx: Context, accountId: string, uri: string): Promise<boolean> {
  const changed = await tx.db.run(sql`
    update accounts set also_known_as = array_remove(also_known_as, ${uri}) where id = ${accountId} and ${uri} = any(also_known_as)`)
  return changed > 0
}
