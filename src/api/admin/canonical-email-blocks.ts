import Type from 'typebox'
import { blockEmail, unblockEmails } from '../../actions/admin/canonical-email-blocks.ts'
import {
  findCanonicalEmailBlocks,
  getCanonicalEmailBlock,
  listCanonicalEmailBlocks,
} from '../../domain/registration/canonical-email-blocks.ts'
import { AdminCanonicalEmailBlock, presentCanonicalEmailBlock } from '../../entities/admin/email-blocks.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const READ = { scope: 'admin:read:canonical_email_blocks', permission: 'manage_blocks' } as const
const WRITE = { scope: 'admin:write:canonical_email_blocks', permission: 'manage_blocks' } as const

export const getAdminCanonicalEmailBlocks = route({
  summary: 'Hashes of blocked e-mail addresses, the newest first',
  ...READ,
  params: pageParams,
  returns: Type.Array(AdminCanonicalEmailBlock),
  async handle(call) {
    const page = pageOf(call.params, 100)
    const rows = await listCanonicalEmailBlocks(call.ctx, page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentCanonicalEmailBlock)
  },
})

export const getAdminCanonicalEmailBlock = route({
  summary: 'The hash of a blocked e-mail address',
  ...READ,
  params: { id: IdParam },
  returns: AdminCanonicalEmailBlock,
  handle: async ({ ctx, params }) => presentCanonicalEmailBlock(await getCanonicalEmailBlock(ctx, params.id)),
})

export const testCanonicalEmailBlocks = route({
  summary: 'The blocks that hold for an e-mail address, however it is spelt',
  ...READ,
  params: { email: Type.String() },
  returns: Type.Array(AdminCanonicalEmailBlock),
  handle: async ({ ctx, params }) =>
    (await findCanonicalEmailBlocks(ctx, params.email)).map(presentCanonicalEmailBlock),
})

export const createAdminCanonicalEmailBlock = route({
  summary: 'Block an e-mail address in all spellings, by the address or its hash',
  ...WRITE,
  params: { email: Type.Optional(Type.String()), canonical_email_hash: Type.Optional(Type.String()) },
  returns: AdminCanonicalEmailBlock,
  async handle({ ctx, viewer, params }) {
    const { email, canonical_email_hash: hash } = params
    return presentCanonicalEmailBlock(await blockEmail(ctx, viewer.accountId, { email: email || undefined, hash }))
  },
})

export const deleteAdminCanonicalEmailBlock = route({
  summary: 'Unblock an e-mail address',
  ...WRITE,
  params: { id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await unblockEmails(ctx, viewer.accountId, [params.id])
    return {}
  },
})
