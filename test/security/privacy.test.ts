import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/api/routes.ts'
import { signedHeaders, type PeerActor } from '../support/peer.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Leaks of private data that other servers have had.

const { server, peer, ada, bob, eve } = await stage({ accounts: ['ada', 'bob', 'eve'], peers: ['peer'] })
const zed = await peer.actor('zed')
await bob.post(`/api/v1/accounts/${ada.id}/follow`)
await server.drain()

const post = (who: Person, json: object): Promise<any> => who.post('/api/v1/statuses', { status: 'said', ...json })

const signedGet = async (actor: PeerActor, uri: string): Promise<number> => (await signedRead(actor, uri)).status

async function signedRead(actor: PeerActor, uri: string): Promise<any> {
  const accept = 'application/activity+json'
  return server.send('GET', uri, { headers: { ...(await signedHeaders(uri, actor)), accept } })
}

test('actors of a domain that the author blocks can neither fetch the post nor favourite or boost it', async () => {
  const { id, uri } = await post(ada, {})
  assert.equal(await signedGet(zed, uri), 200)
  await ada.post('/api/v1/domain_blocks', { domain: peer.domain })
  assert.equal(await signedGet(zed, uri), 404)
  assert.equal(await signedGet(zed, `${uri}/replies`), 404)
  assert.equal(await peer.send(server, zed, { id: `${peer.url}/like`, type: 'Like', actor: zed.uri, object: uri }), 202)
  const boost = { id: `${peer.url}/boost`, type: 'Announce', actor: zed.uri, object: uri, to: [`${zed.uri}/followers`] }
  assert.equal(await peer.send(server, zed, boost), 202)
  await server.drain()
  const status = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count], [0, 0])
  const other = await post(bob, {})
  assert.equal(await signedGet(zed, other.uri), 200, 'posts of authors who do not block the domain are still served')
})

test('actors that an account blocks, or whose domain it blocks, get none of its pinned posts', async () => {
  const [found] = (await eve.get(`/api/v2/search?q=zed@${peer.domain}&resolve=true&type=accounts`)).accounts
  const pinned = [await post(eve, {}), await post(eve, { visibility: 'private' })]
  for (const { id } of pinned) await eve.post(`/api/v1/statuses/${id}/pin`)
  const { uri } = pinned[0]
  const shown = async (): Promise<number> =>
    (await signedRead(zed, uri.replace(/statuses.*/, 'collections/featured'))).json.orderedItems.length
  assert.equal(await shown(), 2)
  await eve.post(`/api/v1/accounts/${found.id}/block`)
  assert.equal(await shown(), 0)
  await eve.post(`/api/v1/accounts/${found.id}/unblock`)
  assert.equal(await shown(), 2)
  await eve.post('/api/v1/domain_blocks', { domain: peer.domain })
  assert.equal(await shown(), 0)
  await eve.send('DELETE', '/api/v1/domain_blocks', { json: { domain: peer.domain } })
})

test('revoking a quote does not reveal the quoting post to an author who may not read it', async () => {
  const { id } = await post(ada, { quote_approval_policy: 'public' })
  const quote = await post(eve, { status: 'only for mine', quoted_status_id: id, visibility: 'private' })
  assert.equal((await ada.send('GET', `/api/v1/statuses/${quote.id}`)).status, 404)
  const revoked = await ada.send('POST', `/api/v1/statuses/${id}/quotes/${quote.id}/revoke`)
  assert.equal(revoked.status, 404)
  assert.doesNotMatch(revoked.text, /only for mine/)
  assert.equal(
    (await eve.get(`/api/v1/statuses/${quote.id}`)).quote.state,
    'revoked',
    'the quote is revoked although the answer is a 404',
  )
})

test('an edit that adds a mention shows a direct post to that account; it stays readable only together with its notification', async () => {
  const { id } = await post(ada, { status: '@bob for few', visibility: 'direct' })
  assert.equal((await eve.send('GET', `/api/v1/statuses/${id}`)).status, 404)
  await ada.put(`/api/v1/statuses/${id}`, { status: '@bob @eve for few' })
  await server.drain()
  assert.equal(
    (await eve.send('GET', `/api/v1/statuses/${id}`)).status,
    200,
    'the newly mentioned account may read the post',
  )
  await ada.put(`/api/v1/statuses/${id}`, { status: '@bob for few, again' })
  const [seen, notifications] = await Promise.all([
    eve.send('GET', `/api/v1/statuses/${id}`),
    eve.get('/api/v1/notifications?types[]=mention'),
  ])
  assert.equal(
    seen.status === 200,
    notifications.length > 0,
    'the post is readable if and only if the notification is still there',
  )
})

test('private and direct replies are neither counted nor listed for anonymous viewers', async () => {
  const { id, uri } = await post(ada, {})
  await post(bob, { status: '@ada psst', in_reply_to_id: id, visibility: 'direct' })
  await post(bob, { status: 'for mine', in_reply_to_id: id, visibility: 'private' })
  const open = (await server.send('GET', `/api/v1/statuses/${id}`)).json
  assert.equal(open.replies_count, 0)
  const thread = (await server.send('GET', `/api/v1/statuses/${id}/context`)).json
  assert.deepEqual(thread.descendants, [])
  const headers = { accept: 'application/activity+json' }
  const replies = await server.send('GET', `${new URL(uri).pathname}/replies?page=true`, { headers })
  assert.equal(replies.status, 200)
  assert.doesNotMatch(replies.text, /users\/bob/)
})

test('every request about a hidden status is answered as for a status that does not exist', async () => {
  const hidden = await post(ada, {
    status: 'poll for mine',
    visibility: 'private',
    poll: { options: ['a', 'b'], expires_in: 600 },
  })
  const missing = '1'
  const reads = ['', '/context', '/history', '/source', '/favourited_by', '/reblogged_by', '/quotes'].map(
    (path) =>
      (id: string): [string, string] => ['GET', `/api/v1/statuses/${id}${path}`],
  )
  const acts = [
    'favourite',
    'reblog',
    'bookmark',
    'mute',
    'pin',
    'translate',
    'unfavourite',
    'unreblog',
    'unbookmark',
  ].map((path) => (id: string): [string, string] => ['POST', `/api/v1/statuses/${id}/${path}`])
  for (const address of [...reads, ...acts]) {
    const [one, other] = await Promise.all(
      [hidden.id, missing].map((id) => {
        const [method, path] = address(id)
        return eve.send(method, path)
      }),
    )
    assert.deepEqual([one?.status, one?.text], [other?.status, other?.text], address(hidden.id).join(' '))
    assert.equal(one?.status, 404)
  }
  const polls = await Promise.all([hidden.poll.id, '999999'].map((id) => eve.send('GET', `/api/v1/polls/${id}`)))
  assert.deepEqual(
    polls.map(({ status, text }) => [status, text])[0],
    polls.map(({ status, text }) => [status, text])[1],
  )
  const votes = await eve.send('POST', `/api/v1/polls/${hidden.poll.id}/votes`, { json: { choices: [0] } })
  assert.equal(votes.status, 404)
  const reply = await eve.send('POST', '/api/v1/statuses', { json: { status: 'x', in_reply_to_id: hidden.id } })
  assert.equal(reply.status, 404)
  for (const path of [`/@ada/${hidden.id}`, `/@ada/${hidden.id}/embed`, `/users/ada/statuses/${hidden.id}`])
    assert.notEqual(
      (await server.send('GET', path, { headers: { accept: 'application/activity+json' } })).status,
      200,
      path,
    )
  const embedded = await server.send('GET', `/api/oembed?url=${encodeURIComponent(hidden.url)}`)
  assert.equal(embedded.status, 404)
  const found = await eve.get(`/api/v2/search?q=${encodeURIComponent(hidden.uri)}&resolve=true`)
  assert.deepEqual(found.statuses, [])
})

test('no one learns of an account before its address is confirmed and its sign-up approved', async () => {
  const waiting = await server.person('waiting', { approved: false, displayName: 'Not yet here' })
  for (const path of ['', '.rss', '/media.rss', '/followers', '/following'])
    assert.equal((await server.send('GET', `/@waiting${path}`, { headers: { accept: 'text/html' } })).status, 404, path)
  assert.deepEqual(await eve.get(`/api/v1/accounts/familiar_followers?id[]=${waiting.id}`), [])
  const uri = `http://${server.domain}/users/waiting`
  const yan = await peer.actor('yan', { movedTo: uri })
  const follow = { id: `${yan.uri}#follow`, type: 'Follow', actor: yan.uri, object: uri }
  assert.equal(await peer.send(server, yan, follow), 202)
  await server.drain()
  assert.ok(peer.received.every(({ type }) => type !== 'Accept'))
  const [found] = (await eve.get(`/api/v2/search?q=yan@${peer.domain}&resolve=true&type=accounts`)).accounts
  assert.equal(found.moved ?? null, null)
})

test('pages escape markup in names, bios, profile fields, posts and polls', async () => {
  const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
  await eve.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: {
      display_name: evil.slice(0, 30),
      note: evil,
      fields_attributes: [{ name: evil, value: `javascript:alert(1) ${evil}` }],
    },
  })
  await post(eve, { status: `${evil} #tag`, spoiler_text: evil })
  const { id } = await post(eve, { status: evil, poll: { options: [evil.slice(0, 45), 'b'], expires_in: 600 } })
  const pages = ['/@eve', '/@eve/with_replies', `/@eve/${id}`, `/@eve/${id}/embed`, '/tags/tag', '/about']
  for (const path of pages) {
    const { status, text, headers } = await server.send('GET', path, { headers: { accept: 'text/html' } })
    assert.equal(status, 200, path)
    assert.doesNotMatch(text, /<script|<img src=x|href="javascript/, path)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/)
  }
})

test('responses to requests with a token must not be stored by caches', async () => {
  const { id, url } = await post(ada, {})
  const values: Record<string, string> = {
    id,
    account_id: ada.id,
    status_id: id,
    year: '2025',
    name: 'a',
    hashtag: 'a',
  }
  const paths = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1'))
  for (const path of [...paths, `/api/oembed?url=${encodeURIComponent(url)}`]) {
    const answer = await ada.send('GET', path)
    assert.match(answer.headers.get('cache-control') ?? '', /^(private, )?no-store$/, `${path} ${answer.status}`)
    assert.match(answer.headers.get('vary') ?? '', /Authorization/, path)
  }
})
