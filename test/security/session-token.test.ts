import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { cookieOf, type Browser, signedIn } from '../support/forms.ts'
import type { Answer, Person, SendOptions } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { listen, refused } from '../streaming/listen.ts'

// The access token in the cookie of a signed-in browser: what uses it, and what ends it.

const { server } = await stage()
const origin = server.ctx.config.baseUrl
const VERIFY = '/api/v1/accounts/verify_credentials'

let people = 0
async function newcomer(): Promise<{ person: Person; page: Browser }> {
  const person = await server.person(`session${++people}`)
  return { person, page: await signedIn(server, person) }
}

/** As the web client sends it. */
const send = (page: Browser, method: string, path: string, { headers, ...rest }: SendOptions = {}): Promise<Answer> =>
  server.send(method, path, { ...rest, headers: { cookie: cookieOf(page), authorization: 'Session', ...headers } })

test('the web client reads and writes with the cookie, for each sign-in another token', async () => {
  const { person, page } = await newcomer()
  const other = await signedIn(server, person)
  assert.equal((await send(page, 'GET', VERIFY)).json.username, person.username)
  const { json: status } = await send(page, 'POST', '/api/v1/statuses', { json: { status: 'From the web' } })
  assert.deepEqual(status.application, { name: 'Web', website: origin })
  const tokens = [page, other].map(({ cookies }) => cookies.get('rookery_token'))
  assert.ok(tokens[0] && tokens[1] && tokens[0] !== tokens[1])
})

test('scripts and other sites have no access to the cookie', async () => {
  const person = await server.person('attributes')
  const form = await server.send('GET', '/auth/sign_in')
  const csrf = /name="csrf_token" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const { headers } = await server.send('POST', '/auth/sign_in', {
    headers: {
      cookie: form.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    },
    form: { csrf_token: csrf, 'user[email]': person.email, 'user[password]': person.password },
  })
  const cookie = headers.getSetCookie().find((line) => line.startsWith('rookery_token=')) ?? ''
  assert.match(cookie, /; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
})

test('the cookie has no effect without the header, or with another one', async () => {
  const { page } = await newcomer()
  const headers = { cookie: cookieOf(page) }
  assert.equal((await server.send('GET', VERIFY, { headers })).status, 401)
  assert.equal((await send(page, 'GET', VERIFY, { headers: { authorization: 'Bearer' } })).status, 401)
  assert.equal((await send(page, 'GET', VERIFY, { headers: { authorization: 'Session x' } })).status, 401)
  assert.equal((await send(page, 'GET', VERIFY, { headers: { 'sec-fetch-site': 'same-site' } })).status, 401)
  assert.equal((await send(page, 'GET', VERIFY, { headers: { 'sec-fetch-site': 'same-origin' } })).status, 200)
  assert.equal((await send(page, 'GET', VERIFY, { headers: { cookie: 'rookery_token=x' } })).status, 401)
  // As any invalid token, it is refused where none is needed, too.
  assert.equal((await send(page, 'GET', '/api/v1/timelines/tag/x', { headers: { cookie: '' } })).status, 401)
})

test('no response allows cookies of other origins', async () => {
  const { page } = await newcomer()
  const foreign = { origin: 'https://evil.test', 'access-control-request-headers': 'authorization' }
  for (const method of ['OPTIONS', 'GET']) {
    const { headers } = await send(page, method, VERIFY, { headers: foreign })
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
  }
})

test('its scopes cover what the client does, and nothing else', async () => {
  const { page } = await newcomer()
  assert.equal((await send(page, 'GET', '/api/v1/crypto/keys/count')).status, 403)
  assert.equal((await send(page, 'GET', '/api/v1/admin/accounts')).status, 403, 'the role has no permission')
  const { json } = await send(page, 'GET', '/oauth/token/info')
  assert.deepEqual(json.scope, ['admin:read', 'admin:write', 'follow', 'push', 'read', 'write'])
})

test('the authorised applications neither list nor revoke it', async () => {
  const { page } = await newcomer()
  const list = await page.get('/oauth/authorized_applications')
  assert.ok(!list.text.includes('Web</'), list.text)
  const { id } = await server.ctx.db.one<{ id: string }>(sql`select id from oauth_apps where client_id = 'web'`)
  const csrf = /name="csrf_token" value="([^"]+)"/.exec(list.text)?.[1] ?? ''
  assert.equal((await page.post(`/oauth/authorized_applications/${id}`, { csrf_token: csrf })).status, 404)
  assert.equal((await send(page, 'GET', VERIFY)).status, 200)
})

test('no page can ask for consent as the web client', async () => {
  const { page } = await newcomer()
  for (const redirect of ['urn:ietf:wg:oauth:2.0:oob', `${origin}/`]) {
    const query = new URLSearchParams({ client_id: 'web', response_type: 'code', redirect_uri: redirect })
    const answer = await page.get(`/oauth/authorize?${query}`)
    assert.equal(answer.status, 400, answer.text)
  }
})

test('a page that is still open for one account cannot act as the next one', async () => {
  const { person, page } = await newcomer()
  const authorization = (id: string): SendOptions => ({ headers: { authorization: `Session ${id}` } })
  assert.equal((await send(page, 'GET', VERIFY, authorization(person.id))).json.id, person.id)
  const { person: other } = await newcomer()
  const json = { status: 'As the other one' }
  const answer = await send(page, 'POST', '/api/v1/statuses', { json, ...authorization(other.id) })
  assert.equal(answer.status, 401)
  assert.match((await page.get('/home')).text, new RegExp(`<html [^>]*data-account="${person.id}"`))
})

test('the pages of the server open WebSockets with the cookie, and other origins do not', async () => {
  const { person, page } = await newcomer()
  const cookie = cookieOf(page)
  const client = await listen(server, { headers: { cookie, origin }, streams: ['user'] })
  await person.post('/api/v1/statuses', { status: 'Live' })
  assert.match((await client.event('update')).content, /Live/)
  const foreign: Record<string, string>[] = [{ origin: 'https://evil.test' }, { origin: 'null' }, {}]
  for (const headers of foreign.map((each) => ({ cookie, ...each })))
    assert.equal((await refused(server, '/api/v1/streaming', { headers })).status, 401)
  assert.equal((await refused(server, '/api/v1/streaming', { headers: { origin } })).status, 401)
  // A page that is still open for one account hears nothing of the next one.
  const { person: other } = await newcomer()
  const headers = { cookie, origin }
  assert.equal((await refused(server, `/api/v1/streaming?account=${other.id}`, { headers })).status, 401)
  client.end()
})

test('signing out ends the token and its streams', async () => {
  const { page } = await newcomer()
  const cookie = cookieOf(page)
  const client = await listen(server, { headers: { cookie, origin }, streams: ['user'] })
  assert.equal((await server.send('POST', '/auth/sign_out', { headers: { cookie } })).status, 403)
  const out = await server.send('POST', '/auth/sign_out', { headers: { cookie, authorization: 'Session' } })
  assert.equal(out.status, 303)
  assert.ok(out.headers.getSetCookie().some((line) => /^rookery_token=;.*Max-Age=0/.test(line)))
  assert.equal(out.headers.get('clear-site-data'), '"cache", "storage"')
  assert.equal((await client.closes()).code, 1008)
  assert.equal((await server.send('GET', VERIFY, { headers: { cookie, authorization: 'Session' } })).status, 401)
})

test('ending the other sessions and changing the password end their tokens', async () => {
  const { person, page } = await newcomer()
  const sessions = await page.get('/settings/sessions')
  const other = await signedIn(server, person)
  const list = await page.get('/settings/sessions')
  assert.ok(sessions.forms.length < list.forms.length)
  await page.submit(list, {}, { action: '/settings/sessions/end_others' })
  assert.equal((await send(other, 'GET', VERIFY)).status, 401)

  const third = await signedIn(server, person)
  const account = await page.get('/auth/edit')
  const passwords = { 'password[current_password]': person.password, 'user[password]': 'a new long password' }
  await page.submit(account, passwords, { action: '/auth/edit/password' })
  assert.equal((await send(third, 'GET', VERIFY)).status, 401)
  assert.equal((await send(page, 'GET', VERIFY)).status, 200)
})

test('disabled and suspended users are refused, and have a token again afterwards', async () => {
  const { person, page } = await newcomer()
  const staff = await server.person('staff', { role: 'owner' })
  await staff.post(`/api/v1/admin/accounts/${person.id}/action`, { type: 'disable' })
  assert.equal((await send(page, 'GET', VERIFY)).status, 403)
  await staff.post(`/api/v1/admin/accounts/${person.id}/enable`)
  await staff.post(`/api/v1/admin/accounts/${person.id}/action`, { type: 'suspend' })
  assert.equal((await send(page, 'GET', VERIFY)).status, 403)
  await staff.post(`/api/v1/admin/accounts/${person.id}/unsuspend`)
  assert.equal((await send(page, 'GET', VERIFY)).status, 200)
})
