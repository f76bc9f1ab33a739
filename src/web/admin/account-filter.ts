// The filters of the list of accounts, as its address holds them.
import type { Context } from '../../context.ts'
import type { RoleSummary } from '../../domain/roles/roles.ts'
import { type AccountFilter, ACCOUNT_STATES, type AccountState } from '../../domain/moderation/accounts.ts'
import { parseNetwork } from '../../domain/moderation/networks.ts'
import { isLocalDomain } from '../../domain/server/addresses.ts'
import { textParam } from '../../html/form-page.ts'
import { field, select } from '../../html/forms.ts'
import { html, type Html } from '../../lib/html.ts'
import { isId, isSignedId } from '../../lib/ids.ts'
import type { Texts } from '../../messages/pages.ts'
import type { FormProblems } from '../form-problems.ts'
import { filterForm } from './forms.ts'
import { filterLinks } from './kit.ts'

/** Null when the address filters by something that is no network. */
export function accountFilterOf(ctx: Context, query: unknown): AccountFilter | null {
  const given = (name: string): string | undefined => textParam(query, name).trim().slice(0, 500) || undefined
  const [origin, state, role] = [given('origin'), given('status'), given('role')]
  const ip = given('ip')
  const network = ip === undefined ? undefined : parseNetwork(ip)
  if (network === null) return null
  const domain = given('by_domain')?.toLowerCase()
  const isOwnDomain = domain !== undefined && isLocalDomain(ctx, domain)
  const givenId = (name: string): string | undefined => {
    const id = given(name)
    return id !== undefined && isId(id) ? id : undefined
  }
  return {
    origin: isOwnDomain ? 'local' : (['local', 'remote'] as const).find((known) => known === origin),
    states: isState(state) ? [state] : [],
    staff: role === 'staff',
    roleIds: role !== undefined && isSignedId(role) ? [role] : undefined,
    invitedBy: givenId('invited_by'),
    inviteId: givenId('invite'),
    followersOf: givenId('followers_of'),
    followedBy: givenId('followed_by'),
    username: given('username')?.replace(/^@/, ''),
    displayName: given('display_name'),
    domain: isOwnDomain ? undefined : domain,
    email: given('email'),
    ip: network,
  }
}

const isState = (text: string | undefined): text is AccountState =>
  (ACCOUNT_STATES as readonly (string | undefined)[]).includes(text)

export function accountFilters(
  t: Texts,
  path: string,
  query: unknown,
  { roles, problems }: { roles: readonly RoleSummary[]; problems: FormProblems },
): Html {
  const { list, states } = t.admin.accounts
  const any = { value: '', label: t.admin.frame.any }
  const text = (name: 'username' | 'display_name' | 'by_domain' | 'email' | 'ip'): Html =>
    field(t, {
      label: list[name],
      name,
      value: textParam(query, name),
      error: problems.of(name),
      literal: true,
    })
  const role = select({
    label: list.role,
    name: 'role',
    value: textParam(query, 'role'),
    options: [
      any,
      { value: 'staff', label: list.staff },
      ...roles.filter(({ name }) => name !== '').map(({ id, name }) => ({ value: id, label: name })),
    ],
  })
  return html`${filterLinks(t, path, query, [
    {
      label: list.where,
      name: 'origin',
      options: [any, { value: 'local', label: list.local }, { value: 'remote', label: list.remote }],
    },
    {
      label: list.state,
      name: 'status',
      options: [any, ...ACCOUNT_STATES.map((state) => ({ value: state, label: states[state] }))],
    },
    {
      label: t.admin.federation.servers.order,
      name: 'order',
      options: [
        { value: '', label: list.joined },
        { value: 'active', label: list.last_post },
      ],
    },
  ])}
${filterForm(t, path, query, {
  fields: html`${text('username')}${text('display_name')}${text('by_domain')}${text('email')}${text('ip')}${role}`,
  keep: ['origin', 'status', 'order', 'invited_by', 'invite', 'followers_of', 'followed_by'],
})}`
}
