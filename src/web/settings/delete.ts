import type { FastifyReply } from 'fastify'
import { deleteAccount } from '../../actions/accounts/delete.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { dropSession } from '../../html/session.ts'
import { fillText } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'
import { currentPassword, findPasswordProblems } from './password-field.ts'

const PATH = '/settings/delete'

export const deletePage: SettingsPage = {
  key: 'delete',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, remove)
  },
}

async function remove(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, session } = visit
  const refused = await findPasswordProblems(visit)
  if (refused) return show(visit, refused)
  const typed = textParam(request.body, 'username').trim().replace(/^@/, '')
  if (typed.toLowerCase() !== session.username.toLowerCase())
    return show(visit, oneProblem(t, t.settings.delete.wrong_username, 'username'))
  await deleteAccount(ctx, session.accountId)
  await dropSession(ctx, request, reply)
  return reply.redirect('/auth/sign_in?notice=deleted', 303)
}

function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, session, request } = visit
  const { username } = session
  const texts = t.settings.delete
  const links = {
    export: html`<a href="/settings/export">${texts.export_link}</a>`,
    move: html`<a href="/settings/migration">${texts.move_link}</a>`,
  }
  return sendSettingsPage(visit, {
    problems,
    body: (csrf) => html`<section class="card">
<p class="lead">${texts.lead}</p>
<ul>
<li>${texts.here}</li>
<li>${texts.other_servers}</li>
<li>${texts.username({ username })}</li>
</ul>
<p>${fillText(texts.alternatives, links)}</p>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.confirm({ username }), name: 'username', value: textParam(request.body, 'username'), error: problems.of('username'), autocomplete: 'off', required: true, literal: true })}
${currentPassword(visit, problems)}
<div class="actions"><button class="danger">${texts.submit}</button></div>
</form>
</section>`,
  })
}
