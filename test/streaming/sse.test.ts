// Server-sent events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeTokens } from '../support/acts.ts'
import { pngOf } from '../support/images.ts'
import { findCaller } from '../support/internals.ts'
import { beforeCommit, untilWaiting } from '../support/races.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

type Events = { headers: Headers; read(until: (text: string) => boolean): Promise<string>; end(): void }

/** Opens a stream; `read` returns all text so far once it matches. */
async function open(path: string, token: string, inHeader = true): Promise<Events> {
  const controller = new AbortController()
  const url = `${server.url}/api/v1/streaming/${path}${inHeader ? '' : `${path.includes('?') ? '&' : '?'}access_token=${token}`}`
  const response = await fetch(url, {
    signal: controller.signal,
    headers: inHeader ? { authorization: `Bearer ${token}` } : {},
  })
  assert.equal(response.status, 200, await (response.status === 200 ? '' : response.text()))
  const chunks = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  return {
    headers: response.headers,
    async read(until) {
      while (!until(text)) {
        const { value, done } = await chunks.read()
        if (done) throw new Error(`ended after: ${text}`)
        text += Buffer.from(value).toString()
      }
      return text
    },
    end: () => controller.abort(),
  }
}

const post = (status: string, more: object = {}): Promise<any> => ada.post('/api/v1/statuses', { status, ...more })
const eventsIn = (text: string): [string, string][] =>
  [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event, data]) => [event as string, data as string])

test('the user stream sends posts, notifications, deletions and changes of filters', async () => {
  const stream = await open('user', ada.token)
  assert.equal(await stream.read((text) => text.length > 0), ':)\n')
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
  assert.equal(stream.headers.get('access-control-allow-origin'), '*')
  assert.equal(stream.headers.get('cache-control'), 'private, no-store')
  const status = await post('Hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await ada.delete(`/api/v1/statuses/${status.id}`)
  server.ctx.publish({ type: 'filters.changed', accountId: ada.id })
  const events = eventsIn(await stream.read((text) => text.includes('filters_changed')))
  assert.deepEqual(
    events.map(([event]) => event),
    ['update', 'notification', 'delete', 'filters_changed'],
  )
  assert.equal(JSON.parse(events[0]?.[1] as string).id, status.id)
  assert.equal(JSON.parse(events[1]?.[1] as string).type, 'favourite')
  assert.deepEqual([events[2]?.[1], events[3]?.[1]], [status.id, 'undefined'])
  stream.end()
})

test('public streams, hashtags, media and notifications are filtered by path and parameters', async () => {
  const paths = [
    'public',
    'public/local/',
    'public/remote',
    'public?only_media=true',
    'hashtag?tag=Birds',
    'hashtag/local?tag=birds',
    'user/notification',
  ]
  const streams = await Promise.all(paths.map((path, i) => open(path, bob.token, i % 2 === 0)))
  const form = new FormData()
  form.append('file', new Blob([await pngOf(8, 8, 'red')]))
  const medium = (await ada.send('POST', '/api/v2/media', { form })).json
  const plain = await post('no picture')
  const image = await post('#birds', { media_ids: [medium.id] })
  const last = await post(`the end #birds @${bob.username}`, {
    media_ids: [(await ada.send('POST', '/api/v2/media', { form })).json.id],
  })
  const [everything = '', local = '', , media = '', tag = '', localTag = '', notifications = ''] = await Promise.all(
    streams.map((stream, i) => (i === 2 ? '' : stream.read((text) => text.includes(`"${last.id}"`)))),
  )
  const ids = (text: string): string[] => eventsIn(text).map(([, data]) => JSON.parse(data).id as string)
  assert.deepEqual(
    [ids(everything), ids(local)],
    [
      [plain.id, image.id, last.id],
      [plain.id, image.id, last.id],
    ],
  )
  assert.deepEqual(
    [ids(media), ids(tag), ids(localTag)],
    [
      [image.id, last.id],
      [image.id, last.id],
      [image.id, last.id],
    ],
  )
  assert.deepEqual(
    eventsIn(notifications).map(([event, data]) => [event, JSON.parse(data).type]),
    [['notification', 'mention']],
  )
  assert.equal(await streams[2]?.read((text) => text.length > 0), ':)\n')
  for (const stream of streams) stream.end()
})

test('unknown streams, missing tags, invalid tokens and missing scopes are refused', async () => {
  const get = async (path: string, token: string | null = ada.token): Promise<[number, string]> => {
    const { status, json } = await server.send('GET', `/api/v1/streaming/${path}`, { token })
    return [status, json.error]
  }
  assert.deepEqual(await get('nonsense'), [400, 'Unknown channel requested'])
  assert.deepEqual(await get('nonsense', null), [400, 'Unknown channel requested'])
  assert.deepEqual(await get('public/media'), [400, 'Unknown channel requested'])
  assert.deepEqual(await get('hashtag'), [400, 'Missing tag name parameter'])
  assert.deepEqual(await get('user', null), [401, 'The access token is invalid'])
  assert.deepEqual(await get('user', 'nope'), [401, 'The access token is invalid'])
  assert.deepEqual(await get('public', await server.token({ scopes: ['read'] })), [
    401,
    'This method requires an authenticated user',
  ])
  const narrow = await server.token({ userId: ada.userId, scopes: ['read:notifications'] })
  assert.deepEqual(await get('user', narrow), [401, 'Access token does not have the required scopes'])
  const stream = await open('public', narrow)
  stream.end()
  assert.equal((await server.send('GET', '/api/v1/streaming/')).status, 404)
})

test('a stream ends whose token is revoked while it opens', async () => {
  const { id } = await ada.post('/api/v1/lists', { title: 'of one' })
  await ada.post(`/api/v1/lists/${id}/accounts`, { account_ids: [ada.id] })
  const token = await server.token({ userId: ada.userId, scopes: ['read'] })
  const caller = await findCaller(server.ctx, token)
  // The message of the revocation comes before the stream is among those that it could end.
  const { opening } = await beforeCommit(
    server,
    (tx) => tx.db.raw('lock table lists in access exclusive mode'),
    async () => {
      const before = await open('public', token)
      const opening = open(`list?list=${id}`, token)
      await untilWaiting(server)
      await revokeTokens(server.ctx, [caller?.token.id as string])
      await assert.rejects(
        before.read(() => false),
        /ended after/,
      )
      return { opening }
    },
    { waiting: Infinity },
  )
  const stream = await opening
  await post('not for this token')
  await assert.rejects(
    stream.read((text) => text.includes('event: update')),
    /ended after/,
  )
})

test('the health check answers plain text, to HEAD without a body', async () => {
  const { status, text, headers } = await server.send('GET', '/api/v1/streaming/health')
  assert.deepEqual([status, text, headers.get('content-type')], [200, 'OK', 'text/plain; charset=utf-8'])
  const head = await server.send('HEAD', '/api/v1/streaming/health')
  assert.deepEqual([head.status, head.text], [200, ''])
})
