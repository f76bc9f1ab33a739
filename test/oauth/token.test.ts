import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer, type Answer, type SendOptions } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const OOB = 'urn:ietf:wg:oauth:2.0:oob'
type App = { client_id: string; client_secret: string }

const { server } = await stage({ env: { OAUTH_PASSWORD_GRANT: 'true' } })

async function makeApp(scopes = 'read write:accounts', on = server): Promise<App> {
  const { json } = await on.send('POST', '/api/v1/apps', {
    json: { client_name: 'Client', redirect_uris: OOB, scopes },
  })
  return { client_id: json.client_id, client_secret: json.client_secret }
}

const post = (path: string, json: Record<string, unknown>, options: SendOptions = {}): Promise<Answer> =>
  server.send('POST', path, { json, ...options })
const basic = (app: App): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
})

test('client_credentials accepts JSON, forms, multipart and Basic, and returns the same token again', async () => {
  const app = await makeApp()
  const grant = { grant_type: 'client_credentials' }
  const multipart = new FormData()
  for (const [name, value] of Object.entries({ ...app, ...grant })) multipart.set(name, value)
  const answers = [
    await post('/oauth/token', { ...app, ...grant }),
    await server.send('POST', '/oauth/token', { form: { ...app, ...grant, scope: 'read' } }),
    await server.send('POST', '/oauth/token', { form: multipart }),
    await post('/oauth/token', grant, { headers: basic(app) }),
  ]
  for (const { status, json, headers } of answers) {
    assert.equal(status, 200)
    assert.deepEqual([json.token_type, json.scope], ['Bearer', 'read'])
    assert.ok(Math.abs(json.created_at - Date.now() / 1000) < 60)
    assert.deepEqual([headers.get('cache-control'), headers.get('access-control-allow-origin')], ['no-store', '*'])
  }
  assert.equal(new Set(answers.map(({ json }) => json.access_token)).size, 1)
  const granular = await post('/oauth/token', { ...app, ...grant, scope: 'write:accounts read:statuses' })
  assert.equal(granular.json.scope, 'write:accounts read:statuses')
})

test('token errors have the OAuth code, status and description', async () => {
  const app = await makeApp()
  const cases: [Record<string, unknown>, number, string][] = [
    [{}, 400, 'invalid_request'],
    [{ ...app }, 400, 'invalid_request'],
    [{ ...app, grant_type: ['a', 'b'] }, 400, 'invalid_request'],
    [{ ...app, grant_type: 'authorization_code' }, 400, 'invalid_request'],
    [{ ...app, grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_request'],
    [{ ...app, grant_type: 'authorization_code', code: 'x', redirect_uri: OOB }, 400, 'invalid_grant'],
    [{ ...app, grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    [{ ...app, grant_type: 'client_credentials', scope: 'write' }, 400, 'invalid_scope'],
    [{ ...app, grant_type: 'client_credentials', scope: 'nonsense' }, 400, 'invalid_scope'],
    [{ ...app, grant_type: 'client_credentials', client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: app.client_id, grant_type: 'client_credentials' }, 401, 'invalid_client'],
    [{ ...app, grant_type: 'client_credentials', client_id: 'unknown' }, 401, 'invalid_client'],
  ]
  for (const [params, status, error] of cases) {
    const answer = await post('/oauth/token', params)
    assert.deepEqual([answer.status, answer.json.error], [status, error], JSON.stringify(params))
    assert.ok(answer.json.error_description.length > 10)
    const challenge = answer.headers.get('www-authenticate')
    if (status === 401) assert.match(challenge ?? '', /^Bearer realm="Doorkeeper", error="invalid_client"/)
    else assert.equal(challenge, null)
  }
  const broken = await server.send('POST', '/oauth/token', {
    headers: { 'content-type': 'application/json' },
    form: new URLSearchParams('{'),
  })
  assert.deepEqual([broken.status, broken.json.error], [400, 'invalid_request'])
  const wrongBasic = await post(
    '/oauth/token',
    { grant_type: 'client_credentials' },
    { headers: basic({ ...app, client_secret: 'wrong' }) },
  )
  assert.equal(wrongBasic.status, 401)
})

test('the password grant works when enabled, for active users', async () => {
  const app = await makeApp('read write')
  const ada = await server.person('ada')
  const login = { ...app, grant_type: 'password', username: ada.email, password: ada.password, scope: 'read write' }
  const { status, json } = await post('/oauth/token', login)
  assert.equal(status, 200)
  assert.equal(
    (await server.send('GET', '/api/v1/accounts/verify_credentials', { token: json.access_token })).json.acct,
    'ada',
  )
  assert.equal((await post('/oauth/token', { ...login, password: 'wrong' })).json.error, 'invalid_grant')
  assert.equal((await post('/oauth/token', { ...login, scope: 'push' })).json.error, 'invalid_scope')
  const eve = await server.person('eve', { confirmed: false })
  assert.equal((await post('/oauth/token', { ...login, username: eve.email })).json.error, 'invalid_grant')
})

test('only the application that owns a token can revoke it; unknown tokens are accepted', async () => {
  const [app, other] = [await makeApp(), await makeApp()]
  const { access_token: token } = (await post('/oauth/token', { ...app, grant_type: 'client_credentials' })).json
  const works = async (): Promise<boolean> =>
    (await server.send('GET', '/api/v1/apps/verify_credentials', { token })).status === 200
  for (const params of [{ ...other, token }, { token }, { ...app, client_secret: 'wrong', token }]) {
    const answer = await post('/oauth/revoke', params)
    assert.deepEqual([answer.status, answer.json.error], [403, 'unauthorized_client'])
  }
  assert.ok(await works())
  assert.deepEqual((await post('/oauth/revoke', { ...app, token: 'unknown' })).json, {})
  const answer = await post('/oauth/revoke', { token }, { headers: basic(app) })
  assert.deepEqual([answer.status, answer.json], [200, {}])
  assert.equal(await works(), false)
  assert.equal(
    (await post('/oauth/revoke', { ...app, token }, { token })).status,
    200,
    'a repeated revocation succeeds, even with the revoked token as bearer',
  )
})

test("introspection describes an application's own tokens", async () => {
  const [app, other] = [await makeApp(), await makeApp()]
  const { access_token: token, created_at: createdAt } = (
    await post('/oauth/token', { ...app, grant_type: 'client_credentials' })
  ).json
  const about = { active: true, scope: 'read', client_id: app.client_id, token_type: 'Bearer', iat: createdAt }
  assert.deepEqual((await post('/oauth/introspect', { ...app, token })).json, about)
  assert.deepEqual((await post('/oauth/introspect', { token }, { token })).json, about)
  assert.deepEqual((await post('/oauth/introspect', { ...other, token })).json, { active: false })
  assert.deepEqual((await post('/oauth/introspect', { ...app, token: 'x' })).json, { active: false })
  assert.equal((await post('/oauth/introspect', { token })).status, 401)
  const info = await server.send('GET', '/oauth/token/info', { token })
  assert.deepEqual(info.json, {
    resource_owner_id: null,
    scope: ['read'],
    expires_in: null,
    application: { uid: app.client_id },
    created_at: createdAt,
  })
  assert.equal((await server.send('GET', '/oauth/token/info')).status, 401)
})

test('introspection says that the token of a user is active for as long as the user may act', async () => {
  const [app, rosa, boss] = [
    await makeApp(),
    await server.person('rosa'),
    await server.person('boss', { role: 'owner' }),
  ]
  const login = { grant_type: 'password', username: rosa.email, password: rosa.password }
  const { access_token: token } = (await post('/oauth/token', { ...app, ...login })).json
  const isActive = async (): Promise<boolean> => (await post('/oauth/introspect', { ...app, token })).json.active
  assert.equal(await isActive(), true)
  await boss.post(`/api/v1/admin/accounts/${rosa.id}/action`, { type: 'disable' })
  assert.equal(await isActive(), false)
  await boss.post(`/api/v1/admin/accounts/${rosa.id}/enable`)
  assert.equal(await isActive(), true)
})

test('userinfo requires the profile scope, by GET and POST', async () => {
  const bob = await server.person('bob')
  for (const method of ['GET', 'POST']) {
    const { status, json } = await bob.send(method, '/oauth/userinfo')
    assert.equal(status, 200)
    const base = server.ctx.config.baseUrl
    assert.deepEqual(json, {
      iss: `${base}/`,
      sub: `${base}/users/bob`,
      name: 'bob',
      preferred_username: 'bob',
      profile: `${base}/@bob`,
      picture: `${base}/avatars/original/missing.png`,
    })
  }
  assert.equal(
    (
      await server.send('GET', '/oauth/userinfo', {
        token: await server.token({ userId: bob.userId, scopes: ['read'] }),
      })
    ).status,
    403,
  )
  assert.equal((await server.send('GET', '/oauth/userinfo')).status, 401)
})

test('the metadata lists endpoints and enabled grants', async () => {
  const { status, json, headers } = await server.send('GET', '/.well-known/oauth-authorization-server')
  const base = server.ctx.config.baseUrl
  assert.equal(status, 200)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(json.issuer, `${base}/`)
  assert.equal(json.token_endpoint, `${base}/oauth/token`)
  assert.equal(json.app_registration_endpoint, `${base}/api/v1/apps`)
  assert.deepEqual(json.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(json.grant_types_supported, ['authorization_code', 'client_credentials', 'password'])
  for (const scope of ['read', 'write:statuses', 'push', 'profile', 'admin:read:accounts'])
    assert.ok(json.scopes_supported.includes(scope))
})

test('limited federation mode permits applications, and the password grant is off by default', async () => {
  const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    const app = await makeApp('read', closed)
    assert.equal(
      (await closed.send('POST', '/oauth/token', { json: { ...app, grant_type: 'client_credentials' } })).status,
      200,
    )
    const metadata = await closed.send('GET', '/.well-known/oauth-authorization-server')
    assert.deepEqual(metadata.json.grant_types_supported, ['authorization_code', 'client_credentials'])
    const refused = await closed.send('POST', '/oauth/token', {
      json: { ...app, grant_type: 'password', username: 'a', password: 'b' },
    })
    assert.deepEqual([refused.status, refused.json.error], [400, 'unsupported_grant_type'])
  } finally {
    await closed.stop()
  }
})
