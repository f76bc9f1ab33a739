// Conversations group direct posts by their participants.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { deleteAccount, purgeRemoteAccount } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links, post, remoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let round = 0
const { server } = await stage()
beforeEach(async () => {
  round++
  const named = (name: string): Promise<Person> => server.person(`${name}${round}`)
  ;[ada, bob, cleo] = await Promise.all([named('ada'), named('bob'), named('cleo')])
})

const CONVERSATIONS = '/api/v1/conversations'
const at = (...people: Person[]): string => people.map(({ username }) => `@${username}`).join(' ')
const direct = (from: Person, to: Person[], text = 'psst', more: object = {}): Promise<string> =>
  post(from, `${at(...to)} ${text}`, { visibility: 'direct', ...more })
const reply = (from: Person, to: Person[], in_reply_to_id: string): Promise<string> =>
  direct(from, to, 'well', { in_reply_to_id })

/** The conversations of an account: usernames of the other participants, id of the last post, unread. */
async function list(who: Person, query = ''): Promise<[string[], string, boolean][]> {
  const conversations = await who.get(`${CONVERSATIONS}${query}`)
  return conversations.map(({ accounts, last_status, unread }: any) => [
    accounts.map(({ username }: any) => username).toSorted(),
    last_status.id,
    unread,
  ])
}

test('a direct post starts a conversation for each participant, unread for all but the author', async () => {
  const id = await direct(ada, [bob, cleo])
  await post(ada, `${at(bob)} for all`)
  await post(ada, `${at(bob)} for followers`, { visibility: 'private' })
  assert.deepEqual(await list(ada), [[[bob.username, cleo.username], id, false]])
  assert.deepEqual(await list(bob), [[[ada.username, cleo.username], id, true]])
  assert.deepEqual(await list(cleo), [[[ada.username, bob.username], id, true]])
  const [mine, theirs] = [(await ada.get(CONVERSATIONS))[0], (await bob.get(CONVERSATIONS))[0]]
  assert.notEqual(mine.id, theirs.id)
  assert.equal(theirs.last_status.mentions.length, 2)
})

test('a direct post without mentions starts a conversation with its author only', async () => {
  const id = await post(ada, 'a note', { visibility: 'direct' })
  assert.deepEqual(await list(ada), [[[ada.username], id, false]])
})

test('a reply stays in the conversation and marks it as read for the author of the reply', async () => {
  const first = await direct(ada, [bob])
  const [{ id }] = await bob.get(CONVERSATIONS)
  const second = await reply(bob, [ada], first)
  assert.deepEqual(await list(ada), [[[bob.username], second, true]])
  assert.deepEqual(await list(bob), [[[ada.username], second, false]])
  assert.equal((await bob.get(CONVERSATIONS))[0].id, id)
})

test('other participants or another thread start another conversation', async () => {
  const first = await direct(ada, [bob])
  const wider = await reply(ada, [bob, cleo], first)
  const other = await direct(ada, [bob], 'something else')
  assert.deepEqual(await list(bob), [
    [[ada.username], other, true],
    [[ada.username, cleo.username], wider, true],
    [[ada.username], first, true],
  ])
  assert.deepEqual(await list(cleo), [[[ada.username, bob.username], wider, true]])
})

test('conversations can be marked as read and unread repeatedly', async () => {
  await direct(ada, [bob])
  const [{ id }] = await bob.get(CONVERSATIONS)
  for (const unread of [false, false, true, true]) {
    const answer = await bob.post(`${CONVERSATIONS}/${id}/${unread ? 'unread' : 'read'}`)
    assert.deepEqual([answer.id, answer.unread, answer.accounts[0].id], [id, unread, ada.id])
    assert.equal((await bob.get(CONVERSATIONS))[0].unread, unread)
  }
  assert.equal((await bob.client.v1.conversations.$select(id).read()).unread, false)
})

test('a deleted conversation returns with the next post only', async () => {
  const first = await direct(ada, [bob])
  const [{ id }] = await bob.get(CONVERSATIONS)
  assert.deepEqual(await bob.delete(`${CONVERSATIONS}/${id}`), {})
  assert.deepEqual(await list(bob), [])
  assert.equal((await list(ada)).length, 1, 'other participants keep the conversation')
  assert.equal((await bob.send('GET', `/api/v1/statuses/${first}`)).status, 200)
  const second = await reply(ada, [bob], first)
  assert.deepEqual(await list(bob), [[[ada.username], second, true]])
  await ada.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual(await list(bob), [], 'posts from before the deletion do not return')
})

test('deleting the last post shows the one before; deleting all removes the conversation', async () => {
  const first = await direct(ada, [bob])
  const second = await reply(ada, [bob], first)
  const third = await reply(bob, [ada], second)
  await ada.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual(await list(ada), [[[bob.username], third, true]])
  await bob.delete(`/api/v1/statuses/${third}`)
  assert.deepEqual(await list(ada), [[[bob.username], first, true]])
  assert.deepEqual(await list(bob), [[[ada.username], first, false]])
  await ada.delete(`/api/v1/statuses/${first}`)
  assert.deepEqual([await list(ada), await list(bob)], [[], []])
})

test('blocking, or muting with notifications, removes conversations and prevents new ones', async () => {
  const paths = [`/api/v1/accounts/${ada.id}/block`, `/api/v1/accounts/${ada.id}/mute`]
  const undo = [`/api/v1/accounts/${ada.id}/unblock`, `/api/v1/accounts/${ada.id}/unmute`]
  for (const [i, path] of paths.entries()) {
    await direct(ada, [bob, cleo])
    assert.equal((await list(bob)).length, 1)
    await bob.post(path)
    assert.deepEqual(await list(bob), [], path)
    await direct(ada, [bob])
    assert.deepEqual(await list(bob), [], path)
    await bob.post(undo[i] as string)
    assert.deepEqual(await list(bob), [], path)
  }
  await direct(ada, [bob])
  await bob.post(`/api/v1/accounts/${ada.id}/mute`, { notifications: false })
  assert.equal((await list(bob)).length, 1, 'a mute without notifications keeps conversations')
})

test('conversations with accounts that block the viewer are hidden', async () => {
  const id = await direct(ada, [bob])
  const [{ id: conversation }] = await bob.get(CONVERSATIONS)
  await ada.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await list(bob), [])
  assert.equal((await bob.send('POST', `${CONVERSATIONS}/${conversation}/read`)).status, 404)
  await ada.post(`/api/v1/accounts/${bob.id}/unblock`)
  assert.deepEqual(await list(bob), [[[ada.username], id, true]])
})

test('private mentions filtered by the policy become a conversation once the request is accepted', async () => {
  await bob.send('PATCH', '/api/v2/notifications/policy', { json: { for_private_mentions: 'filter' } })
  const first = await direct(ada, [bob])
  const second = await reply(ada, [bob], first)
  assert.deepEqual(await list(bob), [])
  assert.deepEqual(await list(ada), [[[bob.username], second, false]])
  const [request] = await bob.get('/api/v1/notifications/requests')
  await bob.post(`/api/v1/notifications/requests/${request.id}/accept`)
  await server.drain()
  assert.deepEqual(await list(bob), [[[ada.username], second, true]])
  await ada.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual(await list(bob), [[[ada.username], first, true]])
})

test('private mentions that the policy accepts become a conversation at once', async () => {
  await bob.send('PATCH', '/api/v2/notifications/policy', { json: { for_bots: 'filter' } })
  const first = await direct(ada, [bob])
  assert.deepEqual(await list(bob), [[[ada.username], first, true]])
})

test('remote direct posts join conversations, late ones do not become the last, and purging their author removes them', async () => {
  const eve = await remoteAuthor(server, 'eve', `far${round}.test`)
  const first = await eve.post('<p>psst</p>', { visibility: 'direct', mentionIds: [ada.id, bob.id] })
  assert.deepEqual(await list(ada), [[[bob.username, 'eve'], first, true]])
  const second = await post(ada, `@eve@far${round}.test ${at(bob)} well`, {
    visibility: 'direct',
    in_reply_to_id: first,
  })
  assert.deepEqual(await list(ada), [[[bob.username, 'eve'], second, false]])
  await eve.post('<p>earlier</p>', {
    visibility: 'direct',
    mentionIds: [ada.id, bob.id],
    inReplyToId: first,
    createdAt: new Date(Date.now() - 3600_000),
  })
  assert.deepEqual(
    await list(ada),
    [[[bob.username, 'eve'], second, true]],
    'a late post is unread but not the last one',
  )
  await purgeRemoteAccount(server.ctx, eve.id)
  assert.deepEqual(await list(ada), [[[bob.username], second, true]])
  await assert.rejects(eve.post('<p>gone</p>', { visibility: 'direct', mentionIds: [ada.id] }), { status: 404 })
  assert.equal((await list(ada)).length, 1)
})

test('conversations with accounts of a blocked domain are hidden until the domain is unblocked', async () => {
  const domain = `far${round}.test`
  const eve = await remoteAuthor(server, 'eve', domain)
  await eve.post('<p>psst</p>', { visibility: 'direct', mentionIds: [ada.id] })
  await server.ctx.db.run(sql`insert into account_domain_blocks (account_id, domain) values (${ada.id}, ${domain})`)
  assert.deepEqual(await list(ada), [])
  await eve.post('<p>again</p>', { visibility: 'direct', mentionIds: [ada.id] })
  await server.ctx.db.run(sql`delete from account_domain_blocks where account_id = ${ada.id}`)
  assert.equal((await list(ada)).length, 1)
})

test('deleting an account removes its posts from the conversations of others', async () => {
  const first = await direct(ada, [bob])
  await reply(bob, [ada], first)
  await deleteAccount(server.ctx, bob.id)
  const [[, last]] = (await list(ada)) as [[string[], string, boolean]]
  assert.equal(last, first)
})

test('an edit that replaces a mention moves the conversation to the newly mentioned account', async () => {
  const id = await direct(ada, [bob])
  await ada.put(`/api/v1/statuses/${id}`, { status: `${at(cleo)} psst` })
  assert.deepEqual([await list(bob), await list(cleo)], [[], [[[ada.username], id, true]]])
})

test('concurrent replies and deletions leave one conversation with the newest post', async () => {
  const first = await direct(ada, [bob, cleo])
  const answers = await Promise.all([
    reply(bob, [ada, cleo], first),
    reply(cleo, [ada, bob], first),
    reply(ada, [bob, cleo], first),
    reply(bob, [ada, cleo], first),
  ])
  const newest = answers.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))[0] as string
  for (const who of [ada, bob, cleo])
    assert.deepEqual(
      (await list(who)).map(([, last]) => last),
      [newest],
    )
  await Promise.all([
    bob.send('DELETE', `/api/v1/statuses/${newest}`),
    reply(ada, [bob, cleo], first),
    cleo.send('DELETE', `/api/v1/statuses/${newest}`),
    ada.send('DELETE', `/api/v1/statuses/${newest}`),
  ])
  const rows = await server.ctx.db.many<{ ok: boolean }>(sql`
    select c.last_status_id = (select max(l.status_id) from account_conversation_statuses l where l.account_conversation_id = c.id) as ok
    from account_conversations c where c.account_id = any(${[ada.id, bob.id, cleo.id]}::bigint[])`)
  assert.deepEqual(
    rows.map(({ ok }) => ok),
    [true, true, true],
  )
})

test('conversations are paginated by last post in both directions', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift(await direct(ada, [bob], `number ${i}`))
  const last = async (query: string): Promise<string[]> => (await list(bob, query)).map(([, id]) => id)
  const first = await bob.send('GET', `${CONVERSATIONS}?limit=2`)
  const { next, prev } = links(first.headers)
  assert.match(next ?? '', new RegExp(`limit=2&max_id=${ids[1]}$`))
  assert.match(prev ?? '', new RegExp(`limit=2&min_id=${ids[0]}$`))
  assert.deepEqual(await last(`?limit=2&max_id=${ids[1]}`), ids.slice(2, 4))
  assert.deepEqual(await last(`?limit=2&min_id=${ids[4]}`), ids.slice(2, 4))
  assert.deepEqual(await last(`?limit=2&since_id=${ids[4]}`), ids.slice(0, 2))
  const end = await bob.send('GET', `${CONVERSATIONS}?limit=2&max_id=${ids[3]}`)
  assert.deepEqual(Object.keys(links(end.headers)), ['prev'], 'a page that is not full has no next link')
  assert.equal((await bob.send('GET', `${CONVERSATIONS}?max_id=${ids[4]}`)).headers.get('link'), null)
  assert.equal((await last('?limit=nonsense')).length, 5)
})

test('conversations of other accounts return 404', async () => {
  await direct(ada, [bob])
  const [{ id }] = await ada.get(CONVERSATIONS)
  for (const who of [bob, cleo])
    for (const [method, path] of [
      ['POST', `${id}/read`],
      ['POST', `${id}/unread`],
      ['DELETE', id],
      ['POST', 'nonsense/read'],
    ])
      assert.equal((await who.send(method as string, `${CONVERSATIONS}/${path}`)).status, 404)
})
