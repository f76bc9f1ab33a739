import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { MaybeViewer } from '../domain/statuses/visibility.ts'
import { extendJson, type JsonText } from '../lib/json.ts'
import { presentAccountMap } from './account-presenter.ts'
import { type CardFacts, creatorsOf, factsOfCard, loadMissingCards, presentCard, PreviewCard } from './preview-card.ts'
import { type DayOfUse, linkHistory, presentUseHistory, UseHistory } from './use-history.ts'

/** https://docs.joinmastodon.org/entities/Trends_Link/ */
export const TrendsLink = Type.Object({ ...PreviewCard.properties, history: UseHistory }, { $id: 'Trends_Link' })
export type TrendsLink = Static<typeof TrendsLink>

type Row = CardFacts & { id: string; history: DayOfUse[] }

/** Keeps the order of `ids`. */
export async function presentLinks(
  ctx: Context,
  viewer: MaybeViewer,
  ids: readonly string[],
): Promise<Map<string, JsonText<TrendsLink>>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.many<Row>(sql`
    select c.id, ${factsOfCard(sql`c.id`)} as card, ${linkHistory(sql`c.id`)} as history
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position) join preview_cards c on c.id = wanted.id
    order by wanted.position`)
  const [accounts] = await Promise.all([presentAccountMap(ctx, creatorsOf(rows)), loadMissingCards(ctx, 'json', rows)])
  return new Map(
    rows.flatMap((row) => {
      const card = presentCard(ctx, 'json', row, viewer, accounts) as JsonText<PreviewCard> | null
      return card ? [[row.id, extendJson(card, { history: presentUseHistory(row.history) })] as const] : []
    }),
  )
}
