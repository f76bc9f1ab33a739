// Authorisation of every operation in the OpenAPI document: without a token, with invalid ones and with missing scopes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modifyUser } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

type Operation = {
  method: string
  path: string
  /** Whether the operation requires a token. */
  secured: boolean
  /** The token must have one of them; if empty, any token is enough. */
  scopes: string[]
}

/** Refuses plain HTTP requests: see test/streaming/handshake.test.ts. */
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
          // Ids of nothing; names and hashtags become a word.
          path: path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (/name|hashtag/.test(name) ? 'cats' : '1')),
          secured: security.every(({ oauth }) => oauth),
          scopes: security.flatMap(({ oauth }) => oauth ?? []),
        }
      : [],
  ),
)
assert.ok(operations.length > 200, `only ${operations.length} operations`)

/** Streams do not end, so this file tests only their refusals; test/streaming tests the rest. */
const isStream = ({ path }: Operation): boolean => path.startsWith(WEBSOCKET)
const isPublic = ({ secured }: Operation): boolean => !secured
/** Every nth operation. One gate serves all, and the other tests try it with each of them. */
const everyNth =
  (n: number, first = 0) =>
  (operation: Operation): boolean =>
    operations.indexOf(operation) % n === first
const name = ({ method, path }: Operation): string => `${method} ${path}`

/** Requests each operation, four at a time, and returns those with a wrong response. */
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

const isRefusedOrFails = ({ status }: Answer): boolean => [401, 403].includes(status) || status >= 500

test('without a token, secured operations are refused and public ones are not', async () => {
  assert.deepEqual(await each(({ secured }) => secured, withToken(null), isNot(401)), [])
  assert.deepEqual(await each(isPublic, withToken(null), isRefusedOrFails), [])
})

test('an invalid token is refused by every operation, in header and body, and in the address', async () => {
  const refused = isNot(401, 'The access token is invalid')
  const isApiOperation = (operation: Operation): boolean => !/^\/oauth\/|streaming/.test(operation.path)
  assert.deepEqual(await each(isApiOperation, withToken('garbage'), refused), [])
  assert.deepEqual(await each((operation) => !isApiOperation(operation), withToken('garbage'), isNot(401)), [])
  const inAddress = ({ method, path }: Operation): Promise<Answer> =>
    server.send(method, `${path}?access_token=garbage`)
  assert.deepEqual(
    await each((operation) => isApiOperation(operation) && everyNth(8)(operation), inAddress, refused),
    [],
  )
  const inBody = ({ method, path }: Operation): Promise<Answer> =>
    server.send(method, path, { json: { access_token: 'garbage' } })
  const takesForms = (operation: Operation): boolean =>
    isApiOperation(operation) && operation.method !== 'GET' && !/media$|credentials$|profile$/.test(operation.path)
  assert.deepEqual(await each(takesForms, inBody, refused), [])
  for (const authorization of ['Bearer', 'Bearer  ', 'Bearer a b'])
    assert.equal(
      (await server.send('GET', '/api/v1/timelines/public', { headers: { authorization } })).status,
      401,
      authorization,
    )
})

test('a revoked token is refused', async () => {
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
  assert.deepEqual(await each(everyNth(8), withToken(token), isNot(401)), [])
})

// Scopes --------------------------------------------------------------------------------------------------------------

/** The scopes that cover a scope, as documented: itself, its parent, and `follow` for relationships. */
function covering(scope: string): string[] {
  const parent = scope.slice(0, Math.max(0, scope.lastIndexOf(':')))
  const isRelationship = /^(read|write):(blocks|follows|mutes)$/.test(scope)
  return [scope, ...(parent === '' ? [] : [parent]), ...(isRelationship ? ['follow'] : [])]
}
const OUTSIDE = 'This action is outside the authorized scopes'

test('a token with all scopes except the required ones is refused', async () => {
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
  // Streams answer 401 to any token that is not enough.
  assert.deepEqual(await each((operation) => needsScope(operation) && isStream(operation), ask, isNot(401)), [])
})

/**
 * The nouns of scopes, by the first pattern that fits the path below the version; `accounts` for other paths. To read and write one
 * needs two scopes.
 */
const NOUNS: readonly [RegExp, string][] = [
  [/notifications/, 'notifications'],
  [/collections/, 'collections'],
  [/^lists|\/lists$|^timelines\/list/, 'lists'],
  [/filters/, 'filters'],
  [/^search/, 'search'],
  [/favourite$|^favourites|\/reactions\//, 'favourites'],
  [/bookmark/, 'bookmarks'],
  [/mute/, 'mutes'],
  [/block/, 'blocks'],
  [/media/, 'media'],
  [/^reports$/, 'reports'],
  [/\/(un)?follow$|^follow|remove_from_followers|relationships|familiar/, 'follows'],
  [/^(statuses|timelines|polls|scheduled_statuses|markers)|^accounts\/1\/statuses/, 'statuses'],
  [/^conversations/, 'conversations'],
]

/** The documented scopes of other operations. Some applications still use a former scope of the last one. */
const OTHER_SCOPES: Record<string, readonly string[]> = {
  'GET accounts/verify_credentials': ['read:accounts', 'profile'],
  'GET async_refreshes/1': ['read'],
  'GET conversations': ['read:statuses'],
  'GET domain_blocks/preview': ['write:blocks'],
  'GET media/1': ['write:media'],
  'GET profile': ['read:accounts', 'profile'],
  'GET statuses/1/favourited_by': ['read:statuses', 'read:accounts'],
  'GET statuses/1/reblogged_by': ['read:statuses', 'read:accounts'],
  'POST statuses/1/pin': ['write:accounts'],
  'POST statuses/1/translate': ['read:statuses'],
  'POST statuses/1/unpin': ['write:accounts'],
  'DELETE suggestions/1': ['write:accounts', 'read'],
}

test('every operation has the scopes that are documented for it', () => {
  const expected = ({ method, path }: Operation): readonly string[] => {
    const rest = path.replace(/^\/api\/v\w+\//, '')
    const act = method === 'GET' ? 'read' : 'write'
    const other = OTHER_SCOPES[`${method} ${rest}`]
    if (other) return other
    if (/^(crypto|push)\//.test(rest)) return [rest.slice(0, rest.indexOf('/'))]
    return [`${act}:${NOUNS.find(([pattern]) => pattern.test(rest))?.[1] ?? 'accounts'}`]
  }
  // The administration has a table of its own: test/security/admin-permissions.test.ts.
  const isChecked = ({ path }: Operation): boolean => /^\/api\/v\w+\/(?!admin\/|streaming)/.test(path)
  for (const operation of operations)
    if (isChecked(operation) && operation.scopes.length > 0)
      assert.deepEqual(operation.scopes, expected(operation), name(operation))
})

test('each documented scope is enough, and so is one that covers it', async () => {
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

test('read, write and follow do not cover each other or other scopes', async () => {
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

/** The secured operations that accept an application token. */
const FOR_APPLICATIONS = [
  'GET /api/v1/apps/verify_credentials',
  'GET /api/v1/statuses/1/source',
  'GET /oauth/token/info',
  'POST /api/v1/accounts',
  'POST /api/v1/statuses/1/translate',
]

test('an application token is refused by operations that require a user', async () => {
  const token = await server.token({ scopes: allScopes })
  const needsPerson = (operation: Operation): boolean =>
    operation.secured && !FOR_APPLICATIONS.includes(name(operation))
  assert.deepEqual(await each(needsPerson, withToken(token), isNot(401)), [])
  assert.deepEqual(await each((operation) => !needsPerson(operation), withToken(token), isRefusedOrFails), [])
})

/** The operations that a user may call before confirming the e-mail address. */
const BEFORE_CONFIRMATION = ['GET /api/v1/emails/check_confirmation', 'POST /api/v1/emails/confirmations']

const STATES = {
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  pending: 'Your login is currently pending approval',
  disabled: 'Your login is currently disabled',
  suspended: 'Your login is currently disabled',
}
for (const [index, [state, text]] of Object.entries(STATES).entries())
  test(`a user who is ${state} is refused`, async () => {
    const person = await server.person(state, {
      confirmed: state !== 'unconfirmed',
      approved: state !== 'pending',
      scopes: allScopes,
    })
    if (state === 'disabled') await modifyUser(server.ctx, person.id, { disabled: true })
    if (state === 'suspended')
      await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${person.id}`)
    // All operations for the first state. The others, whose exceptions are the same or none, share them.
    const isTried = index === 0 ? () => true : everyNth(3, index - 1)
    const isRefused = (operation: Operation): boolean =>
      isTried(operation) &&
      operation.secured &&
      !FOR_APPLICATIONS.includes(name(operation)) &&
      !BEFORE_CONFIRMATION.includes(name(operation)) &&
      !isStream(operation)
    assert.deepEqual(await each(isRefused, withToken(person.token), isNot(403, text)), [])
    assert.deepEqual(await each(isStream, withToken(person.token), ({ status }) => ![401, 403].includes(status)), [])
    const early = (operation: Operation): boolean => BEFORE_CONFIRMATION.includes(name(operation))
    const isWaiting = state === 'unconfirmed' || state === 'pending'
    assert.deepEqual(await each(early, withToken(person.token), ({ json }) => isWaiting === (json?.error === text)), [])
    // Public operations stay available.
    assert.deepEqual(
      await each((operation) => isPublic(operation) && isTried(operation), withToken(person.token), isRefusedOrFails),
      [],
    )
  })
