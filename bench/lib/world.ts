import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { commandLineApp } from '../../src/domain/auth/apps.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createUser } from '../../src/domain/auth/users.ts'
import { openBackend } from '../../src/backend.ts'
import { once, requestBytes, type Call, type Target } from './loop.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Person = { id: string; username: string; token: string }
export type World = {
  target: Target
  pid: number
  people: Person[]
  send(call: Call): Promise<{ id: string }>
  stop(): Promise<void>
}

/** Starts a real server over an embedded database of its own, with people in it. */
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
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await said(child, /ready/)
  const { ctx, close } = await openBackend(readConfig({ ...env, LOG_LEVEL: 'error' }), 'command')
  const app = await commandLineApp(ctx)
  const made: Person[] = []
  for (let i = 0; i < people; i++) {
    const username = `person${i}`
    const { accountId, userId } = await createUser(ctx, {
      username,
      email: `${username}@localhost`,
      password: 'correct horse battery',
      confirmed: true,
    })
    made.push({
      id: accountId,
      username,
      token: (await issueToken(ctx, { appId: app.id, userId, scopes: ['read', 'write', 'follow'] })).token,
    })
  }
  await close()
  const target = { port, host: `localhost:${port}` }
  return {
    target,
    pid: child.pid as number,
    people: made,
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

/** Starts the baseline: a bare server that gives this answer to everything. */
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
