// GET /api/v1/crypto/encrypted_messages, POST …/clear: the mailbox of the token's device.
import Type from 'typebox'
import { getDevice } from '../../domain/crypto/devices.ts'
import { clearMessages, listMessages } from '../../domain/crypto/messages.ts'
import { EncryptedMessage, presentEncryptedMessage } from '../../entities/crypto.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const getEncryptedMessages = route({
  summary: 'What was sent to the device of this token',
  scope: 'crypto',
  params: pageParams,
  returns: Type.Array(EncryptedMessage),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 80)
    const rows = await listMessages(ctx, await getDevice(ctx, viewer.tokenId), page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentEncryptedMessage)
  },
})

export const clearEncryptedMessages = route({
  summary: 'Delete messages up to and including one',
  scope: 'crypto',
  params: { up_to_id: IdParam },
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await clearMessages(ctx, await getDevice(ctx, viewer.tokenId), params.up_to_id)
    return {}
  },
})
