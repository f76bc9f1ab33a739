import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDelayedJobs } from '../support/jobs.ts'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { copyOf } from '../support/federated-people.ts'
import { stage } from '../support/stage.ts'
import { AS, settleAll } from '../support/other-software.ts'

// Groups: Lemmy, PieFed and Mbin pass on what their members do as whole activities; PeerTube's channels boost videos.

let count = 0

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const of = await settleAll(peer)
const by = (software: string): PeerActor => of[software] as PeerActor
for (const group of ['lemmyGroup', 'peertubeChannel', 'mitra']) {
  const { accounts } = await ada.get(`/api/v2/search?q=${encodeURIComponent(by(group).uri)}&resolve=true&type=accounts`)
  await ada.post(`/api/v1/accounts/${accounts[0].id}/follow`)
  await server.drain()
  const sent = peer.received.findLast(({ type, object }) => type === 'Follow' && object === by(group).uri)
  await act(group, { type: 'Accept', object: sent })
}

async function act(software: string, activity: Record<string, any>): Promise<void> {
  const id = `${peer.url}/activities/${activity.type}/${++count}`
  const whole = { '@context': AS, id, actor: by(software).uri, ...activity }
  assert.equal(await peer.send(server, by(software), whole), 202)
  await server.drain()
}

/** The group passes on what a member did. */
const passOn = (type: string, object: unknown): Promise<void> =>
  act('lemmyGroup', {
    type: 'Announce',
    to: [PUBLIC],
    cc: [`${by('lemmyGroup').uri}/followers`],
    object: {
      id: `${peer.url}/activities/${type.toLowerCase()}/inner-${++count}`,
      actor: by('lemmyUser').uri,
      type,
      to: [PUBLIC],
      cc: [by('lemmyGroup').uri],
      audience: by('lemmyGroup').uri,
      object,
    },
  })

/** Serves something that a member wrote. */
function write(path: string, more: Record<string, any>): Record<string, any> {
  const object = {
    id: `${peer.url}${path}`,
    type: 'Note',
    attributedTo: by('lemmyUser').uri,
    to: [by('lemmyGroup').uri, PUBLIC],
    cc: [],
    content: '<p>a comment</p>',
    mediaType: 'text/html',
    published: new Date().toISOString(),
    audience: by('lemmyGroup').uri,
    ...more,
  }
  peer.serve(path, object)
  return object
}

/** How many the peer has received, those for preview cards of earlier posts included. */
async function requestsSoFar(): Promise<number> {
  await runDelayedJobs(server)
  return peer.requests.length
}

const home = async (): Promise<any[]> => ada.get('/api/v1/timelines/home')
const find = (uri: string): Promise<any> => copyOf(ada, uri)

test('a new thread appears in home as one boost by the group', async () => {
  const page = write('/post/1', { type: 'Page', name: 'Rooks of the week', content: '<p>body</p>' })
  await passOn('Create', page)
  // For those who understand nothing else, Lemmy boosts the page as well.
  await act('lemmyGroup', { type: 'Announce', to: [PUBLIC], cc: [], object: page.id })
  const boosts = await home()
  assert.deepEqual(
    boosts.map(({ account, reblog }: any) => [account.username, reblog?.uri, reblog?.account.username]),
    [['rooks', page.id, 'lem']],
  )
  assert.match(boosts[0].reblog.content, /Rooks of the week/)
})

test('a post whose Create a group announces by its id appears in home', async () => {
  const note = write('/created/1', { to: [PUBLIC], content: '<p>the created post</p>' })
  const create = { '@context': AS, id: `${note.id}/activity`, type: 'Create', actor: by('lemmyUser').uri, object: note }
  peer.serve('/created/1/activity', create)
  // Servers that run activitypub-express boost in this way.
  await act('lemmyGroup', { type: 'Announce', to: [PUBLIC], cc: [], object: create.id })
  const [{ account, reblog }] = await home()
  assert.deepEqual([account.username, reblog?.uri, reblog?.content], ['rooks', note.id, note.content])
})

test('a reply joins its thread and stays out of home; replies in unknown threads are ignored', async () => {
  const before = (await home()).length
  const comment = write('/comment/1', { inReplyTo: `${peer.url}/post/1` })
  await passOn('Create', comment)
  const answer = write('/comment/2', { inReplyTo: comment.id, content: '<p>an answer</p>' })
  await passOn('Create', answer)
  const elsewhere = write('/comment/3', { inReplyTo: `${peer.url}/post/unknown` })
  await passOn('Create', elsewhere)
  assert.equal((await home()).length, before)
  const { descendants } = await ada.get(`/api/v1/statuses/${(await find(`${peer.url}/post/1`)).id}/context`)
  assert.deepEqual(
    descendants.map(({ uri }: any) => uri),
    [comment.id, answer.id],
  )
  assert.equal(await find(elsewhere.id), undefined)
})

test('an object that a group announces is fetched from its origin', async () => {
  const words = write('/comment/4', { inReplyTo: `${peer.url}/post/1`, content: '<p>what was said</p>' })
  await passOn('Create', { ...words, content: '<p>words in a mouth</p>' })
  assert.equal((await find(words.id)).content, '<p>what was said</p>')
  await passOn('Create', { ...words, id: `${peer.url}/comment/made-up` })
  assert.equal(await find(`${peer.url}/comment/made-up`), undefined)
  await passOn('Update', { ...words, content: '<p>words in a mouth</p>' })
  assert.equal((await find(words.id)).content, '<p>what was said</p>')
  await passOn('Delete', words.id)
  assert.ok(await find(words.id))
})

test('edits and deletions that a group announces apply if the origin confirms them', async () => {
  const first = write('/comment/5', { inReplyTo: `${peer.url}/post/1` })
  await passOn('Create', first)
  const edited = write('/comment/5', { ...first, content: '<p>edited</p>', updated: new Date().toISOString() })
  await passOn('Update', edited)
  assert.equal((await find(first.id)).content, '<p>edited</p>')
  peer.serve('/comment/5', { status: 410, body: '' })
  await passOn('Delete', { id: first.id, type: 'Tombstone' })
  assert.equal(await find(first.id), undefined)
  // Others answer 200, with a tombstone.
  const second = write('/comment/6', { inReplyTo: `${peer.url}/post/1` })
  await passOn('Create', second)
  peer.serve('/comment/6', { '@context': AS, id: second.id, type: 'Tombstone' })
  await passOn('Delete', second.id)
  assert.equal(await find(second.id), undefined)
})

test('a post that a moderator restores returns, with the boost by the group, once its origin has it again', async () => {
  const page = write('/post/restored', { type: 'Page', name: 'Removed too early' })
  const comment = write('/comment/restored', { inReplyTo: page.id })
  for (const object of [page, comment]) await passOn('Create', object)
  for (const [path, { id }] of [
    ['/post/restored', page],
    ['/comment/restored', comment],
  ] as const) {
    const undo = { id: `${id}/delete`, type: 'Delete', actor: by('lemmyUser').uri, object: id, summary: 'off-topic' }
    peer.serve(path, { status: 410, body: '' })
    await passOn('Delete', id)
    await passOn('Undo', undo)
    assert.equal(await find(id), undefined, 'its origin does not have it')
    peer.serve(path, id === page.id ? page : comment)
    await passOn('Create', id === page.id ? page : comment)
    assert.equal(await find(id), undefined, 'a Create that arrives late does not bring it back')
    await passOn('Undo', undo)
    assert.equal((await find(id)).uri, id)
  }
  const boosts = (await home()).filter(({ reblog }) => reblog?.uri === page.id)
  assert.deepEqual([boosts.length, boosts[0].account.username], [1, 'rooks'])
  assert.ok((await home()).every(({ reblog }) => reblog?.uri !== comment.id))
})

test('a post that a moderator removes from the group alone loses the boost by the group, until it is restored', async () => {
  const page = write('/post/elsewhere', { type: 'Page', name: 'Removed here' })
  const mine = await ada.post('/api/v1/statuses', { status: 'for the rooks' })
  for (const uri of [page.id, mine.uri]) {
    const boosts = async () => (await find(uri)).reblogs_count
    await passOn('Create', uri === page.id ? page : uri)
    assert.equal(await boosts(), 1)
    await passOn('Delete', uri)
    assert.equal(await boosts(), 0)
    assert.ok((await home()).every(({ reblog }) => reblog?.uri !== uri))
    await passOn('Undo', { id: `${page.id}/delete`, type: 'Delete', actor: by('lemmyUser').uri, object: uri })
    assert.equal(await boosts(), 1)
  }
  assert.ok((await home()).some(({ reblog }) => reblog?.uri === page.id))
})

test('a member restores a post without the group, if it was here before', async () => {
  const comment = write('/comment/by-member', { inReplyTo: `${peer.url}/post/1` })
  const page = new URL(comment.id).pathname
  await passOn('Create', comment)
  const deletion = { id: `${comment.id}/delete`, type: 'Delete', actor: by('lemmyUser').uri, object: comment.id }
  const undo = { type: 'Undo', to: [PUBLIC], cc: [by('lemmyGroup').uri], object: deletion }
  await act('lemmyUser', deletion)
  assert.equal(await find(comment.id), undefined)
  peer.serve(page, { status: 410, body: '' })
  await act('lemmyUser', undo)
  assert.equal(await find(comment.id), undefined, 'its origin does not have it')
  peer.serve(page, comment)
  await act('lemmyUser', undo)
  assert.equal((await find(comment.id)).uri, comment.id)

  const status = await ada.post('/api/v1/statuses', { status: 'mine' })
  const { uri, id } = status
  await act('lemmyUser', { ...undo, object: { ...deletion, object: uri } })
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).id, id)
})

test('the deletion of an unknown reply that is undone causes no requests', async () => {
  const comment = write('/comment/unknown', { inReplyTo: `${peer.url}/post/unknown` })
  const deletion = { id: `${comment.id}/delete`, type: 'Delete', actor: by('lemmyUser').uri, object: comment.id }
  await act('lemmyUser', deletion)
  const asked = await requestsSoFar()
  await passOn('Undo', deletion)
  await act('lemmyUser', { type: 'Undo', object: deletion })
  for (const type of ['Create', 'Like', 'Announce'])
    for (const object of [comment, comment.id]) {
      const undone = { id: `${comment.id}/${type}`, type, actor: by('lemmyUser').uri, object }
      await passOn('Undo', undone)
      await act('lemmyUser', { type: 'Undo', object: undone })
    }
  assert.deepEqual(peer.requests.slice(asked), [])
  assert.equal(await find(comment.id), undefined)
})

test('a post that mentions a group is addressed to its followers, too', async () => {
  const { uri, name } = by('lemmyGroup')
  for (const visibility of ['public', 'direct']) {
    const post = await ada.post('/api/v1/statuses', { status: `hello @${name}@${peer.domain}`, visibility })
    await server.drain()
    const { to, cc, object } = peer.received.findLast((each) => each.object?.id === post.uri) ?? {}
    const addressed = visibility === 'direct' ? to : cc.slice(1)
    assert.deepEqual(addressed, [uri, `${uri}/followers`], visibility)
    assert.deepEqual([object.to, object.cc], [to, cc])
  }
})

test('likes and other activities that a group announces cause no requests and change nothing', async () => {
  const { id, uri } = await ada.post('/api/v1/statuses', { status: 'mine' })
  const asked = await requestsSoFar()
  for (const type of ['Like', 'Dislike', 'Undo', 'Lock', 'Block', 'Flag', 'Add', 'Remove'])
    await passOn(
      type,
      type === 'Undo' ? { id: `${peer.url}/activities/x`, type: 'Like', actor: by('lemmyUser').uri, object: uri } : uri,
    )
  assert.deepEqual(peer.requests.slice(asked), [])
  const status = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count], [0, 0])
})

test('announcements of a group without local followers are ignored', async () => {
  const outsider = await peer.actor('stranger', { type: 'Group' })
  const page = write('/post/2', { type: 'Page', name: 'Unasked' })
  const inner = { id: `${peer.url}/activities/create/z`, type: 'Create', actor: by('lemmyUser').uri, object: page }
  const announce = {
    id: `${peer.url}/activities/announce/z`,
    type: 'Announce',
    actor: outsider.uri,
    to: [PUBLIC],
    object: inner,
  }
  assert.equal(await peer.send(server, outsider, announce), 202)
  await server.drain()
  assert.equal(await find(page.id), undefined)
})

test("a group member's reply to a local account arrives and notifies", async () => {
  const { id, uri } = await ada.post('/api/v1/statuses', { status: 'hello group' })
  const comment = write('/comment/7', {
    inReplyTo: uri,
    cc: [adaUri, by('lemmyGroup').uri],
    tag: [{ href: adaUri, type: 'Mention', name: `@ada@${server.domain}` }],
  })
  await act('lemmyUser', {
    type: 'Create',
    to: [PUBLIC],
    cc: comment.cc,
    object: comment,
    audience: by('lemmyGroup').uri,
  })
  await passOn('Create', comment)
  const { descendants } = await ada.get(`/api/v1/statuses/${id}/context`)
  assert.equal(descendants.length, 1)
  const notifications = await ada.get('/api/v1/notifications?types[]=mention')
  assert.equal(notifications.length, 1)
})

test('a video of a channel appears in home as a boost of a post by its author', async () => {
  const [tuber, channel] = [by('peertube'), by('peertubeChannel')]
  const uri = `${peer.url}/videos/watch/abc`
  peer.serve('/videos/watch/abc', {
    '@context': [AS, { pt: 'https://joinpeertube.org/ns#' }],
    id: uri,
    type: 'Video',
    name: 'A flight',
    attributedTo: [
      { type: 'Person', id: tuber.uri },
      { type: 'Group', id: channel.uri },
    ],
    to: [PUBLIC],
    cc: [`${tuber.uri}/followers`],
    url: [{ type: 'Link', mediaType: 'text/html', href: `${peer.url}/w/abc` }],
    published: new Date().toISOString(),
  })
  await act('peertubeChannel', {
    id: `${uri}/announces/1`,
    type: 'Announce',
    object: uri,
    to: [PUBLIC],
    cc: [`${channel.uri}/followers`],
  })
  const [boost] = await home()
  assert.deepEqual(
    [boost.account.username, boost.reblog.account.username, boost.reblog.url],
    ['channel', 'tuber', `${peer.url}/w/abc`],
  )
})

test('replies that the owner of a thread adds to it join it', async () => {
  const owner = by('mitra').uri
  const context = `${peer.url}/collections/thread`
  const root = write('/objects/root', { attributedTo: owner, context, to: [PUBLIC] })
  await act('mitra', { type: 'Create', to: [PUBLIC], object: root })
  const add = (object: Record<string, any>): Promise<void> =>
    act('mitra', {
      type: 'Add',
      to: [PUBLIC],
      object: { id: `${object.id}/create`, type: 'Create', actor: by('lemmyUser').uri, to: [PUBLIC], object },
      target: { type: 'OrderedCollection', id: context, attributedTo: owner },
    })
  const reply = write('/objects/reply', { inReplyTo: root.id, context, content: '<p>as written</p>' })
  const elsewhere = write('/objects/elsewhere', { inReplyTo: `${peer.url}/objects/unknown`, context })
  const before = (await home()).length
  await add({ ...reply, content: '<p>as forged</p>' })
  await add(elsewhere)
  const { descendants } = await ada.get(`/api/v1/statuses/${(await find(root.id)).id}/context`)
  assert.deepEqual(
    descendants.map(({ uri, content }: any) => [uri, content]),
    [[reply.id, '<p>as written</p>']],
  )
  assert.equal(await find(elsewhere.id), undefined)
  assert.equal((await home()).length, before)
})

test('an event of a group is edited by another announcement', async () => {
  const group = by('lemmyGroup').uri
  const cc = [`${group}/followers`]
  const announce = (name: string, updated: string): Promise<void> => {
    const event = write('/events/1', { type: 'Event', name, attributedTo: group, actor: by('lemmyUser').uri, updated })
    return act('lemmyGroup', { type: 'Announce', to: [PUBLIC], cc, object: event })
  }
  const [first, second] = [new Date(), new Date(Date.now() + 1000)].map((date) => date.toISOString()) as [
    string,
    string,
  ]
  await announce('Rook watching', first)
  const before = (await home()).length
  await announce('Cancelled: rook watching', second)
  await announce('Rook watching', first)
  const posts = await home()
  assert.equal(posts.length, before)
  assert.match(posts[0].reblog.content, /<strong>Cancelled: rook watching</)
})
