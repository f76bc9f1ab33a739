import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { isShown } from '../../domain/accounts/find.ts'
import { hasBlockedAccountOf, hasBlockedDomain, hasBlockedWithDomain } from '../../domain/relationships/hidden.ts'
import { Forbidden, Gone, NotFound } from '../../lib/errors.ts'
import type { MaybeViewer } from '../../domain/statuses/visibility.ts'
import { renderActor } from '../outgoing/render/actor.ts'

export type LocalActor = { id: string; username: string; hidden: boolean }
type Row = LocalActor & { suspended: boolean; purged: boolean; shown: boolean }

/**
 * Throws NotFound, Gone for an account whose data was deleted, and Forbidden for a suspended one unless `evenSuspended` is set.
 */
export async function localActor(
  ctx: Context,
  username: string,
  { evenSuspended = false }: { evenSuspended?: boolean } = {},
): Promise<LocalActor> {
  const row = await ctx.db.maybe<Row>(sql`
    select a.id, a.username, a.suspended_at is not null as suspended, a.purged_at is not null as purged, coalesce(a.hide_collections, false) as hidden,
      ${isShown} as shown
    from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null`)
  if (!row?.shown) throw new NotFound()
  if (row.purged) throw new Gone()
  if (row.suspended && !evenSuspended) throw new Forbidden()
  return row
}

/** The document of an actor. Of a suspended account, it has only the members by which others recognise it. Throws Gone. */
export async function actorDocument(ctx: Context, username: string): Promise<unknown> {
  const account = await localActor(ctx, username, { evenSuspended: true })
  const document = await renderActor(ctx, account.id)
  if (!document) throw new Gone()
  return document
}

/** Whether a local account blocks the signer, or its domain: then the collections of the account have no items for it. */
export async function blocksSigner(ctx: Context, signer: MaybeViewer, accountId: string): Promise<boolean> {
  if (signer === null) return false
  return (await ctx.db.maybe(sql`select where ${hasBlockedWithDomain(accountId, signer.accountId)}`)) !== null
}

/** A local account that blocks a host, or an account on it, serves its posts only to signers whose host is known. */
export async function blocksHostOrAccount(ctx: Context, username: string, host: string): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null
      and (${hasBlockedDomain(sql`a.id`, host)} or ${hasBlockedAccountOf(sql`a.id`, host)})`)
  return row !== null
}
