import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pngOf } from '../support/images.ts'
import { bringForward, clearFailures } from '../support/jobs.ts'
import { PUBLIC } from '../support/peer.ts'

import { stage } from '../support/stage.ts'

// What becomes of posts of all shapes.

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const adaUri = `http://${server.domain}/users/ada`
const eve = await peer.actor('eve')

/** Delivers a note, to ada unless it says otherwise, and gives what ada has of it. */
async function arrive(note: object, actor = eve): Promise<any> {
  const create = peer.create(actor, { cc: [adaUri], ...note })
  assert.equal(await peer.send(server, actor, create), 202)
  await server.drain()
  return find(create.object.id)
}

async function find(uri: string, resolve = false): Promise<any> {
  return (await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=${resolve}&type=statuses`)).statuses[0]
}

test('HTML is sanitised', async () => {
  const status = await arrive({
    content:
      '<p onclick="x()">ok<script>alert(1)</script><img src=x onerror=x><a href="javascript:x">a</a></p><h1>big</h1>',
    summary: '<b>cw</b>',
    sensitive: true,
  })
  assert.equal(status.content, '<p>oka</p><p><strong>big</strong></p>')
  assert.equal(status.spoiler_text, '<b>cw</b>')
  assert.equal(status.sensitive, true)
  // As GoToSocial sends it: escaped where HTML needs it.
  assert.equal((await arrive({ summary: "&lt;3 & it's > &amp;amp;" })).spoiler_text, "<3 & it's > &amp;")
})

test('a post may have any of the forms that servers use', async () => {
  const status = await arrive({
    type: ['Note'],
    content: undefined,
    contentMap: { de: '<p>Guten Tag</p>' },
    to: 'as:Public',
    cc: adaUri,
    published: '2024-05-06T07:08:09Z',
    url: [{ type: 'Link', href: `${peer.url}/@eve/1`, mediaType: 'text/html' }],
    tag: { type: 'Hashtag', name: '#Grüße', href: `${peer.url}/tags/x` },
    attachment: {
      type: 'Document',
      url: `${peer.url}/missing.png`,
      mediaType: 'image/png',
      name: 'a cat',
      focalPoint: [0.5, -0.25],
    },
  })
  assert.equal(status.content, '<p>Guten Tag</p>')
  assert.equal(status.language, 'de')
  assert.equal(status.visibility, 'public')
  assert.equal(status.created_at, '2024-05-06T07:08:09.000Z')
  assert.equal(status.url, `${peer.url}/@eve/1`)
  assert.deepEqual(
    status.tags.map(({ name }: any) => name),
    ['gruße'],
  )
  assert.equal(status.media_attachments[0].description, 'a cat')
  assert.deepEqual(status.media_attachments[0].meta.focus, { x: 0.5, y: -0.25 })
  assert.ok(BigInt(status.id) < BigInt(Date.parse('2024-05-06T07:08:10Z')) << 16n, 'it is filed where it belongs')
})

test('addresses are encoded, as some clients read no others', async () => {
  const page = `${peer.url}/@eve/éü`
  const status = await arrive({
    url: page,
    attachment: { type: 'Document', url: `${peer.url}/ä b.pdf`, mediaType: 'application/pdf' },
  })
  assert.equal(status.url, `${peer.url}/@eve/%C3%A9%C3%BC`)
  assert.equal(status.media_attachments[0].url, `${peer.url}/%C3%A4%20b.pdf`)
  for (const address of [page, status.url]) assert.equal((await find(address, true))?.id, status.id, address)
  // It arrived before addresses were encoded.
  await server.database.raw(`update statuses set url = $1 where id = $2`, [page, status.id])
  for (const address of [page, status.url]) assert.equal((await find(address))?.id, status.id, address)
})

test('a post has no address of its own that is too long once it is encoded', async () => {
  // Without an order by which the database could compress them.
  const letters = Array.from({ length: 500 }, (_, i) => 0x10000 + (Math.imul((i + 7) ** 2, 0x9e3779b1) >>> 12))
  const status = await arrive({ url: `${peer.url}/${String.fromCodePoint(...letters)}` })
  assert.equal(status.url, status.uri)
})

test('a post without an author belongs to the actor of its Create', async () => {
  assert.equal((await arrive({ attributedTo: undefined })).account.username, 'eve')
})

test('a date in the future counts as now', async () => {
  const status = await arrive({ published: '2999-01-01T00:00:00Z' })
  assert.ok(Date.parse(status.created_at) <= Date.now())
})

test('dates that cannot be stored count as missing', async () => {
  const status = await arrive({
    type: 'Question',
    published: '0000-01-01T00:00:00Z',
    oneOf: [{ name: 'a' }, { name: 'b' }],
    endTime: '9999-12-31T23:59:59-14:00',
  })
  assert.ok(Date.parse(status.created_at) > Date.now() - 60_000)
  assert.equal(status.poll.expires_at, null)
})

test('alt texts of other servers may have 10,000 characters, and 16,000 in a post', async () => {
  const attachment = Array.from({ length: 3 }, (_, i) => ({
    type: 'Document',
    mediaType: 'video/mp4',
    url: `${peer.url}/${i}.mp4`,
    name: '語'.repeat(11_000),
  }))
  const { media_attachments } = await arrive({ attachment })
  assert.deepEqual(
    media_attachments.map(({ description }: any) => description?.length),
    [10_000, 6000, undefined],
  )
})

test('a blurhash of another length than it names is left out', async () => {
  const video = { type: 'Document', mediaType: 'video/mp4', url: `${peer.url}/blurred.mp4` }
  const blurhash = 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH'
  const attachment = [blurhash, blurhash.slice(0, -1), `${blurhash}0`].map((each) => ({ ...video, blurhash: each }))
  const { media_attachments } = await arrive({ attachment })
  assert.deepEqual(
    media_attachments.map((each: any) => each.blurhash),
    [blurhash, null, null],
  )
})

test('an attachment without a type is a file if it has a media type', async () => {
  const video = { mediaType: 'video/mp4', url: `${peer.url}/untyped.mp4`, name: 'a cat' }
  const image = { mimeType: 'image/png', href: `${peer.url}/untyped` }
  const { media_attachments } = await arrive({ attachment: [video, { url: `${peer.url}/page` }, image] })
  assert.deepEqual(
    media_attachments.map(({ type, description }: any) => [type, description]),
    [
      ['video', 'a cat'],
      ['image', null],
    ],
  )
})

test('articles and similar types are shown with title, summary and link', async () => {
  const status = await arrive({
    type: 'Article',
    name: 'On <Rooks>',
    summary: 'About birds',
    content: 'long',
    url: `${peer.url}/article`,
  })
  assert.match(
    status.content,
    /^<p><strong>On &lt;Rooks&gt;<\/strong><\/p><p>About birds<\/p><p><a href="http:\/\/localhost:\d+\/article"/,
  )
  assert.equal(status.spoiler_text, '')
})

test('the visibility follows from to and cc', async () => {
  const followers = `${eve.uri}/followers`
  assert.equal((await arrive({ to: [PUBLIC], cc: [followers, adaUri] })).visibility, 'public')
  assert.equal((await arrive({ to: [followers], cc: ['Public', adaUri] })).visibility, 'unlisted')
  assert.equal((await arrive({ to: [followers, adaUri], cc: [] })).visibility, 'private')
  assert.equal((await arrive({ to: [adaUri], cc: [] })).visibility, 'direct')
  // The followers of another account are not its audience.
  assert.equal((await arrive({ to: [adaUri, `${peer.url}/users/other/followers`], cc: [] })).visibility, 'direct')
})

test('only its recipients see a direct post without a mention', async () => {
  const bob = await server.person('bob')
  const status = await arrive({ to: [adaUri], cc: [], content: '<p>psst</p>' })
  assert.deepEqual(
    status.mentions.map(({ acct }: any) => acct),
    ['ada'],
  )
  assert.equal((await bob.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)
  assert.equal((await server.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)
})

test('accounts in bto and bcc may read a post, and no other reader learns of them', async () => {
  const [cat, dan, fox] = await Promise.all(['cat', 'dan', 'fox'].map((name) => server.person(name)))
  const [catUri, danUri] = ['cat', 'dan'].map((name) => `http://${server.domain}/users/${name}`)
  const create = peer.create(eve, { to: [adaUri], cc: [], bto: catUri, content: '<p>psst</p>' })
  assert.equal(await peer.send(server, eve, { ...create, bcc: [danUri] }), 202)
  await server.drain()
  const { id } = await find(create.object.id)
  const mentionedFor = async (person = ada): Promise<unknown> =>
    (await person.get(`/api/v1/statuses/${id}`)).mentions.map(({ acct }: any) => acct)
  const conversationOf = async (person = ada): Promise<string[]> => {
    const [conversation] = await person.get('/api/v1/conversations?limit=1')
    return conversation.accounts.map(({ username }: any) => username).toSorted()
  }
  const check = async (): Promise<void> => {
    for (const person of [ada, cat, dan]) assert.deepEqual(await mentionedFor(person), ['ada'])
    assert.equal((await fox?.send('GET', `/api/v1/statuses/${id}`))?.status, 404)
    assert.deepEqual(await conversationOf(), ['eve'])
    for (const person of [cat, dan]) assert.deepEqual(await conversationOf(person), ['ada', 'eve'])
  }
  await check()
  assert.deepEqual(
    (await cat?.get('/api/v1/notifications'))?.map(({ type }: any) => type),
    ['mention'],
  )
  // Servers that deliver to hidden recipients do not name them again.
  const { bto: _, ...edited } = { ...create.object, content: '<p>psst!</p>', updated: new Date().toISOString() }
  const update = { id: `${create.object.id}/update`, type: 'Update', actor: eve.uri, to: [adaUri], object: edited }
  assert.equal(await peer.send(server, eve, update), 202)
  await server.drain()
  assert.equal((await find(create.object.id)).content, '<p>psst!</p>')
  await check()
  assert.equal((await arrive({ to: [], cc: [], bcc: [adaUri] })).visibility, 'direct')
})

test('a post without local recipients or followers is not stored', async () => {
  assert.equal(await arrive({ cc: [] }), undefined)
  assert.equal(await arrive({ cc: [`${eve.uri}/followers`, `http://${server.domain}/users/nobody`] }), undefined)
  assert.equal(await arrive({ cc: [], inReplyTo: `${peer.url}/notes/unknown` }), undefined)
  const post = await ada.post('/api/v1/statuses', { status: 'a question' })
  assert.ok(await arrive({ cc: [], inReplyTo: post.uri }))
})

test('a reply to a private post that its author cannot see does not join the thread', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'among us', visibility: 'private' })
  const reply = await arrive({ inReplyTo: post.uri })
  assert.equal(reply.in_reply_to_id, null)
  const { descendants } = await ada.get(`/api/v1/statuses/${post.id}/context`)
  assert.deepEqual(descendants, [])
  const like = { id: `${peer.url}/likes/private`, type: 'Like', actor: eve.uri, object: post.uri }
  const boost = { id: `${peer.url}/boosts/private`, type: 'Announce', actor: eve.uri, object: post.uri, to: [PUBLIC] }
  for (const activity of [like, boost]) await peer.send(server, eve, activity)
  await server.drain()
  const status = await ada.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([status.favourites_count, status.reblogs_count, status.replies_count], [0, 0, 0])
})

test('mentioned accounts are resolved up to a limit, and listed in the order of the tags', async () => {
  const friends = await Promise.all(['f1', 'f2'].map((name) => peer.actor(name)))
  const unknownActors = Array.from({ length: 60 }, (_, i) => `${peer.url}/users/unknown${i}`)
  peer.requests.length = 0
  const tag = [...friends.map(({ uri }) => uri), eve.uri, ...unknownActors].map((href) => ({
    type: 'Mention',
    href,
    name: '@x',
  }))
  const status = await arrive({ tag })
  assert.deepEqual(
    status.mentions.map(({ username }: any) => username),
    ['f1', 'f2', 'eve'],
  )
  assert.ok(peer.requests.filter((line) => line.includes('/users/unknown')).length <= 20)
})

test('mentioned accounts of a server that cannot be reached are resolved later', async () => {
  const friend = await peer.actor('belated')
  peer.refuses = ({ url = '' }) => (url.startsWith('/users/belated') ? 503 : null)
  const tag = [adaUri, friend.uri, `${peer.url}/users/none`].map((href) => ({ type: 'Mention', href, name: '@x' }))
  const names = ({ mentions }: any): string[] => mentions.map(({ username }: any) => username).toSorted()
  const status = await arrive({ to: [adaUri, friend.uri], cc: [], tag })
  assert.deepEqual(names(status), ['ada'])
  const again = async (): Promise<any> => {
    await clearFailures(server)
    await bringForward(server, 'statuses.mentions')
    await server.drain()
    return ada.get(`/api/v1/statuses/${status.id}`)
  }
  assert.deepEqual(names(await again()), ['ada'])
  peer.refuses = () => null
  peer.requests.length = 0
  const later = await again()
  assert.deepEqual([names(later), later.edited_at], [['ada', 'belated'], null])
  assert.ok(!peer.requests.some((line) => line.includes('/users/none')), 'an account that does not exist')
  const [conversation] = (await ada.get('/api/v1/conversations')).filter(
    (each: any) => each.last_status.id === status.id,
  )
  assert.deepEqual(conversation.accounts.map(({ username }: any) => username).toSorted(), ['belated', 'eve'])
})

test('thousands of recipients, tags and attachments are limited', async () => {
  const many = <T>(make: (i: number) => T) => Array.from({ length: 3000 }, (_, i) => make(i))
  const status = await arrive({
    to: [PUBLIC, adaUri, ...many((i) => `${peer.url}/users/n${i}`)],
    tag: many((i) => ({ type: 'Hashtag', name: `#tag${i}` })),
    attachment: many((i) => ({ type: 'Document', mediaType: 'video/mp4', url: `${peer.url}/${i}.mp4` })),
  })
  assert.equal(status.visibility, 'public')
  assert.deepEqual([status.tags.length, status.media_attachments.length], [30, 16])
})

test('images and avatars are cached', async () => {
  const [url, avatar] = await Promise.all(
    ['red', 'blue'].map(async (color) =>
      peer.serve(`/${color}.png`, { type: 'image/png', body: await pngOf(64, 48, color) }),
    ),
  )
  const frida = await peer.actor('frida', { icon: { type: 'Image', url: avatar } })
  const status = await arrive({ attachment: [{ type: 'Image', url, name: 'red' }] }, frida)
  const [image] = status.media_attachments
  assert.match(image.url, new RegExp(`^http://${server.domain}/files/`))
  assert.equal(image.remote_url, url)
  assert.equal(image.meta.original.width, 64)
  const account = await ada.get(`/api/v1/accounts/${status.account.id}`)
  assert.match(account.avatar, new RegExp(`^http://${server.domain}/files/`))
})

test('custom emojis are stored', async () => {
  const status = await arrive({
    content: '<p>:blob:</p>',
    tag: [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: `${peer.url}/blob.png` } }],
  })
  assert.deepEqual(
    status.emojis.map(({ shortcode }: any) => shortcode),
    ['blob'],
  )
})

test('votes are not stored as posts', async () => {
  const post = await ada.post('/api/v1/statuses', { status: 'choose' })
  assert.equal(await arrive({ name: 'Yes', content: undefined, inReplyTo: post.uri, to: [adaUri], cc: [] }), undefined)
})

test('fetching a circular thread ends', async () => {
  const [one, two] = [`${peer.url}/circle/1`, `${peer.url}/circle/2`]
  const note = (id: string, inReplyTo: string) => ({
    id,
    type: 'Note',
    attributedTo: eve.uri,
    content: '<p>o</p>',
    inReplyTo,
    to: [PUBLIC],
  })
  peer.serve('/circle/1', note(one, two))
  peer.serve('/circle/2', note(two, one))
  const status = await find(one, true)
  await server.drain()
  const { ancestors } = await ada.get(`/api/v1/statuses/${status.id}/context`)
  assert.deepEqual(
    ancestors.map(({ uri }: any) => uri),
    [two],
  )
})

test('an endless thread is fetched up to a limit', async () => {
  const uri = (i: number) => `${peer.url}/deep/${i}`
  for (let i = 0; i < 60; i++)
    peer.serve(`/deep/${i}`, {
      id: uri(i),
      type: 'Note',
      attributedTo: eve.uri,
      content: `<p>${i}</p>`,
      inReplyTo: uri(i + 1),
      to: [PUBLIC],
    })
  const status = await find(uri(0), true)
  await server.drain()
  const { ancestors } = await ada.get(`/api/v1/statuses/${status.id}/context`)
  assert.ok(ancestors.length >= 30 && ancestors.length <= 50, String(ancestors.length))
})

test('the largest possible posts have a limited size', async () => {
  const huge = (unit: string): string => unit.repeat(Math.ceil(100_000 / unit.length))
  const marks = `a${'\u0301'.repeat(20_000)}`
  const contents = ['&', '"<br>', marks, `<a href="https://a.test/?${'&'.repeat(1900)}">&</a>`, '\u0001<p>\u0002', '😀']
  const largest = (i: number): object => ({
    content: huge(contents[i % contents.length] as string),
    summary: marks,
    tag: Array.from({ length: 100 }, (_, k) => ({ type: 'Hashtag', name: `#${'語'.repeat(120)}${k}` })),
    attachment: Array.from({ length: 32 }, (_, k) => ({
      type: 'Document',
      mediaType: 'image/png',
      url: `${peer.url}/${k}.png?${'x'.repeat(1900)}`,
      name: '語'.repeat(k < 2 ? 10_000 : 1),
    })),
    oneOf: Array.from({ length: 100 }, (_, k) => ({ type: 'Note', name: k + '語'.repeat(700) })),
  })
  const creates = contents.map((_, i) => peer.create(eve, { to: PUBLIC, cc: [adaUri], ...largest(i) }))
  for (const create of creates) assert.equal(await peer.send(server, eve, create), 202)
  await server.drain()
  const shown: any[] = await ada.get(`/api/v1/timelines/public?limit=${contents.length}`)
  assert.equal(shown.length, contents.length)
  for (const status of shown) {
    assert.ok(status.content.length > 1000, 'what fits is there')
    const size = Buffer.byteLength(JSON.stringify(status))
    // A page has forty.
    assert.ok(size < 250_000, `${size} bytes`)
  }
})
