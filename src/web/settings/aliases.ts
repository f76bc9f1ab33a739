// /settings/aliases: other accounts of the same person, from which they may move here.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { addAlias, removeAlias } from '../../actions/portability/move.ts'
import { listAliases, type Alias } from '../../domain/portability/moves.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { onGet, onPost, sendSettingsPage, type SettingsVisit } from '../../html/settings-page.ts'
import { Invalid } from '../../lib/errors.ts'
import { textsFor } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { noProblems, oneProblem, type FormProblems } from '../form-problems.ts'

const PATH = '/settings/aliases'

const NOTICES: Record<string, string> = {
  added: 'The alias is added. You can now move from there to here.',
  removed: 'The alias is removed.',
}

export function registerAliases(app: FastifyInstance, ctx: Context): void {
  onGet(app, ctx, PATH, (visit) => show(visit))
  onPost(app, ctx, PATH, { back: PATH }, add)
  onPost(app, ctx, `${PATH}/remove`, { back: PATH }, async ({ session, request, reply }) => {
    await removeAlias(ctx, session.accountId, textParam(request.body, 'uri'))
    return reply.redirect(`${PATH}?notice=removed`, 303)
  })
}

async function add(visit: SettingsVisit): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const { ctx, session, request, reply } = visit
  await limitUse(ctx, 'imports', `alias ${session.userId}`)
  try {
    await addAlias(ctx, session.accountId, textParam(request.body, 'acct').trim())
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return show(visit, oneProblem(t, error.message, 'acct'))
  }
  return reply.redirect(`${PATH}?notice=added`, 303)
}

async function show(visit: SettingsVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const t = textsFor(visit.request)
  const aliases = await listAliases(visit.ctx, visit.session.accountId)
  const notice = NOTICES[textParam(visit.request.query, 'notice')]
  return sendSettingsPage(visit, {
    title: 'Aliases',
    path: PATH,
    status: problems === noProblems ? 200 : 422,
    ...(notice ? { notice: { text: notice } } : {}),
    body: (csrf) => html`${problems.summary}
<h1>Aliases</h1>
<section class="card">
<p class="lead">To move here from another server, first name your account there. This by itself changes nothing, and can be undone.</p>
<form method="post" action="${PATH}">${csrf}
${field(t, { label: 'Your other account', name: 'acct', value: textParam(visit.request.body, 'acct'), error: problems.of('acct'), hint: 'Its whole address, as in name@example.org.', required: true, literal: true })}
<div class="actions"><button>Add the alias</button></div>
</form>
${aliases.length > 0 && html`<hr><ul class="rows">${aliases.map((alias) => row(alias, csrf))}</ul>`}
</section>`,
  })
}

const row = (
  { uri, acct }: Alias,
  csrf: Html,
): Html => html`<li><div><p>${acct ? html`<strong>@${acct}</strong>` : uri}</p></div>
<form method="post" action="${PATH}/remove">${csrf}<input type="hidden" name="uri" value="${uri}"><button class="secondary">Remove<span class="visually-hidden"> ${acct ?? uri}</span></button></form></li>`
