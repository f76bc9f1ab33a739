// /auth/password: request a link by e-mail, and choose a new password with it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findOneTimeToken } from '../domain/auth/one-time.ts'
import { sendPasswordReset, resetPasswordByLink } from '../actions/auth/change-password.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { dropSession, restrictedSession } from '../html/session.ts'
import { textsFor } from '../html/texts.ts'
import { html } from '../lib/html.ts'
import { noProblems, problemsOf, type FormProblems } from './form-problems.ts'
import {
  newPasswordField,
  openVisit,
  sendExpiredLinkPage,
  sendMailSentPage,
  takeMailRequest,
  userParameter,
} from './auth-forms.ts'
import { showProviderOnly } from './sign-in.ts'

export function registerPassword(app: FastifyInstance, ctx: Context): void {
  // Password managers request this address.
  const describes = [{ summary: 'Leads to the page on which the password is changed', contentType: 'text/html' }]
  app.get('/.well-known/change-password', { config: { describes } }, async (_request, reply) =>
    reply.redirect('/auth/edit'),
  )
  if (ctx.config.omniauthOnly) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      showProviderOnly({ ctx, request, reply })
    for (const url of ['/auth/password/new', '/auth/password/edit'])
      app.route({ method: ['GET', 'POST'], url, handler })
    return
  }
  app.get('/auth/password/new', async (request, reply) => showRequest(await openVisit(ctx, request, reply)))
  app.post('/auth/password/new', async (request, reply) => sendLink(await openVisit(ctx, request, reply)))
  app.get('/auth/password/edit', async (request, reply) => {
    const token = textParam(request.query, 'reset_password_token')
    const works = (await findOneTimeToken(ctx, 'password', token)) !== null
    const visit = await openVisit(ctx, request, reply)
    return works ? showForm(visit, token, noProblems) : showExpired(visit)
  })
  app.post('/auth/password/edit', async (request, reply) => reset(await openVisit(ctx, request, reply)))
}

function showRequest(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.password.title,
    body: (csrf) => html`<section class="card">
<h1>${t.password.heading}</h1>
<p class="lead">${t.password.explanation}</p>
<form method="post" action="/auth/password/new">${csrf}
${field(t, { label: t.form.login, name: 'user[email]', autocomplete: 'username', required: true, literal: true })}
<div class="actions"><button>${t.password.send}</button></div>
</form>
</section>`,
  })
}

async function sendLink(visit: FormVisit): Promise<FastifyReply> {
  await takeMailRequest(visit, (login) => sendPasswordReset(visit.ctx, login))
  const { sent } = textsFor(visit.request).password
  return sendMailSentPage(visit, { lead: sent, retry: '/auth/password/new' })
}

function showForm(visit: FormVisit, token: string, problems: FormProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: t.password.new_title,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.password.choose}</h1>
<p class="lead">${t.password.signs_out}</p>
<form method="post" action="/auth/password/edit">${csrf}<input type="hidden" name="reset_password_token" value="${token}">
${newPasswordField(t, t.password.new_title, problems)}
<div class="actions"><button>${t.password.set}</button></div>
</form>
</section>`,
  })
}

async function reset(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  const token = textParam(request.body, 'reset_password_token')
  let userId: string | null
  try {
    userId = await resetPasswordByLink(ctx, token, textParam(request.body, 'user', 'password'))
  } catch (error) {
    return showForm(visit, token, problemsOf(t, error, userParameter))
  }
  if (userId === null) return showExpired(visit)
  // The browser may be used by another account, whose session and data stay.
  const session = await restrictedSession(ctx, request)
  if (!session || session.userId === userId) await dropSession(ctx, request, reply)
  return reply.redirect('/auth/sign_in?again=1&notice=new_password', 303)
}

const showExpired = (visit: FormVisit): Promise<FastifyReply> =>
  sendExpiredLinkPage(
    visit,
    (t) => html`<div class="actions"><a class="button" href="/auth/password/new">${t.expired_link.another}</a></div>`,
  )
