import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { commandLineApp } from '../../src/domain/auth/apps.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { openBackend } from '../../src/backend.ts'
import { residentMemory } from './cpu.ts'
import { once, requestBytes, type Call, type Target } from './loop.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Person = { id: string; username: string; token: string }
export type World = {
  target: Target
  pid: number
  /** Milliseconds from start to ready, with an existing database. */
  startedIn: number
  /** Resident memory of the idle process without its database, in MB. */
  memory: number
  people: Person[]
  send(call: Call): Promise<{ id: string }>
  stop(): Promise<void>
}

function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.replace(/^exec node /, '').split(' ')
}

/** In milliseconds, before the memory of the idle server is measured. */
const REST = 5000

export async function startWorld(people: number): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const port = await freePort()
  const env = {
    PORT: String(port),
    LOCAL_DOMAIN: `localhost:${port}`,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    REGISTRATIONS_MODE: 'open',
  }
  // The first start creates the database, which is not measured.
  await ended(await startServer(env))
  const before = performance.now()
  const child = await startServer(env)
  const startedIn = performance.now() - before
  await delay(REST)
  const memory = residentMemory(child.pid as number)
  const target = { port, host: `localhost:${port}` }
  return {
    target,
    pid: child.pid as number,
    startedIn,
    memory,
    people: await createPeople(env, people),
    async send(call) {
      const { head, body } = await once(target, requestBytes(target, call))
      if (!head.startsWith('HTTP/1.1 2'))
        throw new Error(`${call.method} ${call.path}: ${head.split('\r\n')[0]} ${body.toString()}`)
      return JSON.parse(body.toString()) as { id: string }
    },
    async stop() {
      await ended(child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server is ready. */
async function startServer(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, startArguments(), {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await said(child, /ready/)
  return child
}

async function createPeople(env: Record<string, string>, count: number): Promise<Person[]> {
  const { ctx, close } = await openBackend(readConfig({ ...env, LOG_LEVEL: 'error' }), 'command')
  const app = await commandLineApp(ctx)
  const people: Person[] = []
  for (let i = 0; i < count; i++) {
    const username = `person${i}`
    const { accountId, userId } = await createUser(ctx, {
      username,
      email: `${username}@localhost`,
      password: 'correct horse battery',
      confirmed: true,
    })
    const { token } = await issueToken(ctx, { appId: app.id, userId, scopes: ['read', 'write', 'follow'] })
    people.push({ id: accountId, username, token })
  }
  await close()
  return people
}

export async function startBare(answer: {
  head: string
  body: Buffer
}): Promise<{ target: Target; pid: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-bare-'))
  const headers = Object.fromEntries(
    answer.head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  )
  for (const own of ['content-length', 'date', 'connection', 'keep-alive']) delete headers[own]
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify({ headers, body: answer.body.toString() }))
  const child = spawn(process.execPath, ['bench/lib/bare.ts', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = Number(await said(child, /^\d+$/m))
  const stop = async (): Promise<void> => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { target: { port, host: `localhost:${port}` }, pid: child.pid as number, stop }
}

function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const match = pattern.exec(text)
      if (match) resolve(match[0])
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)))
  })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
