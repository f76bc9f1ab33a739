import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const OOB = 'urn:ietf:wg:oauth:2.0:oob'

const { server } = await stage()

const register = (json: unknown): Promise<Answer> => server.send('POST', '/api/v1/apps', { json })
const problems = async (json: Record<string, unknown>): Promise<string> => {
  const answer = await register({ client_name: 'App', redirect_uris: OOB, ...json })
  assert.equal(answer.status, 422, answer.text)
  return answer.json.error
}

test('registering an application accepts redirect URIs as text or list and returns the client secret', async () => {
  const { status, json } = await register({
    client_name: 'App',
    redirect_uris: `${OOB}\nmyapp://back\nhttp://127.0.0.1:8080/`,
    scopes: 'read write:statuses',
    website: 'https://app.test',
  })
  assert.equal(status, 200)
  const { id, client_id: clientId, client_secret: secret, vapid_key: vapidKey, ...rest } = json
  for (const text of [id, clientId, secret, vapidKey]) assert.match(text, /^.+$/)
  const uris = [OOB, 'myapp://back', 'http://127.0.0.1:8080/']
  assert.deepEqual(rest, {
    name: 'App',
    website: 'https://app.test',
    scopes: ['read', 'write:statuses'],
    redirect_uris: uris,
    redirect_uri: uris.join('\n'),
    client_secret_expires_at: 0,
  })

  const form = await server.send('POST', '/api/v1/apps', {
    form: new URLSearchParams([
      ['client_name', 'App'],
      ['redirect_uris[]', uris[1] ?? ''],
      ['redirect_uris[]', OOB],
      ['scopes[]', 'read'],
      ['scopes[]', 'write'],
    ]),
  })
  assert.deepEqual(form.json.redirect_uris, [uris[1], OOB])
  assert.deepEqual([form.json.scopes, form.json.website], [['read'], null])
})

test('registering an application with invalid values returns the validation errors', async () => {
  assert.equal(await problems({ client_name: ' ' }), "Validation failed: Application name can't be blank")
  assert.equal(
    await problems({ client_name: 'x'.repeat(61) }),
    'Validation failed: Application name is too long (maximum is 60 characters)',
  )
  assert.equal(await problems({ redirect_uris: '' }), "Validation failed: Redirect URI can't be blank")
  assert.equal(
    await problems({ redirect_uris: '/relative' }),
    'Validation failed: Redirect URI must be an absolute URI.',
  )
  assert.equal(
    await problems({ redirect_uris: 'https://exämple.test/' }),
    'Validation failed: Redirect URI must be an absolute URI.',
  )
  assert.equal(
    await problems({ redirect_uris: 'https://app.test/#top' }),
    'Validation failed: Redirect URI cannot contain a fragment.',
  )
  for (const uri of ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'vbscript:x'])
    assert.equal(
      await problems({ redirect_uris: [OOB, uri] }),
      'Validation failed: Redirect URI is forbidden by the server.',
    )
  assert.equal(
    await problems({ redirect_uris: `https://app.test/${'x'.repeat(2000)}` }),
    'Validation failed: Redirect URI is too long (maximum is 2000 characters)',
  )
  assert.equal(
    await problems({ scopes: 'read dance' }),
    "Validation failed: Scopes doesn't match configured on the server.",
  )
  assert.equal(await problems({ website: 'javascript:x' }), 'Validation failed: Application website is not a valid URL')
  const nothing = await register({})
  assert.equal(nothing.status, 422)
  assert.equal(nothing.json.error, "Validation failed: Application name can't be blank, Redirect URI can't be blank")
})

test('verify_credentials returns the application and VAPID key for any token, without the secret, and 401 without a token', async () => {
  const ada = await server.person('ada', { scopes: ['push'] })
  for (const token of [ada.token, await server.token({ scopes: ['write'] })]) {
    const { status, json } = await server.send('GET', '/api/v1/apps/verify_credentials', { token })
    assert.equal(status, 200)
    assert.equal(json.name, 'Tests')
    assert.ok(json.vapid_key)
    assert.equal(json.client_secret, undefined)
  }
  assert.equal((await server.send('GET', '/api/v1/apps/verify_credentials')).status, 401)
  assert.equal((await server.send('GET', '/api/v1/apps/verify_credentials', { token: 'x' })).status, 401)
})

test('registering an application ignores an invalid token in the header', async () => {
  assert.equal(
    (await server.send('POST', '/api/v1/apps', { token: 'gone', json: { client_name: 'App', redirect_uris: OOB } }))
      .status,
    200,
  )
})
