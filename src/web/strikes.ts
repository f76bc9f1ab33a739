// /disputes/strikes: what moderators decided about the user, who may appeal. Disabled and suspended users see it too.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { appealWarning } from '../actions/moderation/appeals.ts'
import type { Context } from '../context.ts'
import type { Session } from '../domain/auth/sessions.ts'
import { findCollectionsOf } from '../domain/collections/collections.ts'
import { getModerated } from '../domain/moderation/accounts.ts'
import { APPEAL_DAYS, isAppealable, MAX_APPEAL } from '../domain/moderation/appeals.ts'
import { findStatusTexts } from '../domain/moderation/moderated-statuses.ts'
import { getWarningOf, listWarnings, type Warning } from '../domain/moderation/warnings.ts'
import { checkForm } from '../html/csrf.ts'
import { pathId, sendFormPage, textParam, type FormVisit } from '../html/form-page.ts'
import { field } from '../html/forms.ts'
import { restrictedSession } from '../html/session.ts'
import { signInPath } from '../html/signed-in-page.ts'
import { dayOf, fillText, momentOf, textsFor } from '../html/texts.ts'
import { limitUse } from '../http/ratelimit.ts'
import { addDays } from '../lib/dates.ts'
import { Forbidden } from '../lib/errors.ts'
import { html, type Html } from '../lib/html.ts'
import { htmlToText } from '../lib/sanitize.ts'
import type { Texts } from '../messages/pages.ts'
import { noProblems, oneProblem, problemsOf, type FormProblems } from './form-problems.ts'
import type { SettingsPage } from './settings/frame.ts'
import { colonOf } from '../messages/colon.ts'

const STRIKES_PATH = '/disputes/strikes'

/** Only the entry of the menu: users without settings see the page too. */
export const strikesPage: SettingsPage = { key: 'strikes', path: STRIKES_PATH, routes: () => {} }

type Visit = FormVisit & { session: Session; t: Texts }

export function registerStrikes(app: FastifyInstance, ctx: Context): void {
  const visiting =
    (handle: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FormVisit['request'], reply: FastifyReply): Promise<FastifyReply> => {
      const session = await restrictedSession(ctx, request)
      if (!session) return reply.redirect(signInPath(request.url), 303)
      return handle({ ctx, request, reply, session, t: textsFor(request) })
    }
  app.get(STRIKES_PATH, visiting(showAll))
  app.get(
    `${STRIKES_PATH}/:id`,
    visiting((visit) => showOne(visit)),
  )
  app.post(`${STRIKES_PATH}/:id/appeal`, visiting(appeal))
}

async function showAll(visit: Visit): Promise<FastifyReply> {
  const { ctx, session, t } = visit
  const texts = t.disputes.strikes
  const [warnings, state] = await Promise.all([listWarnings(ctx, session.accountId), stateNotice(visit)])
  return sendFormPage(visit, {
    title: texts.title,
    kind: 'reading',
    body: (csrf) => html`${session.state === 'usable' && html`<p><a href="/settings">${t.settings.menu.all}</a></p>`}
<h1>${texts.title}</h1>
${state && html`<p class="lead"><strong>${state}</strong></p>`}
<p class="lead">${texts.lead}</p>
<section class="card">${
      warnings.length === 0
        ? html`<p>${texts.empty}</p>`
        : html`<ul class="rows">${warnings.map((warning) => row(t, warning))}</ul>`
    }</section>
${signOut(visit, csrf)}`,
  })
}

const row = (t: Texts, warning: Warning): Html => html`<li><div>
<p><a href="${STRIKES_PATH}/${warning.id}"><strong>${t.disputes.strikes.actions[warning.action]}</strong></a> ${badge(t, warning)}</p>
<p class="muted">${momentOf(t, warning.created_at)}</p></div></li>`

function badge(t: Texts, { appeal: given, overruled_at }: Warning): Html | null {
  const { states, overruled } = t.disputes.strikes
  if (overruled_at) return html`<span class="badge">${overruled}</span>`
  return (
    given && html`<span class="badge">${t.disputes.strikes.appeal}${colonOf(t.language)}${states[given.state]}</span>`
  )
}

/** Why the user cannot use the account; null when they can. */
async function stateNotice({ ctx, session, t }: Visit): Promise<Html | string | null> {
  const texts = t.disputes.strikes
  if (session.state === 'usable') return null
  if (session.state === 'disabled') return texts.disabled
  const { purge_at } = await getModerated(ctx, session.accountId)
  return purge_at ? fillText(texts.suspended, { date: dayOf(t, purge_at) }) : texts.gone
}

/** Other users have the button in the header. */
const signOut = ({ session, t }: Visit, csrf: Html): Html | null =>
  session.state === 'usable'
    ? null
    : html`<form method="post" action="/auth/sign_out">${csrf}<div class="actions"><button class="secondary">${t.disputes.strikes.sign_out}</button></div></form>`

const warningOf = (visit: Visit): Promise<Warning> => getWarningOf(visit.ctx, visit.session.accountId, pathId(visit))

async function appeal(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, reply, session, t } = visit
  await checkForm(ctx, request)
  const { id } = await warningOf(visit)
  await limitUse(ctx, 'appeals', session.userId)
  const text = textParam(request.body, 'text')
  try {
    await appealWarning(ctx, { accountId: session.accountId, warningId: id, text })
  } catch (error) {
    // The page then shows an earlier appeal, or that it is too late.
    return showOne(visit, error instanceof Forbidden ? oneProblem(t, error.text) : problemsOf(t, error))
  }
  return reply.redirect(`${STRIKES_PATH}/${id}?notice=sent`, 303)
}

async function showOne(visit: Visit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, request, t } = visit
  const texts = t.disputes.strikes
  const warning = await warningOf(visit)
  const { target_account_id: accountId, status_ids: statusIds, collection_ids: collectionIds } = warning
  const [statuses, collections] = await Promise.all([
    findStatusTexts(ctx, accountId, statusIds),
    findCollectionsOf(ctx, accountId, collectionIds),
  ])
  const title = texts.actions[warning.action]
  const isSent = textParam(request.query, 'notice') === 'sent'
  return sendFormPage(visit, {
    title,
    kind: 'reading',
    status: problems === noProblems ? 200 : 422,
    ...(isSent ? { notice: { text: texts.sent } } : {}),
    body: (csrf) => html`<p><a href="${STRIKES_PATH}">${texts.back}</a></p>
${problems.summary}
<h1>${title}</h1>
<p class="muted">${momentOf(t, warning.created_at)} ${warning.overruled_at && html`<span class="badge">${texts.overruled}</span>`}</p>
<section class="card"><h2>${texts.reason}</h2>
${warning.text === '' ? html`<p>${texts.no_reason}</p>` : paragraphs(warning.text)}
${
  statusIds.length > 0 &&
  html`<h2>${texts.posts}</h2><p class="muted">${texts.count({ count: statusIds.length })}</p>
${statuses.length === 0 ? html`<p>${texts.removed}</p>` : statuses.map(({ content }) => html`<blockquote dir="auto">${paragraphs(htmlToText(content))}</blockquote>`)}`
}
${
  collectionIds.length > 0 &&
  html`<h2>${texts.collections}</h2><p class="muted">${texts.collection_count({ count: collectionIds.length })}</p>
${collections.length === 0 ? html`<p>${texts.collections_removed}</p>` : html`<ul>${collections.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}</ul>`}`
}</section>
<section class="card"><h2>${texts.appeal}</h2>${appealPart(visit, warning, problems, csrf)}</section>
${signOut(visit, csrf)}`,
  })
}

const paragraphs = (text: string): Html[] => text.split(/\n{2,}/).map((part) => html`<p dir="auto">${part}</p>`)

function appealPart({ t, request }: Visit, warning: Warning, problems: FormProblems, csrf: Html): Html {
  const texts = t.disputes.strikes
  const { appeal: given } = warning
  if (given)
    return html`<p><span class="badge">${texts.states[given.state]}</span> ${fillText(texts.yours, { date: dayOf(t, new Date(given.created_at)) })}</p>
<blockquote dir="auto">${paragraphs(given.text)}</blockquote>`
  if (!isAppealable(warning)) return html`<p>${warning.overruled_at ? texts.overruled : texts.too_late}</p>`
  const until = addDays(warning.created_at, APPEAL_DAYS)
  return html`<p>${fillText(texts.until, { date: dayOf(t, until) })}</p>
<form method="post" action="${STRIKES_PATH}/${warning.id}/appeal">${csrf}
${field(t, { label: texts.appeal_text, name: 'text', type: 'textarea', value: textParam(request.body, 'text'), error: problems.of('text'), hint: texts.appeal_hint, required: true, maxLength: MAX_APPEAL })}
<div class="actions"><button>${texts.send}</button></div>
</form>`
}
