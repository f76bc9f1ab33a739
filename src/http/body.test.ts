import fastify, { type FastifyInstance } from 'fastify'
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { AppError } from '../lib/errors.ts'
import { createLog } from '../lib/log.ts'
import { registerBodyParsers } from './body.ts'
import { isUpload } from './multipart.ts'
import { parseQuery } from './rails-params.ts'

const tmpDir = mkdtempSync(join(tmpdir(), 'body-test-'))
after(() => rmSync(tmpDir, { recursive: true }))

function server(acceptsFiles = (): boolean => true): FastifyInstance {
  const app = fastify({ routerOptions: { querystringParser: parseQuery } })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.status(error instanceof AppError ? error.status : (error.statusCode ?? 500)).send({ error: error.message }),
  )
  registerBodyParsers(app, { log: createLog('silent'), tmpDir, maxBodyBytes: 10_000, maxFileBytes: 1000, acceptsFiles })
  const show = (_key: string, value: unknown): unknown =>
    isUpload(value)
      ? {
          filename: value.filename,
          mimetype: value.mimetype,
          size: value.size,
          text: readFileSync(value.path, 'latin1'),
        }
      : value
  app.get('/named/:name', async (request) => request.params)
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/',
    handler: async (request, reply) =>
      reply.type('application/json').send(JSON.stringify({ query: request.query, body: request.body ?? null }, show)),
  })
  return app
}

const post = (payload: string | Buffer, type?: string, method: 'POST' | 'DELETE' = 'POST') =>
  server().inject({ method, url: '/', payload, headers: type === undefined ? {} : { 'content-type': type } })

const part = (disposition: string, content: string, type?: string): string =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`
const form = (...parts: string[]): Promise<{ statusCode: number; json(): any }> =>
  post(Buffer.from(`${parts.join('')}--XX--\r\n`), 'multipart/form-data; boundary=XX')

/** Waits until no upload is left. */
const emptied = (): Promise<boolean> => eventually(() => readdirSync(tmpDir).length === 0)

test('JSON and form bodies give the same parameters, also for DELETE', async () => {
  for (const method of ['POST', 'DELETE'] as const) {
    assert.deepEqual((await post('{"a":{"b":["1"]}}', 'application/json; charset=utf-8', method)).json().body, {
      a: { b: ['1'] },
    })
    assert.deepEqual((await post('a[b][]=1', 'application/x-www-form-urlencoded', method)).json().body, {
      a: { b: ['1'] },
    })
    for (const type of ['application/json', 'multipart/form-data; boundary=XX', 'multipart/form-data'])
      assert.deepEqual((await post('', type, method)).json().body, {})
  }
})

test('malformed, oversized and unsupported bodies give a 4xx with a JSON error', async () => {
  for (const [body, type, status] of [
    ['{"a":', 'application/json', 400],
    ['[1]', 'application/json', 400],
    ['a[]=1&a=2', 'application/x-www-form-urlencoded', 400],
    ['a=%ff', 'application/x-www-form-urlencoded', 400],
    ['{}', 'application/json+activity', 400],
    ['{}', 'text/plain', 400],
    ['{}', undefined, 400],
    ['{}', 'nonsense', 415],
    [`a=${'x'.repeat(10_001)}`, 'application/x-www-form-urlencoded', 413],
    ['x', 'multipart/form-data', 400],
    ['x', 'multipart/mixed; boundary=XX', 400],
    ['--XX\r\nContent-Disp', 'multipart/form-data; boundary=XX', 400],
  ] as const) {
    const answer = await post(body, type)
    assert.equal(answer.statusCode, status, `${type}: ${body.slice(0, 20)} gave ${answer.body}`)
    assert.equal(typeof answer.json().error, 'string')
  }
  assert.equal((await post('', 'application/unknown')).statusCode, 200)
})

test('a malformed query string or path gives a 400', async () => {
  assert.equal((await server().inject('/named/a%00b')).statusCode, 400)
  assert.deepEqual((await server().inject('/named/%C3%A9')).json(), { name: 'é' })
  assert.equal((await server().inject('/?a=%zz')).statusCode, 400)
  assert.deepEqual((await server().inject('/?a[]=1&a[]=2')).json().query, { a: ['1', '2'] })
})

test('a multipart body gives nested fields and files, and the files are deleted after the request', async () => {
  const answer = await form(
    part('name="fields_attributes[0][name]"', 'é'),
    part('name="file"; filename="../../a b.png"', 'PNG', 'image/png'),
    part('name="empty"; filename=""', '', 'application/octet-stream'),
    part('name="media[]"; filename="b.jpg"', 'x'.repeat(1000), 'image/jpeg'),
    part('name="id[]"', '1'),
    part('name="id[]"', ''),
  )
  assert.deepEqual(answer.json().body, {
    fields_attributes: { 0: { name: 'é' } },
    file: { filename: 'a b.png', mimetype: 'image/png', size: 3, text: 'PNG' },
    media: [{ filename: 'b.jpg', mimetype: 'image/jpeg', size: 1000, text: 'x'.repeat(1000) }],
    id: ['1', ''],
  })
  await emptied()
})

test('oversized and malformed multipart bodies are refused and leave no files', async () => {
  const file = (size: number): string => part('name="f[]"; filename="f"', 'x'.repeat(size), 'image/png')
  assert.equal((await form(file(10), file(1001))).statusCode, 413)
  assert.equal((await form(...Array.from({ length: 5 }, () => file(1)))).statusCode, 400)
  assert.equal((await form(file(10), part('name="a"', 'x'.repeat(10_001)))).statusCode, 413)
  assert.equal(
    (await form(file(10), part('name="a"', 'x'.repeat(6000)), part('name="b"', 'x'.repeat(6000)))).statusCode,
    413,
  )
  assert.equal((await form(file(10), part('name="a"', 'x'), part('name="a[b]"', 'x'))).statusCode, 400)
  assert.equal((await form(part('name="a"', 'a\0b'))).statusCode, 400)
  const whole = Buffer.from(`${file(50)}${part('name="a"', 'text')}${file(50)}--XX--\r\n`)
  for (let cut = 1; cut < whole.length - 4; cut += 7) {
    const answer = await post(whole.subarray(0, cut), 'multipart/form-data; boundary=XX')
    assert.equal(answer.statusCode, 400, `cut at ${cut} gave ${answer.statusCode} ${answer.body}`)
  }
  assert.equal(
    (
      await post(
        Buffer.concat([
          Buffer.from('--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
          Buffer.from([0xff]),
          Buffer.from('\r\n--XX--'),
        ]),
        'multipart/form-data; boundary=XX',
      )
    ).statusCode,
    400,
  )
  await emptied()
})

test('routes without uploads ignore files, and a JSON object is not accepted as a file', async () => {
  const body = Buffer.from(`${part('name="f"; filename="f"', 'x', 'image/png')}${part('name="a"', '1')}--XX--`)
  const answer = await server(() => false).inject({
    method: 'POST',
    url: '/',
    payload: body,
    headers: { 'content-type': 'multipart/form-data; boundary=XX' },
  })
  assert.deepEqual(answer.json().body, { a: '1' })
  assert.equal(isUpload({ path: '/etc/passwd', filename: 'x', mimetype: 'y', size: 1 }), false)
})

test('an oversized upload gets a 413, and an aborted upload leaves no file', async (t) => {
  const app = server()
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const data = new FormData()
  data.set('file', new Blob([new Uint8Array(3000)]), 'big.png')
  assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: data })).status, 413)

  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: 5000\r\n\r\n${part('name="f"; filename="f"', 'x'.repeat(500)).slice(0, -2)}`,
  )
  await eventually(() => readdirSync(tmpDir).length > 0)
  socket.destroy()
  await emptied()
})

test('the start removes uploads of a killed process, and no other files', async () => {
  const old = join(tmpDir, 'upload-old')
  writeFileSync(old, 'x')
  utimesSync(old, 1, 1)
  const other = join(tmpDir, 'other')
  writeFileSync(other, 'x')
  utimesSync(other, 1, 1)
  server()
  await eventually(() => !existsSync(old))
  assert.equal(existsSync(other), true)
})
