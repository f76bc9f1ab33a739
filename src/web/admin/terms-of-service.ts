// /admin/terms_of_service: versions with the days from which they apply, a draft with a preview, and the mail to users.
import type { FastifyReply } from 'fastify'
import { discardTermsDraft, mailTerms, mailTermsTo, publishTerms, saveTermsDraft } from '../../actions/admin/terms.ts'
import {
  findCurrentTerms,
  findDraft,
  getTerms,
  listTerms,
  type Terms,
  type TermsValues,
} from '../../domain/terms/terms.ts'
import { countFunctionalUsers } from '../../domain/users/states.ts'
import { termsHtml } from '../../entities/terms-of-service.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { dayOf, dayText } from '../../html/texts.ts'
import { NotFound } from '../../lib/errors.ts'
import { html, raw, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, progressBar, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/terms_of_service'

export const termsOfServicePage: AdminPage = {
  key: 'terms_of_service',
  path: PATH,
  permissions: ['manage_settings'],
  routes(router) {
    router.get(PATH, list)
    router.get(`${PATH}/draft`, async (visit) => showForm(visit, await startOf(visit)))
    router.post(`${PATH}/draft`, save)
    router.get(`${PATH}/draft/preview`, preview)
    router.post(`${PATH}/draft/publish`, publish)
    router.post(`${PATH}/draft/discard`, async ({ ctx, staff, reply }) => {
      await discardTermsDraft(ctx, staff.accountId)
      return reply.redirect(`${PATH}?notice=discarded`, 303)
    })
    router.get(`${PATH}/:id/mail`, confirmMail)
    router.post(`${PATH}/:id/mail`, async (visit) => {
      const { ctx, staff, session, request, reply } = visit
      const isTest = textParam(request.body, 'act') === 'test'
      if (isTest) await mailTermsTo(ctx, session.userId, pathId(visit))
      else await mailTerms(ctx, staff.accountId, pathId(visit))
      return reply.redirect(`${PATH}?notice=${isTest ? 'mailed_me' : 'mailing'}`, 303)
    })
  },
}

const day = (date: string): Date => new Date(`${date}T00:00:00Z`)

const termsOf = (visit: AdminVisit): Promise<Terms> => getTerms(visit.ctx, pathId(visit))

/** The draft, or else the text of the current version. */
async function startOf({ ctx }: AdminVisit): Promise<TermsValues> {
  const draft = await findDraft(ctx)
  if (draft) return { text: draft.text, changelog: draft.changelog, effectiveDate: draft.effective_date }
  return { text: (await findCurrentTerms(ctx))?.text ?? '', changelog: '', effectiveDate: '' }
}

async function save(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const text = (name: string): string => textParam(request.body, name)
  const values = { text: text('text'), changelog: text('changelog'), effectiveDate: text('effective_date') }
  try {
    await saveTermsDraft(ctx, staff.accountId, values)
  } catch (error) {
    return showForm(visit, values, problemsOf(t, error))
  }
  return reply.redirect(`${PATH}/draft/preview`, 303)
}

async function publish(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  try {
    await publishTerms(ctx, staff.accountId)
  } catch (error) {
    if (error instanceof NotFound) throw error
    return showForm(visit, await startOf(visit), problemsOf(t, error))
  }
  return reply.redirect(`${PATH}?notice=published`, 303)
}

async function confirmMail(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { terms: texts } = t.admin.registration
  const { id, effective_date: date, mailing_started_at: started, published_at: published } = await termsOf(visit)
  if (started || !published) throw new NotFound()
  return sendConfirmationPage(visit, {
    title: texts.mail,
    lead: texts.mail_lead({ count: await countFunctionalUsers(ctx), date: dayText(t, day(date)) }),
    action: `${PATH}/${id}/mail`,
    fields: html`<p><button class="secondary" name="act" value="test">${t.admin.frame.mail_me}</button></p>`,
    confirm: texts.mail,
    danger: false,
    cancel: PATH,
  })
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { terms: texts } = t.admin.registration
  const [versions, draft] = await Promise.all([listTerms(ctx), findDraft(ctx)])
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: {
      published: texts.published,
      discarded: texts.discarded,
      mailing: texts.mailing,
      mailed_me: t.admin.frame.mailed_me,
    },
    actions: html`<a class="button" href="${PATH}/draft">${draft ? texts.edit_draft : texts.new_draft}</a>`,
    body: (csrf) => html`${draft && draftCard(t, draft, csrf)}
<h2>${texts.versions}</h2>
${table(t, versions)}`,
  })
}

function draftCard(t: Texts, draft: Terms, csrf: Html): Html {
  const { terms: texts } = t.admin.registration
  const from = draft.effective_date && html` · ${texts.effective_date} ${dayOf(t, day(draft.effective_date))}`
  return html`<section class="card" aria-labelledby="draft"><h2 id="draft">${texts.draft}</h2>
<p class="muted">${timeAgo(t, draft.updated_at)}${from}</p>
<div class="actions"><a class="button secondary" href="${PATH}/draft/preview">${texts.publish}</a>${actButton(csrf, { action: `${PATH}/draft/discard`, label: texts.discard, kind: 'danger' })}</div>
</section>`
}

function table(t: Texts, versions: readonly Terms[]): Html {
  const { terms: texts } = t.admin.registration
  const state = ({ effective, succeeded_by: next }: Terms): Html => {
    if (!effective) return stateBadge(texts.upcoming, 'warning')
    const isReplaced = next !== null && day(next).getTime() <= Date.now()
    return isReplaced ? stateBadge(texts.former) : stateBadge(texts.current, 'good')
  }
  return dataTable(t, {
    caption: texts.versions,
    rows: versions,
    empty: emptyState({
      title: texts.empty,
      text: texts.empty_text,
      action: { href: `${PATH}/draft`, label: texts.new_draft },
    }),
    columns: [
      {
        label: texts.effective_date,
        kind: 'main',
        cell: ({ effective_date: date }) => html`<a href="/terms-of-service/${date}">${dayOf(t, day(date))}</a>`,
      },
      { label: t.admin.registration.invites.state, cell: state },
      {
        label: texts.mails,
        cell: ({ id, mailing_started_at: started, mails_sent: sent, mails_total: total }) =>
          started
            ? progressBar(t, texts.mails, sent, Math.max(sent, total))
            : html`${texts.not_mailed} · <a href="${PATH}/${id}/mail">${texts.mail}</a>`,
      },
    ],
  })
}

function showForm(visit: AdminVisit, values: TermsValues, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const { terms: texts } = t.admin.registration
  return sendAdminPage(visit, {
    title: texts.draft,
    back: { href: PATH, label: t.admin.frame.pages.terms_of_service.label },
    problems,
    body: (csrf) => html`<form method="post" action="${PATH}/draft" class="card document-form">${csrf}
${field(t, { label: texts.text, name: 'text', type: 'textarea', value: values.text, hint: texts.text_hint, error: problems.of('text'), required: true })}
${field(t, { label: texts.changelog, name: 'changelog', type: 'textarea', value: values.changelog, hint: texts.changelog_hint, error: problems.of('changelog') })}
${field(t, { label: texts.effective_date, name: 'effective_date', type: 'date', value: values.effectiveDate, hint: texts.date_hint, error: problems.of('effective_date') })}
<div class="actions"><button>${texts.preview}</button></div>
</form>`,
  })
}

async function preview(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { terms: texts } = t.admin.registration
  const draft = await findDraft(ctx)
  if (!draft) throw new NotFound()
  const content = raw(await termsHtml(ctx, draft.text))
  return sendAdminPage(visit, {
    title: texts.draft,
    back: { href: PATH, label: t.admin.frame.pages.terms_of_service.label },
    ...(draft.effective_date ? { lead: html`${texts.effective_date} ${dayOf(t, day(draft.effective_date))}` } : {}),
    body: (csrf) => html`<section class="card">${content}</section>
<p>${texts.publish_lead}</p>
<div class="actions">${actButton(csrf, { action: `${PATH}/draft/publish`, label: texts.publish, kind: 'primary' })}<a class="button secondary" href="${PATH}/draft">${texts.edit_draft}</a></div>`,
  })
}
