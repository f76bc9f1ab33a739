import Type from 'typebox'
import { blockEmailDomain, unblockEmailDomains } from '../../actions/admin/email-domain-blocks.ts'
import { getEmailDomainBlock, listEmailDomainBlocks } from '../../domain/registration/email-domain-blocks.ts'
import { AdminEmailDomainBlock, presentEmailDomainBlocks } from '../../entities/admin/email-blocks.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
import type { Context } from '../../context.ts'
import type { Static } from 'typebox'
import type { EmailDomainBlock } from '../../domain/registration/email-domain-blocks.ts'

const READ = { scope: 'admin:read:email_domain_blocks', permission: 'manage_blocks' } as const
const WRITE = { scope: 'admin:write:email_domain_blocks', permission: 'manage_blocks' } as const

async function present(ctx: Context, block: EmailDomainBlock): Promise<Static<typeof AdminEmailDomainBlock>> {
  const [presented] = await presentEmailDomainBlocks(ctx, [block])
  if (!presented) throw new NotFound()
  return presented
}

export const getAdminEmailDomainBlocks = route({
  summary: 'Blocked e-mail providers, with the sign-ups they stopped in the last seven days',
  ...READ,
  params: pageParams,
  returns: Type.Array(AdminEmailDomainBlock),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listEmailDomainBlocks(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return presentEmailDomainBlocks(call.ctx, rows)
  },
})

export const getAdminEmailDomainBlock = route({
  summary: 'A blocked e-mail provider',
  ...READ,
  params: { id: IdParam },
  returns: AdminEmailDomainBlock,
  handle: async ({ ctx, params }) => present(ctx, await getEmailDomainBlock(ctx, params.id)),
})

export const createAdminEmailDomainBlock = route({
  summary: 'Block an e-mail provider: its domain with subdomains, and every domain whose mail its hosts receive',
  ...WRITE,
  params: { domain: Type.String(NOT_BLANK), allow_with_approval: Type.Optional(Type.Boolean()) },
  returns: AdminEmailDomainBlock,
  async handle({ ctx, viewer, params }) {
    const { domain, allow_with_approval: allowWithApproval = false } = params
    return present(ctx, await blockEmailDomain(ctx, viewer.accountId, { domain, allowWithApproval }))
  },
})

export const deleteAdminEmailDomainBlock = route({
  summary: 'Unblock an e-mail provider',
  ...WRITE,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await unblockEmailDomains(ctx, viewer.accountId, [params.id])
    return {}
  },
})
