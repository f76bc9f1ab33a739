// /settings/sessions: where somebody is signed in, and how to end it.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { endSessionOf, endSessionsOf, sessionsOf, type SessionInfo } from '../../domain/auth/sessions.ts'
import { textParam } from '../../html/form-page.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { NotFound } from '../../lib/errors.ts'
import { momentOf, textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { isId } from '../../lib/ids.ts'
import { deviceOf } from './device.ts'

const PATH = '/settings/sessions'

const NOTICES: Record<string, string> = {
  ended: 'That browser is signed out.',
  others: 'All other browsers are signed out.',
}

export function registerSessions(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, show)
  onPost(app, ctx, `${PATH}/end`, { back: PATH }, async ({ session, request, reply }) => {
    const id = textParam(request.body, 'id')
    if (!isId(id) || id === session.id || !(await endSessionOf(ctx, session.userId, id))) throw new NotFound()
    return reply.redirect(`${PATH}?notice=ended`, 303)
  })
  onPost(app, ctx, `${PATH}/end_others`, { back: PATH }, async ({ session, reply }) => {
    await endSessionsOf(ctx, session.userId, session.id)
    return reply.redirect(`${PATH}?notice=others`, 303)
  })
}

async function show(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const sessions = await sessionsOf(visit.ctx, visit.session.userId)
  const notice = NOTICES[textParam(visit.request.query, 'notice')]
  return sendSettingsPage(visit, {
    title: 'Sessions',
    path: PATH,
    ...(notice ? { notice: { text: notice } } : {}),
    body: (csrf) => html`<h1>Sessions</h1>
<p>The browsers in which you are signed in. Applications that act for you are <a href="/oauth/authorized_applications">on a page of their own</a>.</p>
<section class="card"><ul class="rows">${sessions.map((session) => row(t, session, session.id === visit.session.id, csrf))}</ul></section>
${
  sessions.length > 1 &&
  html`<form method="post" action="${PATH}/end_others">${csrf}<div class="actions"><button class="danger">Sign out everywhere else</button></div></form>`
}`,
  })
}

function row(t: Texts, { id, ip, userAgent, createdAt, lastSeenAt }: SessionInfo, isThis: boolean, csrf: Html): Html {
  return html`<li><div>
<p><strong>${deviceOf(userAgent)}</strong>${isThis && html` <span class="badge">This browser</span>`}</p>
<p class="muted">${ip ? html`From ${ip}, signed` : 'Signed'} in ${momentOf(t, createdAt)}; last seen ${momentOf(t, lastSeenAt)}</p>
</div>${
    !isThis &&
    html`<form method="post" action="${PATH}/end">${csrf}<input type="hidden" name="id" value="${id}"><button class="secondary" aria-label="Sign out ${deviceOf(userAgent)}, last seen ${lastSeenAt.toISOString().slice(0, 10)}">Sign out</button></form>`
  }</li>`
}
