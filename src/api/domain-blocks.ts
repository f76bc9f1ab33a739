// GET, POST, DELETE /api/v1/domain_blocks and /api/v1/domain_blocks/preview: servers that the caller does not want to hear of.
import Type from 'typebox'
import { blockDomain, checkDomain, unblockDomain } from '../actions/accounts/domain-blocks.ts'
import { listDomainBlocks, previewDomainBlock } from '../domain/relationships/blocks.ts'
import { Empty } from '../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../http/paginate.ts'
import { route } from '../http/route.ts'

export const getDomainBlocks = route({
  summary: 'The domains that the caller blocks',
  scope: 'read:blocks',
  params: pageParams,
  returns: Type.Array(Type.String()),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listDomainBlocks(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(({ domain }) => domain)
  },
})

const common = { scope: 'write:blocks', params: { domain: Type.String() } } as const

export const addDomainBlock = route({
  ...common,
  summary: 'Block a domain; follows between the caller and its people end',
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await blockDomain(ctx, viewer.accountId, checkDomain(ctx, params.domain))
    return {}
  },
})

export const removeDomainBlock = route({
  ...common,
  summary: 'Take back the block of a domain',
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await unblockDomain(ctx, viewer.accountId, checkDomain(ctx, params.domain))
    return {}
  },
})

const DomainBlockPreview = Type.Object(
  { following_count: Type.Integer(), followers_count: Type.Integer() },
  { $id: 'DomainBlockPreview' },
)

export const previewOfDomainBlock = route({
  ...common,
  summary: 'How many follows a block of a domain would end',
  returns: DomainBlockPreview,
  async handle({ ctx, viewer, params }) {
    const domain = checkDomain(ctx, params.domain)
    const { following, followers } = await previewDomainBlock(ctx, viewer.accountId, domain)
    return { following_count: following, followers_count: followers }
  },
})
