import assert from 'node:assert/strict'
import { test } from 'node:test'

import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

test('an account sees itself with source and role', async () => {
  const me = await ada.client.v1.accounts.verifyCredentials()
  assert.equal(me.id, ada.id)
  assert.equal(me.acct, 'ada')
  assert.equal(me.source.privacy, 'public')
  assert.equal(me.role?.id, '-99')
})

test('the role of an administrator names every permission, in which apps look for single ones', async () => {
  const owner = await server.person('olga', { role: 'owner' })
  const mod = await server.person('mona', { role: ['manage_reports'] })
  const everyone = 0x10000
  for (const [person, bits] of [
    [owner, 0x3fffff],
    [mod, everyone | 0x10],
    [ada, everyone],
  ] as const) {
    assert.equal((await person.get('/api/v1/accounts/verify_credentials')).role.permissions, String(bits))
    assert.equal((await owner.get(`/api/v1/admin/accounts/${person.id}`)).role.permissions, String(bits))
  }
})

test('a missing, invalid or application token is refused with 401, a missing scope with 403', async () => {
  const path = '/api/v1/accounts/verify_credentials'
  assert.deepEqual((await server.send('GET', path)).json, { error: 'The access token is invalid' })
  assert.equal((await server.send('GET', path, { token: 'nope' })).status, 401)
  assert.equal(
    (await server.send('GET', path, { token: await server.token({ userId: ada.userId, scopes: ['write'] }) })).status,
    403,
  )
  assert.equal((await server.send('GET', path, { token: await server.token({ scopes: ['read'] }) })).status, 401)
})

test('the token may be a parameter in JSON, a form or the query', async () => {
  const named = (name: string): Record<string, string> => ({ access_token: ada.token, display_name: name })
  const path = '/api/v1/accounts/update_credentials'
  for (const [method, options] of [
    ['PATCH', { json: named('In JSON') }],
    ['PUT', { json: { bearer_token: ada.token, display_name: 'By its other name' } }],
    ['PATCH', { form: named('In a form') }],
  ] as const) {
    const answer = await server.send(method, path, options)
    assert.equal(answer.status, 200, answer.text)
  }
  assert.equal((await server.send('GET', `/api/v1/accounts/${ada.id}`)).json.display_name, 'In a form')
  const query = `?access_token=${ada.token}`
  assert.equal((await server.send('GET', `/api/v1/accounts/verify_credentials${query}`)).json.id, ada.id)
})
