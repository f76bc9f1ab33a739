// Copies of remote media within their budget, and what the settings on retention delete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, cleanUp, publishStatus, saveSettings } from '../support/acts.ts'
import { newId, sql } from '../support/database.ts'
import { unlinkMissing, newFileKey, storeUses } from '../support/internals.ts'
import { beforeCommit } from '../support/races.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'], fresh: true })
const { ctx } = server
const far = await remoteAccount(server, 'far', 'far.test')

const usage = async (): Promise<{ bytes: number; counted: number; stored: number }> => {
  const row = await ctx.db.one<{ bytes: string; counted: string; keys: string[] }>(sql`
    select (select bytes from media_cache) as bytes, coalesce(sum(bytes), 0) as counted, coalesce(array_agg(key), '{}') as keys from cached_files`)
  const files = await Promise.all(row.keys.map((key) => ctx.files.open(key)))
  return {
    bytes: Number(row.bytes),
    counted: Number(row.counted),
    stored: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
  }
}

async function remoteStatus(name: string, more: object = {}): Promise<string> {
  const draft = {
    accountId: far,
    local: false,
    uri: `https://far.test/${name}`,
    content: name,
    visibility: 'public' as const,
    ...more,
  }
  return (await publishStatus(ctx, draft)).id
}

/** A remote image with an original and a small copy, last used so many hours ago. */
async function copyOf(hours: number): Promise<{ id: string; statusId: string; keys: string[] }> {
  const statusId = await remoteStatus(`image-${newId()}`)
  const id = newId()
  const keys = (['original', 'small'] as const).map((size) => newFileKey('cache/media', id, size, 'webp'))
  for (const [i, key] of keys.entries()) await ctx.files.put(key, Buffer.alloc([300, 100][i] ?? 0), 'image/webp')
  await ctx.db.run(sql`
    insert into media_attachments (id, account_id, status_id, type, file_key, preview_key, remote_url)
    values (${id}, ${far}, ${statusId}, 'image', ${keys[0]}, ${keys[1]}, ${`https://far.test/${id}.webp`})`)
  await ctx.db.run(sql`update statuses set media_ids = array[${id}::bigint] where id = ${statusId}`)
  await age(keys, hours)
  return { id, statusId, keys }
}

const age = (keys: readonly string[], hours: number): Promise<number> =>
  ctx.db.run(
    sql`update cached_files set used_at = now() - make_interval(hours => ${hours}::int, secs => 11) where key = any(${keys}::text[])`,
  )

const isStored = async (keys: readonly string[]): Promise<boolean> =>
  (await Promise.all(keys.map((key) => ctx.files.open(key)))).every((file) => file !== null)

test('copies of remote media never exceed their budget; the least recently used ones go first', async () => {
  await saveSettings(ctx, { media_cache_max_bytes: 1300 })
  const local = newFileKey('media', '1', 'original', 'webp')
  await ctx.files.put(local, Buffer.alloc(5000), 'image/webp')
  const [oldest, old, young] = [await copyOf(30), await copyOf(20), await copyOf(10)]
  assert.deepEqual(await usage(), { bytes: 1200, counted: 1200, stored: 1200 })
  // Measuring was a use of each. Later, a reader looks at the oldest one.
  await storeUses(ctx)
  for (const [{ keys }, hours] of [
    [oldest, 30],
    [old, 20],
    [young, 10],
  ] as const)
    await age(keys, hours)
  assert.equal((await server.send('GET', `/files/${oldest.keys[0]}`)).status, 200)
  await storeUses(ctx)
  await ctx.db.run(sql`update cached_files set used_at = used_at - interval '11 seconds'`)
  const { media_attachments: before } = await ada.get(`/api/v1/statuses/${old.statusId}`)
  assert.match(before[0].url, /\/files\/cache\//)

  const newest = await copyOf(0)
  assert.deepEqual(await Promise.all([oldest, old, young, newest].map(({ keys }) => isStored(keys))), [
    true,
    false,
    true,
    true,
  ])
  const { media_attachments: after } = await ada.get(`/api/v1/statuses/${old.statusId}`)
  assert.match(after[0].url, /\/media_proxy\//, 'fetched again when a user requests it')
  assert.ok(await ctx.files.open(local))

  // Many at once, and one that can never fit.
  const puts = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) =>
      ctx.files.put(newFileKey('cache/avatars', String(i), 'original', 'webp'), Buffer.alloc(200), 'image/webp'),
    ),
  )
  const state = await usage()
  assert.ok(
    state.bytes <= 1300 && state.bytes === state.counted && state.counted === state.stored,
    JSON.stringify(state),
  )
  assert.ok(puts.some(({ status }) => status === 'fulfilled'))
  for (const put of puts) if (put.status === 'rejected') assert.equal(put.reason.status, 503)
  await assert.rejects(
    ctx.files.put(newFileKey('cache/cards', '1', 'original', 'webp'), Buffer.alloc(1301), 'image/webp'),
    { status: 503 },
  )

  // A lower budget applies with the next clean-up.
  await ctx.db.run(sql`update cached_files set used_at = used_at - interval '1 minute'`)
  await saveSettings(ctx, { media_cache_max_bytes: 400 })
  await cleanUp(ctx)
  assert.ok((await usage()).bytes <= 400)
})

test('copies that were lost are unlinked, and unused ones expire', async () => {
  await saveSettings(ctx, { media_cache_max_bytes: null, media_cache_retention_period: 3 })
  await ctx.changes.catchUp()
  const [lost, unused, used] = [await copyOf(1), await copyOf(80), await copyOf(60)]
  await ctx.db.run(sql`update cached_files set key = key || '.gone' where key = any(${lost.keys}::text[])`)
  await ctx.db.run(sql`
    update media_attachments set file_key = file_key || '.gone', preview_key = preview_key || '.gone' where id = ${lost.id}`)
  assert.equal(await unlinkMissing(ctx), 2)
  assert.match((await ada.get(`/api/v1/statuses/${lost.statusId}`)).media_attachments[0].url, /media_proxy/)
  await cleanUp(ctx)
  assert.deepEqual([await isStored(unused.keys), await isStored(used.keys)], [false, true])
  const { bytes, counted } = await usage()
  assert.equal(bytes, counted)
})

test('old remote posts and profiles are deleted unless a local user interacted with them', async () => {
  const people = ['unknown', 'followed', 'noted', 'blocked']
  const [unknown = '', followed = '', noted = '', blocked = ''] = await Promise.all(
    people.map((name) => remoteAccount(server, name, 'far.test')),
  )
  await ada.post(`/api/v1/accounts/${followed}/follow`)
  await ada.post(`/api/v1/accounts/${noted}/note`, { comment: 'kind' })
  const old = { createdAt: new Date(Date.now() - 40 * 86_400_000) }
  const make = (name: string): Promise<string> => remoteStatus(name, old)
  const plain = await make('plain')
  const [favourite, boosted, bookmarked, answered] = [
    await make('f'),
    await make('b'),
    await make('k'),
    await make('a'),
  ]
  const [mention, marked] = [await make('m'), await make('meanwhile')]
  await ctx.db.run(sql`insert into mentions (status_id, account_id) values (${mention}, ${ada.id})`)
  const recent = await remoteStatus('recent')
  await ada.post(`/api/v1/statuses/${favourite}/favourite`)
  await ada.post(`/api/v1/statuses/${boosted}/reblog`)
  await ada.post(`/api/v1/statuses/${bookmarked}/bookmark`)
  await ada.post('/api/v1/statuses', { status: 'hm', in_reply_to_id: answered })
  await ctx.db.run(sql`update accounts set fetched_at = now() - interval '40 days' where domain = 'far.test'`)
  const existing = async (): Promise<boolean[]> =>
    Promise.all(
      [plain, favourite, boosted, bookmarked, answered, mention, recent, marked].map(
        async (id) => (await ada.send('GET', `/api/v1/statuses/${id}`)).status === 200,
      ),
    )
  await cleanUp(ctx)
  assert.deepEqual(await existing(), Array(8).fill(true), 'off by default')
  await saveSettings(ctx, { content_cache_retention_period: 30 })
  const clean = (): Promise<void> => cleanUp(ctx)
  const mark = sql`insert into bookmarks (account_id, status_id) values (${ada.id}, ${marked})`
  await beforeCommit(server, (tx) => tx.db.run(mark), clean)
  await saveSettings(ctx, { profile_cache_retention_period: 30 })
  await beforeCommit(server, (tx) => block(tx, { accountId: ada.id, targetAccountId: blocked }), clean)
  assert.deepEqual(await existing(), [false, true, true, true, true, true, true, true])
  const known = async (id: string): Promise<number> => (await ada.send('GET', `/api/v1/accounts/${id}`)).status
  await eventually(async () => (await known(unknown)) === 404)
  assert.deepEqual(await Promise.all([followed, noted, far, blocked].map(known)), [200, 200, 200, 200])
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id[]=${blocked}`))[0].blocking, true)
  const tombstone = await ctx.db.maybe(sql`select from tombstones where uri = 'https://far.test/plain'`)
  assert.equal(tombstone, null, 'it can be fetched again')
})
