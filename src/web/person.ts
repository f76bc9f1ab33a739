import type { Context } from '../context.ts'
import type { Account } from '../entities/account.ts'
import { html, safeUrl, type Html } from '../lib/html.ts'
import { nameHtml } from './emojis.ts'
import { handleOf } from './status-article.ts'

/** Somebody in one line: picture, name and handle, leading to their profile. */
export function personLine(ctx: Context, account: Account): Html {
  return html`<div class="person"><img class="avatar" src="${account.avatar}" alt="" width="48" height="48" loading="lazy">
<div class="names"><a class="name" href="${safeUrl(account.url ?? account.uri)}">${nameHtml(account)}</a><span class="handle">${handleOf(ctx, account)}</span></div></div>`
}
