// Who is refused what: every operation that the server describes, with no token, wrong ones and too narrow ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modifyUser } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

type Operation = {
  method: string
  path: string
  /** Whether there must be a token. */
  secured: boolean
  /** One of them is needed in a token; none: any token will do. */
  scopes: string[]
}

/** Takes no ordinary request: see test/streaming/handshake.test.ts. */
const WEBSOCKET = '/api/v1/streaming'

const { server, ada } = await stage({ accounts: ['ada'] })
const allScopes: string[] = (await server.send('GET', '/.well-known/oauth-authorization-server')).json.scopes_supported
const { paths } = (await server.send('GET', '/api/openapi.json')).json
const operations = Object.entries(
  paths as Record<string, Record<string, { security?: { oauth?: string[] }[] }>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { security }]) =>
    security && path !== WEBSOCKET
      ? {
          method: method.toUpperCase(),
          // The ids are those of nothing; what stands where no id belongs is a word.
          path: path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (/name|hashtag/.test(name) ? 'cats' : '1')),
          secured: security.every(({ oauth }) => oauth),
          scopes: security.flatMap(({ oauth }) => oauth ?? []),
        }
      : [],
  ),
)
assert.ok(operations.length > 200, `only ${operations.length} operations`)

/** Streams do not end by themselves; that they are refused is asked here, and what is granted in test/streaming. */
const isStream = ({ path }: Operation): boolean => path.startsWith(WEBSOCKET)
const isPublic = ({ secured }: Operation): boolean => !secured
const name = ({ method, path }: Operation): string => `${method} ${path}`

/** Asks for each operation, some at once, and gives what is not as it should be. */
async function each(
  which: (operation: Operation) => boolean,
  ask: (operation: Operation) => Promise<Answer>,
  wrong: (answer: Answer, operation: Operation) => boolean | string,
): Promise<string[]> {
  const waiting = operations.filter(which)
  assert.ok(waiting.length > 0)
  const problems: string[] = []
  const work = async (): Promise<void> => {
    for (let operation = waiting.pop(); operation; operation = waiting.pop()) {
      const answer = await ask(operation)
      if (wrong(answer, operation)) problems.push(`${name(operation)}: ${answer.status} ${answer.text.slice(0, 100)}`)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return problems.toSorted()
}

const withToken =
  (token: string | null) =>
  ({ method, path }: Operation): Promise<Answer> =>
    server.send(method, path, { token })
const isNot =
  (status: number, text?: string) =>
  (answer: Answer): boolean =>
    answer.status !== status ||
    (text === undefined ? typeof answer.json?.error !== 'string' : answer.json?.error !== text)

test('without a token, what is secured is refused, and nothing else', async () => {
  assert.deepEqual(await each(({ secured }) => secured, withToken(null), isNot(401)), [])
  assert.deepEqual(
    await each(isPublic, withToken(null), ({ status }) => [401, 403].includes(status) || status >= 500),
    [],
  )
})

test('a token that is none is refused everywhere, wherever it stands', async () => {
  const refused = isNot(401, 'The access token is invalid')
  const isOurs = (operation: Operation): boolean => !/^\/oauth\/|streaming/.test(operation.path)
  assert.deepEqual(await each(isOurs, withToken('garbage'), refused), [])
  assert.deepEqual(await each((operation) => !isOurs(operation), withToken('garbage'), isNot(401)), [])
  const inAddress = ({ method, path }: Operation): Promise<Answer> =>
    server.send(method, `${path}?access_token=garbage`)
  assert.deepEqual(await each(isOurs, inAddress, refused), [])
  const inBody = ({ method, path }: Operation): Promise<Answer> =>
    server.send(method, path, { json: { access_token: 'garbage' } })
  const takesForms = (operation: Operation): boolean =>
    isOurs(operation) && operation.method !== 'GET' && !/media$|credentials$|profile$/.test(operation.path)
  assert.deepEqual(await each(takesForms, inBody, refused), [])
  for (const authorization of ['Bearer', 'Bearer  ', 'Bearer a b'])
    assert.equal(
      (await server.send('GET', '/api/v1/timelines/public', { headers: { authorization } })).status,
      401,
      authorization,
    )
})

test('a revoked token is refused everywhere', async () => {
  const redirect = 'urn:ietf:wg:oauth:2.0:oob'
  const app = (
    await server.send('POST', '/api/v1/apps', {
      json: { client_name: 'Gone', redirect_uris: redirect, scopes: 'read' },
    })
  ).json
  const credentials = { client_id: app.client_id, client_secret: app.client_secret }
  const { access_token: token } = (
    await server.send('POST', '/oauth/token', {
      json: { ...credentials, grant_type: 'client_credentials', scope: 'read' },
    })
  ).json
  assert.equal((await server.send('GET', '/api/v1/apps/verify_credentials', { token })).status, 200)
  assert.equal((await server.send('POST', '/oauth/revoke', { json: { ...credentials, token } })).status, 200)
  assert.deepEqual(await each(() => true, withToken(token), isNot(401)), [])
})

// Scopes --------------------------------------------------------------------------------------------------------------

/** What covers a scope, by the documented rules: itself, its parent, and `follow` for ties between people. */
function covering(scope: string): string[] {
  const [area, noun] = scope.split(':')
  const ties = noun !== undefined && ['blocks', 'follows', 'mutes'].includes(noun) && area !== 'admin'
  return [scope, ...(noun === undefined ? [] : [area as string]), ...(ties ? ['follow'] : [])]
}
const OUTSIDE = 'This action is outside the authorized scopes'

test('a token of all scopes but those that are needed is refused', async () => {
  const tokens = new Map<string, Promise<string>>()
  const tokenWithout = (scopes: string[]): Promise<string> => {
    const rest = allScopes.filter((scope) => !scopes.flatMap(covering).includes(scope))
    const key = rest.join(' ')
    if (!tokens.has(key)) tokens.set(key, server.token({ userId: ada.userId, scopes: rest }))
    return tokens.get(key) as Promise<string>
  }
  const needsScope = ({ scopes }: Operation): boolean => scopes.length > 0
  const ask = async (operation: Operation): Promise<Answer> =>
    withToken(await tokenWithout(operation.scopes))(operation)
  assert.deepEqual(
    await each((operation) => needsScope(operation) && !isStream(operation), ask, isNot(403, OUTSIDE)),
    [],
  )
  // Streams have but one status for a token that will not do.
  assert.deepEqual(await each((operation) => needsScope(operation) && isStream(operation), ask, isNot(401)), [])
})

test('each scope that is named is enough, as is one that covers it', async () => {
  const eve = await server.person('eve')
  const scopes = [...new Set(operations.flatMap((operation) => operation.scopes))]
  const problems: string[] = []
  for (const granted of new Set(scopes.flatMap(covering))) {
    const token = await server.token({ userId: eve.userId, scopes: [granted] })
    const isFor = (operation: Operation): boolean =>
      !isStream(operation) && operation.scopes.some((scope) => covering(scope).includes(granted))
    const wrong = ({ status, json }: Answer): boolean => status === 401 || json?.error === OUTSIDE || status >= 500
    problems.push(...(await each(isFor, withToken(token), wrong)).map((problem) => `${granted}: ${problem}`))
  }
  assert.deepEqual(problems, [])
})

test('read and write are not each other, nor anything else', async () => {
  const issue = (...scopes: string[]): Promise<string> => server.token({ userId: ada.userId, scopes })
  const [reading, writing, following] = await Promise.all([issue('read'), issue('write'), issue('follow')])
  const status = async (method: string, path: string, by: string): Promise<number> =>
    (await server.send(method, path, { token: by })).status
  assert.equal(await status('POST', '/api/v1/statuses', reading), 403)
  assert.equal(await status('GET', '/api/v1/timelines/home', writing), 403)
  for (const path of ['/api/v1/push/subscription', '/api/v1/crypto/keys/count'])
    for (const token of [reading, writing, following]) assert.equal(await status('GET', path, token), 403, path)
  for (const path of ['follow_requests', 'blocks', 'mutes', 'domain_blocks', 'followed_tags'])
    assert.equal(await status('GET', `/api/v1/${path}`, following), 200, path)
  for (const path of ['lists', 'bookmarks', 'notifications', 'timelines/home'])
    assert.equal(await status('GET', `/api/v1/${path}`, following), 403, path)
})

// Whose token it is ---------------------------------------------------------------------------------------------------

/** What an application may do for itself, of all that takes a token. */
const FOR_APPLICATIONS = [
  'GET /api/v1/apps/verify_credentials',
  'GET /api/v1/statuses/1/source',
  'GET /oauth/token/info',
  'POST /api/v1/accounts',
  'POST /api/v1/statuses/1/translate',
]

test('a token of an application is refused where it takes a person', async () => {
  const token = await server.token({ scopes: allScopes })
  const needsPerson = (operation: Operation): boolean =>
    operation.secured && !FOR_APPLICATIONS.includes(name(operation))
  assert.deepEqual(await each(needsPerson, withToken(token), isNot(401)), [])
  const goesOn = ({ status }: Answer): boolean => [401, 403].includes(status) || status >= 500
  assert.deepEqual(await each((operation) => !needsPerson(operation), withToken(token), goesOn), [])
})

/** What those may do who are not confirmed yet, of all that takes a person. */
const BEFORE_CONFIRMATION = ['GET /api/v1/emails/check_confirmation', 'POST /api/v1/emails/confirmations']

const STATES = {
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  pending: 'Your login is currently pending approval',
  disabled: 'Your login is currently disabled',
  suspended: 'Your login is currently disabled',
}
for (const [state, text] of Object.entries(STATES))
  test(`somebody who is ${state} is refused`, async () => {
    const person = await server.person(state, {
      confirmed: state !== 'unconfirmed',
      approved: state !== 'pending',
      scopes: allScopes,
    })
    if (state === 'disabled') await modifyUser(server.ctx, person.userId, { disabled: true })
    if (state === 'suspended')
      await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${person.id}`)
    const isRefused = (operation: Operation): boolean =>
      operation.secured &&
      !FOR_APPLICATIONS.includes(name(operation)) &&
      !BEFORE_CONFIRMATION.includes(name(operation)) &&
      !isStream(operation)
    assert.deepEqual(await each(isRefused, withToken(person.token), isNot(403, text)), [])
    assert.deepEqual(await each(isStream, withToken(person.token), ({ status }) => ![401, 403].includes(status)), [])
    const early = (operation: Operation): boolean => BEFORE_CONFIRMATION.includes(name(operation))
    const isWaiting = state === 'unconfirmed' || state === 'pending'
    assert.deepEqual(await each(early, withToken(person.token), ({ json }) => isWaiting === (json?.error === text)), [])
    // To what is open to everybody, they are anybody.
    assert.deepEqual(
      await each(
        (operation) => isPublic(operation),
        withToken(person.token),
        ({ status }) => [401, 403].includes(status) || status >= 500,
      ),
      [],
    )
  })
