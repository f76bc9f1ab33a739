// /admin/rules: what holds on this server, in each language.
import type { FastifyReply } from 'fastify'
import { createRule, deleteRule, modifyRule, moveRule } from '../../actions/server/rules.ts'
import { LANGUAGES } from '../../domain/server/languages.ts'
import {
  getRule,
  listRules,
  MAX_RULE_HINT,
  MAX_RULE_TEXT,
  type RuleForm,
  type ServerRule,
} from '../../domain/server/rules.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { languageChoices, languageName } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { actButton, sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, emptyState } from './kit.ts'

const PATH = '/admin/rules'

export const rulesPage: AdminPage = {
  key: 'rules',
  path: PATH,
  permissions: ['manage_rules'],
  routes(router) {
    router.get(PATH, show)
    router.get(`${PATH}/new`, (visit) => sendForm(visit, null, EMPTY))
    router.get(`${PATH}/:id`, async (visit) => {
      const rule = await getRule(visit.ctx, pathId(visit))
      return sendForm(visit, rule.id, { ...filledWith(rule), added: BLANK })
    })
    router.post(PATH, (visit) => save(visit, null))
    router.post(`${PATH}/:id`, (visit) => save(visit, pathId(visit)))
    router.post(`${PATH}/:id/move`, async (visit) => {
      const direction = textParam(visit.request.body, 'direction') === 'up' ? 'up' : 'down'
      await moveRule(visit.ctx, visit.staff.accountId, pathId(visit), direction)
      return visit.reply.redirect(`${PATH}?notice=moved`, 303)
    })
    router.post(`${PATH}/:id/delete`, remove)
  },
}

async function show(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const texts = t.admin.content.rules
  const rules = await listRules(ctx)
  const add = { href: `${PATH}/new`, label: texts.add }
  const { saved, deleted, moved } = texts
  return sendAdminPage(visit, {
    lead: texts.lead,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    notices: { saved, deleted, moved },
    body: (csrf) =>
      dataTable<ServerRule>(t, {
        caption: t.admin.frame.pages.rules.label,
        rows: rules,
        empty: emptyState({ title: texts.empty_title, text: texts.empty_text, action: add }),
        columns: [
          {
            label: texts.text,
            kind: 'main',
            cell: ({ id, text, hint }) =>
              html`<a href="${PATH}/${id}" dir="auto">${text}</a>${hint && html`<p class="muted" dir="auto">${hint}</p>`}`,
          },
          {
            label: texts.translations,
            cell: ({ translations }) =>
              Object.keys(translations)
                .map((code) => languageName(t, code))
                .join(', ') || t.admin.frame.none,
          },
          {
            label: t.admin.frame.actions,
            kind: 'actions',
            cell: (rule) => actionsFor(t, csrf, rule, { first: rule === rules[0], last: rule === rules.at(-1) }),
          },
        ],
      }),
  })
}

function actionsFor(t: Texts, csrf: Html, { id, text }: ServerRule, at: { first: boolean; last: boolean }): Html {
  const texts = t.admin.content.rules
  const move = (direction: 'up' | 'down'): Html =>
    actButton(csrf, { action: `${PATH}/${id}/move`, label: texts[direction], hidden: { direction }, about: text })
  return html`${!at.first && move('up')}${!at.last && move('down')}${actButton(csrf, { action: `${PATH}/${id}/delete`, label: texts.delete, kind: 'danger', about: text })}`
}

type Translation = RuleForm['translations'][number]

/** `added`: a translation into a language that the rule does not have yet. */
type Filled = { text: string; hint: string; translations: readonly Translation[]; added: Translation }

const BLANK: Translation = { language: '', text: '', hint: '' }
const EMPTY: Filled = { text: '', hint: '', translations: [], added: BLANK }

const filledWith = ({ text, hint, translations }: ServerRule): Omit<Filled, 'added'> => ({
  text,
  hint,
  translations: Object.entries(translations).map(([language, one]) => ({ language, ...one })),
})

/** The typed texts of each language. */
function filledIn(body: unknown): Filled {
  const { translations } = (body ?? {}) as { translations?: unknown }
  const languages = typeof translations === 'object' && translations !== null ? Object.keys(translations) : []
  return {
    text: textParam(body, 'text'),
    hint: textParam(body, 'hint'),
    translations: languages.slice(0, LANGUAGES.length).map((language) => ({
      language,
      text: textParam(body, 'translations', language, 'text'),
      hint: textParam(body, 'translations', language, 'hint'),
    })),
    added: {
      language: textParam(body, 'language'),
      text: textParam(body, 'added_text'),
      hint: textParam(body, 'added_hint'),
    },
  }
}

async function save(visit: AdminVisit, id: string | null): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.content.rules
  const filled = filledIn(request.body)
  const form = { ...filled, translations: [...filled.translations, filled.added] }
  try {
    if (id === null) await createRule(ctx, staff.accountId, form)
    else await modifyRule(ctx, staff.accountId, id, form)
  } catch (error) {
    const labels = Object.fromEntries(
      form.translations.flatMap(({ language }) =>
        (['text', 'hint'] as const).map((name) => [`${name}.${language}`, `${texts[name]} (${language})`]),
      ),
    )
    const parameter = (field: string): string => parameterOf(filled, field)
    return sendForm(visit, id, filled, labelledProblems(t, error, { ...texts, ...labels }, parameter))
  }
  return reply.redirect(`${PATH}?notice=saved`, 303)
}

/** `field`: such as `text`, or `text.de` for a translation. */
function parameterOf({ translations }: Filled, field: string): string {
  const [name = field, translated] = field.split('.')
  if (translated === undefined) return name
  const isListed = translations.some(({ language }) => language === translated)
  return isListed ? `translations[${translated}][${name}]` : `added_${name}`
}

function sendForm(
  visit: AdminVisit,
  id: string | null,
  filled: Filled,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { t } = visit
  const texts = t.admin.content.rules
  return sendAdminPage(visit, {
    title: id === null ? texts.add : texts.edit,
    back: { href: PATH, label: texts.all },
    problems,
    body: (csrf) => html`<form class="card" method="post" action="${id === null ? PATH : `${PATH}/${id}`}">${csrf}
${textFields(t, filled, problems, { text: 'text', hint: 'hint', required: true })}
<h2>${texts.translations}</h2>
<p class="hint">${texts.translations_hint}</p>
${filled.translations.map(
  (one) => html`<fieldset><legend>${languageName(t, one.language)}</legend>
${textFields(t, one, problems, { text: `translations[${one.language}][text]`, hint: `translations[${one.language}][hint]`, language: one.language })}</fieldset>`,
)}
<fieldset><legend>${texts.add_translation}</legend>
${select({ label: texts.language, name: 'language', value: filled.added.language, error: problems.of('language'), options: languageOptions(t, filled) })}
${textFields(t, filled.added, problems, { text: 'added_text', hint: 'added_hint', language: filled.added.language })}
</fieldset>
<div class="actions"><button>${texts.save}</button></div>
</form>`,
  })
}

/** `names`: of the parameters. `language`: of a translation, by which its problems are named. */
function textFields(
  t: Texts,
  { text, hint }: { text: string; hint: string },
  problems: FormProblems,
  { language, required = false, ...names }: { text: string; hint: string; language?: string; required?: boolean },
): Html {
  const texts = t.admin.content.rules
  const suffix = language === undefined ? '' : `.${language}`
  return html`${field(t, { label: texts.text, name: names.text, value: text, error: problems.of(`text${suffix}`), required, maxLength: MAX_RULE_TEXT })}
${field(t, { label: texts.hint, name: names.hint, type: 'textarea', value: hint, error: problems.of(`hint${suffix}`), hint: texts.hint_hint, maxLength: MAX_RULE_HINT })}`
}

function languageOptions(t: Texts, { translations }: Filled): { value: string; label: string }[] {
  const options = languageChoices(t).filter(({ value }) => translations.every(({ language }) => language !== value))
  return [{ value: '', label: t.admin.content.rules.choose_language }, ...options]
}

async function remove(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const texts = t.admin.content.rules
  const { id, text } = await getRule(ctx, pathId(visit))
  if (textParam(request.body, 'confirmed') !== '1')
    return sendConfirmationPage(visit, {
      title: texts.delete_title,
      lead: texts.delete_lead({ name: text }),
      action: `${PATH}/${id}/delete`,
      confirm: texts.delete,
      cancel: PATH,
    })
  await deleteRule(ctx, staff.accountId, id)
  return reply.redirect(`${PATH}?notice=deleted`, 303)
}
