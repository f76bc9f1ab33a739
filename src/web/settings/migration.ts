import type { FastifyReply } from 'fastify'
import { moveAccount, redirectAccount, undoMove } from '../../actions/portability/move.ts'
import { COOLDOWN_DAYS, moveStateOf, type MoveState } from '../../domain/portability/moves.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { html, safeUrl, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'
import { currentPassword, findPasswordProblems } from './password-field.ts'

const PATH = '/settings/migration'
const REDIRECT = `${PATH}/redirect`

export const migrationPage: SettingsPage = {
  key: 'migration',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, (visit) => move(visit, moveAccount, 'moved'))
    router.post(REDIRECT, (visit) => move(visit, redirectAccount, 'redirected'))
    router.post(`${PATH}/undo`, async ({ ctx, session, reply }) => {
      await undoMove(ctx, session)
      return reply.redirect(`${PATH}?notice=undone`, 303)
    })
  },
}

async function move(
  visit: SettingsVisit,
  act: typeof moveAccount,
  notice: 'moved' | 'redirected',
): Promise<FastifyReply> {
  const { ctx, t, session, request, reply } = visit
  const refused = await findPasswordProblems(visit)
  if (refused) return show(visit, refused)
  await limitUse(ctx, 'moves', session.userId)
  try {
    await act(ctx, session, textParam(request.body, 'acct').trim())
  } catch (error) {
    return show(visit, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=${notice}`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, session } = visit
  const state = await moveStateOf(ctx, session.accountId)
  return sendSettingsPage(visit, {
    problems,
    notices: t.settings.migration.notices,
    body: (csrf) => (state.movedTo ? moved(t, state.movedTo, csrf) : form(visit, state, problems, csrf)),
  })
}

function moved(t: Texts, { acct, url }: NonNullable<MoveState['movedTo']>, csrf: Html): Html {
  const texts = t.settings.migration
  const link = html`<a href="${safeUrl(url) ?? '#'}" rel="noopener"><bdi>@${acct}</bdi></a>`
  return html`<section class="card">
<p class="lead">${fillText(texts.moved_to, { account: link })}</p>
<p>${texts.moved_effect}</p>
<form method="post" action="${PATH}/undo">${csrf}<div class="actions"><button class="secondary">${texts.undo}</button></div>
<p class="hint">${texts.undo_hint}</p></form>
</section>`
}

function form(visit: SettingsVisit, { freeAt }: MoveState, problems: FormProblems, csrf: Html): Html {
  const { t, ctx, session, request } = visit
  const texts = t.settings.migration
  const account = html`<strong><bdi>@${session.username}@${ctx.config.localDomain}</bdi></strong>`
  const exportLink = html`<a href="/settings/export">${texts.export_link}</a>`
  const steps = html`<p class="lead">${texts.lead}</p>
<ol>
<li>${fillText(texts.step_alias, { account })}</li>
<li>${fillText(texts.step_export, { export: exportLink })}</li>
<li>${texts.step_move({ count: COOLDOWN_DAYS })}</li>
</ol>
<p>${texts.effect}</p>`
  return html`<section class="card">
${freeAt ? html`<p>${fillText(texts.cooldown, { day: dayOf(t, freeAt) })}</p>` : steps}
<form method="post" action="${freeAt ? REDIRECT : PATH}">${csrf}
${field(t, { label: texts.account, name: 'acct', value: textParam(request.body, 'acct'), error: problems.of('acct'), hint: t.settings.full_address, required: true, literal: true })}
${currentPassword(visit, problems)}
<p class="hint">${texts.redirect_hint}</p>
<div class="actions">${!freeAt && html`<button class="danger">${texts.submit}</button>`}<button class="secondary" formaction="${REDIRECT}">${texts.redirect}</button></div>
</form>
</section>`
}
