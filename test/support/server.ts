import { setTimeout as delay } from 'node:timers/promises'
import { createRestAPIClient, type mastodon } from 'masto'
import { type Dispatcher, request } from 'undici'
import { sql } from '../../src/db/sql.ts'
import { insertApp } from '../../src/domain/auth/apps.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createUser, type NewUser, ROLES } from '../../src/domain/auth/users.ts'
import { permissionBits, type Permission } from '../../src/domain/auth/viewer.ts'
import { once } from '../../src/lib/concurrency.ts'
import type { Server } from '../../src/server.ts'
import { PASSWORD, passwordHash } from './passwords.ts'
import { acquireServer } from './server-pool.ts'

export { eventually } from './eventually.ts'

export type Answer = { status: number; headers: Headers; text: string; json: any }
export type Send = (method: string, path: string, options?: SendOptions) => Promise<Answer>
export type SendOptions = {
  token?: string | null
  json?: unknown
  form?: Record<string, string> | URLSearchParams | FormData
  headers?: Record<string, string>
}

export type Person = {
  id: string
  userId: string
  username: string
  email: string
  password: string
  token: string
  client: mastodon.rest.Client
  send: Send
  /** As `send`, but returns the body, and throws unless the status is 2xx. */
  get(path: string): Promise<any>
  post(path: string, json?: unknown): Promise<any>
  put(path: string, json?: unknown): Promise<any>
  delete(path: string, json?: unknown): Promise<any>
}

export type TestServer = Server & {
  url: string
  domain: string
  send: Send
  /** Creates a confirmed account with a token, by default of all usual scopes. */
  person(username: string, options?: PersonOptions): Promise<Person>
  /** For the person, or without `userId` for the application itself. */
  token(options: { userId?: string | null; scopes: string[] }): Promise<string>
  /** For tests that provoke errors of the server: others fail the test file. Each has its key, message and stack in one text. */
  expectErrors(pattern: RegExp): void
  /** Waits until no job is due or running. */
  drain(): Promise<void>
}

export type PersonOptions = Omit<Partial<NewUser>, 'roleId'> & {
  scopes?: string[]
  /** A role of every server, or the permissions of a new one with a position below moderators. Its tokens may administer. */
  role?: keyof typeof ROLES | readonly Permission[]
}

export const DEFAULT_SCOPES = ['read', 'write', 'follow', 'push', 'profile', 'crypto']

const STAFF_SCOPES = [...DEFAULT_SCOPES, 'admin:read', 'admin:write']

/**
 * A real server in this process, on its own port, with an empty database. Every response is validated against its schema.
 * `stop` returns it to the pool, where the next test file in this process with the same settings gets it, emptied. Tests that
 * change the server itself use a `fresh` one, which really stops.
 */
export async function startTestServer(
  env: NodeJS.ProcessEnv = {},
  { fresh = false }: { fresh?: boolean } = {},
): Promise<TestServer> {
  const { server, errors, release } = await acquireServer(env, fresh)
  const { config } = server.ctx
  const url = `http://127.0.0.1:${config.port}`
  const send = sender(url, config.webDomain)
  const app = await insertApp(server.ctx, {
    name: 'Tests',
    website: null,
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: DEFAULT_SCOPES,
  })
  const token: TestServer['token'] = async ({ userId = null, scopes }) =>
    (await issueToken(server.ctx, { appId: app.id, userId, scopes })).token
  return {
    ...server,
    url,
    domain: config.localDomain,
    send,
    token,
    async person(
      username,
      { role = 'user', scopes = role === 'user' ? DEFAULT_SCOPES : STAFF_SCOPES, ...options } = {},
    ) {
      const user: NewUser = {
        username,
        roleId: ROLES[typeof role === 'string' ? role : 'user'],
        email: `${username}@localhost`,
        password: PASSWORD,
        confirmed: true,
        ...options,
      }
      if (user.password === PASSWORD) user.passwordHash = passwordHash()
      const { accountId, userId } = await createUser(server.ctx, user)
      if (typeof role !== 'string') await giveRole(server, userId, role)
      return personOf(url, send, {
        id: accountId,
        userId,
        username,
        email: user.email,
        password: user.password ?? '',
        token: await token({ userId, scopes }),
      })
    },
    expectErrors: errors.expect,
    drain: () => drain(server),
    stop: once(release),
  }
}

/** By undici's `request`: `fetch` takes twice as long for a small request. */
function sender(base: string, host: string): Send {
  return async (method, path, options = {}) => {
    const headers: Record<string, string> = { ...(path.startsWith('http') ? {} : { host }), ...options.headers }
    if (options.token) headers.authorization = `Bearer ${options.token}`
    let body: string | Buffer | null = null
    if (options.json !== undefined) {
      headers['content-type'] ??= 'application/json'
      body = JSON.stringify(options.json)
    } else if (options.form !== undefined) {
      const { form } = options
      const encoded = new Response(form instanceof FormData ? form : new URLSearchParams(form))
      headers['content-type'] ??= encoded.headers.get('content-type') ?? ''
      body = Buffer.from(await encoded.arrayBuffer())
    }
    const answer = await request(new URL(path, base), { method: method as Dispatcher.HttpMethod, headers, body })
    const text = await answer.body.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: answer.statusCode, headers: headersOf(answer.headers), text, json }
  }
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(received))
    for (const value of [values].flat()) headers.append(name, value)
  return headers
}

function personOf(
  url: string,
  send: Send,
  account: Omit<Person, 'client' | 'send' | 'get' | 'post' | 'put' | 'delete'>,
): Person {
  const mine: Send = (method, path, options) => send(method, path, { token: account.token, ...options })
  const good = async (method: string, path: string, json?: unknown): Promise<any> => {
    const answer = await mine(method, path, json === undefined ? {} : { json })
    if (answer.status >= 300) throw new Error(`${method} ${path}: HTTP ${answer.status} ${answer.text}`)
    return answer.json
  }
  return {
    ...account,
    client: createRestAPIClient({ url, accessToken: account.token }),
    send: mine,
    get: (path) => good('GET', path),
    post: (path, json) => good('POST', path, json ?? {}),
    put: (path, json) => good('PUT', path, json ?? {}),
    delete: (path, json) => good('DELETE', path, json),
  }
}

/** A role of its own, with exactly these permissions. */
async function giveRole(server: Server, userId: string, permissions: readonly Permission[]): Promise<void> {
  let bits = 0n
  for (const each of permissions) bits |= each === 'administrator' ? 1n : permissionBits(each) & ~1n
  await server.ctx.db.run(sql`
    with role as (insert into roles (name, position, permissions) values (${permissions.join(', ')}, 5, ${String(bits)}) returning id)
    update users set role_id = (select id from role) where id = ${userId}`)
}

/** How long jobs may take until a test gives up. */
export const DRAIN_SECONDS = 120

/** Delayed jobs do not count. */
async function drain(server: Server): Promise<void> {
  for (const end = Date.now() + DRAIN_SECONDS * 1000; ;) {
    const jobs = await unfinishedJobs(server)
    if (jobs.length === 0) return
    if (Date.now() > end)
      throw new Error(`jobs are still due or running after ${DRAIN_SECONDS} s: ${JSON.stringify(jobs)}`)
    await delay(20)
  }
}

/** How many jobs of each kind are due or running. Prepared, as planning it takes longer than running it. */
export const unfinishedJobs = ({ database }: Pick<Server, 'database'>): Promise<{ name: string; n: number }[]> =>
  database.many(sql`
    select name, count(*)::int as n from pgboss.job
    where name not like '\\_\\_%' and (state = 'active' or (state in ('created', 'retry') and start_after <= now())) group by name`)
