// A local account gets a new signing key, as `rookery accounts rotate-keys` gives it.
import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { type IncomingMessage } from 'node:http'
import { cleanUp, rotateKey } from '../support/acts.ts'
import { startNetwork } from '../support/network.ts'
import { stage } from '../support/stage.ts'

const { server, ada, peer } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')
const follow = { type: 'Follow', id: `${eve.uri}#follow`, actor: eve.uri, object: adaUri }
assert.equal(await peer.send(server, eve, follow), 202)
await server.drain()

const publishedKey = async (): Promise<string> =>
  (await server.send('GET', '/users/ada', { headers: { accept: 'application/activity+json' } })).json.publicKey
    .publicKeyPem

/** Checks a draft-cavage signature. */
function isSignedWith(pem: string, { method = '', url = '', headers }: IncomingMessage): boolean {
  const [, names = ''] = /headers="([^"]+)"/.exec(String(headers['signature'])) ?? []
  const [, signature = ''] = /signature="([^"]+)"/.exec(String(headers['signature'])) ?? []
  const value = (name: string): string =>
    name === '(request-target)' ? `${method.toLowerCase()} ${url}` : String(headers[name])
  const base = names.split(' ').map((name) => `${name}: ${value(name)}`)
  return verify('sha256', Buffer.from(base.join('\n')), pem, Buffer.from(signature, 'base64'))
}

const rotate = async (): Promise<void> => {
  assert.equal(await rotateKey(server.ctx, { id: ada.id, username: 'ada' }), true)
  await server.drain()
}

/** The requests with signatures that arrive at the peer, of which it refuses some with 401. */
function watch(t: TestContext, refuses: (request: IncomingMessage) => boolean = () => false): IncomingMessage[] {
  const requests: IncomingMessage[] = []
  peer.received.length = 0
  peer.refuses = (request) => {
    if (request.method !== 'POST') return null
    if (refuses(request)) return 401
    requests.push(request)
    return null
  }
  t.after(() => void (peer.refuses = () => null))
  return requests
}

test('a server that keeps keys, and fetches none again, learns the new one from the Update', async (t) => {
  let key = await publishedKey()
  const requests = watch(t)
  await rotate()
  await ada.post('/api/v1/statuses', { status: 'with the new key' })
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { form: { note: 'Newer' } })
  await server.drain()
  const accepted: string[] = []
  for (const [i, request] of requests.entries()) {
    if (!isSignedWith(key, request)) continue
    const { type, object } = peer.received[i] as any
    accepted.push(type === 'Update' ? object.summary : type)
    if (type === 'Update') key = object.publicKey.publicKeyPem
  }
  assert.equal(key, await publishedKey())
  assert.deepEqual(new Set(accepted), new Set(['', 'Create', '<p>Newer</p>']))
})

test('a server that does not know the former key gets the Update with the new one', async (t) => {
  const before = await publishedKey()
  const keys: string[] = []
  const requests = watch(t, (request) => keys.length === 0 || !keys.some((pem) => isSignedWith(pem, request)))
  await rotate()
  assert.deepEqual(peer.received, [], 'it refuses all')
  const current = await publishedKey()
  assert.notEqual(current, before)
  keys.push(current)
  await server.database.raw(
    `update pgboss.job set start_after = now() where name = 'federation.deliver' and state = 'retry'`,
  )
  await server.drain()
  assert.deepEqual(
    peer.received.map(({ type }) => type),
    ['Update'],
  )
  assert.ok(requests.every((request) => isSignedWith(current, request)))
})

test('the former key signs nothing else, and is deleted after two days', async (t) => {
  const former = await publishedKey()
  const requests = watch(t)
  await rotate()
  const withFormer = (): number => requests.splice(0).filter((request) => isSignedWith(former, request)).length
  assert.equal(withFormer(), 1)
  await ada.post('/api/v1/statuses', { status: 'not with the former key' })
  await server.drain()
  assert.deepEqual([requests.length, withFormer()], [1, 0])
  const stored = async (): Promise<string | null> =>
    (await server.database.raw('select former_private_key from account_keys where account_id = $1', [ada.id])).rows[0]
      .former_private_key
  await cleanUp(server.ctx)
  assert.ok(await stored())
  await server.database.raw(
    `update account_keys set replaced_at = replaced_at - interval '49 hours', public_key = public_key where account_id = $1`,
    [ada.id],
  )
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { form: { note: 'Later' } })
  await server.drain()
  assert.deepEqual([requests.length, withFormer()], [1, 0])
  await cleanUp(server.ctx)
  assert.equal(await stored(), null)
})

test('another server takes the new key, and refuses the former one', async (t) => {
  const network = await startNetwork(['alpha', 'beta'])
  t.after(() => network.stop())
  const [author, reader] = [await network.alpha.person('author'), await network.beta.person('reader')]
  const find = async (): Promise<any> => {
    const query = new URLSearchParams({ q: `author@${network.alpha.domain}`, resolve: 'true', type: 'accounts' })
    return (await reader.get(`/api/v2/search?${query}`)).accounts[0]
  }
  await reader.post(`/api/v1/accounts/${(await find()).id}/follow`)
  await network.drain()
  const uri = `http://${network.alpha.domain}/users/author`
  const keyAt = async (name: 'alpha' | 'beta', column: 'public_key' | 'private_key'): Promise<string> =>
    (
      await network[name].database.raw(`select ${column} as key from account_keys where key_id = $1`, [
        `${uri}#main-key`,
      ])
    ).rows[0].key
  await author.post('/api/v1/statuses', { status: 'before' })
  await network.drain()
  const [publicKeyPem, privateKeyPem] = [await keyAt('alpha', 'public_key'), await keyAt('alpha', 'private_key')]
  assert.equal(await keyAt('beta', 'public_key'), publicKeyPem)

  await rotateKey(network.alpha.ctx, { id: author.id, username: 'author' })
  await network.drain()
  assert.notEqual(await keyAt('beta', 'public_key'), publicKeyPem)
  assert.equal(await keyAt('beta', 'public_key'), await keyAt('alpha', 'public_key'))
  const keys = { publicKeyPem, privateKeyPem }
  const thief = { name: 'author', uri, keyId: `${uri}#main-key`, keys, document: {} }
  const forged = { type: 'Delete', id: `${uri}#gone`, actor: uri, object: uri }
  assert.equal(await peer.send(network.beta, thief, forged), 401)
  await author.post('/api/v1/statuses', { status: 'after' })
  await network.drain()
  const home = await reader.get('/api/v1/timelines/home')
  assert.deepEqual(
    home.map(({ content }: any) => content),
    ['<p>after</p>', '<p>before</p>'],
  )
})
