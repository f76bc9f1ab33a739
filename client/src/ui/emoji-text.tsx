// Plain text with custom emojis, such as a display name.
import type { ComponentChildren } from 'preact'
import type { CustomEmoji } from '../api/entities.ts'
import { mayAutoplay } from '../state/motion.ts'

/** More would cost layout for nothing: names and posts have far fewer. */
const LIMIT = 300

export function EmojiText({ text, emojis }: { text: string; emojis: readonly CustomEmoji[] }) {
  return <bdi>{emojify(text, emojis)}</bdi>
}

/** Splits a text at the shortcodes of these emojis and puts images in their place. */
export function emojify(text: string, emojis: readonly CustomEmoji[]): ComponentChildren {
  if (emojis.length === 0 || !text.includes(':')) return text
  const shortcodes = emojis.map(({ shortcode }) => shortcode.replaceAll(/[^\w]/g, String.raw`\$&`))
  let count = 0
  return text.split(new RegExp(`:(${shortcodes.join('|')}):`)).map((part, index) => {
    if (index % 2 === 0) return part
    const emoji = emojis.find(({ shortcode }) => shortcode === part)
    if (!emoji || (count += 1) > LIMIT) return `:${part}:`
    return <EmojiImage key={index} emoji={emoji} />
  })
}

export function EmojiImage({ emoji }: { emoji: Pick<CustomEmoji, 'shortcode' | 'url' | 'static_url'> }) {
  const address = mayAutoplay() ? emoji.url : emoji.static_url
  return <img class="emoji" src={address} alt={`:${emoji.shortcode}:`} title={`:${emoji.shortcode}:`} loading="lazy" />
}
