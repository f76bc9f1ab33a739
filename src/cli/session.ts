import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { openBackend, openConnection, type Backend } from '../backend.ts'

export type Session = { ctx: () => Promise<Context>; database: () => Promise<Database>; close(): Promise<void> }

/** What a command works with, opened when it first asks: a command that only explains itself touches no database. */
export function openSession(config: Config): Session {
  const quiet = { ...config, logLevel: 'warn' }
  let backend: Promise<Backend> | null = null
  let connection: ReturnType<typeof openConnection> | null = null
  return {
    ctx: async () => (await (backend ??= openBackend(quiet, 'command'))).ctx,
    database: async () => (await (connection ??= openConnection(quiet, 'command'))).database,
    async close() {
      await (await backend)?.close()
      await (await connection)?.close()
    },
  }
}
