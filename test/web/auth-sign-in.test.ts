import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../support/cpu.ts'
import { sql } from '../support/database.ts'
import { browser } from '../support/forms.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { spend } from '../support/rate-limits.ts'
import { eventually, startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

test('users sign in with username or e-mail address, and sign out', async () => {
  for (const login of ['ada', 'ADA', '@ada', ada.email, ` ${ada.email.toUpperCase()} `]) {
    const tab = browser(server)
    await tab.signIn(login, ada.password)
    const account = await tab.get('/auth/edit')
    assert.match(account.text, /Password and e-mail/, login)
    const out = await tab.submit(account, {}, { action: '/auth/sign_out' })
    assert.match(out.text, /You are signed out/)
    assert.match((await tab.get('/auth/edit')).location, /^\/auth\/sign_in/)
  }
})

test('an invalid X-Forwarded-For address does not prevent a sign-in', async () => {
  for (const address of ['unknown', '192.0.2.1:4711', 'fe80::1%eth0']) {
    const tab = browser(server)
    const { fields = {} } = (await tab.get('/auth/sign_in')).forms[0] ?? {}
    const login = { ...fields, 'user[email]': 'ada', 'user[password]': ada.password }
    assert.equal((await tab.post('/auth/sign_in', login, { 'x-forwarded-for': address })).location, '/', address)
  }
})

test('a wrong password and an unknown username give the same message in similar time', async () => {
  const tab = browser(server)
  const timed = async (login: string): Promise<{ text: string; status: number; ms: number }> => {
    let answer = { text: '', status: 0 }
    const ms = await cpuTime(async () => (answer = await tab.signIn(login, 'not the password')))
    return { text: answer.text.replaceAll(login, 'LOGIN'), status: answer.status, ms }
  }
  await timed('ada')
  // The quickest of three attempts, because other work of this process can only add to one.
  const quickest = async (login: string): ReturnType<typeof timed> =>
    [await timed(login), await timed(login), await timed(login)].toSorted((a, b) => a.ms - b.ms)[0] as never
  const [known, unknown] = [await quickest('ada'), await quickest('zed')]
  assert.equal(known.status, 422)
  assert.match(known.text, /There is no account with this name and password/)
  assert.equal(known.text, unknown.text)
  assert.ok(unknown.ms > known.ms / 4, `${unknown.ms} ms for an unknown name, ${known.ms} ms for a known one`)
  assert.equal((await tab.get('/auth/edit')).location.startsWith('/auth/sign_in'), true)
})

test('unconfirmed and pending users see the reason only after the right password', async () => {
  const cases = [
    ['unconfirmed', sql`confirmed_at = null`, /not confirmed yet/],
    ['pending', sql`approved = false`, /still being reviewed/],
  ] as const
  for (const [name, change, text] of cases) {
    const person = await server.person(name)
    await server.ctx.db.run(sql`update users set ${change} where id = ${person.userId}`)
    const tab = browser(server)
    assert.doesNotMatch((await tab.signIn(name, 'wrong password')).text, text)
    const page = await tab.signIn(name, person.password)
    assert.equal(page.status, 403)
    assert.match(page.text, text)
    assert.match((await tab.get('/auth/edit')).location, /^\/auth\/sign_in/)
  }
})

test('an unconfirmed user corrects the address with the password, and confirms the new one', async () => {
  const path = '/auth/confirmation/address'
  const tab = browser(server)
  const person = await server.person('typo')
  await server.ctx.db.run(sql`update users set confirmed_at = null where id = ${person.userId}`)
  const correct = async (fields: Record<string, string>) =>
    tab.submit(await tab.get(path), { login: 'typo', password: person.password, ...fields }, { action: path })
  assert.match((await tab.get('/auth/confirmation/new')).text, new RegExp(`href="${path}"`))

  const wrong = await correct({ email: 'right@example.org', password: 'not the password' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /There is no account with this name and password/)
  assert.match((await correct({ email: 'nonsense' })).text, /field-email-error/)
  assert.match((await correct({ email: ada.email })).text, /has already been taken/)
  assert.match(
    (await correct({ login: 'ada', password: ada.password, email: 'right@example.org' })).text,
    /already confirmed/,
  )

  assert.match((await correct({ email: 'right@example.org' })).text, /right@example\.org/)
  const link = await linkTo(server, 'right@example.org')
  assert.match((await tab.get(link)).text, /Your e-mail address is confirmed/)
  assert.equal((await tab.signIn('right@example.org', person.password)).location, '/')
})

test('a sign-in from a network that was never used before is told by mail, once', async () => {
  const person = await server.person('traveller')
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const signInFrom = async (address: string): Promise<number> => {
    const tab = browser(server)
    const { fields = {} } = (await tab.get('/auth/sign_in')).forms[0] ?? {}
    const login = { ...fields, 'user[email]': 'traveller', 'user[password]': person.password }
    const page = await tab.post('/auth/sign_in', login, { 'x-forwarded-for': address, 'user-agent': agent })
    assert.equal(page.location, '/', address)
    return (await mailsTo(server, person.email)).filter(({ subject }) => subject.startsWith('New sign-in')).length
  }
  assert.equal(await signInFrom('198.51.100.7'), 0, 'the first one of all')
  assert.equal(await signInFrom('198.51.200.9'), 0, 'the same network')
  assert.equal(await signInFrom('203.0.113.5'), 1)
  assert.equal(await signInFrom('203.0.113.5'), 1)
  assert.equal(await signInFrom('2001:db8:1:2::3'), 2)
  assert.equal(await signInFrom('2001:db8:1:2:ffff::1'), 2)
  const mail = (await mailsTo(server, person.email)).at(-1)
  const details = /address: 2001:db8:1:2::3\n\nBrowser: Firefox, Linux\n\nTime: \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/
  for (const part of [/as @traveller/, details, /\/auth\/edit/]) assert.match(mail?.text ?? '', part)
})

test('a session ends when its user is disabled', async () => {
  const bob = await server.person('bob')
  const tab = browser(server)
  await tab.signIn('bob', bob.password)
  assert.equal((await tab.get('/auth/edit')).location, '/auth/edit')
  await server.ctx.db.run(sql`update users set disabled = true where id = ${bob.userId}`)
  assert.match((await tab.get('/auth/edit')).location, /^\/auth\/sign_in/)
})

test('sign-in redirects to pages of this server only', async () => {
  const redirectAfter = async (next: string): Promise<string> => {
    const tab = browser(server)
    const page = await tab.get(`/auth/sign_in?next=${encodeURIComponent(next)}`)
    return (await tab.submit(page, { 'user[email]': 'ada', 'user[password]': ada.password })).location
  }
  assert.equal(await redirectAfter('/auth/edit?x=1'), '/auth/edit?x=1')
  for (const evil of ['https://evil.test/', '//evil.test/', '/\\evil.test', '/\t/evil.test', '/.//evil.test'])
    assert.equal(await redirectAfter(evil), '/', evil)
  const tab = browser(server)
  await tab.signIn('ada', ada.password)
  assert.equal((await tab.get('/auth/sign_in?next=//evil.test')).location, '/', 'signed in already')
  const form = (await tab.get('/auth/sign_in?again=1')).forms.find(({ action }) => action === '/auth/sign_in')
  assert.equal(
    (
      await tab.post('/auth/sign_in', {
        ...form?.fields,
        'user[email]': 'ada',
        'user[password]': ada.password,
        next: '//evil.test',
      })
    ).location,
    '/',
  )
})

test('sign-in requires the CSRF token of the same browser and no foreign origin', async () => {
  const login = { 'user[email]': 'ada', 'user[password]': ada.password }
  const tab = browser(server)
  assert.equal((await tab.post('/auth/sign_in', login)).status, 403)
  const { csrf_token: csrf = '' } = (await tab.get('/auth/sign_in')).forms[0]?.fields ?? {}
  assert.equal(
    (await tab.post('/auth/sign_in', { ...login, csrf_token: csrf }, { origin: 'https://evil.test' })).status,
    403,
  )
  const other = browser(server)
  await other.get('/auth/sign_in')
  assert.equal(
    (await other.post('/auth/sign_in', { ...login, csrf_token: csrf })).status,
    403,
    'a token of another browser',
  )
  other.cookies.set('rookery_visit', `${tab.cookies.get('rookery_visit')?.split('.')[0]}.forged`)
  assert.equal((await other.post('/auth/sign_in', { ...login, csrf_token: csrf })).status, 403, 'a forged cookie')
  assert.equal(
    (await tab.post('/auth/sign_in', { ...login, csrf_token: csrf }, { origin: server.ctx.config.baseUrl })).location,
    '/',
  )
  assert.equal((await tab.post('/auth/sign_out', { csrf_token: csrf })).status, 403, 'a token from before the sign-in')
})

test('cookies are HttpOnly and SameSite=Lax; over https they are Secure with the __Host- prefix', async () => {
  const tab = browser(server)
  const page = await tab.get('/auth/sign_in')
  assert.match(page.headers.get('set-cookie') ?? '', /^rookery_visit=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.equal(page.headers.get('cross-origin-opener-policy'), null)
  assert.match(page.headers.get('cache-control') ?? '', /no-store/)
  const secure = await startTestServer({ LOCAL_DOMAIN: 'social.test' })
  try {
    const answer = await secure.send('GET', '/auth/sign_in', {
      headers: { host: 'social.test', 'x-forwarded-proto': 'https' },
    })
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^__Host-rookery_visit=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  } finally {
    await secure.stop()
  }
})

test('sign-in attempts for one username are limited across IP addresses', async () => {
  const limited = await startTestServer({ RATE_LIMITS: 'on' })
  try {
    const tab = browser(limited)
    const { fields = {} } = (await tab.get('/auth/sign_in')).forms[0] ?? {}
    const guess = (i: number): Promise<number> =>
      tab
        .post(
          '/auth/sign_in',
          { ...fields, 'user[email]': 'zed', 'user[password]': 'guess' },
          { 'x-forwarded-for': `192.0.2.${i}` },
        )
        .then(({ status }) => status)
    await spend(limited, 'sign-in', 'login zed', 22)
    const statuses = await Promise.all(Array.from({ length: 5 }, (_, i) => guess(i)))
    assert.equal(statuses.filter((status) => status === 429).length, 2)
  } finally {
    await limited.stop()
  }
})

test('an active user is counted once a day', async () => {
  const dan = await server.person('dan')
  await dan.get('/api/v1/accounts/verify_credentials')
  await dan.get('/api/v1/accounts/verify_credentials')
  const row = await eventually(() =>
    server.ctx.db.maybe<{ day: string; today: string; recent: boolean }>(sql`
    select d.day, (now() at time zone 'utc')::date as today, u.last_active_at > now() - interval '1 minute' as recent
    from user_active_days d join users u on u.id = d.user_id where u.id = ${dan.userId}`),
  )
  assert.equal(row.day, row.today)
  assert.ok(row.recent)
})
