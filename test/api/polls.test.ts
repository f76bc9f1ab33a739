// Polls: creation, edits, expiry, GET /api/v1/polls/:id, POST /api/v1/polls/:id/votes
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { endPoll } from '../support/jobs.ts'

const { server, ada, bob, cat } = await stage({ accounts: ['ada', 'bob', 'cat'] })

const ask = (poll: object = {}, more: object = {}): Promise<any> =>
  ada.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['tea', 'coffee'], expires_in: 600, ...poll },
    ...more,
  })
const cast = (who: Person, id: string, choices: unknown): Promise<Answer> =>
  who.send('POST', `/api/v1/polls/${id}/votes`, { json: { choices } })
const titles = (poll: any): unknown[] => poll.options.map((option: any) => option.title)
const counts = (poll: any): unknown[] => poll.options.map((option: any) => option.votes_count)

test('a status includes its poll', async () => {
  const before = Date.now()
  const { poll, media_attachments } = await ask({
    options: [' tea ', 'coffee', ':cocoa:'],
    expires_in: '600',
    multiple: 'true',
  })
  assert.match(poll.id, /^\d+$/)
  const end = Date.parse(poll.expires_at)
  assert(end >= before + 600_000 && end <= Date.now() + 600_000)
  assert.deepEqual(
    { ...poll, id: '', expires_at: '' },
    {
      id: '',
      expires_at: '',
      expired: false,
      multiple: true,
      votes_count: 0,
      voters_count: 0,
      options: ['tea', 'coffee', ':cocoa:'].map((title) => ({ title, votes_count: 0 })),
      emojis: [],
      voted: true,
      own_votes: [],
    },
  )
  assert.deepEqual(media_attachments, [])
  const without = await ada.post('/api/v1/statuses', { status: 'no poll' })
  assert.equal(without.poll, null)
})

test('a poll needs no text and may be sent as a form', async () => {
  const form = new URLSearchParams([
    ['poll[options][]', 'a'],
    ['poll[options][]', 'b'],
    ['poll[expires_in]', '300'],
    ['poll[hide_totals]', '1'],
  ])
  const { status, json } = await ada.send('POST', '/api/v1/statuses', { form })
  assert.equal(status, 200)
  assert.deepEqual(json.poll.options, [
    { title: 'a', votes_count: null },
    { title: 'b', votes_count: null },
  ])
})

test('blank options of a poll are left out, in new polls and edited ones', async () => {
  const asked = await ask({ options: ['a', '', 'b', 'c', 'd', ' \n'] })
  assert.deepEqual(titles(asked.poll), ['a', 'b', 'c', 'd'])
  const poll = { options: ['a', 'b', ''], expires_in: 600 }
  assert.deepEqual(titles((await ada.put(`/api/v1/statuses/${asked.id}`, { status: 'x', poll })).poll), ['a', 'b'])
})

test('polls with invalid options or durations are refused', async () => {
  const refused: object[] = [
    { options: ['one'] },
    { options: ['1', '2', '3', '4', '5'] },
    { options: ['same', ' same '] },
    { options: ['a', '  '] },
    { options: ['a', '', ' a '] },
    { options: ['a', 'x'.repeat(51)] },
    { options: 'a' },
    { options: [] },
    { expires_in: 299 },
    { expires_in: 2_629_747 },
    { expires_in: null },
    { expires_in: 'soon' },
    { expires_in: -600 },
  ]
  for (const poll of refused) {
    const json = { status: 'x', poll: { options: ['a', 'b'], expires_in: 600, ...poll } }
    assert.equal((await ada.send('POST', '/api/v1/statuses', { json })).status, 422, JSON.stringify(poll))
  }
  const problemOf = async (poll: object): Promise<string> => {
    const json = { status: 'x', poll: { options: ['a', 'b'], expires_in: 600, ...poll } }
    return (await ada.send('POST', '/api/v1/statuses', { json })).json.error
  }
  assert.equal(
    await problemOf({ options: ['a', 'x'.repeat(51)] }),
    'Validation failed: Choices cannot be longer than 50 characters each',
  )
  assert.equal(await problemOf({ expires_in: 299 }), 'Validation failed: Deadline is too soon')
  assert.equal((await ada.post('/api/v1/statuses', { status: 'x', poll: 'yes' })).poll, null)
  const { poll } = await ask({ options: ['a', '👩‍👩‍👧‍👦'.repeat(50)], expires_in: 2_629_746 })
  assert.equal(poll.options.length, 2)
})

test('each vote counts once, and each voter sees their own votes', async () => {
  const { id, poll } = await ask()
  const { status, json } = await cast(bob, poll.id, [1])
  assert.equal(status, 200)
  assert.deepEqual(
    [json.votes_count, json.voters_count, json.voted, json.own_votes, counts(json)],
    [1, 1, true, [1], [0, 1]],
  )
  assert.deepEqual((await bob.get(`/api/v1/statuses/${id}`)).poll.own_votes, [1])
  const seen = await cat.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([seen.voted, seen.own_votes, seen.votes_count], [false, [], 1])
  const anonymous = (await server.send('GET', `/api/v1/polls/${poll.id}`)).json
  assert.equal('voted' in anonymous || 'own_votes' in anonymous, false)
  assert.equal((await cast(bob, poll.id, [0])).status, 422)
  assert.deepEqual(counts((await cast(cat, poll.id, '0')).json), [1, 1])
})

test('a multiple-choice poll accepts several options in one vote', async () => {
  const { poll } = await ask({ options: ['a', 'b', 'c'], multiple: true })
  const { json } = await cast(bob, poll.id, [2, 0, 2])
  assert.deepEqual([json.votes_count, json.voters_count, json.own_votes, counts(json)], [2, 1, [0, 2], [1, 0, 1]])
})

test('later votes add options to a multiple-choice poll, each option once', async () => {
  const { poll } = await ask({ options: ['a', 'b', 'c'], multiple: true })
  for (const choice of [2, 0]) assert.equal((await cast(bob, poll.id, [choice])).status, 200)
  for (const choices of [[0], [1, 2]]) {
    const { status, json } = await cast(bob, poll.id, choices)
    assert.deepEqual([status, json.error], [422, 'Validation failed: You have already voted on this poll'])
  }
  const before = await bob.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([before.voters_count, before.own_votes, counts(before)], [1, [0, 2], [1, 0, 1]])
  // Concurrent votes for the same option count once.
  const answers = await Promise.all(Array.from({ length: 5 }, () => cast(bob, poll.id, [1])))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422, 422, 422])
  const after = await bob.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([after.votes_count, after.voters_count, after.own_votes], [3, 1, [0, 1, 2]])
})

test('a single-choice poll refuses two options with the text clients know', async () => {
  const { poll } = await ask()
  const two = await cast(bob, poll.id, [0, 1])
  assert.deepEqual([two.status, two.json.error], [422, 'Validation failed: You have already voted on this poll'])
  assert.deepEqual((await bob.get(`/api/v1/polls/${poll.id}`)).own_votes, [])
  assert.equal((await cast(bob, poll.id, [0])).status, 200)
})

test('invalid and unauthorised votes are refused and not counted', async () => {
  const { poll } = await ask()
  for (const choices of [[], [2], [-1], [0, 1], ['x'], [0.5], [99_999_999_999], null, {}, [[0]]])
    assert.equal((await cast(bob, poll.id, choices)).status, 422, JSON.stringify(choices))
  assert.equal((await bob.send('POST', `/api/v1/polls/${poll.id}/votes`)).status, 422)
  assert.equal((await cast(ada, poll.id, [0])).status, 422)
  assert.equal((await ada.get(`/api/v1/polls/${poll.id}`)).votes_count, 0)
  assert.equal((await server.send('POST', `/api/v1/polls/${poll.id}/votes`, { json: { choices: [0] } })).status, 401)
  const token = await server.token({ userId: bob.userId, scopes: ['read'] })
  assert.equal(
    (await server.send('POST', `/api/v1/polls/${poll.id}/votes`, { token, json: { choices: [0] } })).status,
    403,
  )
  assert.equal((await cast(bob, '1', [0])).status, 404)
})

test('only one of several concurrent votes of an account counts', async () => {
  const { poll } = await ask()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => cast(bob, poll.id, [i % 2])))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 7 }, () => 422)])
  const people = await Promise.all(Array.from({ length: 5 }, (_, i) => server.person(`voter${i}`)))
  await Promise.all(people.map((person) => cast(person, poll.id, [0])))
  const { votes_count, voters_count } = await ada.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([votes_count, voters_count], [6, 6])
})

test('hidden totals appear when the poll ends', async () => {
  const { poll } = await ask({ hide_totals: true })
  const { json } = await cast(bob, poll.id, [1])
  assert.deepEqual([json.votes_count, counts(json)], [1, [null, null]])
  assert.deepEqual(counts(await ada.get(`/api/v1/polls/${poll.id}`)), [null, null])
  await endPoll(server, poll.id)
  assert.deepEqual(counts(await bob.get(`/api/v1/polls/${poll.id}`)), [0, 1])
})

test('a poll is visible to the accounts that may read its status', async () => {
  const [open, few] = [await ask(), await ask({}, { visibility: 'private' })]
  assert.equal((await server.send('GET', `/api/v1/polls/${open.poll.id}`)).status, 200)
  assert.equal((await server.send('GET', `/api/v1/polls/${few.poll.id}`)).status, 404)
  assert.equal((await bob.send('GET', `/api/v1/polls/${few.poll.id}`)).status, 404)
  assert.equal((await cast(bob, few.poll.id, [0])).status, 404)
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await server.drain()
  assert.equal((await bob.send('GET', `/api/v1/polls/${few.poll.id}`)).status, 200)
  assert.equal((await cast(bob, few.poll.id, [0])).status, 200)
  const token = await server.token({ userId: bob.userId, scopes: ['write'] })
  assert.equal((await server.send('GET', `/api/v1/polls/${open.poll.id}`, { token })).status, 403)
  assert.equal((await server.send('GET', `/api/v1/polls/${open.poll.id}`, { token: 'nonsense' })).status, 401)
  assert.equal((await server.send('GET', '/api/v1/polls/x')).status, 404)
})

test('a block by the author hides a poll, a mute of the author does not', async () => {
  const dan = await server.person('dan')
  const { poll } = await ask()
  await dan.post(`/api/v1/accounts/${ada.id}/mute`)
  assert.equal((await dan.send('GET', `/api/v1/polls/${poll.id}`)).status, 200)
  await ada.post(`/api/v1/accounts/${dan.id}/block`)
  assert.equal((await dan.send('GET', `/api/v1/polls/${poll.id}`)).status, 404)
  assert.equal((await cast(dan, poll.id, [0])).status, 404)
})

test('POST /api/v1/polls does not exist', async () => {
  assert.equal((await ada.send('POST', '/api/v1/polls', { json: { options: ['a', 'b'] } })).status, 404)
})

test('the author and the voters are notified once when a poll ends', async () => {
  const { id, poll } = await ask()
  await cast(bob, poll.id, [0])
  await endPoll(server, poll.id)
  await endPoll(server, poll.id)
  const about = async (who: Person): Promise<any[]> =>
    (await who.get('/api/v1/notifications?types[]=poll')).filter((n: any) => n.status.id === id)
  for (const who of [ada, bob]) {
    const [notification, ...more] = await about(who)
    assert.equal(notification.account.id, ada.id)
    assert.equal(notification.status.poll.expired, true)
    assert.deepEqual(more, [])
  }
  assert.deepEqual(await about(cat), [])
  assert.equal((await cast(cat, poll.id, [0])).status, 422)
})

test('a poll closes when it expires', async () => {
  const { id, poll } = await ask()
  await server.database.raw(`update polls set expires_at = now() + interval '1 second' where id = $1`, [poll.id])
  await server.database.raw(
    `update pgboss.job set start_after = now() + interval '1 second' where name = 'polls.close' and data ->> 'pollId' = $1`,
    [poll.id],
  )
  await eventually(async () =>
    (await ada.get('/api/v1/notifications?types[]=poll')).some((n: any) => n.status.id === id),
  )
})

test('editing the options or the multiple setting removes all votes', async () => {
  const { id, poll } = await ask()
  await cast(bob, poll.id, [0])
  const renamed = await ada.put(`/api/v1/statuses/${id}`, {
    status: 'Which?',
    poll: { options: ['tea', 'water'], expires_in: 600 },
  })
  assert.equal(renamed.poll.id, poll.id)
  assert.deepEqual([renamed.poll.votes_count, renamed.poll.voters_count, counts(renamed.poll)], [0, 0, [0, 0]])
  assert.notEqual(renamed.edited_at, null)
  assert.deepEqual((await bob.get(`/api/v1/polls/${poll.id}`)).voted, false)
  await cast(bob, poll.id, [1])
  const multiple = await ada.put(`/api/v1/statuses/${id}`, {
    poll: { options: ['tea', 'water'], multiple: true, expires_in: 600 },
  })
  assert.deepEqual([multiple.poll.multiple, multiple.poll.votes_count], [true, 0])
  const history = await ada.get(`/api/v1/statuses/${id}/history`)
  assert.deepEqual(
    history.map((revision: any) => revision.poll.options.map((option: any) => option.title)),
    [
      ['tea', 'coffee'],
      ['tea', 'water'],
      ['tea', 'water'],
    ],
  )
})

test('extending a poll is not an edit and preserves the votes', async () => {
  const { id, poll } = await ask()
  await cast(bob, poll.id, [0])
  const longer = await ada.put(`/api/v1/statuses/${id}`, {
    status: 'Which?',
    poll: { options: ['tea', 'coffee'], expires_in: 3600 },
  })
  assert.equal(longer.edited_at, null)
  assert(longer.poll.expires_at > poll.expires_at)
  assert.equal(longer.poll.votes_count, 1)
  const words = await ada.put(`/api/v1/statuses/${id}`, {
    status: 'Which one?',
    poll: { options: ['tea', 'coffee'], expires_in: 3600 },
  })
  assert.equal(words.poll.votes_count, 1)
})

test('an edit can add and remove a poll', async () => {
  const { id } = await ada.post('/api/v1/statuses', { status: 'plain' })
  const asked = await ada.put(`/api/v1/statuses/${id}`, { poll: { options: ['a', 'b'], expires_in: 600 } })
  assert.equal(asked.poll.options.length, 2)
  assert.equal((await ada.put(`/api/v1/statuses/${id}`, { poll: null })).poll, null)
  assert.equal((await ada.send('GET', `/api/v1/polls/${asked.poll.id}`)).status, 404)
  for (const poll of [{ options: ['a'] }, { options: ['a', 'b'] }])
    assert.equal((await ada.send('PUT', `/api/v1/statuses/${id}`, { json: { poll } })).status, 422)
})

test('votes in a poll that an edit removed do not show in the next poll of the post', async () => {
  const { id, poll } = await ask()
  assert.equal((await cast(bob, poll.id, [1])).json.voted, true)
  assert.equal((await bob.get(`/api/v1/statuses/${id}`)).poll.voted, true)
  await ada.put(`/api/v1/statuses/${id}`, { status: 'No question', poll: null })
  await ada.put(`/api/v1/statuses/${id}`, { status: 'Which?', poll: { options: ['milk', 'juice'], expires_in: 600 } })
  const { poll: next } = await bob.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([next.voted, next.own_votes], [false, []])
})

test('deleting a status deletes its poll and returns its options for a redraft', async () => {
  const { id, poll } = await ask()
  const deleted = await ada.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(
    [deleted.text, deleted.poll.options.map((option: any) => option.title)],
    ['Which?', ['tea', 'coffee']],
  )
  assert.equal((await ada.send('GET', `/api/v1/polls/${poll.id}`)).status, 404)
})

test('a boost shows the poll of the original post', async () => {
  const { id } = await ask()
  const boost = await bob.post(`/api/v1/statuses/${id}/reblog`)
  assert.equal(boost.poll, null)
  assert.deepEqual(boost.reblog.poll.own_votes, [])
})
