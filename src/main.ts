import { readConfig } from './config.ts'
import { StartError } from './lib/errors.ts'
import { setUpLink } from './actions/server/settings.ts'
import { startServer } from './server.ts'

const NODE_NEEDED = 26

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NODE_NEEDED)
    throw new StartError(
      `Rookery needs Node ${NODE_NEEDED} or newer, this is ${process.versions.node}. Start it with: npm start`,
    )
  const config = readConfig()
  const server = await startServer(config)
  // An unhandled rejection must not end the process.
  process.on('unhandledRejection', (error) => server.ctx.log.error({ err: error }, 'process.unhandled-rejection'))
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        server.ctx.log.error({ err: error }, 'server.stop-failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', stop)

  const link = await setUpLink(server.ctx)
  console.log(
    `\nRookery is ready at ${server.ctx.config.baseUrl}${server.ctx.config.baseUrl.endsWith(`:${new URL(server.address).port}`) ? '' : ` (listening on ${server.address})`}`,
  )
  if (link) console.log(`This server has no accounts yet. Set it up (this link works once): ${link}`)
  console.log('Press Ctrl-C to stop.\n')
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? `Rookery could not start: ${error.message}` : error)
  process.exit(1)
})
