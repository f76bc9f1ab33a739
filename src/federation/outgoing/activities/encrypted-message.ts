import { deviceContext } from '../../../ap/context.ts'
import { hmacSha256 } from '../../../ap/devices.ts'
import { findOutgoing } from '../../../domain/crypto/remote.ts'
import { accountUri } from '../../../domain/server/addresses.ts'
import { encryptedMessageUri } from '../../ids.ts'
import type { Prepare } from './outgoing.ts'

/** To the inbox of the account and not to a shared one, as Mastodon finds the device by the inbox. */
export const prepareEncryptedMessage: Prepare<'encrypted-message'> = async (ctx, { messageId }) => {
  const row = await findOutgoing(ctx, messageId)
  if (!row) return null
  const id = encryptedMessageUri(ctx, row.username, row.id)
  const activity = {
    '@context': deviceContext,
    id: `${id}/activity`,
    type: 'Create',
    actor: accountUri(ctx, row.username),
    published: row.created_at.toISOString(),
    to: row.to_uri,
    object: {
      id,
      type: 'EncryptedMessage',
      attributedTo: { type: 'Device', deviceId: row.from_device_id },
      to: { type: 'Device', deviceId: row.to_device_id },
      digest: { type: 'Digest', digestAlgorithm: hmacSha256, digestValue: row.digest },
      messageType: row.type,
      cipherText: row.body,
      messageFranking: row.message_franking,
    },
  }
  return { accountId: row.from_account_id, activity, to: { inboxes: [row.to_inbox_url] } }
}
