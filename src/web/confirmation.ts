// /auth/confirmation: the link in the e-mail, and a form to request another one.
import {
  confirmEmail,
  type ConfirmedUser,
  needsCaptcha,
  resendConfirmationMail,
} from '../actions/auth/confirm-email.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { takeCaptcha } from '../domain/registration/captcha.ts'
import { captchaScriptPath } from '../html/assets.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { fillText, textsFor } from '../html/texts.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { problemOf } from '../lib/errors.ts'
import { html } from '../lib/html.ts'
import { message, render } from '../messages/message.ts'
import { sendMailSentPage, takeMailRequest } from './auth-forms.ts'
import { captchaField } from './captcha.ts'

export function registerConfirmation(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/confirmation', async (request, reply) => confirm({ ctx, request, reply }))
  app.get('/auth/confirmation/new', async (request, reply) => showForm({ ctx, request, reply }))
  app.post('/auth/confirmation/captcha', async (request, reply) => checkCaptcha({ ctx, request, reply }))
  app.post('/auth/confirmation', async (request, reply) => resend({ ctx, request, reply }))
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

function showExpired(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.expired_link.title,
    status: 404,
    body: () => html`<section class="card">
<h1>${t.expired_link.heading}</h1>
<p class="lead">${t.expired_link.text}</p>
<p>${t.expired_link.maybe_confirmed}</p>
<div class="actions"><a class="button" href="/auth/sign_in">${t.layout.sign_in}</a><a class="button secondary" href="/auth/confirmation/new">${t.expired_link.another}</a></div>
</section>`,
  })
}

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
</section>`,
  })
}

async function resend(visit: FormVisit): Promise<FastifyReply> {
  await takeMailRequest(visit, (email) => resendConfirmationMail(visit.ctx, email))
  const { sent } = textsFor(visit.request).confirmation
  return sendMailSentPage(visit, { lead: sent, retry: '/auth/confirmation/new' })
}
