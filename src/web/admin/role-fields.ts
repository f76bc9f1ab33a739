import {
  EVERYONE,
  MAX_ROLE_NAME,
  mayGrant,
  type Rank,
  type RoleValues,
  type StoredRole,
} from '../../domain/roles/roles.ts'
import { ROLES } from '../../domain/auth/users.ts'
import { PERMISSION_NAMES, permissionBit, type Permission } from '../../domain/auth/viewer.ts'
import { checkbox, field } from '../../html/forms.ts'
import { numberText } from '../../html/texts.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import { definitions } from './kit.ts'

/** `rank`: of the staff member who fills it in. `role`: null for a new one. */
type RoleForm = { rank: Rank; role: StoredRole | null; values: RoleValues; problems: FormProblems }

/** The fields of a role that can be changed: everyone's has neither name nor badge, and the owner's keeps its rank. */
export function roleFields(t: Texts, form: RoleForm): Html {
  const { role, values, problems } = form
  const { roles: texts } = t.admin.registration
  const isEveryone = role?.id === EVERYONE
  const number = (value: number): string => (Number.isNaN(value) ? '' : String(value))
  const badge = html`${field(t, { label: texts.name, name: 'name', value: values.name, error: problems.of('name'), maxLength: MAX_ROLE_NAME, required: true })}
${field(t, { label: texts.color, name: 'color', value: values.color, hint: texts.color_hint, error: problems.of('color'), maxLength: 7, literal: true })}
${checkbox({ label: texts.highlighted, name: 'highlighted', checked: values.highlighted })}`
  const position = field(t, {
    label: texts.position,
    name: 'position',
    type: 'number',
    value: number(values.position),
    hint: texts.position_hint,
    error: problems.of('position'),
    required: true,
  })
  return html`${!isEveryone && badge}${!isEveryone && role?.id !== ROLES.owner && position}
${field(t, { label: texts.collection_limit, name: 'collection_limit', type: 'number', value: number(values.collection_limit), error: problems.of('collection_limit'), required: true })}
${checkbox({ label: texts.require_2fa, name: 'require_2fa', checked: values.require_2fa, hint: texts.require_2fa_hint })}
${permissionBoxes(t, form)}`
}

function permissionBoxes(t: Texts, { rank, role, values: { permissions }, problems }: RoleForm): Html {
  const { roles: texts } = t.admin.registration
  const error = problems.of('permissions')
  const offered = PERMISSION_NAMES.filter((name) => mayGrant(rank, role, permissionBit(name)))
  const others = PERMISSION_NAMES.filter((name) => has(permissions, name) && !offered.includes(name))
  const box = (name: Permission): Html => {
    const id = `permission-${name}`
    return html`<div class="choice"><input type="checkbox" id="${id}" name="permissions[]" value="${name}"${has(permissions, name) && html` checked`} aria-describedby="${id}-about">
<label for="${id}">${texts.names[name]}</label><p class="hint" id="${id}-about">${texts.hints[name]}</p></div>`
  }
  const boxes = html`<fieldset id="field-permissions"${error && html` aria-describedby="field-permissions-error"`}><legend>${texts.permissions}</legend>
${error && html`<p class="field-error" id="field-permissions-error">${error}</p>`}<div class="permissions">${offered.map(box)}</div><input type="hidden" name="offered" value="${offered.join(' ')}"></fieldset>`
  return html`${(offered.length > 0 || error) && boxes}${others.length > 0 && definitions([[texts.unchangeable, namesOf(t, others)]])}`
}

const has = (permissions: bigint, name: Permission): boolean => (permissions & permissionBit(name)) !== 0n

const namesOf = ({ admin: { registration } }: Texts, names: readonly Permission[]): string =>
  names.map((name) => registration.roles.names[name]).join(', ')

/** The permissions of the role, for the list of roles. */
export function permissionsText(t: Texts, permissions: bigint): string {
  if (has(permissions, 'administrator')) return t.admin.registration.roles.all_of_them
  const held = PERMISSION_NAMES.filter((name) => has(permissions, name))
  return held.length > 0 ? namesOf(t, held) : t.admin.frame.none
}

/** A role that the staff member may not change. */
export function roleFacts(t: Texts, role: StoredRole): Html {
  const { roles: texts } = t.admin.registration
  return definitions([
    [texts.permissions, permissionsText(t, role.permissions)],
    [texts.position, numberText(t, role.position)],
    [texts.collection_limit, numberText(t, role.collection_limit)],
    [texts.require_2fa, role.require_2fa && t.admin.frame.yes],
  ])
}
