import { receiveMessage } from '../../../actions/encrypted-messages.ts'
import { parseEncryptedMessage } from '../../../ap/devices.ts'
import { asObject, isSameHost } from '../../../ap/normalise.ts'
import { findLocalTarget, type Handler } from './incoming.ts'

/**
 * A Create of an EncryptedMessage, which names devices: the account is the one that the activity is addressed to. Mastodon gives
 * the object no id.
 */
export const receiveEncryptedMessage: Handler = async (ctx, { activity, actor, forwarded }) => {
  const object = asObject(activity.object)
  const { objectId } = activity
  if (forwarded || object === null) return
  if (objectId !== null && !isSameHost(objectId, actor.uri ?? '')) return
  const sent = parseEncryptedMessage(object)
  const target = sent && (await findLocalTarget(ctx, activity.to[0] ?? null))
  if (!target) return
  const { fromDeviceId, toDeviceId, franking, ...message } = sent
  await receiveMessage(
    ctx,
    { account_id: actor.id, device_id: fromDeviceId },
    {
      ...message,
      account_id: target.id,
      device_id: toDeviceId,
      uri: objectId ?? activity.id,
      original_franking: franking,
    },
  )
}
