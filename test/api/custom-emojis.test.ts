import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { changeEmojis, copyEmojis, createEmoji, deleteEmojis, modifyEmoji } from '../support/acts.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'

const { server, ada, peer } = await stage({ accounts: ['ada'], peers: ['peer'] })
const { ctx } = server
const owner = await server.person('owner', { role: 'owner' })
const site = await startSite()
after(() => site.stop())

const image = (format: 'png' | 'webp' | 'jpeg' = 'png') =>
  sharp({ create: { width: 40, height: 40, channels: 4, background: '#a3c' } })
    .toFormat(format)
    .toBuffer()

async function fileOf(bytes: Buffer | string) {
  const path = join(ctx.config.dataDir, 'emoji.bin')
  await writeFile(path, bytes)
  return { path, size: Buffer.byteLength(bytes) }
}

const fields = (change: object = {}) => ({
  shortcode: 'blobcat',
  category: '',
  aliases: [],
  visibleInPicker: true,
  ...change,
})
const create = async (change: object = {}, bytes?: Buffer | string) =>
  createEmoji(ctx, owner.id, fields(change), await fileOf(bytes ?? (await image())))
const shown = async () => (await server.send('GET', '/api/v1/custom_emojis')).json
const refused = (promise: Promise<unknown>, names: string[]) =>
  assert.rejects(promise, (error: any) => {
    assert.deepEqual([error.status, Object.keys(error.extra?.details ?? {})], [422, names])
    return true
  })

test('an emoji is uploaded, used, changed and deleted', async () => {
  const id = await create({ shortcode: ':blobcat:', category: ' Blobs ', aliases: ['cat'] })
  const [emoji, alias] = await shown()
  assert.deepEqual([emoji.shortcode, emoji.category, emoji.visible_in_picker], ['blobcat', 'Blobs', true])
  assert.deepEqual([alias.shortcode, alias.url, alias.visible_in_picker], ['cat', emoji.url, false])
  const file = await server.send('GET', new URL(emoji.url).pathname)
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/png'])
  const post = await ada.post('/api/v1/statuses', { status: 'Hi :blobcat: :cat:' })
  assert.deepEqual(
    post.emojis.map(({ shortcode }: any) => shortcode),
    ['blobcat', 'cat'],
  )
  await ada.get(`/api/v1/statuses/${post.id}`)

  await modifyEmoji(ctx, owner.id, id, {
    ...fields({ shortcode: 'blob', aliases: [] }),
    file: await fileOf(await image('webp')),
  })
  assert.deepEqual((await ada.get(`/api/v1/statuses/${post.id}`)).emojis, [])
  assert.match((await shown())[0].url, /webp$/)
  assert.equal((await server.send('GET', new URL(emoji.url).pathname)).status, 404)
  assert.equal(await changeEmojis(ctx, owner.id, [id, '999'], { visibleInPicker: false, category: 'Cats' }), 1)
  assert.equal(await changeEmojis(ctx, owner.id, [id], { category: 'Cats' }), 0)
  assert.deepEqual([(await shown())[0].visible_in_picker, (await shown())[0].category], [false, 'Cats'])
  await changeEmojis(ctx, owner.id, [id], { disabled: true })
  assert.deepEqual(await shown(), [])
  await changeEmojis(ctx, owner.id, [id], { disabled: false })
  assert.equal(await deleteEmojis(ctx, owner.id, [id]), 1)
  assert.equal(await deleteEmojis(ctx, owner.id, [id]), 0)
  assert.deepEqual(await shown(), [])
  const { rows } = await server.database.raw(
    `select action, target_label from audit_log where target_type = 'custom_emoji' order by id`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['create', 'update', 'update', 'disable', 'enable', 'delete'],
  )
  assert.equal(rows[0]?.target_label, ':blobcat:')
})

test('names and files are checked', async () => {
  await create({ shortcode: 'one', aliases: ['uno'] })
  await refused(create({ shortcode: 'a b', aliases: ['x'], category: 'x'.repeat(101) }), [
    'shortcode',
    'aliases',
    'category',
  ])
  await refused(create({ shortcode: 'uno' }), ['shortcode'])
  await refused(create({ shortcode: 'two', aliases: ['one', 'two'] }), ['aliases'])
  await refused(create({ shortcode: 'jpeg' }, await image('jpeg')), [])
  await refused(create({ shortcode: 'text' }, '<svg xmlns="http://www.w3.org/2000/svg"/>'), [])
  await refused(create({ shortcode: 'huge' }, Buffer.alloc(256 * 1024 + 1)), [])
  const both = await Promise.allSettled([create({ shortcode: 'twice' }), create({ shortcode: 'twice' })])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(modifyEmoji(ctx, owner.id, '999', fields({ shortcode: 'gone' })), { status: 404 })
  assert.deepEqual(
    (await shown()).map(({ shortcode }: any) => shortcode),
    ['one', 'uno', 'twice'],
  )
})

test('the emojis of remote posts and profiles are listed and copied', async () => {
  site.serve('/far.png', { type: 'image/png', body: await image() })
  site.serve('/bad.png', { type: 'image/png', body: 'nonsense' })
  const tag = (name: string, path: string) => ({
    type: 'Emoji',
    name: `:${name}:`,
    icon: { type: 'Image', url: `${site.url}${path}` },
  })
  const actor = await peer.actor('far', { tag: [tag('wave', '/far.png')] })
  const mention = { type: 'Mention', href: `${server.ctx.config.baseUrl}/users/ada`, name: '@ada' }
  const note = {
    content: ':far: :bad:',
    to: ['https://www.w3.org/ns/activitystreams#Public'],
    cc: [mention.href],
    tag: [mention, tag('far', '/far.png'), tag('bad', '/bad.png'), tag('one', '/far.png')],
  }
  await peer.send(server, actor, peer.create(actor, note))
  await peer.send(server, actor, peer.create(actor, note))
  await server.drain()
  const { rows } = await server.database.raw(
    'select id, shortcode, domain from custom_emojis where domain is not null order by shortcode',
  )
  assert.deepEqual(
    rows.map(({ shortcode }) => shortcode),
    ['bad', 'far', 'one', 'wave'],
  )
  assert.equal(rows[0]?.domain, peer.domain)
  assert.ok((await shown()).every(({ shortcode }: any) => shortcode !== 'far'))

  const { copied, failed } = await copyEmojis(
    ctx,
    owner.id,
    rows.map(({ id }) => id),
    { category: 'Far' },
  )
  assert.deepEqual(copied.toSorted(), ['far', 'wave'])
  assert.deepEqual(failed.map(({ shortcode }) => shortcode).toSorted(), ['bad', 'one'])
  assert.deepEqual(
    (await shown()).filter(({ category }: any) => category === 'Far').map(({ shortcode }: any) => shortcode),
    ['far', 'wave'],
  )
})
