// /auth/edit, one of the settings: password, address, signing out.
import { changeEmail } from '../../actions/auth/confirm-email.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { changePassword } from '../../actions/auth/change-password.ts'
import { MIN_PASSWORD } from '../../domain/auth/user-rules.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from '../form-problems.ts'
import { CURRENT_PASSWORD, currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'

const PATH = '/auth/edit'
type Form = 'email' | 'password'

const NOTICES: Record<string, string> = {
  password: 'Your new password is set. Other browsers are signed out.',
  email: 'We have sent a link to the new address. Follow it, and the address is changed.',
}

export function registerAccount(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  const post = (form: Form, change: (visit: SettingsVisit) => Promise<void>): void =>
    onPost(app, ctx, `${PATH}/${form}`, { back: PATH }, (visit) => save(visit, form, change))
  post('email', (visit) => changeEmail(ctx, visit.session.userId, emailIn(visit)))
  post('password', ({ session, request }) => changePassword(ctx, session, textParam(request.body, 'user', 'password')))
}

const emailIn = ({ request }: SettingsVisit): string => textParam(request.body, 'user', 'email').trim()

async function save(
  visit: SettingsVisit,
  form: Form,
  change: (visit: SettingsVisit) => Promise<void>,
): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  if (!(await hasPassword(visit, form)))
    return show(visit, oneProblem(t, WRONG_PASSWORD, `${form}[${CURRENT_PASSWORD}]`))
  try {
    await change(visit)
  } catch (error) {
    return show(
      visit,
      problemsOf(t, error, (name) => `user[${name}]`),
    )
  }
  return visit.reply.redirect(`${PATH}?notice=${form}`, 303)
}

function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const notice = NOTICES[textParam(visit.request.query, 'notice')]
  return sendSettingsPage(visit, {
    title: t.settings.menu.pages.account.label,
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>${t.settings.menu.pages.account.label}</h1>
<section class="card">
<h2>E-mail address</h2>
<p>Mails go to <strong>${visit.session.email}</strong>.</p>
<form method="post" action="${PATH}/email">${csrf}
${field(t, { label: 'New e-mail address', name: 'user[email]', type: 'email', value: emailIn(visit), error: problems.of('email'), autocomplete: 'email', required: true })}
${currentPassword(t, problems, 'email')}
<div class="actions"><button>Change the address</button></div>
</form>
</section>
<section class="card">
<h2>Password</h2>
<form method="post" action="${PATH}/password">${csrf}
${currentPassword(t, problems, 'password')}
${field(t, { label: 'New password', name: 'user[password]', type: 'password', error: problems.of('password'), hint: `At least ${MIN_PASSWORD} characters.`, autocomplete: 'new-password', minLength: MIN_PASSWORD, required: true })}
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
