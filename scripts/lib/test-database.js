import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/lib/log.ts'
import { startEmbedded } from '../../src/postgres/embedded.ts'

/**
 * A PostgreSQL server for tests, in a temporary folder: fast, many connections, and nothing in it survives a crash. Its
 * database `rookery` is empty. For one test file run by hand; `npm test` starts one for all and sets TEST_DATABASE_URL.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} `stop` removes everything
 */
export async function startTestDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-test-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbedded({
      dataDir,
      log: createLog('error', 'stderr'),
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        wal_level: 'minimal',
        max_wal_senders: 0,
        max_connections: 300,
        autovacuum: 'off',
      },
    })
    return {
      url: server.url,
      async stop() {
        await server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
