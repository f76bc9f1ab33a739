import { asArray, asObject } from '../../ap/normalise.ts'
import { tagsOf } from '../../ap/tags.ts'
import type { Context } from '../../context.ts'
import { fetchCollection } from '../../domain/accounts/documents.ts'
import type { AccountRow } from '../../domain/accounts/find.ts'
import { listFeaturedTags, replaceFeaturedTags } from '../../domain/tags/featured.ts'
import { localActor } from './objects.ts'
import { featuredTagsUri } from '../ids.ts'
import { hashtagContext, renderHashtag } from '../outgoing/render/hashtag.ts'

/** GET /users/:username/collections/tags: the hashtags on the profile. */
export async function featuredTags(ctx: Context, username: string): Promise<unknown> {
  const account = await localActor(ctx, username)
  const tags = await listFeaturedTags(ctx, account.id)
  return {
    '@context': hashtagContext,
    id: featuredTagsUri(ctx, account.username),
    type: 'Collection',
    totalItems: tags.length,
    items: tags.map(({ name }) => renderHashtag(ctx, account.username, name)),
  }
}

const MOST_TAGS = 20

/** Reads which hashtags an account of another server shows, as far as its server tells. */
export async function readFeaturedTags(ctx: Context, account: AccountRow): Promise<void> {
  if (account.featured_tags_url === null) return
  const collection = asObject(await fetchCollection(ctx, account.featured_tags_url).catch(() => null))
  if (collection === null) return
  const items = asArray(collection['items'] ?? collection['orderedItems'], MOST_TAGS)
  const names = tagsOf(items).flatMap(({ type, name }) => (type === 'Hashtag' ? [name] : []))
  await replaceFeaturedTags(ctx, account.id, names)
}
