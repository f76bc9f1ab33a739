import { MAX_MODERATION_NOTE, type ModerationNote } from '../../domain/moderation/notes.ts'
import { textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { mayOpenAccounts, type AdminVisit } from './frame.ts'
import { staffChip, timeAgo } from './kit.ts'

type Notes = {
  /** Receives a new note; `/delete` below it deletes one. */
  path: string
  notes: readonly ModerationNote[]
  problems: FormProblems
  mayWrite: boolean
}

/** The notes of staff about an account or a server, and the form for a new one. */
export function notesSection(
  { t, request, staff }: AdminVisit,
  csrf: Html,
  { path, notes, problems, mayWrite }: Notes,
): Html {
  const { notes: texts } = t.admin.frame
  const isSent = request.url.endsWith('/notes')
  const items = notes.map(
    ({ id, content, account_id, username, created_at }) => html`<li><div><p dir="auto">${content}</p>
<p class="muted">${staffChip(t, account_id !== null && username !== null ? { id: account_id, username } : null, { linked: mayOpenAccounts(staff) })} ${timeAgo(t, created_at)}</p></div>
${mayWrite && actButton(csrf, { action: `${path}/delete`, label: texts.delete, hidden: { note_id: id }, about: content.slice(0, 60) })}</li>`,
  )
  return html`<section class="card"><h2>${texts.title}</h2><p class="muted">${texts.hint}</p>
${items.length === 0 ? html`<p>${texts.none}</p>` : html`<ul class="rows">${items}</ul>`}
${
  mayWrite &&
  html`<form method="post" action="${path}">${csrf}
${field(t, { label: texts.new, name: 'note', type: 'textarea', value: textParam(request.body, 'note'), error: isSent ? problems.of('text') : null, required: true, maxLength: MAX_MODERATION_NOTE })}
<div class="actions"><button>${texts.add}</button></div>
</form>`
}</section>`
}
