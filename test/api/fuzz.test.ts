import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { populate } from '../contract/populate.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Invalid values for every parameter of every operation in the OpenAPI document: no 5xx responses, errors always as JSON.

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

const INVALID_VALUES: unknown[] = [
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
/** In milliseconds; a request that takes longer is reported as hanging. */
const TIMEOUT = 60_000
const CONCURRENCY = 4
/** Excluded: these do not return JSON, revoke the token that the test uses, or never end. */
const EXCLUDED = /^\/(oauth\/(authorize|revoke)|api\/v1\/streaming|\.well-known\/change-password|health)/

const { server } = await stage()
const me = await populate(server)
const owner = await server.person('owner', { role: 'owner' })
const adminIds = await makeAdminIds()
const { json } = await server.send('GET', '/api/openapi.json')
const operations = Object.entries(json.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
  EXCLUDED.test(path)
    ? []
    : Object.entries(methods).map(([method, operation]) => read(method.toUpperCase(), path, operation)),
)

/** An id for each noun of the admin API. The account is not that of the callers, who might be suspended. */
async function makeAdminIds(): Promise<Record<string, string>> {
  const other = await server.person('other')
  const at = '/api/v1/admin'
  const [report, ...made] = await Promise.all([
    me.post('/api/v1/reports', { account_id: other.id }),
    owner.post(`${at}/domain_blocks`, { domain: 'blocked.test' }),
    owner.post(`${at}/domain_allows`, { domain: 'allowed.test' }),
    owner.post(`${at}/ip_blocks`, { ip: '203.0.113.7', severity: 'sign_up_block' }),
    owner.post(`${at}/email_domain_blocks`, { domain: 'mail.test' }),
    owner.post(`${at}/canonical_email_blocks`, { email: 'someone@mail.test' }),
  ])
  const nouns = ['domain_blocks', 'domain_allows', 'ip_blocks', 'email_domain_blocks', 'canonical_email_blocks']
  const ids = nouns.map((noun, i) => [noun, made[i].id])
  return { accounts: other.id, reports: report.id, ...Object.fromEntries(ids) }
}

const nounOf = (path: string): string | undefined => /^\/api\/v\d\/admin\/(\w+)/.exec(path)?.[1]
const callerOf = (path: string): Person => (nounOf(path) === undefined ? me : owner)
/** The path with the id of something that exists. */
function withIds(path: string): string {
  const noun = nounOf(path)
  return path.replaceAll(/\{[^}]+\}/g, noun === undefined ? me.id : (adminIds[noun] ?? '1'))
}

function read(method: string, path: string, operation: any): Operation {
  const body = operation.requestBody?.content['application/json'].schema as Schema | undefined
  const query = Object.fromEntries(
    (operation.parameters as { name: string; in: string; schema: Schema }[])
      .filter((p) => p.in === 'query')
      .map((p) => [p.name.replace(/\[\]$/, ''), p.schema]),
  )
  return { method, path, params: { ...query, ...body?.properties }, required: body?.required ?? [] }
}

/** A valid value for a schema, for the parameters around the invalid one. */
function validValue(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return validValue(schema.anyOf[0] as Schema)
  if (schema.type === 'array') return schema.items ? [validValue(schema.items)] : []
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, validValue(value)]))
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  return schema.pattern ? '1' : 'test'
}

type Attempt = { method: string; path: string; json?: unknown; query?: string }

/** Each operation receives one group, of which at least one id would be an error of the database. */
const INVALID_IDS = [
  ['0', 'x', '%00'],
  ['-1', '9'.repeat(30), '..'],
  ['%ff', '1%2F2', "1'"],
]

function* attemptsFor({ method, path, params, required }: Operation, turn: number): Generator<Attempt> {
  const own = withIds(path)
  const send = (given: Record<string, unknown>, at = own): Attempt => {
    if (method !== 'GET') return { method, path: at, json: given }
    const pairs = Object.entries(given).flatMap(([key, value]) =>
      Array.isArray(value)
        ? value.map((each) => [`${key}[]`, String(each)])
        : [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
    )
    return { method, path: at, query: new URLSearchParams(pairs as [string, string][]).toString().slice(0, 6000) }
  }
  const base = Object.fromEntries(required.map((name) => [name, validValue(params[name] ?? {})]))
  const names = Object.keys(params)
  // Each operation receives every twelfth value, one malformed query and one malformed body: operations share the code that reads them.
  for (const value of names.length > 0 ? INVALID_VALUES.filter((_, k) => (k + turn) % 12 === 0) : [])
    yield send(Object.fromEntries(names.map((name) => [name, value])))
  const text = ['%ED%A0%80', '%', '%00'][turn % 3]
  if (names.length > 0 && method === 'GET')
    yield { method, path: own, query: names.map((name) => `${name}=${text}&${name}[a][b]=${text}`).join('&') }
  for (const [i, name] of names.entries())
    yield send({ ...base, [name]: INVALID_VALUES[(turn + i * 7) % INVALID_VALUES.length] })
  if (path.includes('{'))
    for (const id of INVALID_IDS[turn % INVALID_IDS.length] ?? []) yield send(base, path.replaceAll(/\{[^}]+\}/g, id))
  if (method !== 'GET') yield { method, path: own, json: [[], 'text', null][turn % 3] }
}

test('invalid parameters never cause a 5xx response, a hanging request or an error without JSON', async () => {
  const attempts = operations.flatMap((operation, i) => [...attemptsFor(operation, i)])
  assert.ok(attempts.length > 1700, `only ${attempts.length} attempts`)
  const problems: string[] = []
  let at = 0
  let refused = 0
  const work = async (): Promise<void> => {
    while (at < attempts.length && problems.length < 20) {
      const attempt = attempts[at++] as Attempt
      const address = `${attempt.path}${attempt.query ? `?${attempt.query}` : ''}`
      const answer = await Promise.race([
        callerOf(attempt.path).send(attempt.method, address, attempt.json === undefined ? {} : { json: attempt.json }),
        new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT, null).unref()),
      ])
      const what = `${attempt.method} ${address.slice(0, 200)} ${JSON.stringify(attempt.json ?? null).slice(0, 200)}`
      if (answer?.status === 403 && nounOf(attempt.path) !== undefined) refused++
      if (answer === null) problems.push(`${what}: no response`)
      else if (answer.status >= 500 && answer.status !== 503)
        problems.push(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
      else if (answer.status >= 400 && typeof answer.json?.error === 'undefined')
        problems.push(`${what}: ${answer.status} without an error in JSON: ${answer.text.slice(0, 100)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  assert.deepEqual(problems, [])
  assert.ok(refused < 50, `staff were refused ${refused} times`)
})

/** Whether a parameter is a list or an object (`composite`), and whether it is or contains objects. */
function shapeOf(schema: Schema): { composite: boolean; objects: boolean } {
  const variants = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const composite = variants.every(({ type }) => type === 'array' || type === 'object')
  return { composite, objects: variants.every(({ type, items }) => type === 'object' || items?.type === 'object') }
}

test('every operation treats a scalar in place of a list or an object as absent', async () => {
  const wrong: string[] = []
  let tried = 0
  const check = async ({ method, path, params, required }: Operation): Promise<void> => {
    const own = path.replaceAll(/\{[^}]+\}/g, '0')
    const base = Object.fromEntries(required.map((name) => [name, validValue(params[name] ?? {})]))
    const ask = async (given: Record<string, unknown>): Promise<string> => {
      const { status, json } =
        method === 'GET'
          ? await callerOf(path).send(method, `${own}?${new URLSearchParams(given as Record<string, string>)}`)
          : await callerOf(path).send(method, own, { json: given })
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
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  assert.deepEqual(wrong, [])
  assert.ok(tried > 100, `only ${tried} tried`)
})

/** One visible character of 80 kB, more than what fits. */
const ONE_LETTER = `a${'\u0301\u0316'.repeat(20_000)}`
/** The most bytes that a column may hold of one text parameter; a post of emojis with its HTML takes most. */
const LARGEST_TEXT = 64 * 1024

/** One request for each parameter of an operation, with its texts replaced by the oversized one. */
function* oversized({ method, path, params, required }: Operation): Generator<Attempt> {
  if (method === 'GET') return
  const base = Object.fromEntries(required.map((name) => [name, validValue(params[name] ?? {})]))
  const enlarge = (value: unknown): unknown => {
    if (typeof value === 'string') return ONE_LETTER
    if (Array.isArray(value)) return value.map(enlarge)
    if (typeof value !== 'object' || value === null) return value
    // Only one text per object: more exceed the size limit of requests.
    const [name] = Object.keys(value).filter((key) => typeof (value as any)[key] === 'string')
    return name === undefined ? value : { ...value, [name]: ONE_LETTER }
  }
  for (const [name, schema] of Object.entries(params))
    yield {
      method,
      path: withIds(path),
      json: { ...base, [name]: enlarge(validValue(schema)) },
    }
}

test('a character with 40,000 combining marks is stored in no column, and comes back in no response', async () => {
  const attempts = operations.flatMap((operation) => [...oversized(operation)])
  const problems: string[] = []
  for (const { method, path, json } of attempts) {
    const { status, text } = await callerOf(path).send(method, path, { json })
    const what = `${method} ${path} ${JSON.stringify(json).slice(0, 100)}`
    if (status >= 500 && status !== 503) problems.push(`${what}: ${status}`)
    if (text.length >= ONE_LETTER.length) problems.push(`${what}: a response of ${text.length} characters`)
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

/** The response status of a GET with a body, which `fetch` refuses to send. */
const getWith = (path: string, type: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${callerOf(path).token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    }
    const call = request(server.url + path, { method: 'GET', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    call.once('error', reject).end(body)
  })

test('an invalid body of a GET never causes a 5xx response', async () => {
  const problems: string[] = []
  for (const [turn, { method, path, params }] of operations.entries()) {
    const names = Object.keys(params)
    if (method !== 'GET' || names.length === 0) continue
    const own = withIds(path)
    const value = INVALID_VALUES[turn % INVALID_VALUES.length]
    const form = new URLSearchParams(names.map((name) => [turn % 2 ? name : `${name}[a][b]`, String(value)]))
    const sent: [string, string][] = [
      ['application/json', JSON.stringify(Object.fromEntries(names.map((name) => [name, value])))],
      ['application/json', ['[]', 'null', '"x"', '{'][turn % 4] as string],
      ['application/x-www-form-urlencoded', form.toString()],
    ]
    // All operations share the code that reads a body.
    const [type, body] = sent[turn % sent.length] as [string, string]
    const status = await getWith(own, type, body)
    if (status >= 500 && status !== 503) problems.push(`GET ${own} ${body.slice(0, 200)}: ${status}`)
  }
  assert.deepEqual(problems, [])
})
