import type { Context } from '../../context.ts'
import { onPage } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import { conversationUri } from '../../domain/server/addresses.ts'
import { visibleTo } from '../../domain/statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { type CollectionQuery, collectionWithPage, type StatusAddress, statusItems } from './collection.ts'

/** Only threads that began on this server, and only their public posts. */
export async function threadDocument(ctx: Context, id: string, query: CollectionQuery): Promise<unknown> {
  const inside = sql`
    from statuses s join accounts a on a.id = s.account_id join conversations c on c.id = s.conversation_id
    where c.id = ${isId(id) ? id : null}::bigint and c.uri is null and s.reblog_of_id is null and ${visibleTo(null)}`
  const { n } = await ctx.db.one<{ n: number }>(sql`select count(*)::int as n ${inside}`)
  if (n === 0) throw new NotFound()
  return collectionWithPage(conversationUri(ctx, id), query, n, async (page) =>
    statusItems(
      ctx,
      await ctx.db.many<StatusAddress>(sql`select s.id, s.uri, a.username ${inside} and ${onPage(sql`s.id`, page)}`),
      page,
    ),
  )
}
