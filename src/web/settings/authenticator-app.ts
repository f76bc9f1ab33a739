import type { FastifyReply } from 'fastify'
import { addAuthenticator } from '../../actions/auth/second-factors.ts'
import { offerTotp, type TotpOffer } from '../../domain/auth/totp.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { fillText } from '../../html/texts.ts'
import { qrCode } from '../../lib/text/qr-code.ts'
import { html, type Html } from '../../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsRouter, type SettingsVisit } from './frame.ts'
import { currentPassword, findPasswordProblems } from './password-field.ts'
import { showRecoveryCodes } from './recovery-codes.ts'

const PATH = '/settings/two_factor/app'

export function addAuthenticatorApp(router: SettingsRouter): void {
  router.get(PATH, (visit) => show(visit))
  router.post(PATH, register)
}

async function register(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, page, session, request, reply } = visit
  const refused = await findPasswordProblems(visit)
  if (refused) return show(visit, refused)
  const done = await addAuthenticator(ctx, session.userId, textParam(request.body, 'code'))
  if (!done) return show(visit, oneProblem(t, t.settings.two_factor.wrong_code, 'code'))
  return done.codes ? showRecoveryCodes(visit, done.codes) : reply.redirect(`${page.path}?notice=app`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const offer = await offerTotp(visit.ctx, visit.session)
  return offer ? showOffer(visit, offer, problems) : visit.reply.redirect(visit.page.path, 303)
}

function showOffer(visit: SettingsVisit, { uri, key }: TotpOffer, problems: FormProblems): Promise<FastifyReply> {
  const { t, page } = visit
  const texts = t.settings.two_factor
  const link = html`<a href="${uri}">${texts.open_app}</a>`
  return sendSettingsPage(visit, {
    title: texts.set_up_title,
    problems,
    body: (csrf) => html`<section class="card">
<h2>${texts.scan}</h2>
${qrImage(uri, texts.qr_code)}
<p>${fillText(texts.same_device, { link })}</p>
<p><code class="code-display">${(key.match(/.{1,4}/g) ?? []).join(' ')}</code></p>
</section>
<section class="card">
<h2>${texts.verify}</h2>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.code, name: 'code', error: problems.of('code'), autocomplete: 'one-time-code', inputMode: 'numeric', required: true, literal: true })}
${currentPassword(visit, problems)}
<div class="actions"><button>${texts.register_app}</button><a class="button secondary" href="${page.path}">${texts.not_now}</a></div>
</form>
</section>`,
  })
}

/** A text as a QR code: an inline SVG, dark on white in any colour scheme. */
function qrImage(text: string, label: string): Html {
  const { size, path } = qrCode(text)
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}
