import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { recordWrongPassword } from '../domain/auth/login-activities.ts'
import { signIn } from '../domain/auth/sign-in.ts'
import type { UserState } from '../domain/auth/viewer.ts'
import { getSettings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormPage, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { isFromWebClient } from '../http/auth.ts'
import { limitSignIn } from '../http/sign-in-limits.ts'
import { browserOf, dropSession, restrictedSession } from '../html/session.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { html, type Html } from '../lib/html.ts'
import type { Texts } from '../messages/pages.ts'
import { noProblems, oneProblem, type FormProblems } from './form-problems.ts'
import { isAgain, landingOf, linkQuery, localPath, refusalOf } from './auth-forms.ts'
import { providerButton } from './provider.ts'
import { passFirstStep } from './second-step.ts'
import { accountSwitch } from './switch-account.ts'

type Notice = NonNullable<FormPage['notice']>

/** The kinds of notices that do not report a success, by name of the notice. */
const KINDS: Readonly<Record<string, NonNullable<Notice['kind']>>> = { again: 'error', session_ended: 'info' }

export function registerSignIn(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_in', async (request, reply) => {
    const query = request.query
    const next = localPath(textParam(query, 'next'))
    const session = await restrictedSession(ctx, request)
    if ((session?.state === 'usable' || session?.state === 'missing_2fa') && !isAgain(request))
      return reply.redirect(landingOf(session.state, next) ?? '/')
    const { notices } = textsFor(request).sign_in
    const name = textParam(query, 'notice')
    const text = Object.hasOwn(notices, name) ? notices[name as keyof typeof notices] : null
    const notice = text === null ? {} : { notice: { text, kind: KINDS[name] ?? 'success' } }
    return show({ ctx, request, reply }, { next, login: '', problems: noProblems, ...notice })
  })
  app.post('/auth/sign_in', async (request, reply) => handleForm({ ctx, request, reply }))
  app.post('/auth/sign_out', async (request, reply) => {
    // The web client has no form: its header is what other sites cannot send.
    if (!isFromWebClient(request)) await checkForm(ctx, request)
    await dropSession(ctx, request, reply)
    return reply.redirect('/auth/sign_in?notice=signed_out', 303)
  })
}

async function handleForm(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request } = visit
  await checkForm(ctx, request)
  if (ctx.config.omniauthOnly) return showProviderOnly(visit)
  const login = textParam(request.body, 'user', 'email').trim()
  const next = localPath(textParam(request.body, 'next'))
  await limitSignIn(ctx, request.ip, login)
  const found = await signIn(ctx, login, textParam(request.body, 'user', 'password'))
  if (!found) {
    recordWrongPassword(ctx, login, browserOf(request))
    return show(visit, { next, login, problems: oneProblem(t, t.sign_in.wrong), status: 422 })
  }
  return passFirstStep(visit, { ...found, method: 'password' }, next, () =>
    showRefusal(visit, found.state, next, login),
  )
}

/** The sign-in page, for users who may not sign in. */
export function showRefusal(
  visit: FormVisit,
  state: UserState,
  next: string | null,
  login = '',
): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return show(visit, { next, login, problems: oneProblem(t, refusalOf(t, state) ?? t.sign_in.wrong), status: 403 })
}

/** The response to the forms of passwords and passkeys, on servers where all sign in at the identity provider. */
export function showProviderOnly(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const name = visit.ctx.config.oidc?.displayName ?? ''
  const next = localPath(textParam(visit.request.query, 'next'))
  return show(visit, { next, login: '', problems: oneProblem(t, t.provider.only({ name })), status: 403 })
}

type SignInForm = { next: string | null; login: string; problems: FormProblems; notice?: Notice; status?: number }

async function show(visit: FormVisit, form: SignInForm): Promise<FastifyReply> {
  const { next, problems, notice, status } = form
  const { oidc, omniauthOnly } = visit.ctx.config
  const t = textsFor(visit.request)
  const accounts = await accountSwitch(visit, next)
  const links = await linksOf(visit, next)
  const button = (csrf: Html): Html | null =>
    oidc &&
    providerButton(visit, { csrf, next, label: t.provider.sign_in({ name: oidc.displayName }), isMain: omniauthOnly })
  return sendFormPage(visit, {
    title: t.sign_in.title,
    ...(status === undefined ? {} : { status }),
    ...(notice === undefined ? {} : { notice }),
    // When the user consented before, the redirect after this form leads to an application's own address.
    ...(next?.startsWith('/oauth/') ? { formAction: null } : {}),
    body: (csrf) => html`${problems.summary}${accounts(csrf)}<section class="card">
<h1>${t.sign_in.title}</h1>
${!omniauthOnly && passwordForm(t, form, csrf)}
${oidc && !omniauthOnly && html`<hr>`}
${button(csrf)}
<div class="links"><ul>${links.map((link) => html`<li>${link}</li>`)}</ul></div>
</section>`,
  })
}

const passwordForm = (t: Texts, { next, login }: SignInForm, csrf: Html): Html =>
  html`<form method="post" action="/auth/sign_in">${csrf}${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${field(t, { label: t.form.login, name: 'user[email]', value: login, autocomplete: 'username', required: true, literal: true, autofocus: login === '' })}
${field(t, { label: t.form.password, name: 'user[password]', type: 'password', autocomplete: 'current-password', required: true })}
<div class="actions"><button>${t.sign_in.title}</button></div>
</form>`

async function linksOf({ ctx, request }: FormVisit, next: string | null): Promise<Html[]> {
  const { sign_in: t, sign_up: signUp } = textsFor(request)
  const { registrations_mode: mode } = await getSettings(ctx)
  const query = linkQuery(request, next)
  const signUpLink = html`<a href="/auth/sign_up${query}">${signUp.title}</a>`
  return [
    ...(ctx.config.omniauthOnly
      ? []
      : [
          html`<a href="/auth/passkey${query}">${t.passkey}</a>`,
          html`<a href="/auth/password/new">${t.forgotten}</a>`,
        ]),
    html`<a href="/auth/confirmation/new">${t.no_confirmation}</a>`,
    ...(mode === 'none' ? [] : [fillText(t.no_account, { link: signUpLink })]),
  ]
}
