// The outcome of a report: one form with the reported posts, a text for the user, and a button for each outcome.
import type { FastifyReply } from 'fastify'
import { actOnAccount } from '../../actions/moderation/act-on-account.ts'
import { resolveReports } from '../../actions/moderation/handle-reports.ts'
import { isModerationState } from '../../actions/moderation/lift.ts'
import type { Context } from '../../context.ts'
import { getAccountRow } from '../../domain/accounts/find.ts'
import { previewSuspension } from '../../domain/moderation/account-page.ts'
import { labelOf } from '../../domain/moderation/accounts.ts'
import { MAX_WARNING_TEXT, type WarningPreset } from '../../domain/moderation/presets.ts'
import { type DeletedReportedStatus, KEEP_DAYS } from '../../domain/reports/deleted-statuses.ts'
import { MAX_REPORTED, getReport } from '../../domain/reports/reports.ts'
import type { Account } from '../../entities/account.ts'
import type { Collection } from '../../entities/collection.ts'
import type { Status } from '../../entities/status.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { Texts } from '../../messages/pages.ts'
import { type FormProblems, oneProblem, problemsOf } from '../form-problems.ts'
import { sendConfirmationPage } from './forms.ts'
import type { AdminVisit } from './frame.ts'
import { definitions, stateBadge, statusExcerpt, timeAgo } from './kit.ts'
import { presetChoice } from './warning-presets.ts'
import { colonOf } from '../../messages/colon.ts'

const OUTCOMES = [
  'resolve',
  'none',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'disable',
  'suspend',
] as const
type Outcome = (typeof OUTCOMES)[number]

/** Outcomes that only local accounts can have. */
const LOCAL: readonly Outcome[] = ['none', 'disable']
const NEEDS_CONTENT: readonly Outcome[] = ['mark_statuses_as_sensitive', 'delete_statuses']
/** Outcomes that are confirmed on a page of their own. */
const GRAVE: readonly Outcome[] = ['delete_statuses', 'suspend']

/** The values that the form sent, to fill it in again. */
export type Typed = { text: string; presetId: string; mail: boolean } & Record<
  'statusIds' | 'collectionIds',
  readonly string[] | null
>

export function typedIn(body: unknown): Typed {
  const isSent = textParam(body, 'act') !== ''
  const chosen = (name: string): string[] | null => {
    const { [name]: ids } = (body ?? {}) as Record<string, unknown>
    if (!isSent) return null
    const list = Array.isArray(ids) ? ids : []
    return list.filter((id): id is string => typeof id === 'string' && isId(id)).slice(0, MAX_REPORTED)
  }
  return {
    text: textParam(body, 'text'),
    presetId: textParam(body, 'preset'),
    mail: !isSent || textParam(body, 'mail') === '1',
    statusIds: chosen('status_ids'),
    collectionIds: chosen('collection_ids'),
  }
}

const chosenIn = ({ statusIds, collectionIds }: Typed) => ({
  statusIds: statusIds ?? [],
  collectionIds: collectionIds ?? [],
})

type OutcomeForm = {
  path: string
  target: Account
  statuses: readonly Status[]
  deleted: readonly DeletedReportedStatus[]
  collections: readonly Collection[]
  /** How many of the reported posts are gone. */
  missing: number
  presets: readonly WarningPreset[]
  typed: Typed
  problems: FormProblems
  resolved: boolean
}

/** The reported posts and collections and, unless the report is resolved, the possible outcomes. */
export function outcomeForm(t: Texts, ctx: Context, csrf: Html, form: OutcomeForm): Html {
  const { path, target, statuses, deleted, collections, missing, typed, resolved } = form
  const { reports } = t.admin
  const isChosen = (id: string): boolean => typed.statusIds === null || typed.statusIds.includes(id)
  const posts = statuses.map((status) => {
    const excerpt = statusExcerpt(t, ctx, status, { author: false })
    if (resolved) return excerpt
    const label = html`<label class="batch-choice"><input type="checkbox" name="status_ids[]" value="${status.id}"${isChosen(status.id) && html` checked`}> ${reports.include_post}<span class="visually-hidden"> #${status.id}</span></label>`
    const remove = html`<button class="secondary" name="status_id" value="${status.id}" formaction="${path}/statuses/remove">${reports.remove_post}<span class="visually-hidden"> #${status.id}</span></button>`
    return html`<div class="report-post">${label}${excerpt}<div class="compact">${remove}</div></div>`
  })
  const body = html`<section class="card"><h2>${reports.reported_posts}</h2>
${posts}
${statuses.length === 0 && html`<p class="muted">${reports.no_posts}</p>`}
${missing > 0 && html`<p class="muted">${reports.missing_posts({ count: missing })}${deleted.length > 0 && html` ${reports.deleted_texts({ count: KEEP_DAYS })}`}</p>`}
${deleted.map((status) => deletedStatus(t, status))}
${collections.length > 0 && collectionList(t, form)}
<p><a href="${path}/statuses">${reports.add_posts}</a></p></section>`
  if (resolved) return body
  return html`<form method="post" action="${path}/outcome" class="report-outcome">${csrf}
${body}
${decision(t, form, target)}
</form>`
}

function deletedStatus(t: Texts, status: DeletedReportedStatus): Html {
  const { frame, reports } = t.admin
  const { language, spoiler_text: warning, poll_options: options, media_descriptions: files } = status
  const lang = language && html` lang="${language}"`
  const text = htmlToText(status.content).trim()
  return html`<article class="excerpt">
<p class="excerpt-head">${timeAgo(t, status.created_at)} ${stateBadge(reports.post_deleted, 'bad')} ${timeAgo(t, status.deleted_at)}</p>
${warning !== '' && html`<p class="excerpt-warning"><strong><bdi${lang}>${warning}</bdi></strong></p>`}
<p class="excerpt-text" dir="auto"${lang}>${text || html`<span class="muted">${frame.no_text}</span>`}</p>
${options.length > 0 && html`<ul${lang}>${options.map((option) => html`<li dir="auto">${option}</li>`)}</ul>`}
${files.length > 0 && html`<p>${frame.files({ count: files.length })}</p><ul${lang}>${files.filter((description) => description !== '').map((description) => html`<li dir="auto">${description}</li>`)}</ul>`}
</article>`
}

function collectionList(t: Texts, { typed, collections, resolved }: OutcomeForm): Html {
  const { reports } = t.admin
  const isChosen = (id: string): boolean => typed.collectionIds === null || typed.collectionIds.includes(id)
  const items = collections.map(({ id, name, url, uri, description, sensitive }) => {
    const choice = html`<label class="batch-choice"><input type="checkbox" name="collection_ids[]" value="${id}"${isChosen(id) && html` checked`}> ${reports.include_collection}<bdi class="visually-hidden"> ${name}</bdi></label>`
    return html`<div class="report-post">${!resolved && choice}<article class="excerpt"><p><a href="${url ?? uri}"><bdi>${name}</bdi></a> ${sensitive && stateBadge(reports.sensitive, 'warning')}</p>
<p class="excerpt-text" dir="auto">${htmlToText(description)}</p></article></div>`
  })
  return html`<h3 class="report-collections">${reports.reported_collections}</h3>${items}`
}

function decision(t: Texts, { typed, presets, statuses, collections, problems }: OutcomeForm, target: Account): Html {
  const { reports } = t.admin
  const isLocal = !target.acct.includes('@')
  const shown = OUTCOMES.filter((outcome) => {
    if (LOCAL.includes(outcome)) return isLocal
    return !NEEDS_CONTENT.includes(outcome) || statuses.length + collections.length > 0
  })
  const textHint = presets.length > 0 ? `${reports.text_hint} ${t.admin.accounts.account.text_hint}` : reports.text_hint
  const texts = html`${presetChoice(presets, { label: reports.preset, name: 'preset', value: typed.presetId, none: t.admin.frame.none })}
${field(t, { label: reports.text, name: 'text', type: 'textarea', value: typed.text, maxLength: MAX_WARNING_TEXT, hint: textHint, error: problems.of('text') })}
${checkbox({ label: reports.send_mail, name: 'mail', checked: typed.mail })}`
  const buttons = shown.map((outcome) => {
    const isDanger = outcome === 'suspend' || outcome === 'delete_statuses'
    const kind = isDanger ? 'danger' : 'secondary'
    const { label, hint } = reports.outcomes[outcome]
    const about = html`${hint}${isModerationState(outcome) && html` ${reports.resolves_all}`}`
    return html`<div class="outcome"><button${outcome !== 'resolve' && html` class="${kind}"`} name="act" value="${outcome}" aria-describedby="about-${outcome}">${label}</button><p class="hint" id="about-${outcome}">${about}</p></div>`
  })
  return html`<section class="card"><h2>${reports.decide}</h2>
${isLocal && texts}
<div class="outcomes">${buttons}</div></section>`
}

type Show = (visit: AdminVisit, problems?: FormProblems) => Promise<FastifyReply>

/** Resolves the report with what was chosen. Outcomes that are hard to undo are confirmed first. */
export async function saveOutcome(visit: AdminVisit, id: string, show: Show): Promise<FastifyReply> {
  const { ctx, t, request, reply, staff } = visit
  const { reports } = t.admin
  const outcome = OUTCOMES.find((name) => name === textParam(request.body, 'act'))
  if (outcome === undefined) throw new NotFound()
  const report = await getReport(ctx, id)
  if (outcome !== 'resolve' && report.action_taken_at !== null) return show(visit, oneProblem(t, reports.is_resolved))
  const typed = typedIn(request.body)
  const { statusIds, collectionIds } = chosenIn(typed)
  if (NEEDS_CONTENT.includes(outcome) && statusIds.length + collectionIds.length === 0)
    return show(visit, oneProblem(t, reports.choose_posts))
  if (outcome === 'none' && typed.text.trim() === '' && !isId(typed.presetId))
    return show(visit, oneProblem(t, reports.write_text, 'text'))
  if (GRAVE.includes(outcome) && textParam(request.body, 'confirmed') !== '1') return confirm(visit, id, outcome, typed)
  try {
    if (outcome === 'resolve') await ctx.transaction((tx) => resolveReports(tx, staff.accountId, { reportId: id }))
    else
      await actOnAccount(ctx, staff.accountId, {
        accountId: report.target_account_id,
        type: outcome,
        reportId: id,
        // Another moderator may decide at the same moment.
        once: true,
        text: typed.text,
        warningPresetId: isId(typed.presetId) ? typed.presetId : undefined,
        sendMail: typed.mail,
        statusIds,
        collectionIds: collectionIds.filter((each) => report.collection_ids.includes(each)),
      })
  } catch (error) {
    if (error instanceof Forbidden) return show(visit, oneProblem(t, reports.outranked))
    return show(visit, problemsOf(t, error))
  }
  return reply.redirect(`/admin/reports/${id}?notice=resolved`, 303)
}

async function confirm(visit: AdminVisit, id: string, outcome: Outcome, typed: Typed): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { reports } = t.admin
  const path = `/admin/reports/${id}`
  const { target_account_id: targetId } = await getReport(ctx, id)
  const target = await getAccountRow(ctx, targetId)
  const { label, hint } = reports.outcomes[outcome]
  const { statusIds, collectionIds } = chosenIn(typed)
  const dryRun: [string, string | false][] =
    outcome === 'suspend'
      ? await suspensionFacts(t, ctx, targetId)
      : [
          [reports.deleted_posts, numberText(t, statusIds.length)],
          [reports.deleted_collections, collectionIds.length > 0 && numberText(t, collectionIds.length)],
        ]
  return sendConfirmationPage(visit, {
    title: `${label}${colonOf(t.language)}${labelOf(target)}`,
    lead: hint,
    dryRun: definitions(dryRun),
    action: `${path}/outcome`,
    hidden: {
      act: outcome,
      text: typed.text,
      preset: typed.presetId,
      mail: typed.mail ? '1' : '',
      status_ids: statusIds,
      collection_ids: collectionIds,
    },
    confirm: label,
    cancel: path,
  })
}

async function suspensionFacts(t: Texts, ctx: Context, accountId: string): Promise<[string, string][]> {
  const { reports } = t.admin
  const preview = await previewSuspension(ctx, accountId)
  return [
    [reports.hidden_posts, numberText(t, preview.statuses)],
    [reports.lost_followers, numberText(t, preview.local_followers)],
    [reports.lost_following, numberText(t, preview.local_followed)],
    [reports.resolved_reports, numberText(t, preview.unresolved_reports)],
  ]
}
