import { covers } from '../../domain/auth/scopes.ts'
import { findMessage } from '../../domain/crypto/messages.ts'
import { presentEncryptedMessage } from '../../entities/crypto.ts'
import type { EventSource } from './event.ts'

/** A private message has come for a device: only the token that it belongs to hears of it. */
export const encryptedMessageCreated: EventSource<'encrypted_message.new'> = async (
  ctx,
  hub,
  { id, accountId, tokenId },
) => {
  const to = hub
    .at('user', accountId)
    .filter(({ listener: { viewer } }) => viewer.tokenId === tokenId && covers(viewer.scopes, 'crypto'))
  const message = to.length > 0 ? await findMessage(ctx, id) : null
  return message ? [{ to, event: 'encrypted_message', payload: JSON.stringify(presentEncryptedMessage(message)) }] : []
}
