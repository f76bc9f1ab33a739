import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { saveSettings } from '../support/acts.ts'
import { axeViolations } from '../support/axe.ts'
import { sharedBrowser } from '../support/browser.ts'
import { sql } from '../support/database.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.ts'
import { logLines } from '../support/log-lines.ts'
import { mailsTo } from '../support/mail.ts'
import { spend } from '../support/rate-limits.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const START = '/auth/auth/openid_connect'
const CALLBACK = `${START}/callback`
const SIGN_UP = `${START}/sign_up`

const provider = await startIdentityProvider({})
after(() => provider.stop())
const { server } = await stage({ env: { ...provider.env, REGISTRATIONS_MODE: 'open' } })

const initial = { ...provider.behaviour }
beforeEach(() => void Object.assign(provider.behaviour, initial, { claims: {}, token: {} }))

/** Who is signed in at the provider. */
function be(name: string, claims: Record<string, unknown> = {}): void {
  provider.behaviour.claims = {
    sub: `subject of ${name}`,
    preferred_username: name,
    email: `${name}@example.org`,
    email_verified: true,
    ...claims,
  }
}

/** Presses the button on the sign-in page. Returns the address at the provider, or a page of this server. */
const press = async (tab: Browser, query = ''): Promise<Page> =>
  tab.submit(await tab.get(`/auth/sign_in${query}`), {}, { action: START })

const signIn = async (tab: Browser, query = ''): Promise<Page> =>
  tab.get(await provider.visit((await press(tab, query)).location))

const create = async (tab: Browser, fields: Record<string, string> = {}): Promise<Page> =>
  tab.submit(await signIn(tab), { 'user[agreement]': '1', ...fields }, { action: SIGN_UP })

const isSignedIn = async (tab: Browser): Promise<boolean> => (await tab.get('/auth/edit')).location === '/auth/edit'

const countAccounts = async (on: TestServer, username: string): Promise<number> =>
  (
    await on.ctx.db.one<{ n: number }>(
      sql`select count(*)::int as n from accounts where username like ${`${username}%`}`,
    )
  ).n

test('the first sign-in creates an account, and the next ones lead to it', async () => {
  be('ada', { name: 'Ada Lovelace', preferred_username: 'ada.lovelace@example.org' })
  const tab = browser(server)
  const page = await signIn(tab)
  assert.match(page.text, /You have signed in with Example ID/)
  assert.match(page.text, /@adalovelace@/)
  assert.match(page.text, /ada@example\.org/)
  assert.equal(await isSignedIn(tab), false, 'there is no account before the form is sent')
  assert.equal((await tab.submit(page, {}, { action: SIGN_UP })).status, 422, 'without the agreement')
  assert.equal((await tab.submit(page, { 'user[agreement]': '1' }, { action: SIGN_UP })).location, '/')
  assert.equal(await isSignedIn(tab), true)
  assert.match((await tab.get('/settings/sessions')).text, /Identity provider · /)
  const { json } = await server.send('GET', '/api/v1/accounts/lookup?acct=adalovelace')
  assert.equal(json.display_name, 'Ada Lovelace')
  assert.deepEqual(await mailsTo(server, 'ada@example.org'), [], 'the provider has verified the address')
  // What the provider says later changes nothing.
  be('ada', { email: 'other@example.org', preferred_username: 'countess' })
  const other = browser(server)
  assert.equal((await signIn(other, '?next=/settings/sessions')).location, '/settings/sessions')
  assert.match((await other.get('/auth/edit')).text, /ada@example\.org/)
})

test('the request to the provider has PKCE, state and nonce, and a fresh sign-in where one is asked for', async () => {
  be('ada')
  const page = await press(browser(server))
  const { searchParams: asked } = new URL(page.location)
  assert.equal(asked.get('response_type'), 'code')
  assert.equal(asked.get('code_challenge_method'), 'S256')
  for (const name of ['code_challenge', 'state', 'nonce']) assert.match(asked.get(name) ?? '', /^[\w-]{43}$/)
  assert.equal(asked.get('scope'), 'openid profile email')
  assert.equal(asked.get('redirect_uri'), server.ctx.config.baseUrl + CALLBACK)
  assert.equal(asked.get('prompt'), null)
  assert.equal(new URL((await press(browser(server), '?again=1')).location).searchParams.get('prompt'), 'login')
})

test('forms of pages with the button may lead to this server only', async () => {
  const { password } = await server.person('form')
  const tab = browser(server)
  const pages = [await tab.get('/auth/sign_in'), await tab.get('/auth/sign_up'), await press(tab)]
  await tab.signIn('form', password)
  pages.push(await tab.get('/auth/edit'))
  for (const { headers, location } of pages) {
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /form-action 'self'/, location)
    assert.doesNotMatch(policy, /script-src/, location)
  }
})

test('the button needs the CSRF token of the browser, and cannot be a link', async () => {
  const tab = browser(server)
  assert.equal((await tab.post(START, {})).status, 403)
  assert.equal((await tab.get(START)).status, 404)
})

test('only the browser that began a sign-in can finish it, and once', async () => {
  be('mallory')
  const attacker = browser(server)
  await create(attacker)
  const callback = await provider.visit((await press(attacker, '?again=1')).location)
  // Login CSRF: the attacker sends their own callback to another person.
  const victim = browser(server)
  for (const path of [callback, `${CALLBACK}?code=a&state=b`, CALLBACK]) {
    const page = await victim.get(path)
    assert.equal(page.status, 400, path)
    assert.match(page.text, /This sign-in has ended/)
  }
  await press(victim)
  assert.equal((await victim.get(callback)).status, 400, 'a browser with a sign-in of its own')
  const forged = callback.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`)
  assert.equal((await attacker.get(forged)).status, 400, 'a forged state')
  assert.equal(await isSignedIn(victim), false)
  assert.equal((await attacker.get(callback)).location, '/')
  assert.equal((await attacker.get(callback)).status, 400, 'a replayed callback')
})

test('two sign-ins of a browser at once do not disturb each other', async () => {
  be('tabs')
  const tab = browser(server)
  await create(tab)
  const [first, second] = [await press(tab, '?again=1&next=/settings'), await press(tab, '?again=1')]
  assert.equal((await tab.get(await provider.visit(first.location))).location, '/settings')
  assert.equal((await tab.get(await provider.visit(second.location))).location, '/')
})

test('a token with a wrong nonce, audience, issuer, time, subject or signature is refused', async () => {
  be('eve')
  await create(browser(server))
  const now = Math.floor(Date.now() / 1000)
  const cases: [string, Partial<typeof provider.behaviour>, RegExp][] = [
    ['nonce', { token: { nonce: 'another' } }, /could not be verified/],
    ['no nonce', { token: { nonce: undefined } }, /could not be verified/],
    ['audience', { token: { aud: 'another' } }, /could not be verified/],
    ['issuer', { token: { iss: 'https://evil.test' } }, /could not be verified/],
    ['another subject than the user information', { token: { sub: 'admin' } }, /could not be verified/],
    ['signature', { forged: true }, /could not be verified/],
    ['no signature', { algorithm: 'none' }, /could not be verified/],
    ['a signature with a shared secret', { algorithm: 'HS256' }, /could not be verified/],
    ['expired', { token: { exp: now - 600 } }, /clocks differ/],
    ['not yet', { token: { nbf: now + 600 } }, /clocks differ/],
  ]
  for (const [name, change, text] of cases) {
    Object.assign(provider.behaviour, { token: {}, forged: false, algorithm: 'RS256' }, change)
    const tab = browser(server)
    const page = await signIn(tab)
    assert.equal(page.status, 422, name)
    assert.match(page.text, text, name)
    assert.equal(await isSignedIn(tab), false, name)
  }
  Object.assign(provider.behaviour, { token: { exp: Math.floor(Date.now() / 1000) - 20 }, forged: false })
  assert.equal((await signIn(browser(server))).location, '/', 'clocks may differ a little')
})

test('a denial and an outage of the provider show what to do, in the language of the reader', async () => {
  be('ada')
  provider.behaviour.error = 'access_denied'
  const denied = await signIn(browser(server))
  assert.equal(denied.status, 403)
  assert.match(denied.text, /You were not signed in/)
  provider.behaviour.error = '<script>alert(1)</script>'
  const odd = await signIn(browser(server))
  assert.equal(odd.status, 422)
  assert.doesNotMatch(odd.text, /<script>/)
  provider.behaviour.error = null
  const tab = browser(server)
  const callback = await provider.visit((await press(tab, '?next=/settings')).location)
  provider.behaviour.status = 500
  const down = await tab.get(`${callback}&lang=de`)
  assert.equal(down.status, 503)
  assert.match(down.text, /Keine Antwort/)
  assert.match(down.text, /href="\/auth\/sign_in\?next=%2Fsettings"/)
})

describe('a provider whose responses change', () => {
  let own: TestProvider
  let other: TestServer
  let lines: string[]
  before(async () => {
    own = await startIdentityProvider({ sub: '1', preferred_username: 'key', email: 'key@example.org' })
    other = await startTestServer(own.env)
    other.ctx.log.level = 'trace'
    lines = logLines(other)
  })
  after(() => Promise.all([other.stop(), own.stop()]))

  const enter = async (tab = browser(other)): Promise<Page> => {
    const asked = await tab.submit(await tab.get('/auth/sign_in'), {}, { action: START })
    return asked.status === 200 ? tab.get(await own.visit(asked.location)) : asked
  }

  test('one that does not answer is asked again by the next sign-in', async () => {
    own.behaviour.status = 502
    assert.equal((await enter()).status, 503)
    own.behaviour.status = 200
  })

  test('a malformed response shows an error page, and its contents stay out of the log', async () => {
    const document = '/.well-known/openid-configuration'
    const key = { kty: 'RSA', kid: 'one', alg: 'RS256', use: 'sig', n: '!', e: '' }
    for (const [path, body, status] of [
      [document, '{"issuer":', 422],
      [document, '[]', 422],
      [document, `{"issuer":"${own.issuer}"}`, 422],
      [document, `{"issuer":"https://evil.test","authorization_endpoint":"${own.issuer}/authorize"}`, 422],
      [document, `"${'x'.repeat(300_000)}"`, 503],
      // The parser quotes what is around the fault.
      ['/token', '{"access_token":"abcsecret"oops', 422],
      ['/token', '{"access_token":7}', 422],
      ['/token', '{"access_token":"a","token_type":"bearer","id_token":"a.b.c"}', 422],
      ['/keys', '{"keys":7}', 422],
      ['/keys', '{"keys":[]}', 422],
      ['/keys', JSON.stringify({ keys: [key] }), 422],
      ['/userinfo', '[', 422],
      ['/userinfo', '{"sub":"somebody else"}', 422],
    ] as const) {
      own.behaviour.bodies = { [path]: body }
      const page = await enter()
      assert.equal(
        page.status,
        status,
        `${path} ${body.slice(0, 80)}: ${lines.findLast((line) => line.includes('failed'))}`,
      )
      assert.match(page.text, /could not be verified|No answer/)
    }
    assert.doesNotMatch(lines.join(''), /secret"|oops/)
    own.behaviour.bodies = {}
    assert.equal((await enter()).location, SIGN_UP)
  })

  test('a new key, and other addresses, are known to the sign-in after the next one', async () => {
    assert.equal((await enter()).location, SIGN_UP)
    await own.changeKey()
    assert.match((await enter()).text, /could not be verified/)
    assert.equal((await enter()).location, SIGN_UP)
    await own.changeKey()
    own.behaviour.bodies['/.well-known/openid-configuration'] = JSON.stringify({ issuer: own.issuer })
    await enter()
    assert.match((await enter()).text, /could not be verified/, 'without addresses')
    delete own.behaviour.bodies['/.well-known/openid-configuration']
    assert.equal((await enter()).location, SIGN_UP)
  })

  test('an address on a private network is asked only if the configuration lists it', async () => {
    const document = '/.well-known/openid-configuration'
    const metadata = (await (await fetch(own.issuer + document)).json()) as object
    own.behaviour.bodies = {
      '/token': '[]',
      [document]: JSON.stringify({ ...metadata, token_endpoint: 'http://10.1.2.3/token' }),
    }
    // After a failure, the addresses are read again.
    assert.equal((await enter()).status, 422)
    const page = await enter()
    assert.equal(page.status, 503)
    assert.match(page.text, /No answer/)
    assert.match(lines.join(''), /"code":"10\.1\.2\.3 is not on the public internet"/)
    own.behaviour.bodies = {}
  })

  test('logs say why a sign-in failed, and contain no secrets', async () => {
    own.behaviour.knowsClient = false
    const tab = browser(other)
    await enter(tab)
    assert.equal((await enter(tab)).status, 422)
    assert.match(lines.findLast((each) => each.includes('identity-provider.failed')) ?? '', /invalid_client/)
    const log = lines.join('')
    const secrets = [...own.secrets, tab.cookies.get('rookery_provider') ?? '']
    for (const secret of secrets) assert.equal(secret !== '' && log.includes(secret), false)
  })
})

test('an unverified address is confirmed by mail first, and an absent one is asked for', async () => {
  be('una', { email_verified: false })
  const tab = browser(server)
  const { text } = await create(tab)
  assert.match(text, /Check your e-mail[^]*<bdi>una@example\.org</)
  assert.doesNotMatch(text, /confirmation\/address/, 'correcting it needs a password')
  assert.equal(await isSignedIn(tab), false)
  const page = await signIn(tab)
  assert.equal(page.status, 403)
  assert.match(page.text, /not confirmed yet/)
  const [mail] = await mailsTo(server, 'una@example.org')
  await tab.get(/^http\S+(\/auth\/confirmation\S+)$/m.exec(mail?.text ?? '')?.[1] ?? '')
  assert.equal((await signIn(tab)).location, '/')

  be('noa', { email: undefined })
  const other = browser(server)
  assert.equal((await create(other)).status, 422)
  assert.match((await create(other, { 'user[email]': 'noa@elsewhere.test' })).text, /Check your e-mail/)
  assert.equal((await mailsTo(server, 'noa@elsewhere.test')).length, 1)
})

test('a token that verifies one address does not verify another address of the user information', async () => {
  const page = async (name: string, token: Record<string, unknown>): Promise<string> => {
    be(name, { email_verified: undefined })
    Object.assign(provider.behaviour, { token })
    return (await signIn(browser(server))).text
  }
  const other = await page('pairs', { email: 'first@example.org', email_verified: true })
  assert.match(other, /pairs@example\.org/)
  assert.match(other, /send it a link/)
  assert.doesNotMatch(await page('pair', { email: 'pair@example.org', email_verified: true }), /send it a link/)
})

test('the mail address of an existing account attaches nothing unless the configuration says so', async () => {
  const bob = await server.person('bob', { email: 'bob@example.org' })
  be('bob')
  const tab = browser(server)
  const page = await signIn(tab)
  assert.equal(page.status, 409)
  assert.match(page.text, /You have an account here already/)
  assert.equal(await isSignedIn(tab), false)
  assert.equal(await countAccounts(server, 'bob'), 1)
  // The way that the page names: with the password, in the settings.
  await tab.signIn('bob', bob.password)
  const settings = await tab.get('/auth/edit')
  const connect = (password: string): Promise<Page> =>
    tab.submit(settings, { 'connect[current_password]': password }, { action: '/auth/edit/connect' })
  assert.match((await connect('wrong')).text, /not your current password/)
  const done = await tab.get(await provider.visit((await connect(bob.password)).location))
  assert.match(done.text, /Your account is connected/)
  assert.match((await mailsTo(server, bob.email)).at(-1)?.subject ?? '', /sign in to .* with Example ID/)
  assert.equal((await signIn(browser(server))).location, '/')
  // And the way back.
  const elsewhere = browser(server)
  await signIn(elsewhere)
  const removed = await tab.submit(
    await tab.get('/auth/edit'),
    { 'disconnect[current_password]': bob.password },
    { action: '/auth/edit/disconnect' },
  )
  assert.match(removed.text, /The connection is removed/)
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal((await signIn(browser(server))).status, 409)
})

test('suspended, disabled and unapproved users sign in no further than with a password', async () => {
  const states = [
    ['sus', sql`a.suspended_at = now()`, null],
    ['dis', sql`disabled`, null],
    ['pen', sql`approved`, /still being reviewed/],
  ] as const
  for (const [name, , text] of states) {
    be(name)
    await create(browser(server))
    const users = sql`account_id = (select id from accounts where username = ${name})`
    if (name === 'sus') await server.ctx.db.run(sql`update accounts set suspended_at = now() where username = ${name}`)
    if (name === 'dis') await server.ctx.db.run(sql`update users set disabled = true where ${users}`)
    if (name === 'pen') await server.ctx.db.run(sql`update users set approved = false where ${users}`)
    const tab = browser(server)
    const page = await signIn(tab, '?next=/settings')
    if (text) assert.match(page.text, text)
    else assert.equal(page.location, '/disputes/strikes')
    assert.equal(page.status, text ? 403 : 200)
    assert.equal(await isSignedIn(tab), false, name)
  }
})

test('usernames are made valid and unique', async () => {
  await server.person('taken')
  for (const [uid, expected] of [
    ['TAKEN@example.org', 'TAKEN_1'],
    ['admin', 'admin_1'],
    ['zoë.o’neil', 'zooneil'],
    ['日本', 'user'],
    ['a'.repeat(40), 'a'.repeat(30)],
    ['a'.repeat(50), `${'a'.repeat(28)}_1`],
  ] as const) {
    be(`uid ${uid}`, { preferred_username: uid, email: `u${expected}@example.org`.slice(-40) })
    const page = await create(browser(server))
    assert.equal(page.location, '/', `${uid}: ${page.text}`)
    assert.equal((await server.send('GET', `/api/v1/accounts/lookup?acct=${expected}`)).json.username, expected)
  }
})

test('two sign-ups of one identity at once create one account', async () => {
  be('twin')
  const tabs = [browser(server), browser(server), browser(server)]
  const forms = await Promise.all(tabs.map((tab) => signIn(tab)))
  const pages = await Promise.all(
    tabs.map((tab, n) => tab.submit(forms[n] as Page, { 'user[agreement]': '1' }, { action: SIGN_UP })),
  )
  assert.deepEqual(
    pages.map(({ location, status }) => [location, status]),
    tabs.map(() => ['/', pages[0]?.status]),
  )
  for (const tab of tabs) assert.equal(await isSignedIn(tab), true)
  assert.equal(await countAccounts(server, 'twin'), 1)
})

test('a sign-in leads back to the application that asked for it, and to no other site', async () => {
  be('ola')
  await create(browser(server))
  const tab = browser(server)
  const app = await server.send('POST', '/api/v1/apps', {
    json: { client_name: 'App', redirect_uris: 'https://app.test/back', scopes: 'read' },
  })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.json.client_id,
    redirect_uri: 'https://app.test/back',
    scope: 'read',
  })
  const page = await tab.get(`/oauth/authorize?${query}`)
  const asked = await tab.submit(page, {}, { action: START })
  assert.match((await tab.get(await provider.visit(asked.location))).text, /Authorise App\?/)
  for (const evil of ['https://evil.test/', '//evil.test/', '/\\evil.test']) {
    const other = browser(server)
    const { forms } = await other.get('/auth/sign_in')
    const fields = forms.find(({ action }) => action === START)?.fields
    const sent = await other.post(START, { ...fields, next: evil })
    assert.equal((await other.get(await provider.visit(sent.location))).location, '/', evil)
  }
})

test('the second factor of the account is asked for after the provider', async () => {
  be('two')
  await create(browser(server))
  await server.ctx.db.run(sql`
    insert into totp_keys (user_id, sealed, confirmed_at)
    select u.id, '', now() from users u join accounts a on a.id = u.account_id where a.username = 'two'`)
  const tab = browser(server)
  const page = await signIn(tab, '?next=/settings')
  assert.match(page.location, /^\/auth\/second_step/)
  assert.equal(await isSignedIn(tab), false)
})

test('users without a password confirm changes with a sign-in of the last minutes, and may choose a password', async () => {
  be('pat')
  const tab = browser(server)
  await create(tab)
  assert.match((await tab.get('/auth/edit')).text, /You have no password/)
  assert.equal((await browser(server).signIn('pat', '')).status, 422, 'no password is not an empty one')
  const remove = async (): Promise<Page> =>
    tab.submit(await tab.get('/settings/delete'), { username: 'pat' }, { action: '/settings/delete' })
  await server.ctx.db.run(sql`update sessions set created_at = now() - interval '20 minutes'`)
  assert.match((await tab.get('/settings/delete')).text, /Your last sign-in with Example ID was some time ago/)
  assert.match((await remove()).text, /signed in too long ago/)
  const csrf = (await tab.get('/settings')).text
  assert.doesNotMatch(csrf, /disconnect/)
  await signIn(tab, '?again=1')
  const { forms } = await tab.get('/auth/edit')
  const token = forms[0]?.fields.csrf_token ?? ''
  assert.equal((await tab.post('/auth/edit/disconnect', { csrf_token: token })).status, 403, 'the only way to sign in')
  assert.match((await remove()).text, /Your account is deleted/)
  const { n } = await server.ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from identities where subject = 'subject of pat'`,
  )
  assert.equal(n, 0, 'the identity is deleted with the account')
})

test('a sign-in at the provider that is an hour old does not replace a password', async () => {
  be('silas')
  await create(browser(server))
  const seconds = Math.floor(Date.now() / 1000)
  const shown = async (authTime: unknown): Promise<string> => {
    provider.behaviour.token = { auth_time: authTime }
    const tab = browser(server)
    assert.equal((await signIn(tab, '?next=/settings/delete')).location, '/settings/delete')
    const page = await tab.submit(
      await tab.get('/settings/delete'),
      { username: 'nobody' },
      { action: '/settings/delete' },
    )
    return page.text
  }
  const old = await shown(seconds - 3600)
  assert.match(old, /signed in too long ago/)
  assert.match(old, /If Example ID does not ask who you are, sign out there first/)
  // The last ones: fast clocks, and providers that do not say.
  for (const time of [seconds - 60, seconds + 3600, undefined])
    assert.doesNotMatch(await shown(time), /too long ago|sign out there/, String(time))
})

test('an identity of one account cannot be connected to another', async () => {
  const tina = await server.person('tina')
  be('ulf')
  await create(browser(server))
  const tab = await signedIn(server, tina)
  const asked = await tab.submit(
    await tab.get('/auth/edit'),
    { 'connect[current_password]': tina.password },
    { action: '/auth/edit/connect' },
  )
  const callback = await provider.visit(asked.location)
  assert.equal((await tab.get(callback)).status, 409)
})

test('an unfinished sign-up in a browser signs no one in once the identity is connected', async () => {
  const gil = await server.person('gil')
  be('gil', { email: 'gil@work.test' })
  const shared = browser(server)
  assert.equal((await signIn(shared)).location, SIGN_UP)
  const tab = await signedIn(server, gil)
  const asked = await tab.submit(
    await tab.get('/auth/edit'),
    { 'connect[current_password]': gil.password },
    { action: '/auth/edit/connect' },
  )
  assert.match((await tab.get(await provider.visit(asked.location))).text, /Your account is connected/)
  assert.match((await shared.get(SIGN_UP)).text, /This sign-in has ended/)
  assert.equal(await isSignedIn(shared), false)
})

describe('a server with rate limits that attaches accounts and chooses who may sign up', () => {
  let strict: TestServer
  before(async () => {
    const env = { ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH: 'true', REGISTRATIONS_MODE: '', RATE_LIMITS: 'on' }
    strict = await startTestServer({ ...provider.env, ...env })
  })
  after(() => strict.stop())

  const enter = async (tab = browser(strict), path = '/auth/sign_in'): Promise<Page> => {
    const asked = await tab.submit(await tab.get(path), {}, { action: START })
    return tab.get(await provider.visit(asked.location))
  }

  test('an address verified on both sides attaches the account', async () => {
    await strict.person('cleo', { email: 'cleo@example.org' })
    be('cleo', { email_verified: false })
    assert.equal((await enter()).status, 409, 'not verified by the provider')
    await strict.person('squatter', { email: 'dora@example.org', confirmed: false })
    be('dora')
    assert.equal((await enter()).status, 409, 'not verified here')
    be('cleo', { email: 'CLEO@example.org' })
    assert.equal((await enter()).location, '/')
    be('another cleo', { email: 'cleo@example.org' })
    assert.equal((await enter()).status, 409, 'an account with an identity')
    const mails = (await mailsTo(strict, 'cleo@example.org')).map(({ subject }) => subject)
    assert.equal(mails.length, 1)
  })

  test('the rules for sign-ups hold: closed, invitations, approval, blocked providers, age', async () => {
    const admin = await strict.person('boss', { role: 'owner' })
    const agree = (tab: Browser, page: Page, fields = {}): Promise<Page> =>
      tab.submit(page, { 'user[agreement]': '1', ...fields }, { action: SIGN_UP })
    await saveSettings(strict.ctx, { registrations_mode: 'none' })
    be('closed')
    const closed = await enter()
    assert.equal(closed.status, 403)
    assert.match(closed.text, /Sign-up is closed/)

    const staff = browser(strict)
    await staff.signIn('boss', admin.password)
    await staff.submit(await staff.get('/invites'), {}, { action: '/invites' })
    const { code } = await strict.ctx.db.one<{ code: string }>(sql`select code from invites`)
    be('guest')
    const guest = browser(strict)
    const invited = await enter(guest, `/invite/${code}`)
    assert.match(invited.text, /@boss invites you/)
    assert.equal((await agree(guest, invited)).location, '/')

    await saveSettings(strict.ctx, { registrations_mode: 'approved', require_invite_text: true, min_age: 16 })
    be('late')
    const late = browser(strict)
    const form = await enter(late)
    const refused = await agree(late, form, { 'user[date_of_birth]': `${new Date().getFullYear() - 5}-01-01` })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /href="#field-user-reason"/)
    assert.match(refused.text, /href="#field-user-date-of-birth"/)
    const applied = await agree(late, form, { 'user[date_of_birth]': '1990-01-01', 'user[reason]': 'Please' })
    assert.match(applied.text, /Thank you for your application/)
    assert.match((await enter()).text, /still being reviewed/)

    await saveSettings(strict.ctx, { registrations_mode: 'open', require_invite_text: false, min_age: null })
    await strict.ctx.db.run(sql`insert into email_domain_blocks (domain) values ('blocked.test')`)
    be('spam', { email: 'spam@blocked.test' })
    const spam = browser(strict)
    assert.equal((await agree(spam, await enter(spam))).status, 422)
    await strict.ctx.db.run(sql`insert into ip_blocks (ip, severity) values ('127.0.0.0/8', 'sign_up_block')`)
    be('net')
    assert.match((await enter()).text, /Sign-up is not possible from here/)
  })

  test('sign-ins at the provider are limited by address', async () => {
    const tab = browser(strict)
    const { forms } = await tab.get('/auth/sign_in')
    const fields = forms.find(({ action }) => action === START)?.fields ?? {}
    const address = '203.0.113.9'
    await spend(strict, 'provider-sign-in', address, 298)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await tab.post(START, fields, { 'x-forwarded-for': address })).status)
    assert.deepEqual(statuses, [200, 200, 429, 429])
  })
})

test('without discovery, the configured addresses are used', async () => {
  const { issuer, env } = provider
  const fixed = await startTestServer({
    ...env,
    OIDC_DISCOVERY: 'false',
    OIDC_AUTH_ENDPOINT: `${issuer}/authorize`,
    OIDC_TOKEN_ENDPOINT: `${issuer}/token`,
    OIDC_JWKS_URI: `${issuer}/keys`,
    OIDC_UID_FIELD: 'sub',
  })
  try {
    be('fay', { sub: 'f-a-y' })
    const tab = browser(fixed)
    const asked = await tab.submit(await tab.get('/auth/sign_in'), {}, { action: START })
    const page = await tab.get(await provider.visit(asked.location))
    assert.match(page.text, /@fay@/)
    assert.match(page.text, /name="user\[email\]"/, 'without user information there is no address')
    for (const [algorithm, accepted] of [
      ['ES256', true],
      ['HS256', false],
      ['none', false],
    ] as const) {
      provider.behaviour.algorithm = algorithm
      const again = await tab.submit(await tab.get('/auth/sign_in'), {}, { action: START })
      const { location } = await tab.get(await provider.visit(again.location))
      assert.equal(location === SIGN_UP, accepted, algorithm)
    }
  } finally {
    await fixed.stop()
  }
})

test('the pages are accessible', async () => {
  const chromium = await sharedBrowser()
  const context = await chromium.newContext()
  try {
    be('axe')
    const page = await context.newPage()
    for (const path of ['/auth/sign_in', `${CALLBACK}?state=x`, '/auth/sign_up']) {
      await page.goto(`http://${server.domain}${path}`)
      assert.deepEqual(await axeViolations(page), [], path)
    }
    await page.goto(`http://${server.domain}/auth/sign_in?next=/auth/edit`)
    // Across sites, with the policy of the page.
    await page.click(`form[action="${START}"] button`)
    await page.waitForURL(`**${SIGN_UP}`)
    assert.deepEqual(await axeViolations(page), [])
    await page.check('input[type=checkbox]')
    await page.click(`form[action="${SIGN_UP}"] button`)
    await page.waitForURL('**/auth/edit')
    assert.deepEqual(await axeViolations(page), [])
  } finally {
    await context.close()
  }
})

test('with OMNIAUTH_ONLY, the provider is the only way in', async () => {
  const only = await startTestServer({ ...provider.env, OMNIAUTH_ONLY: 'true', OAUTH_PASSWORD_GRANT: 'true' })
  try {
    const iris = await only.person('iris')
    const tab = browser(only)
    const page = await tab.get('/auth/sign_in')
    assert.doesNotMatch(page.text, /type="password"|passkey|auth\/password/)
    const csrf = page.forms[0]?.fields.csrf_token ?? ''
    for (const [path, fields] of [
      ['/auth/sign_in', { 'user[email]': 'iris', 'user[password]': iris.password }],
      ['/auth/passkey', { answer: '{}' }],
      ['/auth/password/new', { 'user[email]': 'iris' }],
      ['/auth/password/edit', { reset_password_token: 'x', 'user[password]': 'new password' }],
      ['/auth/sign_up', { 'user[username]': 'new', 'user[password]': 'new password' }],
    ] as [string, Record<string, string>][]) {
      const refused = await tab.post(path, { ...fields, csrf_token: csrf })
      assert.equal(refused.status, 403, path)
    }
    for (const path of ['/auth/passkey', '/auth/password/new', '/auth/password/edit?reset_password_token=x'])
      assert.match((await tab.get(path)).text, /takes no passwords/, path)
    assert.deepEqual(await mailsTo(only, iris.email), [])
    const signUp = await tab.get('/auth/sign_up')
    assert.match(signUp.text, /Sign up with Example ID/)
    assert.doesNotMatch(signUp.text, /type="password"/)
    const { registrations } = (await only.send('GET', '/api/v2/instance')).json
    assert.equal(registrations.url, `${only.ctx.config.baseUrl}/auth/sign_up`)
    assert.equal(registrations.enabled, true)
    const account = {
      username: 'new',
      email: 'new@example.org',
      password: 'long enough',
      agreement: true,
      locale: 'en',
    }
    const token = await only.token({ scopes: ['write:accounts'] })
    assert.equal((await only.send('POST', '/api/v1/accounts', { token, json: account })).status, 403)
    // Staff cannot mail links that would lead to no sign-in.
    const boss = await only.person('boss', { role: 'owner' })
    await only.ctx.db.run(
      sql`insert into identities (issuer, subject, user_id) values (${provider.issuer}, 'subject of boss', ${boss.userId})`,
    )
    be('boss')
    const staff = browser(only)
    const entry = await staff.submit(await staff.get('/auth/sign_in'), {}, { action: START })
    await staff.get(await provider.visit(entry.location))
    const path = `/admin/accounts/${iris.id}`
    const shown = await staff.get(path)
    assert.ok(shown.forms.some(({ action }) => action === `${path}/email`))
    assert.equal(
      shown.forms.some(({ action }) => action === `${path}/password`),
      false,
    )
    const fields = { csrf_token: shown.forms[0]?.fields.csrf_token ?? '' }
    assert.equal((await staff.post(`${path}/password`, fields)).status, 403)
    await only.drain()
    assert.deepEqual(await mailsTo(only, iris.email), [])
    be('iggy')
    const asked = await tab.submit(signUp, {}, { action: START })
    const form = await tab.get(await provider.visit(asked.location))
    assert.equal((await tab.submit(form, { 'user[agreement]': '1' }, { action: SIGN_UP })).location, '/')
    assert.doesNotMatch((await tab.get('/auth/edit')).text, /type="password"/)
  } finally {
    await only.stop()
  }
})

test('servers without a provider have neither button nor pages', async () => {
  const plain = await startTestServer()
  try {
    const tab = browser(plain)
    const page = await tab.get('/auth/sign_in')
    assert.doesNotMatch(page.text, /openid_connect/)
    assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/)
    for (const path of [CALLBACK, SIGN_UP]) assert.equal((await tab.get(path)).status, 404)
  } finally {
    await plain.stop()
  }
})
