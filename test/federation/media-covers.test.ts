// Covers of remote audio, and posters of remote videos: shown, cached, replaced and dropped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { cleanUp, saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { cacheMedia, estimateBlock, unlinkMissing } from '../support/internals.ts'
import { PUBLIC } from '../support/peer.ts'
import { deliverFrom, findStatus, followActor, reviserFor } from '../support/remote-people.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, peer, ada, carl } = await stage({ accounts: ['ada', 'carl'], peers: ['peer'] })
const { ctx } = server
const staff = await server.person('staff', { role: 'admin' })
const eve = await peer.actor('eve')
await followActor(server, ada, peer, eve)

const image = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 900, channels: 3, background } })
    .jpeg()
    .toBuffer()
const [teal, coral] = [await image('teal'), await image('coral')]
const sound = Buffer.from('sound'.repeat(1000))

let count = 0
/** Serves an audio file and its cover; `attachment` names both. */
function serveAudio({ status = 200, type = 'image/jpeg', body = teal as Buffer | string } = {}): any {
  const n = ++count
  const url = peer.serve(`/${n}.mp3`, { type: 'audio/mpeg', body: sound })
  const cover = peer.serve(`/${n}.jpg`, { status, type, body })
  return { type: 'Audio', mediaType: 'audio/mpeg', url, name: 'a song', icon: { type: 'Image', url: cover } }
}

async function arrive(attachment: object, note: object = {}): Promise<{ note: any; id: string }> {
  const create = peer.create(eve, { attachment: [attachment], ...note })
  await deliverFrom(peer, eve, server, create)
  return { note: create.object, id: (await findStatus(ada, create.object.id, false)).id }
}

const revise = reviserFor(peer, eve, server)

const mediaOf = async (id: string): Promise<any> => (await ada.get(`/api/v1/statuses/${id}`)).media_attachments[0]
/** Without following redirects. */
const look = (url: string): Promise<Answer> => server.send('GET', url.slice(new URL(url).origin.length))
const requestsOf = (url: string): number =>
  peer.requests.filter((request) => request === `GET ${new URL(url).pathname}`).length
const isPlayable = async ({ url }: any): Promise<boolean> => {
  const { status, headers, text } = await look(url)
  return status === 200 && headers.get('content-type') === 'audio/mpeg' && text === sound.toString()
}
/** Of the attachment, as rows of the cache. */
const cachedFiles = (id: string): Promise<{ key: string }[]> =>
  ctx.db.many(sql`select key from cached_files where owner = ${`media/${id}`}`)
async function dropUnused(): Promise<void> {
  await ctx.db.run(sql`update cached_files set used_at = now() - interval '40 days'`)
  await saveSettings(ctx, { media_cache_retention_period: 30 })
  await cleanUp(ctx)
  await saveSettings(ctx, { media_cache_retention_period: null })
  await ctx.changes.catchUp()
}

test('the cover of remote audio is cached once and shown, and the audio is streamed', async () => {
  const attachment = serveAudio()
  const { id } = await arrive(attachment)
  const media = await mediaOf(id)
  assert.deepEqual(
    [media.type, media.remote_url, media.preview_remote_url],
    ['audio', attachment.url, attachment.icon.url],
  )
  assert.match(media.preview_url, /\/files\/cache\/media\/.*\/small\//)
  assert.match(media.url, /\/media_proxy\/\d+\/original/)
  assert.deepEqual([media.meta.small.width, media.meta.small.height, media.meta.original], [480, 480, undefined])
  assert.ok(media.blurhash)
  const shown = await look(media.preview_url)
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp'])
  assert.ok(await isPlayable(media))
  // Addresses of the proxy stay in apps.
  const small = await look(media.url.replace('original', 'small'))
  assert.deepEqual([small.status, small.headers.get('location')], [302, media.preview_url])
  await cacheMedia(ctx, { statusId: id })
  assert.equal(requestsOf(attachment.icon.url), 1)
  assert.equal((await cachedFiles(media.id)).length, 1)
})

test('a video has a poster and keeps the blurhash and measures that it came with; the icon of an image is ignored', async () => {
  const cover = serveAudio().icon
  const url = `${peer.url}/film.mp4`
  const video = {
    type: 'Document',
    mediaType: 'video/mp4',
    url,
    blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
    width: 64,
    height: 48,
    duration: 'PT1M2.5S',
    icon: [cover],
  }
  const poster = await mediaOf((await arrive(video)).id)
  assert.deepEqual([poster.type, poster.blurhash], ['video', video.blurhash])
  assert.deepEqual(poster.meta.original, { width: 64, height: 48, duration: 62.5 })
  assert.match(poster.preview_url, /\/files\/cache\/media\//)
  peer.serve('/photo.jpg', { type: 'image/jpeg', body: coral })
  const photo = { type: 'Image', mediaType: 'image/jpeg', url: `${peer.url}/photo.jpg`, icon: cover }
  assert.equal((await mediaOf((await arrive(photo)).id)).preview_remote_url, null)
  const icon = { type: 'Link', mediaType: 'text/html', url: `${peer.url}/page` }
  const audio = await mediaOf((await arrive({ ...serveAudio(), icon, duration: 'PT3S' })).id)
  assert.deepEqual(audio.meta.original, { duration: 3 })
  assert.deepEqual([audio.preview_remote_url, audio.preview_url], [null, null])
  // There is no small size of audio itself.
  assert.equal((await look(audio.url.replace('original', 'small'))).status, 404)
})

test('a broken cover leaves the audio usable', async () => {
  const broken = [
    { status: 404, body: '' },
    { body: 'no image' },
    { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    { body: Buffer.alloc(17 * 1024 * 1024) },
  ]
  for (const answer of broken) {
    const { id } = await arrive(serveAudio(answer))
    const media = await mediaOf(id)
    assert.match(media.preview_url, /\/media_proxy\/\d+\/small/)
    assert.equal((await look(media.preview_url)).status, 404)
    assert.ok(await isPlayable(media))
    assert.deepEqual(await cachedFiles(media.id), [])
    await cacheMedia(ctx, { statusId: id })
  }
  const attachment = serveAudio({ status: 503, body: '' })
  const { id } = await arrive(attachment)
  assert.equal((await look((await mediaOf(id)).preview_url)).status, 503)
  await assert.rejects(cacheMedia(ctx, { statusId: id }), 'the job runs again')
  peer.serve(new URL(attachment.icon.url).pathname, { type: 'image/jpeg', body: teal })
  assert.equal((await look((await mediaOf(id)).preview_url)).status, 302)
})

test('covers that were not used are dropped, and fetched again once for simultaneous requests', async () => {
  const attachment = serveAudio()
  const { id } = await arrive(attachment)
  const before = await mediaOf(id)
  await dropUnused()
  assert.deepEqual(await cachedFiles(before.id), [])
  assert.equal((await look(before.preview_url)).status, 404)
  const { preview_url: proxied, ...dropped } = await mediaOf(id)
  assert.match(proxied, /\/media_proxy\/\d+\/small/)
  assert.equal(dropped.blurhash, before.blurhash)
  const answers = await Promise.all([look(proxied), look(proxied), look(proxied)])
  const places = new Set(answers.map(({ headers }) => headers.get('location')))
  assert.deepEqual([answers.map(({ status }) => status), places.size], [[302, 302, 302], 1])
  assert.equal((await look([...places][0] ?? '')).status, 200)
  assert.equal((await mediaOf(id)).preview_url, [...places][0])
  assert.equal(requestsOf(attachment.icon.url), 2)

  // A file that was lost, as after a restore without it.
  await ctx.db.run(sql`update cached_files set key = key || '.gone' where owner = ${`media/${before.id}`}`)
  await ctx.db.run(sql`update media_attachments set preview_key = preview_key || '.gone' where id = ${before.id}`)
  assert.equal(await unlinkMissing(ctx), 1)
  assert.match((await mediaOf(id)).preview_url, /media_proxy/)
})

test('an Update with another cover replaces the file, and with the same one keeps it', async () => {
  const attachment = serveAudio()
  const { id, note } = await arrive(attachment)
  const first = await mediaOf(id)
  await revise(note, { content: '<p>edited</p>' })
  assert.deepEqual(await mediaOf(id), first)
  assert.equal(requestsOf(attachment.icon.url), 1)

  const other = peer.serve('/other.jpg', { type: 'image/jpeg', body: coral })
  const edits = (await ada.get(`/api/v1/statuses/${id}/history`)).length
  await revise(note, { content: '<p>edited</p>', attachment: [{ ...attachment, icon: { type: 'Image', url: other } }] })
  const second = await mediaOf(id)
  assert.deepEqual([second.id, second.preview_remote_url], [first.id, other])
  assert.match(second.preview_url, /\/files\/cache\/media\//)
  assert.notEqual(second.preview_url, first.preview_url)
  assert.notEqual(second.blurhash, first.blurhash)
  assert.equal((await look(first.preview_url)).status, 404)
  assert.equal((await cachedFiles(first.id)).length, 1)
  assert.equal((await ada.get(`/api/v1/statuses/${id}/history`)).length, edits, 'a cover is no revision')

  const { icon: _, ...bare } = attachment
  await revise(note, { content: '<p>again</p>', attachment: [bare] })
  const third = await mediaOf(id)
  assert.deepEqual(
    [third.id, third.preview_url, third.preview_remote_url, third.blurhash, third.meta.small],
    [first.id, null, null, null, undefined],
  )
  assert.deepEqual(await cachedFiles(first.id), [])
  await revise(note, { content: '<p>and again</p>', attachment: [attachment, serveAudio()] })
  const { media_attachments: both } = await ada.get(`/api/v1/statuses/${id}`)
  for (const { preview_url } of both) assert.equal((await look(preview_url)).status, 200)
})

test('domains with reject_media lose their covers, which are fetched again after the block', async () => {
  const attachment = serveAudio()
  const { id } = await arrive(attachment)
  const before = await mediaOf(id)
  await ctx.db.run(
    sql`update media_attachments set preview_key = null where id <> ${before.id} and remote_url is not null`,
  )
  const { media, mediaBytes } = await estimateBlock(ctx, [peer.domain])
  assert.ok(media === 1 && mediaBytes > 0, `${media} files of ${mediaBytes} bytes`)
  const block = await staff.post('/api/v1/admin/domain_blocks', {
    domain: peer.domain,
    severity: 'noop',
    reject_media: true,
  })
  await server.drain()
  assert.deepEqual(await cachedFiles(before.id), [])
  assert.equal((await look(before.preview_url)).status, 404)
  const { preview_url: proxied } = await mediaOf(id)
  assert.equal((await look(proxied)).status, 404)
  await cacheMedia(ctx, { statusId: id })
  assert.equal(requestsOf(attachment.icon.url), 1)
  await staff.send('DELETE', `/api/v1/admin/domain_blocks/${block.id}`)
  await server.drain()
  assert.equal((await look(proxied)).status, 302)
  assert.equal(requestsOf(attachment.icon.url), 2)
})

test('a cover on a host whose media are rejected is not fetched, though its author is on another one', async () => {
  await staff.post('/api/v1/admin/domain_blocks', { domain: 'covers.test', severity: 'noop', reject_media: true })
  const { id } = await arrive({ ...serveAudio(), icon: { type: 'Image', url: 'https://covers.test/a.jpg' } })
  const media = await mediaOf(id)
  assert.equal((await look(media.preview_url)).status, 404)
  assert.ok(await isPlayable(media))
})

test('covers of private posts are at addresses that only their readers know', async () => {
  const attachment = serveAudio()
  const followers = { to: [`${eve.uri}/followers`], cc: [] }
  const { id } = await arrive(attachment, followers)
  assert.equal((await carl.send('GET', `/api/v1/statuses/${id}`)).status, 404)
  const { id: open } = await arrive(serveAudio())
  await dropUnused()
  const [proxied, other] = [new URL((await mediaOf(id)).preview_url), new URL((await mediaOf(open)).preview_url)]
  for (const search of ['', '?sig=', other.search])
    assert.equal((await server.send('GET', proxied.pathname + search)).status, 404)
  assert.equal(requestsOf(attachment.icon.url), 1)
  assert.equal((await look(proxied.href)).status, 302)
})

test('covers are deleted with their posts, and withheld while the author is suspended', async () => {
  const [first, second] = [await arrive(serveAudio()), await arrive(serveAudio())]
  const [gone, hidden] = [await mediaOf(first.id), await mediaOf(second.id)]
  await deliverFrom(peer, eve, server, {
    id: `${first.note.id}#delete`,
    type: 'Delete',
    actor: eve.uri,
    to: [PUBLIC],
    object: { id: first.note.id, type: 'Tombstone' },
  })
  await cleanUp(ctx)
  assert.deepEqual(await cachedFiles(gone.id), [])
  assert.equal((await look(gone.preview_url)).status, 404)
  const { account } = await ada.get(`/api/v1/statuses/${second.id}`)
  await staff.post(`/api/v1/admin/accounts/${account.id}/action`, { type: 'suspend' })
  await server.drain()
  assert.equal((await look(hidden.preview_url)).status, 404)
  assert.equal((await look(hidden.url.replace('original', 'small'))).status, 404)
  await staff.post(`/api/v1/admin/accounts/${account.id}/unsuspend`)
  assert.equal((await look(hidden.preview_url)).status, 200)
})
