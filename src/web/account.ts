// /auth/edit, one of the settings: password, address, signing out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { changeEmail } from '../domain/auth/confirmation.ts'
import { changePassword } from '../domain/auth/password-change.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { isPasswordOf } from '../domain/auth/sign-in.ts'
import { MIN_PASSWORD } from '../domain/auth/user-rules.ts'
import { checkForm } from '../http/csrf.ts'
import { textParam, type Visit } from '../http/form-page.ts'
import { field } from '../http/forms.ts'
import { limitUse } from '../http/ratelimit.ts'
import { findVisitor } from '../http/session.ts'
import { sendSettingsPage } from '../http/settings-page.ts'
import { html, type Html } from '../lib/html.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from './form-problems.ts'

type Form = 'email' | 'password'
type State = { form: Form | null; problems: FormProblems; email: string; notice?: string }
const UNTOUCHED: State = { form: null, problems: noProblems, email: '' }

const NOTICES: Record<string, string> = {
  password: 'Your new password is set. Other browsers are signed out.',
  email: 'We have sent a link to the new address. Follow it, and the address is changed.',
}

export function registerAccount(app: FastifyInstance, ctx: Context): void {
  app.get('/auth/edit', async (request, reply) => {
    const session = await findVisitor(ctx, request)
    if (!session) return reply.redirect('/auth/sign_in?next=%2Fauth%2Fedit')
    const notice = NOTICES[textParam(request.query, 'notice')]
    return show({ ctx, request, reply }, session, { ...UNTOUCHED, ...(notice ? { notice } : {}) })
  })
  const post = (form: Form, change: (session: Session, request: FastifyRequest) => Promise<void>): void => {
    app.post(`/auth/edit/${form}`, async (request, reply) => save({ ctx, request, reply }, form, change))
  }
  post('email', (session, request) => changeEmail(ctx, session.userId, textParam(request.body, 'user', 'email').trim()))
  post('password', (session, request) => changePassword(ctx, session, textParam(request.body, 'user', 'password')))
}

async function save(
  visit: Visit,
  form: Form,
  change: (session: Session, request: FastifyRequest) => Promise<void>,
): Promise<FastifyReply> {
  const { ctx, request, reply } = visit
  const session = await findVisitor(ctx, request)
  if (!session) return reply.redirect('/auth/sign_in?next=%2Fauth%2Fedit', 303)
  await checkForm(ctx, request)
  const email = textParam(request.body, 'user', 'email').trim()
  await limitUse(ctx, 'sign-in', `user ${session.userId}`)
  const current = `${form}[current_password]`
  if (!(await isPasswordOf(ctx, session.userId, textParam(request.body, form, 'current_password'))))
    return show(visit, session, { form, email, problems: oneProblem('This is not your current password', current) })
  try {
    await change(session, request)
  } catch (error) {
    return show(visit, session, { form, email, problems: problemsOf(error, (name) => `user[${name}]`) })
  }
  return reply.redirect(`/auth/edit?notice=${form}`, 303)
}

function show(visit: Visit, session: Session, state: State): Promise<FastifyReply> {
  return sendSettingsPage(visit, {
    title: 'Password and e-mail',
    path: '/auth/edit',
    status: state.form === null ? 200 : 422,
    ...(state.notice ? { notice: { text: state.notice } } : {}),
    body: (csrf) => html`${state.problems.summary}
<h1>Password and e-mail</h1>
<section class="card">
<h2>E-mail address</h2>
<p>Mails go to <strong>${session.email}</strong>.</p>
<form method="post" action="/auth/edit/email">${csrf}
${field({ label: 'New e-mail address', name: 'user[email]', type: 'email', value: state.email, error: state.problems.of('email'), autocomplete: 'email', required: true })}
${currentPassword('email', state)}
<div class="actions"><button>Change the address</button></div>
</form>
</section>
<section class="card">
<h2>Password</h2>
<form method="post" action="/auth/edit/password">${csrf}
${currentPassword('password', state)}
${field({ label: 'New password', name: 'user[password]', type: 'password', error: state.problems.of('password'), hint: `At least ${MIN_PASSWORD} characters.`, autocomplete: 'new-password', minLength: MIN_PASSWORD, required: true })}
<div class="actions"><button>Change the password</button></div>
</form>
</section>
<section class="card">
<h2>Sign out</h2>
<p>Ends your visit in this browser. Applications stay connected.</p>
<form method="post" action="/auth/sign_out">${csrf}<div class="actions"><button class="secondary">Sign out</button></div></form>
</section>`,
  })
}

function currentPassword(form: Form, { problems }: State): Html {
  const name = `${form}[current_password]`
  return field({
    label: 'Current password',
    name,
    type: 'password',
    error: problems.of(name),
    autocomplete: 'current-password',
    required: true,
  })
}
