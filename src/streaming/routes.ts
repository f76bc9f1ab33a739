import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { guard, inspect } from './access.ts'
import { createHub } from './hub.ts'
import { createOutbox } from './outbox.ts'
import { serveEvents } from './sse.ts'
import { serveWebSockets } from './websocket.ts'

/** Milliseconds between heartbeats on each kind of connection, and between checks of the listeners' tokens. */
const TIMES = { ping: 30_000, heartbeat: 15_000, inspect: 60_000 }

/** Live updates. Gives back how to close all streams. */
export function registerStreaming(app: FastifyInstance, ctx: Context, times: typeof TIMES = TIMES): { close(): void } {
  const hub = createHub()
  const send = createOutbox(ctx, hub)
  const servers = [serveWebSockets(app, ctx, hub, times), serveEvents(app, ctx, hub, times)]
  const stopListening = ctx.subscribe((message) => {
    guard(ctx, hub, message)
    send(message)
  })
  const timer = setInterval(() => {
    inspect(ctx, hub).catch((error: unknown) => ctx.log.warn({ err: error }, 'streaming.inspection-failed'))
  }, times.inspect).unref()
  return {
    close() {
      stopListening()
      clearInterval(timer)
      for (const server of servers) server.close()
      for (const listener of hub.listeners) listener.end('stopping')
    },
  }
}
