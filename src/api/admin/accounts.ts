import Type from 'typebox'
import type { Context } from '../../context.ts'
import { type AccountFilter, ACCOUNT_STATES, listModeratedAccounts } from '../../domain/moderation/accounts.ts'
import { parseNetwork } from '../../domain/moderation/networks.ts'
import { isLocalDomain } from '../../domain/server/addresses.ts'
import { AdminAccount, presentAdminAccount, presentAdminAccountList } from '../../entities/admin/account.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { type HttpExchange, route } from '../../http/route.ts'
import { invalid, problemOf } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

const text = Type.Optional(Type.String({ maxLength: 500 }))
const flag = Type.Optional(Type.Boolean())

const textParams = { username: text, display_name: text, by_domain: text, email: text, ip: text, ...pageParams }
type TextParams = Partial<Record<'username' | 'display_name' | 'by_domain' | 'email' | 'ip', string>>

/** Throws Invalid when `ip` is neither an IP address nor a network. */
function textFilter(ctx: Context, params: TextParams): AccountFilter {
  const given = (value: string | undefined): string | undefined => value?.trim() || undefined
  const domain = given(params.by_domain)?.toLowerCase()
  const ip = given(params.ip)
  const network = ip === undefined ? undefined : parseNetwork(ip)
  if (network === null) throw invalid([problemOf('ip', message('invalid'))])
  return {
    username: given(params.username)?.replace(/^@/, ''),
    displayName: given(params.display_name),
    email: given(params.email),
    ip: network,
    ...(domain !== undefined && isLocalDomain(ctx, domain) ? { origin: 'local' } : { domain }),
  }
}

async function answer(call: HttpExchange, params: Parameters<typeof pageOf>[0], filter: AccountFilter) {
  const page = pageOf(params, 100)
  const ids = await listModeratedAccounts(call.ctx, filter, page)
  setLinks(call, { ids, page })
  return presentAdminAccountList(call.ctx, ids)
}

export const getAdminAccountsV1 = route({
  summary:
    'Accounts, newest first, that match all of the filters: local ones unless `remote` or a domain is given, and no suspended ones unless a state is',
  scope: 'admin:read:accounts',
  permission: 'manage_users',
  params: {
    local: flag,
    remote: flag,
    active: flag,
    pending: flag,
    disabled: flag,
    sensitized: flag,
    silenced: flag,
    suspended: flag,
    staff: flag,
    ...textParams,
  },
  returns: Type.Array(AdminAccount),
  async handle(call) {
    const { params } = call
    const filter = textFilter(call.ctx, params)
    const origin = params.local ? 'local' : params.remote ? 'remote' : filter.domain === undefined ? 'local' : undefined
    const states = ACCOUNT_STATES.filter((state) => params[state])
    return answer(call, params, {
      ...(origin && { origin }),
      ...filter,
      states,
      // The accounts of one server are listed in any state.
      unsuspended: states.length === 0 && filter.domain === undefined,
      staff: params.staff,
    })
  },
})

const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Union(values.map((value) => Type.Literal(value))))

export const getAdminAccountsV2 = route({
  summary: 'Accounts, newest first, that match all of the filters',
  scope: 'admin:read:accounts',
  permission: 'manage_users',
  params: {
    origin: oneOf(['local', 'remote']),
    status: oneOf(ACCOUNT_STATES),
    permissions: oneOf(['staff']),
    role_ids: Type.Optional(Type.Array(Type.String({ pattern: '^-?\\d{1,18}$' }), { maxItems: 100 })),
    invited_by: Type.Optional(IdParam),
    ...textParams,
  },
  returns: Type.Array(AdminAccount),
  async handle(call) {
    const { params } = call
    return answer(call, params, {
      ...(params.origin === undefined ? {} : { origin: params.origin }),
      ...textFilter(call.ctx, params),
      states: params.status ? [params.status] : [],
      staff: params.permissions === 'staff',
      roleIds: params.role_ids,
      invitedBy: params.invited_by,
    })
  },
})

export const getAdminAccount = route({
  summary: 'An account, local or remote, in any state',
  scope: 'admin:read:accounts',
  permission: 'manage_users',
  params: { id: IdParam },
  returns: AdminAccount,
  handle: ({ ctx, params }) => presentAdminAccount(ctx, params.id),
})
