import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })

const get = (path: string, who: Person | null = null) =>
  server.send('GET', `/api/v1/accounts${path}`, { token: who?.token ?? null })
const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id)
const change = (id: string, columns: string) =>
  server.database.raw(`update accounts set ${columns} where id = $1`, [id])

test('GET /accounts/:id needs no token; 404 for unknown, unconfirmed and unapproved accounts, 410 for suspended ones', async () => {
  const account = (await get(`/${ada.id}`)).json
  assert.deepEqual([account.username, account.acct, account.url], ['ada', 'ada', `${server.ctx.config.baseUrl}/@ada`])
  assert.equal((await get(`/${ada.id}`, ben)).status, 200)
  assert.deepEqual((await get('/12345')).json, { error: 'Record not found' })
  assert.equal((await get('/-1')).status, 404)
  const [pending, waiting] = [
    await server.person('pending', { confirmed: false }),
    await server.person('waiting', { approved: false }),
  ]
  for (const { id } of [pending, waiting]) {
    assert.equal((await get(`/${id}`)).status, 404)
    assert.equal((await get(`/${id}/statuses`)).status, 404)
    assert.equal((await get(`/${id}/followers`, ada)).status, 404)
  }
  assert.equal((await get(`/${ada.id}`, { token: 'wrong' } as Person)).status, 401)
  assert.equal(
    (
      await server.send('GET', `/api/v1/accounts/${ada.id}`, {
        token: await server.token({ userId: ada.userId, scopes: ['write'] }),
      })
    ).status,
    403,
  )
  const gone = await server.person('gone')
  await change(gone.id, `suspended_at = now(), display_name = 'secret'`)
  assert.equal((await get(`/${gone.id}`)).status, 410)
  assert.deepEqual((await get(`/${gone.id}/statuses`)).json, [])
  assert.deepEqual((await get(`/${gone.id}/following`)).json, [])
  const [blanked] = (await get(`?id[]=${gone.id}`)).json
  assert.deepEqual([blanked.suspended, blanked.display_name], [true, ''])
  await change(ben.id, 'silenced_at = now()')
  assert.equal((await get(`/${ben.id}`)).json.limited, true)
  await change(ben.id, 'silenced_at = null')
})

test('GET /accounts returns up to 40 accounts and omits unknown ids', async () => {
  assert.deepEqual(ids((await get(`?id[]=${ben.id}&id[]=1&id[]=${ada.id}&id[]=junk`)).json), [ben.id, ada.id])
  assert.deepEqual(ids((await get(`?id=${ben.id}`)).json), [ben.id])
  assert.deepEqual((await get('')).json, [])
  const many = Array.from({ length: 41 }, (_, i) => `id[]=${i}`).join('&')
  assert.equal((await get(`?${many}`)).status, 422)
})

test('lookup finds stored accounts regardless of case and does not fetch remote ones', async () => {
  const far = await remoteAccount(server, 'Far', 'far.test')
  for (const acct of [
    'ada',
    'ADA',
    '@ada',
    `ada@${server.domain}`,
    `@Ada@${server.domain.toUpperCase()}`,
    `acct:ada@${server.domain}`,
  ])
    assert.equal((await get(`/lookup?acct=${encodeURIComponent(acct)}`)).json.id, ada.id, acct)
  for (const acct of ['far@far.test', '@FAR@Far.Test'])
    assert.equal((await get(`/lookup?acct=${encodeURIComponent(acct)}`)).json.id, far, acct)
  for (const acct of ['far', 'nobody', 'ada@far.test', 'not a handle', 'pending', '', ' '])
    assert.equal((await get(`/lookup?acct=${encodeURIComponent(acct)}`)).status, 404, acct)
  assert.equal((await get('/lookup')).status, 404)
})

test('account search ranks exact handles first, matches parts of names, can be limited to followed accounts and omits suspended ones', async () => {
  const [rook, rookie, far] = [
    await server.person('rook'),
    await server.person('rookie'),
    await remoteAccount(server, 'rook', 'rooks.test', { display_name: 'Rook of Afar 100%' }),
  ]
  await server.database.raw('update account_stats set followers_count = 50 where account_id = $1', [rookie.id])
  const search = async (query: string): Promise<string[]> => ids(await ada.get(`/api/v1/accounts/search?${query}`))
  assert.deepEqual(await search('q=rook'), [rook.id, far, rookie.id])
  assert.deepEqual((await search('q=@ROOK@rooks.test'))[0], far)
  assert.deepEqual(await search('q=afar%20rook'), [far])
  assert.deepEqual(await search('q=ook'), [rookie.id, rook.id, far])
  assert.deepEqual(await search('q=ro&limit=1'), [rookie.id])
  assert.deepEqual(await search('q=ro&limit=2&offset=1'), [rook.id, far])
  assert.deepEqual(await search('q=af'), [far])
  assert.deepEqual(await search('q=100%25'), [far])
  assert.deepEqual(await search('q=%25'), [])
  const underscores = await remoteAccount(server, '__rook__', 'rooks.test', { display_name: '山田太郎 🦊 --- Jürgen' })
  for (const q of ['山田太郎', '田太郎', '山', '🦊', 'ürg', 'rook 山田 ---', '__', '_ --'])
    assert.deepEqual(await search(`q=${encodeURIComponent(q)}`), [underscores], q)
  for (const q of ['太郎', '日本語', '___', '---']) assert.deepEqual(await search(`q=${encodeURIComponent(q)}`), [], q)
  assert.deepEqual(await search('q=pending'), [])
  await ada.post(`/api/v1/accounts/${rookie.id}/follow`)
  assert.deepEqual(await search('q=rook&following=true'), [rookie.id])
  assert.deepEqual(await search('q=rook@nowhere.test&resolve=false'), [])
  await change(far, 'suspended_at = now()')
  assert.deepEqual(await search('q=afar'), [])
  assert.equal((await get('/search?q=rook')).status, 401)
  for (const blank of ['', '?q=', '?q=%20&resolve=true']) {
    const answer = await get(`/search${blank}`, ada)
    assert.deepEqual([answer.status, answer.json], [200, []], blank)
  }
  assert.equal(
    (
      await server.send('GET', '/api/v1/accounts/search?q=rook', {
        token: await server.token({ userId: ada.userId, scopes: ['read:search'] }),
      })
    ).status,
    403,
  )
})

test("an account's posts are listed by visibility, mention, follow and block of the viewer", async () => {
  const author = await server.person('author')
  const post = async (visibility: string, status = visibility): Promise<string> =>
    (await author.post('/api/v1/statuses', { status, visibility })).id
  const [pub, unlisted, priv, direct] = [
    await post('public'),
    await post('unlisted'),
    await post('private'),
    await post('direct', 'hello @ben'),
  ]
  const seenBy = async (who: Person | null, query = ''): Promise<string[]> =>
    ids((await get(`/${author.id}/statuses${query}`, who)).json)
  assert.deepEqual(await seenBy(null), [unlisted, pub])
  assert.deepEqual(await seenBy(ada), [unlisted, pub])
  assert.deepEqual(await seenBy(ben), [direct, unlisted, pub])
  assert.deepEqual(await seenBy(author), [direct, priv, unlisted, pub])
  await ada.post(`/api/v1/accounts/${author.id}/follow`)
  assert.deepEqual(await seenBy(ada), [priv, unlisted, pub])
  await author.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual(await seenBy(ada), [])
  await author.post(`/api/v1/accounts/${ada.id}/unblock`)
  await ada.post(`/api/v1/accounts/${author.id}/block`)
  assert.deepEqual(await seenBy(ada), [unlisted, pub])
  await ada.post(`/api/v1/accounts/${author.id}/unblock`)
  assert.equal(
    (
      await server.send('GET', `/api/v1/accounts/${author.id}/statuses`, {
        token: await server.token({ userId: ada.userId, scopes: ['read:accounts'] }),
      })
    ).status,
    403,
  )

  const first = await get(`/${author.id}/statuses?limit=1`)
  assert.match(
    first.headers.get('link') ?? '',
    new RegExp(`limit=1&max_id=${unlisted}>; rel="next", <[^>]*min_id=${unlisted}>; rel="prev"`),
  )
  assert.deepEqual(await seenBy(author, '?exclude_direct=true'), [priv, unlisted, pub])
  assert.deepEqual(await seenBy(author, `?max_id=${unlisted}`), [pub])
  assert.deepEqual(await seenBy(author, `?since_id=${unlisted}`), [direct, priv])
  assert.deepEqual(await seenBy(author, `?min_id=${pub}&limit=1`), [unlisted])
  assert.equal((await get(`/${author.id}/statuses?max_id=${pub}`)).headers.get('link'), null)
})

test("an account's posts can be filtered by replies, boosts, media and hashtag", async () => {
  const author = await server.person('prolific')
  const post = async (json: object): Promise<string> => (await author.post('/api/v1/statuses', json)).id
  const theirs = await ben.post('/api/v1/statuses', { status: 'by ben' })
  const plain = await post({ status: 'plain #Rooks' })
  const reply = await post({ status: 'to ben', in_reply_to_id: theirs.id })
  const self = await post({ status: 'to myself', in_reply_to_id: plain })
  const boost = (await author.post(`/api/v1/statuses/${theirs.id}/reblog`)).id
  const form = new FormData()
  form.set(
    'file',
    new Blob([Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')]),
    'a.gif',
  )
  const attachment = (await author.send('POST', '/api/v2/media', { form })).json
  const withImage = await post({ status: 'look', media_ids: [attachment.id] })
  const listed = async (query: string, who: Person | null = null): Promise<string[]> =>
    ids((await get(`/${author.id}/statuses${query}`, who)).json)
  assert.deepEqual(await listed(''), [withImage, boost, self, reply, plain])
  assert.deepEqual(await listed('?exclude_replies=true'), [withImage, boost, self, plain])
  assert.deepEqual(await listed('?exclude_reblogs=1'), [withImage, self, reply, plain])
  assert.deepEqual(await listed('?only_media=true'), [withImage])
  assert.deepEqual(await listed('?tagged=ROOKS'), [plain])
  assert.deepEqual(await listed('?tagged=unknown'), [])
  // Boosts of posts whose author the viewer mutes, or is blocked by, are hidden.
  await ada.post(`/api/v1/accounts/${ben.id}/mute`)
  assert.ok(!(await listed('', ada)).includes(boost))
  await ada.post(`/api/v1/accounts/${ben.id}/unmute`)
  assert.ok((await listed('', ada)).includes(boost))
  await ben.post(`/api/v1/accounts/${ada.id}/block`)
  assert.ok(!(await listed('', ada)).includes(boost))
  await ben.post(`/api/v1/accounts/${ada.id}/unblock`)
})

test('pinned posts are listed by the time of pinning, newest first', async () => {
  const author = await server.person('pinner')
  const [one, two, hidden] = [
    await author.post('/api/v1/statuses', { status: '1' }),
    await author.post('/api/v1/statuses', { status: '2' }),
    await author.post('/api/v1/statuses', { status: '3', visibility: 'private' }),
  ]
  for (const { id } of [two, one, hidden]) await author.post(`/api/v1/statuses/${id}/pin`)
  const pinned = async (who: Person | null): Promise<string[]> =>
    ids((await get(`/${author.id}/statuses?pinned=true`, who)).json)
  assert.deepEqual(await pinned(null), [one.id, two.id])
  assert.deepEqual(await pinned(author), [hidden.id, one.id, two.id])
})
