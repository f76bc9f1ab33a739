// Pieces of what a newcomer reads, on the start page and on the about page.

import type { Context } from '../context.ts'
import type { Settings } from '../domain/server/settings.ts'
import { html, type Html } from '../lib/html.ts'

/** How to get in, as far as one can at the moment. */
export function entrance(settings: Settings): Html {
  const { registrations_mode: mode, closed_registrations_message: message } = settings
  const signIn = html`<a class="button secondary" href="/auth/sign_in">Sign in</a>`
  if (mode === 'none')
    return html`<p class="notice info">${message || 'This server takes no new members at the moment.'}</p><p class="actions">${signIn}</p>`
  const hint = mode === 'approved' && html`<p class="hint">New accounts are looked at by a person before they open.</p>`
  return html`<p class="actions"><a class="button" href="/auth/sign_up">Create an account</a>${signIn}</p>${hint}`
}

/** How to use this server from an app. */
export function connecting(ctx: Context): Html {
  return html`<section class="card" aria-labelledby="apps">
<h2 id="apps">Use it with any Mastodon app</h2>
<p>There are many apps to choose from, for phones, desktops and browsers: see <a href="https://joinmastodon.org/apps" rel="noopener">joinmastodon.org/apps</a>. When yours asks which server you are on, enter</p>
<p><code class="code-display">${ctx.config.webDomain}</code></p>
<p class="muted">It then sends you here to sign in, and never sees your password.</p>
</section>`
}

/** What everybody here agrees to; null where nothing was written down. */
export function rulesSection(rules: readonly { text: string; hint: string }[]): Html | null {
  if (rules.length === 0) return null
  const items = rules.map(({ text, hint }) => html`<li>${text}${hint && html`<p class="hint">${hint}</p>`}</li>`)
  return html`<section class="card" aria-labelledby="rules"><h2 id="rules">House rules</h2><ol>${items}</ol></section>`
}
