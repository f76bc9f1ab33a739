// /admin/announcements: messages to everyone on the server.
import type { FastifyReply } from 'fastify'
import { deleteAnnouncement, publishAnnouncement, unpublishAnnouncement } from '../../actions/announcements/announce.ts'
import { mailAnnouncementTo } from '../../actions/announcements/mail.ts'
import {
  getAnnouncement,
  listAnnouncements,
  type ListedAnnouncement,
} from '../../domain/announcements/announcements.ts'
import { countFunctionalUsers } from '../../domain/users/states.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { dayOf, momentOf, numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { showAnnouncement, showNewAnnouncement, saveAnnouncement } from './announcement-form.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState, pageOfQuery, pager, stateBadge, timeAgo } from './kit.ts'

const PATH = '/admin/announcements'

export const announcementsPage: AdminPage = {
  key: 'announcements',
  path: PATH,
  permissions: ['manage_announcements'],
  routes(router) {
    router.get(PATH, show)
    router.get(`${PATH}/new`, showNewAnnouncement)
    router.get(`${PATH}/:id`, showAnnouncement)
    router.post(PATH, (visit) => saveAnnouncement(visit, null))
    router.post(`${PATH}/:id`, (visit) => saveAnnouncement(visit, pathId(visit)))
    router.post(`${PATH}/:id/publish`, publish)
    router.post(`${PATH}/:id/unpublish`, async (visit) => {
      await unpublishAnnouncement(visit.ctx, visit.staff.accountId, pathId(visit))
      return visit.reply.redirect(`${PATH}?notice=unpublished`, 303)
    })
    router.post(`${PATH}/:id/test`, async (visit) => {
      const id = pathId(visit)
      await mailAnnouncementTo(visit.ctx, visit.session.userId, id)
      return visit.reply.redirect(`${PATH}/${id}?notice=mailed_me`, 303)
    })
    router.post(`${PATH}/:id/delete`, remove)
  },
}

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.content.announcements
  const page = pageOfQuery(request.query)
  const rows = await listAnnouncements(ctx, page)
  const add = { href: `${PATH}/new`, label: texts.add }
  const { saved, published, unpublished, deleted } = texts
  return sendAdminPage(visit, {
    lead: texts.lead,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    notices: { saved, published, unpublished, deleted },
    body: (csrf) => html`${dataTable<ListedAnnouncement>(t, {
      caption: t.admin.frame.pages.announcements.label,
      rows,
      empty: emptyState({ title: texts.empty_title, text: texts.empty_text, action: add }),
      columns: [
        {
          label: texts.text,
          kind: 'main',
          cell: (row) => html`<a href="${PATH}/${row.id}" dir="auto">${excerptOf(row.text)}</a>`,
        },
        { label: texts.state, cell: (row) => stateOf(t, row) },
        { label: texts.event, cell: (row) => eventOf(t, row) },
        { label: texts.reactions, kind: 'number', cell: ({ reactions }) => numberText(t, reactions) },
        { label: texts.dismissals, kind: 'number', cell: ({ dismissals }) => numberText(t, dismissals) },
        { label: t.admin.frame.actions, kind: 'actions', cell: (row) => actionsFor(t, csrf, row) },
      ],
    })}
${pager(t, PATH, request.query, { ids: rows.map(({ id }) => id), page })}`,
  })
}

const EXCERPT = 120

function excerptOf(text: string): string {
  const characters = [...text]
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join('')}…` : text
}

function stateOf(t: Texts, row: ListedAnnouncement): Html {
  const { states, mailed } = t.admin.content.announcements
  const mail = row.mailed_at && html`<br><span class="muted">${mailed}</span>`
  if (row.ended) return html`${stateBadge(states.ended)}${mail}`
  if (row.published)
    return html`${stateBadge(states.published, 'good')} ${row.published_at && timeAgo(t, row.published_at)}${mail}`
  if (row.scheduled_at) return html`${stateBadge(states.scheduled, 'warning')} ${momentOf(t, row.scheduled_at)}`
  return html`${stateBadge(states.draft)}${mail}`
}

function eventOf(t: Texts, { starts_at: start, ends_at: end, all_day: allDay }: ListedAnnouncement): Html | null {
  const point = (date: Date): Html => (allDay ? dayOf(t, date) : momentOf(t, date))
  if (!start && !end) return null
  return html`${start && point(start)} – ${end && point(end)}`
}

function actionsFor(t: Texts, csrf: Html, { id, text, published }: ListedAnnouncement): Html {
  const texts = t.admin.content.announcements
  const about = excerptOf(text)
  return html`${actButton(csrf, {
    action: `${PATH}/${id}/${published ? 'unpublish' : 'publish'}`,
    label: published ? texts.unpublish : texts.publish,
    about,
  })}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.delete, kind: 'danger', about })}`
}

/** Asks first where that sends a mail to everyone: the list does not say so. */
async function publish(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.content.announcements
  const { id, text, mails_users: mails, mailed_at: mailed } = await getAnnouncement(ctx, pathId(visit))
  if (mails && mailed === null && textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.publish,
      lead: html`<q>${excerptOf(text)}</q> ${texts.publish_mails({ count: await countFunctionalUsers(ctx) })}`,
      action: `${PATH}/${id}/publish`,
      confirm: texts.publish,
      danger: false,
      cancel: PATH,
    })
  await publishAnnouncement(ctx, staff.accountId, id)
  return reply.redirect(`${PATH}?notice=published`, 303)
}

async function remove(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.content.announcements
  const { id, text } = await getAnnouncement(ctx, pathId(visit))
  if (textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.delete_title,
      lead: html`<q>${excerptOf(text)}</q> ${texts.delete_lead}`,
      action: `${PATH}/${id}/delete`,
      confirm: texts.delete,
      cancel: PATH,
    })
  await deleteAnnouncement(ctx, staff.accountId, id)
  return reply.redirect(`${PATH}?notice=deleted`, 303)
}
