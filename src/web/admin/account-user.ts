// Of /admin/accounts/:id: how the user signs in, for staff who may manage that.
import { staffMay } from '../../domain/auth/staff.ts'
import { mayGiveRole, type RoleSummary } from '../../domain/roles/roles.ts'
import { textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import type { FormProblems } from '../form-problems.ts'
import { type AccountPage, isBelow } from './account-parts.ts'
import { actButton } from './forms.ts'
import type { AdminVisit } from './frame.ts'
import { colonOf } from '../../messages/colon.ts'

export function signInSection(visit: AdminVisit, page: AccountPage, problems: FormProblems, csrf: Html): Html | null {
  const { t, staff } = visit
  const texts = t.admin.accounts.account
  const mayChange = isBelow(visit, page) && staffMay(staff, 'manage_user_access')
  const mayGiveRoles = staffMay(staff, 'manage_roles')
  if (!mayChange && !mayGiveRoles) return null
  return html`<section class="card"><h2>${texts.sign_in}</h2>
${mayChange && accessForms(visit, page, problems, csrf)}
${mayChange && mayGiveRoles && html`<hr>`}${mayGiveRoles && roleForm(visit, page, csrf)}
</section>`
}

function accessForms({ ctx, t, request }: AdminVisit, page: AccountPage, problems: FormProblems, csrf: Html): Html {
  const { account, facts } = page
  const texts = t.admin.accounts.account
  const base = `/admin/accounts/${account.id}`
  const email = textParam(request.body, 'email') || account.email
  const mayReset = !ctx.config.omniauthOnly
  return html`<form method="post" action="${base}/email">${csrf}
${field(t, { label: texts.email, name: 'email', type: 'email', value: email, error: problems.of('email'), required: true, literal: true })}
<div class="actions"><button class="secondary">${texts.change_email}</button></div>
</form>
${mayReset && html`<p class="muted">${texts.reset_password_hint}</p>`}
${facts.has_second_factor && html`<p class="muted">${texts.disable_2fa_hint}</p>`}
<div class="actions">
${!account.confirmed && actButton(csrf, { action: `${base}/confirm`, label: texts.confirm_email })}
${!account.confirmed && actButton(csrf, { action: `${base}/resend`, label: texts.resend })}
${mayReset && actButton(csrf, { action: `${base}/password`, label: texts.reset_password })}
${facts.has_second_factor && actButton(csrf, { action: `${base}/two_factor`, label: texts.disable_2fa })}
</div>`
}

function roleForm(visit: AdminVisit, page: AccountPage, csrf: Html): Html {
  const { t, staff } = visit
  const { account, facts, roles } = page
  const texts = t.admin.accounts.account
  const current = roles.find(({ id }) => id === facts.role_id)
  const named = ({ name }: Pick<RoleSummary, 'name'>): string => name || texts.everyone
  const link = current && html`<a href="/admin/roles/${current.id}">${texts.show_role}</a>`
  if (!isBelow(visit, page))
    return html`<p>${t.admin.accounts.list.role}${colonOf(t.language)}<bdi>${current && named(current)}</bdi>. ${link}</p>`
  const offered = roles.filter((role) => mayGiveRole(staff, role))
  return html`<form method="post" action="/admin/accounts/${account.id}/role">${csrf}
${select({ label: t.admin.accounts.list.role, name: 'role', value: facts.role_id, options: offered.map((role) => ({ value: role.id, label: named(role) })) })}
<div class="actions"><button class="secondary">${texts.change_role}</button>${link}</div>
</form>`
}
