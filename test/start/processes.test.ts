// One server in several processes: web processes that share a port, a streaming process and a worker.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { listen } from '../streaming/listen.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/server-pool.ts'
import { eventually } from '../support/server.ts'
import { countPostgres, run, type Run } from './run-program.ts'
import { copyCluster } from './postgres-cluster.ts'
import { members, type Member } from './members.ts'
import { house, type House } from './server-process.ts'

const metricsPort = await freePort()
let here: House
let server: Run
let ada: Member
let bob: Member
/** Has used the API before: 60 of 300 requests are left. */
let kim: Member

before(async () => {
  here = await house({
    WEB_CONCURRENCY: '2',
    RATE_LIMITS: 'on',
    OAUTH_PASSWORD_GRANT: 'true',
    MASTODON_PROMETHEUS_EXPORTER_ENABLED: 'true',
    MASTODON_PROMETHEUS_EXPORTER_PORT: String(metricsPort),
  })
  await copyCluster(here.dataDir)
  server = await here.start()
  const backend = await here.open()
  ;[ada, bob, kim] = (await members(backend, ['ada', 'bob', 'kim'])) as [Member, Member, Member]
  await backend.database.raw(
    `insert into rate_limits (key, uses, expires_at)
     select 'per token:' || t.id, 240, now() + interval '5 minutes'
     from oauth_tokens t join users u on u.id = t.user_id where u.account_id = $1`,
    [kim.id],
  )
  await backend.close()
})
after(async () => {
  server?.kill('SIGKILL', 'group')
  await server?.ended
  here?.remove()
})

/** The processes that a primary process supervises, by name. */
function children({ pid: primary } = server): Map<string, number> {
  const found = new Map<string, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      const name = /(?:^|\0)PROCESS_NAME=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1]
      if (name && parent === String(primary)) found.set(name, Number(pid))
    } catch {
      // The process has ended.
    }
  }
  return found
}

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const figures = async (): Promise<string> => (await fetch(`http://localhost:${metricsPort}/metrics`)).text()

/** Sends requests on connections of their own, so that they reach all web processes. */
const spread = <T>(count: number, send: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, send))

const own = { connection: 'close' }

test('one command starts all processes, which share the port, and prints the set-up link once', async () => {
  assert.deepEqual([...children().keys()].toSorted(), ['streaming', 'web-1', 'web-2', 'worker'])
  assert.equal(server.output().split('/auth/setup?token=').length, 2)
  assert.equal(server.output().split('Rookery is ready').length, 2)
  // A process that has to wait for others is not ready for a moment.
  await eventually(async () => {
    const answers = await spread(8, () => here.call('GET', '/health/ready', null, undefined, own))
    return answers.every(({ json }) => json === 'OK')
  })
  const text = await figures()
  for (const name of ['web-1', 'web-2'])
    assert.match(text, new RegExp(`rookery_http_requests_total\\{[^}]*health/ready[^}]*process="${name}"`))
  assert.match(text, /rookery_media_cache_bytes\{[^}]*process="worker"/)
  assert.doesNotMatch(text, /rookery_media_cache_bytes\{[^}]*process="web/)
})

test('a sign-in of one process holds in the other, and streams show what either publishes', async () => {
  const { json: granted } = await here.call('POST', '/oauth/token', null, {
    grant_type: 'password',
    username: 'ada@localhost',
    password: 'correct horse battery',
    ...(
      await here.call('POST', '/api/v1/apps', null, {
        client_name: 'x',
        redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
        scopes: 'read write',
      })
    ).json,
    scope: 'read write',
  })
  const token = granted.access_token as string
  const verified = await spread(8, () => here.call('GET', '/api/v1/accounts/verify_credentials', token, undefined, own))
  assert.deepEqual(new Set(verified.map(({ json }) => json.username)), new Set(['ada']))

  assert.equal((await here.call('POST', `/api/v1/accounts/${ada.id}/follow`, bob.token)).status, 200)
  const stream = await listen(here, { token: bob.token, streams: ['user'] })
  const events = await fetch(`${here.url}/api/v1/streaming/user`, { headers: { authorization: `Bearer ${bob.token}` } })
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
  await eventually(async () => /rookery_stream_connections\{process="streaming"\} 2/.test(await figures()))
  const posts = await spread(4, () => here.call('POST', '/api/v1/statuses', token, { status: 'Hello' }, own))
  for (const { json } of posts) {
    const frame = await stream.next(({ payload }) => payload !== undefined && JSON.parse(payload).id === json.id)
    assert.equal(frame.event, 'update')
  }
  let text = ''
  while (!posts.every(({ json }) => text.includes(`"id":"${json.id}"`))) text += (await reader.read()).value
  await reader.cancel()
  stream.end()
  await eventually(async () => /rookery_stream_connections\{process="streaming"\} 0/.test(await figures()))
})

test('rate limits count what all processes answer', async () => {
  const limited = await spread(40, () =>
    here.call('POST', '/api/v1/emails/confirmations', ada.token, { email: 'x@localhost' }, own),
  )
  // In five minutes.
  const allowed = limited.filter(({ status }) => status !== 429)
  assert.equal(allowed.length, 25, JSON.stringify(limited.map(({ status }) => status)))
  const reads: number[] = []
  for (let i = 0; i < 3; i++)
    reads.push(
      ...(await spread(32, () => here.call('GET', '/api/v1/markers', kim.token, undefined, own))).map(
        ({ status }) => status,
      ),
    )
  const answered = reads.filter((status) => status === 200).length
  assert.ok(answered > 50 && answered <= 60, `${answered} of 60`)
})

test('a killed process starts again, and the others serve meanwhile', async () => {
  const before = children()
  for (const name of ['web-1', 'streaming']) process.kill(before.get(name) as number, 'SIGKILL')
  // A connection that was on its way to the killed process is lost.
  await eventually(
    async () => (await fetch(`${here.url}/health`, { signal: AbortSignal.timeout(1000) }).catch(() => null))?.ok,
  )
  await eventually(async () => server.output().split('process.restarted').length === 3)
  const stream = await listen(here, { token: ada.token, streams: ['user'] })
  const { json } = await here.call('POST', '/api/v1/statuses', ada.token, { status: 'Again' })
  assert.equal((await stream.event('update')).id, json.id)
  stream.end()
  const now = children()
  assert.equal(now.size, 4)
  assert.equal(now.get('web-2'), before.get('web-2'))
})

test('SIGTERM stops all processes and PostgreSQL', async () => {
  const stopped = [...children().values()]
  server.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.output())
  assert.deepEqual([stopped.some(alive), countPostgres(here.dataDir)], [false, 0])
})

test('a role without a shared database, and an unknown option, are refused in one line', async (t) => {
  const refusals: [args: string[], line: RegExp][] = [
    [['--role', 'worker'], /^Rookery could not start: PROCESS_ROLES and --role need DATABASE_URL.*\n$/],
    [['--rôle'], /^Rookery could not start: Unknown option.*\n$/],
  ]
  for (const [args, line] of refusals) {
    const refused = run([process.execPath, 'scripts/start.js', ...args], { ...here.env, LOG_LEVEL: 'silent' })
    t.after(() => refused.kill('SIGKILL', 'group'))
    assert.equal(await refused.ended, 1)
    assert.match(refused.output(), line)
  }
})

test('roles start by hand on a shared database, and the kill of a primary process leaves none of its own', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const ports = { web: await freePort(), streaming: await freePort() }
  const begin = async (role: string, port = 0): Promise<Run> => {
    const env = {
      ...here.env,
      DATABASE_URL: database.url,
      PORT: String(port),
      LOCAL_DOMAIN: `localhost:${ports.web}`,
      MASTODON_PROMETHEUS_EXPORTER_ENABLED: 'false',
    }
    const started = run([process.execPath, 'scripts/start.js', '--role', role], env)
    t.after(() => started.kill('SIGKILL', 'group'))
    await eventually(async () => started.output().includes(`Rookery is ready as ${role.replace(',', ' and ')}`))
    return started
  }
  const web = await begin('web', ports.web)
  const shared = await house({ ...here.env, DATABASE_URL: database.url, PORT: String(ports.web) })
  t.after(() => shared.remove())
  const backend = await shared.open()
  const [eve, lea] = (await members(backend, ['eve', 'lea'])) as [Member, Member]
  const write = async (status: string): Promise<string> =>
    (await shared.call('POST', '/api/v1/statuses', lea.token, { status })).json.id
  await write('From before')
  const readHome = async (): Promise<number> =>
    (await shared.call('GET', '/api/v1/timelines/home', eve.token)).json.length
  assert.equal(await readHome(), 0)
  assert.equal((await shared.call('POST', `/api/v1/accounts/${lea.id}/follow`, eve.token)).status, 200)
  assert.equal(await readHome(), 0, 'a job adds earlier posts')
  const other = await begin('streaming,worker', ports.streaming)
  await eventually(async () => (await readHome()) === 1)
  await backend.close()
  const stream = await listen({ url: `http://127.0.0.1:${ports.streaming}` }, { token: lea.token, streams: ['user'] })
  const id = await write('From afar')
  assert.equal((await stream.event('update')).id, id)
  stream.end()
  assert.equal((await fetch(`http://127.0.0.1:${ports.streaming}/api/v2/instance`)).status, 404)
  // As Ctrl-C in a terminal.
  other.kill('SIGINT', 'group')
  assert.equal(await other.ended, 0, other.output())
  const left = children(web)
  assert.deepEqual([...left.keys()].toSorted(), ['web-1', 'web-2'])
  web.kill('SIGKILL')
  await web.ended
  await eventually(async () => ![...left.values()].some(alive))
})
