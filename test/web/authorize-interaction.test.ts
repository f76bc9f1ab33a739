import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, type Page } from '../support/forms.ts'

import { stage } from '../support/stage.ts'

// The page to which remote servers send local users who follow an account or answer a post there.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const eve = await peer.actor('eve', { name: 'Eve of elsewhere' })
const tab = browser(server)

const visit = (uri: string): Promise<Page> => tab.get(`/authorize_interaction?uri=${encodeURIComponent(uri)}`)

test('WebFinger announces the subscribe template, and the intents of FEP-3b86', async () => {
  const answer = await server.send('GET', `/.well-known/webfinger?resource=acct:ada@${server.domain}`)
  const link = answer.json.links.find(({ rel }: any) => rel === 'http://ostatus.org/schema/1.0/subscribe')
  assert.equal(link.template, `${server.ctx.config.baseUrl}/authorize_interaction?uri={uri}`)
  const intent = (name: string): string =>
    answer.json.links.find(({ rel }: any) => rel === `https://w3id.org/fep/3b86/${name}`).template
  assert.equal(intent('Create'), `${server.ctx.config.baseUrl}/share?text={content}`)
  assert.equal(intent('Object'), `${server.ctx.config.baseUrl}/authorize_interaction?uri={object}`)
})

test('a signed-out user signs in first, and returns to the page', async () => {
  const page = await visit(`acct:eve@${peer.domain}`)
  assert.match(page.location, /^\/auth\/sign_in\?next=%2Fauthorize_interaction%3Furi%3Dacct/)
  const inside = await tab.submit(page, { 'user[email]': ada.email, 'user[password]': ada.password })
  assert.match(inside.location, /^\/authorize_interaction\?uri=acct/)
  assert.match(inside.text, /Eve of elsewhere/)
})

test('an account is found by handle or URI, and followed only when the form is submitted', async () => {
  for (const name of [`acct:eve@${peer.domain}`, `@eve@${peer.domain}`, `eve@${peer.domain}`, eve.uri])
    assert.match((await visit(name)).text, /Follow Eve of elsewhere/, name)
  await server.drain()
  assert.equal(peer.received.length, 0)
  const done = await tab.submit(await visit(eve.uri), {}, { action: '/authorize_interaction' })
  assert.match(done.text, /Done\./)
  assert.match(done.text, /You (follow|have asked to follow)/)
  await server.drain()
  assert.deepEqual(
    peer.received.map(({ type, object }) => [type, object]),
    [['Follow', eve.uri]],
  )
})

test('a remote post is shown, favourited and boosted', async () => {
  const { object } = peer.create(eve, { content: '<p>A post of elsewhere</p>' })
  peer.serve(new URL(object.id).pathname, object)
  const page = await visit(object.id)
  assert.match(page.text, /<div class="feed"><article [\s\S]*A post of elsewhere/)
  const index = page.forms.findIndex(({ fields }) => fields.action === 'favourite')
  assert.match((await tab.submit(page, {}, { index })).text, /among your favourites/)
  const boost = page.forms.findIndex(({ fields }) => fields.action === 'boost')
  assert.match((await tab.submit(page, {}, { index: boost })).text, /You have boosted this post/)
  await server.drain()
  const types = peer.received.map(({ type }) => type)
  assert.ok(types.includes('Like') && types.includes('Announce'), types.join())
})

test('unknown addresses, posts hidden from the viewer and invalid actions are 404', async () => {
  const bob = await server.person('bob')
  const waiting = await server.person('waiting', { approved: false })
  const secret = await bob.post('/api/v1/statuses', { status: 'not for ada', visibility: 'private' })
  for (const uri of [
    '',
    'nonsense',
    `acct:nobody@${peer.domain}`,
    `${peer.url}/missing`,
    secret.uri,
    `http://${server.domain}/@waiting`,
    'javascript:alert(1)',
    'x'.repeat(5000),
  ]) {
    const page = await visit(uri)
    assert.equal(page.status, 404, uri.slice(0, 60))
    assert.doesNotMatch(page.text, /not for ada/)
  }
  const page = await visit(eve.uri)
  const csrf_token = page.forms[0]?.fields.csrf_token ?? ''
  const id = secret.id
  assert.equal((await tab.post('/authorize_interaction', { csrf_token, action: 'favourite', id })).status, 404)
  assert.equal((await tab.post('/authorize_interaction', { csrf_token, action: 'boost', id })).status, 404)
  assert.equal((await tab.post('/authorize_interaction', { csrf_token, action: 'dance', id })).status, 404)
  for (const other of ['x', waiting.id])
    assert.equal((await tab.post('/authorize_interaction', { csrf_token, action: 'follow', id: other })).status, 404)
})

test('users see their own account without a follow button', async () => {
  const page = await visit(`acct:ada@${server.domain}`)
  assert.match(page.text, /This is you/)
  assert.equal(page.forms.filter(({ fields }) => fields.action === 'follow').length, 0)
})
