import type { CustomEmoji } from '../../../entities/emojis.ts'

/** Custom emojis as tags of a document. */
export function renderEmojis(emojis: readonly CustomEmoji[]): Record<string, unknown>[] {
  return emojis.map(({ shortcode, url }) => ({
    id: url,
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: { type: 'Image', url },
  }))
}
