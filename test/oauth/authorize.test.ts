import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createOAuthAPIClient, createRestAPIClient } from 'masto'
import { revokeTokens } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Page, signedIn } from '../support/forms.ts'
import { findCaller } from '../support/internals.ts'
import { beforeCommit } from '../support/races.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const CALLBACK = 'https://client.test/callback?from=%2Frook'
const OOB = 'urn:ietf:wg:oauth:2.0:oob'

type App = { client_id: string; client_secret: string }
const { server, ada } = await stage({ accounts: ['ada'] })

async function makeApp(options: { scopes?: string; redirect_uris?: string | string[] } = {}): Promise<App> {
  const { json } = await server.send('POST', '/api/v1/apps', {
    json: { client_name: 'Client', redirect_uris: [CALLBACK, OOB], scopes: 'read write push', ...options },
  })
  return { client_id: json.client_id, client_secret: json.client_secret }
}

const authorizePath = (app: App, params: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: CALLBACK, scope: 'read', ...params })}`

/** The parameters of the redirect to the application. */
const answerOf = (page: Page): URLSearchParams => {
  assert.equal(page.status, 302, page.text)
  assert.ok(page.location.startsWith(`${CALLBACK}&`), page.location)
  return new URL(page.location).searchParams
}

async function codeFor(app: App, params: Record<string, string> = {}): Promise<string> {
  const tab = await signedIn(server, ada)
  const page = await tab.get(authorizePath(app, params))
  const code = answerOf(page.status === 302 ? page : await tab.submit(page, {}, { action: '/oauth/authorize' })).get(
    'code',
  )
  assert.ok(code)
  return code
}

const exchange = (app: App, params: Record<string, string>): Promise<Answer> =>
  server.send('POST', '/oauth/token', {
    form: { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...app, ...params },
  })

test('sign-in and consent give the application a code with its state, which it can exchange once', async () => {
  const app = await makeApp()
  const tab = browser(server)
  const signIn = await tab.get(authorizePath(app, { scope: 'read write', state: 'a b&c' }))
  assert.match(signIn.location, /^\/auth\/sign_in\?next=/)
  const consent = await tab.submit(
    signIn,
    { 'user[email]': ada.email.toUpperCase(), 'user[password]': ada.password },
    { action: '/auth/sign_in' },
  )
  assert.equal(consent.status, 200)
  assert.match(consent.text, /Authorise Client\?[\s\S]*Read everything[\s\S]*Act in your name/)
  assert.doesNotMatch(consent.headers.get('content-security-policy') ?? '', /form-action/)
  assert.equal(consent.headers.get('cross-origin-opener-policy'), null)
  // Automated clients submit the first form of the page.
  const sent = answerOf(await tab.submit(consent))
  assert.equal(sent.get('state'), 'a b&c')

  const answer = await exchange(app, { code: sent.get('code') as string })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.deepEqual(
    { ...answer.json, access_token: '', created_at: 0 },
    { access_token: '', token_type: 'Bearer', scope: 'read write', created_at: 0 },
  )
  const token = answer.json.access_token
  assert.equal((await server.send('GET', '/api/v1/accounts/verify_credentials', { token })).json.acct, 'ada')

  const again = await exchange(app, { code: sent.get('code') as string })
  assert.equal(again.status, 400)
  assert.equal(again.json.error, 'invalid_grant')
  assert.ok(again.json.error_description)
  assert.equal(
    (await server.send('GET', '/api/v1/accounts/verify_credentials', { token })).status,
    401,
    'the second use revoked the token',
  )
})

test('a code is valid only for its application and redirect URI, and until it expires', async () => {
  const [app, other] = [await makeApp(), await makeApp()]
  const code = await codeFor(app)
  for (const [client, params] of [
    [other, { code }],
    [app, { code, redirect_uri: CALLBACK.replace('%2F', '/') }],
    [app, { code, redirect_uri: OOB }],
    [app, { code: 'nonsense' }],
    [app, { code, code_verifier: 'there was no challenge' }],
  ] as const) {
    const answer = await exchange(client, params)
    assert.equal(answer.status, 400)
    assert.equal(answer.json.error, 'invalid_grant')
  }
  await server.ctx.db.run(sql`update oauth_grants set expires_at = now() - interval '1 second'`)
  assert.equal((await exchange(app, { code })).json.error, 'invalid_grant')
})

test('simultaneous exchanges of one code give one token', async () => {
  const app = await makeApp()
  const code = await codeFor(app)
  const answers = await Promise.all([exchange(app, { code }), exchange(app, { code }), exchange(app, { code })])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
})

test('a token that is revoked at the moment of an equal exchange is not given out again', async () => {
  const app = await makeApp()
  const [code, next] = [await codeFor(app), await codeFor(app)]
  const { access_token: revoked } = (await exchange(app, { code })).json
  const { token } = (await findCaller(server.ctx, revoked)) as { token: { id: string } }
  const answer = await beforeCommit(
    server,
    (tx) => revokeTokens(tx, [token.id]),
    () => exchange(app, { code: next }),
  )
  assert.equal(answer.status, 200, answer.text)
  assert.notEqual(answer.json.access_token, revoked)
})

test('PKCE: the verifier must match, and plain is refused', async () => {
  const app = await makeApp()
  const verifier = randomBytes(32).toString('base64url')
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const code = await codeFor(app, challenge)
  assert.equal((await exchange(app, { code })).json.error, 'invalid_grant')
  assert.equal((await exchange(app, { code, code_verifier: `${verifier}x` })).json.error, 'invalid_grant')
  assert.equal((await exchange(app, { code, code_verifier: verifier })).status, 200)

  const tab = await signedIn(server, ada)
  for (const params of [
    { ...challenge, code_challenge_method: 'plain' },
    { code_challenge: verifier },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ] as Record<string, string>[]) {
    const sent = answerOf(await tab.get(authorizePath(app, { ...params, state: 's' })))
    assert.equal(sent.get('error'), 'invalid_request')
    assert.equal(sent.get('state'), 's')
  }
})

test('the port of a loopback address is compared, too', async () => {
  const registered = ['http://127.0.0.1/cb', 'http://[::1]:80/cb', 'http://127.0.0.1:53412/other']
  const app = await makeApp({ scopes: 'read:accounts', redirect_uris: registered.join(' ') })
  const tab = await signedIn(server, ada)
  const statusFor = async (redirect_uri: string): Promise<number> =>
    (await tab.get(authorizePath(app, { scope: 'read:accounts', redirect_uri }))).status
  for (const uri of registered) assert.equal(await statusFor(uri), 200, uri)
  for (const uri of ['http://127.0.0.1:53412/cb', 'http://127.0.0.1:80/cb', 'http://[::1]/cb', 'http://[::1]:1/cb'])
    assert.equal(await statusFor(uri), 400, uri)
})

test('errors are sent to registered redirect URIs only', async () => {
  const app = await makeApp({ scopes: 'read:accounts' })
  const tab = await signedIn(server, ada)
  const errorFor = async (params: Record<string, string>): Promise<string | null> =>
    answerOf(await tab.get(authorizePath(app, params))).get('error')
  assert.equal(await errorFor({ scope: 'read' }), 'invalid_scope')
  assert.equal(await errorFor({ scope: 'everything' }), 'invalid_scope')
  assert.equal(await errorFor({ scope: 'read:accounts', response_type: 'token' }), 'unsupported_response_type')
  assert.equal(await errorFor({ scope: 'read:accounts', response_mode: 'telepathy' }), 'invalid_request')

  for (const [params, status] of [
    [{ redirect_uri: 'https://evil.test/' }, 400],
    [{ redirect_uri: CALLBACK.replace('%2F', '%2f') }, 400],
    [{ redirect_uri: '' }, 400],
    [{ client_id: 'unknown' }, 401],
    [{ client_id: '' }, 400],
  ] as const) {
    const page = await tab.get(authorizePath(app, params))
    assert.equal(page.status, status)
    assert.match(page.text, /cannot be authorised/)
  }
})

test('denial is sent to the application, and the consent form requires the CSRF token', async () => {
  const app = await makeApp()
  const tab = await signedIn(server, ada)
  const consent = await tab.get(authorizePath(app, { state: 'x' }))
  const sent = answerOf(await tab.submit(consent, {}, { action: '/oauth/authorize', index: 1 }))
  assert.deepEqual([sent.get('error'), sent.get('state'), sent.get('code')], ['access_denied', 'x', null])

  const fields = consent.forms.find(({ action }) => action === '/oauth/authorize')?.fields ?? {}
  const { csrf_token: csrf = '', ...rest } = fields
  assert.equal((await tab.post('/oauth/authorize', rest)).status, 403)
  assert.equal((await tab.post('/oauth/authorize', { ...rest, csrf_token: `${csrf.slice(1)}A` })).status, 403)
  assert.equal((await tab.post('/oauth/authorize', fields, { origin: 'https://evil.test' })).status, 403)
  assert.equal((await tab.post('/oauth/authorize', fields, { origin: 'null' })).status, 403)
  const outsider = browser(server)
  assert.match((await outsider.post('/oauth/authorize', fields)).location, /^\/auth\/sign_in\?next=/)
  assert.equal((await tab.post('/oauth/authorize', fields, { origin: server.ctx.config.baseUrl })).status, 302)
})

test('out of band, codes and errors are shown on a page', async () => {
  const app = await makeApp()
  const tab = await signedIn(server, ada)
  const page = await tab.submit(
    await tab.get(authorizePath(app, { redirect_uri: OOB })),
    {},
    { action: '/oauth/authorize' },
  )
  assert.equal(page.status, 200)
  assert.match(page.location, /^\/oauth\/authorize\/native\?code=/)
  const code = /<code class="code-display">([^<]+)</.exec(page.text)?.[1] as string
  assert.equal((await exchange(app, { code, redirect_uri: OOB })).status, 200)
  assert.match((await tab.get(authorizePath(app, { redirect_uri: OOB, scope: 'nonsense' }))).text, /invalid_scope/)
  const consent = await tab.get(authorizePath(app, { redirect_uri: OOB, scope: 'write' }))
  const denied = await tab.submit(consent, { _method: 'delete' }, { action: '/oauth/authorize' })
  assert.match(denied.text, /The application was not given access(?![^]*report this error)/)
  const madeUp = await tab.get(`/oauth/authorize/native?code=${encodeURIComponent('Send your password to Eve')}`)
  assert.deepEqual([madeUp.status, madeUp.text.includes('Eve')], [404, false])
})

test('an authorised application needs no new consent unless it forces a sign-in', async () => {
  const app = await makeApp()
  assert.equal((await exchange(app, { code: await codeFor(app) })).status, 200)
  const tab = await signedIn(server, ada)
  assert.ok(answerOf(await tab.get(authorizePath(app))).get('code'))
  assert.equal(
    (await tab.get(authorizePath(app, { scope: 'read write' }))).status,
    200,
    'additional scopes require consent',
  )

  const signIn = await tab.get(authorizePath(app, { force_login: 'true' }))
  assert.match(signIn.location, /^\/auth\/sign_in\?/)
  const consent = await tab.submit(
    signIn,
    { 'user[email]': 'ada', 'user[password]': ada.password },
    { action: '/auth/sign_in' },
  )
  assert.match(consent.text, /Authorise Client\?/)
  assert.ok(answerOf(await tab.submit(consent, {}, { action: '/oauth/authorize' })).get('code'))

  const outsider = browser(server)
  const first = await outsider.get(authorizePath(app, { force_login: '1' }))
  assert.match(
    (await outsider.submit(first, { 'user[email]': 'ada', 'user[password]': ada.password })).text,
    /Authorise Client\?/,
  )
})

test('an application that forces a sign-in is not content with a switch to another account of the browser', async () => {
  const app = await makeApp()
  const tab = await signedIn(server, ada)
  const cleo = await server.person('cleo')
  const signInAs = (page: Page, { email, password }: Person): Promise<Page> =>
    tab.submit(page, { 'user[email]': email, 'user[password]': password }, { action: '/auth/sign_in' })
  await signInAs(await tab.get('/auth/sign_in?again=1'), cleo)
  const switches = (page: Page): boolean => page.forms.some(({ action }) => action === '/auth/switch')
  const asked = await tab.get(authorizePath(app))
  assert.match(asked.text, /@cleo/)
  const other = await tab.get(/href="(\/auth\/sign_in[^"]+)"/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '')
  assert.ok(switches(other))

  const forced = await tab.get(authorizePath(app, { force_login: 'true' }))
  assert.deepEqual([/Password/.test(forced.text), switches(forced)], [true, false])
  const wrong = await signInAs(forced, { ...ada, password: 'wrong' })
  assert.deepEqual([wrong.status, switches(wrong)], [422, false])
  // With a form of another page.
  const back = new URLSearchParams(forced.location.split('?')[1]).get('next') ?? ''
  const switched = await tab.submit(other, { next: back }, { action: '/auth/switch' })
  assert.match(switched.text, /Password/)
  const consent = await signInAs(switched, ada)
  assert.match(consent.text, /@ada/)
  assert.ok(answerOf(await tab.submit(consent, {}, { action: '/oauth/authorize' })).get('code'))
})

test('the response modes fragment and form_post work', async () => {
  const app = await makeApp({ redirect_uris: ['https://client.test/cb'] })
  const tab = await signedIn(server, ada)
  const params = { redirect_uri: 'https://client.test/cb', state: '"<s' }
  const fragment = await tab.submit(
    await tab.get(authorizePath(app, { ...params, response_mode: 'fragment' })),
    {},
    { action: '/oauth/authorize' },
  )
  assert.match(fragment.location, /^https:\/\/client\.test\/cb#code=[\w-]+&state=%22%3Cs$/)

  const posted = await tab.submit(
    await tab.get(authorizePath(app, { ...params, response_mode: 'form_post' })),
    {},
    { action: '/oauth/authorize' },
  )
  const form = posted.forms.find(({ action }) => action === 'https://client.test/cb')
  assert.ok(form?.fields['code'])
  assert.equal(form.fields['state'], '"<s')
  const script = /<script>(.*)<\/script>/.exec(posted.text)?.[1] ?? ''
  assert.ok(
    posted.headers
      .get('content-security-policy')
      ?.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`),
  )
})

test('the masto library registers, is authorised, and posts', async () => {
  const app = await createRestAPIClient({ url: server.url }).v1.apps.create({
    clientName: 'masto',
    redirectUris: OOB,
    scopes: 'read write',
  })
  const tab = await signedIn(server, ada)
  const page = await tab.submit(
    await tab.get(
      authorizePath({ client_id: app.clientId ?? '', client_secret: '' }, { redirect_uri: OOB, scope: 'read write' }),
    ),
    {},
    { action: '/oauth/authorize' },
  )
  const oauth = createOAuthAPIClient({ url: server.url })
  const credentials = { clientId: app.clientId ?? '', clientSecret: app.clientSecret ?? '' }
  const token = await oauth.token.create({
    grantType: 'authorization_code',
    ...credentials,
    redirectUri: OOB,
    code: new URL(page.location, server.url).searchParams.get('code') ?? '',
  })
  const client = createRestAPIClient({ url: server.url, accessToken: token.accessToken })
  assert.equal((await client.v1.accounts.verifyCredentials()).username, 'ada')
  assert.equal((await client.v1.apps.verifyCredentials()).name, 'masto')
  await oauth.revoke({ ...credentials, token: token.accessToken })
  await assert.rejects(client.v1.accounts.verifyCredentials(), /invalid/)
})

test('authorised applications are listed, and only their own user can revoke them', async () => {
  const app = await makeApp()
  const { json } = await exchange(app, { code: await codeFor(app) })
  const tab = await signedIn(server, ada)
  const { id } = (await server.send('GET', '/api/v1/apps/verify_credentials', { token: json.access_token })).json
  const list = await tab.get('/oauth/authorized_applications')
  assert.match(list.text, /Revoke<span class="visually-hidden"> Client</)

  const bob = await server.person('bob')
  const bobs = await signedIn(server, bob)
  const csrf = (await bobs.get('/auth/edit')).forms[0]?.fields['csrf_token'] ?? ''
  assert.equal((await bobs.post(`/oauth/authorized_applications/${id}`, { csrf_token: csrf })).status, 404)

  assert.equal((await tab.submit(list, {}, { action: `/oauth/authorized_applications/${id}` })).status, 200)
  assert.equal(
    (await server.send('GET', '/api/v1/accounts/verify_credentials', { token: json.access_token })).status,
    401,
  )
})
