import type { FastifyReply } from 'fastify'
import { endSessions } from '../../actions/auth/sessions.ts'
import { listLoginActivities, type LoginActivity } from '../../domain/auth/login-activities.ts'
import { sessionsOf, type SessionInfo } from '../../domain/auth/sessions.ts'
import { textParam } from '../../html/form-page.ts'
import { dayText, fillText, momentOf } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { readUserAgent } from '../../lib/user-agent.ts'
import type { Texts } from '../../messages/pages.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/sessions'

export const sessionsPage: SettingsPage = {
  key: 'sessions',
  path: PATH,
  routes(router) {
    router.get(PATH, show)
    router.post(`${PATH}/end`, async ({ ctx, session, request, reply }) => {
      const id = textParam(request.body, 'id')
      if (!isId(id) || id === session.id || !(await endSessions(ctx, session.userId, { id }))) throw new NotFound()
      return reply.redirect(`${PATH}?notice=ended`, 303)
    })
    router.post(`${PATH}/end_others`, async ({ ctx, session, reply }) => {
      await endSessions(ctx, session.userId, { exceptId: session.id })
      return reply.redirect(`${PATH}?notice=others`, 303)
    })
  },
}

async function show(visit: SettingsVisit): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const texts = t.settings.sessions
  const [sessions, activities] = await Promise.all([
    sessionsOf(ctx, session.userId),
    listLoginActivities(ctx, session.userId),
  ])
  const applications = html`<a href="/oauth/authorized_applications">${t.settings.menu.pages.applications.label}</a>`
  return sendSettingsPage(visit, {
    notices: texts.notices,
    body: (csrf) => html`<p>${fillText(texts.lead, { applications })}</p>
<p><a href="/auth/sign_in?again=1">${texts.switch_account}</a></p>
<section class="card"><ul class="rows">${sessions.map((entry) => row(t, entry, entry.id === session.id, csrf))}</ul></section>
${
  sessions.length > 1 &&
  html`<form method="post" action="${PATH}/end_others">${csrf}<div class="actions"><button class="danger">${texts.end_others}</button></div></form>`
}
${
  activities.length > 0 &&
  html`<section class="card"><h2>${texts.history}</h2><p class="muted">${texts.history_hint}</p>
<ul class="rows">${activities.map((activity) => activityRow(t, activity))}</ul></section>`
}`,
  })
}

function row(t: Texts, { id, ip, userAgent, createdAt, lastSeenAt }: SessionInfo, isThis: boolean, csrf: Html): Html {
  const texts = t.settings.sessions
  const device = deviceOf(t, userAgent)
  const dates = fillText(texts.dates, { signed_in: momentOf(t, createdAt), seen: momentOf(t, lastSeenAt) })
  return html`<li><div>
<p><strong>${device}</strong>${isThis && html` <span class="badge">${texts.this_browser}</span>`}</p>
<p class="muted">${ip && html`${texts.from({ ip })} `}${dates}</p>
</div>${
    !isThis &&
    html`<form method="post" action="${PATH}/end">${csrf}<input type="hidden" name="id" value="${id}"><button class="secondary" aria-label="${texts.end({ device, day: dayText(t, lastSeenAt) })}">${t.layout.sign_out}</button></form>`
  }</li>`
}

function activityRow(t: Texts, { method, success, ip, userAgent, createdAt }: LoginActivity): Html {
  const texts = t.settings.sessions
  return html`<li><div>
<p><strong>${deviceOf(t, userAgent)}</strong>${!success && html` <span class="badge">${texts.failed}</span>`}</p>
<p class="muted">${texts.methods[method]} · ${ip && html`${texts.from({ ip })} `}${momentOf(t, createdAt)}</p>
</div></li>`
}

/** Such as "Firefox on Linux", by which users recognise their devices. */
function deviceOf({ settings: { sessions: texts } }: Texts, userAgent: string): string {
  const { browser = texts.unknown_browser, system } = readUserAgent(userAgent)
  return system ? texts.device({ browser, system }) : browser
}
