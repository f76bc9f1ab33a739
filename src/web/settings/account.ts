import type { FastifyReply } from 'fastify'
import { changePassword } from '../../actions/auth/change-password.ts'
import { changeEmail } from '../../actions/auth/confirm-email.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { fillText } from '../../html/texts.ts'
import { addressKey, limitUse } from '../../http/ratelimit.ts'
import { Forbidden } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { newPasswordField, userParameter } from '../auth-forms.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'
import { addConnection, connectionSection } from './connection.ts'
import { currentPassword, findPasswordProblems, usesPassword } from './password-field.ts'

const PATH = '/auth/edit'
type Form = 'email' | 'password'
type Change = (visit: SettingsVisit) => Promise<void>

export const accountPage: SettingsPage = {
  key: 'account',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(`${PATH}/email`, (visit) => save(visit, 'email', saveEmail))
    router.post(`${PATH}/password`, (visit) => save(visit, 'password', savePassword))
    addConnection(router, show)
  },
}

const emailIn = ({ request }: SettingsVisit): string => textParam(request.body, 'user', 'email').trim()

const saveEmail: Change = async (visit) => {
  const { ctx, session, request } = visit
  await limitUse(ctx, 'mail', addressKey(request.ip))
  await limitUse(ctx, 'mail-address', `user ${session.userId}`)
  await changeEmail(ctx, session.userId, emailIn(visit), { sessionId: session.id })
}

const savePassword: Change = async (visit) => {
  // Others choose one with the link of a mail.
  if (!usesPassword(visit)) throw new Forbidden()
  await changePassword(visit.ctx, visit.session, textParam(visit.request.body, 'user', 'password'))
}

async function save(visit: SettingsVisit, form: Form, change: Change): Promise<FastifyReply> {
  const { t, reply } = visit
  const refused = await findPasswordProblems(visit, form)
  if (refused) return show(visit, refused)
  try {
    await change(visit)
  } catch (error) {
    return show(visit, problemsOf(t, error, userParameter))
  }
  return reply.redirect(`${PATH}?notice=${form}`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, session } = visit
  const texts = t.settings.account
  const connection = await connectionSection(visit, problems)
  return sendSettingsPage(visit, {
    problems,
    notices: { ...texts.notices, ...t.provider.notices },
    body: (csrf) => html`<section class="card">
<h2>${t.form.email}</h2>
<p>${fillText(texts.mails_go_to, { email: html`<strong>${session.email}</strong>` })}</p>
<form method="post" action="${PATH}/email">${csrf}
${field(t, { label: texts.new_email, name: 'user[email]', type: 'email', value: emailIn(visit), error: problems.of('email'), autocomplete: 'email', required: true })}
${currentPassword(visit, problems, 'email')}
<div class="actions"><button>${texts.change_email}</button></div>
</form>
</section>
${passwordSection(visit, problems, csrf)}
${connection(csrf)}
<section class="card">
<h2>${t.layout.sign_out}</h2>
<p>${texts.sign_out_hint}</p>
<form method="post" action="/auth/sign_out">${csrf}<div class="actions"><button class="secondary">${t.layout.sign_out}</button></div></form>
</section>`,
  })
}

function passwordSection(visit: SettingsVisit, problems: FormProblems, csrf: Html): Html | null {
  const { ctx, t, session } = visit
  const texts = t.settings.account
  if (ctx.config.omniauthOnly) return null
  const link = html`<a href="/auth/password/new">${t.provider.choose_password_link}</a>`
  if (!session.hasPassword)
    return html`<section class="card"><h2>${t.form.password}</h2><p>${fillText(t.provider.choose_password({ name: ctx.config.oidc?.displayName ?? '' }), { link })}</p></section>`
  return html`<section class="card">
<h2>${t.form.password}</h2>
<form method="post" action="${PATH}/password">${csrf}
${currentPassword(visit, problems, 'password')}
${newPasswordField(t, texts.new_password, problems)}
<div class="actions"><button>${texts.change_password}</button></div>
</form>
</section>`
}
