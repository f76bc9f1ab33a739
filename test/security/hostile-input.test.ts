import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/api/routes.ts'
import { oauthRoutes } from '../../src/oauth/routes.ts'
import { browser, type Browser } from '../support/forms.ts'
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

const PAGES =
  `/auth/sign_in /auth/sign_up /auth/password/new /auth/confirmation/new /auth/edit /settings/aliases /settings/delete
  /settings/export /settings/import /settings/migration /settings/preferences /settings/profile /settings/sessions
  /settings/two_factor /settings/two_factor/app /authorize_interaction /search`.split(/\s+/)
const TEXTS = ['\0', 'a\0b', '9223372036854775808', 'x'.repeat(20_000)]

test('no form breaks over what is written into it', { timeout: 300_000 }, async () => {
  const broken: string[] = []
  const sent = new Set<string>()
  const tryAll = async (who: Browser, path: string): Promise<void> => {
    const page = await who.get(path)
    for (const [index, form] of page.forms.entries())
      for (const name of Object.keys(form.fields).filter((field) => field !== 'csrf_token')) {
        sent.add(`${form.action} ${name}`)
        for (const odd of [name, `${name}[a][b]`])
          for (const text of odd === name ? TEXTS : ['1']) {
            const { [name]: _, ...others } = form.fields
            const fields = { ...others, [odd]: text }
            const { status } = form.multipart
              ? await who.submit(page, { [odd]: text }, { index })
              : form.method.toUpperCase() === 'GET'
                ? await who.get(`${form.action}?${new URLSearchParams(fields)}`)
                : await who.post(form.action, fields)
            if (status >= 500) broken.push(`${status} ${form.action} ${odd} ${text.slice(0, 100)}`)
          }
      }
  }
  const [stranger, person] = [browser(server), browser(server)]
  await person.signIn(ada.username, ada.password)
  for (const path of PAGES) {
    await tryAll(stranger, path)
    await tryAll(person, path)
  }
  assert.deepEqual(broken, [])
  assert.ok(sent.size > 40)
})
