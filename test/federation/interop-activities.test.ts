import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { bodyHash } from '../../src/ap/signatures/common.ts'
import { signMessage } from '../../src/ap/signatures/rfc9421.ts'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { copyOf } from '../support/federated-people.ts'
import { stage } from '../support/stage.ts'
import { AS, createOf, settleAll } from '../support/other-software.ts'

// What people of other servers do, in the words of their software.

let count = 0

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const of = await settleAll(peer)
afterEach(async () => {
  await server.drain()
  peer.received.length = 0
})

const by = (software: string): PeerActor => of[software] as PeerActor

/** Sends an activity of an actor, with a new id unless it has one, and waits until it is processed. */
async function act(software: string, activity: Record<string, any>): Promise<Record<string, any>> {
  const actor = by(software)
  const whole = { '@context': AS, id: `${peer.url}/activities/${++count}`, actor: actor.uri, ...activity }
  assert.equal(await peer.send(server, actor, whole), 202, JSON.stringify(whole))
  await server.drain()
  return whole
}

const post = (status: string): Promise<any> => ada.post('/api/v1/statuses', { status })
const counts = async (id: string): Promise<number[]> => {
  const {
    favourites_count: likes,
    reblogs_count: boosts,
    replies_count: replies,
  } = await ada.get(`/api/v1/statuses/${id}`)
  return [likes, boosts, replies]
}
const idOf = async (software: string): Promise<string> =>
  (await ada.get(`/api/v2/search?q=${encodeURIComponent(by(software).uri)}&resolve=true&type=accounts`)).accounts[0].id
const relationTo = async (software: string): Promise<any> =>
  (await ada.get(`/api/v1/accounts/relationships?id[]=${await idOf(software)}`))[0]
const find = (uri: string): Promise<any> => copyOf(ada, uri)

test('profiles of other software are read', async () => {
  const accounts = await Promise.all(
    Object.values(of).map(async ({ uri }) => {
      const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=accounts`)
      return found.accounts[0]
    }),
  )
  const byName = Object.fromEntries(accounts.map((account: any) => [account.username, account]))
  assert.deepEqual(
    Object.keys(byName).toSorted(),
    Object.values(of)
      .map(({ name }) => name)
      .toSorted(),
  )
  assert.equal(byName.masto.url, `${peer.url}/@masto`)
  assert.deepEqual(
    byName.masto.fields.map(({ name, value }: any) => [name, value]),
    [['Home', 'the savannah']],
  )
  assert.equal(byName.sloth.locked, true)
  assert.equal(byName.mi.display_name, '')
  assert.equal(byName.rooks.group, true)
  assert.equal(byName.press.url, `${peer.url}/?author=1`)
  assert.deepEqual(
    byName.press.fields.map(({ name }: any) => name),
    ['Blog'],
  )
  assert.equal(byName.odd.display_name, 'Odd & even')
  assert.equal(byName.odd.note, '<p>first line<br />second line</p>')
  assert.deepEqual(
    byName.odd.emojis.map(({ shortcode }: any) => shortcode),
    ['odd'],
  )
  assert.deepEqual(
    byName.odd.fields.map(({ name }: any) => name),
    ['Only'],
  )
})

test('follows of all software are accepted, and the Accept names their Follow', async () => {
  for (const software of Object.keys(of).filter((name) => name !== 'peertubeChannel')) {
    peer.received.length = 0
    const sent = await act(software, {
      type: 'Follow',
      object: software === 'odd' ? { id: adaUri, type: 'Person' } : adaUri,
    })
    const [accept] = peer.received
    assert.deepEqual(
      [accept?.type, accept?.actor, accept?.object.id, accept?.object.actor, accept?.object.object],
      ['Accept', adaUri, sent.id, by(software).uri, adaUri],
      software,
    )
    assert.equal((await relationTo(software)).followed_by, true, software)
  }
})

test('an Undo may name a follow by its id, embed it, or give it another id', async () => {
  const undone: [string, (sent: Record<string, any>) => unknown][] = [
    ['akkoma', ({ id }) => id],
    ['mastodon', (sent) => ({ ...sent, '@context': undefined })],
    // Some servers do not remember the id of their Follow.
    ['misskey', ({ actor, object }) => ({ type: 'Follow', id: `${peer.url}/follows/another`, actor, object })],
    ['friendica', ({ actor, object }) => ({ type: 'Follow', actor, object })],
    ['odd', ({ id, object }) => [{ type: 'Follow', id, actor: { id: by('odd').uri, type: 'Person' }, object }]],
  ]
  for (const [software, inner] of undone) {
    const sent = await act(software, { type: 'Follow', object: adaUri })
    assert.equal((await relationTo(software)).followed_by, true, software)
    await act(software, { type: 'Undo', object: inner(sent) })
    assert.equal((await relationTo(software)).followed_by, false, software)
  }
})

test('every form of Accept and Reject of a local follow is understood', async () => {
  const forms: [string, (follow: Record<string, any>) => unknown][] = [
    ['mastodon', (follow) => follow],
    ['gotosocial', ({ id }) => id],
    ['misskey', ({ id, actor, object }) => ({ id, type: 'Follow', actor, object })],
    ['friendica', ({ actor, object }) => ({ type: 'Follow', actor, object })],
    ['lemmyGroup', ({ id, actor, object }) => ({ id, type: 'Follow', actor, object, to: [object] })],
    ['odd', ({ id, actor, object }) => [{ id, type: ['Follow'], actor: { id: actor }, object: { id: object } }]],
  ]
  for (const [software, form] of forms) {
    await ada.post(`/api/v1/accounts/${await idOf(software)}/follow`)
    await server.drain()
    const sent = peer.received.findLast(({ type, object }) => type === 'Follow' && object === by(software).uri)
    assert.ok(sent, software)
    await act(software, { type: 'Accept', object: form(sent) })
    assert.equal((await relationTo(software)).following, true, software)
    await act(software, { type: 'Reject', object: form(sent) })
    assert.equal((await relationTo(software)).following, false, software)
  }
  // BookWyrm, Takahē and FediBuzz answer under an id on the host of the follower.
  await ada.post(`/api/v1/accounts/${await idOf('odd')}/follow`)
  await server.drain()
  const sent = peer.received.findLast(({ type, object }) => type === 'Follow' && object === by('odd').uri)
  await act('odd', { type: 'Accept', id: `${adaUri}#accepts/12`, object: sent })
  assert.equal((await relationTo('odd')).following, true)
  await act('odd', { type: 'Reject', id: sent?.id, object: sent })
  assert.equal((await relationTo('odd')).following, false)
})

test('likes count with or without an emoji; other reactions are ignored, and so is their Undo', async () => {
  const { id, uri } = await post('how do you like this?')
  await act('mastodon', { type: 'Like', object: uri })
  const reaction = await act('misskey', { type: 'Like', object: uri, content: '🦉', _misskey_reaction: '🦉' })
  const custom = await act('odd', {
    type: 'Like',
    object: { id: uri, type: 'Note' },
    content: ':oak:',
    tag: [{ type: 'Emoji', name: ':oak:', icon: { type: 'Image', url: `${peer.url}/oak.png` } }],
  })
  const like = await act('akkoma', { type: 'Like', object: uri })
  const react = await act('akkoma', { type: 'EmojiReact', object: uri, content: '👍' })
  await act('friendica', { type: 'Dislike', object: uri })
  await act('lemmyUser', { type: 'Dislike', object: uri, audience: by('lemmyGroup').uri })
  assert.deepEqual(await counts(id), [4, 0, 0])
  const { '@context': _, ...inner } = react
  await act('akkoma', { type: 'Undo', object: inner })
  await act('akkoma', { type: 'Undo', object: react.id })
  assert.deepEqual(await counts(id), [4, 0, 0])
  await act('misskey', {
    type: 'Undo',
    object: { type: 'Like', id: reaction.id, actor: by('misskey').uri, object: uri, content: '🦉' },
  })
  await act('akkoma', { type: 'Undo', object: like.id })
  const boost = await act('odd', { type: 'Announce', object: uri, to: [PUBLIC] })
  assert.deepEqual(await counts(id), [2, 1, 0])
  await act('odd', { type: 'Undo', object: [boost.id, { ...custom, object: { id: uri } }] })
  assert.deepEqual(await counts(id), [1, 0, 0], 'an Undo may have several objects')
})

test('boosts count, and are undone by id, by description, or by a Delete', async () => {
  const { id, uri } = await post('pass it on')
  const cc = [adaUri]
  const boosts = [
    await act('mastodon', {
      type: 'Announce',
      object: uri,
      to: [PUBLIC],
      cc: [...cc, `${by('mastodon').uri}/followers`],
      published: '2026-01-02T00:00:00Z',
    }),
    await act('misskey', { type: 'Announce', object: uri, to: ['as:Public'], cc }),
    await act('akkoma', {
      type: 'Announce',
      object: uri,
      to: [`${by('akkoma').uri}/followers`, adaUri, PUBLIC],
      cc: [],
      context: `${peer.url}/contexts/1`,
    }),
    await act('odd', { type: 'Announce', object: [{ id: uri, type: 'Note' }], to: PUBLIC, cc: null }),
  ]
  assert.deepEqual(await counts(id), [0, 4, 0])
  const [mastodon, misskey, akkoma, odd] = boosts
  await act('mastodon', { type: 'Undo', object: { ...mastodon, '@context': undefined } })
  await act('akkoma', { type: 'Undo', object: akkoma?.id })
  await act('misskey', {
    type: 'Undo',
    object: { type: 'Announce', id: `${misskey?.id}/again`, actor: by('misskey').uri, object: uri },
  })
  await act('odd', { type: 'Delete', object: odd?.id })
  assert.deepEqual(await counts(id), [0, 0, 0])
})

test('posts are edited with or without a date, and deleted by id or by a Tombstone', async () => {
  const note = (software: string, path: string) => ({
    id: `${peer.url}${path}`,
    type: 'Note',
    attributedTo: by(software).uri,
    content: '<p>before</p>',
    to: [PUBLIC],
    cc: [adaUri],
    published: '2026-01-02T00:00:00Z',
  })
  const updates: [string, Record<string, any>, Record<string, any>][] = [
    ['mastodon', note('mastodon', '/m/1'), { updated: '2026-01-03T00:00:00Z' }],
    ['misskey', note('misskey', '/notes/mi1'), {}],
    [
      'akkoma',
      note('akkoma', '/objects/a1'),
      {
        formerRepresentations: { type: 'OrderedCollection', orderedItems: [], totalItems: 0 },
        updated: '2026-01-03T00:00:00.123456Z',
      },
    ],
    ['gotosocial', note('gotosocial', '/users/sloth/statuses/1'), { updated: '2026-01-03T00:00:00Z' }],
  ]
  for (const [software, before, change] of updates) {
    await act(software, createOf(by(software), before))
    await act(software, { type: 'Update', to: [PUBLIC], object: { ...before, ...change, content: '<p>after</p>' } })
    const status = await find(before.id)
    assert.equal(status?.content, '<p>after</p>', software)
    assert.notEqual(status?.edited_at, null, software)
  }
  const deletions: [string, unknown][] = [
    ['mastodon', { id: `${peer.url}/m/1`, type: 'Tombstone', atomUri: `${peer.url}/m/1` }],
    ['misskey', `${peer.url}/notes/mi1`],
    [
      'akkoma',
      { id: `${peer.url}/objects/a1`, type: 'Tombstone', formerType: 'Note', deleted: '2026-01-04T00:00:00Z' },
    ],
    ['gotosocial', [`${peer.url}/users/sloth/statuses/1`]],
  ]
  for (const [software, object] of deletions) {
    await act(software, { type: 'Delete', to: [PUBLIC], object })
    assert.equal(await find(updates.find(([name]) => name === software)?.[1].id), undefined, software)
  }
  const several = [note('mastodon', '/m/2'), note('mastodon', '/m/3')]
  for (const each of several) await act('mastodon', createOf(by('mastodon'), each))
  await act('mastodon', { type: 'Delete', to: [PUBLIC], object: several.map(({ id }) => id) })
  for (const { id } of several) assert.equal(await find(id), undefined, id)

  const suspend = (at: string): Promise<unknown> =>
    server.database.raw(`update accounts set suspended_at = ${at} where uri = $1`, [by('misskey').uri])
  const id = await idOf('misskey')
  await suspend('now()')
  await act('misskey', { type: 'Delete', to: [PUBLIC], object: [`${peer.url}/notes/none`, by('misskey').uri] })
  await suspend('null')
  assert.equal((await ada.get(`/api/v1/accounts/${id}`)).id, id, 'a suspended account cannot remove itself')
})

test('each edit and the deletion count, also under an id that was used before', async () => {
  const ids: [string, (note: string) => Record<'create' | 'update', string>][] = [
    ['friendica', (note) => ({ create: `${note}/Create`, update: `${note}/Update` })],
    // Mobilizon and old versions of WriteFreely send the id of the Create again.
    ['odd', (note) => ({ create: note, update: note })],
  ]
  for (const [software, idsOf] of ids) {
    const url = `${peer.url}/edited/${software}`
    const note = {
      id: url,
      type: 'Note',
      attributedTo: by(software).uri,
      content: '<p>first</p>',
      to: [PUBLIC],
      cc: [adaUri],
      published: '2026-01-02T00:00:00Z',
    }
    const { create, update } = idsOf(url)
    await act(software, { ...createOf(by(software), note), id: create })
    for (const [content, updated] of [
      ['<p>second</p>', '2026-01-03T00:00:00Z'],
      ['<p>third</p>', '2026-01-04T00:00:00Z'],
    ]) {
      await act(software, { type: 'Update', id: update, to: [PUBLIC], object: { ...note, content, updated } })
      assert.equal((await find(url))?.content, content, software)
    }
    // BookWyrm deletes a post under the id of its Create.
    await act(software, { type: 'Delete', id: create, to: [PUBLIC], object: { id: url, type: 'Tombstone' } })
    assert.equal(await find(url), undefined, software)
  }
})

test('a block ends follows, and can be undone', async () => {
  await act('pixelfed', { type: 'Follow', object: adaUri })
  const block = await act('pixelfed', { type: 'Block', object: adaUri, to: [adaUri] })
  const blocked = await relationTo('pixelfed')
  assert.deepEqual([blocked.blocked_by, blocked.followed_by], [true, false])
  await act('pixelfed', { type: 'Undo', object: block.id })
  assert.equal((await relationTo('pixelfed')).blocked_by, false)
})

test('a ban from a group or a server is no block by its moderator', async () => {
  await act('lemmyUser', { type: 'Follow', object: adaUri })
  const group = by('lemmyGroup').uri
  for (const target of [group, peer.url])
    await act('lemmyUser', { type: 'Block', object: adaUri, target, to: [PUBLIC], cc: [group], removeData: false })
  const { blocked_by, followed_by } = await relationTo('lemmyUser')
  assert.deepEqual([blocked_by, followed_by], [false, true])
})

test('unsupported activities get a 202 and change nothing', async () => {
  const { id, uri } = await post('nothing happens')
  const strange: [string, Record<string, any>][] = [
    ['mastodon', { type: 'Flag', object: [adaUri, uri], content: 'rude' }],
    ['misskey', { type: 'Flag', object: adaUri, content: 'rude' }],
    ['peertube', { type: 'View', object: uri }],
    ['friendica', { type: 'TentativeAccept', object: uri }],
    ['friendica', { type: 'Accept', object: uri }],
    ['friendica', { type: 'Reject', object: uri }],
    [
      'pixelfed',
      { type: 'Add', object: { type: 'Story', id: `${peer.url}/stories/1`, attributedTo: by('pixelfed').uri } },
    ],
    [
      'akkoma',
      {
        type: 'Create',
        object: {
          id: `${peer.url}/objects/file`,
          type: 'Document',
          actor: by('akkoma').uri,
          content: 'hi',
          to: [adaUri],
        },
        to: [adaUri],
      },
    ],
    ['lemmyUser', { type: 'Lock', object: uri, target: by('lemmyGroup').uri }],
    ['mitra', { type: 'Listen', object: { type: 'Audio', id: `${peer.url}/songs/1` } }],
    ['odd', { type: '__proto__', object: uri }],
    ['odd', { type: 'https://odd.test/ns#Wave', object: adaUri }],
    ['odd', { type: 'Undo', object: { type: 'Wave', object: adaUri } }],
    ['odd', { type: 'Move', object: by('odd').uri, target: `${peer.url}/nowhere` }],
    ['odd', { type: 'Add', object: uri, target: `${by('mastodon').uri}/collections/featured` }],
  ]
  const before = (await ada.get('/api/v1/notifications?limit=80')).length
  for (const [software, activity] of strange) await act(software, activity)
  assert.deepEqual(await counts(id), [0, 0, 0])
  assert.equal((await ada.get('/api/v1/notifications?limit=80')).length, before)
})

test('profiles are updated and deleted', async () => {
  const fox = by('akkoma')
  const changed = { ...fox.document, name: 'Silver fox' }
  peer.serve('/users/fox', changed)
  await act('akkoma', { type: 'Update', to: [`${fox.uri}/followers`], object: changed })
  assert.equal((await ada.get(`/api/v1/accounts/${await idOf('akkoma')}`)).display_name, 'Silver fox')
  const id = await idOf('mitra')
  await act('mitra', { type: 'Delete', to: [PUBLIC], object: by('mitra').uri })
  assert.equal((await ada.send('GET', `/api/v1/accounts/${id}`)).status, 404)
})

test('posts are pinned and unpinned, embedded or by id', async () => {
  const { uri } = by('mastodon')
  const note = {
    id: `${uri}/statuses/7`,
    type: 'Note',
    attributedTo: uri,
    content: '<p>pin me</p>',
    to: [PUBLIC],
    cc: [adaUri],
  }
  await act('mastodon', createOf(by('mastodon'), note))
  const pinned = async () => (await ada.get(`/api/v1/accounts/${await idOf('mastodon')}/statuses?pinned=true`)).length
  await act('mastodon', { type: 'Add', object: note.id, target: `${uri}/collections/featured` })
  assert.equal(await pinned(), 1)
  await act('mastodon', {
    type: 'Remove',
    object: note,
    target: { id: `${uri}/collections/featured`, type: 'OrderedCollection' },
  })
  assert.equal(await pinned(), 0)
  // Mastodon sends neither with an id, so that the second Add differs from the first only in its date.
  for (const [i, type] of ['Add', 'Remove', 'Add'].entries()) {
    const change = { '@context': AS, type, actor: uri, object: note.id, target: `${uri}/collections/featured` }
    assert.equal(await peer.send(server, by('mastodon'), change, { now: new Date(Date.now() + i * 1000) }), 202)
    await server.drain()
    assert.equal(await pinned(), type === 'Add' ? 1 : 0, `${type} ${i}`)
  }
  const second = { ...note, id: `${uri}/statuses/8` }
  await act('mastodon', createOf(by('mastodon'), second))
  const both = { object: [note.id, second.id], target: `${uri}/collections/featured` }
  await act('mastodon', { type: 'Add', ...both })
  assert.equal(await pinned(), 2)
  await act('mastodon', { type: 'Remove', ...both })
  assert.equal(await pinned(), 0)
})

test('common variants of RFC 9421 are verified, others are refused at once', async () => {
  const { uri, keyId, keys } = by('snac')
  const body = (text: string) =>
    JSON.stringify({ '@context': AS, id: `${peer.url}/signed/${text}`, type: 'Follow', actor: uri, object: adaUri })
  const url = `http://${server.domain}/inbox`
  const send = async (headers: Record<string, string>, text: string): Promise<number> => {
    const { host: _, ...rest } = headers
    return (
      await fetch(url, {
        method: 'POST',
        body: text,
        headers: { ...rest, 'content-type': 'application/activity+json' },
      })
    ).status
  }
  const good = await signMessage({ method: 'POST', url, body: body('1'), keyId, privateKeyPem: keys.privateKeyPem })
  assert.equal(await send(good, body('1')), 202)
  assert.equal(
    await send({ ...good, 'signature-input': good['signature-input']?.replace(/created=\d+;/, '') ?? '' }, body('1')),
    401,
    'no time',
  )
  assert.equal(await send({ ...good, 'content-digest': 'sha-256=:AAAA:' }, body('1')), 401, 'another digest')
  assert.equal(await send(good, body('2')), 401, 'another body')
  assert.equal(await send({ ...good, 'signature-input': 'sig1=nonsense' }, body('1')), 401, 'nonsense')
  // NodeBB signs the digest header of the older scheme, and names the algorithm in a parameter of its own.
  const digest = `SHA-256=${bodyHash(Buffer.from(body('3')))}`
  const date = new Date().toUTCString()
  const components = { '@method': 'POST', '@target-uri': url, host: server.domain, date, digest }
  const lines = Object.entries(components).map(([name, value]) => `"${name}": ${value}`)
  const names = Object.keys(components).map((name) => `"${name}"`)
  const input = `(${names.join(' ')});algorithm="rsa-sha256";created=${Math.floor(Date.now() / 1000)};keyid="${keyId}"`
  const base = Buffer.from([...lines, `"@signature-params": ${input}`].join('\n'))
  const signature = `sig1=:${sign('sha256', base, keys.privateKeyPem).toString('base64')}:`
  const older = { date, digest, 'signature-input': `sig1=${input}`, signature }
  assert.equal(await send(older, body('3')), 202, 'an older digest')
  assert.equal(await send(older, body('4')), 401, 'another body than the older digest')
})

test('pinned posts and featured hashtags are read from collections with pages', async () => {
  const [featured, featuredTags] = [`${peer.url}/users/paul/featured`, `${peer.url}/users/paul/tags`]
  const paul = await peer.actor('paul', { featured, featuredTags })
  const [first, second] = [peer.create(paul, {}).object, peer.create(paul, {}).object]
  for (const note of [first, second]) peer.serve(new URL(note.id).pathname, note)
  const page = { type: 'OrderedCollectionPage', partOf: featured }
  peer.serve('/users/paul/featured', { id: featured, type: 'OrderedCollection', first: `${featured}?page=1` })
  peer.serve('/users/paul/featured?page=1', { ...page, orderedItems: [first.id], next: `${featured}?page=2` })
  peer.serve('/users/paul/featured?page=2', { ...page, orderedItems: second.id })
  const items = { type: 'Hashtag', name: '#looms', href: `${peer.url}/tags/looms` }
  peer.serve('/users/paul/tags', { id: featuredTags, type: 'Collection', first: { type: 'CollectionPage', items } })
  const [{ id }] = (await ada.get(`/api/v2/search?q=paul@${peer.domain}&resolve=true&type=accounts`)).accounts
  await server.drain()
  const pinned = await ada.get(`/api/v1/accounts/${id}/statuses?pinned=true`)
  assert.deepEqual(pinned.map(({ uri }: any) => uri).toSorted(), [first.id, second.id].toSorted())
  assert.deepEqual(
    (await ada.get(`/api/v1/accounts/${id}/featured_tags`)).map(({ name }: any) => name),
    ['looms'],
  )
  // An edit that was not delivered is read with the profile.
  const edited = { ...first, content: '<p>better</p>', updated: new Date(Date.now() + 1000).toISOString() }
  peer.serve(new URL(first.id).pathname, edited)
  await server.ctx.enqueue('federation.refresh', { accountId: id, force: true })
  await server.drain()
  assert.equal((await find(first.id)).content, '<p>better</p>')
})

test('the address of a Create resolves to its post', async () => {
  const actor = of.wordpress as PeerActor
  const { object, ...create } = peer.create(actor, { content: '<p>created</p>' })
  peer.serve(new URL(object.id).pathname, object)
  peer.serve(new URL(create.id).pathname, { ...create, object })
  const { statuses } = await ada.get(`/api/v2/search?q=${encodeURIComponent(create.id)}&resolve=true&type=statuses`)
  assert.deepEqual([statuses[0]?.uri, statuses[0]?.content], [object.id, '<p>created</p>'])
})

test('an address that redirects to a page of this server resolves to its post or account', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'behind a short link' })
  const resolve = async (location: string): Promise<string[]> => {
    const url = peer.serve('/short', { status: 302, headers: { location }, body: '' })
    const { statuses, accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(url)}&resolve=true`)
    return [...statuses, ...accounts].map(({ id }) => id)
  }
  assert.deepEqual([await resolve(post.url), await resolve(post.account.url)], [[post.id], [ada.id]])
})

test('a web page that links to its document resolves to it', async () => {
  const actor = of.wordpress as PeerActor
  const note = {
    id: `${peer.url}/?p=77`,
    type: 'Note',
    attributedTo: actor.uri,
    content: '<p>behind a page</p>',
    to: [PUBLIC],
  }
  peer.serve('/?p=77', note)
  const page = (href: string, type = 'application/activity+json') => ({
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html><head><title>x</title><link rel="alternate" type='${type}' href="${href}"></head></html>`,
  })
  const resolve = async (path: string): Promise<any[]> =>
    (await ada.get(`/api/v2/search?q=${encodeURIComponent(`${peer.url}${path}`)}&resolve=true&type=statuses`)).statuses
  peer.serve('/2026/behind', page('/?p=77'))
  assert.equal((await resolve('/2026/behind'))[0]?.content, '<p>behind a page</p>')
  const link = `<${peer.url}/feed>; rel="alternate"; type="application/rss+xml", </?p=77>; rel="alternate"; type="application/activity+json"`
  peer.serve('/2026/header', { type: 'text/html', headers: { link }, body: '<!doctype html><title>x</title>' })
  assert.equal((await resolve('/2026/header'))[0]?.uri, note.id)
  peer.serve('/2026/feed', page('/?p=77', 'application/rss+xml'))
  peer.serve('/2026/itself', page('/2026/itself'))
  peer.serve('/2026/inside', page('http://169.254.169.254/latest'))
  peer.serve('/2026/script', page('javascript:alert(1)'))
  for (const path of ['/2026/feed', '/2026/itself', '/2026/inside', '/2026/script'])
    assert.deepEqual(await resolve(path), [], path)
})
