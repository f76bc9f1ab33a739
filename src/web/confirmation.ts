// /auth/confirmation: the link in the e-mail, and forms to request another one, or to correct the address that it goes to.
import {
  changeEmail,
  confirmEmail,
  type ConfirmedUser,
  needsCaptcha,
  resendConfirmationMail,
} from '../actions/auth/confirm-email.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { signIn } from '../domain/auth/sign-in.ts'
import { takeCaptcha } from '../domain/registration/captcha.ts'
import { captchaScriptPath } from '../html/assets.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { limitMail, limitSignIn } from '../http/sign-in-limits.ts'
import { NotFound, problemOf } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { message, render } from '../messages/message.ts'
import type { Texts } from '../messages/pages.ts'
import { openVisit, refusalOf, sendExpiredLinkPage, sendMailSentPage, takeMailRequest } from './auth-forms.ts'
import { captchaField } from './captcha.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from './form-problems.ts'

/** Corrects an address that is not confirmed, with the password. */
export const ADDRESS_PATH = '/auth/confirmation/address'

export function registerConfirmation(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/confirmation', async (request, reply) => confirm(await openVisit(ctx, request, reply)))
  app.get('/auth/confirmation/new', async (request, reply) => showForm(await openVisit(ctx, request, reply)))
  app.post('/auth/confirmation/captcha', async (request, reply) => checkCaptcha(await openVisit(ctx, request, reply)))
  app.post('/auth/confirmation', async (request, reply) => resend(await openVisit(ctx, request, reply)))
  app.get(ADDRESS_PATH, async (request, reply) => showAddress(await openVisit(ctx, request, reply)))
  app.post(ADDRESS_PATH, async (request, reply) => correctAddress(await openVisit(ctx, request, reply)))
}

async function confirm(visit: FormVisit): Promise<FastifyReply> {
  const token = textParam(visit.request.query, 'confirmation_token')
  return (await needsCaptcha(visit.ctx, token)) ? askCaptcha(visit, token, null) : finish(visit, token)
}

async function checkCaptcha(visit: FormVisit): Promise<FastifyReply> {
  const { ctx, request } = visit
  await checkForm(ctx, request)
  await limitUse(ctx, 'sign-up', addressKey(request.ip))
  const token = textParam(request.body, 'confirmation_token')
  const isSolved = !(await needsCaptcha(ctx, token)) || (await takeCaptcha(ctx, textParam(request.body, 'captcha')))
  if (isSolved) return finish(visit, token)
  const t = textsFor(request)
  return askCaptcha(visit, token, render(problemOf('captcha', message('captcha_unsolved')), t.language))
}

async function askCaptcha(visit: FormVisit, token: string, problem: string | null): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const captcha = await captchaField(visit.ctx, t, 'captcha', problem)
  return sendFormPage(visit, {
    title: t.captcha.confirm_title,
    status: problem === null ? 200 : 422,
    script: captchaScriptPath,
    body: (csrf) => html`<section class="card">
<h1>${t.captcha.confirm_title}</h1>
<p class="lead">${t.captcha.confirm_lead}</p>
<form method="post" action="/auth/confirmation/captcha">${csrf}<input type="hidden" name="confirmation_token" value="${token}">
${captcha}
<div class="actions"><button>${t.captcha.confirm}</button></div>
</form>
</section>`,
  })
}

async function finish(visit: FormVisit, token: string): Promise<FastifyReply> {
  const confirmed = await confirmEmail(visit.ctx, token)
  return confirmed ? showConfirmed(visit, confirmed) : showExpired(visit)
}

function showConfirmed(visit: FormVisit, { username, approved, app }: ConfirmedUser): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { title, heading, ready, continue_in: continueIn, thanks, decision } = t.confirmation
  return sendFormPage(visit, {
    title,
    body: () => html`<section class="card">
<h1>${heading}</h1>
${
  approved
    ? html`<p class="lead">${ready({ username })}</p>${app !== null && html`<p>${fillText(continueIn, { app: html`<strong>${app}</strong>` })}</p>`}
<div class="actions"><a class="button" href="/auth/sign_in">${t.layout.sign_in}</a></div>`
    : html`<p class="lead">${thanks({ username })}</p>
<p>${decision}</p>`
}
</section>`,
  })
}

const showExpired = (visit: FormVisit): Promise<FastifyReply> =>
  sendExpiredLinkPage(
    visit,
    (t) => html`<p>${t.expired_link.maybe_confirmed}</p>
<div class="actions"><a class="button" href="/auth/sign_in">${t.layout.sign_in}</a><a class="button secondary" href="/auth/confirmation/new">${t.expired_link.another}</a></div>`,
  )

function showForm(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.confirmation.another,
    body: (csrf) => html`<section class="card">
<h1>${t.confirmation.another}</h1>
<p class="lead">${t.confirmation.another_explanation}</p>
<form method="post" action="/auth/confirmation">${csrf}
${field(t, { label: t.form.email, name: 'user[email]', type: 'email', autocomplete: 'email', required: true })}
<div class="actions"><button>${t.confirmation.send}</button></div>
</form>
${!visit.ctx.config.omniauthOnly && html`<p class="links"><a href="${ADDRESS_PATH}">${t.confirmation.wrong_address}</a></p>`}
</section>`,
  })
}

async function resend(visit: FormVisit): Promise<FastifyReply> {
  await takeMailRequest(visit, (email) => resendConfirmationMail(visit.ctx, email))
  const { sent } = textsFor(visit.request).confirmation
  return sendMailSentPage(visit, { lead: sent, retry: '/auth/confirmation/new' })
}

function showAddress(visit: FormVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { request } = visit
  const t = textsFor(request)
  return sendFormPage(visit, {
    title: t.confirmation.correct,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.confirmation.correct}</h1>
<p class="lead">${t.confirmation.correct_lead}</p>
<form method="post" action="${ADDRESS_PATH}">${csrf}
${field(t, { label: t.form.login, name: 'login', value: textParam(request.body, 'login'), autocomplete: 'username', required: true, literal: true })}
${field(t, { label: t.form.password, name: 'password', type: 'password', autocomplete: 'current-password', required: true })}
${field(t, { label: t.settings.account.new_email, name: 'email', type: 'email', value: textParam(request.body, 'email'), error: problems.of('email'), autocomplete: 'email', required: true })}
<div class="actions"><button>${t.confirmation.send}</button></div>
</form>
</section>`,
  })
}

/** Names the address, so that a typing error is seen. */
export const linkSentTo = (t: Texts, email: string): Html =>
  fillText(t.sign_up.link_sent_to, { address: html`<strong><bdi>${email}</bdi></strong>` })

/** Needs the password each time: unconfirmed users have no session. */
async function correctAddress(visit: FormVisit): Promise<FastifyReply> {
  const { ctx, request } = visit
  const t = textsFor(request)
  await checkForm(ctx, request)
  if (ctx.config.omniauthOnly) throw new NotFound()
  const [login, email] = [textParam(request.body, 'login').trim(), textParam(request.body, 'email').trim()]
  await limitSignIn(ctx, request.ip, login)
  const found = await signIn(ctx, login, textParam(request.body, 'password'))
  if (!found) return showAddress(visit, oneProblem(t, t.sign_in.wrong))
  if (found.state !== 'unconfirmed') {
    const refusal = refusalOf(t, found.state) ?? t.confirmation.already_confirmed
    return showAddress(visit, oneProblem(t, refusal))
  }
  await limitMail(ctx, request.ip, login)
  try {
    await changeEmail(ctx, found.userId, email, { unless: 'confirmed' })
  } catch (error) {
    return showAddress(visit, problemsOf(t, error))
  }
  return sendMailSentPage(visit, { lead: linkSentTo(t, email), retry: ADDRESS_PATH })
}
