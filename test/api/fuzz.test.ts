import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { populate } from '../contract/populate.ts'

import { stage } from '../support/stage.ts'

// Nonsense for every parameter of every operation that the server describes: never an answer of 5xx, always JSON.

type Schema = {
  type?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  $ref?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
}
type Operation = {
  method: string
  path: string
  params: Record<string, Schema>
  required: string[]
}

const NONSENSE: unknown[] = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1e309',
  '99999999999999999999999',
  -1,
  0,
  1.5,
  2 ** 53 + 2,
  true,
  null,
  [],
  ['a', 'b'],
  [[['deep']]],
  {},
  { a: { b: 'c' } },
  [null],
  '\u202e\ud83d\ude00 مرحبا \ud800',
  "' or 1=1 --",
  '%',
  '../../etc/passwd',
  'http://[::1',
  '1'.repeat(5000),
  '2026-13-45T99:99:99Z',
  '9999-12-31T23:59:59Z',
  'true',
  ['1', { id: '2' }],
  '\0',
  'a\0b',
  'NaN',
  '٣',
  '0x10',
  '9223372036854775807',
  '9223372036854775808',
  '+275760-09-13T00:00:01Z',
  '\\',
  '<script>',
  'x'.repeat(20_000),
  ['\0'],
  ['1', '1'],
  { '0': 'a' },
  [{ id: '\0' }],
]
/** What a request may take before the test says that it hangs, in milliseconds. */
const PATIENCE = 10_000
const AT_ONCE = 4
/** Pages and streams are no JSON; these end what the test needs, or wait for ever by design. */
const NOT_HERE = /^\/(oauth\/(authorize|revoke)|api\/v1\/streaming|\.well-known\/change-password|health)/

const { server } = await stage()
const me = await populate(server)
const { json } = await server.send('GET', '/api/openapi.json')
const operations = Object.entries(json.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
  NOT_HERE.test(path)
    ? []
    : Object.entries(methods).map(([method, operation]) => read(method.toUpperCase(), path, operation)),
)

function read(method: string, path: string, operation: any): Operation {
  const body = operation.requestBody?.content['application/json'].schema as Schema | undefined
  const query = Object.fromEntries(
    (operation.parameters as { name: string; in: string; schema: Schema }[])
      .filter((p) => p.in === 'query')
      .map((p) => [p.name.replace(/\[\]$/, ''), p.schema]),
  )
  return { method, path, params: { ...query, ...body?.properties }, required: body?.required ?? [] }
}

/** Something that the schema would take: what surrounds the nonsense. */
function sensible(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sensible(schema.anyOf[0] as Schema)
  if (schema.type === 'array') return schema.items ? [sensible(schema.items)] : []
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, sensible(value)]))
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  return schema.pattern ? '1' : 'test'
}

type Attempt = { method: string; path: string; json?: unknown; query?: string }

function* attemptsFor({ method, path, params, required }: Operation, turn: number): Generator<Attempt> {
  const own = path.replaceAll(/\{[^}]+\}/g, me.id)
  const send = (given: Record<string, unknown>, at = own): Attempt => {
    if (method !== 'GET') return { method, path: at, json: given }
    const pairs = Object.entries(given).flatMap(([key, value]) =>
      Array.isArray(value)
        ? value.map((each) => [`${key}[]`, String(each)])
        : [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
    )
    return { method, path: at, query: new URLSearchParams(pairs as [string, string][]).toString().slice(0, 6000) }
  }
  const base = Object.fromEntries(required.map((name) => [name, sensible(params[name] ?? {})]))
  const names = Object.keys(params)
  // Half of it for every other operation: all that read a parameter of a kind share the code that does.
  for (const value of names.length > 0 ? NONSENSE.filter((_, k) => (k + turn) % 2 === 0) : [])
    yield send(Object.fromEntries(names.map((name) => [name, value])))
  if (names.length > 0 && method === 'GET')
    for (const text of ['%ED%A0%80', '%', '%00'])
      yield { method, path: own, query: names.map((name) => `${name}=${text}&${name}[a][b]=${text}`).join('&') }
  for (const [i, name] of names.entries())
    for (let k = 0; k < 2; k++) yield send({ ...base, [name]: NONSENSE[(turn + i * 7 + k * 5) % NONSENSE.length] })
  if (path.includes('{'))
    for (const id of ['0', 'x', '-1', '9'.repeat(30), '%00', '%ff', '..', '1%2F2', "1'"])
      yield send(base, path.replaceAll(/\{[^}]+\}/g, id))
  if (method !== 'GET') {
    yield { method, path: own, json: [] }
    yield { method, path: own, json: 'text' }
    yield { method, path: own, json: null }
  }
}

test('no parameter of any operation brings the server to its knees', { timeout: 110_000 }, async () => {
  const attempts = operations.flatMap((operation, i) => [...attemptsFor(operation, i)])
  assert.ok(attempts.length > 3000, `only ${attempts.length} attempts`)
  const problems: string[] = []
  let at = 0
  const work = async (): Promise<void> => {
    while (at < attempts.length && problems.length < 20) {
      const attempt = attempts[at++] as Attempt
      const address = `${attempt.path}${attempt.query ? `?${attempt.query}` : ''}`
      const answer = await Promise.race([
        me.send(attempt.method, address, attempt.json === undefined ? {} : { json: attempt.json }),
        new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null).unref()),
      ])
      const what = `${attempt.method} ${address.slice(0, 200)} ${JSON.stringify(attempt.json ?? null).slice(0, 200)}`
      if (answer === null) problems.push(`${what}: no answer`)
      else if (answer.status >= 500 && answer.status !== 503)
        problems.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
      else if (answer.status >= 400 && typeof answer.json?.error === 'undefined')
        problems.push(`${what}: ${answer.status} without an error in JSON: ${answer.text.slice(0, 100)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  assert.deepEqual(problems, [])
})

/** Whether a parameter is a list or an object, and of a list whether objects are in it. */
function shapeOf(schema: Schema): { composite: boolean; objects: boolean } {
  const variants = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const composite = variants.every(({ type }) => type === 'array' || type === 'object')
  return { composite, objects: variants.every(({ type, items }) => type === 'object' || items?.type === 'object') }
}

test('a scalar where a list or an object belongs counts as absent, for every operation', async () => {
  const wrong: string[] = []
  let tried = 0
  const check = async ({ method, path, params, required }: Operation): Promise<void> => {
    const own = path.replaceAll(/\{[^}]+\}/g, '0')
    const base = Object.fromEntries(required.map((name) => [name, sensible(params[name] ?? {})]))
    const ask = async (given: Record<string, unknown>): Promise<string> => {
      const { status, json } =
        method === 'GET'
          ? await me.send(method, `${own}?${new URLSearchParams(given as Record<string, string>)}`)
          : await me.send(method, own, { json: given })
      return `${status} ${typeof json.error === 'string' ? json.error : ''}`
    }
    for (const [name, schema] of Object.entries(params)) {
      const { composite, objects } = shapeOf(schema)
      if (!composite) continue
      const { [name]: _left, ...others } = base
      const without = await ask(others)
      for (const scalar of ['', 'undefined', ...(objects ? ['x'] : [])]) {
        tried++
        const answer = await ask({ ...others, [name]: scalar })
        if (answer !== without) wrong.push(`${method} ${path} ${name}=${scalar}: ${answer}, without it: ${without}`)
      }
    }
  }
  const left = [...operations]
  const work = async (): Promise<void> => {
    for (let operation = left.pop(); operation; operation = left.pop()) await check(operation)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  assert.deepEqual(wrong, [])
  assert.ok(tried > 100, `only ${tried} tried`)
})

/** One letter to people, 600 kB to whoever stores it. */
const ONE_LETTER = `a${'\u0301\u0316'.repeat(150_000)}`
/** What a column may hold of a text that came with one parameter, in bytes: a post of emojis, and its HTML, take most. */
const LARGEST_TEXT = 64 * 1024

/** The paths of texts within the parameters of an operation, with what surrounds them. */
function* oversized({ method, path, params, required }: Operation): Generator<Attempt> {
  if (method === 'GET') return
  const base = Object.fromEntries(required.map((name) => [name, sensible(params[name] ?? {})]))
  const swell = (value: unknown): unknown => {
    if (typeof value === 'string') return ONE_LETTER
    if (Array.isArray(value)) return value.map(swell)
    if (typeof value !== 'object' || value === null) return value
    // One of them at a time: more do not fit into a request.
    const [name] = Object.keys(value).filter((key) => typeof (value as any)[key] === 'string')
    return name === undefined ? value : { ...value, [name]: ONE_LETTER }
  }
  for (const [name, schema] of Object.entries(params))
    yield {
      method,
      path: path.replaceAll(/\{[^}]+\}/g, me.id),
      json: { ...base, [name]: swell(sensible(schema)) },
    }
}

test('a letter under 300,000 marks is stored nowhere', { timeout: 110_000 }, async () => {
  const attempts = operations.flatMap((operation) => [...oversized(operation)])
  const problems: string[] = []
  for (const { method, path, json } of attempts) {
    const { status, text } = await me.send(method, path, { json })
    const what = `${method} ${path} ${JSON.stringify(json).slice(0, 100)}`
    if (status >= 500 && status !== 503) problems.push(`${what}: ${status}`)
    if (text.length > 300_000) problems.push(`${what}: an answer of ${text.length} characters`)
  }
  const { rows: columns } = await server.database.raw(
    `select format('%I', table_name) as t, format('%I', column_name) as c from information_schema.columns
     where table_schema = 'public' and data_type in ('text', 'ARRAY', 'jsonb') and is_updatable = 'YES'`,
  )
  for (const { t, c } of columns) {
    const { rows } = await server.database.raw(`select coalesce(max(octet_length(${c}::text)), 0) as size from ${t}`)
    if (Number(rows[0].size) > LARGEST_TEXT) problems.push(`${t}.${c} has ${rows[0].size} bytes`)
  }
  assert.deepEqual(problems, [])
})

/** The status of a GET that has a body, which fetch refuses to send. */
const getWith = (path: string, type: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${me.token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    }
    const call = request(server.url + path, { method: 'GET', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    call.once('error', reject).end(body)
  })

test('nonsense in the body of a GET breaks nothing', { timeout: 60_000 }, async () => {
  const problems: string[] = []
  for (const [turn, { method, path, params }] of operations.entries()) {
    const names = Object.keys(params)
    if (method !== 'GET' || names.length === 0) continue
    const own = path.replaceAll(/\{[^}]+\}/g, me.id)
    const value = NONSENSE[turn % NONSENSE.length]
    const form = new URLSearchParams(names.map((name) => [turn % 2 ? name : `${name}[a][b]`, String(value)]))
    const sent: [string, string][] = [
      ['application/json', JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))],
      ['application/json', ['[]', 'null', '"x"', '{'][turn % 4] as string],
      ['application/x-www-form-urlencoded', form.toString()],
    ]
    for (const [type, body] of sent) {
      const status = await getWith(own, type, body)
      if (status >= 500 && status !== 503) problems.push(`GET ${own} ${body.slice(0, 200)}: ${status}`)
    }
  }
  assert.deepEqual(problems, [])
})
