import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { extendJson, type JsonText } from '../lib/json.ts'
import { loadCards, presentCard, PreviewCard } from './preview-card.ts'
import { type DayOfUse, linkHistory, presentUseHistory, UseHistory } from './use-history.ts'

/** https://docs.joinmastodon.org/entities/Trends_Link/ */
export const TrendsLink = Type.Object({ ...PreviewCard.properties, history: UseHistory }, { $id: 'Trends_Link' })
export type TrendsLink = Static<typeof TrendsLink>

type Row = { id: string; history: DayOfUse[] }

/** Keeps the order of `ids`. */
export async function presentLinks(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, JsonText<TrendsLink>>> {
  if (ids.length === 0) return new Map()
  const [rows, cards] = await Promise.all([
    ctx.db.many<Row>(sql`
      select wanted.id, ${linkHistory(sql`wanted.id`)} as history
      from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) order by wanted.position`),
    loadCards(ctx, 'json', ids),
  ])
  return new Map(
    rows.flatMap((row) => {
      const card = presentCard('json', cards.get(row.id), viewer) as JsonText<PreviewCard> | null
      return card ? [[row.id, extendJson(card, { history: presentUseHistory(row.history) })] as const] : []
    }),
  )
}
