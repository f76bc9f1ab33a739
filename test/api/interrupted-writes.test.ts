// Writes that the database fails, or whose answer never arrives.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { purgeRemoteAccount } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { failStatement, loseAnswer } from '../support/faults.ts'
import { imageFile, uploadImage } from '../support/images.ts'
import { newFileKey } from '../support/internals.ts'
import { runDelayedJobs } from '../support/jobs.ts'
import { remoteAccount } from '../support/remote.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob, peer } = await stage({ accounts: ['ada', 'bob'], peers: ['peer'] })

test('a post succeeds after a deadlock, also when statements that were sent with the failed one report first', async () => {
  failStatement('insert into notifications', '40P01')
  const answer = await ada.send('POST', '/api/v1/statuses', { json: { status: `@${bob.username} after a deadlock` } })
  assert.equal(answer.status, 200)
  assert.equal((await bob.get('/api/v1/notifications?types[]=mention')).length, 1)
})

test('a deadlock of a single statement is answered with 503, and the request succeeds when it is repeated', async () => {
  server.expectErrors(/injected/)
  const { id } = await ada.post('/api/v1/statuses', { status: 'to be muted' })
  failStatement('insert into conversation_mutes', '40P01')
  const answer = await ada.send('POST', `/api/v1/statuses/${id}/mute`)
  assert.equal(answer.status, 503)
  assert.ok(answer.headers.get('retry-after'))
  assert.equal((await ada.post(`/api/v1/statuses/${id}/mute`)).muted, true)
})

test('posts that share a commit whose answer is lost are not stored twice', async () => {
  const texts = Array.from({ length: 12 }, (_, i) => `simultaneous${i}`)
  const isShared = (text: string, values: string): boolean =>
    text.includes('insert into statuses') && new Set(values.match(/simultaneous\d+/g)).size > 1
  const hasBroken = loseAnswer(isShared)
  await Promise.all(texts.map((status) => ada.send('POST', '/api/v1/statuses', { json: { status } })))
  assert.ok(hasBroken())
  const stored: { content: string }[] = await ada.get(`/api/v1/accounts/${ada.id}/statuses?limit=40`)
  const counts = texts.map((text) => stored.filter(({ content }) => content === `<p>${text}</p>`).length)
  assert.deepEqual(
    counts,
    texts.map(() => 1),
  )
})

test('an avatar is served when the answer to its commit was lost', async () => {
  const before = (await ada.get('/api/v1/accounts/verify_credentials')).avatar
  const form = new FormData()
  form.set('avatar', await imageFile())
  const hasBroken = loseAnswer((text) => /^update accounts\b/.test(text))
  assert.equal((await ada.send('PATCH', '/api/v1/accounts/update_credentials', { form })).status, 503)
  assert.ok(hasBroken())
  const { avatar } = await ada.get('/api/v1/accounts/verify_credentials')
  assert.notEqual(avatar, before)
  assert.equal((await server.send('GET', new URL(avatar).pathname)).status, 200)
})

test('the preview of media is served when the answer to its statement or commit was lost', async () => {
  const upload = async (method: string, path: string): Promise<number> => {
    const form = new FormData()
    for (const name of ['file', 'thumbnail']) form.set(name, await imageFile())
    return (await ada.send(method, path, { form })).status
  }
  const hasBroken = loseAnswer((text) => text.includes('insert into media_attachments'))
  assert.equal(await upload('POST', '/api/v2/media'), 503)
  assert.ok(hasBroken())
  const { id } = await server.ctx.db.one<{ id: string }>(sql`select id from media_attachments`)
  const hasBrokenAgain = loseAnswer((text) => text.includes('update media_attachments'))
  assert.equal(await upload('PUT', `/api/v1/media/${id}`), 503)
  assert.ok(hasBrokenAgain())
  const { url, preview_url: preview } = await ada.get(`/api/v1/media/${id}`)
  for (const address of [url, preview])
    assert.equal((await server.send('GET', new URL(address).pathname)).status, 200, address)
})

test('an application that registers a user gets a token, or no user is registered', async () => {
  const token = await server.token({ scopes: ['read', 'write'] })
  const json = { username: 'nia', email: 'nia@mail.test', password: 'correct horse battery', agreement: true }
  failStatement('insert into oauth_tokens', '55P03')
  assert.equal((await server.send('POST', '/api/v1/accounts', { token, json })).status, 503)
  const answer = await server.send('POST', '/api/v1/accounts', { token, json })
  assert.equal(answer.status, 200, answer.text)
})

test('a post that is deleted with its media stays when they cannot be deleted', async () => {
  const media_ids = [await uploadImage(ada)]
  const { id } = await ada.post('/api/v1/statuses', { status: 'with an image', media_ids })
  const path = `/api/v1/statuses/${id}?delete_media=true`
  failStatement('delete from media_attachments', '55P03')
  assert.equal((await ada.send('DELETE', path)).status, 503)
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).media_attachments.length, 1)
  assert.equal((await ada.send('DELETE', path)).status, 200)
  assert.equal((await ada.send('GET', `/api/v1/media/${media_ids[0]}`)).status, 404)
})

test('an upload of which one file cannot be stored leaves no other', async () => {
  const files = (): Promise<string[]> => Array.fromAsync(server.ctx.files.list(), ({ key }) => key)
  const before = await files()
  const { put } = server.ctx.files
  const stored: Promise<void>[] = []
  for (const code of ['ENOSPC', 'EIO', 'EROFS', 'EMFILE']) {
    server.expectErrors(new RegExp(code))
    const failing = mock.method(server.ctx.files, 'put', async (...given: Parameters<typeof put>) => {
      if (given[0].includes('/original/')) throw Object.assign(new Error(code), { code })
      stored.push(put(...given))
      return stored.at(-1)
    })
    const form = new FormData()
    form.set('file', await imageFile())
    const { status } = await ada.send('POST', '/api/v2/media', { form })
    failing.mock.restore()
    assert.equal(status, 503, code)
  }
  await Promise.all(stored)
  assert.equal(stored.length, 4)
  assert.deepEqual((await files()).toSorted(), before.toSorted())
})

test('the files of a purged remote account go, even when the answer to the commit was lost', async () => {
  const key = newFileKey('cache/avatars', '1', 'original', 'png')
  await server.ctx.files.put(key, Buffer.from('an image'), 'image/png')
  const id = await remoteAccount(server, 'mel', 'far.test', { avatar_key: key })
  const hasBroken = loseAnswer((text) => text.startsWith('delete from accounts'))
  await assert.rejects(purgeRemoteAccount(server.ctx, id))
  assert.ok(hasBroken())
  await server.drain()
  assert.equal(await server.ctx.files.open(key), null)
})

test('an account is read again for its first local follower, even when the answer to the commit was lost', async () => {
  const zoe = await peer.actor('zoe')
  const { uri } = zoe
  const found = await ada.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true`)
  const { id } = found.accounts[0]
  await ada.post(`/api/v1/accounts/${id}/follow`)
  await server.drain()
  const countRefreshes = async (): Promise<number> => {
    const { rows } = await server.database.raw(
      `select from pgboss.job where name = 'federation.refresh' and data ->> 'accountId' = $1`,
      [id],
    )
    return rows.length
  }
  const before = await countRefreshes()
  const hasBroken = loseAnswer((text) => text.includes('insert into follows'))
  const follow = peer.received.find(({ type }) => type === 'Follow')
  await peer.send(server, zoe, { id: `${uri}#accept`, type: 'Accept', actor: uri, object: follow })
  await server.drain()
  assert.ok(hasBroken())
  await runDelayedJobs(server)
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id[]=${id}`))[0].following, true)
  assert.equal(await countRefreshes(), before + 1)
})
