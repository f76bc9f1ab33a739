import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from '../support/database.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post, remoteAuthor, type RemoteAuthor } from '../support/timelines.ts'

let ada: Person
let bob: Person
let round = 0

const V2 = '/api/v2/notifications/policy'
const V1 = '/api/v1/notifications/policy'
const ACCEPT = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'accept',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

const setPolicy = (policy: Record<string, string>): Promise<unknown> => ada.send('PATCH', V2, { json: policy })
const all = (query = ''): Promise<{ id: string; type: string; filtered?: boolean; account: { id: string } }[]> =>
  ada.get(`/api/v1/notifications?${query}`)

/** The policy decision on the notification of an act: shown, filtered into a request, or dropped. */
async function decisionFor(act: () => Promise<unknown>): Promise<'accept' | 'filter' | 'drop'> {
  await ada.post('/api/v1/notifications/clear')
  await act()
  const [shown, withFiltered] = [await all(), await all('include_filtered=true')]
  assert.ok(shown.every((notification) => !('filtered' in notification)))
  return shown.length > 0 ? 'accept' : withFiltered.length > 0 ? 'filter' : 'drop'
}

/** Makes accounts, and their follows, old enough not to count as new. */
async function age(...people: { id: string }[]): Promise<void> {
  const ids = people.map(({ id }) => id)
  await server.ctx.db.run(
    sql`update accounts set created_at = now() - interval '31 days' where id = any(${ids}::bigint[])`,
  )
  await server.ctx.db.run(
    sql`update follows set created_at = now() - interval '4 days' where account_id = any(${ids}::bigint[])`,
  )
}

const mention = (more: Record<string, unknown> = {}): Promise<string> => post(bob, `@${ada.username} hello`, more)

const { server } = await stage()
beforeEach(async () => {
  round++
  ada = await server.person(`ada${round}`)
  bob = await server.person(`bob${round}`)
  await age(ada, bob)
})

test('a policy has defaults, can be changed in part, and is readable in versions 1 and 2', async () => {
  const summary = { pending_requests_count: 0, pending_notifications_count: 0 }
  assert.deepEqual(await ada.get(V2), { ...ACCEPT, summary })
  assert.deepEqual((await ada.send('PATCH', V2, { json: { for_new_accounts: 'drop' } })).json, {
    ...ACCEPT,
    for_new_accounts: 'drop',
    summary,
  })
  assert.deepEqual(await ada.put(V2, { for_not_following: 'filter', for_limited_accounts: 'accept' }), {
    ...ACCEPT,
    for_not_following: 'filter',
    for_new_accounts: 'drop',
    for_limited_accounts: 'accept',
    summary,
  })
  const old = {
    filter_not_following: true,
    filter_not_followers: false,
    filter_new_accounts: true,
    filter_private_mentions: false,
    filter_bots: false,
    summary,
  }
  assert.deepEqual(await ada.get(V1), old)
  assert.deepEqual(await bob.get(V2), { ...ACCEPT, summary }, 'each account has its own policy')
})

test('version 1 of the policy takes booleans, and true does not turn drop into filter', async () => {
  await setPolicy({ for_new_accounts: 'drop' })
  const answer = await ada.send('PUT', V1, {
    form: { filter_not_following: 'true', filter_new_accounts: '1', filter_private_mentions: 'false' },
  })
  assert.deepEqual(
    [answer.status, answer.json.filter_not_following, answer.json.filter_new_accounts],
    [200, true, true],
  )
  const { for_not_following, for_not_followers, for_new_accounts } = await ada.get(V2)
  assert.deepEqual([for_not_following, for_not_followers, for_new_accounts], ['filter', 'accept', 'drop'])
  assert.equal((await ada.send('PATCH', V1, { json: { filter_new_accounts: false } })).json.filter_new_accounts, false)
  assert.equal((await ada.get(V2)).for_new_accounts, 'accept')
})

test('invalid values and tokens are refused and change nothing', async () => {
  for (const wrong of ['maybe', 'ACCEPT', 1, { a: 1 }, ['drop', 'accept']])
    assert.equal(
      (await ada.send('PATCH', V2, { json: { for_not_following: wrong, for_new_accounts: 'drop' } })).status,
      422,
      JSON.stringify(wrong),
    )
  assert.equal((await ada.send('PUT', V1, { json: { filter_new_accounts: { a: 1 } } })).status, 422)
  assert.equal((await ada.get(V2)).for_new_accounts, 'accept')
  const reader = await server.token({ userId: ada.userId, scopes: ['read:notifications'] })
  const writer = await server.token({ userId: ada.userId, scopes: ['write:notifications'] })
  for (const [path, method] of [
    [V2, 'PATCH'],
    [V1, 'PUT'],
  ] as const) {
    assert.deepEqual([(await server.send('GET', path)).status, (await server.send(method, path)).status], [401, 401])
    assert.deepEqual(
      [
        (await server.send('GET', path, { token: reader })).status,
        (await server.send(method, path, { token: reader })).status,
      ],
      [200, 403],
    )
    assert.deepEqual(
      [
        (await server.send('GET', path, { token: writer })).status,
        (await server.send(method, path, { token: writer })).status,
      ],
      [403, 200],
    )
  }
})

for (const treatment of ['filter', 'drop'] as const) {
  test(`for_not_following ${treatment}: applies until the recipient follows the sender`, async () => {
    await setPolicy({ for_not_following: treatment })
    assert.equal(await decisionFor(() => mention()), treatment)
    const own = await post(ada, 'mine')
    assert.equal(await decisionFor(() => bob.post(`/api/v1/statuses/${own}/favourite`)), treatment)
    assert.equal(await decisionFor(() => bob.post(`/api/v1/statuses/${own}/reblog`)), treatment)
    assert.equal(await decisionFor(() => bob.post(`/api/v1/accounts/${ada.id}/follow`)), treatment)
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    assert.equal(await decisionFor(() => mention()), 'accept')
  })

  test(`for_not_followers ${treatment}: applies until the sender has followed for three days, or is followed`, async () => {
    await setPolicy({ for_not_followers: treatment })
    assert.equal(await decisionFor(() => mention()), treatment)
    await bob.post(`/api/v1/accounts/${ada.id}/follow`)
    assert.equal(await decisionFor(() => mention()), treatment)
    await server.ctx.db.run(
      sql`update follows set created_at = now() - interval '71 hours' where account_id = ${bob.id}`,
    )
    assert.equal(await decisionFor(() => mention()), treatment)
    await server.ctx.db.run(
      sql`update follows set created_at = now() - interval '73 hours' where account_id = ${bob.id}`,
    )
    assert.equal(await decisionFor(() => mention()), 'accept')
    await bob.post(`/api/v1/accounts/${ada.id}/unfollow`)
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    assert.equal(await decisionFor(() => mention()), 'accept', 'a followed sender need not be a follower')
  })

  test(`for_new_accounts ${treatment}: applies to accounts younger than thirty days that are not followed`, async () => {
    await setPolicy({ for_new_accounts: treatment })
    assert.equal(await decisionFor(() => mention()), 'accept')
    await server.ctx.db.run(sql`update accounts set created_at = now() - interval '29 days' where id = ${bob.id}`)
    assert.equal(await decisionFor(() => mention()), treatment)
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    assert.equal(await decisionFor(() => mention()), 'accept')
  })

  test(`for_private_mentions ${treatment}: applies to private mentions except replies to private mentions by the recipient`, async () => {
    await setPolicy({ for_private_mentions: treatment })
    assert.equal(await decisionFor(() => mention()), 'accept', 'a public mention')
    assert.equal(await decisionFor(() => mention({ visibility: 'direct' })), treatment)
    const asked = await post(ada, `@${bob.username} may I ask?`, { visibility: 'direct' })
    const answer = await post(bob, `@${ada.username} yes`, { visibility: 'direct', in_reply_to_id: asked })
    assert.equal((await all()).length, 1)
    assert.equal(
      await decisionFor(() => mention({ visibility: 'direct', in_reply_to_id: answer })),
      'accept',
      'a later reply in the thread',
    )
    const published = await post(ada, `@${bob.username} in public`)
    assert.equal(
      await decisionFor(() => mention({ visibility: 'direct', in_reply_to_id: published })),
      treatment,
      'a reply to a public post',
    )
    const toAnother = await post(ada, `@${(await server.person(`cleo${round}${treatment}`)).username} you`, {
      visibility: 'direct',
    })
    await server.ctx.db.run(sql`update statuses set in_reply_to_id = ${toAnother} where id = ${answer}`)
    assert.equal(
      await decisionFor(() => mention({ visibility: 'direct', in_reply_to_id: answer })),
      treatment,
      'a reply in a thread of other accounts',
    )
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    assert.equal(await decisionFor(() => mention({ visibility: 'direct' })), 'accept', 'a followed sender')
  })

  test(`for_bots ${treatment}: applies to automated accounts that are not followed`, async () => {
    await setPolicy({ for_bots: treatment })
    assert.equal((await ada.get(V1)).filter_bots, true)
    assert.equal(await decisionFor(() => mention()), 'accept')
    await bob.send('PATCH', '/api/v1/accounts/update_credentials', { json: { bot: true } })
    assert.equal(await decisionFor(() => mention()), treatment)
    await ada.send('PUT', V1, { json: { filter_bots: false } })
    assert.equal((await ada.get(V2)).for_bots, 'accept')
    assert.equal(await decisionFor(() => mention()), 'accept')
    await ada.send('PUT', V1, { json: { filter_bots: true } })
    assert.equal((await ada.get(V2)).for_bots, 'filter')
    await setPolicy({ for_bots: treatment })
    await ada.post(`/api/v1/accounts/${bob.id}/follow`)
    assert.equal(await decisionFor(() => mention()), 'accept')
  })

  test(`for_limited_accounts ${treatment}: applies to limited accounts that are not followed`, async () => {
    await setPolicy({ for_limited_accounts: treatment })
    const eve = await remoteAuthor(server, `eve${round}`, 'far.test')
    const speak = (who: RemoteAuthor): Promise<string> => who.post('<p>hello</p>', { mentionIds: [ada.id] })
    assert.equal(await decisionFor(() => speak(eve)), 'accept')
    await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${eve.id}`)
    assert.equal(await decisionFor(() => speak(eve)), treatment)
    await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${eve.id})`)
    assert.equal(await decisionFor(() => speak(eve)), 'accept')
  })
}

test('notifications from limited accounts are filtered unless the policy accepts them', async () => {
  await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${bob.id}`)
  assert.equal(await decisionFor(() => mention()), 'filter')
  await setPolicy({ for_new_accounts: 'accept' })
  assert.equal(await decisionFor(() => mention()), 'filter')
  await setPolicy({ for_limited_accounts: 'accept' })
  assert.equal(await decisionFor(() => mention()), 'accept')
})

test('the strictest matching rule of a policy applies', async () => {
  await setPolicy({ for_not_following: 'filter', for_new_accounts: 'drop' })
  assert.equal(await decisionFor(() => mention()), 'filter')
  await server.ctx.db.run(sql`update accounts set created_at = now() where id = ${bob.id}`)
  assert.equal(await decisionFor(() => mention()), 'drop')
})

test('the policy exempts staff with a higher role than the recipient, but not equal or former staff', async () => {
  await setPolicy({ for_not_following: 'drop' })
  await server.ctx.db.run(sql`update users set role_id = 1 where id = ${bob.userId}`)
  assert.equal(await decisionFor(() => mention()), 'accept')
  await server.ctx.db.run(sql`update users set role_id = 1 where id = ${ada.userId}`)
  assert.equal(await decisionFor(() => mention()), 'drop')
  await server.ctx.db.run(sql`update users set role_id = -99 where id = any(${[ada.userId, bob.userId]}::bigint[])`)
  assert.equal(await decisionFor(() => mention()), 'drop')
})

test('the policy exempts edits of posts that the recipient boosted', async () => {
  await setPolicy({
    for_not_following: 'drop',
    for_not_followers: 'drop',
    for_new_accounts: 'drop',
    for_limited_accounts: 'drop',
  })
  const theirs = await post(bob, 'first')
  await ada.post(`/api/v1/statuses/${theirs}/reblog`)
  assert.equal(
    await decisionFor(() => bob.put(`/api/v1/statuses/${theirs}`, { status: 'second' })),
    'accept',
    'an edit of a boosted post',
  )
})

test('filtered notifications are not listed, grouped or counted as unread unless include_filtered or account_id is set', async () => {
  await setPolicy({ for_not_following: 'filter' })
  const id = await mention()
  await bob.post(`/api/v1/statuses/${await post(ada, 'mine')}/favourite`)
  assert.deepEqual(await all(), [])
  assert.equal((await ada.get('/api/v1/notifications/unread_count')).count, 0)
  assert.equal((await ada.get('/api/v2/notifications/unread_count')).count, 0)
  assert.deepEqual((await ada.get('/api/v2/notifications')).notification_groups, [])
  const shown = await all('include_filtered=true')
  for (const notification of shown) {
    assert.equal(notification.filtered, true)
    assert.equal((await ada.get(`/api/v1/notifications/${notification.id}`)).filtered, true)
  }
  assert.deepEqual(
    shown.map(({ type }) => type),
    ['favourite', 'mention'],
  )
  const { notification_groups: groups, statuses } = await ada.get('/api/v2/notifications?include_filtered=true')
  assert.deepEqual(
    groups.map((group: { group_key: string }) => group.group_key),
    shown.map((row) => `ungrouped-${row.id}`),
  )
  assert.ok(statuses.some((status: { id: string }) => status.id === id))
  const ofBob = `account_id=${bob.id}`
  assert.deepEqual(await all(ofBob), shown)
  assert.deepEqual((await ada.get(`/api/v2/notifications?${ofBob}`)).notification_groups, groups)
  assert.equal((await ada.get(`/api/v1/notifications/unread_count?${ofBob}`)).count, 2)
  assert.deepEqual((await ada.get(V2)).summary, { pending_requests_count: 1, pending_notifications_count: 2 })
  assert.deepEqual((await ada.get(V1)).summary, { pending_requests_count: 1, pending_notifications_count: 2 })
})
