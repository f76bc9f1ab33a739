// /statuses_cleanup: the policy by which the server deletes old posts of the user.
import type { FastifyReply } from 'fastify'
import {
  findCleanupPolicy,
  EXCEPTIONS,
  MIN_STATUS_AGES,
  saveCleanupPolicy,
  type CleanupPolicy,
} from '../../domain/statuses/cleanup-policies.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, select } from '../../html/forms.ts'
import { Invalid, invalidFields, type ErrorDetails } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { message, type Message } from '../../messages/message.ts'
import { labelledProblems, noProblems, type FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsPage, type SettingsVisit } from './frame.ts'

const PATH = '/statuses_cleanup'

/** More than any post has. */
const MAX_COUNT = 1_000_000_000

export const statusesCleanupPage: SettingsPage = {
  key: 'statuses_cleanup',
  path: PATH,
  routes(router) {
    router.get(PATH, async (visit) => {
      const policy = await findCleanupPolicy(visit.ctx, visit.session.accountId)
      return show(visit, { ...policy, min_favs: count(policy.min_favs), min_reblogs: count(policy.min_reblogs) })
    })
    router.post(PATH, save)
  },
}

/** Counts as they were typed. */
type Filled = Omit<CleanupPolicy, 'min_favs' | 'min_reblogs'> & { min_favs: string; min_reblogs: string }

const count = (value: number | null): string => (value === null ? '' : String(value))

async function save(visit: SettingsVisit): Promise<FastifyReply> {
  const { ctx, t, request, reply, session } = visit
  const text = (name: keyof CleanupPolicy): string => textParam(request.body, name)
  const exceptions = Object.fromEntries(EXCEPTIONS.map((name) => [name, text(name) === '1'])) as Pick<
    Filled,
    (typeof EXCEPTIONS)[number]
  >
  const age = MIN_STATUS_AGES.find(({ days }) => String(days) === text('min_status_age'))
  if (!age) throw new Invalid(message('parameters_invalid'))
  const filled = {
    ...exceptions,
    enabled: text('enabled') === '1',
    min_status_age: age.days,
    min_favs: text('min_favs').trim(),
    min_reblogs: text('min_reblogs').trim(),
  }
  try {
    await saveCleanupPolicy(ctx, session.accountId, policyIn(filled))
  } catch (error) {
    return show(visit, filled, labelledProblems(t, error, t.settings.statuses_cleanup))
  }
  return reply.redirect(`${PATH}?notice=${filled.enabled ? 'saved' : 'saved_off'}`, 303)
}

function problemWith(count: number): Message | null {
  if (Number.isNaN(count)) return message('not_a_number')
  if (count < 1) return message('at_least', { count: 1 })
  return count > MAX_COUNT ? message('at_most', { count: MAX_COUNT }) : null
}

function policyIn(filled: Filled): CleanupPolicy {
  const problems: ErrorDetails = {}
  const read = (name: 'min_favs' | 'min_reblogs'): number | null => {
    if (filled[name] === '') return null
    const number = Number(filled[name])
    const problem = problemWith(number)
    if (problem) problems[name] = [{ error: 'ERR_INVALID', description: problem }]
    return Math.floor(number)
  }
  const counts = { min_favs: read('min_favs'), min_reblogs: read('min_reblogs') }
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
  return { ...filled, ...counts }
}

function show(visit: SettingsVisit, filled: Filled, problems: FormProblems = noProblems): Promise<FastifyReply> {
  const { t } = visit
  const { statuses_cleanup: texts } = t.settings
  const ages = MIN_STATUS_AGES.map(({ days, count: value, unit }) => ({
    value: String(days),
    label: new Intl.NumberFormat(t.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
  }))
  const minimum = (name: 'min_favs' | 'min_reblogs') =>
    field(t, {
      label: texts[name],
      name,
      value: filled[name],
      hint: texts.min_hint,
      inputMode: 'numeric',
      maxLength: 10,
      literal: true,
      error: problems.of(name),
    })
  return sendSettingsPage(visit, {
    problems,
    notices: { saved: texts.saved, saved_off: texts.saved_off },
    body: (csrf) => html`<form method="post" action="${PATH}">${csrf}
<section class="card"><p class="lead">${texts.lead}</p>
${checkbox({ label: texts.enabled, name: 'enabled', checked: filled.enabled })}
${select({ label: texts.age, name: 'min_status_age', value: String(filled.min_status_age), options: ages })}
</section>
<section class="card"><h2>${texts.exceptions}</h2>
${EXCEPTIONS.map((name) => checkbox({ label: texts[name], name, checked: filled[name] }))}
${minimum('min_favs')}
${minimum('min_reblogs')}
</section>
<div class="actions"><button>${t.form.save}</button></div>
</form>`,
  })
}
