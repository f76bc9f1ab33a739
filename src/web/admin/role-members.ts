import type { FastifyReply } from 'fastify'
import { assignRole } from '../../actions/admin/roles.ts'
import { findByHandle } from '../../domain/accounts/find.ts'
import { EVERYONE, getRole, mayGiveRole, type RoleMember, type StoredRole } from '../../domain/roles/roles.ts'
import { pathId, textParam } from '../../html/form-page.ts'
import { field } from '../../html/forms.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { oneProblem, type FormProblems } from '../form-problems.ts'
import { actButton } from './forms.ts'
import { mayOpenAccounts, type AdminRouter, type AdminVisit } from './frame.ts'
import { staffChip } from './kit.ts'

const PATH = '/admin/roles'

type ShowAgain = (visit: AdminVisit, problems: FormProblems, username: string) => Promise<FastifyReply>

/** `showAgain` shows the role with a problem of the form. */
export function roleMemberRoutes(router: AdminRouter, showAgain: ShowAgain): void {
  router.post(`${PATH}/:id/members`, (visit) => give(visit, showAgain))
  router.post(`${PATH}/:id/members/remove`, take)
}

async function give(visit: AdminVisit, showAgain: ShowAgain): Promise<FastifyReply> {
  const { ctx, t, staff, request, reply } = visit
  const role = await getRole(ctx, pathId(visit))
  // Its page has no form.
  if (!mayGiveRole(staff, role)) throw new Forbidden()
  const typed = textParam(request.body, 'username').trim()
  const account = await findByHandle(ctx, typed.replace(/^@/, ''), null)
  const { unknown_user: unknown } = t.admin.registration.roles
  if (!account) return showAgain(visit, oneProblem(t, unknown, 'username'), typed)
  await assignRole(ctx, staff.accountId, account.id, role.id)
  return reply.redirect(`${PATH}/${role.id}?notice=given`, 303)
}

async function take(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, staff, request, reply } = visit
  const accountId = textParam(request.body, 'account_id')
  if (!isId(accountId)) throw new NotFound()
  // The form may be older than the role of the account.
  const role = await getRole(ctx, pathId(visit))
  if (role.id === EVERYONE) throw new Forbidden()
  await assignRole(ctx, staff.accountId, accountId, EVERYONE)
  return reply.redirect(`${PATH}/${role.id}?notice=taken`, 303)
}

type Members = {
  role: StoredRole
  members: readonly RoleMember[]
  mayGive: boolean
  mayTake: boolean
  username: string
  problems: FormProblems
}

export function membersHtml(
  { t, staff }: AdminVisit,
  csrf: Html,
  { role, members, mayGive, mayTake, username, problems }: Members,
): Html {
  const { roles: texts } = t.admin.registration
  const items = members.map((member) => {
    const button =
      mayTake &&
      actButton(csrf, {
        action: `${PATH}/${role.id}/members/remove`,
        label: texts.take,
        hidden: { account_id: member.id },
        about: `@${member.username}`,
      })
    return html`<li>${staffChip(t, member, { linked: mayOpenAccounts(staff) })}${button}</li>`
  })
  return html`<section class="card" aria-labelledby="members"><h2 id="members">${texts.members}</h2>
${members.length === 0 ? html`<p class="muted">${texts.no_members}</p>` : html`<ul class="act-list">${items}</ul>`}
${
  mayGive &&
  html`<form method="post" action="${PATH}/${role.id}/members">${csrf}
${field(t, { label: texts.handle, name: 'username', value: username, error: problems.of('username'), required: true, literal: true })}
<div class="actions"><button class="secondary">${texts.give}</button></div></form>`
}
</section>`
}
