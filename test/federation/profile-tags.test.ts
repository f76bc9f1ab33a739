// Hashtags and links on profiles, and blocked domains, between two servers.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { startNetwork, type Network } from '../support/network.ts'
import { startPeer } from '../support/peer.ts'
import { bringForward } from '../support/jobs.ts'
import { befriend, meet } from '../support/federated-people.ts'
import { eventually, type Person } from '../support/server.ts'

let network: Network<'alpha' | 'beta'>
let ada: Person
let bob: Person
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  ;[ada, bob] = await Promise.all([network.alpha.person('ada'), network.beta.person('bob')])
})
after(() => network.stop())

const tagsAt = async (id: string): Promise<string[]> =>
  (await bob.get(`/api/v1/accounts/${id}/featured_tags`)).map(({ name }: any) => name)

test('featured hashtags and their changes reach the servers of followers', async () => {
  await ada.post('/api/v1/featured_tags', { name: 'Engines' })
  const id = await meet(network.beta, bob, network.alpha, ada)
  await network.drain()
  assert.deepEqual(await tagsAt(id), ['Engines'])
  await befriend(network, [network.beta, bob], [network.alpha, ada])
  await ada.post('/api/v1/tags/looms/feature')
  await network.drain()
  assert.deepEqual((await tagsAt(id)).toSorted(), ['Engines', 'looms'])
  await ada.post('/api/v1/tags/engines/unfeature')
  await network.drain()
  assert.deepEqual(await tagsAt(id), ['looms'])
})

test('every server verifies profile links itself', async () => {
  const cleo = await network.alpha.person('cleo')
  const site = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<a rel="me" href="${network.alpha.ctx.config.baseUrl}/@cleo">me</a>`),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  try {
    const link = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    await cleo.send('PATCH', '/api/v1/accounts/update_credentials', {
      json: { fields_attributes: [{ name: 'Site', value: link }] },
    })
    const id = await meet(network.beta, bob, network.alpha, cleo)
    await network.drain()
    await bringForward(network.beta, 'accounts.verify-links')
    await network.drain()
    assert.notEqual((await bob.get(`/api/v1/accounts/${id}`)).fields[0].verified_at, null)
  } finally {
    site.close()
  }
})

test('changes of a remote profile cause one verification of its links', async () => {
  const peer = await startPeer()
  try {
    const erik = await peer.actor('erik')
    const found = await bob.get(`/api/v2/search?type=accounts&resolve=true&q=@erik@${peer.domain}`)
    const id = found.accounts[0].id as string
    const { database } = network.beta
    for (const link of ['one', 'two', 'three'].map((name) => new URL(name, peer.url).href)) {
      const attachment = [{ type: 'PropertyValue', name: 'Site', value: `<a href="${link}">${link}</a>` }]
      peer.serve('/users/erik', { ...erik.document, attachment })
      const update = { id: `${erik.uri}#${link}`, type: 'Update', actor: erik.uri, object: erik.uri }
      assert.equal(await peer.send(network.beta, erik, update), 202)
      await network.drain()
      // The random delay may be short.
      await database.raw(
        `update pgboss.job set start_after = now() + interval '1 hour' where name = 'accounts.verify-links' and state = 'created'`,
      )
    }
    assert.match((await bob.get(`/api/v1/accounts/${id}`)).fields[0].value, /three/)
    const { rows } = await database.raw(
      `select from pgboss.job where name = 'accounts.verify-links' and state = 'created' and data ->> 'accountId' = $1`,
      [id],
    )
    assert.equal(rows.length, 1)
  } finally {
    await peer.stop()
  }
})

test('a link is verified only if its text is its address, and stays verified when the account is fetched again', async () => {
  const peer = await startPeer()
  try {
    const dana = await peer.actor('dana', {
      attachment: ['https://other.test/', peer.domain, peer.url].map((text) => ({
        type: 'PropertyValue',
        name: ` ${text}`,
        value: `<a href="${peer.url}">${text}</a>`,
      })),
    })
    peer.serve('/', { type: 'text/html', body: `<a rel="me" href="${dana.uri}">me</a>` })
    const found = await bob.get(`/api/v2/search?type=accounts&resolve=true&q=@dana@${peer.domain}`)
    const id = found.accounts[0].id as string
    await network.drain()
    await bringForward(network.beta, 'accounts.verify-links')
    await network.drain()
    const verified = async (): Promise<boolean[]> =>
      (await bob.get(`/api/v1/accounts/${id}`)).fields.map((field: any) => field.verified_at !== null)
    assert.deepEqual(await verified(), [false, true, true])
    peer.serve('/users/dana', { ...dana.document, name: 'Dana' })
    const update = { id: `${dana.uri}#renamed`, type: 'Update', actor: dana.uri, object: dana.uri }
    assert.equal(await peer.send(network.beta, dana, update), 202)
    await network.drain()
    assert.equal((await bob.get(`/api/v1/accounts/${id}`)).display_name, 'Dana')
    assert.deepEqual(await verified(), [false, true, true])
  } finally {
    await peer.stop()
  }
})

test('other servers store all websites that may credit an author', async () => {
  const dora = await network.alpha.person('dora')
  const domains = Array.from({ length: 100 }, (_, i) => `site${i}.test`)
  await dora.send('PATCH', '/api/v1/accounts/update_credentials', { json: { attribution_domains: domains } })
  const id = await meet(network.beta, bob, network.alpha, dora)
  const stored = await network.beta.ctx.db.one(sql`select attribution_domains from accounts where id = ${id}`)
  assert.deepEqual(stored, { attribution_domains: domains })
})

test('a domain block ends follows in both directions on both servers', async () => {
  const bobAtAlpha = await befriend(network, [network.alpha, ada], [network.beta, bob])
  const adaAtBeta = await befriend(network, [network.beta, bob], [network.alpha, ada])
  const relation = async (who: Person, id: string): Promise<any> =>
    (await who.get(`/api/v1/accounts/relationships?id=${id}`))[0]
  assert.deepEqual(
    [(await relation(ada, bobAtAlpha)).following, (await relation(bob, adaAtBeta)).following],
    [true, true],
  )
  await ada.post('/api/v1/domain_blocks', { domain: network.beta.domain })
  await network.drain()
  const mine = await relation(ada, bobAtAlpha)
  assert.deepEqual([mine.following, mine.followed_by, mine.domain_blocking], [false, false, true])
  await eventually(async () => {
    const theirs = await relation(bob, adaAtBeta)
    return !theirs.following && !theirs.followed_by
  })
})
