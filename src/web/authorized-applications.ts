// /oauth/authorized_applications: the applications that a user has authorised, and how to revoke them.
import { revokeApp } from '../actions/auth/tokens.ts'
import { listAuthorizedApps, type AuthorizedApp } from '../domain/auth/apps.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { checkForm } from '../html/csrf.ts'
import type { FormVisit } from '../html/form-page.ts'
import { currentSession } from '../html/session.ts'
import { sendSettingsPage } from '../html/settings-page.ts'
import { NotFound } from '../lib/errors.ts'
import { dayOf, fillText, textsFor } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import type { Texts } from '../messages/pages.ts'
import { scopeTexts } from './consent.ts'

const PATH = '/oauth/authorized_applications'
const SIGN_IN = `/auth/sign_in?next=${encodeURIComponent(PATH)}`

type Request = { Params: { id: string } }

export function registerAuthorizedApplications(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const session = await currentSession(ctx, request)
    return session
      ? show({ ctx, request, reply }, await listAuthorizedApps(ctx, session.userId))
      : reply.redirect(SIGN_IN)
  })
  // Browsers' forms only know GET and POST.
  app.route<Request>({
    method: ['DELETE', 'POST'],
    url: `${PATH}/:id`,
    async handler(request, reply) {
      const session = await currentSession(ctx, request)
      if (!session) return reply.redirect(SIGN_IN, 303)
      await checkForm(ctx, request)
      if (!isId(request.params.id) || !(await revokeApp(ctx, session.userId, request.params.id))) throw new NotFound()
      return reply.redirect(PATH, 303)
    },
  })
}

function show(visit: FormVisit, apps: readonly AuthorizedApp[]): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { title, none } = t.authorized_applications
  return sendSettingsPage(visit, {
    title,
    path: PATH,
    body: (csrf) => html`<h1>${title}</h1>
${apps.length === 0 ? html`<p>${none}</p>` : apps.map((app) => card(t, app, csrf))}`,
  })
}

function card(t: Texts, { id, name, scopes, created_at: since, last_used_at: used }: AuthorizedApp, csrf: Html): Html {
  const { used: usedText, unused, revoke } = t.authorized_applications
  const dates = { since: dayOf(t, since), used: used && dayOf(t, used) }
  const may = scopeTexts(t, scopes).map(({ title }) => html`<li>${title}</li>`)
  return html`<section class="card">
<h2>${name}</h2>
<p class="muted">${fillText(used ? usedText : unused, dates)}</p>
<ul>${may}</ul>
<form method="post" action="${PATH}/${id}">${csrf}<input type="hidden" name="_method" value="delete">
<div class="actions"><button class="danger">${revoke}<span class="visually-hidden"> ${name}</span></button></div></form>
</section>`
}
