import type { FastifyInstance, FastifyReply } from 'fastify'
import { setTimeout as delay } from 'node:timers/promises'
import { Unavailable } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** How long a stopping server waits for the requests under way, in milliseconds. */
const PATIENCE = 10_000

/** Closing the app lets the requests under way be answered first. Those that come in meanwhile are told to come again. */
export function finishBeforeClosing(app: FastifyInstance, patience = PATIENCE): void {
  const underWay = new Set<FastifyReply['raw']>()
  let stopping = false
  let finished = (): void => {}
  app.addHook('onRequest', async (_request, { raw }) => {
    if (stopping) throw new Unavailable(message('stopping'))
    underWay.add(raw)
    // Comes for every answer: complete, broken off, or taken out of the framework's hands.
    raw.once('close', () => {
      underWay.delete(raw)
      if (underWay.size === 0) finished()
    })
  })
  app.addHook('preClose', async () => {
    stopping = true
    if (underWay.size === 0) return
    const all = new Promise<void>((resolve) => (finished = resolve))
    await Promise.race([all, delay(patience, undefined, { ref: false })])
  })
}
