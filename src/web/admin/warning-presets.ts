// /admin/warning_presets: texts that staff choose when they warn someone.
import type { FastifyReply } from 'fastify'
import { addPreset, changePreset, removePreset } from '../../actions/moderation/presets.ts'
import {
  getPreset,
  listPresets,
  MAX_PRESET_TITLE,
  MAX_WARNING_TEXT,
  type PresetForm,
  type WarningPreset,
} from '../../domain/moderation/presets.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field, select, type Select } from '../../html/forms.ts'
import { Invalid } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { emptyState } from './kit.ts'

const PATH = '/admin/warning_presets'

export const warningPresetsPage: AdminPage = {
  key: 'warning_presets',
  path: PATH,
  permissions: ['manage_settings'],
  routes(router) {
    router.get(PATH, (visit) => showAll(visit))
    router.post(PATH, (visit) => save(visit, null))
    router.get(`${PATH}/:id`, (visit) => showOne(visit))
    router.post(`${PATH}/:id`, (visit) => save(visit, pathId(visit)))
    router.post(`${PATH}/:id/delete`, async (visit) => {
      await removePreset(visit.ctx, visit.staff.accountId, pathId(visit))
      return visit.reply.redirect(`${PATH}?notice=deleted`, 303)
    })
  },
}

const labelOf = ({ title, text }: WarningPreset): string => title || text.slice(0, 60)

/** The field where staff choose a preset, or `none`; null on a server without presets. */
export function presetChoice(
  presets: readonly WarningPreset[],
  { none, ...choice }: Omit<Select, 'options'> & { none: string },
): Html | null {
  if (presets.length === 0) return null
  const options = presets.map((preset) => ({ value: preset.id, label: labelOf(preset) }))
  return select({ ...choice, options: [{ value: '', label: none }, ...options] })
}

const formOf = ({ request }: AdminVisit): PresetForm => ({
  title: textParam(request.body, 'title'),
  text: textParam(request.body, 'text'),
})

async function save(visit: AdminVisit, id: string | null): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  try {
    if (id === null) await addPreset(ctx, staff.accountId, formOf(visit))
    else await changePreset(ctx, staff.accountId, id, formOf(visit))
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const problems = problemsOf(t, error)
    return id === null ? showAll(visit, problems) : showOne(visit, problems)
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

async function showAll(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.accounts.presets
  const presets = await listPresets(ctx)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: { saved: texts.saved, deleted: texts.deleted },
    problems,
    body: (csrf) => html`${
      presets.length === 0
        ? emptyState({ title: texts.empty_title, text: texts.empty_text })
        : html`<section class="card"><ul class="rows">${presets.map(
            (
              preset,
            ) => html`<li><div><p><a href="${PATH}/${preset.id}"><strong dir="auto">${labelOf(preset)}</strong></a></p>
<p class="muted" dir="auto">${preset.text.slice(0, 200)}</p></div>${actButton(csrf, { action: `${PATH}/${preset.id}/delete`, label: texts.delete, about: labelOf(preset) })}</li>`,
          )}</ul></section>`
    }
<section class="card"><h2>${texts.new}</h2>${presetForm(t, csrf, { action: PATH, form: formOf(visit), problems, button: texts.add })}</section>`,
  })
}

async function showOne(visit: AdminVisit, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { ctx, t, request } = visit
  const texts = t.admin.accounts.presets
  const preset = await getPreset(ctx, pathId(visit))
  const form = request.method === 'POST' ? formOf(visit) : preset
  return sendAdminPage(visit, {
    title: texts.edit,
    back: { href: PATH, label: t.admin.frame.pages.warning_presets.label },
    problems,
    body: (csrf) =>
      html`<section class="card">${presetForm(t, csrf, { action: `${PATH}/${preset.id}`, form, problems, button: texts.save })}</section>`,
  })
}

type ShownForm = { action: string; form: PresetForm; problems: FormProblems; button: string }

function presetForm(t: Texts, csrf: Html, { action, form: { title, text }, problems, button }: ShownForm): Html {
  const texts = t.admin.accounts.presets
  return html`<form method="post" action="${action}">${csrf}
${field(t, { label: texts.title, name: 'title', value: title, error: problems.of('title'), hint: texts.title_hint, maxLength: MAX_PRESET_TITLE })}
${field(t, { label: texts.text, name: 'text', type: 'textarea', value: text, error: problems.of('text'), required: true, maxLength: MAX_WARNING_TEXT })}
<div class="actions"><button>${button}</button></div>
</form>`
}
