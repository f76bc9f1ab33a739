// GET /api/v1/crypto/encrypted_messages, POST …/clear: the mailbox of the token's device.
import Type from 'typebox'
import { getDevice } from '../../domain/crypto/devices.ts'
import { clearMessages, listMessages } from '../../domain/crypto/messages.ts'
import { EncryptedMessage, presentEncryptedMessage } from '../../entities/crypto.ts'
import { Empty } from '../../entities/schema.ts'
import { pageOf, pageParams, setLinks } from '../../http/paginate.ts'
import { Id } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const getEncryptedMessages = route('GET /api/v1/crypto/encrypted_messages', {
  summary: 'What was sent to the device of this token',
  scope: 'crypto',
  params: Type.Object(pageParams),
  returns: Type.Array(EncryptedMessage),
  async handle(call) {
    const { ctx, viewer, params } = call
    const page = pageOf(params, 80)
    const rows = await listMessages(ctx, await getDevice(ctx, viewer.tokenId), page)
    setLinks(call, { ids: rows.map(({ id }) => id), page })
    return rows.map(presentEncryptedMessage)
  },
})

export const clearEncryptedMessages = route('POST /api/v1/crypto/encrypted_messages/clear', {
  summary: 'Delete messages up to and including one',
  scope: 'crypto',
  params: Type.Object({ up_to_id: Id }),
  returns: Empty,
  async handle({ ctx, viewer, params }) {
    await clearMessages(ctx, await getDevice(ctx, viewer.tokenId), params.up_to_id)
    return {}
  },
})
