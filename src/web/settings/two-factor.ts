// /settings/two_factor: what somebody proves themselves with beside the password.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import {
  type PasskeyInfo,
  type SecondFactors,
  hasSecondFactor,
  issueRecoveryCodes,
  removePasskey,
  removeTotp,
  secondFactorsOf,
} from '../../domain/auth/two-factor.ts'
import { textParam } from '../../html/form-page.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { NotFound } from '../../lib/errors.ts'
import { dayOf, textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { isId } from '../../lib/ids.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'
import { showRecoveryCodes } from './recovery-codes.ts'

export const TWO_FACTOR = '/settings/two_factor'

const NOTICES: Record<string, string> = {
  app: 'Your authenticator app is registered.',
  passkey: 'Your passkey is registered.',
  removed: 'It is removed.',
}

export function registerTwoFactor(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, TWO_FACTOR, (visit) => show(visit))
  const back = { back: TWO_FACTOR }
  onPost(app, ctx, `${TWO_FACTOR}/app/remove`, back, (visit) =>
    withPassword(visit, 'app', async () => {
      await removeTotp(ctx, visit.session.userId)
      return visit.reply.redirect(`${TWO_FACTOR}?notice=removed`, 303)
    }),
  )
  onPost(app, ctx, `${TWO_FACTOR}/passkeys/remove`, back, (visit) =>
    withPassword(visit, 'passkey', async () => {
      const id = textParam(visit.request.body, 'id')
      if (!isId(id) || !(await removePasskey(ctx, visit.session.userId, id))) throw new NotFound()
      return visit.reply.redirect(`${TWO_FACTOR}?notice=removed`, 303)
    }),
  )
  onPost(app, ctx, `${TWO_FACTOR}/codes`, back, (visit) =>
    withPassword(visit, 'codes', async () => {
      if (!(await hasSecondFactor(ctx, visit.session.userId))) return visit.reply.redirect(TWO_FACTOR, 303)
      return showRecoveryCodes(visit, await issueRecoveryCodes(ctx, visit.session.userId))
    }),
  )
}

async function withPassword(
  visit: SettingsVisit,
  form: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  if (await hasPassword(visit, form)) return work()
  return show(visit, oneProblem(t, WRONG_PASSWORD, `${form}[current_password]`))
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const factors = await secondFactorsOf(visit.ctx, visit.session.userId)
  const notice = NOTICES[textParam(visit.request.query, 'notice')]
  const isOn = factors.totp !== null || factors.passkeys.length > 0
  return sendSettingsPage(visit, {
    title: 'Two-factor and passkeys',
    path: TWO_FACTOR,
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Two-factor and passkeys</h1>
<p>${
      isOn
        ? html`<strong>On.</strong> Whoever knows your password also needs one of these to sign in. Applications that you have connected stay connected.`
        : html`<strong>Off.</strong> Add an app or a passkey, and your password alone no longer lets anybody in.`
    }</p>
${appSection(t, factors, problems, csrf)}
${passkeySection(t, factors, problems, csrf)}
${isOn && codesSection(t, factors, problems, csrf)}`,
  })
}

function appSection(t: Texts, { totp }: SecondFactors, problems: FormProblems, csrf: Html): Html {
  if (!totp)
    return html`<section class="card"><h2>Authenticator app</h2>
<p>An app on your telephone or computer shows a code that changes every half minute. Most password managers can do it too.</p>
<div class="actions"><a class="button" href="${TWO_FACTOR}/app">Set up an app</a></div></section>`
  return html`<section class="card"><h2>Authenticator app</h2>
<p>Registered since ${dayOf(t, totp)}.</p>
<form method="post" action="${TWO_FACTOR}/app/remove">${csrf}${currentPassword(t, problems, 'app')}
<div class="actions"><button class="danger">Remove the app</button></div></form></section>`
}

function passkeySection(t: Texts, { passkeys }: SecondFactors, problems: FormProblems, csrf: Html): Html {
  const choice = (key: PasskeyInfo, index: number): Html => html`<div class="choice">
<input type="radio" id="passkey-${key.id}" name="id" value="${key.id}" required${index === 0 && passkeys.length === 1 && html` checked`}>
<label for="passkey-${key.id}">${key.name}</label>
<p class="hint">Added ${dayOf(t, key.created_at)}, ${key.last_used_at ? html`last used ${dayOf(t, key.last_used_at)}` : 'not used yet'}</p>
</div>`
  return html`<section class="card"><h2>Passkeys</h2>
<p>A passkey lives on your device or on a security key. It signs you in without a password, and serves as the second step after one.</p>
<div class="actions"><a class="button${passkeys.length > 0 && ' secondary'}" href="${TWO_FACTOR}/passkeys/new">Add a passkey</a></div>
${
  passkeys.length > 0 &&
  html`<hr><form method="post" action="${TWO_FACTOR}/passkeys/remove">${csrf}
<fieldset><legend>Your passkeys</legend>${passkeys.map(choice)}</fieldset>
${currentPassword(t, problems, 'passkey')}
<div class="actions"><button class="danger">Remove this passkey</button></div></form>`
}</section>`
}

function codesSection(t: Texts, { recoveryCodes: left }: SecondFactors, problems: FormProblems, csrf: Html): Html {
  return html`<section class="card"><h2>Recovery codes</h2>
<p>Each lets you in once when you have nothing else at hand. You have <strong>${left}</strong> left.</p>
<form method="post" action="${TWO_FACTOR}/codes">${csrf}${currentPassword(t, problems, 'codes')}
<div class="actions"><button class="secondary">Make new codes</button></div>
<p class="hint">The old ones stop working.</p></form></section>`
}
