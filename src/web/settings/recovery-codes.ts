import type { FastifyReply } from 'fastify'
import { sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { html } from '../../lib/html.ts'

/** Shows new recovery codes: this once, in the answer to the form that made them. */
export function showRecoveryCodes(visit: SettingsVisit, codes: readonly string[]): Promise<FastifyReply> {
  return sendSettingsPage(visit, {
    title: 'Recovery codes',
    path: '/settings/two_factor',
    body: () => html`<h1>Your recovery codes</h1>
<section class="card">
<p class="lead">Put these where you will find them when your telephone is lost: on paper, or in a password manager.</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p>Each works once. They are not shown again.</p>
<div class="actions"><a class="button" href="/settings/two_factor">I have put them aside</a></div>
</section>`,
  })
}
