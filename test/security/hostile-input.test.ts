import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/api/routes.ts'
import { oauthRoutes } from '../../src/oauth/routes.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'

// Values that broke others of our kind: each operation gets each of them, in every parameter. None may be our fault.

let server: TestServer
let ada: Person
let own: Record<string, string>

before(async () => {
  server = await startTestServer()
  ada = await server.person('ada')
  const status = await ada.post('/api/v1/statuses', { status: 'said' })
  const list = await ada.post('/api/v1/lists', { title: 'some' })
  const filter = await ada.post('/api/v2/filters', {
    title: 'some',
    context: ['home'],
    keywords_attributes: [{ keyword: 'word' }],
  })
  own = { status: status.id, account: ada.id, list: list.id, filter: filter.id, tag: 'a' }
})
after(() => server?.stop())

const HOSTILE: readonly unknown[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '-1',
  '0',
  '9223372036854775807',
  '9223372036854775808',
  '1'.repeat(400),
  '1e308',
  'NaN',
  '٣',
  '0x10',
  '2025-02-31T25:61:00Z',
  '+275760-09-13T00:00:01Z',
  '../../etc/passwd',
  '%',
  "'; --",
  '\\',
  '<script>',
  'x'.repeat(20_000),
  null,
  true,
  -1,
  1e308,
  0.5,
  [],
  [[]],
  [null],
  ['\0'],
  ['1', '1'],
  {},
  { '0': 'a' },
  { a: { b: { c: {} } } },
  [{ id: '\0' }],
]

const inPath = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.isWellFormed()
    ? encodeURIComponent(value).replaceAll('.', '%2E')
    : null

const inQuery = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => inQuery(`${name}[]`, each))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => inQuery(`${name}[${key}]`, each))
  const text = String(value ?? '')
  return [
    `${encodeURIComponent(name)}=${encodeURIComponent(text.isWellFormed() ? text : '').slice(0, 3000)}%ED%A0%80`,
    `${name}=${encodeURIComponent(text.toWellFormed()).slice(0, 3000).replace(/%.?$/, '')}`,
  ]
}

type Params = { properties: Record<string, { type?: string }>; required?: string[] }
const LIKELY: Record<string, unknown> = { boolean: true, integer: 1, number: 1, array: ['1'], object: {} }

/** What an operation cannot do without, as something that could be meant. */
const needed = ({ properties, required = [] }: Params): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, LIKELY[properties[name]?.type ?? ''] ?? 'home']))

test('no operation breaks over what it is given', { timeout: 300_000 }, async () => {
  const broken: string[] = []
  for (const { method, path, ...route } of [...routes, ...oauthRoutes]) {
    const params = (route.params ?? { properties: {} }) as Params
    const names = Object.keys(params.properties)
    const addresses = HOSTILE.map(inPath).flatMap((value) => (value === null ? [] : path.replace(/:\w+/g, value)))
    const known = Object.values(own).map((id) => path.replace(/:\w+/g, id))
    const tries: [string, unknown?][] = [
      ...(path.includes(':') ? addresses.map((address): [string] => [address]) : []),
      ...(path.includes(':') && method === 'GET' ? known.map((address): [string] => [address]) : []),
    ]
    const target = known[0] as string
    for (const value of HOSTILE)
      for (const name of names) {
        if (method === 'GET') tries.push([`${target}?${inQuery(name, value).join('&')}`])
        else tries.push([target, { ...needed(params), [name]: value }])
      }
    await Promise.all(
      tries.map(async ([address, json]) => {
        const { status } = await ada.send(method, address, json === undefined ? {} : { json })
        if (status >= 500 && status !== 503)
          broken.push(`${status} ${method} ${address.slice(0, 200)} ${(JSON.stringify(json) ?? '').slice(0, 200)}`)
      }),
    )
  }
  assert.deepEqual(broken, [])
})
