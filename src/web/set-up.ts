import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import type { RegistrationsMode } from '../config.ts'
import { setUp, isSetUpLinkValid } from '../actions/server/set-up.ts'
import { MAX_USERNAME } from '../domain/auth/user-rules.ts'
import { MAX_SITE_TITLE } from '../domain/server/setting-rules.ts'
import { getSettings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field, radioGroup } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession, startSession } from '../html/session.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { newPasswordField, userParameter } from './auth-forms.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from './form-problems.ts'

const MODES = ['open', 'approved', 'none'] as const

type Filled = { token: string; title: string; username: string; email: string; mode: RegistrationsMode }

export function registerSetUp(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/setup', async (request, reply) => {
    const token = textParam(request.query, 'token')
    if (!(await isSetUpLinkValid(ctx, token))) return showClosed({ ctx, request, reply })
    const { site_title: title, registrations_mode: mode } = await getSettings(ctx)
    return show({ ctx, request, reply }, { token, title, mode, username: '', email: '' }, noProblems)
  })
  app.post('/auth/setup', async (request, reply) => save({ ctx, request, reply }))
  app.get('/auth/setup/done', async (request, reply) => {
    const session = await currentSession(ctx, request)
    return session
      ? showNext({ ctx, request, reply }, session.username)
      : reply.redirect('/auth/sign_in?next=%2Fauth%2Fsetup%2Fdone')
  })
}

async function save(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  const text = (...path: string[]): string => textParam(request.body, ...path).trim()
  const mode = MODES.find((known) => known === text('registrations_mode')) ?? 'none'
  const filled = {
    token: text('token'),
    title: text('site_title'),
    username: text('user', 'username'),
    email: text('user', 'email'),
    mode,
  }
  if (!(await isSetUpLinkValid(ctx, filled.token))) return showClosed(visit)
  const titleLength = [...filled.title].length
  const refuseTitle = (problem: string) => show(visit, filled, oneProblem(t, problem, 'site_title'))
  if (titleLength === 0) return refuseTitle(t.set_up.name_missing)
  if (titleLength > MAX_SITE_TITLE) return refuseTitle(t.set_up.name_too_long({ count: MAX_SITE_TITLE }))
  try {
    const owner = await setUp(ctx, filled.token, {
      ...filled,
      registrationsMode: mode,
      password: textParam(request.body, 'user', 'password'),
    })
    await startSession(ctx, request, reply, { userId: owner.userId, method: 'password' })
  } catch (error) {
    const problems = problemsOf(t, error, userParameter)
    // The same form may have set the server up at this moment: then its own name is taken.
    return (await isSetUpLinkValid(ctx, filled.token)) ? show(visit, filled, problems) : showClosed(visit)
  }
  return reply.redirect('/auth/setup/done', 303)
}

function show(visit: FormVisit, filled: Filled, problems: FormProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.set_up.title,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.set_up.heading}</h1>
<p class="lead">${t.set_up.introduction}</p>
<form method="post" action="/auth/setup">${csrf}<input type="hidden" name="token" value="${filled.token}">
<h2>${t.set_up.server}</h2>
${serverFields(t, visit.ctx, filled, problems)}
<h2>${t.set_up.you}</h2>
${ownerFields(t, visit.ctx, filled, problems)}
<div class="actions"><button>${t.set_up.submit}</button></div>
</form>
</section>`,
  })
}

function serverFields(t: Texts, ctx: Context, filled: Filled, problems: FormProblems): Html {
  const name = field(t, {
    label: t.set_up.name,
    name: 'site_title',
    value: filled.title,
    error: problems.of('site_title'),
    maxLength: MAX_SITE_TITLE,
    required: true,
  })
  // The form does not ask for a setting that the environment overrides.
  if (ctx.config.registrationsMode !== null)
    return html`${name}<input type="hidden" name="registrations_mode" value="${ctx.config.registrationsMode}">`
  return html`${name}${radioGroup({
    legend: t.set_up.who_can_join,
    name: 'registrations_mode',
    value: filled.mode,
    options: [
      { value: 'open', label: t.set_up.open, hint: t.set_up.open_hint },
      { value: 'approved', label: t.set_up.approved, hint: t.set_up.approved_hint },
      { value: 'none', label: t.set_up.none, hint: t.set_up.none_hint },
    ],
  })}`
}

function ownerFields(t: Texts, ctx: Context, filled: Filled, problems: FormProblems): Html {
  return html`<p>${t.set_up.owner}</p>
${field(t, { label: t.form.username, name: 'user[username]', value: filled.username, error: problems.of('username'), hint: t.set_up.username_hint, suffix: `@${ctx.config.localDomain}`, autocomplete: 'username', maxLength: MAX_USERNAME, required: true, literal: true })}
${field(t, { label: t.form.email, name: 'user[email]', type: 'email', value: filled.email, error: problems.of('email'), hint: t.set_up.email_hint, autocomplete: 'email', required: true })}
${newPasswordField(t, t.form.password, problems)}`
}

function showClosed(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.expired_link.title,
    status: 404,
    body: () => html`<section class="card">
<h1>${t.expired_link.title}</h1>
<p class="lead">${t.set_up.closed}</p>
<div class="actions"><a class="button" href="/auth/sign_in">${t.layout.sign_in}</a></div>
</section>`,
  })
}

function showNext(visit: FormVisit, username: string): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { config } = visit.ctx
  const step = (title: string, text: string, values: Record<string, Html>): Html =>
    html`<li><strong>${title}</strong> ${fillText(text, values)}</li>`
  const invitations = html`<a href="/invites">${t.settings.menu.pages.invites.label}</a>`
  const mail = { folder: html`<code>mail</code>`, variable: html`<code>SMTP_SERVER</code>` }
  return sendFormPage(visit, {
    title: t.set_up.done,
    kind: 'reading',
    body: () => html`<section class="card">
<h1>${t.set_up.done}</h1>
<p class="lead">${fillText(t.set_up.you_are, { handle: html`<strong><bdi>@${username}@${config.localDomain}</bdi></strong>` })}</p>
<ol>
${step(t.set_up.post, t.set_up.post_text, {})}
${step(t.set_up.follow, t.set_up.follow_text, { handle: html`<code>@name@example.org</code>` })}
${step(t.set_up.app, t.set_up.app_text, { server: html`<code>${config.webDomain}</code>` })}
${step(t.set_up.invite, t.set_up.invite_text, { invitations })}
</ol>
${config.smtp === null && html`<p class="notice info">${fillText(t.set_up.no_mail_server, mail)}</p>`}
<div class="actions"><a class="button" href="/">${t.errors.start_page}</a><a class="button secondary" href="/@${username}">${t.home.your_profile}</a></div>
</section>`,
  })
}
