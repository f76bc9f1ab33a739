import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount } from '../support/acts.ts'
import { beforeStatement } from '../support/races.ts'
import { stage } from '../support/stage.ts'

// Actors, WebFinger, host-meta and NodeInfo as other servers read them.

const AP = 'application/activity+json'
const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const { server } = await stage({ accounts: ['ada'] })
const base = server.ctx.config.baseUrl
const uri = `${base}/users/ada`

const ask = (path: string, accept = AP, method = 'GET') =>
  server.send(method, path.replace(base, ''), { headers: { accept } })
const read = async (path: string): Promise<any> => JSON.parse((await ask(path)).text)

test('an actor is the same document at every address and for every Accept header', async () => {
  const actor = await read(uri)
  assert.equal(actor.id, uri)
  const spellings = ['/users/ada', '/users/ADA', '/users/ada/', '/@ada', '/@Ada', '/@ada/', '/users/ada#main-key']
  for (const path of spellings)
    for (const accept of [
      AP,
      LD,
      `${AP}, ${LD}`,
      `${LD}, ${AP};q=0.9, */*;q=0.1`,
      'application/activity+json,application/ld+json',
      'application/json, */*;q=0.5',
    ]) {
      const answer = await ask(path, accept)
      assert.equal(answer.status, 200, `${path} ${accept}`)
      assert.equal(answer.headers.get('content-type'), 'application/activity+json; charset=utf-8')
      assert.match(answer.headers.get('vary') ?? '', /\bAccept\b/)
      assert.deepEqual(JSON.parse(answer.text), actor)
    }
})

test('the document of an actor who is deleted during the request is gone', async () => {
  const bob = await server.person('bob')
  const deleted = await beforeStatement(server, 'a.memorial, a.also_known_as,', () => deleteAccount(server.ctx, bob.id))
  const { status } = await ask('/users/bob')
  await deleted()
  assert.equal(status, 410)
})

test('HEAD responds like GET, without a body', async () => {
  for (const path of [
    '/users/ada',
    '/@ada',
    '/users/ada/outbox',
    '/actor',
    `/.well-known/webfinger?resource=acct:ada@${server.domain}`,
  ]) {
    const [head, get] = [await ask(path, AP, 'HEAD'), await ask(path)]
    assert.equal(head.status, 200, path)
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path)
    assert.equal(head.text, '')
  }
})

test('browsers get pages, and unknown or malformed Accept headers cause no error', async () => {
  assert.equal((await ask('/@ada', 'text/html')).headers.get('content-type'), 'text/html; charset=utf-8')
  for (const accept of ['text/html, */*', 'text/html, application/json'])
    assert.equal((await ask('/users/ada', accept)).headers.get('location'), `${base}/@ada`)
  for (const accept of ['', '*/*', 'application/json+activity', ';;;', 'x'.repeat(5000)])
    assert.ok((await ask('/users/ada', accept)).status < 400, accept.slice(0, 30))
  assert.equal((await ask('/users/nobody')).status, 404)
  assert.equal((await ask('/@nobody')).status, 404)
})

test('an actor has all properties that other servers read', async () => {
  const actor = await read(uri)
  assert.equal(actor.type, 'Person')
  assert.equal(actor.preferredUsername, 'ada')
  assert.equal(actor.url, `${base}/@ada`)
  assert.deepEqual(actor.publicKey.id.split('#'), [uri, 'main-key'])
  assert.equal(actor.publicKey.owner, uri)
  assert.match(actor.publicKey.publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
  assert.equal(actor.endpoints.sharedInbox, `${base}/inbox`)
  for (const name of ['inbox', 'outbox', 'followers', 'following', 'featured', 'featuredTags'])
    assert.ok(actor[name].startsWith(`${uri}/`), name)
  for (const name of ['attachment', 'tag']) assert.ok(Array.isArray(actor[name]), name)
  assert.match(actor.published, /^\d{4}-\d\d-\d\dT/)
})

test('the instance actor has a name without a port, and WebFinger finds it with and without', async () => {
  const actor = await read('/actor')
  const name = server.domain.replace(/:\d+$/, '')
  assert.deepEqual([actor.id, actor.type, actor.preferredUsername], [`${base}/actor`, 'Application', name])
  for (const handle of [
    `${name}@${server.domain}`,
    `${server.domain}@${server.domain}`,
    `${name}@${name}`,
    `${name.toUpperCase()}@${server.domain}`,
  ]) {
    const answer = await ask(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${handle}`)}`, '*/*')
    assert.equal(answer.status, 200, handle)
    const jrd = JSON.parse(answer.text)
    assert.equal(jrd.subject, `acct:${name}@${server.domain}`)
    assert.equal(jrd.links.find(({ rel }: any) => rel === 'self').href, actor.id)
  }
})

test('WebFinger responds with 404 to an unknown resource and with 400 to a malformed one', async () => {
  const statusOf = async (resource: string): Promise<number> =>
    (await ask(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)).status
  for (const resource of [
    `mailto:ada@${server.domain}`,
    'did:web:localhost',
    'ftp://localhost/ada',
    `acct:nobody@${server.domain}`,
    'acct:ada@localhost',
    'acct:ada@far.test',
    'acct:far.test@far.test',
    'https://far.test/@ada',
  ])
    assert.equal(await statusOf(resource), 404, resource)
  for (const resource of [
    '',
    'ada',
    'df/:dfkj',
    `ada@${server.domain}`,
    `@ada@${server.domain}`,
    'ada@far.test',
    'ada@',
    '@ada',
    'acct:',
    'acct:ada',
    'acct:@localhost',
    'acct:ada@',
    ' :',
    // What is left of `resource==acct:…`.
    `=acct:ada@${server.domain}`,
    `?ada@${server.domain}`,
    'ada@not a host',
  ])
    assert.equal(await statusOf(resource), 400, resource)
  assert.equal((await ask('/.well-known/webfinger')).status, 400)
})

test('WebFinger and host-meta have the usual formats', async () => {
  for (const resource of [
    `acct:ada@${server.domain}`,
    `acct:ADA@${server.domain}`,
    `acct:@ada@${server.domain}`,
    uri,
    `${base}/@ada`,
  ]) {
    const answer = await ask(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`, 'application/jrd+json')
    assert.equal(answer.headers.get('content-type'), 'application/jrd+json; charset=utf-8', resource)
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const jrd = JSON.parse(answer.text)
    assert.equal(jrd.subject, `acct:ada@${server.domain}`)
    assert.deepEqual(jrd.aliases, [`${base}/@ada`, uri])
    assert.deepEqual(
      jrd.links.find(({ rel }: any) => rel === 'self'),
      { rel: 'self', type: AP, href: uri },
    )
  }
  const template = `${base}/.well-known/webfinger?resource={uri}`
  const xrd = await ask('/.well-known/host-meta', '*/*')
  assert.equal(xrd.headers.get('content-type'), 'application/xrd+xml; charset=utf-8')
  assert.equal(xrd.headers.get('cache-control'), 'max-age=300, public')
  assert.ok(xrd.text.includes(`<Link rel="lrdd" template="${template}"/>`))
  for (const [path, accept] of [
    ['/.well-known/host-meta', 'application/json'],
    ['/.well-known/host-meta.json', '*/*'],
  ] as const) {
    const json = await ask(path, accept)
    assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8', path)
    assert.deepEqual(JSON.parse(json.text), { links: [{ rel: 'lrdd', template }] }, path)
  }
  for (const path of [
    `/.well-known/webfinger?resource=acct:ada@${server.domain}`,
    '/.well-known/nodeinfo',
    '/nodeinfo/2.0',
  ])
    assert.equal((await ask(path.replace(/(\?|$)/, '.json$1'), '*/*')).text, (await ask(path, '*/*')).text, path)
  const links = JSON.parse((await ask('/.well-known/nodeinfo', '*/*')).text).links
  assert.ok(links.some(({ rel }: any) => rel === 'http://nodeinfo.diaspora.software/ns/schema/2.0'))
})
