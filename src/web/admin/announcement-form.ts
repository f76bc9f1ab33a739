// The form of an announcement, with its preview.
import type { FastifyReply } from 'fastify'
import {
  createAnnouncement,
  MAX_ANNOUNCEMENT,
  modifyAnnouncement,
  type AnnouncementForm,
} from '../../actions/announcements/announce.ts'
import { getAnnouncement, type AnnouncementRow } from '../../domain/announcements/announcements.ts'
import { presentAnnouncements } from '../../entities/announcement.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { checkbox, field, radioGroup } from '../../html/forms.ts'
import { parseInstant } from '../../lib/dates.ts'
import { invalidFields } from '../../lib/errors.ts'
import { html, raw, type Html } from '../../lib/html.ts'
import { message } from '../../messages/message.ts'
import type { Texts } from '../../messages/pages.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { emojiHtml } from '../names.ts'
import { actButton } from './forms.ts'
import { sendAdminPage, type AdminVisit } from './frame.ts'

const PATH = '/admin/announcements'

/** As typed. Times are those of a `datetime-local` field. */
type Filled = {
  text: string
  starts_at: string
  ends_at: string
  scheduled_at: string
  all_day: boolean
  mails_users: boolean
  when: string
}

const EMPTY: Filled = {
  text: '',
  starts_at: '',
  ends_at: '',
  scheduled_at: '',
  all_day: false,
  mails_users: false,
  when: 'now',
}

export const showNewAnnouncement = (visit: AdminVisit): Promise<FastifyReply> => sendForm(visit, null, EMPTY)

export async function showAnnouncement(visit: AdminVisit): Promise<FastifyReply> {
  const row = await getAnnouncement(visit.ctx, pathId(visit))
  return sendForm(visit, row, {
    text: row.text,
    starts_at: fieldTime(row.starts_at),
    ends_at: fieldTime(row.ends_at),
    scheduled_at: fieldTime(row.scheduled_at),
    all_day: row.all_day,
    mails_users: row.mails_users,
    when: row.scheduled_at ? 'schedule' : 'draft',
  })
}

/** `id`: null for a new one. The button `preview` saves nothing. */
export async function saveAnnouncement(visit: AdminVisit, id: string | null): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const row = id === null ? null : await getAnnouncement(ctx, id)
  const filled = filledIn(request.body)
  if (textParam(request.body, 'act') === 'preview') return sendForm(visit, row, filled)
  const texts = t.admin.content.announcements
  try {
    if (id === null) await createAnnouncement(ctx, staff.accountId, formOf(filled))
    else await modifyAnnouncement(ctx, staff.accountId, id, formOf(filled))
  } catch (error) {
    return sendForm(visit, row, filled, labelledProblems(t, error, texts))
  }
  return reply.redirect(`${PATH}?notice=${filled.when === 'now' && !row?.published ? 'published' : 'saved'}`, 303)
}

function filledIn(body: unknown): Filled {
  const sent = (name: string): string => textParam(body, name)
  return {
    text: sent('text'),
    starts_at: sent('starts_at'),
    ends_at: sent('ends_at'),
    scheduled_at: sent('scheduled_at'),
    all_day: sent('all_day') === '1',
    mails_users: sent('mails_users') === '1',
    when: sent('when'),
  }
}

/** Throws Invalid with `details` for times that are none: not all browsers have a field for them. */
function formOf({ text, all_day: allDay, mails_users: mailsUsers, when, ...times }: Filled): AnnouncementForm {
  const time = (name: keyof typeof times, value = times[name]): Date | null => {
    const instant = parseInstant(value)
    if (instant === null && value !== '')
      throw invalidFields({ [name]: [{ error: 'ERR_INVALID', description: message('invalid') }] })
    return instant
  }
  // All-day events have the day alone.
  const point = (name: 'starts_at' | 'ends_at'): Date | null =>
    time(name, allDay ? times[name].slice(0, 10) : times[name])
  return {
    text,
    startsAt: point('starts_at'),
    endsAt: point('ends_at'),
    allDay,
    mailsUsers,
    when: when === 'now' || when === 'schedule' ? when : 'draft',
    scheduledAt: time('scheduled_at'),
  }
}

const fieldTime = (date: Date | null): string => date?.toISOString().slice(0, 16) ?? ''

async function sendForm(
  visit: AdminVisit,
  row: AnnouncementRow | null,
  filled: Filled,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { t } = visit
  const texts = t.admin.content.announcements
  const preview = await previewOf(visit, row, filled)
  return sendAdminPage(visit, {
    title: row === null ? texts.add : texts.edit,
    back: { href: PATH, label: texts.all },
    notices: { mailed_me: t.admin.frame.mailed_me },
    problems,
    body: (csrf) => html`${preview}
<form class="card" method="post" action="${row === null ? PATH : `${PATH}/${row.id}`}">${csrf}
${field(t, { label: texts.text, name: 'text', type: 'textarea', value: filled.text, hint: texts.text_hint, error: problems.of('text'), required: true, maxLength: MAX_ANNOUNCEMENT })}
${eventFields(t, filled, problems)}
${!row?.published && publicationFields(t, filled, problems)}
${row?.mailed_at ? html`<p class="hint">${texts.mailed}</p>` : checkbox({ label: texts.mails_users, name: 'mails_users', checked: filled.mails_users, hint: texts.mails_users_hint })}
<div class="actions"><button name="act" value="save">${texts.save}</button><button class="secondary" name="act" value="preview" formnovalidate>${texts.preview}</button></div>
</form>
${row && !row.mailed_at && actButton(csrf, { action: `${PATH}/${row.id}/test`, label: t.admin.frame.mail_me })}`,
  })
}

function eventFields(t: Texts, filled: Filled, problems: FormProblems): Html {
  const texts = t.admin.content.announcements
  const time = (name: 'starts_at' | 'ends_at'): Html =>
    field(t, {
      label: texts[name],
      name,
      type: 'datetime-local',
      value: filled[name],
      hint: texts.utc,
      error: problems.of(name),
    })
  return html`<fieldset><legend>${texts.event}</legend>
<p class="hint">${texts.event_hint}</p>
${time('starts_at')}
${time('ends_at')}
${checkbox({ label: texts.all_day, name: 'all_day', checked: filled.all_day })}
</fieldset>`
}

function publicationFields(t: Texts, filled: Filled, problems: FormProblems): Html {
  const texts = t.admin.content.announcements
  const options = (['now', 'draft', 'schedule'] as const).map((value) => ({ value, label: texts[value] }))
  return html`${radioGroup({ legend: texts.when, name: 'when', value: filled.when, options })}
${field(t, { label: texts.scheduled_at, name: 'scheduled_at', type: 'datetime-local', value: filled.scheduled_at, hint: texts.utc, error: problems.of('scheduled_at') })}`
}

/** The announcement as apps will show it. Null while it has no text. */
async function previewOf({ ctx, t }: AdminVisit, row: AnnouncementRow | null, filled: Filled): Promise<Html | null> {
  if (filled.text.trim() === '') return null
  const shown: AnnouncementRow = {
    id: row?.id ?? '0',
    text: filled.text.slice(0, MAX_ANNOUNCEMENT),
    published: false,
    published_at: null,
    scheduled_at: null,
    starts_at: null,
    ends_at: null,
    all_day: false,
    status_ids: [],
    mails_users: false,
    mailed_at: null,
    updated_at: new Date(),
  }
  const [announcement] = await presentAnnouncements(ctx, [shown], null)
  if (!announcement) return null
  const reactions = announcement.reactions.map(
    ({ name, count, url }) =>
      html`<li>${url ? html`<img class="emoji" src="${url}" alt=":${name}:" width="20" height="20">` : name} ${count}</li>`,
  )
  return html`<section class="card" aria-labelledby="preview"><h2 id="preview">${t.admin.content.announcements.preview}</h2>
<div class="content" dir="auto">${emojiHtml(raw(announcement.content), announcement.emojis)}</div>
${reactions.length > 0 && html`<ul class="reactions">${reactions}</ul>`}
</section>`
}
