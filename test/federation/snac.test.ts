// What snac 2.96 does, in the documents that it sends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { stage } from '../support/stage.ts'
import { AS, settleAll } from '../support/other-software.ts'

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const sam = (await settleAll(peer))['snac'] as PeerActor
sam.document['summary'] = '<br>'
peer.serve(new URL(sam.uri).pathname, sam.document)

const send = async (activity: Record<string, unknown>): Promise<void> => {
  assert.equal(await peer.send(server, sam, { '@context': AS, actor: sam.uri, ...activity }), 202)
  await server.drain()
}

const findAccount = async (): Promise<any> =>
  (await ada.get(`/api/v2/search?q=${encodeURIComponent(sam.uri)}&resolve=true&type=accounts`)).accounts[0]

test('pinned posts are found in a collection of Creates', async () => {
  const id = `${sam.uri}/p/1795454410.094734`
  const note = {
    '@context': AS,
    type: 'Note',
    id,
    published: '2026-01-23T17:20:10Z',
    attributedTo: sam.uri,
    summary: '',
    content: 'pinned<br>',
    context: `${id}#ctxt`,
    url: id,
    to: [PUBLIC],
    cc: [],
    inReplyTo: null,
    tag: [],
    sourceContent: 'pinned',
  }
  peer.serve(new URL(id).pathname, note)
  peer.serve(`${new URL(sam.uri).pathname}/featured`, {
    '@context': AS,
    type: 'OrderedCollection',
    id: `${sam.uri}/featured`,
    attributedTo: sam.uri,
    totalItems: 1,
    orderedItems: [
      {
        '@context': AS,
        type: 'Create',
        id: `${id}/Create`,
        actor: sam.uri,
        published: note.published,
        object: note,
        attributedTo: sam.uri,
        cc: [],
        to: [PUBLIC],
      },
    ],
  })
  const account = await findAccount()
  await ada.get(`/api/v1/accounts/${account.id}`)
  await server.drain()
  const pinned = await ada.get(`/api/v1/accounts/${account.id}/statuses?pinned=true`)
  assert.deepEqual(
    pinned.map(({ uri }: any) => uri),
    [id],
  )
})

const vote = (uri: string, name: string, content?: string): Promise<void> => {
  const id = `${sam.uri}/p/1795454298.${name}`
  const to = [adaUri, adaUri]
  return send({
    type: 'Create',
    id: `${id}/Create`,
    published: '2026-01-23T17:18:18Z',
    object: {
      '@context': AS,
      type: 'Note',
      id,
      published: '2026-01-23T17:18:18Z',
      attributedTo: sam.uri,
      summary: '',
      ...(content === undefined ? {} : { content }),
      context: `${id}#ctxt`,
      url: id,
      to,
      cc: [],
      inReplyTo: uri,
      tag: [{ type: 'Mention', href: adaUri, name: `@ada@${server.domain}` }],
      name,
    },
    attributedTo: sam.uri,
    cc: [],
    to,
  })
}

test('votes from its web pages and from apps are counted', async () => {
  const poll = { options: ['red', 'green', 'blue'], multiple: true, expires_in: 600 }
  const { id, uri } = await ada.post('/api/v1/statuses', { status: 'Which?', poll })
  await vote(uri, 'red')
  await vote(uri, 'blue', '<br>')
  // A reply, although it names an option.
  await vote(uri, 'green', 'I like green<br>')
  const counts = (await ada.get(`/api/v1/statuses/${id}`)).poll.options.map((option: any) => option.votes_count)
  assert.deepEqual(counts, [1, 0, 1])
  const { descendants } = await ada.get(`/api/v1/statuses/${id}/context`)
  assert.deepEqual(
    descendants.map(({ content }: any) => content),
    ['I like green<br />'],
  )
})

test('a follow request is cancelled by an Undo that names the account, with an id on its host', async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const follow = (id: number): Promise<void> =>
    send({ type: 'Follow', id: `${sam.uri}/d/1795454620.${id}/Follow`, object: adaUri })
  const cancel = (object: string): Promise<void> =>
    send({ type: 'Undo', id: `${object}/Undo_1795454620.181710`, published: '2026-01-23T17:23:40Z', object })
  const requests = async (): Promise<string[]> =>
    (await ada.get('/api/v1/follow_requests')).map(({ acct }: any) => acct)
  await follow(1)
  assert.deepEqual(await requests(), [`snail@${peer.domain}`])
  const other = await server.person('bob')
  await cancel(`http://${server.domain}/users/${other.username}`)
  await cancel(`http://${server.domain}/users/nobody`)
  assert.equal((await requests()).length, 1)
  await cancel(adaUri)
  assert.deepEqual(await requests(), [])
  // The next request counts.
  await follow(2)
  assert.equal((await requests()).length, 1)
})

test('other activities need an id on the host of their actor', async () => {
  const { uri } = await ada.post('/api/v1/statuses', { status: 'hello' })
  for (const type of ['Like', 'Announce', 'Follow'])
    assert.equal(
      await peer.send(server, sam, { '@context': AS, id: `${adaUri}/${type}`, type, actor: sam.uri, object: uri }),
      401,
    )
})

test('a bio and a post without text are empty', async () => {
  assert.equal((await findAccount()).note, '')
  const id = `${sam.uri}/p/1795454065.722879`
  const attachment = [{ mediaType: 'image/png', url: `${peer.url}/a.png`, name: 'An orange field', type: 'Image' }]
  const note = {
    type: 'Note',
    id,
    attributedTo: sam.uri,
    summary: '',
    content: '<br>',
    to: [adaUri],
    cc: [],
    attachment,
  }
  await send({ type: 'Create', id: `${id}/Create`, object: note, attributedTo: sam.uri, to: [adaUri], cc: [] })
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(id)}&type=statuses`)
  assert.deepEqual([statuses[0].content, statuses[0].media_attachments[0].description], ['', 'An orange field'])
})

test('its accounts move without movedTo when each of both has the other as an alias', async () => {
  const next = await peer.actor('next', { alsoKnownAs: [sam.uri] })
  const { id } = await findAccount()
  await ada.post(`/api/v1/accounts/${id}/follow`)
  await server.drain()
  const follow = peer.received.findLast(({ type }) => type === 'Follow')
  await send({ type: 'Accept', id: `${sam.uri}/d/1795454021.439855/Accept`, object: follow, to: adaUri })
  const move = async (count: number): Promise<unknown[]> => {
    peer.received.length = 0
    await send({ type: 'Move', id: `${sam.uri}/d/179545614${count}/Move`, object: sam.uri, target: next.uri })
    return peer.received.map(({ type, object }) => [type, object.object ?? object]).toSorted()
  }
  assert.deepEqual(await move(1), [])
  sam.document['alsoKnownAs'] = [next.uri]
  peer.serve(new URL(sam.uri).pathname, sam.document)
  assert.deepEqual(await move(2), [
    ['Follow', next.uri],
    ['Undo', sam.uri],
  ])
  assert.equal((await ada.get(`/api/v1/accounts/${id}`)).moved.acct, `next@${peer.domain}`)
})
