import Type, { type Static } from 'typebox'
import type { Context } from '../context.ts'
import { taggedUrl } from '../domain/server/addresses.ts'
import type { FeaturedTagRow } from '../domain/tags/featured.ts'
import { acctOf } from './account-profile.ts'
import { Id, nullable } from './schema.ts'

/** https://docs.joinmastodon.org/entities/FeaturedTag/ */
export const FeaturedTag = Type.Object(
  {
    id: Id,
    name: Type.String(),
    url: Type.String(),
    statuses_count: Type.String(),
    last_status_at: nullable(Type.String()),
  },
  { $id: 'FeaturedTag' },
)
export type FeaturedTag = Static<typeof FeaturedTag>

export const presentFeaturedTag = (ctx: Context, row: FeaturedTagRow): FeaturedTag => ({
  id: row.id,
  name: row.name,
  url: taggedUrl(ctx, acctOf(row), row.tag),
  statuses_count: String(row.statuses_count),
  last_status_at: row.last_status_at,
})
