import { type Context, perServer } from '../../context.ts'
import { CoherentCache } from '../../db/coherent-cache.ts'
import type { Statuses } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { compareIds } from '../../lib/ids.ts'

type Reply = Pick<Statuses, 'id' | 'account_id'>
/** The oldest first. */
type Replies = { list: Reply[] }

const cache = perServer((ctx) => new CoherentCache<Replies>(ctx.changes, ['reply'], { max: 20_000 }))

/** Limits the replies that are read, before those hidden from the viewer are left out. */
const MAX_READ = 10_000

/**
 * Ids of the replies to a status and the replies to these, `depth` levels: depth first, with the replies of the author to their
 * own posts before those of others. One statement, or none when all are cached; several when there are MAX_READ replies or more.
 */
export async function listDescendants(
  ctx: Context,
  status: Pick<Statuses, 'id' | 'account_id'>,
  depth: number,
): Promise<string[]> {
  const replies = new Map<string, readonly Reply[]>()
  let level = [status.id]
  let count = 0
  for (let i = 0; i < depth && level.length > 0 && count < MAX_READ; i++) {
    for (const [id, { list }] of await loadReplies(ctx, level)) replies.set(id, list)
    // A broken thread may contain its root again.
    level = level.flatMap((id) => (replies.get(id) ?? []).map((reply) => reply.id)).filter((id) => !replies.has(id))
    count += level.length
  }
  const ids: string[] = []
  const next = [{ id: status.id, isOwn: true }]
  for (let place = next.pop(); place; place = next.pop()) {
    const { id, isOwn } = place
    if (id !== status.id) ids.push(id)
    const below = (replies.get(id) ?? []).filter((reply) => reply.id !== status.id)
    const [own, others] = [below.filter(isByAuthor), below.filter((reply) => !isOwn || !isByAuthor(reply))]
    // The last one is taken first.
    for (const reply of others.toReversed()) next.push({ id: reply.id, isOwn: false })
    if (isOwn) for (const reply of own.toReversed()) next.push({ id: reply.id, isOwn: true })
  }
  return ids.slice(0, MAX_READ)

  function isByAuthor({ account_id }: Reply): boolean {
    return account_id === status.account_id
  }
}

/** Has every id. Reads all levels below missing ones at once. */
function loadReplies(ctx: Context, ids: readonly string[]): Promise<Map<string, Replies>> {
  return cache(ctx).load(ctx, ids, async (missing) => {
    const rows = await ctx.db.many<Reply & Pick<Statuses, 'in_reply_to_id'>>(sql`
      with recursive below (id, account_id, in_reply_to_id) as (
        select s.id, s.account_id, s.in_reply_to_id from statuses s where s.in_reply_to_id = any(${missing}::bigint[])
        union
        select s.id, s.account_id, s.in_reply_to_id from below join statuses s on s.in_reply_to_id = below.id
      )
      select id, account_id, in_reply_to_id from below limit ${MAX_READ}`)
    // Beyond the limit, only the first level is complete.
    const complete = rows.length < MAX_READ ? [...missing, ...rows.map(({ id }) => id)] : missing
    const found = new Map<string, Replies>(complete.map((id) => [id, { list: [] }]))
    for (const { id, account_id, in_reply_to_id } of rows.toSorted((a, b) => compareIds(a.id, b.id)))
      found.get(in_reply_to_id as string)?.list.push({ id, account_id })
    return found
  })
}
