import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { loginOf, signIn } from '../domain/auth/sign-in.ts'
import { hasSecondFactor } from '../domain/auth/two-factor.ts'
import { getSettings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { isFromWebClient } from '../http/auth.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { currentSession, dropSession, startSession } from '../html/session.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { html } from '../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from './form-problems.ts'
import { isAgain, landingOf, linkQuery, localPath } from './auth-forms.ts'
import { askSecondStep } from './second-step.ts'
import { accountSwitch } from './switch-account.ts'

export function registerSignIn(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_in', async (request, reply) => {
    const query = request.query
    const next = localPath(textParam(query, 'next'))
    if ((await currentSession(ctx, request)) && !isAgain(request)) return reply.redirect(next ?? '/')
    const { notices } = textsFor(request).sign_in
    const name = textParam(query, 'notice')
    const notice = Object.hasOwn(notices, name) ? { notice: notices[name as keyof typeof notices] } : {}
    return show({ ctx, request, reply }, { next, login: '', problems: noProblems, ...notice })
  })
  app.post('/auth/sign_in', async (request, reply) => enter({ ctx, request, reply }))
  app.post('/auth/sign_out', async (request, reply) => {
    // The web client has no form: its header is what other sites cannot send.
    if (!isFromWebClient(request)) await checkForm(ctx, request)
    await dropSession(ctx, request, reply)
    return reply.redirect('/auth/sign_in?notice=signed_out', 303)
  })
}

async function enter(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  const login = textParam(request.body, 'user', 'email').trim()
  const next = localPath(textParam(request.body, 'next'))
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  await limitUse(ctx, 'sign-in', `login ${loginOf(login)}`)
  const found = await signIn(ctx, login, textParam(request.body, 'user', 'password'))
  const landing = found && landingOf(found.state, next)
  if (found && landing) {
    if (await hasSecondFactor(ctx, found.userId))
      return askSecondStep(visit, found.userId, found.state === 'usable' ? next : landing)
    await startSession(ctx, request, reply, found.userId)
    return reply.redirect(landing, 303)
  }
  const message = found && found.state !== 'usable' ? t.sign_in.refusals[found.state] : t.sign_in.wrong
  return show(visit, { next, login, problems: oneProblem(t, message), status: found ? 403 : 422 })
}

type SignInForm = { next: string | null; login: string; problems: FormProblems; notice?: string; status?: number }

async function show(visit: FormVisit, { next, login, problems, notice, status }: SignInForm): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const [{ registrations_mode: mode }, accounts] = await Promise.all([
    getSettings(visit.ctx),
    accountSwitch(visit, next),
  ])
  const links = linkQuery(visit.request, next)
  return sendFormPage(visit, {
    title: t.sign_in.title,
    ...(status === undefined ? {} : { status }),
    ...(notice === undefined ? {} : { notice: { text: notice } }),
    // When the user consented before, the redirect after this form leads to an application's own address.
    ...(next?.startsWith('/oauth/') ? { formAction: null } : {}),
    body: (csrf) => html`${problems.summary}${accounts(csrf)}<section class="card">
<h1>${t.sign_in.title}</h1>
<form method="post" action="/auth/sign_in">${csrf}${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${field(t, { label: t.form.login, name: 'user[email]', value: login, autocomplete: 'username', required: true, literal: true, autofocus: login === '' })}
${field(t, { label: t.form.password, name: 'user[password]', type: 'password', autocomplete: 'current-password', required: true })}
<div class="actions"><button>${t.sign_in.title}</button></div>
</form>
<div class="links"><ul>
<li><a href="/auth/passkey${links}">${t.sign_in.passkey}</a></li>
<li><a href="/auth/password/new">${t.sign_in.forgotten}</a></li>
<li><a href="/auth/confirmation/new">${t.sign_in.no_confirmation}</a></li>
${mode !== 'none' && html`<li>${fillText(t.sign_in.no_account, { link: html`<a href="/auth/sign_up${links}">${t.sign_up.title}</a>` })}</li>`}
</ul></div>
</section>`,
  })
}
