// /settings/aliases: the same user's accounts on other servers, from which they may move here.
import type { FastifyReply } from 'fastify'
import { addAlias, removeAlias } from '../../actions/portability/move.ts'
import { listAliases, type Alias } from '../../domain/portability/moves.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { Invalid } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/settings/aliases'

export const aliasesPage: SettingsPage = {
  key: 'aliases',
  path: PATH,
  routes(router) {
    router.get(PATH, (visit) => show(visit))
    router.post(PATH, add)
    router.post(`${PATH}/remove`, async ({ ctx, session, request, reply }) => {
      await removeAlias(ctx, session.accountId, textParam(request.body, 'uri'))
      return reply.redirect(`${PATH}?notice=removed`, 303)
    })
  },
}

async function add(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, session, request, reply } = visit
  await limitUse(ctx, 'aliases', session.userId)
  try {
    await addAlias(ctx, session.accountId, textParam(request.body, 'acct').trim())
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return show(visit, oneProblem(t, error.text, 'acct'))
  }
  return reply.redirect(`${PATH}?notice=added`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t, ctx, request, session } = visit
  const texts = t.settings.aliases
  const aliases = await listAliases(ctx, session.accountId)
  return sendSettingsPage(visit, {
    notices: texts.notices,
    problems,
    body: (csrf) => html`<section class="card">
<p class="lead">${texts.lead}</p>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: texts.account, name: 'acct', value: textParam(request.body, 'acct'), error: problems.of('acct'), hint: t.settings.full_address, required: true, literal: true })}
<div class="actions"><button>${texts.add}</button></div>
</form>
${aliases.length > 0 && html`<hr><ul class="rows">${aliases.map((alias) => row(t, alias, csrf))}</ul>`}
</section>`,
  })
}

const row = (
  t: Texts,
  { uri, acct }: Alias,
  csrf: Html,
): Html => html`<li><div><p>${acct ? html`<strong><bdi>@${acct}</bdi></strong>` : html`<bdi>${uri}</bdi>`}</p></div>
<form method="post" action="${PATH}/remove">${csrf}<input type="hidden" name="uri" value="${uri}"><button class="secondary">${t.settings.aliases.remove}<span class="visually-hidden"> <bdi>${acct ?? uri}</bdi></span></button></form></li>`
