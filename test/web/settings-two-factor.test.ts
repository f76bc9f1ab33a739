import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { modify, CLI_TEXTS, insertApp } from '../support/internals.ts'
import { mailsTo } from '../support/mail.ts'
import { spend } from '../support/rate-limits.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { sharedBrowser } from '../support/browser.ts'
import { startTestServer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage({ env: { OAUTH_PASSWORD_GRANT: 'true' } })

const APP = '/settings/two_factor/app'

const keyOn = (page: Page): string => (/code-display">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
const codeOf = (key: string): string => new TOTP({ secret: key }).generate()
/** The code of the next period. The server accepts it already, and still does if that period begins during the test. */
const nextCodeOf = (key: string): string => new TOTP({ secret: key }).generate({ timestamp: Date.now() + 30_000 })
const recoveryCodesOn = (page: Page): string[] =>
  [...page.text.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code!)
const isSignedIn = async (tab: Browser): Promise<boolean> => (await tab.get('/settings')).location === '/settings'

/** Registers an app with the code of this period, so that the next one's is left. */
async function register(tab: Browser, person: Person): Promise<{ key: string; codes: string[] }> {
  const page = await tab.get(APP)
  const key = keyOn(page)
  const done = await tab.submit(page, { code: codeOf(key), current_password: person.password }, { action: APP })
  return { key, codes: recoveryCodesOn(done) }
}

const secondStep = async (tab: Browser, page: Page, code: string): Promise<Page> =>
  tab.submit(page, { code }, { action: '/auth/second_step', index: page.forms.length > 2 ? 1 : 0 })

test('sign-in requires a code once an authenticator app is registered with code and password', async () => {
  const ada = await server.person('ada')
  const tab = await signedIn(server, ada)
  const page = await tab.get(APP)
  const key = keyOn(page)
  assert.match(page.text, /<svg class="qr" role="img"/)
  assert.match(page.text, new RegExp(`otpauth://totp/[^"]*ada%40localhost[^"]*secret=${key}`))
  assert.equal(keyOn(await tab.get(APP)), key, 'the offer stays the same')
  const submit = (code: string, password: string) =>
    tab.submit(page, { code, current_password: password }, { action: APP })
  assert.match((await submit(codeOf(key), 'wrong')).text, /not your current password/)
  assert.match((await submit('000000', ada.password)).text, /This code is not right/)
  assert.match((await submit('no code', ada.password)).text, /This code is not right/)
  const other = browser(server)
  assert.equal(
    (await other.signIn(ada.email, ada.password)).location,
    '/',
    'no code is required before the registration',
  )
  const done = await submit(codeOf(key), ada.password)
  const codes = recoveryCodesOn(done)
  assert.equal(codes.length, 10)
  assert.match((await tab.get('/settings/two_factor')).text, /<strong>On\.[\s\S]*<strong>10<\/strong> left/)
  assert.equal((await tab.get(APP)).location, '/settings/two_factor', 'the key is not shown again')

  const fresh = browser(server)
  const step = await fresh.signIn(ada.email, ada.password)
  assert.equal(step.location, '/auth/second_step')
  assert.equal(await isSignedIn(fresh), false)
  const code = nextCodeOf(key)
  assert.equal((await secondStep(fresh, step, '123 456')).status, 422)
  assert.equal((await secondStep(fresh, step, code)).location, '/')
  assert.ok(await isSignedIn(fresh))

  const replay = browser(server)
  const again = await replay.signIn(ada.email, ada.password)
  assert.match((await secondStep(replay, again, code)).text, /wrong or was used before/)
  assert.equal(await isSignedIn(replay), false)
  const history = (await tab.get('/settings/sessions')).text.split('Sign-in history')[1] ?? ''
  const listed = [...history.matchAll(/(Failed<[^]*?)?<p class="muted">([\w -]+) · /g)].map(([, failed, how]) => [
    failed !== undefined,
    how,
  ])
  assert.deepEqual(listed.slice(0, 4), [
    [true, 'Two-factor code'],
    [false, 'Two-factor code'],
    [true, 'Two-factor code'],
    [false, 'Password'],
  ])
})

test('the second step returns to the requested page, and only to pages of this server', async () => {
  const bea = await server.person('bea')
  const { codes } = await register(await signedIn(server, bea), bea)
  const login = { 'user[email]': bea.email, 'user[password]': bea.password }
  const tab = browser(server)
  const step = await tab.submit(await tab.get('/auth/sign_in?next=/settings/sessions'), login)
  assert.equal((await secondStep(tab, step, codes[0]!)).location, '/settings/sessions')
  const evil = browser(server)
  const next = await evil.submit(await evil.get('/auth/sign_in'), { ...login, next: '//evil.test' })
  assert.equal((await secondStep(evil, next, codes[1]!)).location, '/')
})

test('recovery codes work once, with any spacing and case, until new ones replace them', async () => {
  const cyd = await server.person('cyd')
  const tab = await signedIn(server, cyd)
  const { codes } = await register(tab, cyd)
  const enter = async (code: string): Promise<Page> => {
    const fresh = browser(server)
    return secondStep(fresh, await fresh.signIn(cyd.email, cyd.password), code)
  }
  assert.equal((await enter(` ${codes[0]!.toUpperCase().replaceAll('-', ' ')}`)).location, '/')
  assert.equal((await enter(codes[0]!)).status, 422)
  const [one, two] = await Promise.all([enter(codes[1]!), enter(codes[1]!)])
  assert.deepEqual([one.status, two.status].toSorted(), [200, 422], 'one of two simultaneous uses succeeds')
  const page = await tab.get('/settings/two_factor')
  assert.match(page.text, /<strong>8<\/strong> left/)
  const renew = (password: string) =>
    tab.submit(page, { 'codes[current_password]': password }, { action: '/settings/two_factor/codes' })
  assert.deepEqual(recoveryCodesOn(await renew('wrong')), [])
  const fresh = recoveryCodesOn(await renew(cyd.password))
  assert.equal(fresh.length, 10)
  assert.equal((await enter(codes[2]!)).status, 422)
  assert.equal((await enter(fresh[2]!)).location, '/')
})

test('too many wrong codes require the password again', async () => {
  const dov = await server.person('dov')
  const { key } = await register(await signedIn(server, dov), dov)
  const tab = browser(server)
  const step = await tab.signIn(dov.email, dov.password)
  for (let i = 0; i < 4; i++) assert.equal((await secondStep(tab, step, '000000')).status, 422)
  assert.match((await secondStep(tab, step, '000000')).location, /^\/auth\/sign_in/)
  assert.match(
    (await secondStep(tab, step, nextCodeOf(key))).location,
    /^\/auth\/sign_in/,
    'even the right code is refused',
  )
  const warnings = (await mailsTo(server, dov.email)).filter(({ text }) => text.includes('/auth/password/new'))
  assert.equal(warnings.length, 1, 'the user learns that another person may know the password')
  assert.match(warnings[0]?.subject ?? '', /may know your password/)
  assert.match(warnings[0]?.text ?? '', /IP address: [\d.:a-f]+\n\n(Browser: .+\n\n)?Time: /)
})

test('the attempts of a user are limited across browsers', async () => {
  const strict = await startTestServer({ RATE_LIMITS: 'on' })
  try {
    const dora = await strict.person('dora')
    const tab = browser(strict)
    await tab.signIn(dora.email, dora.password)
    await register(tab, dora)
    await spend(strict, 'second-step', dora.userId, 6)
    const statuses: number[] = []
    for (const thief of [browser(strict), browser(strict), browser(strict)]) {
      const step = await thief.signIn(dora.email, dora.password)
      for (let i = 0; i < 2; i++) statuses.push((await secondStep(thief, step, '000000')).status)
    }
    assert.deepEqual(statuses, [422, 422, 422, 422, 429, 429])
  } finally {
    await strict.stop()
  }
})

test('the second step requires the password first, and its CSRF token', async () => {
  const tab = browser(server)
  assert.match((await tab.get('/auth/second_step')).location, /^\/auth\/sign_in/)
  const eli = await server.person('eli')
  await register(await signedIn(server, eli), eli)
  await tab.signIn(eli.email, eli.password)
  assert.equal((await tab.post('/auth/second_step', { code: '123456' })).status, 403)
})

test('the password grant is refused for accounts with two-factor authentication', async () => {
  const [fay, gil] = [await server.person('fay'), await server.person('gil')]
  await register(await signedIn(server, fay), fay)
  const app = await insertApp(server.ctx, {
    name: 'Old client',
    website: null,
    redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: ['read'],
  })
  const ask = ({ email, password }: Person) =>
    server.send('POST', '/oauth/token', {
      json: {
        grant_type: 'password',
        client_id: app.client_id,
        client_secret: app.client_secret,
        username: email,
        password,
      },
    })
  assert.equal((await ask(gil)).status, 200)
  const refused = await ask(fay)
  assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'])
})

test('removing the app requires the password, and deletes its recovery codes', async () => {
  const [hal, ivy] = [await server.person('hal'), await server.person('ivy')]
  const tab = await signedIn(server, hal)
  const { codes } = await register(tab, hal)
  const page = await tab.get('/settings/two_factor')
  const remove = (password: string) =>
    tab.submit(page, { 'app[current_password]': password }, { action: '/settings/two_factor/app/remove' })
  assert.match((await remove('wrong')).text, /not your current password/)
  const foreign = await signedIn(server, ivy)
  const stolen = page.forms.find(({ action }) => action.endsWith('app/remove'))!
  assert.equal(
    (await foreign.post(stolen.action, { ...stolen.fields, 'app[current_password]': hal.password })).status,
    403,
  )
  assert.match((await remove(hal.password)).text, /<strong>Off\./)
  const fresh = browser(server)
  assert.equal((await fresh.signIn(hal.email, hal.password)).location, '/')
  const again = await register(tab, hal)
  assert.equal(again.codes.length, 10)
  const step = browser(server)
  assert.equal((await secondStep(step, await step.signIn(hal.email, hal.password), codes[0]!)).status, 422)
  const command = {
    open: async () => server.ctx,
    database: async () => server.database,
    config: server.ctx.config,
    progress: () => {},
    args: ['hal'],
  }
  const { text } = await modify.run({ language: 'en', ...command, t: CLI_TEXTS.en, values: { 'disable-2fa': true } })
  assert.equal(text, 'Changed @hal.')
  assert.equal((await browser(server).signIn(hal.email, hal.password)).location, '/')
  await register(tab, hal)
  const boss = await server.person('boss', { role: 'owner' })
  const staff = await signedIn(server, boss)
  const path = `/admin/accounts/${hal.id}`
  const shown = await staff.get(path)
  assert.match(shown.text, /Two-factor authentication<\/dt><dd>Yes/)
  assert.match((await staff.submit(shown, {}, { action: `${path}/two_factor` })).text, /The change is saved/)
  assert.doesNotMatch((await staff.get(path)).text, /two_factor"/)
  assert.equal((await browser(server).signIn(hal.email, hal.password)).location, '/')
})

test('users whose role requires a second factor can do nothing but set one up', async () => {
  const [owner, mod, member] = [
    await server.person('owner', { role: 'owner' }),
    await server.person('mod', { role: 'moderator' }),
    await server.person('member'),
  ]
  const [staff, tab] = [await signedIn(server, owner), await signedIn(server, mod)]
  const form = '/admin/roles/1'
  const before = await staff.get(form)
  assert.doesNotMatch(before.text, /name="require_2fa"[^>]*checked/)
  await staff.submit(before, { require_2fa: '1' }, { action: form })
  assert.match((await staff.get(form)).text, /name="require_2fa"[^>]*checked/)

  const home = '/api/v1/timelines/home'
  const refused = async (): Promise<void> => {
    const { status, json } = await mod.send('GET', home)
    assert.deepEqual([status, json.error], [403, 'Your account requires two-factor authentication'])
    for (const path of ['/', '/home', '/settings', '/settings/profile', '/admin/reports', '/auth/sign_in'])
      assert.equal((await tab.get(path)).location, '/settings/two_factor', path)
  }
  await refused()
  assert.equal((await mod.send('GET', `/api/v1/accounts/${member.id}`)).status, 200, 'as anyone')
  assert.equal((await member.send('GET', home)).status, 200)
  const { location, text, forms } = await browser(server).signIn(mod.email, mod.password)
  assert.equal(location, '/settings/two_factor')
  assert.match(text, /Your role requires two-factor authentication/)
  assert.doesNotMatch(text, /href="\/settings\/profile"/)
  assert.ok(forms.some(({ action }) => action === '/auth/sign_out'))
  const { csrf_token = '' } = forms[0]?.fields ?? {}
  assert.equal((await tab.post('/settings/profile', { csrf_token })).location, '/settings/two_factor')

  assert.equal((await register(tab, mod)).codes.length, 10)
  assert.equal(await isSignedIn(tab), true)
  assert.equal((await mod.send('GET', home)).status, 200)
  const path = `/admin/accounts/${mod.id}`
  await staff.submit(await staff.get(path), {}, { action: `${path}/two_factor` })
  await refused()
  await staff.submit(await staff.get(form), { require_2fa: '' }, { action: form })
  assert.equal((await mod.send('GET', home)).status, 200)
})

test('a user learns by mail of each change of the second factors, also of one by an administrator', async () => {
  const [kim, boss] = [await server.person('kim'), await server.person('chief', { role: 'owner' })]
  const tab = await signedIn(server, kim)
  const texts = async (): Promise<string[]> =>
    (await mailsTo(server, kim.email))
      .filter(({ subject }) => /^Two-factor authentication on .* was changed$/.test(subject))
      .map(({ text }) => text)
  await tab.submit(await tab.get(APP), { code: '000000', current_password: kim.password }, { action: APP })
  assert.deepEqual(await texts(), [], 'a wrong code changes nothing')
  await register(tab, kim)
  const page = await tab.get('/settings/two_factor')
  const submit = (form: string, action: string): Promise<Page> =>
    tab.submit(page, { [`${form}[current_password]`]: kim.password }, { action: `/settings/two_factor/${action}` })
  await submit('codes', 'codes')
  await submit('app', 'app/remove')
  await submit('app', 'app/remove')
  await register(tab, kim)
  const staff = await signedIn(server, boss)
  const path = `/admin/accounts/${kim.id}`
  await staff.submit(await staff.get(path), {}, { action: `${path}/two_factor` })
  const changes = [/app was added/, /New recovery codes/, /app of @kim was removed/, /app was added/, /administrators/]
  const mails = await texts()
  assert.equal(mails.length, changes.length)
  for (const [at, change] of changes.entries()) assert.match(mails[at] ?? '', change)
})

test('a passkey is registered, used alone, used as the second step, and removed', async () => {
  const jo = await server.person('jo')
  const plain = await signedIn(server, jo)
  const without = await plain.submit(
    await plain.get('/settings/two_factor/passkeys/new'),
    { name: 'Key', answer: '{}' },
    { action: '/settings/two_factor/passkeys/new' },
  )
  assert.deepEqual([without.status, /not your current password/.test(without.text)], [422, true])
  assert.equal((await plain.get('/auth/passkey?next=%2Finvites')).location, '/invites', 'signed in already')
  const page = await (await sharedBrowser()).newPage()
  try {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    const base = server.ctx.config.baseUrl
    const open = (path: string) => page.goto(base + path)
    const press = (name: string) => page.locator('main').getByRole('button', { name }).click()
    await open('/auth/sign_in?next=/settings/two_factor/passkeys/new')
    await page.getByLabel('E-mail address or username').fill(jo.email)
    await page.getByLabel('Password').fill(jo.password)
    await press('Sign in')
    await page.waitForURL(`${base}/settings/two_factor/passkeys/new`)
    const policy = (await open('/settings/two_factor/passkeys/new'))?.headers()['content-security-policy']
    assert.match(policy ?? '', /script-src 'self'(;|$)/)
    assert.doesNotMatch((await open('/settings/two_factor'))?.headers()['content-security-policy'] ?? '', /script-src/)
    await open('/settings/two_factor/passkeys/new')
    await page.getByLabel('Name').fill('Blue key')
    await page.getByLabel('Current password').fill(jo.password)
    await press('Add a passkey')
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    await open('/settings/two_factor')
    await page.getByText('Blue key').waitFor()

    await page.context().clearCookies()
    await open('/auth/passkey?next=/settings/sessions')
    await press('Use a passkey')
    await page.waitForURL(`${base}/settings/sessions`)

    await page.context().clearCookies()
    await open('/auth/sign_in?next=/settings/two_factor')
    await page.getByLabel('E-mail address or username').fill(jo.email)
    await page.getByLabel('Password').fill(jo.password)
    await press('Sign in')
    await page.waitForURL(/\/auth\/second_step\b/)
    // Captures the response of the passkey, to replay it.
    let sent = ''
    await page.route('**/auth/second_step', async (route) => {
      sent = route.request().postData() ?? ''
      await route.continue()
    })
    await press('Use a passkey')
    await page.waitForURL(`${base}/settings/two_factor`)
    assert.match(sent, /answer=/)

    const tab = browser(server)
    const step = await tab.signIn(jo.email, jo.password)
    const answer = new URLSearchParams(sent).get('answer') ?? ''
    assert.equal(
      (await tab.submit(step, { answer }, { action: '/auth/second_step' })).status,
      422,
      'an answer works once',
    )
    assert.equal((await tab.submit(step, { answer: '{"id":1}' }, { action: '/auth/second_step' })).status, 422)
    const alone = await tab.get('/auth/passkey')
    assert.equal((await tab.submit(alone, { answer }, { action: '/auth/passkey' })).status, 422)
    assert.equal((await tab.submit(alone, { answer: 'nonsense' }, { action: '/auth/passkey' })).status, 422)

    await page.getByLabel('Blue key').check()
    await page.locator('form[action$="passkeys/remove"]').getByLabel('Current password').fill(jo.password)
    await press('Remove this passkey')
    await page.getByText('Off.').waitFor()
  } finally {
    await page.close()
  }
  assert.equal((await browser(server).signIn(jo.email, jo.password)).location, '/')
})
