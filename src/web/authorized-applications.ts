// GET /oauth/authorized_applications: whom somebody has let in, and how to end it.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { connectedApps, disconnectApp, type ConnectedApp } from '../domain/auth/connected-apps.ts'
import { checkForm } from '../html/csrf.ts'
import type { Visit } from '../html/form-page.ts'
import { findVisitor } from '../html/session.ts'
import { sendSettingsPage } from '../html/settings-page.ts'
import { dayOf } from '../html/format.ts'
import { NotFound } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { isId } from '../lib/ids.ts'
import { scopeTexts } from './scope-texts.ts'

const PATH = '/oauth/authorized_applications'
const SIGN_IN = `/auth/sign_in?next=${encodeURIComponent(PATH)}`

type Request = { Params: { id: string } }

export function registerAuthorizedApplications(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const session = await findVisitor(ctx, request)
    return session ? show({ ctx, request, reply }, await connectedApps(ctx, session.userId)) : reply.redirect(SIGN_IN)
  })
  // Browsers' forms only know GET and POST.
  app.route<Request>({
    method: ['DELETE', 'POST'],
    url: `${PATH}/:id`,
    async handler(request, reply) {
      const session = await findVisitor(ctx, request)
      if (!session) return reply.redirect(SIGN_IN, 303)
      await checkForm(ctx, request)
      if (!isId(request.params.id) || !(await disconnectApp(ctx, session.userId, request.params.id)))
        throw new NotFound()
      return reply.redirect(PATH, 303)
    },
  })
}

function show(visit: Visit, apps: readonly ConnectedApp[]): Promise<FastifyReply> {
  return sendSettingsPage(visit, {
    title: 'Connected applications',
    path: PATH,
    body: (csrf) => html`<h1>Connected applications</h1>
${apps.length === 0 ? html`<p>No application can act for you at the moment.</p>` : apps.map((app) => card(app, csrf))}`,
  })
}

function card({ id, name, scopes, created_at: since, last_used_at: used }: ConnectedApp, csrf: Html): Html {
  const may = scopeTexts(scopes).map(({ title }) => html`<li>${title}</li>`)
  return html`<section class="card">
<h2>${name}</h2>
<p class="muted">Connected since ${dayOf(since)}, ${used ? html`last used ${dayOf(used)}` : 'not used yet'}. It may:</p>
<ul>${may}</ul>
<form method="post" action="${PATH}/${id}">${csrf}<input type="hidden" name="_method" value="delete">
<div class="actions"><button class="danger">Disconnect<span class="visually-hidden"> ${name}</span></button></div></form>
</section>`
}
