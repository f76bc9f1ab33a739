import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, eventually, startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { browser, type Browser } from '../support/forms.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { spend } from '../support/rate-limits.ts'
import { listen } from '../streaming/listen.ts'

// Attacks that try to take over another account.

const { server, ada } = await stage({ accounts: ['ada'], env: { OAUTH_PASSWORD_GRANT: 'true', RATE_LIMITS: 'on' } })
const json = { client_name: 'App', redirect_uris: 'https://app.test/back', scopes: 'read write' }
const made = (await server.send('POST', '/api/v1/apps', { json })).json
const grant = { ...made, grant_type: 'client_credentials', scope: 'read write' }
const app = { ...made, token: (await server.send('POST', '/oauth/token', { json: grant })).json.access_token }

let addresses = 0
const fromAnywhere = () => ({ 'x-forwarded-for': `192.0.2.${++addresses}` })

test('failed sign-ins of one account are counted together over spellings of its name and IP addresses', async () => {
  const eve = await server.person('evelyn')
  const spellings = ['evelyn', '@evelyn', ' evelyn', 'Evelyn\t', '  @EVELYN  ']
  await spend(server, 'sign-in', 'login evelyn', 20)
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    const json = {
      ...app,
      grant_type: 'password',
      username: spellings[i % spellings.length],
      password: `guess ${i}`,
    }
    statuses.push((await server.send('POST', '/oauth/token', { json, headers: fromAnywhere() })).status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429])
  const page = await browser(server).signIn(eve.username, eve.password)
  assert.equal(page.status, 429, 'the sign-in page shares the count of failed attempts with the token endpoint')
})

const resetWithWrongToken = async (headers: Record<string, string>): Promise<number> => {
  const client = browser(server)
  const page = await client.get('/auth/password/new')
  const fields = { ...page.forms.at(-1)?.fields, reset_password_token: 'nonsense', 'user[password]': 'a good password' }
  return (await client.post('/auth/password/edit', fields, headers)).status
}

test('password reset attempts with a wrong token are limited by IP address', async () => {
  const from = fromAnywhere()
  await spend(server, 'sign-in', from['x-forwarded-for'], 23)
  const statuses = await Promise.all(Array.from({ length: 4 }, () => resetWithWrongToken(from)))
  // They may arrive in any order.
  assert.deepEqual(statuses.toSorted(), [404, 404, 429, 429])
})

test('while too many passwords wait to be hashed, sign-ups get a 503, and sign-ins and wrong tokens do not wait', async () => {
  const form = (i: number) => ({
    username: `crowd${i}`,
    email: `crowd${i}@mail.test`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
  })
  const answers: Answer[] = []
  const signUp = async (i: number): Promise<void> => {
    const options = { token: app.token, json: form(i), headers: fromAnywhere() }
    answers.push(await server.send('POST', '/api/v1/accounts', options))
  }
  // One password is hashed at a time, and fifty wait.
  const crowd = Array.from({ length: 90 }, (_, i) => signUp(i))
  const busy = await eventually(() => answers.find(({ status }) => status === 503))
  assert.match(busy.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(await resetWithWrongToken(fromAnywhere()), 404)
  const json = { ...app, grant_type: 'password', username: 'ada', password: ada.password }
  assert.equal((await server.send('POST', '/oauth/token', { json, headers: fromAnywhere() })).status, 200)
  assert.ok(answers.length < crowd.length, 'these waited for the hashes of new passwords')
  await Promise.all(crowd)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 503]))
  answers.length = 0
  await signUp(200)
  assert.equal(answers[0]?.status, 200)
})

test('links in mails point to this server, whatever host the request headers name', async () => {
  const bob = await server.person('bob')
  const client = browser(server)
  const page = await client.get('/auth/password/new')
  const fields = { ...page.forms.at(-1)?.fields, 'user[email]': bob.email }
  const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' }
  assert.equal((await client.post('/auth/password/new', fields, headers)).status, 200)
  const mail = await eventually(async () => (await mailsTo(server, bob.email))[0])
  assert.ok(mail.text.includes(`${server.ctx.config.baseUrl}/auth/password/edit?reset_password_token=`))
  assert.doesNotMatch(mail.text, /evil/)
  const token = /reset_password_token=(\S+)/.exec(mail.text)?.[1] as string
  const { rows } = await server.database.raw(`select data::text, output::text from pgboss.job where name = 'mail.send'`)
  assert.ok(rows.length > 0)
  for (const row of rows)
    assert.ok(!JSON.stringify(row).includes(token), 'the job table contains the token of the link')
  assert.ok(rows.every(({ data }) => !data.includes('reset_password_token')))
})

test('a form is refused when it comes from another origin or with a CSRF token of another browser or none', async () => {
  const client = browser(server)
  const page = await client.get('/auth/password/new')
  const fields = { ...page.forms.at(-1)?.fields, 'user[email]': ada.email }
  assert.equal((await client.post('/auth/password/new', fields, { origin: 'https://evil.test' })).status, 403)
  assert.equal((await client.post('/auth/password/new', fields, { origin: 'null' })).status, 403)
  assert.equal(
    (await browser(server).post('/auth/password/new', fields)).status,
    403,
    'a CSRF token of another browser',
  )
  const { csrf_token: _, ...bare } = fields as Record<string, string>
  assert.equal((await client.post('/auth/password/new', bare)).status, 403)
})

test('signing in creates a new session, so that a planted session cookie stays signed out', async () => {
  const client = browser(server)
  client.cookies.set('rookery_session', 'planted')
  await client.signIn(ada.username, ada.password)
  const first = client.cookies.get('rookery_session')
  assert.ok(first && first !== 'planted')
  const sent = await server.send('GET', '/settings', { headers: { cookie: 'rookery_session=planted' } })
  assert.equal(sent.status, 302)
})

test('changing the e-mail address invalidates password reset links sent to the old one', async () => {
  const cat = await server.person('cat')
  const client = browser(server)
  await client.submit(await client.get('/auth/password/new'), { 'user[email]': cat.email })
  await eventually(async () => (await mailsTo(server, cat.email))[0])
  const old = await linkTo(server, cat.email)
  assert.equal((await browser(server).get(old)).status, 200)
  await client.signIn(cat.username, cat.password)
  await client.submit(
    await client.get('/auth/edit'),
    { 'user[email]': 'cat@new.test', 'email[current_password]': cat.password },
    { action: '/auth/edit/email' },
  )
  assert.equal((await browser(server).get(await linkTo(server, 'cat@new.test'))).status, 200)
  assert.equal((await browser(server).get(old)).status, 404)
})

test('a new password invalidates a new e-mail address that awaits its confirmation, and an offered authenticator key', async () => {
  const fay = await server.person('fay')
  const thief = browser(server)
  await thief.signIn(fay.username, fay.password)
  await thief.submit(
    await thief.get('/auth/edit'),
    { 'user[email]': 'thief@evil.test', 'email[current_password]': fay.password },
    { action: '/auth/edit/email' },
  )
  const link = await linkTo(server, 'thief@evil.test')
  const offeredTo = async (client: Browser): Promise<string | undefined> =>
    /secret=(\w+)/.exec((await client.get('/settings/two_factor/app')).text)?.[1]
  const seen = await offeredTo(thief)
  assert.ok(seen)
  const client = browser(server)
  await client.submit(await client.get('/auth/password/new'), { 'user[email]': fay.email })
  await eventually(async () => (await mailsTo(server, fay.email))[0])
  await client.submit(await client.get(await linkTo(server, fay.email)), { 'user[password]': 'another good password' })
  assert.equal((await browser(server).get(link)).status, 404)
  await client.signIn(fay.email, 'another good password')
  assert.match((await client.get('/auth/edit')).text, new RegExp(fay.email))
  assert.notEqual(await offeredTo(client), seen)
})

test('an application cannot redirect the confirmation mail of a confirmed account to another address', async () => {
  const json = { username: 'dan', email: 'dan@mail.test', password: 'correct horse battery', agreement: true }
  const { access_token: token } = (await server.send('POST', '/api/v1/accounts', { token: app.token, json })).json
  await browser(server).get(await linkTo(server, json.email))
  const client = browser(server)
  await client.signIn('dan', json.password)
  await client.submit(
    await client.get('/auth/edit'),
    { 'user[email]': 'dan@new.test', 'email[current_password]': json.password },
    { action: '/auth/edit/email' },
  )
  const resend = (body: object) => server.send('POST', '/api/v1/emails/confirmations', { token, json: body })
  assert.equal((await resend({ email: 'app@evil.test' })).status, 403)
  assert.equal((await resend({})).status, 200, 'it may ask for the mail to be sent again')
  await browser(server).get(await linkTo(server, 'dan@new.test'))
  assert.deepEqual(await mailsTo(server, 'app@evil.test'), [])
})

test('pagination links do not contain the access token of the request', async () => {
  await ada.post('/api/v1/statuses', { status: 'one' })
  const answer = await server.send('GET', `/api/v1/timelines/home?limit=1&access_token=${ada.token}`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('link') ?? '', /max_id/)
  assert.ok(!(answer.headers.get('link') ?? '').includes(ada.token))
})

test('on a server with limited federation the token of a disabled account, or for something else, cannot read', async () => {
  const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    const [fay, gus] = [await closed.person('fay'), await closed.person('gus')]
    const { id } = await fay.post('/api/v1/statuses', { status: 'for members' })
    const paths = [`/api/v1/statuses/${id}`, '/api/v1/timelines/public', `/api/v1/accounts/${fay.id}`]
    for (const path of paths) assert.equal((await gus.send('GET', path)).status, 200, path)
    const narrow = await closed.token({ userId: gus.userId, scopes: ['profile'] })
    const [full, closedOff] = [
      await listen(closed, { token: gus.token, streams: ['public'] }),
      await listen(closed, { token: narrow, streams: ['public'] }),
    ]
    await fay.post('/api/v1/statuses', { status: 'for members' })
    await full.event('update', 'public')
    await closedOff.settled()
    assert.deepEqual(
      closedOff.frames.filter(({ event }) => event === 'update'),
      [],
    )
    for (const stream of [full, closedOff]) stream.end()
    await closed.database.raw('update users set disabled = true where id = $1', [gus.userId])
    closed.ctx.publish({ type: 'user.changed', userId: gus.userId })
    const other = await closed.token({ userId: gus.userId, scopes: ['read', 'profile'] })
    for (const path of paths) assert.equal((await closed.send('GET', path, { token: other })).status, 403, path)
    assert.equal((await closed.send('GET', '/api/v2/instance', { token: other })).status, 200)
  } finally {
    await closed.stop()
  }
})

test('a clock that is put back prolongs no rate limit', async (t) => {
  const secondsLeft = async (): Promise<number> => {
    const reset = (await ada.send('GET', '/api/v1/timelines/home')).headers.get('x-ratelimit-reset') ?? ''
    return (Date.parse(reset) - Date.now()) / 1000
  }
  const before = await secondsLeft()
  assert.ok(before > 0 && before <= 300, String(before))
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
  const after = await secondsLeft()
  assert.ok(after > 0 && after <= 300, String(after))
})
