import Type, { type Static } from 'typebox'
import { parseServerDomain } from '../../domain/peers/domain-names.ts'
import { allowDomain, disallowDomain } from '../../actions/moderation/domain-allows.ts'
import { type DomainAllowRow, getDomainAllow, listDomainAllows } from '../../domain/moderation/domain-allows.ts'
import { DateTime, Empty, Id } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { route } from '../../http/route.ts'

/** https://docs.joinmastodon.org/entities/Admin_DomainAllow/ */
const AdminDomainAllow = Type.Object(
  { id: Id, domain: Type.String(), created_at: DateTime },
  { $id: 'AdminDomainAllow' },
)

const present = (row: DomainAllowRow): Static<typeof AdminDomainAllow> => ({
  id: row.id,
  domain: row.domain,
  created_at: row.created_at.toISOString(),
})

const read = { scope: 'admin:read:domain_allows', permission: 'manage_federation' } as const
const write = { scope: 'admin:write:domain_allows', permission: 'manage_federation' } as const

export const getAdminDomainAllows = route({
  summary: 'Domains that this server federates with in limited federation mode, newest first',
  ...read,
  params: pageParams,
  returns: Type.Array(AdminDomainAllow),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listDomainAllows(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(present)
  },
})

export const getAdminDomainAllow = route({
  summary: 'An allowed domain',
  ...read,
  params: { id: IdParam },
  returns: AdminDomainAllow,
  handle: async ({ ctx, params }) => present(await getDomainAllow(ctx, params.id)),
})

export const createAdminDomainAllow = route({
  summary: 'Allow a domain; an existing entry is returned as it is',
  ...write,
  params: { domain: Type.String(NOT_BLANK) },
  returns: AdminDomainAllow,
  async handle({ ctx, viewer, params }) {
    const id = await allowDomain(ctx, viewer.accountId, parseServerDomain(ctx, params.domain))
    return present(await getDomainAllow(ctx, id))
  },
})

export const deleteAdminDomainAllow = route({
  summary: 'Stop allowing a domain',
  ...write,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await disallowDomain(ctx, viewer.accountId, params.id)
    return {}
  },
})
