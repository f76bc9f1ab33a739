// /settings/migration: leave for another account, and take the followers along.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { moveAccount, undoMove } from '../../actions/portability/move.ts'
import { COOLDOWN_DAYS, moveStateOf, type MoveState } from '../../domain/portability/moves.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { dayOf, textsFor } from '../../html/texts.ts'
import { html, safeUrl, type Html } from '../../lib/html.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from '../form-problems.ts'
import { CURRENT_PASSWORD, currentPassword, hasPassword, WRONG_PASSWORD } from './password-field.ts'

const PATH = '/settings/migration'

const NOTICES: Record<string, string> = {
  moved: 'You have moved. Your followers are being told.',
  undone: 'The move is undone: this account is in use again.',
}

export function registerMigration(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onPost(app, ctx, PATH, { back: PATH }, move)
  onPost(app, ctx, `${PATH}/undo`, { back: PATH }, async ({ session, reply }) => {
    await undoMove(ctx, session)
    return reply.redirect(`${PATH}?notice=undone`, 303)
  })
}

async function move(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, session, request, reply } = visit
  if (!(await hasPassword(visit))) return show(visit, oneProblem(t, WRONG_PASSWORD, CURRENT_PASSWORD))
  await limitUse(ctx, 'imports', `move ${session.userId}`)
  try {
    await moveAccount(ctx, session, textParam(request.body, 'acct').trim())
  } catch (error) {
    return show(
      visit,
      problemsOf(t, error, (name) => name),
    )
  }
  return reply.redirect(`${PATH}?notice=moved`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const state = await moveStateOf(visit.ctx, visit.session.accountId)
  const notice = NOTICES[textParam(visit.request.query, 'notice')]
  return sendSettingsPage(visit, {
    title: 'Move away',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Move away</h1>
${state.movedTo ? moved(state.movedTo, csrf) : form(visit, state, problems, csrf)}`,
  })
}

function moved({ acct, url }: NonNullable<MoveState['movedTo']>, csrf: Html): Html {
  return html`<section class="card">
<p class="lead">You have moved to <a href="${safeUrl(url) ?? '#'}" rel="noopener">@${acct}</a>.</p>
<p>This account shows where you are now. It cannot post, boost or follow any more; you can still read, export your data, and delete the account.</p>
<form method="post" action="${PATH}/undo">${csrf}<div class="actions"><button class="secondary">Undo the move</button></div>
<p class="hint">Followers who went along do not come back by themselves.</p></form>
</section>`
}

function form(visit: SettingsVisit, { freeAt }: MoveState, problems: FormProblems, csrf: Html): Html {
  const t = textsFor(visit.request)
  const { username } = visit.session
  if (freeAt)
    return html`<section class="card"><p>You have moved lately. You can move again on ${dayOf(t, freeAt)}.</p></section>`
  return html`<section class="card">
<p class="lead">Your followers are told of your new account, and most of their servers follow it by themselves.</p>
<ol>
<li>On the new account, add <strong>@${username}@${visit.ctx.config.localDomain}</strong> as an alias.</li>
<li><a href="/settings/export">Export</a> whom you follow, your lists and blocks here, and import them there.</li>
<li>Then move here, below. You cannot move again for ${COOLDOWN_DAYS} days.</li>
</ol>
<p>Posts stay where they are. This account then shows where you went; it can no longer post, boost or follow.</p>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: 'The new account', name: 'acct', value: textParam(visit.request.body, 'acct'), error: problems.of('acct'), hint: 'Its whole address, as in name@example.org.', required: true, literal: true })}
${currentPassword(t, problems)}
<div class="actions"><button class="danger">Move my followers</button></div>
</form>
</section>`
}
