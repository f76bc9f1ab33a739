import type { Socket } from 'node:net'
import { setUpLink } from '../actions/server/set-up.ts'
import type { Config } from '../config.ts'
import { reasonOf } from '../lib/errors.ts'
import { once } from '../lib/concurrency.ts'
import { type Server, startServer } from '../server.ts'
import type { ToChild, ToPrimary } from './messages.ts'
import { handOverStreams, refuseStream, takeOverStream } from './streams.ts'

/** A terminal sends these to all processes; the primary one decides in which order they stop. */
const IGNORED = ['SIGINT', 'SIGHUP'] as const

/** Runs the roles of one process, which ends with its primary one. */
export async function runChild(config: Config): Promise<void> {
  for (const signal of IGNORED) process.on(signal, () => {})
  let server: Server | null = null
  const stop = once(() => void stopChild(server))
  process.on('SIGTERM', stop)
  process.on('message', (message: ToChild, socket?: Socket) => {
    if (message.type === 'stop') stop()
    else if (message.type === 'stream' && socket) {
      if (server) takeOverStream(server.app.server, message.request, socket)
      else refuseStream(socket)
    }
  })
  try {
    const started = await startServer(config, {
      listens: config.roles.includes('web'),
      beforeListening(app) {
        if (!config.roles.includes('streaming'))
          handOverStreams(app, (request, socket) => sendToPrimary({ type: 'stream', request }, socket))
      },
    })
    server = started
    const { ctx, address } = started
    process.on('unhandledRejection', (error) => ctx.log.error({ err: error }, 'process.unhandled-rejection'))
    const link = config.processName === 'web-1' ? await setUpLink(ctx) : null
    sendToPrimary({ type: 'ready', address, setUpLink: link })
  } catch (error) {
    const reason = reasonOf(error) ?? String((error as Error).stack ?? error)
    sendToPrimary({ type: 'failed', reason }, undefined, () => process.exit(1))
  }
}

/** Null: it has not started. */
async function stopChild(server: Server | null): Promise<void> {
  try {
    await server?.stop()
    process.exit(0)
  } catch (error) {
    server?.ctx.log.error({ err: error }, 'server.stop-failed')
    process.exit(1)
  }
}

function sendToPrimary(message: ToPrimary, socket?: Socket, sent?: () => void): void {
  process.send?.(message, socket, {}, (error) => {
    // The primary process has ended, or the client: both end the connection.
    if (error) socket?.destroy()
    sent?.()
  })
}
