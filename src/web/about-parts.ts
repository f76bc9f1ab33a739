// Sections that the start page and the about page share.

import type { Context } from '../context.ts'
import type { Settings } from '../domain/server/settings.ts'
import { fillText } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'

/** Links to sign in and, where sign-up is open, to sign up. */
export function entrance(t: Texts, settings: Settings): Html {
  const { registrations_mode: mode, closed_registrations_message: message } = settings
  const signIn = html`<a class="button secondary" href="/auth/sign_in">${t.layout.sign_in}</a>`
  if (mode === 'none')
    return html`<p class="notice info">${message || t.about.closed}</p><p class="actions">${signIn}</p>`
  const hint = mode === 'approved' && html`<p class="hint">${t.about.approval}</p>`
  return html`<p class="actions"><a class="button" href="/auth/sign_up">${t.about.create_account}</a>${signIn}</p>${hint}`
}

/** How to use this server with an app. */
export function connecting({ about: t }: Texts, ctx: Context): Html {
  return html`<section class="card" aria-labelledby="apps">
<h2 id="apps">${t.apps}</h2>
<p>${fillText(t.apps_choice, { link: html`<a href="https://joinmastodon.org/apps" rel="noopener">joinmastodon.org/apps</a>` })}</p>
<p><code class="code-display">${ctx.config.webDomain}</code></p>
<p class="muted">${t.apps_sign_in}</p>
</section>`
}

/** The server rules; null where there are none. */
export function rulesSection({ about: t }: Texts, rules: readonly { text: string; hint: string }[]): Html | null {
  if (rules.length === 0) return null
  const items = rules.map(({ text, hint }) => html`<li>${text}${hint && html`<p class="hint">${hint}</p>`}</li>`)
  return html`<section class="card" aria-labelledby="rules"><h2 id="rules">${t.rules}</h2><ol>${items}</ol></section>`
}
