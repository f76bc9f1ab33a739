import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { applyAccessChange, inspectListeners } from './access.ts'
import { Hub } from './hub.ts'
import { createEventSender } from './event-sender.ts'
import { serveEvents } from './sse.ts'
import { serveWebSockets } from './websocket.ts'

/** In milliseconds: between pings of WebSockets, heartbeats of server-sent events, and inspections of the listeners. */
const TIMES = { ping: 30_000, heartbeat: 15_000, inspect: 60_000 }

/** `count` returns the open connections; `close` ends them. */
export function registerStreaming(
  app: FastifyInstance,
  ctx: Context,
  times: typeof TIMES = TIMES,
): { count(): number; close(): void } {
  const hub = new Hub()
  const send = createEventSender(ctx, hub)
  const servers = [serveWebSockets(app, ctx, hub, times), serveEvents(app, ctx, hub, times)]
  const stopListening = ctx.subscribe((message) => {
    applyAccessChange(ctx, hub, message)
    send(message)
  })
  const timer = setInterval(() => {
    inspectListeners(ctx, hub).catch((error: unknown) => ctx.log.warn({ err: error }, 'streaming.inspection-failed'))
  }, times.inspect).unref()
  return {
    count: () => hub.size,
    close() {
      stopListening()
      clearInterval(timer)
      for (const server of servers) server.close()
      for (const listener of hub.listeners) listener.end('stopping')
    },
  }
}
