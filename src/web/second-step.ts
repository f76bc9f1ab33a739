// /auth/second_step: after the password or the identity provider, a code or a passkey.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { warnOfWrongCodes } from '../actions/auth/second-factors.ts'
import type { Context } from '../context.ts'
import { insertLoginActivity } from '../domain/auth/login-activities.ts'
import { signInOptions, usePasskey } from '../domain/auth/passkeys.ts'
import { hasSecondFactor, secondFactorsOf } from '../domain/auth/two-factor.ts'
import { beginSecondStep, findSecondStep, isSecondStepSpent, takeSecondStep } from '../domain/auth/sign-in.ts'
import type { UserState } from '../domain/auth/viewer.ts'
import { passkeyScriptPath } from '../html/assets.ts'
import { browserOf, startSession } from '../html/session.ts'
import { clearCookie, readCookie, writeCookie } from '../http/cookies.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { limitUse } from '../http/ratelimit.ts'
import { textsFor } from '../html/texts.ts'
import { html } from '../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from './form-problems.ts'
import { landingOf, localPath, passkeyForm } from './auth-forms.ts'

const COOKIE = 'rookery_second_step'
const PATH = '/auth/second_step'

/** How a user has proved who they are. `authenticatedAt`: when the user last signed in to the provider, if it says so. */
type FirstStep =
  | { method: 'password'; passwordHash: string | null }
  | { method: 'provider'; authenticatedAt: Date | null }

/**
 * Call it only after the password was right, or the identity provider has named the user. Starts the session, or asks for the
 * second factor. `refuse` responds to users who may not sign in.
 */
export async function passFirstStep(
  visit: FormVisit,
  user: { userId: string; state: UserState } & FirstStep,
  next: string | null,
  refuse: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  const { userId, state, method } = user
  const passwordHash = user.method === 'password' ? user.passwordHash : null
  const authenticatedAt = user.method === 'provider' ? user.authenticatedAt : null
  const landing = landingOf(state, next)
  if (!landing) return refuse()
  if (await hasSecondFactor(ctx, userId)) {
    const step = await beginSecondStep(ctx, userId, passwordHash)
    return step === null ? refuse() : askSecondStep(visit, step, state === 'usable' ? next : landing)
  }
  const proof = passwordHash === null ? null : { passwordHash }
  const isStarted = await startSession(ctx, request, reply, { userId, method, authenticatedAt, proof })
  return isStarted ? reply.redirect(landing, 303) : refuse()
}

function askSecondStep({ ctx, reply }: FormVisit, secret: string, next: string | null): FastifyReply {
  writeCookie(ctx, reply, { name: COOKIE, value: secret })
  return reply.redirect(next === null ? PATH : `${PATH}?${new URLSearchParams({ next })}`, 303)
}

export function registerSecondStep(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, async (request, reply) => {
    const visit = { ctx, request, reply }
    const { userId } = await stepOf(visit)
    return userId === null ? startOver(visit) : show(visit, userId, localPath(textParam(request.query, 'next')))
  })
  app.post(PATH, async (request, reply) => take({ ctx, request, reply }))
}

async function take(visit: FormVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  const { secret, userId } = await stepOf(visit)
  if (userId === null) return startOver(visit)
  const next = localPath(textParam(request.body, 'next'))
  await limitUse(ctx, 'second-step', userId)
  const answer = textParam(request.body, 'answer')
  const isPasskey = answer !== ''
  const method = isPasskey ? 'passkey' : 'two_factor'
  const passed = isPasskey
    ? (await usePasskey(ctx, answer, userId))?.userId === userId
    : (await takeSecondStep(ctx, secret, textParam(request.body, 'code'))) === userId
  if (!passed) {
    await insertLoginActivity(ctx, userId, { method, success: false, ...browserOf(request) })
    if ((await findSecondStep(ctx, secret)) === null) {
      if (await isSecondStepSpent(ctx, secret)) await warnOfWrongCodes(ctx, userId, browserOf(request))
      return startOver(visit)
    }
    const message = isPasskey ? t.passkey.refused : t.second_step.wrong_code
    return show(visit, userId, next, oneProblem(t, message, isPasskey ? undefined : 'code'))
  }
  if (!(await startSession(ctx, request, reply, { userId, method, proof: { step: secret } }))) return startOver(visit)
  clearCookie(ctx, reply, COOKIE)
  return reply.redirect(next ?? '/', 303)
}

async function stepOf({ ctx, request }: FormVisit): Promise<{ secret: string; userId: string | null }> {
  const secret = readCookie(ctx, request, COOKIE) ?? ''
  return { secret, userId: secret === '' ? null : await findSecondStep(ctx, secret) }
}

function startOver({ ctx, reply }: FormVisit): FastifyReply {
  clearCookie(ctx, reply, COOKIE)
  return reply.redirect('/auth/sign_in?notice=again', 303)
}

async function show(
  visit: FormVisit,
  userId: string,
  next: string | null,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { totp, passkeys } = await secondFactorsOf(visit.ctx, userId)
  const options = passkeys.length > 0 ? await signInOptions(visit.ctx, userId) : null
  const hidden = next !== null && html`<input type="hidden" name="next" value="${next}">`
  return sendFormPage(visit, {
    title: t.second_step.title,
    status: problems === noProblems ? 200 : 422,
    ...(options ? { script: passkeyScriptPath } : {}),
    ...(next?.startsWith('/oauth/') ? { formAction: null } : {}),
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>${t.second_step.heading}</h1>
${options && passkeyForm(t, { kind: 'get', options, action: PATH, hidden: html`${csrf}${hidden}`, button: t.passkey.use })}
${options && html`<hr>`}
<form method="post" action="${PATH}">${csrf}${hidden}
${field(t, {
  label: totp ? t.second_step.app_code : t.second_step.recovery_code,
  name: 'code',
  error: problems.of('code'),
  hint: totp ? t.second_step.app_code_hint : t.second_step.recovery_code_hint,
  autocomplete: 'one-time-code',
  required: true,
  literal: true,
  autofocus: options === null,
})}
<div class="actions"><button>${t.second_step.continue}</button></div>
</form>
<p class="links">${t.second_step.lost}</p>
</section>`,
  })
}
