import module from 'node:module'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { logOf, openConnection } from '../connection.ts'
import { migrate } from '../db/migrate.ts'
import { warnOfFormerDomains } from '../domain/server/former-domains.ts'
import { shareFigures } from '../monitoring/exporter.ts'
import type { Started } from './announce.ts'
import { Supervisor, type ChildPlan } from './supervisor.ts'

/**
 * Starts PostgreSQL, migrates, and starts and supervises the processes: as many web processes as WEB_CONCURRENCY says, a
 * streaming process and a worker. Throws StartError when one of them cannot start.
 */
export async function startProcesses(config: Config): Promise<Started> {
  const log = logOf(config, 'server')
  const plans = planProcesses(config)
  const { database, url, close } = await openConnection(config, 'server', { log, processes: plans.length + 1 })
  const supervisor = new Supervisor(log, plans, {
    DATABASE_URL: url,
    WEB_CONCURRENCY: '1',
    ...compileCache(),
  })
  const stop = async (): Promise<void> => {
    await supervisor.stop()
    await metrics?.close()
    await close()
  }
  let metrics: { close(): Promise<void> } | null = null
  try {
    await migrate(database)
    await warnOfFormerDomains(database, config, log)
    const ready = await supervisor.start()
    if (config.metrics) metrics = await shareFigures(config.metrics, log)
    return { log, address: ready.address, setUpLink: ready.setUpLink, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The processes share compiled code, for a faster start. Node appends its version to the folder. */
function compileCache(): Record<string, string> {
  const folder = module.getCompileCacheDir()
  return folder ? { NODE_COMPILE_CACHE: dirname(folder) } : {}
}

/** The worker comes first: it alone creates what the first start needs. */
function planProcesses({ roles, webConcurrency }: Config): ChildPlan[] {
  const separate = (['worker', 'streaming'] as const).filter((role) => roles.includes(role))
  const web = Array.from({ length: webConcurrency }, (_, i) => ({
    name: `web-${i + 1}`,
    role: 'web' as const,
    // Without a streaming process, each web process serves the streams that reach it.
    roles: separate.includes('streaming') ? 'web' : 'web,streaming',
  }))
  return [...separate.map((role) => ({ name: role, role, roles: role })), ...web]
}
