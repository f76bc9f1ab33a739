// The sections of /admin/accounts/:id.
import { isModerationState } from '../../actions/moderation/lift.ts'
import { isPurging } from '../../domain/moderation/accounts.ts'
import { MAX_WARNING_TEXT } from '../../domain/moderation/presets.ts'
import { staffMay } from '../../domain/auth/staff.ts'
import { textParam } from '../../html/form-page.ts'
import { checkbox, field, radioGroup } from '../../html/forms.ts'
import { dayOf, fillText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import { htmlToText } from '../../lib/sanitize.ts'
import type { FormProblems } from '../form-problems.ts'
import { factsOf } from './account-facts.ts'
import { type AccountPage, accountStates, adminAccountChip, isBelow } from './account-parts.ts'
import { warningTable } from './account-warnings.ts'
import { actButton } from './forms.ts'
import type { AdminVisit } from './frame.ts'
import { definitions, progressBar, statusExcerpt, withQuery } from './kit.ts'
import { signInSection } from './account-user.ts'
import { notesSection } from './notes.ts'
import { presetChoice } from './warning-presets.ts'

export function accountBody(visit: AdminVisit, page: AccountPage, problems: FormProblems, csrf: Html): Html {
  const { t, ctx, staff } = visit
  const { account, facts, warnings, statuses } = page
  const texts = t.admin.accounts.account
  const mayAct = isBelow(visit, page)
  const mayModerate = mayAct && staffMay(staff, 'manage_users')
  const mayDecide = staffMay(staff, 'manage_users', 'manage_reports')
  return html`<section class="card">
<p>${adminAccountChip(ctx, account)} ${accountStates(t, account, facts.purged_at !== null)}</p>
${profileOf(page)}
${imagesOf(visit, page, csrf, mayModerate)}
${stateOf(visit, page, csrf, mayModerate)}
</section>
<section class="card"><h2>${texts.facts}</h2>${factsOf(visit, page)}</section>
${facts.purged_at === null && mayDecide && actionPart(visit, page, problems, csrf)}
${facts.role_id !== null && signInSection(visit, page, problems, csrf)}
<section class="card"><h2>${texts.warnings}</h2>${warningTable(visit, warnings)}</section>
${notesSection(visit, csrf, { path: `/admin/accounts/${account.id}/notes`, notes: page.notes, problems, mayWrite: mayDecide })}
<section class="card"><h2>${texts.posts}</h2>
${
  statuses.length === 0
    ? html`<p class="muted">${texts.no_posts}</p>`
    : html`${statuses.map((status) => statusExcerpt(t, ctx, status, { author: false }))}
${mayDecide && html`<p class="after"><a href="/admin/accounts/${account.id}/statuses">${texts.all_posts}</a></p>`}`
}
</section>
${staffMay(staff, 'view_audit_log') && html`<p><a href="${withQuery('/admin/audit_log', {}, { type: 'account', target_id: account.id })}">${texts.audit}</a></p>`}`
}

/** Texts without markup, so that all of an address shows. */
function profileOf({ account: { account } }: AccountPage): Html {
  const note = htmlToText(account.note).trim()
  return html`${note !== '' && html`<p class="excerpt-text" dir="auto">${note}</p>`}
${account.fields.length > 0 && definitions(account.fields.map(({ name, value }) => [html`<bdi>${name}</bdi>`, html`<span dir="auto">${htmlToText(value)}</span>`]))}`
}

/** The avatar and header that the account has, each with a button that removes it. */
function imagesOf({ t }: AdminVisit, { account, facts }: AccountPage, csrf: Html, mayModerate: boolean): Html | null {
  const texts = t.admin.accounts.account
  const about = `@${account.account.acct}`
  const shown = (['avatar', 'header'] as const).filter((image) => facts[`${image}_key`] !== null)
  if (shown.length === 0) return null
  const items = shown.map((image) => {
    const { [image]: url, [`${image}_description` as const]: description } = account.account
    const act = { action: `/admin/accounts/${account.id}/remove_${image}`, label: texts[`remove_${image}`], about }
    return html`<li><img src="${url}" alt="${description}" loading="lazy">${mayModerate && facts.role_id !== null && actButton(csrf, { ...act, kind: 'danger' })}</li>`
  })
  return html`<ul class="account-images">${items}</ul>`
}

/** The states that staff gave the account, with the buttons that end them. */
function stateOf(visit: AdminVisit, page: AccountPage, csrf: Html, mayModerate: boolean): Html {
  const { t, staff } = visit
  const { account, facts } = page
  const { account: texts, list } = t.admin.accounts
  const purging = isPurging(facts)
  const button = (name: string, label: string, kind: 'primary' | 'secondary' | 'danger' = 'secondary'): Html =>
    actButton(csrf, { action: `/admin/accounts/${account.id}/${name}`, label, kind, about: `@${account.account.acct}` })
  const isMemorial = account.account.memorial === true
  const mayMemorialize = facts.role_id !== null && isBelow(visit, page) && staffMay(staff, 'delete_user_data')
  const isPending = account.domain === null && facts.role_id !== null && !account.approved
  const acts = [
    isPending && button('approve', list.approve, 'primary'),
    isPending && button('reject', list.reject, 'danger'),
    account.disabled && button('enable', texts.enable),
    account.sensitized && button('unsensitive', texts.unsensitive),
    account.silenced && button('unsilence', texts.unsilence),
    account.suspended && !purging && button('unsuspend', texts.unsuspend),
    account.suspended && !purging && button('delete', texts.delete, 'danger'),
  ]
  const shown = [
    ...(mayModerate ? acts : []),
    // The job leaves accounts alone that staff have suspended.
    account.domain !== null &&
      (!account.suspended || facts.suspension_origin === 'remote') &&
      staffMay(staff, 'manage_users', 'manage_federation') &&
      button('refresh', texts.refresh),
    isMemorial && mayMemorialize && button('unmemorialize', texts.unmemorialize),
  ].filter((act) => act !== false)
  return html`${isMemorial && html`<p>${texts.is_memorial}</p>`}${suspensionOf(t, page, purging)}
${shown.length > 0 && html`<div class="actions">${shown}</div>`}`
}

function suspensionOf(t: AdminVisit['t'], { account, facts, purge }: AccountPage, purging: boolean): Html | null {
  const texts = t.admin.accounts.account
  if (!account.suspended) return null
  if (facts.purged_at !== null) return html`<p>${texts.purged}</p>`
  if (purging)
    return html`<p>${texts.purging}</p>${purge && html`${progressBar(t, texts.statuses, purge.statuses_deleted, purge.statuses_total)}${progressBar(t, texts.media, purge.media_deleted, purge.media_total)}`}`
  if (facts.suspension_origin === 'remote') return html`<p>${texts.by_own_server}</p>`
  return facts.purge_at && html`<p>${fillText(texts.purge_on, { date: dayOf(t, facts.purge_at) })}</p>`
}

const actionPart = (visit: AdminVisit, page: AccountPage, problems: FormProblems, csrf: Html): Html =>
  isBelow(visit, page)
    ? actionForm(visit, page, problems, csrf)
    : html`<section class="card"><h2>${visit.t.admin.accounts.account.act}</h2><p>${visit.t.admin.reports.outranked}</p></section>`

function actionForm(visit: AdminVisit, page: AccountPage, problems: FormProblems, csrf: Html): Html {
  const { t, staff, request } = visit
  const { account, presets, facts } = page
  const texts = t.admin.accounts.account
  const sent = (name: string): string => textParam(request.body, name)
  const isSent = sent('type') !== ''
  const mayMemorialize =
    facts.role_id !== null && account.account.memorial !== true && staffMay(staff, 'delete_user_data')
  const types = [
    { value: 'none', label: texts.type_none, hint: texts.type_none_hint },
    { value: 'sensitive', label: texts.type_sensitive, hint: texts.type_sensitive_hint },
    ...(facts.role_id === null ? [] : [{ value: 'disable', label: texts.type_disable, hint: texts.type_disable_hint }]),
    { value: 'silence', label: texts.type_silence, hint: texts.type_silence_hint },
    { value: 'suspend', label: texts.type_suspend, hint: texts.type_suspend_hint },
  ].map((type) =>
    facts.unresolved_reports > 0 && isModerationState(type.value)
      ? { ...type, hint: `${type.hint} ${t.admin.reports.resolves_all}` }
      : type,
  )
  return html`<section class="card"><h2>${texts.act}</h2>
<form method="post" action="/admin/accounts/${account.id}/action">${csrf}
${radioGroup({ legend: texts.what, name: 'type', value: sent('type') || 'none', options: types })}
${presetChoice(presets, { label: texts.preset, name: 'warning_preset_id', value: sent('warning_preset_id'), none: texts.no_preset })}
${field(t, { label: texts.text, name: 'text', type: 'textarea', value: sent('text'), error: isSent ? problems.of('text') : null, hint: presets.length > 0 ? texts.text_hint : '', maxLength: MAX_WARNING_TEXT })}
${facts.role_id !== null && checkbox({ label: texts.send_mail, name: 'send_email_notification', checked: !isSent || sent('send_email_notification') === '1' })}
<div class="actions"><button>${texts.apply}</button></div>
</form>${mayMemorialize && html`<hr><div class="actions">${actButton(csrf, { action: `/admin/accounts/${account.id}/memorialize`, label: texts.memorialize })}</div>`}</section>`
}
