import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()

const mainOf = ({ text }: Page): string => text.slice(text.indexOf('<main'))
const isSignedIn = async (tab: Browser): Promise<boolean> => (await tab.get('/auth/edit')).location === '/auth/edit'

/** Waits for the link, because the server sends it after the response. */
async function resetLink(address: string): Promise<string> {
  await eventually(() =>
    server.ctx.db.maybe(sql`select from one_time_tokens where purpose = 'password' and email = ${address}`),
  )
  return linkTo(server, address)
}

test('a new user signs up in a browser, confirms the address, and signs in', async () => {
  const tab = browser(server)
  const filled = {
    'user[username]': 'newcomer',
    'user[email]': 'new@mail.test',
    'user[password]': 'correct horse battery',
  }
  const refused = await tab.submit(await tab.get('/auth/sign_up'), { ...filled, 'user[username]': 'not a name' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Username must contain only letters[\s\S]*Service agreement must be accepted/)
  assert.match(refused.text, /value="new@mail\.test"/)
  assert.doesNotMatch(refused.text, /correct horse battery/)
  const done = await tab.submit(refused, { ...filled, 'user[agreement]': '1' })
  assert.equal(done.location, '/auth/sign_up/done')
  assert.match(done.text, /Check your e-mail[^]*<bdi>new@mail\.test<[^]*href="\/auth\/confirmation\/address"/)
  assert.doesNotMatch((await browser(server).get('/auth/sign_up/done')).text, /new@mail/)

  assert.match((await tab.signIn('newcomer', filled['user[password]'])).text, /not confirmed yet/)
  const again = await tab.submit(await tab.get('/auth/confirmation/new'), { 'user[email]': 'NEW@mail.test' })
  assert.match(again.text, /is on its way/)
  await eventually(async () => (await mailsTo(server, 'new@mail.test')).length === 2)
  assert.match((await tab.get(await linkTo(server, 'new@mail.test'))).text, /Welcome, @newcomer/)
  await tab.signIn('newcomer', filled['user[password]'])
  assert.ok(await isSignedIn(tab))
  assert.equal((await tab.get('/auth/sign_up')).location, '/')

  const unknown = await tab.submit(
    await tab.get('/auth/confirmation/new'),
    { 'user[email]': 'unknown@mail.test' },
    { action: '/auth/confirmation' },
  )
  assert.equal(mainOf(unknown), mainOf(again))
  assert.equal((await mailsTo(server, 'unknown@mail.test')).length, 0)
})

test('a password reset link works once, and ends all sessions and access tokens', async () => {
  const ada = await server.person('ada', { email: 'ada@mail.test' })
  const [tab, other] = [browser(server), await signedIn(server, ada)]
  assert.match((await tab.submit(await tab.get('/auth/password/new'), { 'user[email]': 'ada' })).text, /is on its way/)
  const link = await resetLink('ada@mail.test')
  const form = await tab.get(link)
  assert.equal((await tab.submit(form, { 'user[password]': 'short' })).status, 422, 'the link still works')
  const done = await tab.submit(form, { 'user[password]': 'a better password' })
  assert.match(done.text, /Your new password is set/)

  assert.equal(await isSignedIn(other), false)
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 401)
  assert.match((await tab.signIn('ada', ada.password)).text, /There is no account/)
  await tab.signIn('ada', 'a better password')
  assert.ok(await isSignedIn(tab))
  assert.equal((await tab.get(link)).status, 404)
  assert.equal(
    (await tab.submit(form, { 'user[password]': 'yet another one' })).status,
    403,
    'a form from before the sign-in',
  )
  const outsider = browser(server)
  const { fields = {} } = (await outsider.get('/auth/password/new')).forms[0] ?? {}
  assert.equal(
    (
      await outsider.post('/auth/password/edit', {
        ...fields,
        reset_password_token: link.split('=')[1] ?? '',
        'user[password]': 'yet another one',
      })
    ).status,
    404,
  )
  assert.match((await mailsTo(server, 'ada@mail.test')).at(-1)?.subject ?? '', /was changed/)
})

test('the reset form does not reveal whether an account exists, and an expired link is refused', async () => {
  const tab = browser(server)
  const ask = async (login: string): Promise<string> =>
    (await tab.submit(await tab.get('/auth/password/new'), { 'user[email]': login })).text
  await server.person('bea', { email: 'bea@mail.test' })
  assert.equal(await ask('bea'), await ask('nobody@mail.test'))
  const link = await resetLink('bea@mail.test')
  await server.ctx.db.run(sql`update one_time_tokens set expires_at = now()`)
  assert.equal((await tab.get(link)).status, 404)
  assert.equal((await tab.get('/auth/password/edit?reset_password_token=nonsense')).status, 404)
})

test('a password change requires the current password, and ends other sessions but no access tokens', async () => {
  const cy = await server.person('cy')
  const [tab, other] = [await signedIn(server, cy), await signedIn(server, cy)]
  const change = async (current: string, fresh: string): Promise<Page> =>
    tab.submit(
      await tab.get('/auth/edit'),
      { 'password[current_password]': current, 'user[password]': fresh },
      { action: '/auth/edit/password' },
    )
  assert.match((await change('wrong', 'a better password')).text, /not your current password/)
  assert.match((await change(cy.password, 'short')).text, /Password is too short/)
  assert.match((await change(cy.password, 'a better password')).text, /Your new password is set/)
  assert.deepEqual([await isSignedIn(tab), await isSignedIn(other)], [true, false])
  assert.equal((await cy.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
})

test('a new e-mail address takes effect once confirmed, and the old address is notified', async () => {
  const [dan, eve] = [
    await server.person('dan', { email: 'dan@mail.test' }),
    await server.person('eve', { email: 'eve@mail.test' }),
  ]
  const tab = await signedIn(server, dan)
  const change = async (email: string, password = dan.password): Promise<Page> =>
    tab.submit(
      await tab.get('/auth/edit'),
      { 'user[email]': email, 'email[current_password]': password },
      { action: '/auth/edit/email' },
    )
  assert.match((await change('new-dan@mail.test', 'wrong')).text, /not your current password/)
  assert.match((await change(eve.email)).text, /E-mail address has already been taken/)
  assert.match((await change('new-dan@mail.test')).text, /We have sent a link/)
  assert.match((await tab.get('/auth/edit')).text, /<strong>dan@mail\.test/)
  await tab.get(await linkTo(server, 'new-dan@mail.test'))
  assert.match((await tab.get('/auth/edit')).text, /<strong>new-dan@mail\.test/)
  assert.match((await mailsTo(server, 'dan@mail.test')).at(-1)?.text ?? '', /new-dan@mail\.test/)

  await change('wanted@mail.test')
  const link = await linkTo(server, 'wanted@mail.test')
  await server.person('fay', { email: 'wanted@mail.test' })
  assert.equal((await tab.get(link)).status, 422, 'another account has the address')
})

test('change-password redirects to the account page, and the forms require a CSRF token', async () => {
  const answer = await server.send('GET', '/.well-known/change-password')
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/auth/edit'])
  const tab = await signedIn(server, await server.person('gus'))
  assert.equal(
    (
      await tab.post('/auth/edit/password', {
        'password[current_password]': 'x',
        'user[password]': 'a better password',
      })
    ).status,
    403,
  )
  for (const path of ['/auth/sign_up', '/auth/password/new', '/auth/confirmation'])
    assert.equal((await browser(server).post(path, {})).status, 403, path)
})
