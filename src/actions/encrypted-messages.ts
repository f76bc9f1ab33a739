import type { Context } from '../context.ts'
import type { DeviceRow } from '../domain/crypto/devices.ts'
import { storeMessages, type OutgoingMessage } from '../domain/crypto/messages.ts'

/** All or none, as storeMessages. Throws NotFound, Invalid. */
export const deliverMessages = (ctx: Context, from: DeviceRow, messages: readonly OutgoingMessage[]): Promise<void> =>
  ctx.transaction(async (tx) => {
    const stored = await storeMessages(tx, from, messages)
    tx.publish(...stored.map((row) => ({ type: 'encrypted_message.new' as const, ...row })))
  })
