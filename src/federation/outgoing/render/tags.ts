import { activityStreamsContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import { accountUri, taggedUrl } from '../../../domain/server/addresses.ts'
import type { CustomEmoji } from '../../../entities/emojis.ts'
import * as ids from '../../ids.ts'
import { normaliseTag } from '../../../lib/text/tags.ts'

export function renderEmojis(emojis: readonly CustomEmoji[]): Record<string, unknown>[] {
  return emojis.map(({ shortcode, url }) => ({
    id: url,
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: { type: 'Image', url },
  }))
}

export const hashtagContext = [activityStreamsContext, { Hashtag: 'as:Hashtag' }] as const

export const renderHashtag = (ctx: Context, username: string, name: string): Record<string, unknown> => ({
  type: 'Hashtag',
  href: taggedUrl(ctx, username, normaliseTag(name)),
  name: `#${name}`,
})

export const renderFeatureTag = (
  ctx: Context,
  type: 'Add' | 'Remove',
  { username, name, eventId }: { username: string; name: string; eventId: string },
): Record<string, unknown> => ({
  '@context': hashtagContext,
  id: `${ids.featuredTagsUri(ctx, username)}#${type.toLowerCase()}/${encodeURIComponent(normaliseTag(name))}/${eventId}`,
  type,
  actor: accountUri(ctx, username),
  object: renderHashtag(ctx, username, name),
  target: ids.featuredUri(ctx, username),
})
