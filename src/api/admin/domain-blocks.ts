import Type from 'typebox'
import { parseServerDomain } from '../../domain/peers/domain-names.ts'
import { createDomainBlock, endDomainBlock, updateDomainBlock } from '../../actions/moderation/domain-blocks.ts'
import { getAdminDomainBlock, listAdminDomainBlocks, MAX_BLOCK_COMMENT } from '../../domain/moderation/domain-blocks.ts'
import { AdminDomainBlock, BlockSeverityParam, presentAdminDomainBlock } from '../../entities/admin/domain-block.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { AppError } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

const read = { scope: 'admin:read:domain_blocks', permission: 'manage_federation' } as const
const write = { scope: 'admin:write:domain_blocks', permission: 'manage_federation' } as const

export const getAdminDomainBlocks = route({
  summary: 'Domains that this server blocks, newest first',
  ...read,
  params: pageParams,
  returns: Type.Array(AdminDomainBlock),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listAdminDomainBlocks(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentAdminDomainBlock)
  },
})

export const showAdminDomainBlock = route({
  summary: 'A domain block',
  ...read,
  params: { id: IdParam },
  returns: AdminDomainBlock,
  handle: async ({ ctx, params }) => presentAdminDomainBlock(await getAdminDomainBlock(ctx, params.id)),
})

const Comment = Type.Optional(Type.String({ maxLength: MAX_BLOCK_COMMENT }))
const measures = {
  severity: Type.Optional(BlockSeverityParam),
  reject_media: Type.Optional(Type.Boolean()),
  reject_reports: Type.Optional(Type.Boolean()),
  private_comment: Comment,
  public_comment: Comment,
  obfuscate: Type.Optional(Type.Boolean()),
}

const DEFAULTS = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  private_comment: null,
  public_comment: null,
  obfuscate: false,
} as const

export const postAdminDomainBlock = route({
  summary: 'Block a domain and its subdomains; 422 with `existing_domain_block` when a block does that already',
  ...write,
  params: { domain: Type.String(NOT_BLANK), ...measures },
  returns: AdminDomainBlock,
  async handle({ ctx, viewer, params }) {
    const draft = { ...DEFAULTS, ...params, domain: parseServerDomain(ctx, params.domain) }
    const outcome = await createDomainBlock(ctx, viewer.accountId, draft)
    if ('id' in outcome) return presentAdminDomainBlock(await getAdminDomainBlock(ctx, outcome.id))
    const text = message('domain_block_exists', { domain: outcome.existing.domain })
    throw new AppError(422, text, { extra: { existing_domain_block: presentAdminDomainBlock(outcome.existing) } })
  },
})

export const putAdminDomainBlock = route({
  summary: 'Change a domain block',
  ...write,
  params: { id: IdParam, ...measures },
  returns: AdminDomainBlock,
  async handle({ ctx, viewer, params }) {
    const { id, ...changes } = params
    await updateDomainBlock(ctx, viewer.accountId, id, changes)
    return presentAdminDomainBlock(await getAdminDomainBlock(ctx, id))
  },
})

export const deleteAdminDomainBlock = route({
  summary: 'End a domain block; its accounts return, the follows that it severed do not',
  ...write,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await endDomainBlock(ctx, viewer.accountId, params.id, { restoreFollows: false })
    return {}
  },
})
