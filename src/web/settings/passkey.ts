// /settings/two_factor/passkeys/new: add a passkey.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { registerPasskey, registrationOptions } from '../../domain/auth/passkeys.ts'
import { issueFirstRecoveryCodes } from '../../domain/auth/two-factor.ts'
import { passkeyScriptPath } from '../../html/assets.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from '../form-problems.ts'
import { passkeyForm } from '../auth-forms.ts'
import { CURRENT_PASSWORD, currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'
import { showRecoveryCodes } from './recovery-codes.ts'
import { TWO_FACTOR } from './two-factor.ts'

const PATH = `${TWO_FACTOR}/passkeys/new`

export function registerPasskeys(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onPost(app, ctx, PATH, { back: PATH }, register)
}

async function register(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, session, request, reply } = visit
  if (!(await hasPassword(visit))) return show(visit, oneProblem(t, WRONG_PASSWORD, CURRENT_PASSWORD))
  try {
    const codes = await ctx.transaction(async (tx) => {
      await registerPasskey(tx, session.userId, textParam(request.body, 'name'), textParam(request.body, 'answer'))
      return issueFirstRecoveryCodes(tx, session.userId)
    })
    return await (codes ? showRecoveryCodes(visit, codes) : reply.redirect(`${TWO_FACTOR}?notice=passkey`, 303))
  } catch (error) {
    return show(
      visit,
      problemsOf(t, error, (name) => name),
    )
  }
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const options = await registrationOptions(visit.ctx, visit.session)
  const name = textParam(visit.request.body, 'name')
  return sendSettingsPage(visit, {
    title: 'Add a passkey',
    path: TWO_FACTOR,
    status: problems === noProblems ? 200 : 422,
    script: passkeyScriptPath,
    body: (csrf) => html`${problems.summary}
<h1>Add a passkey</h1>
<section class="card">
<p class="lead">Your browser asks where to keep it: on this device, in a password manager, or on a security key.</p>
${passkeyForm({
  kind: 'create',
  options,
  action: PATH,
  hidden: csrf,
  button: 'Add a passkey',
  more: html`${field(t, { label: 'Name', name: 'name', value: name, hint: 'To tell your passkeys apart: “telephone”, “blue key”.', maxLength: 50, required: true })}${currentPassword(t, problems)}`,
})}
</section>`,
  })
}
