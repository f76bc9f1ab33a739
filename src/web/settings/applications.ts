import type { FastifyReply } from 'fastify'
import { revokeApp } from '../../actions/auth/tokens.ts'
import { listAuthorizedApps, type AuthorizedApp } from '../../domain/auth/apps.ts'
import { pathId } from '../../html/form-page.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { scopeTexts } from '../consent.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/oauth/authorized_applications'

export const applicationsPage: SettingsPage = {
  key: 'applications',
  path: PATH,
  routes(router) {
    router.get(PATH, show)
    // Forms of browsers only know GET and POST; Mastodon's route is DELETE.
    router.post(`${PATH}/:id`, revoke, { methods: ['DELETE', 'POST'] })
  },
}

async function revoke(visit: SettingsVisit): Promise<FastifyReply> {
  if (!(await revokeApp(visit.ctx, visit.session.userId, pathId(visit)))) throw new NotFound()
  return visit.reply.redirect(PATH, 303)
}

async function show(visit: SettingsVisit): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const apps = await listAuthorizedApps(ctx, session.userId)
  const { title, none } = t.authorized_applications
  return sendSettingsPage(visit, {
    title,
    body: (csrf) => (apps.length === 0 ? html`<p>${none}</p>` : html`${apps.map((app) => card(t, app, csrf))}`),
  })
}

function card(t: Texts, { id, name, scopes, created_at: since, last_used_at: used }: AuthorizedApp, csrf: Html): Html {
  const { used: usedText, unused, revoke: label } = t.authorized_applications
  const dates = { since: dayOf(t, since), used: used && dayOf(t, used) }
  const may = scopeTexts(t, scopes).map(({ title }) => html`<li>${title}</li>`)
  return html`<section class="card">
<h2>${name}</h2>
<p class="muted">${fillText(used ? usedText : unused, dates)}</p>
<ul>${may}</ul>
<form method="post" action="${PATH}/${id}">${csrf}<input type="hidden" name="_method" value="delete">
<div class="actions"><button class="danger">${label}<span class="visually-hidden"> ${name}</span></button></div></form>
</section>`
}
