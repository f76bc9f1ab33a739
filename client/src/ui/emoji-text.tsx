// Plain text with custom emojis, such as a display name.
import type { ComponentChildren } from 'preact'
import type { Account, CustomEmoji } from '../api/entities.ts'
import { mayAutoplay } from '../state/motion.ts'

/** More would cost layout for nothing: names and posts have far fewer. */
const LIMIT = 300

type Named = Pick<Account, 'display_name' | 'username' | 'emojis'>

/** The name of an account, with its custom emojis as shortcodes. */
export const nameText = ({ display_name: name, username }: Omit<Named, 'emojis'>): string => name || username

/** The name of an account with custom emojis as images. */
export const nameWithEmojis = (account: Named): ComponentChildren => emojify(nameText(account), account.emojis)

/** Splits a text at the shortcodes of these emojis and puts images in their place. */
export function emojify(text: string, emojis: readonly CustomEmoji[]): ComponentChildren {
  if (emojis.length === 0 || !text.includes(':')) return text
  let count = 0
  return text.split(shortcodesOf(emojis)).map((part, index) => {
    if (index % 2 === 0) return part
    const emoji = emojis.find(({ shortcode }) => shortcode === part)
    if (!emoji || (count += 1) > LIMIT) return `:${part}:`
    return <EmojiImage key={index} emoji={emoji} />
  })
}

const shortcodesOf = (emojis: readonly CustomEmoji[]): RegExp =>
  new RegExp(`:(${emojis.map(({ shortcode }) => shortcode.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|')}):`)

/** The name of an account without custom emojis, for places that show no images. */
export function plainName({ display_name: name, username, emojis }: Named): string {
  if (emojis.length === 0) return name || username
  const texts = name.split(shortcodesOf(emojis)).filter((_, index) => index % 2 === 0)
  return texts.join('').replaceAll(/\s+/g, ' ').trim() || username
}

export function EmojiImage({ emoji }: { emoji: Pick<CustomEmoji, 'shortcode' | 'url' | 'static_url'> }) {
  const address = mayAutoplay() ? emoji.url : emoji.static_url
  return <img class="emoji" src={address} alt={`:${emoji.shortcode}:`} title={`:${emoji.shortcode}:`} loading="lazy" />
}
