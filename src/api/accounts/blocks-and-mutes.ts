import Type from 'typebox'
import { block, unblock } from '../../actions/accounts/block.ts'
import { blockDomain, unblockDomain } from '../../actions/accounts/domain-blocks.ts'
import { parseServerDomain, parseDomain } from '../../domain/peers/domain-names.ts'
import { mute, unmute } from '../../actions/accounts/mute.ts'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { listDomainBlocks, previewDomainBlock } from '../../domain/relationships/blocks.ts'
import { listBlocks, listMutes } from '../../domain/relationships/lists.ts'
import { storeAccountNote } from '../../domain/relationships/account-notes.ts'
import { Account } from '../../entities/account.ts'
import { MutedAccount, presentMutedAccounts, presentRelationship, Relationship } from '../../entities/relationship.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { limitUse } from '../../http/ratelimit.ts'
import { route } from '../../http/route.ts'
import { changeRelationship, presentAccountPage } from './relationships.ts'

export const blockAccount = route({
  summary: 'Block an account; follows between the two end',
  scope: 'write:blocks',
  params: { id: IdParam },
  returns: Relationship,
  handle: changeRelationship(block),
})

export const unblockAccount = route({
  summary: 'Unblock an account',
  scope: 'write:blocks',
  params: { id: IdParam },
  returns: Relationship,
  handle: changeRelationship(unblock),
})

export const muteAccount = route({
  summary: 'Mute an account, for some seconds or until it is unmuted',
  scope: 'write:mutes',
  params: {
    id: IdParam,
    notifications: Type.Optional(Type.Boolean()),
    duration: Type.Optional(Type.Integer({ lenient: true, minimum: 0 })),
  },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { duration = 0, notifications = true } = params
    const { id } = await getShownAccount(ctx, params.id)
    if (duration > 0) await limitUse(ctx, 'timed-mutes', viewer.userId)
    await mute(ctx, { accountId: viewer.accountId, targetAccountId: id, notifications, duration })
    return presentRelationship(ctx, viewer, id)
  },
})

export const unmuteAccount = route({
  summary: 'Unmute an account',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Relationship,
  handle: changeRelationship(unmute),
})

export const noteAccount = route({
  summary: 'Set a private note on an account; an empty comment removes it',
  scope: 'write:accounts',
  params: { id: IdParam, comment: Type.Optional(Type.String()) },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await storeAccountNote(ctx, { accountId: viewer.accountId, targetAccountId: id, comment: params.comment ?? '' })
    return presentRelationship(ctx, viewer, id)
  },
})

export const getBlocks = route({
  summary: 'Blocked accounts',
  scope: 'read:blocks',
  params: pageParams,
  returns: Type.Array(Account),
  async handle(call) {
    const page = pageOf(call.params, 40)
    return presentAccountPage(call, await listBlocks(call.ctx, call.viewer.accountId, page), { page })
  },
})

export const getMutes = route({
  summary: 'Muted accounts, and when their mutes expire',
  scope: 'read:mutes',
  params: pageParams,
  returns: Type.Array(MutedAccount),
  async handle(call) {
    const page = pageOf(call.params, 40)
    const rows = await listMutes(call.ctx, call.viewer.accountId, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page, prev: 'since_id' })
    return presentMutedAccounts(call.ctx, rows)
  },
})

export const getDomainBlocks = route({
  summary: 'Blocked domains',
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

const common = { scope: 'write:blocks', params: { domain: Type.String(NOT_BLANK) } } as const

export const addDomainBlock = route({
  ...common,
  rate: 'home',
  summary: 'Block a domain; follows between the viewer and its accounts end',
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await blockDomain(ctx, viewer.accountId, parseServerDomain(ctx, params.domain))
    return {}
  },
})

export const removeDomainBlock = route({
  ...common,
  rate: 'home',
  summary: 'Unblock a domain',
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await unblockDomain(ctx, viewer.accountId, parseDomain(ctx, params.domain))
    return {}
  },
})

const DomainBlockPreview = Type.Object(
  { following_count: Type.Integer(), followers_count: Type.Integer() },
  { $id: 'DomainBlockPreview' },
)

export const getDomainBlockPreview = route({
  ...common,
  summary: 'The number of follows that a block of a domain would end',
  returns: DomainBlockPreview,
  async handle({ ctx, viewer, params }) {
    const domain = parseServerDomain(ctx, params.domain)
    const { following, followers } = await previewDomainBlock(ctx, viewer.accountId, domain)
    return { following_count: following, followers_count: followers }
  },
})
