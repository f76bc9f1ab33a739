import type { Context } from '../context.ts'
import type { DeviceName } from '../domain/crypto/devices.ts'
import {
  type OutgoingMessage,
  type ReceivedMessage,
  type StoredMessage,
  storeMessages,
} from '../domain/crypto/messages.ts'
import { findRemoteOwners, storeOutgoing } from '../domain/crypto/remote.ts'
import { federate } from './federate.ts'

/** To local devices at once, and to remote ones by a job. All or none, as storeMessages. Throws NotFound, Invalid. */
export const deliverMessages = (ctx: Context, from: DeviceName, messages: readonly OutgoingMessage[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const owners = await findRemoteOwners(
      tx,
      from.account_id,
      messages.map(({ account_id }) => account_id),
    )
    const remote = new Set(owners.map(({ id }) => id))
    const isRemote = ({ account_id }: OutgoingMessage): boolean => remote.has(account_id)
    const stored = await storeMessages(
      tx,
      from,
      messages.filter((each) => !isRemote(each)),
    )
    const ids = await storeOutgoing(tx, from, messages.filter(isRemote))
    publish(tx, stored)
    await federate(
      tx,
      ids.map((messageId) => ({ activity: 'encrypted-message' as const, messageId })),
    )
  })

/** Stores a message from a device of a remote account, unless it is stored already. Throws NotFound, Invalid. */
export const receiveMessage = (ctx: Context, from: DeviceName, received: ReceivedMessage): Promise<void> =>
  ctx.transaction(async (tx) => publish(tx, await storeMessages(tx, from, [received])))

function publish(tx: Context, stored: readonly StoredMessage[]): void {
  tx.publish(...stored.map((row) => ({ type: 'encrypted_message.new' as const, ...row })))
}
