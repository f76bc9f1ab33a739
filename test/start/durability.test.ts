// Acknowledged writes survive a crash of the server, PostgreSQL, or both.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { mailsIn } from '../support/mail.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type TestServer } from '../support/server.ts'
import { listen } from '../streaming/listen.ts'
import { startInbox, type RemoteInbox } from './remote-inbox.ts'
import { assertStoredOnce, underLoad } from './request-load.ts'
import { copyCluster } from './postgres-cluster.ts'
import { members, type Member } from './members.ts'
import { house, type House } from './server-process.ts'
import { listPostgres, postgresGone, type Run } from './run-program.ts'

const FOLLOWERS = 4
const WRITERS = 3
/** The number of acknowledged posts after which everything is killed; more are in flight then. */
const ENOUGH = 15

let here: House
let server: Run
let writers: Member[]
let followers: Member[]
let appToken: string
let inbox: RemoteInbox
/** Jobs of a clock that was a day ahead. */
const futureJobs = Array.from({ length: 2 }, () => randomUUID())

before(async () => {
  here = await house({ REGISTRATIONS_MODE: 'open' })
  await copyCluster(here.dataDir)
  inbox = await startInbox()
  server = await here.start()
  const backend = await here.open()
  const names = [
    ...Array.from({ length: WRITERS }, (_, i) => `writer${i}`),
    ...Array.from({ length: FOLLOWERS }, (_, i) => `follower${i}`),
  ]
  const people = await members(backend, names)
  writers = people.slice(0, WRITERS)
  followers = people.slice(WRITERS)
  const remoteFollower = await remoteAccount(backend as unknown as TestServer, 'zoe', 'far.test', {
    inbox_url: inbox.url,
  })
  await backend.database.raw(
    'insert into follows (account_id, target_account_id) select $1, id from accounts where username like $2',
    [remoteFollower, 'writer%'],
  )
  // What a new job, a failed one and the timer of the schedules store while the clock is a day ahead.
  await backend.database.raw(
    `insert into pgboss.job (id, name, data, state, created_on, started_on, start_after) values
       ($1, 'polls.close', '{"pollId": "1"}', 'created', now() + interval '1 day', null, now() + interval '1 day'),
       ($2, 'polls.close', '{"pollId": "2"}', 'retry', now() - interval '1 day', now() + interval '1 day', now() + interval '25 hours')`,
    futureJobs,
  )
  await backend.database.raw(`update pgboss.version set cron_on = now() + interval '1 day'`)
  await backend.close()
  const follow = (follower: Member, writer: Member): Promise<unknown> =>
    here.call('POST', `/api/v1/accounts/${writer.id}/follow`, follower.token)
  await Promise.all(followers.flatMap((follower) => writers.map((writer) => follow(follower, writer))))
  for (const follower of followers) await here.call('GET', '/api/v1/timelines/home', follower.token)
  const { json: app } = await here.call('POST', '/api/v1/apps', null, {
    client_name: 'Signing up',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write',
  })
  const { json } = await here.call('POST', '/oauth/token', null, {
    grant_type: 'client_credentials',
    client_id: app.client_id,
    client_secret: app.client_secret,
    scope: 'read write',
  })
  appToken = json.access_token
})
after(async () => {
  server.kill('SIGTERM')
  await server.ended
  inbox.close()
  here.remove()
})

type Sent = { writer: Member; key: string; text: string; mentioned: Member; id?: string }

const post = ({ writer, key, text }: Sent): ReturnType<House['call']> =>
  here.call('POST', '/api/v1/statuses', writer.token, { status: text }, { 'idempotency-key': key })

/** Posts one after another until the server is gone. */
async function keepPosting(writer: Member, name: string, sent: Sent[]): Promise<void> {
  for (let i = 0; ; i++) {
    const mentioned = followers[i % FOLLOWERS] as Member
    const one: Sent = {
      writer,
      key: `${name} ${i}`,
      text: `Post ${i} of ${name} for @${mentioned.username}`,
      mentioned,
    }
    sent.push(one)
    try {
      const answer = await post(one)
      assert.equal(answer.status, 200)
      one.id = answer.json.id
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

/** Signs accounts up until the server is gone, and returns the acknowledged e-mail addresses. */
async function keepSigningUp(): Promise<string[]> {
  const addresses: string[] = []
  for (let i = 0; ; i++) {
    const email = `new${i}@localhost`
    const form = { username: `new${i}`, email, password: 'correct horse battery', agreement: true, locale: 'en' }
    const answer = await here.call('POST', '/api/v1/accounts', appToken, form).catch(() => null)
    if (!answer) return addresses
    assert.equal(answer.status, 200)
    addresses.push(email)
  }
}

/** All pages of a list. */
async function everything(path: string, token: string): Promise<any[]> {
  const all: any[] = []
  for (;;) {
    const { json } = await here.call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=40${all.length > 0 ? `&max_id=${all.at(-1).id}` : ''}`,
      token,
    )
    if (json.length === 0) return all
    all.push(...json)
  }
}

/** The items of `expected` that are not exactly once in `found`, with their counts. */
function notOnce(expected: readonly string[], found: readonly string[]): Record<string, number> {
  const counts = new Map(expected.map((id) => [id, 0]))
  for (const id of found) if (counts.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return Object.fromEntries([...counts].filter(([, count]) => count !== 1))
}

/** Kills a PostgreSQL process, which may have exited already because another one was killed. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

test('after a crash of everything under load, each acknowledged post exists once, and its deliveries, notifications and mails follow', async () => {
  const sent: Sent[] = []
  const load = writers.flatMap((writer) => [0, 1].map((i) => keepPosting(writer, `${writer.username} ${i}`, sent)))
  const signingUp = keepSigningUp()
  await eventually(async () => sent.filter(({ id }) => id).length >= ENOUGH)
  const postgres = listPostgres(here.dataDir)
  server.kill('SIGKILL', 'group')
  for (const pid of postgres) killed(pid)
  await Promise.all(load)
  const addresses = await signingUp
  await server.ended
  server = await here.start()

  for (const one of sent) {
    const again = await post(one)
    assert.equal(again.status, 200)
    assert.equal(again.json.id, (one.id ??= again.json.id), `${one.key} was posted twice`)
  }
  for (const writer of writers) {
    const ids = sent.filter((one) => one.writer === writer).map(({ id }) => id as string)
    const statuses = await everything(`/api/v1/accounts/${writer.id}/statuses`, writer.token)
    assert.deepEqual(
      notOnce(
        ids,
        statuses.map(({ id }) => id),
      ),
      {},
    )
    assert.equal(statuses.length, ids.length, 'there are posts that no writer sent')
    const { json: account } = await here.call('GET', `/api/v1/accounts/${writer.id}`)
    assert.equal(account.statuses_count, ids.length)
  }
  const ids = sent.map(({ id }) => id as string)
  await Promise.all(
    followers.map(async (follower) => {
      const home = await everything('/api/v1/timelines/home', follower.token)
      assert.deepEqual(
        notOnce(
          ids,
          home.map(({ id }) => id),
        ),
        {},
        `in the home timeline of ${follower.username}`,
      )
      const mentions = await everything('/api/v1/notifications?types[]=mention', follower.token)
      const mine = sent.filter(({ mentioned }) => mentioned === follower).map(({ id }) => id as string)
      assert.deepEqual(
        notOnce(
          mine,
          mentions.map(({ status }) => status.id),
        ),
        {},
        `in the notifications of ${follower.username}`,
      )
    }),
  )
  const uris = sent.map(({ id, writer }) => `http://${here.domain}/users/${writer.username}/statuses/${id}/activity`)
  await eventually(async () => uris.every((uri) => inbox.delivered.has(uri)))
  assert.ok(addresses.length > 0)
  await eventually(async () => {
    const mails = await mailsIn(here.dataDir)
    return addresses.every((email) => mails.some(({ to }) => to === email))
  })
})

test('a start repairs what a clock that was ahead has left to the queue', async () => {
  const { database, close } = await here.open()
  await eventually(async () => {
    const { rows } = await database.raw(
      `select (select cron_on <= now() from pgboss.version) as scheduled,
         (select count(*)::int from pgboss.job where id = any($1) and state = 'completed') as completed`,
      [futureJobs],
    )
    return rows[0].scheduled === true && rows[0].completed === futureJobs.length
  })
  await close()
})

const isHealthy = async (): Promise<boolean> =>
  (await here.call('GET', '/api/v1/timelines/home', followers[0]?.token)).status === 200

/** Others may be about to end: PostgreSQL starts a process for each autovacuum. */
const servesClient = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('[local]')

const readPostmaster = (): number =>
  Number.parseInt(readFileSync(join(here.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)

test('when PostgreSQL is killed under load, requests get a 503 until it is back, and streams stay open', async () => {
  const [writer, follower] = [writers[0], followers[0]] as [Member, Member]
  const client = await listen({ url: here.url }, { token: follower.token, streams: ['user'] })
  await client.settled()
  const acknowledged = await underLoad(here, writers, 'backend', async () => {
    killed(listPostgres(here.dataDir).find(servesClient) as number)
  })
  acknowledged.push(...(await underLoad(here, writers, 'postmaster', async () => killed(readPostmaster()))))
  await assertStoredOnce(here, acknowledged)
  await eventually(isHealthy)

  const { json: status } = await here.call('POST', '/api/v1/statuses', writer.token, { status: 'We are back' })
  await client.next(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === status.id)
  client.end()
  const uri = `http://${here.domain}/users/${writer.username}/statuses/${status.id}/activity`
  await eventually(async () => inbox.delivered.has(uri))
})

test('after a restart of PostgreSQL the server receives messages of other processes again', async () => {
  const set = await here.command(['settings', 'set', 'site_title', 'Told by another process'])
  assert.equal(set.status, 0, set.output)
  await eventually(async () => (await here.call('GET', '/api/v2/instance')).json.title === 'Told by another process')
})

test('no later statement runs in a transaction of the queue that failed', async () => {
  const { database, close } = await here.open()
  await assert.rejects(database.raw('begin; select 1 / 0; commit'), /division by zero/)
  await Promise.all(Array.from({ length: 4 }, () => database.raw('select 1')))
  await close()
})

test('the server reopens connections that PostgreSQL closes', async () => {
  const backend = await here.open()
  const { rows } = await backend.database.raw(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
    ['client backend'],
  )
  // The call returns before the backends end. Among them are some of this process.
  await eventually(async () => {
    const left = backend.database.raw('select from pg_stat_activity where pid = any($1)', [rows.map(({ pid }) => pid)])
    return (await left.catch(() => null))?.rowCount === 0
  })
  await backend.close()
  await eventually(isHealthy)
  const client = await listen({ url: here.url }, { token: (followers[1] as Member).token, streams: ['user'] })
  // The server notices each loss when it uses the connection: clients repeat what gets a 503.
  const status = await eventually(async () => {
    const answer = await here.call(
      'POST',
      '/api/v1/statuses',
      writers[1]?.token,
      { status: 'Once more' },
      { 'idempotency-key': 'once more' },
    )
    assert.ok(answer.status === 200 || answer.status === 503, JSON.stringify(answer.json))
    return answer.status === 200 && answer.json
  })
  assert.equal((await client.event('update', 'user')).id, status.id)
  client.end()
})

test('aborted requests leave the server healthy, and log nothing', async () => {
  const before = server.output()
  const token = writers[0]?.token
  const upgrade =
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13'
  const upload = 'Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: 400000'
  const part = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  const requests = [
    'GET / HTTP/1.1\r\n\r\n',
    'GET /source.tar.gz HTTP/1.1\r\n\r\n',
    'GET /api/openapi.json HTTP/1.1\r\n\r\n',
    'GET /api/v1/streaming/user HTTP/1.1\r\n\r\n',
    `GET /api/v1/streaming?stream=user HTTP/1.1\r\n${upgrade}\r\n\r\n`,
    `POST /api/v2/media HTTP/1.1\r\n${upload}\r\n\r\n${part}${'x'.repeat(400_000)}`,
    'POST /auth/sign_in HTTP/1.1\r\nContent-Length: 12\r\n\r\nuser[email]=',
  ]
  const leave = async (request: string, afterAnswer: boolean): Promise<void> => {
    const socket = connect(Number(new URL(here.url).port), '127.0.0.1')
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    const go = (): void => void socket.resetAndDestroy()
    const text = request.replace('\r\n', `\r\nHost: ${here.domain}\r\nAuthorization: Bearer ${token}\r\n`)
    socket.once('data', go).write(text, () => !afterAnswer && go())
    // An incomplete request gets no response.
    setTimeout(go, 500).unref()
    await closed
  }
  for (const afterAnswer of [false, true]) await Promise.all(requests.map((request) => leave(request, afterAnswer)))
  assert.equal(await isHealthy(), true)
  assert.equal(server.output(), before)
})

test('SIGTERM lets a request finish, closes the streams, and stops PostgreSQL', async () => {
  const client = await listen({ url: here.url }, { token: (followers[0] as Member).token, streams: ['user'] })
  const body = JSON.stringify({ status: 'The last one' })
  const socket = connect(Number(new URL(here.url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => (answer += text))
  const closed = once(socket, 'close')
  const head = `POST /api/v1/statuses HTTP/1.1\r\nHost: ${here.domain}\r\nAuthorization: Bearer ${writers[0]?.token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head)
  // The server asks for the body when it begins to process the request.
  await eventually(async () => answer.startsWith('HTTP/1.1 100 '))
  answer = ''
  socket.write(body.slice(0, 10))
  server.kill('SIGTERM')
  assert.equal((await client.closes()).code, 1001)
  // A proxy turns to another process meanwhile.
  await eventually(() =>
    fetch(`${here.url}/health`).then(
      () => false,
      () => true,
    ),
  )
  socket.write(body.slice(10))
  await closed
  assert.match(answer.trimStart(), /^HTTP\/1\.1 200 /)
  assert.equal(await server.ended, 0, server.output())
  await postgresGone(here.dataDir)
  chmodSync(here.dataDir, 0o777)
  const backend = await here.open()
  assert.equal(statSync(here.dataDir).mode & 0o066, 0, 'the data directory is open to others')
  const { rows } = await backend.database.raw('select content from statuses order by id desc limit 1')
  await backend.close()
  assert.match(rows[0].content, /The last one/)
})
