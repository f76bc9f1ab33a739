import type { FastifyReply } from 'fastify'
import { dropAuthenticator, dropPasskey, renewRecoveryCodes } from '../../actions/auth/second-factors.ts'
import { hasSecondFactor, secondFactorsOf, type PasskeyInfo, type SecondFactors } from '../../domain/auth/two-factor.ts'
import { textParam } from '../../html/form-page.ts'
import { TWO_FACTOR_PATH } from '../../html/session.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { noProblems, type FormProblems } from '../form-problems.ts'
import { addAuthenticatorApp } from './authenticator-app.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'
import { addPasskeys } from './passkey.ts'
import { currentPassword, findPasswordProblems } from './password-field.ts'
import { recoveryCodesSection, showRecoveryCodes } from './recovery-codes.ts'

const PATH = TWO_FACTOR_PATH

export const twoFactorPage: SettingsPage = {
  key: 'two_factor',
  path: PATH,
  evenMissing2fa: true,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/app/remove`, (visit) => withPassword(visit, 'app', removeApp))
    router.post(`${PATH}/passkeys/remove`, (visit) => withPassword(visit, 'passkey', removeOnePasskey))
    router.post(`${PATH}/codes`, (visit) => withPassword(visit, 'codes', issueCodes))
    addAuthenticatorApp(router)
    addPasskeys(router)
  },
}

type Work = (visit: SettingsVisit) => Promise<FastifyReply>

async function withPassword(visit: SettingsVisit, form: string, work: Work): Promise<FastifyReply> {
  const refused = await findPasswordProblems(visit, form)
  return refused ? show(visit, refused) : work(visit)
}

const removeApp: Work = async ({ ctx, session, reply }) => {
  await dropAuthenticator(ctx, session.userId)
  return reply.redirect(`${PATH}?notice=removed`, 303)
}

const removeOnePasskey: Work = async ({ ctx, session, request, reply }) => {
  const id = textParam(request.body, 'id')
  if (!isId(id) || !(await dropPasskey(ctx, session.userId, id))) throw new NotFound()
  return reply.redirect(`${PATH}?notice=removed`, 303)
}

const issueCodes: Work = async (visit) => {
  const { ctx, session, reply } = visit
  if (!(await hasSecondFactor(ctx, session.userId))) return reply.redirect(PATH, 303)
  return showRecoveryCodes(visit, await renewRecoveryCodes(ctx, session.userId))
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const texts = t.settings.two_factor
  const factors = await secondFactorsOf(ctx, session.userId)
  const isOn = factors.totp !== null || factors.passkeys.length > 0
  const state = isOn ? { label: texts.on, hint: texts.on_hint } : { label: texts.off, hint: texts.off_hint }
  return sendSettingsPage(visit, {
    problems,
    notices: texts.notices,
    body: (
      csrf,
    ) => html`${session.state === 'missing_2fa' && html`<p class="notice info">${texts.required}</p>`}<p><strong>${state.label}</strong> ${state.hint}</p>
${appSection(visit, factors, problems, csrf)}
${passkeySection(visit, factors, problems, csrf)}
${isOn && recoveryCodesSection(visit, factors.recoveryCodes, problems, csrf)}`,
  })
}

function appSection(visit: SettingsVisit, { totp }: SecondFactors, problems: FormProblems, csrf: Html): Html {
  const { t } = visit
  const texts = t.settings.two_factor
  if (!totp)
    return html`<section class="card"><h2>${texts.app}</h2>
<p>${texts.app_hint}</p>
<div class="actions"><a class="button" href="${PATH}/app">${texts.set_up}</a></div></section>`
  return html`<section class="card"><h2>${texts.app}</h2>
<p>${fillText(texts.app_since, { day: dayOf(t, totp) })}</p>
<form method="post" action="${PATH}/app/remove">${csrf}${currentPassword(visit, problems, 'app')}
<div class="actions"><button class="danger">${texts.remove_app}</button></div></form></section>`
}

function passkeySection(visit: SettingsVisit, { passkeys }: SecondFactors, problems: FormProblems, csrf: Html): Html {
  const { t } = visit
  const texts = t.settings.two_factor
  const choice = (key: PasskeyInfo, index: number): Html => {
    const dates = { added: dayOf(t, key.created_at), used: key.last_used_at && dayOf(t, key.last_used_at) }
    return html`<div class="choice">
<input type="radio" id="passkey-${key.id}" name="id" value="${key.id}" required${index === 0 && passkeys.length === 1 && html` checked`}>
<label for="passkey-${key.id}">${key.name}</label>
<p class="hint">${fillText(key.last_used_at ? texts.passkey_used : texts.passkey_unused, dates)}</p>
</div>`
  }
  return html`<section class="card"><h2>${texts.passkeys}</h2>
<p>${texts.passkeys_hint}</p>
<div class="actions"><a class="button${passkeys.length > 0 && ' secondary'}" href="${PATH}/passkeys/new">${texts.add_passkey}</a></div>
${
  passkeys.length > 0 &&
  html`<hr><form method="post" action="${PATH}/passkeys/remove">${csrf}
<fieldset><legend>${texts.your_passkeys}</legend>${passkeys.map(choice)}</fieldset>
${currentPassword(visit, problems, 'passkey')}
<div class="actions"><button class="danger">${texts.remove_passkey}</button></div></form>`
}</section>`
}
