// /settings/two_factor/app: set up an authenticator app.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { issueFirstRecoveryCodes } from '../../domain/auth/two-factor.ts'
import { confirmTotp, offerTotp, type TotpOffer } from '../../domain/auth/totp.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { CURRENT_PASSWORD, currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'
import { qrCode } from './qr-code.ts'
import { showRecoveryCodes } from './recovery-codes.ts'
import { TWO_FACTOR } from './two-factor.ts'

const PATH = `${TWO_FACTOR}/app`

export function registerTwoFactorApp(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onPost(app, ctx, PATH, { back: PATH }, register)
}

async function register(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, session, request, reply } = visit
  if (!(await hasPassword(visit))) return show(visit, oneProblem(t, WRONG_PASSWORD, CURRENT_PASSWORD))
  const done = await ctx.transaction(async (tx) => {
    if (!(await confirmTotp(tx, session.userId, textParam(request.body, 'code')))) return null
    return { codes: await issueFirstRecoveryCodes(tx, session.userId) }
  })
  if (!done) return show(visit, oneProblem(t, 'This code is not right. Check the time of your device', 'code'))
  return done.codes ? showRecoveryCodes(visit, done.codes) : reply.redirect(`${TWO_FACTOR}?notice=app`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const offer = await offerTotp(visit.ctx, visit.session)
  return offer ? showOffer(visit, offer, problems) : visit.reply.redirect(TWO_FACTOR, 303)
}

function showOffer(visit: SettingsVisit, { uri, key }: TotpOffer, problems: FormProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  return sendSettingsPage(visit, {
    title: 'Set up an authenticator app',
    path: TWO_FACTOR,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}
<h1>Set up an authenticator app</h1>
<section class="card">
<h2>1. Scan this code with the app</h2>
${qrCode(uri, 'QR code for the authenticator app')}
<p>On the same device, <a href="${uri}">open it in the app</a>, or type in this key:</p>
<p><code class="code-display">${(key.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
</section>
<section class="card">
<h2>2. Show that it works</h2>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: 'Code from the app', name: 'code', error: problems.of('code'), autocomplete: 'one-time-code', inputMode: 'numeric', required: true, literal: true })}
${currentPassword(t, problems)}
<div class="actions"><button>Register the app</button><a class="button secondary" href="${TWO_FACTOR}">Not now</a></div>
</form>
</section>`,
  })
}
