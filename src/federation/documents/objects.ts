import type { FastifyReply, FastifyRequest } from 'fastify'
import { activityContentType } from '../../net/content-types.ts'
import { noteContext } from '../../ap/context.ts'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { notFromBlockedDomain, visibleTo, type MaybeViewer } from '../../domain/statuses/visibility.ts'
import { Gone, NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { renderAnnounce, renderCreate } from '../outgoing/render/activity.ts'
import { renderActor } from '../outgoing/render/actor.ts'
import { loadBoosts } from '../outgoing/render/boost.ts'
import { loadNotes, renderNote } from '../outgoing/render/note.ts'
import { hasBlockedAccountOf, hasBlockedDomain } from '../../domain/relationships/hidden.ts'

export type LocalActor = { id: string; username: string; suspended: boolean; hidden: boolean }

/** Answers with an ActivityPub document. */
export function sendDocument(
  reply: FastifyReply,
  document: unknown,
  cache: 'public' | 'private' = 'public',
): FastifyReply {
  return reply
    .type(activityContentType)
    .header('cache-control', cache === 'public' ? 'public, max-age=180' : 'private, no-store')
    .send(JSON.stringify(document))
}

/** One of our accounts by the name in an address. Throws NotFound; Gone when it is suspended and `evenSuspended` is not set. */
export async function localActor(ctx: Context, username: string, evenSuspended = false): Promise<LocalActor> {
  const row = await ctx.db.maybe<LocalActor & { usable: boolean }>(sql`
    select a.id, a.username, a.suspended_at is not null as suspended, coalesce(a.hide_collections, false) as hidden,
      a.suspended_at is not null or exists (select from users u where u.account_id = a.id and u.confirmed_at is not null and u.approved) as usable
    from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null`)
  if (!row?.usable) throw new NotFound()
  if (row.suspended && !evenSuspended) throw new Gone()
  return row
}

/** GET /users/:username: the actor. */
export async function actorDocument(ctx: Context, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  return renderActor(ctx, account.id)
}

/** GET /users/:username/statuses/:id: the note, or of a boost its Announce. Throws NotFound, or Gone when it was deleted. */
export async function statusDocument(
  ctx: Context,
  viewer: MaybeViewer,
  username: string,
  id: string,
  as: 'object' | 'activity',
): Promise<unknown> {
  const account = await localActor(ctx, username)
  const found = isId(id) ? await findVisible(ctx, viewer, account.id, id) : null
  if (!found) {
    const gone = await ctx.db.maybe(sql`select from tombstones where uri = ${statusUri(ctx, account.username, id)}`)
    throw gone ? new Gone() : new NotFound()
  }
  if (found.reblog_of_id !== null) return announceDocument(ctx, id)
  const row = (await loadNotes(ctx, [id])).get(id)
  if (!row) throw new NotFound()
  return as === 'activity' ? renderCreate(ctx, row) : { '@context': noteContext, ...renderNote(ctx, row) }
}

/** Whether the viewer may read a local status, and whether it is a boost. */
export async function findVisible(
  ctx: Context,
  viewer: MaybeViewer,
  accountId: string,
  id: string,
): Promise<{ reblog_of_id: string | null } | null> {
  return ctx.db.maybe<{ reblog_of_id: string | null }>(sql`
    select s.reblog_of_id from statuses s join accounts a on a.id = s.account_id
    where s.id = ${id} and s.account_id = ${accountId} and s.local and ${visibleTo(viewer)} and ${notFromBlockedDomain(viewer)}`)
}

/** Whether a local account blocks a host or an account on it: then the signer must be known. */
export async function blocksAnybodyOf(ctx: Context, username: string, host: string): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null
      and (${hasBlockedDomain(sql`a.id`, host)} or ${hasBlockedAccountOf(sql`a.id`, host)})`)
  return row !== null
}

async function announceDocument(ctx: Context, id: string): Promise<unknown> {
  const boost = (await loadBoosts(ctx, [id])).get(id)
  if (!boost) throw new NotFound()
  return renderAnnounce(ctx, boost)
}

/** The parameters of an address, as strings. */
export const paramsOf = (request: FastifyRequest): Record<string, string> => request.params as Record<string, string>
