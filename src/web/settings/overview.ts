// /settings: where everything is.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sendFormPage } from '../../html/form-page.ts'
import { MENU, onGet, type OwnVisit } from '../../html/settings-page.ts'
import { html } from '../../lib/html.ts'

export function registerOverview(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, '/settings', show)
}

function show(visit: OwnVisit): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'Settings',
    kind: 'reading',
    body: () => html`<h1>Settings</h1>
<nav class="card settings-index" aria-label="Settings">${MENU.map(
      ({ title, entries }) =>
        html`<h2>${title}</h2><ul>${entries.map(
          ({ path, label, about }) =>
            html`<li><a href="${path}"><strong>${label}</strong><span class="muted">${about}</span></a></li>`,
        )}</ul>`,
    )}</nav>`,
  })
}
