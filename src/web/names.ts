import type { Context } from '../context.ts'
import { SHORTCODE_IN_TEXT, type CustomEmoji } from '../entities/emojis.ts'
import type { Account } from '../entities/account.ts'
import { type Html, html, raw, safeUrl } from '../lib/html.ts'

/** Escapes the text. */
export function emojiText(text: string, emojis: readonly CustomEmoji[]): Html {
  return emojiHtml(html`${text}`, emojis)
}

/** `markup` must be safe. Tags stay unchanged. */
export function emojiHtml(markup: Html, emojis: readonly CustomEmoji[]): Html {
  if (emojis.length === 0) return markup
  const images = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))
  // Tags hold no bare `<` or `>`: neither the formatter nor the sanitiser writes one into an attribute.
  const parts = String(markup).split(/(<[^<>]*>)/)
  return raw(
    parts
      .map((part) =>
        part.startsWith('<')
          ? part
          : part.replace(SHORTCODE_IN_TEXT, (typed, code: string) => emojiImage(images.get(code)) ?? typed),
      )
      .join(''),
  )
}

/** The display name, or the username without one. */
export function nameOf(account: Pick<Account, 'display_name' | 'username'>): string {
  return account.display_name.trim() || account.username
}

export function nameHtml(account: Pick<Account, 'display_name' | 'username' | 'emojis'>): Html {
  return html`<bdi>${emojiText(nameOf(account), account.emojis)}</bdi>`
}

/** `@ada@example.org`, with the domain for local accounts too: what people on other servers search for. */
export function handleOf(ctx: Context, account: Pick<Account, 'acct'>): string {
  return account.acct.includes('@') ? `@${account.acct}` : `@${account.acct}@${ctx.config.localDomain}`
}

function emojiImage(emoji: CustomEmoji | undefined): string | null {
  const address = safeUrl(emoji?.url)
  if (!emoji || !address) return null
  const name = `:${emoji.shortcode}:`
  return String(
    html`<img class="emoji" src="${address}" alt="${name}" title="${name}" width="20" height="20" loading="lazy">`,
  )
}

export function personLine(ctx: Context, account: Account): Html {
  return html`<div class="person"><img class="avatar" src="${account.avatar}" alt="" width="48" height="48" loading="lazy">
<div class="names"><a class="name" href="${safeUrl(account.url ?? account.uri)}">${nameHtml(account)}</a> <span class="handle"><bdi>${handleOf(ctx, account)}</bdi></span></div></div>`
}
