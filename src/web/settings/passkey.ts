import type { FastifyReply } from 'fastify'
import { addPasskey } from '../../actions/auth/second-factors.ts'
import { MAX_PASSKEY_NAME, registrationOptions } from '../../domain/auth/passkeys.ts'
import { passkeyScriptPath } from '../../html/assets.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { html } from '../../lib/html.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { passkeyForm } from '../auth-forms.ts'
import { sendSettingsPage, type SettingsRouter, type SettingsVisit } from './frame.ts'
import { currentPassword, findPasswordProblems } from './password-field.ts'
import { showRecoveryCodes } from './recovery-codes.ts'

const PATH = '/settings/two_factor/passkeys/new'

export function addPasskeys(router: SettingsRouter): void {
  router.get(PATH, (visit) => show(visit))
  router.post(PATH, register)
}

async function register(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, page, session, request, reply } = visit
  const refused = await findPasswordProblems(visit)
  if (refused) return show(visit, refused)
  try {
    const form = { name: textParam(request.body, 'name'), answer: textParam(request.body, 'answer') }
    const { codes } = await addPasskey(ctx, session.userId, form)
    return await (codes ? showRecoveryCodes(visit, codes) : reply.redirect(`${page.path}?notice=passkey`, 303))
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, session, request } = visit
  const texts = t.settings.two_factor
  const options = await registrationOptions(ctx, session)
  const name = textParam(request.body, 'name')
  return sendSettingsPage(visit, {
    title: texts.add_passkey,
    problems,
    script: passkeyScriptPath,
    body: (csrf) => html`<section class="card">
<p class="lead">${texts.add_passkey_hint}</p>
${passkeyForm(t, {
  kind: 'create',
  options,
  action: PATH,
  hidden: csrf,
  button: texts.add_passkey,
  more: html`${field(t, { label: texts.passkey_name, name: 'name', value: name, hint: texts.passkey_name_hint, maxLength: MAX_PASSKEY_NAME, required: true })}${currentPassword(visit, problems)}`,
})}
</section>`,
  })
}
