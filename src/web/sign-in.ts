// /auth/sign_in and /auth/sign_out.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { loginOf, signIn } from '../domain/auth/sign-in.ts'
import { hasSecondFactor } from '../domain/auth/two-factor.ts'
import type { UserState } from '../domain/auth/viewer.ts'
import { getSettings } from '../domain/server/settings.ts'
import { checkForm } from '../html/csrf.ts'
import { sendFormPage, textParam, type Visit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { addressKey, limitUse } from '../http/ratelimit.ts'
import { dropSession, findVisitor, startSession } from '../html/session.ts'
import { html } from '../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from './form-problems.ts'
import { localPath } from './next.ts'
import { askSecondStep } from './second-step.ts'

/** Messages that other pages leave for this one, by the name in its address. */
const NOTICES: Record<string, string> = {
  signed_out: 'You are signed out.',
  again: 'Sign in again: the second step took too long, or its codes were not right.',
  deleted: 'Your account is deleted.',
  new_password: 'Your new password is set. Sign in with it.',
}

/** Why somebody may not come in, in words. */
export const REFUSALS: Record<Exclude<UserState, 'usable'>, string> = {
  unconfirmed:
    'Your e-mail address is not confirmed yet. Follow the link in the mail we sent you, or ask for another one below.',
  pending: 'Your request to join has not been decided yet. You will get a mail when it is.',
  disabled: 'Your account is disabled at the moment. Write to the people who run this server to learn more.',
  suspended: 'Your account is suspended. Write to the people who run this server to learn more.',
  moved: 'Your account has moved to another server. Sign in there.',
}

export function registerSignIn(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/sign_in', async (request, reply) => {
    const query = request.query
    const next = localPath(textParam(query, 'next'))
    if ((await findVisitor(ctx, request)) && textParam(query, 'again') === '') return reply.redirect(next ?? '/')
    const notice = NOTICES[textParam(query, 'notice')]
    return show({ ctx, request, reply }, { next, login: '', problems: noProblems, ...(notice ? { notice } : {}) })
  })
  app.post('/auth/sign_in', async (request, reply) => enter({ ctx, request, reply }))
  app.post('/auth/sign_out', async (request, reply) => {
    await checkForm(ctx, request)
    await dropSession(ctx, request, reply)
    return reply.redirect('/auth/sign_in?notice=signed_out', 303)
  })
}

async function enter(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  await checkForm(ctx, request)
  const login = textParam(request.body, 'user', 'email').trim()
  const next = localPath(textParam(request.body, 'next'))
  await limitUse(ctx, 'sign-in', addressKey(request.ip))
  await limitUse(ctx, 'sign-in', `login ${loginOf(login)}`)
  const found = await signIn(ctx, login, textParam(request.body, 'user', 'password'))
  if (found?.state === 'usable') {
    if (await hasSecondFactor(ctx, found.userId)) return askSecondStep(visit, found.userId, next)
    await startSession(ctx, request, reply, found.userId)
    return reply.redirect(next ?? '/', 303)
  }
  const message = found
    ? REFUSALS[found.state]
    : 'There is no account with this name and password. Check both and try again.'
  return show(visit, { next, login, problems: oneProblem(message), status: found ? 403 : 422 })
}

type SignInForm = { next: string | null; login: string; problems: FormProblems; notice?: string; status?: number }

async function show(visit: Visit, { next, login, problems, notice, status }: SignInForm): Promise<FastifyReply> {
  const { registrations_mode: mode } = await getSettings(visit.ctx)
  return sendFormPage(visit, {
    title: 'Sign in',
    ...(status === undefined ? {} : { status }),
    ...(notice === undefined ? {} : { notice: { text: notice } }),
    // After the form the way may lead through consent, given before, to an application's own address.
    ...(next?.startsWith('/oauth/') ? { formAction: null } : {}),
    body: (csrf) => html`${problems.summary}<section class="card">
<h1>Sign in</h1>
<form method="post" action="/auth/sign_in">${csrf}${next !== null && html`<input type="hidden" name="next" value="${next}">`}
${field({ label: 'E-mail address or username', name: 'user[email]', value: login, autocomplete: 'username', required: true, literal: true, autofocus: login === '' })}
${field({ label: 'Password', name: 'user[password]', type: 'password', autocomplete: 'current-password', required: true })}
<div class="actions"><button>Sign in</button></div>
</form>
<div class="links"><ul>
<li><a href="/auth/passkey${next !== null && `?next=${encodeURIComponent(next)}`}">Sign in with a passkey</a></li>
<li><a href="/auth/password/new">Forgotten your password?</a></li>
<li><a href="/auth/confirmation/new">Did the confirmation mail not arrive?</a></li>
${mode !== 'none' && html`<li>No account yet? <a href="/auth/sign_up">Sign up</a></li>`}
</ul></div>
</section>`,
  })
}
