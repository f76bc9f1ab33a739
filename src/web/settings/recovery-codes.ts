import type { FastifyReply } from 'fastify'
import { fillText, numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { FormProblems } from '../form-problems.ts'
import { sendSettingsPage, type SettingsVisit } from './frame.ts'
import { currentPassword } from './password-field.ts'

/** Only in the response to the form that created the codes: they cannot be shown again. */
export function showRecoveryCodes(visit: SettingsVisit, codes: readonly string[]): Promise<FastifyReply> {
  const texts = visit.t.settings.two_factor
  return sendSettingsPage(visit, {
    title: texts.your_codes,
    body: () => html`<section class="card">
<p class="lead">${texts.codes_lead}</p>
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p>${texts.codes_once}</p>
<div class="actions"><a class="button" href="${visit.page.path}">${texts.codes_stored}</a></div>
</section>`,
  })
}

export function recoveryCodesSection(visit: SettingsVisit, left: number, problems: FormProblems, csrf: Html): Html {
  const { t, page } = visit
  const texts = t.settings.two_factor
  const number = html`<strong>${numberText(t, left)}</strong>`
  return html`<section class="card"><h2>${texts.codes}</h2>
<p>${texts.codes_hint} ${fillText(texts.codes_left({ count: left }), { number })}</p>
<form method="post" action="${page.path}/codes">${csrf}${currentPassword(visit, problems, 'codes')}
<div class="actions"><button class="secondary">${texts.new_codes}</button></div>
<p class="hint">${texts.new_codes_hint}</p></form></section>`
}
