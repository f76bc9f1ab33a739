// Applications that people register for themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../support/acts.ts'
import { type Browser, type Page, signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'
import { listen } from '../streaming/listen.ts'

const PATH = '/settings/applications'
const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })

const register = async (tab: Browser, fields: Record<string, string>): Promise<Page> =>
  tab.submit(await tab.get(PATH), fields, { action: PATH })

const valueOf = ({ text }: Page, label: string): string =>
  new RegExp(`<dt>${label}</dt><dd><code dir="ltr">([^<]+)<`).exec(text)?.[1] ?? ''

const verify = (token: string) => server.send('GET', '/api/v1/accounts/verify_credentials', { token })

test('a user registers an application, whose token acts as the user within its scopes', async () => {
  const tab = await signedIn(server, ada)
  const page = await register(tab, {
    name: 'Weather bot',
    scopes: 'read write:statuses',
    website: 'https://bot.example',
  })
  const [token, key, secret] = [
    valueOf(page, 'Access token'),
    valueOf(page, 'Client key'),
    valueOf(page, 'Client secret'),
  ]
  assert.equal((await verify(token)).json.username, 'ada')
  const post = await server.send('POST', '/api/v1/statuses', { token, json: { status: 'Rain' } })
  assert.equal(post.json.application.name, 'Weather bot')
  assert.equal((await server.send('POST', `/api/v1/accounts/${ben.id}/follow`, { token })).status, 403)

  const again = await tab.get(PATH)
  assert.equal(valueOf(again, 'Access token'), token)
  assert.equal(valueOf(again, 'Client secret'), '', 'the secret is shown once')
  const client = { grant_type: 'client_credentials', client_id: key }
  const grant = (client_secret: string) => server.send('POST', '/oauth/token', { form: { ...client, client_secret } })
  assert.equal((await grant(secret)).status, 200)
  const id = /action="\/settings\/applications\/(\d+)\/secret"/.exec(again.text)?.[1] ?? ''
  const renewed = valueOf(await tab.submit(again, {}, { action: `${PATH}/${id}/secret` }), 'Client secret')
  assert.notEqual(renewed, secret)
  assert.deepEqual([(await grant(secret)).status, (await grant(renewed)).status], [401, 200])

  const replaced = await tab.submit(again, {}, { action: `${PATH}/${id}/token` })
  assert.match(replaced.text, /The old access token no longer works/)
  assert.deepEqual([(await verify(token)).status, (await verify(valueOf(replaced, 'Access token'))).status], [401, 200])

  await server.database.raw(`update oauth_apps set created_at = now() - interval '2 days'`)
  await cleanUp(server.ctx)
  const last = await tab.get(PATH)
  const deleted = await tab.submit(last, {}, { action: `${PATH}/${id}/delete` })
  assert.match(deleted.text, /The application is deleted/)
  assert.equal((await verify(valueOf(last, 'Access token'))).status, 401)
  assert.equal((await grant(renewed)).status, 401)
})

test('a new token and a deletion end the streams of the tokens before', async () => {
  const tab = await signedIn(server, ada)
  const first = valueOf(await register(tab, { name: 'Listening bot', scopes: 'read' }), 'Access token')
  const page = await tab.get(PATH)
  const id = /action="\/settings\/applications\/(\d+)\/secret"/.exec(page.text)?.[1] ?? ''
  let stream = await listen(server, { token: first, streams: ['user'] })
  const second = valueOf(await tab.submit(page, {}, { action: `${PATH}/${id}/token` }), 'Access token')
  assert.equal((await stream.closes()).code, 1008)
  stream = await listen(server, { token: second, streams: ['user'] })
  await tab.submit(page, {}, { action: `${PATH}/${id}/delete` })
  assert.equal((await stream.closes()).code, 1008)
})

test('other users cannot see or change an application, and mistakes are explained', async () => {
  const [mine, theirs] = [await signedIn(server, ada), await signedIn(server, ben)]
  const page = await register(mine, { name: 'Private bot', scopes: 'read' })
  const token = valueOf(page, 'Access token')
  const id = /action="\/settings\/applications\/(\d+)\/secret"/.exec(page.text)?.[1] ?? ''
  const other = await theirs.get(PATH)
  assert.doesNotMatch(other.text, /Private bot/)
  const csrf = other.forms.at(-1)?.fields['csrf_token'] ?? ''
  for (const act of ['secret', 'token', 'delete'])
    assert.equal((await theirs.post(`${PATH}/${id}/${act}`, { csrf_token: csrf })).status, 404, act)
  assert.equal((await theirs.post(`${PATH}/x/delete`, { csrf_token: csrf })).status, 404)
  assert.equal((await verify(token)).status, 200)

  const mistakes: Record<string, string>[] = [
    { name: ' ', scopes: 'read' },
    { name: 'Bot', scopes: 'everything' },
    { name: 'Bot', scopes: 'read', redirect_uris: 'javascript:alert(1)' },
    { name: 'Bot', scopes: 'read', website: 'ftp://bot.example' },
  ]
  for (const fields of mistakes) {
    const refused = await register(theirs, fields)
    assert.equal(refused.status, 422, JSON.stringify(fields))
    assert.match(refused.text, /<div class="error-summary"[^]*<a href="#field-[^]* aria-invalid="true"/)
  }
  await server.database.raw(
    `insert into oauth_apps (name, redirect_uris, scopes, client_id, client_secret_digest, owner_id)
     select 'Bot ' || n, '{https://bot.example/}', '{read}', 'own-' || n, '\\x00', $1 from generate_series(1, 49) n`,
    [ben.userId],
  )
  await server.database.raw(`
    create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return new; end $$;
    create trigger wait before insert on oauth_apps for each row execute function wait()`)
  const filledIn = await theirs.get(PATH)
  const atOnce = await Promise.all(
    ['a', 'b', 'c'].map((name) => theirs.submit(filledIn, { name, scopes: 'read' }, { action: PATH })),
  )
  assert.equal(atOnce.filter(({ status }) => status === 200).length, 1, 'simultaneous ones do not exceed the limit')
  assert.match((await register(theirs, { name: 'One more', scopes: 'read' })).text, /at most 50 applications/)
})
