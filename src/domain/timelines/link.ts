import type { Context } from '../../context.ts'
import { newestFirst, ordered, within, type Pagination } from '../../db/page.ts'
import { nothing, sql } from '../../db/sql.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Viewer } from '../auth/viewer.ts'
import { originCondition } from './access.ts'
import { notHiddenInTimelines } from '../relationships/hidden.ts'

/** Pages are linked to in more than one way; of very many, some are enough. */
const MOST_CARDS = 20

/**
 * The ids of a page of public posts that link to something, replies included, by people who want to be discovered. Throws NotFound
 * for what nobody has linked to, Unauthorized where it takes a person.
 */
export async function readLink(ctx: Context, viewer: Viewer | null, url: string, page: Pagination): Promise<string[]> {
  const origin = await originCondition(ctx, viewer, 'topic', {})
  const cards = await ctx.db.many<{ id: string }>(sql`
    select id from preview_cards where fetched_at is not null and (link = ${url} or url = ${url}) limit ${MOST_CARDS}`)
  if (cards.length === 0) throw new NotFound()
  if (!origin) return []
  const rows = await ctx.db.many<{ id: string }>(sql`
    select linking.id from unnest(${cards.map(({ id }) => id)}::bigint[]) wanted (card_id) cross join lateral (
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.card_id = wanted.card_id and s.visibility = 'public' and s.approval is null and ${origin} and a.discoverable
        and a.suspended_at is null and a.silenced_at is null and ${within(sql`s.id`, page)}
        ${viewer ? sql`and ${notHiddenInTimelines(viewer.accountId, 'a')}` : nothing}
      ${ordered(sql`s.id`, page)}
    ) linking ${ordered(sql`linking.id`, page)}`)
  return newestFirst(rows, page).map(({ id }) => id)
}
