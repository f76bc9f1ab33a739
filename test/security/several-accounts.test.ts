import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { browser, cookieOf, type Browser, type Page } from '../support/forms.ts'
import type { Answer, Person, SendOptions } from '../support/server.ts'
import { linkTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'

// A browser that is signed in to several accounts: which one it uses, how it changes, and what ends.

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'] })
const origin = server.ctx.config.baseUrl
const VERIFY = '/api/v1/accounts/verify_credentials'
const ADD = '/auth/sign_in?again=1'

/** The last one is the current one. */
async function signedIn(...people: readonly Person[]): Promise<Browser> {
  const client = browser(server)
  for (const person of people) await add(client, person)
  return client
}

async function add(client: Browser, { username, password }: Person): Promise<Page> {
  const fields = { 'user[email]': username, 'user[password]': password }
  return client.submit(await client.get(ADD), fields, { action: '/auth/sign_in' })
}

/** As the web client sends it. Redirects are not followed. */
const send = (client: Browser, method: string, path: string, { headers, ...rest }: SendOptions = {}): Promise<Answer> =>
  server.send(method, path, { ...rest, headers: { cookie: cookieOf(client), authorization: 'Session', ...headers } })

const current = async (client: Browser): Promise<string> => (await send(client, 'GET', VERIFY)).json.username

/** As the shell of the web client names them. */
async function others(client: Browser): Promise<string[]> {
  const { text } = await client.get('/home')
  return /<html[^>]* data-other-accounts="([^"]+)"/.exec(text)?.[1]?.split(' ') ?? []
}

/** By the form of the accounts' page. */
async function switchTo(client: Browser, { id }: Person, path = ADD): Promise<Page> {
  const page = await client.get(path)
  const form = page.forms.find(({ action, fields }) => action === '/auth/switch' && fields.account === id)
  assert.ok(form, page.text)
  return client.post(form.action, form.fields)
}

const sessionsOf = async ({ userId }: Person): Promise<number> =>
  (await server.ctx.db.many(sql`select id from sessions where user_id = ${userId}`)).length

test('a browser adds accounts, switches between them, and the API follows', async () => {
  const client = await signedIn(ada, ben, cleo)
  assert.equal(await current(client), 'cleo')
  assert.deepEqual(await others(client), [ben.id, ada.id])
  assert.equal((await switchTo(client, ada)).location, '/')
  assert.equal(await current(client), 'ada')
  assert.deepEqual(await others(client), [cleo.id, ben.id])
  // A page that is still open for the account before cannot act as this one.
  const authorization = `Session ${cleo.id}`
  assert.equal((await send(client, 'GET', VERIFY, { headers: { authorization } })).status, 401)
  assert.equal((await switchTo(client, cleo, `${ADD}&next=/bookmarks`)).location, '/bookmarks')
  assert.equal(await current(client), 'cleo')
})

test('the web client switches by its header, and other sites cannot', async () => {
  const client = await signedIn(ada, ben)
  const form = { account: ada.id }
  const cookie = cookieOf(client)
  // A form of another site, with and without what its browser says about it.
  for (const headers of [
    { cookie, origin: 'https://evil.test' },
    { cookie, origin: 'null' },
    { cookie },
    { cookie, origin },
    { cookie, authorization: 'Session', 'sec-fetch-site': 'cross-site' },
    { cookie, authorization: 'Session', 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[])
    assert.equal((await server.send('POST', '/auth/switch', { headers, form })).status, 403, JSON.stringify(headers))
  const other = await signedIn(cleo)
  const { forms } = await other.get(ADD)
  const forged = { ...forms[0]?.fields, ...form }
  assert.equal((await client.post('/auth/switch', forged)).status, 403, 'with the token of another browser')
  // The header of the client needs a preflight.
  const preflight = { origin: 'https://evil.test', 'access-control-request-headers': 'authorization' }
  const { headers: allowed } = await server.send('OPTIONS', '/auth/switch', { headers: preflight })
  assert.equal(allowed.get('access-control-allow-headers'), null)
  assert.equal((await server.send('GET', `/auth/switch?account=${ada.id}`, { headers: { cookie } })).status, 404)
  assert.equal(await current(client), 'ben')

  const answer = await send(client, 'POST', '/auth/switch', { form })
  assert.equal(answer.status, 303)
  for (const line of answer.headers.getSetCookie()) assert.match(line, /HttpOnly; SameSite=Lax$/)
})

test('only accounts of this browser can be chosen', async () => {
  const client = await signedIn(ada, ben)
  for (const account of [cleo.id, '0', '', 'x', `${ada.id} `, ada.userId === ada.id ? '1' : ada.userId])
    assert.equal((await send(client, 'POST', '/auth/switch', { form: { account } })).status, 404, account)
  assert.equal((await send(client, 'POST', '/auth/switch', { json: { account: [ada.id] } })).status, 404)
  for (const secrets of ['planted', '.', 'x'.repeat(3000), cookieOf(client)]) {
    const headers = { cookie: `${cookieOf(client)}; rookery_other_sessions=${secrets}` }
    assert.equal((await send(client, 'POST', '/auth/switch', { form: { account: cleo.id }, headers })).status, 404)
  }
  assert.equal(await current(client), 'ben')
  const next = await send(client, 'POST', '/auth/switch', { form: { account: ada.id, next: '//evil.test/' } })
  assert.equal(next.headers.get('location'), '/')
})

test('signing out ends the current account only, and offers the next one', async () => {
  const client = await signedIn(ada, ben)
  const before = cookieOf(client)
  const out = await send(client, 'POST', '/auth/sign_out')
  assert.equal(out.headers.get('clear-site-data'), null, 'what ada has stored stays')
  const left = out.headers.getSetCookie().find((line) => line.startsWith('rookery_left='))
  assert.match(left ?? '', new RegExp(`^rookery_left=${ben.id}; Max-Age=\\d+; Path=/; SameSite=Lax$`))
  const headers = { cookie: before, authorization: 'Session' }
  assert.equal((await server.send('GET', VERIFY, { headers })).status, 401)

  for (const name of ['rookery_session', 'rookery_token']) client.cookies.delete(name)
  assert.equal((await client.get('/settings')).location, '/auth/sign_in?next=%2Fsettings')
  assert.equal((await switchTo(client, ada, '/auth/sign_in?next=/settings')).location, '/settings')
  assert.equal(await current(client), 'ada')
  assert.deepEqual(await others(client), [])
  const last = await send(client, 'POST', '/auth/sign_out')
  assert.equal(last.headers.get('clear-site-data'), '"cache", "storage"')
})

test('a new password for one account by a mailed link leaves the session and the data of another one', async () => {
  const gus = await server.person('gus', { email: 'gus@mail.test' })
  const client = await signedIn(gus, ada)
  await client.submit(
    await client.get('/auth/password/new'),
    { 'user[email]': 'gus' },
    { action: '/auth/password/new' },
  )
  const form = (await client.get(await linkTo(server, gus.email))).forms.find(
    ({ action }) => action === '/auth/password/edit',
  )
  const fields = { ...form?.fields, 'user[password]': 'a better password' }
  const set = await send(client, 'POST', '/auth/password/edit', { form: fields, headers: { authorization: '' } })
  assert.equal(set.status, 303)
  assert.deepEqual([set.headers.get('clear-site-data'), set.headers.getSetCookie()], [null, []])
  assert.match((await client.get(set.headers.get('location') ?? '')).text, /Your new password is set/)
  assert.equal(await current(client), 'ada')
  assert.deepEqual([await others(client), await sessionsOf(gus)], [[], 0])
})

test('accounts whose session ended elsewhere, or that moderators suspended, vanish', async () => {
  const [eve, finn] = [await server.person('eve'), await server.person('finn')]
  const client = await signedIn(eve, finn, ada)
  assert.deepEqual(await others(client), [finn.id, eve.id])
  await server.ctx.db.run(sql`delete from sessions where user_id = ${finn.userId}`)
  assert.deepEqual(await others(client), [eve.id])
  const stale = await client.get(ADD)
  const staff = await server.person('staff', { role: 'owner' })
  await staff.post(`/api/v1/admin/accounts/${eve.id}/action`, { type: 'suspend' })
  assert.deepEqual(await others(client), [])
  for (const { id } of [eve, finn])
    assert.equal((await send(client, 'POST', '/auth/switch', { form: { account: id } })).status, 404)
  const refused = await client.submit(stale, {}, { action: '/auth/switch' })
  assert.match(refused.text, /<p class="notice info" role="status">You are signed out of that account/)
  assert.equal(await current(client), 'ada')

  // The current account is suspended: the others are offered.
  await staff.post(`/api/v1/admin/accounts/${eve.id}/unsuspend`)
  assert.deepEqual(await others(client), [eve.id])
  await switchTo(client, eve)
  await staff.post(`/api/v1/admin/accounts/${eve.id}/action`, { type: 'suspend' })
  assert.equal((await switchTo(client, ada, '/auth/sign_in')).location, '/')
  assert.equal(await current(client), 'ada')
})

test('an account is there once, and a browser has five', async () => {
  const people = [...'ghijk'].map((letter) => server.person(`${letter}${letter}${letter}`))
  const [first, ...rest] = await Promise.all(people)
  assert.ok(first)
  const client = await signedIn(first, ...rest, first)
  assert.equal(await sessionsOf(first), 1)
  assert.deepEqual(await others(client), rest.map(({ id }) => id).toReversed())
  const page = await client.get(ADD)
  assert.match(page.text, new RegExp(`A browser can have 5 accounts.* signed out of @${rest[0]?.username}`))
  await add(client, ada)
  assert.equal(await current(client), 'ada')
  assert.deepEqual(
    await others(client),
    [first, ...rest.slice(1).toReversed()].map(({ id }) => id),
  )
  assert.equal(rest[0] && (await sessionsOf(rest[0])), 0)
})

test('deleting an account keeps the others', async () => {
  const gone = await server.person('gone')
  const client = await signedIn(ada, gone)
  const fields = { username: gone.username, current_password: gone.password }
  await client.submit(await client.get('/settings/delete'), fields, { action: '/settings/delete' })
  assert.equal((await client.get('/settings')).location, '/auth/sign_in?next=%2Fsettings')
  await switchTo(client, ada, '/auth/sign_in')
  assert.equal(await current(client), 'ada')
})

test('no page of the server has a form for an account before it is switched to', async () => {
  const client = await signedIn(ada, ben)
  const form = await client.get('/settings/preferences')
  await switchTo(client, ada)
  assert.equal((await client.submit(form, {}, { action: '/settings/preferences' })).status, 403)
})
