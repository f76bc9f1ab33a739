// /admin/roles: what roles there are, and changing them. Their members are in role-members.ts.
import type { FastifyReply } from 'fastify'
import { changeRole, createRole, removeRole } from '../../actions/admin/roles.ts'
import {
  EVERYONE,
  getRole,
  isBuiltInRole,
  listRoleMembers,
  listRoles,
  mayGiveRole,
  mayTouchRole,
  rankOf,
  type RoleSummary,
  type RoleValues,
  type StoredRole,
} from '../../domain/roles/roles.ts'
import { PERMISSION_NAMES, permissionBit } from '../../domain/auth/viewer.ts'
import { textParam } from '../../html/form-page.ts'
import { numberText } from '../../html/texts.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { html, type Html } from '../../lib/html.ts'
import { isSignedId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import { noProblems, problemsOf, type FormProblems } from '../form-problems.ts'
import { sendConfirmationPage } from './forms.ts'
import { sendAdminPage, type AdminPage, type AdminVisit } from './frame.ts'
import { dataTable, definitions } from './kit.ts'
import { permissionsText, roleFacts, roleFields } from './role-fields.ts'
import { membersHtml, roleMemberRoutes } from './role-members.ts'

const PATH = '/admin/roles'

export const rolesPage: AdminPage = {
  key: 'roles',
  path: PATH,
  permissions: ['manage_roles'],
  routes(router) {
    router.get(PATH, list)
    router.post(PATH, create)
    router.get(`${PATH}/new`, (visit) => showNew(visit, EMPTY))
    router.get(`${PATH}/:id`, async (visit) => {
      const role = await roleOf(visit)
      return showRole(visit, role, role)
    })
    router.post(`${PATH}/:id`, change)
    router.get(`${PATH}/:id/delete`, confirmRemoval)
    router.post(`${PATH}/:id/delete`, remove)
    roleMemberRoutes(router, async (visit, problems, username) => {
      const role = await roleOf(visit)
      return showRole(visit, role, role, { problems, username })
    })
  },
}

const EMPTY: RoleValues = {
  name: '',
  color: '',
  position: 0,
  permissions: 0n,
  highlighted: false,
  collection_limit: 10,
  require_2fa: false,
}

function roleOf({ ctx, request }: AdminVisit): Promise<StoredRole> {
  const { id } = request.params as { id: string }
  if (!isSignedId(id)) throw new NotFound()
  return getRole(ctx, id)
}

/** The form does not send boxes that the staff member may not check: those permissions stay as they are. */
function readForm({ request: { body } }: AdminVisit, role: StoredRole | null): RoleValues {
  const { permissions: sent } = (body ?? {}) as { permissions?: unknown }
  const bitsIn = (list: unknown): bigint =>
    PERMISSION_NAMES.filter((name) => Array.isArray(list) && list.includes(name)).reduce(
      (bits, name) => bits | permissionBit(name),
      0n,
    )
  const number = (name: string): number => {
    const text = textParam(body, name).trim()
    return /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  }
  return {
    name: textParam(body, 'name'),
    color: textParam(body, 'color'),
    highlighted: textParam(body, 'highlighted') === '1',
    position: number('position'),
    collection_limit: number('collection_limit'),
    require_2fa: textParam(body, 'require_2fa') === '1',
    permissions: bitsIn(sent) | ((role?.permissions ?? 0n) & ~bitsIn(textParam(body, 'offered').split(' '))),
  }
}

async function create(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  const values = readForm(visit, null)
  try {
    const { id } = await createRole(ctx, staff.accountId, values)
    return await reply.redirect(`${PATH}/${id}?notice=created`, 303)
  } catch (error) {
    return showNew(visit, values, problemsOf(t, error))
  }
}

async function change(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t, staff, reply } = visit
  const role = await roleOf(visit)
  const values = readForm(visit, role)
  try {
    await changeRole(ctx, staff.accountId, role.id, values)
  } catch (error) {
    return showRole(visit, role, values, { problems: problemsOf(t, error) })
  }
  return reply.redirect(`${PATH}?notice=changed`, 303)
}

async function confirmRemoval(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { roles: texts } = t.admin.registration
  const role = await roleOf(visit)
  const summary = (await listRoles(ctx)).find(({ id }) => id === role.id)
  if (isBuiltInRole(role.id)) throw new Forbidden()
  const members = (await listRoleMembers(ctx, role.id)).map(({ username }) => html`<li><bdi>@${username}</bdi></li>`)
  return sendConfirmationPage(visit, {
    title: texts.delete,
    lead: texts.delete_lead({ name: role.name, count: summary?.users ?? 0 }),
    dryRun: members.length > 0 ? definitions([[texts.members, html`<ul>${members}</ul>`]]) : null,
    action: `${PATH}/${role.id}/delete`,
    confirm: texts.delete,
    cancel: `${PATH}/${role.id}`,
  })
}

async function remove(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, staff, reply } = visit
  await removeRole(ctx, staff.accountId, (await roleOf(visit)).id)
  return reply.redirect(`${PATH}?notice=deleted`, 303)
}

async function list(visit: AdminVisit): Promise<FastifyReply> {
  const { ctx, t } = visit
  const { roles: texts, common } = t.admin.registration
  const roles = await listRoles(ctx)
  return sendAdminPage(visit, {
    lead: texts.lead,
    notices: { changed: common.changed, deleted: texts.deleted },
    actions: html`<a class="button" href="${PATH}/new">${texts.add}</a>`,
    body: () => table(t, roles),
  })
}

const nameOf = (t: Texts, { id, name }: Pick<StoredRole, 'id' | 'name'>): string =>
  id === EVERYONE ? t.admin.registration.roles.everyone : name

function table(t: Texts, roles: readonly RoleSummary[]): Html {
  const { roles: texts } = t.admin.registration
  return dataTable(t, {
    caption: t.admin.frame.pages.roles.label,
    rows: roles,
    empty: html``,
    columns: [
      {
        label: texts.name,
        kind: 'main',
        cell: (role) => html`<a href="${PATH}/${role.id}"><bdi>${nameOf(t, role)}</bdi></a>`,
      },
      { label: texts.permissions, cell: ({ permissions }) => permissionsText(t, permissions) },
      {
        label: texts.position,
        kind: 'number',
        cell: ({ id, position }) => (id === EVERYONE ? '' : numberText(t, position)),
      },
      { label: texts.members, cell: ({ users }) => texts.users({ count: users }) },
    ],
  })
}

async function showNew(
  visit: AdminVisit,
  values: RoleValues,
  problems: FormProblems = noProblems,
): Promise<FastifyReply> {
  const { ctx, t, staff } = visit
  const { roles: texts } = t.admin.registration
  const rank = await rankOf(ctx, staff.accountId)
  return sendAdminPage(visit, {
    title: texts.add,
    back: { href: PATH, label: t.admin.frame.pages.roles.label },
    problems,
    body: (csrf) => html`<form method="post" action="${PATH}" class="card">${csrf}
${roleFields(t, { rank, role: null, values, problems })}
<div class="actions"><button>${texts.add}</button></div>
</form>`,
  })
}

/** `username`: what was typed into the form for members. */
type Shown = { problems?: FormProblems; username?: string }

async function showRole(
  visit: AdminVisit,
  role: StoredRole,
  values: RoleValues,
  { problems = noProblems, username = '' }: Shown = {},
): Promise<FastifyReply> {
  const { ctx, t, staff } = visit
  const { roles: texts, common } = t.admin.registration
  const [rank, members] = await Promise.all([rankOf(ctx, staff.accountId), listRoleMembers(ctx, role.id)])
  const mayTouch = mayTouchRole(rank, role)
  return sendAdminPage(visit, {
    title: nameOf(t, role),
    back: { href: PATH, label: t.admin.frame.pages.roles.label },
    problems,
    notices: { created: texts.created, given: texts.given, taken: texts.taken },
    body: (csrf) => html`${!mayTouch && html`<p class="notice info">${texts.fixed}</p>`}
${role.id === EVERYONE && html`<p class="hint">${texts.everyone_hint}</p>`}
${
  mayTouch
    ? html`<form method="post" action="${PATH}/${role.id}" class="card">${csrf}
${roleFields(t, { rank, role, values, problems })}
<div class="actions"><button>${common.save}</button>${!isBuiltInRole(role.id) && html`<a class="button danger" href="${PATH}/${role.id}/delete">${texts.delete}</a>`}</div>
</form>`
    : html`<section class="card">${roleFacts(t, role)}</section>`
}
${role.id !== EVERYONE && membersHtml(visit, csrf, { role, members, mayGive: mayGiveRole(rank, role), mayTake: mayTouch, username, problems })}`,
  })
}
