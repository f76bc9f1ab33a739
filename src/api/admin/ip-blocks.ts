import Type from 'typebox'
import { blockIp, changeIpBlock, removeIpBlocks } from '../../actions/admin/ip-blocks.ts'
import {
  getIpBlock,
  IP_BLOCK_SEVERITIES,
  listIpBlocks,
  MAX_IP_BLOCK_DURATION,
} from '../../domain/registration/ip-blocks.ts'
import { AdminIpBlock, IpSeverity, presentIpBlock } from '../../entities/admin/ip-block.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam, NOT_BLANK } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const READ = { scope: 'admin:read:ip_blocks', permission: 'manage_blocks' } as const
const WRITE = { scope: 'admin:write:ip_blocks', permission: 'manage_blocks' } as const

/** 0 stands for no end. */
const expiry = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_IP_BLOCK_DURATION }))

export const getAdminIpBlocks = route({
  summary: 'Blocked IP addresses and ranges, the newest first',
  ...READ,
  params: pageParams,
  returns: Type.Array(AdminIpBlock),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listIpBlocks(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentIpBlock)
  },
})

export const getAdminIpBlock = route({
  summary: 'A blocked IP address or range',
  ...READ,
  params: { id: IdParam },
  returns: AdminIpBlock,
  handle: async ({ ctx, params }) => presentIpBlock(await getIpBlock(ctx, params.id)),
})

export const createAdminIpBlock = route({
  summary: 'Block an IP address or range from signing up, or from the whole server',
  ...WRITE,
  params: {
    ip: Type.String(NOT_BLANK),
    severity: Type.Enum([...IP_BLOCK_SEVERITIES], NOT_BLANK),
    comment: Type.Optional(Type.String()),
    expires_in: expiry,
  },
  returns: AdminIpBlock,
  async handle({ ctx, viewer, params, request }) {
    const { ip, severity, comment = '', expires_in: seconds = 0 } = params
    const values = { ip, severity, comment, expiresIn: seconds || null }
    return presentIpBlock(await blockIp(ctx, { staffId: viewer.accountId, ip: request.ip }, values))
  },
})

export const updateAdminIpBlock = route({
  summary: 'Change the block of an IP address or range',
  ...WRITE,
  params: {
    id: IdParam,
    ip: Type.Optional(Type.String()),
    severity: Type.Optional(IpSeverity),
    comment: Type.Optional(Type.String()),
    expires_in: expiry,
  },
  returns: AdminIpBlock,
  async handle({ ctx, viewer, params, request }) {
    const { id, expires_in: seconds, ...rest } = params
    const changes = { ...rest, ...(seconds === undefined ? {} : { expiresIn: seconds || null }) }
    return presentIpBlock(await changeIpBlock(ctx, { staffId: viewer.accountId, ip: request.ip }, id, changes))
  },
})

export const deleteAdminIpBlock = route({
  summary: 'Unblock an IP address or range',
  ...WRITE,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await removeIpBlocks(ctx, viewer.accountId, [params.id])
    return {}
  },
})
