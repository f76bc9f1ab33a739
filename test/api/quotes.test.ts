// Quotes: quoted_status_id, the quote member, GET /api/v1/statuses/:id/quotes, revocation
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadImage } from '../support/images.ts'
import { publishNow } from '../support/jobs.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob, cat } = await stage({ accounts: ['ada', 'bob', 'cat'] })

const post = (who: Person, json: object = {}): Promise<any> => who.post('/api/v1/statuses', { status: 'said', ...json })
const quote = (who: Person, id: string, json: object = {}): Promise<any> =>
  who.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: id, ...json })
const tryQuote = (who: Person, id: string, json: object = {}): Promise<Answer> =>
  who.send('POST', '/api/v1/statuses', { json: { status: 'quoting', quoted_status_id: id, ...json } })
const read = (who: Person, id: string): Promise<any> => who.get(`/api/v1/statuses/${id}`)
const notifications = async (who: Person, type: string): Promise<any[]> =>
  who.get(`/api/v1/notifications?types[]=${type}`)

test('a quote shows the quoted post, increases its count and notifies its author', async () => {
  const original = await post(ada)
  const made = await quote(bob, original.id)
  assert.deepEqual(
    [made.quote.state, made.quote.quoted_status.id, made.quote.quoted_status.account.id],
    ['accepted', original.id, ada.id],
  )
  assert.equal(made.quote.quoted_status.quotes_count, 1)
  assert.equal((await read(ada, original.id)).quotes_count, 1)
  const [notification] = await notifications(ada, 'quote')
  assert.deepEqual([notification.account.id, notification.status.id], [bob.id, made.id])
  assert.match(
    made.content,
    new RegExp(`^<p class="quote-inline">RE: <a href="${original.url}"[^>]*>.*</a></p><p>quoting</p>$`),
  )
  const anonymous = (await server.send('GET', `/api/v1/statuses/${made.id}`)).json
  assert.equal(anonymous.quote.quoted_status.id, original.id)
  assert.equal((await post(bob)).quote, null)
})

test('a quote adds no link to the quoted post if the text has it; a quote needs no text', async () => {
  const original = await post(ada)
  const named = await quote(bob, original.id, { status: `see ${original.url}` })
  assert.doesNotMatch(named.content, /quote-inline/)
  const bare = await quote(bob, original.id, { status: '' })
  assert.match(bare.content, /^<p class="quote-inline">/)
  const edited = await bob.put(`/api/v1/statuses/${bare.id}`, { status: 'words after all' })
  assert.match(edited.content, /^<p class="quote-inline">.*<p>words after all<\/p>$/)
  assert.equal(edited.quote.quoted_status.id, original.id)
})

test('a quote within a quoted post is shown by its id only', async () => {
  const first = await post(ada)
  const second = await quote(bob, first.id)
  const third = await quote(cat, second.id)
  assert.deepEqual(third.quote.quoted_status.quote, { state: 'accepted', quoted_status_id: first.id })
  const boost = await ada.post(`/api/v1/statuses/${third.id}/reblog`)
  assert.equal(boost.quote, null)
  assert.equal(boost.reblog.quote.quoted_status.id, second.id)
})

test('quoting a boost quotes the original post', async () => {
  const original = await post(ada)
  const boost = await bob.post(`/api/v1/statuses/${original.id}/reblog`)
  assert.equal((await quote(cat, boost.id)).quote.quoted_status.id, original.id)
})

test('quoting hidden, unknown and unquotable posts answers 404', async () => {
  const [direct, restricted, unquotable, followers] = [
    await post(ada, { status: '@bob psst', visibility: 'direct' }),
    await post(ada, { visibility: 'private' }),
    await post(ada, { quote_approval_policy: 'nobody' }),
    await post(ada, { quote_approval_policy: 'followers' }),
  ]
  const answers = await Promise.all(
    [direct.id, restricted.id, unquotable.id, followers.id, '1', 'x'].map((id) => tryQuote(bob, id)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404, 404, 404],
  )
  // The same error for all, so that it does not reveal which of them exist.
  assert.equal(new Set(answers.map(({ json }) => json.error)).size, 1)
  assert.equal((await tryQuote(ada, direct.id)).status, 404)
  assert.equal((await tryQuote(ada, unquotable.id)).status, 200)
  const fan = await server.person('fan')
  await fan.post(`/api/v1/accounts/${ada.id}/follow`)
  assert.equal((await tryQuote(fan, followers.id)).status, 200)
  assert.equal((await tryQuote(fan, restricted.id)).status, 404)
  const foe = await server.person('foe')
  const open = await post(ada)
  await ada.post(`/api/v1/accounts/${foe.id}/block`)
  assert.equal((await tryQuote(foe, open.id)).status, 404)
  // The one who blocks still sees the post, but may not quote it either.
  await ada.post(`/api/v1/accounts/${foe.id}/unblock`)
  await foe.post(`/api/v1/accounts/${ada.id}/block`)
  assert.equal((await read(foe, open.id)).id, open.id)
  assert.equal((await tryQuote(foe, open.id)).status, 404)
  await foe.post(`/api/v1/accounts/${ada.id}/unblock`)
  assert.equal((await tryQuote(foe, open.id)).status, 200)
})

test('a private post can be quoted by its author only, and not publicly', async () => {
  const restricted = await post(ada, { visibility: 'private' })
  for (const visibility of ['public', 'unlisted', 'private'])
    assert.equal((await quote(ada, restricted.id, { visibility })).visibility, 'private')
  assert.equal((await quote(ada, restricted.id, { visibility: 'direct' })).visibility, 'direct')
})

test('a direct quote must mention the quoted author', async () => {
  const original = await post(ada)
  assert.equal((await tryQuote(bob, original.id, { visibility: 'direct', status: 'hey @cat' })).status, 422)
  assert.equal((await tryQuote(bob, original.id, { visibility: 'direct', status: 'hey @ada' })).status, 200)
  assert.equal((await tryQuote(ada, original.id, { visibility: 'direct', status: 'note' })).status, 200)
})

test('a quote cannot have media or a poll, nor gain them in an edit; an edit cannot change the quoted post', async () => {
  const media = await uploadImage(bob)
  const original = await post(ada)
  const poll = { options: ['a', 'b'], expires_in: 600 }
  assert.equal((await tryQuote(bob, original.id, { media_ids: [media] })).status, 422)
  assert.equal((await tryQuote(bob, original.id, { poll })).status, 422)
  const made = await quote(bob, original.id)
  for (const json of [{ media_ids: [media] }, { poll }])
    assert.equal((await bob.send('PUT', `/api/v1/statuses/${made.id}`, { json })).status, 422)
  const other = await post(ada)
  const edited = await bob.put(`/api/v1/statuses/${made.id}`, { status: 'x', quoted_status_id: other.id })
  assert.equal(edited.quote.quoted_status.id, original.id)
  const plain = await post(bob)
  assert.equal((await bob.put(`/api/v1/statuses/${plain.id}`, { status: 'x', quoted_status_id: other.id })).quote, null)
})

test('the state of a quote depends on the viewer', async () => {
  const reader = await server.person('reader')
  const author = await server.person('author')
  const original = await post(author)
  const made = await quote(bob, original.id)
  const state = async (): Promise<unknown[]> => {
    const { quote: seen } = await read(reader, made.id)
    return [seen.state, seen.quoted_status?.id ?? null]
  }
  assert.deepEqual(await state(), ['accepted', original.id])
  await reader.post(`/api/v1/accounts/${author.id}/mute`)
  assert.deepEqual(await state(), ['muted_account', original.id])
  await reader.post(`/api/v1/accounts/${author.id}/unmute`)
  await reader.post(`/api/v1/accounts/${author.id}/block`)
  assert.deepEqual(await state(), ['blocked_account', original.id])
  await reader.post(`/api/v1/accounts/${author.id}/unblock`)
  await author.post(`/api/v1/accounts/${reader.id}/block`)
  assert.deepEqual(await state(), ['unauthorized', null])
  assert.equal((await read(cat, made.id)).quote.state, 'accepted')
  const above = await quote(cat, made.id)
  assert.deepEqual((await read(reader, above.id)).quote.quoted_status.quote, {
    state: 'unauthorized',
    quoted_status_id: null,
  })
  await author.delete(`/api/v1/statuses/${original.id}`)
  assert.deepEqual(await state(), ['deleted', null])
})

test('a quoted private post is hidden from viewers who may not read it', async () => {
  const restricted = await post(ada, { visibility: 'private' })
  const direct = await quote(ada, restricted.id, { visibility: 'direct', status: 'hey @cat' })
  assert.deepEqual((await read(cat, direct.id)).quote, { state: 'unauthorized', quoted_status: null })
})

test('quotes are listed in pages, without authors that the viewer mutes or is blocked by', async () => {
  const original = await post(ada)
  const ids: string[] = []
  for (const who of [bob, cat, bob, cat]) ids.unshift((await quote(who, original.id)).id)
  await quote(bob, original.id, { visibility: 'private' })
  const list = async (who: Person, query = ''): Promise<[string[], string | null]> => {
    const answer = await who.send('GET', `/api/v1/statuses/${original.id}/quotes?${query}`)
    assert.equal(answer.status, 200)
    return [answer.json.map(({ id }: any) => id), answer.headers.get('link')]
  }
  assert.deepEqual((await list(ada))[0], ids)
  const [first, link] = await list(ada, 'limit=2')
  assert.deepEqual(first, ids.slice(0, 2))
  assert.match(link ?? '', /rel="next".*since_id=\d+>; rel="prev"/)
  const next = /<[^>]+\/quotes(\?[^>]+)>; rel="next"/.exec(link ?? '')?.[1]?.slice(1)
  assert.deepEqual((await list(ada, next))[0], ids.slice(2))
  const reader = await server.person('picky')
  await reader.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual((await list(reader))[0], [ids[0], ids[2]])
  await cat.post(`/api/v1/accounts/${reader.id}/block`)
  assert.deepEqual((await list(reader))[0], [])
  assert.equal((await server.send('GET', `/api/v1/statuses/${original.id}/quotes`)).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['write'] })
  assert.equal((await server.send('GET', `/api/v1/statuses/${original.id}/quotes`, { token })).status, 403)
  const hidden = await post(bob, { visibility: 'direct' })
  assert.equal((await ada.send('GET', `/api/v1/statuses/${hidden.id}/quotes`)).status, 404)
})

test('the quoted author can revoke a quote', async () => {
  const original = await post(ada)
  const made = await quote(bob, original.id)
  const path = `/api/v1/statuses/${original.id}/quotes/${made.id}/revoke`
  assert.equal((await bob.send('POST', path)).status, 403)
  assert.equal((await server.send('POST', path)).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['read'] })
  assert.equal((await server.send('POST', path, { token })).status, 403)
  const revoked = await ada.post(path)
  assert.deepEqual([revoked.id, revoked.quote], [made.id, { state: 'revoked', quoted_status: null }])
  assert.equal((await read(ada, original.id)).quotes_count, 0)
  assert.deepEqual(await ada.get(`/api/v1/statuses/${original.id}/quotes`), [])
  assert.equal(
    (await notifications(ada, 'quote')).some(({ status }) => status.id === made.id),
    false,
  )
  assert.equal((await ada.send('POST', path)).status, 404)
  assert.equal((await ada.send('POST', `/api/v1/statuses/${original.id}/quotes/1/revoke`)).status, 404)
  const other = await quote(cat, (await post(bob)).id)
  assert.equal((await ada.send('POST', `/api/v1/statuses/${original.id}/quotes/${other.id}/revoke`)).status, 404)
  const restricted = await post(bob, { visibility: 'private' })
  assert.equal((await ada.send('POST', `/api/v1/statuses/${restricted.id}/quotes/${made.id}/revoke`)).status, 404)
})

test('quotes_count is right after concurrent quotes and deletions', async () => {
  const original = await post(ada)
  const made = await Promise.all(Array.from({ length: 8 }, (_, i) => quote(i % 2 ? bob : cat, original.id)))
  const count = async (): Promise<number> => (await read(ada, original.id)).quotes_count
  assert.equal(await count(), 8)
  await Promise.all(made.slice(0, 5).map(({ id }, i) => (i % 2 ? bob : cat).delete(`/api/v1/statuses/${id}`)))
  assert.equal(await count(), 3)
})

test('an edit of a post notifies the authors of its quotes', async () => {
  const original = await post(ada)
  const made = await quote(bob, original.id)
  await ada.put(`/api/v1/statuses/${original.id}`, { status: 'said otherwise' })
  await ada.put(`/api/v1/statuses/${original.id}`, { status: 'said again' })
  const about = (await notifications(bob, 'quoted_update')).filter(({ status }) => status.id === made.id)
  assert.deepEqual(
    about.map(({ account }) => account.id),
    [ada.id],
  )
  assert.equal(about[0].status.quote.quoted_status.content, '<p>said again</p>')
})

test('revisions include the quoted post', async () => {
  const original = await post(ada)
  const made = await quote(bob, original.id)
  await bob.put(`/api/v1/statuses/${made.id}`, { status: 'again' })
  const history = await cat.get(`/api/v1/statuses/${made.id}/history`)
  assert.deepEqual(
    history.map((revision: any) => revision.quote.quoted_status.id),
    [original.id, original.id],
  )
})

test('a scheduled quote is dropped if the quoted post was deleted', async () => {
  const original = await post(ada)
  const { status, json } = await tryQuote(bob, original.id, { scheduled_at: '3000-01-01T00:00:00Z' })
  assert.equal(status, 200)
  assert.equal(json.params.quoted_status_id, original.id)
  await ada.delete(`/api/v1/statuses/${original.id}`)
  const newest = async (): Promise<string> => (await bob.get(`/api/v1/accounts/${bob.id}/statuses?limit=1`))[0].id
  const before = await newest()
  await publishNow(server, json.id)
  assert.equal(await newest(), before)
})
