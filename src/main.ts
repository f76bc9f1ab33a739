import cluster from 'node:cluster'
import { isatty } from 'node:tty'
import { parseArgs } from 'node:util'
import { type Config, PROCESS_ROLES, readConfig } from './config.ts'
import { reasonOf, StartError } from './lib/errors.ts'
import { limitMemory } from './lib/memory.ts'
import { announce, type Started } from './processes/announce.ts'

const NODE_NEEDED = 26

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NODE_NEEDED)
    throw new StartError(
      `Rookery needs Node ${NODE_NEEDED} or newer, this is ${process.versions.node}. Start it with: npm start`,
    )
  const config = readConfig(readArguments())
  limitMemory()
  // Each kind of process loads only what it needs.
  if (cluster.isWorker) return (await import('./processes/child.ts')).runChild(config)
  if (config.databaseUrl === null && config.roles.length < PROCESS_ROLES.length)
    throw new StartError(
      'PROCESS_ROLES and --role need DATABASE_URL: the embedded PostgreSQL belongs to a process with all roles.',
    )
  const several = config.webConcurrency > 1 && config.roles.includes('web')
  const started = several
    ? await (await import('./processes/primary.ts')).startProcesses(config)
    : await startAlone(config)
  // Read now: once a terminal has closed, its descriptors no longer say that they were one.
  const hasTerminal = isatty(0) || isatty(1)
  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    started.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        started.log.error({ err: error }, 'server.stop-failed')
        process.exit(1)
      },
    )
  }
  // An unhandled rejection must not end the process.
  process.on('unhandledRejection', (error) => started.log.error({ err: error }, 'process.unhandled-rejection'))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // A terminal sends it when it closes. Without one, as under nohup or a supervisor, the signal asks to open log files again.
  process.on('SIGHUP', hasTerminal ? stop : () => {})
  announce(config, started)
}

/** `--role web,streaming` wins over PROCESS_ROLES. Throws StartError. */
function readArguments(): NodeJS.ProcessEnv {
  try {
    const { values } = parseArgs({ options: { role: { type: 'string', multiple: true } } })
    return values.role ? { PROCESS_ROLES: values.role.join() } : {}
  } catch (error) {
    throw new StartError(
      `${(error as Error).message.split('. ')[0]}. Usage: npm start -- [--role web,streaming,worker]`,
    )
  }
}

async function startAlone(config: Config): Promise<Started> {
  const { openConnection } = await import('./connection.ts')
  // PostgreSQL starts while the rest of the code loads. The server, which waits for it, throws its errors.
  const connection = openConnection(config, 'server')
  connection.catch(() => {})
  const isWeb = config.roles.includes('web')
  const [{ startServer }, { setUpLink }] = await Promise.all([
    import('./server.ts'),
    import('./actions/server/set-up.ts'),
    isWeb && import('./site.ts'),
  ])
  const { ctx, address, stop } = await startServer(config, { connection })
  return { log: ctx.log, address, stop, setUpLink: isWeb ? await setUpLink(ctx) : null }
}

main().catch((error: unknown) => {
  const reason = reasonOf(error)
  console.error(reason === null ? error : `Rookery could not start: ${reason}`)
  process.exit(1)
})
