import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid, invalidRequest } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { MAX_ATTACHMENTS } from '../media/limits.ts'

type Row = { id: string; type: string; ready: boolean }

/**
 * Checks that a post of this author may carry these media, in this order: own, of no other post (`holder` is the post that is
 * edited, or that waited and is published now), processed, no video or sound beside anything else. Gives the ids, each once; throws Invalid.
 */
export async function checkMedia(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  holder: { statusId?: string; scheduledId?: string } = {},
): Promise<string[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  if (wanted.length > MAX_ATTACHMENTS) throw invalidRequest('media_too_many', { count: MAX_ATTACHMENTS })
  const rows = await ctx.db.many<Row>(sql`
    select id, type::text, file_key is not null or remote_url is not null as ready from media_attachments
    where id = any(${wanted}::bigint[]) and account_id = ${accountId} and (status_id is null or status_id = ${holder.statusId ?? null}::bigint)
      and (scheduled_status_id is null or scheduled_status_id = ${holder.scheduledId ?? null}::bigint)`)
  const found = new Set(rows.map(({ id }) => id))
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length > 0) throw invalidRequest('named_media_missing', { ids: missing })
  if (rows.some(({ ready }) => !ready)) throw new Invalid(message('media_unprocessed'))
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio'))
    throw invalidRequest('media_mixed')
  return wanted
}
