// /settings/delete: the end of an account.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { deleteAccount } from '../../actions/accounts/delete.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { dropSession } from '../../html/session.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { textsFor } from '../../html/texts.ts'
import { html } from '../../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { CURRENT_PASSWORD, currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'

const PATH = '/settings/delete'

export function registerDelete(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onPost(app, ctx, PATH, { back: PATH }, remove)
}

async function remove(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, request, reply, session } = visit
  if (!(await hasPassword(visit))) return show(visit, oneProblem(t, WRONG_PASSWORD, CURRENT_PASSWORD))
  const typed = textParam(request.body, 'username').trim().replace(/^@/, '')
  if (typed.toLowerCase() !== session.username.toLowerCase())
    return show(visit, oneProblem(t, 'This is not your username', 'username'))
  await dropSession(ctx, request, reply)
  await deleteAccount(ctx, session.accountId)
  return reply.redirect('/auth/sign_in?notice=deleted', 303)
}

function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { username } = visit.session
  return sendSettingsPage(visit, {
    title: 'Delete the account',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    body: (csrf) => html`${problems.summary}
<h1>Delete the account</h1>
<section class="card">
<p class="lead">This removes everything at once, and nobody can bring it back.</p>
<ul>
<li>Your posts, pictures, follows, followers, lists and settings are deleted here.</li>
<li>Other servers are asked to delete their copies. Most do.</li>
<li>Nobody can take the name @${username} here again, and neither can you.</li>
</ul>
<p>You may want to <a href="/settings/export">take your data along</a>, or to <a href="/settings/migration">move</a> instead.</p>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: `Type “${username}” to confirm`, name: 'username', error: problems.of('username'), autocomplete: 'off', required: true, literal: true })}
${currentPassword(t, problems)}
<div class="actions"><button class="danger">Delete my account</button></div>
</form>
</section>`,
  })
}
