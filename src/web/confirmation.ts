// /auth/confirmation: the link in the mail, and another mail for whom it did not reach.
import { confirmEmail, resendConfirmation, type ConfirmedUser } from '../actions/auth/confirm-email.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { textsFor } from '../html/texts.ts'
import { html } from '../lib/html.ts'
import { takeMailRequest } from './auth-forms.ts'

export function registerConfirmation(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/confirmation', async (request, reply) => confirm({ ctx, request, reply }))
  app.get('/auth/confirmation/new', async (request, reply) => showForm({ ctx, request, reply }))
  app.post('/auth/confirmation', async (request, reply) => resend({ ctx, request, reply }))
}

async function confirm(visit: FormVisit): Promise<FastifyReply> {
  const confirmed = await confirmEmail(visit.ctx, textParam(visit.request.query, 'confirmation_token'))
  return confirmed ? showConfirmed(visit, confirmed) : showExpired(visit)
}

function showConfirmed(visit: FormVisit, { username, approved, app }: ConfirmedUser): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'E-mail address confirmed',
    body: () => html`<section class="card">
<h1>Your e-mail address is confirmed</h1>
${
  approved
    ? html`<p class="lead">Welcome, @${username}! Your account is ready.</p>${app !== null && html`<p>You can go on in <strong>${app}</strong> now.</p>`}
<div class="actions"><a class="button" href="/auth/sign_in">Sign in</a></div>`
    : html`<p class="lead">Thank you, @${username}. The people who run this server will now look at your request to join.</p>
<p>You will get a mail when it is decided. Until then you cannot sign in.</p>`
}
</section>`,
  })
}

function showExpired(visit: FormVisit): Promise<FastifyReply> {
  return sendFormPage(visit, {
    title: 'This link does not work',
    status: 404,
    body: () => html`<section class="card">
<h1>This link does not work any more</h1>
<p class="lead">It was used already, is too old, or a newer mail has replaced it.</p>
<p>If you have followed it before, your address is confirmed and you can sign in.</p>
<div class="actions"><a class="button" href="/auth/sign_in">Sign in</a><a class="button secondary" href="/auth/confirmation/new">Send me another link</a></div>
</section>`,
  })
}

function showForm(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendFormPage(visit, {
    title: 'Another confirmation mail',
    body: (csrf) => html`<section class="card">
<h1>Another confirmation mail</h1>
<p class="lead">We will send a new link to the address that you signed up with.</p>
<form method="post" action="/auth/confirmation">${csrf}
${field(t, { label: 'E-mail address', name: 'user[email]', type: 'email', autocomplete: 'email', required: true })}
<div class="actions"><button>Send the mail</button></div>
</form>
</section>`,
  })
}

async function resend(visit: FormVisit): Promise<FastifyReply> {
  await takeMailRequest(visit, (email) => resendConfirmation(visit.ctx, email))
  return sendFormPage(visit, {
    title: 'Check your mail',
    body: () => html`<section class="card">
<h1>Check your mail</h1>
<p class="lead">If somebody signed up with this address and has not confirmed it yet, a new link is on its way there.</p>
</section>`,
  })
}
