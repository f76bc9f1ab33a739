// A server in its own process, as `npm start` runs it, with access to its database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBackend, type Backend } from '../../src/backend.ts'
import { type Databases, runCli } from '../../src/cli/run.ts'
import { readConfig } from '../../src/config.ts'
import { freePort } from '../support/server-pool.ts'
import { address, root, run, type Run } from './run-program.ts'

export type House = {
  dataDir: string
  url: string
  domain: string
  env: Record<string, string>
  /** Starts the server and waits until it is ready. */
  start(): Promise<Run>
  /** Runs `bin/rookery` on the same data directory, in a process of its own. */
  rookery(...words: string[]): Run
  /** Runs a command on the same data directory, in this process, which takes a tenth of the time. `databasesOf`: see `runCli`. */
  command(
    words: readonly string[],
    env?: Record<string, string>,
    databasesOf?: () => Databases,
  ): Promise<{ status: number; output: string }>
  /** Opens the database as commands do. Close it when done. */
  open(): Promise<Backend>
  call(
    method: string,
    path: string,
    token?: string | null,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; json: any }>
  remove(): void
}

/** Chooses a data directory, a port and a domain. Starts nothing yet. */
export async function house(more: Record<string, string> = {}): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-house-'))
  const port = more.PORT ?? (await freePort())
  const env = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    BIND: '127.0.0.1',
    RATE_LIMITS: 'off',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    ...more,
  }
  const url = `http://127.0.0.1:${port}`
  return {
    dataDir: env.DATA_DIR,
    url,
    domain: more.LOCAL_DOMAIN ?? `localhost:${port}`,
    env,
    async start() {
      const server = run([process.execPath, 'scripts/run.js', 'src/main.ts'], env)
      await address(server)
      return server
    },
    rookery: (...words) => run([join(root, 'bin/rookery'), ...words], env),
    async command(words, more = {}, databasesOf) {
      let output = ''
      const write = (text: string): void => void (output += `${text}\n`)
      const status = await runCli([...words], { out: write, err: write }, { ...env, ...more }, databasesOf)
      return { status, output }
    },
    open: () => openBackend(readConfig({ ...env, LOG_LEVEL: 'silent' }), 'command'),
    async call(method, path, token, json, headers = {}) {
      const res = await fetch(url + path, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        redirect: 'manual',
      })
      const text = await res.text()
      return {
        status: res.status,
        headers: res.headers,
        json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
