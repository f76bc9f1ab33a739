import type { FastifyReply, FastifyRequest } from 'fastify'
import { activityContentType } from '../ap/content.ts'
import { noteContext } from '../ap/context.ts'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { statusUri } from '../domain/instance/addresses.ts'
import { notFromBlockedDomain, visibleTo, type Onlooker } from '../domain/statuses/visibility.ts'
import { Gone, NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { renderAnnounce, renderCreate } from './render/activity.ts'
import { renderActor } from './render/actor.ts'
import { loadNotes, renderNote } from './render/note.ts'

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
  viewer: Onlooker,
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

/** Whether a status of ours may be read, and whether it is a boost. */
export async function findVisible(
  ctx: Context,
  viewer: Onlooker,
  accountId: string,
  id: string,
): Promise<{ reblog_of_id: string | null } | null> {
  return ctx.db.maybe<{ reblog_of_id: string | null }>(sql`
    select s.reblog_of_id from statuses s join accounts a on a.id = s.account_id
    where s.id = ${id} and s.account_id = ${accountId} and s.local and ${visibleTo(viewer)} and ${notFromBlockedDomain(viewer)}`)
}

/** Whether one of ours blocks a host, or anybody of it: then it matters who asks. */
export async function blocksAnybodyOf(ctx: Context, username: string, host: string): Promise<boolean> {
  const row = await ctx.db.maybe(sql`
    select from accounts a where lower(a.username) = ${username.toLowerCase()} and a.domain is null
      and (exists (select from account_domain_blocks d where d.account_id = a.id and d.domain = ${host})
        or exists (select from blocks b join accounts t on t.id = b.target_account_id
          where b.account_id = a.id and ${host} in (t.domain, split_part(t.uri, '/', 3))))`)
  return row !== null
}

/** The Announces of boosts of ours, by id. One statement. */
export async function loadAnnounces(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await ctx.db.many<{
    id: string
    username: string
    visibility: string
    created_at: Date
    original_id: string
    original_uri: string | null
    author: string
    author_uri: string | null
  }>(sql`
    select s.id, a.username, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri, oa.username as author, oa.uri as author_uri
    from statuses s join accounts a on a.id = s.account_id join statuses o on o.id = s.reblog_of_id join accounts oa on oa.id = o.account_id
    where s.id = any(${ids}::bigint[]) and s.local`)
  return new Map(
    rows.map((row) => [
      row.id,
      renderAnnounce(ctx, {
        id: row.id,
        username: row.username,
        visibility: row.visibility,
        originalUri: row.original_uri ?? statusUri(ctx, row.author, row.original_id),
        originalAuthorUri: row.author_uri,
        createdAt: row.created_at,
      }),
    ]),
  )
}

async function announceDocument(ctx: Context, id: string): Promise<unknown> {
  const announce = (await loadAnnounces(ctx, [id])).get(id)
  if (!announce) throw new NotFound()
  return announce
}

/** The parameters of an address, as strings. */
export const paramsOf = (request: FastifyRequest): Record<string, string> => request.params as Record<string, string>
