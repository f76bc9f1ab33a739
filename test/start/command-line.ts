import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openBackend } from '../../src/backend.ts'
import { type Databases, runCli } from '../../src/cli/run.ts'
import { once } from '../../src/lib/concurrency.ts'
import { readConfig } from '../../src/config.ts'
import { sql } from '../support/database.ts'
import type { TestServer } from '../support/server.ts'

type Ended = { status: number; out: string; err: string }

export type CommandLine = {
  /** The environment in which commands work on the server. */
  env: NodeJS.ProcessEnv
  rookery(...words: string[]): Promise<Ended>
  /** Runs a command that must succeed, with --json: returns the parsed output. */
  done(...words: string[]): Promise<any>
  /** Runs a command that must fail and say so on stderr. `status`: 1 or 2; any other than 0 when null. */
  refused(status: number | null, says: RegExp, ...words: string[]): Promise<void>
  /** What the audit log has of the command line, such as `account approve @ada`. */
  audited(): Promise<string[]>
}

export const rookeryIn = (env: NodeJS.ProcessEnv, ...words: string[]): Promise<Ended> => ended(env, words)

async function ended(env: NodeJS.ProcessEnv, words: string[], databasesOf?: () => Databases): Promise<Ended> {
  let [out, err] = ['', '']
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
  return { status: await runCli(words, output, env, databasesOf), out, err }
}

/**
 * What each command would open anew, which takes longer than most of them. Beside the server, as the backend of a command is; the
 * first and the last test of cli.test.ts prove that a command opens and closes its own.
 */
export function sharedDatabases(env: NodeJS.ProcessEnv): { of(): Databases; close(): Promise<void> } {
  const backend = once(() => openBackend(readConfig({ ...env, LOG_LEVEL: 'silent' }), 'command'))
  let isOpen = false
  const open = () => {
    isOpen = true
    return backend()
  }
  return {
    of: () => ({
      async open() {
        const { ctx } = await open()
        await ctx.changes.catchUp()
        return ctx
      },
      database: async () => (await open()).database,
      close: async () => {},
    }),
    close: async () => (isOpen ? (await backend()).close() : undefined),
  }
}

/** Runs commands in this process, which share a backend. */
export function commandsIn(env: NodeJS.ProcessEnv): CommandLine['rookery'] {
  const databases = sharedDatabases(env)
  after(databases.close)
  return (...words) => ended(env, words, databases.of)
}

/** Runs commands in this process, on the database of a test server. */
export function commandLine(server: TestServer): CommandLine {
  const { config, db } = server.ctx
  const env = {
    DATABASE_URL: config.databaseUrl as string,
    DATA_DIR: config.dataDir,
    LOCAL_DOMAIN: config.localDomain,
    PORT: String(config.port),
    SECRET_KEY_BASE: config.secretKeyBase as string,
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8,::1',
    REGISTRATIONS_MODE: '',
  }
  const rookery = commandsIn(env)
  return {
    env,
    rookery,
    async done(...words) {
      const { status, out, err } = await rookery(...words, '--json')
      assert.equal(status, 0, `${words.join(' ')}: ${err}`)
      return JSON.parse(out)
    },
    async refused(wanted, says, ...words) {
      const { status, err } = await rookery(...words)
      const isRight = wanted === null ? status > 0 : status === wanted
      assert.ok(isRight && says.test(err), `${words.join(' ')}: ${status} ${err}`)
    },
    async audited() {
      const rows = await db.many<{ entry: string }>(sql`
        select target_type || ' ' || action || ' ' || target_label as entry from audit_log where account_id is null order by id`)
      return rows.map(({ entry }) => entry)
    },
  }
}
