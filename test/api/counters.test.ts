// Counters of posts and accounts match the rows they count after concurrent, repeated and deleting requests.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { deleteAccount, deleteStatuses, revokeQuote, unfavourite, unfollow } from '../support/acts.ts'
import { assertCountersMatch, counts, NONE, profile } from '../support/counters.ts'
import { bringForward } from '../support/jobs.ts'
import { beforeCommit } from '../support/races.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, post } from '../support/timelines.ts'

const CROWD = 20

let round = 0

const { server, ada } = await stage({ accounts: ['ada'] })
const crowd = await Promise.all(Array.from({ length: CROWD }, (_, i) => server.person(`crowd${i}`)))

afterEach(() => assertCountersMatch(server))

/** A fresh account, for tests that delete or lock it. */
const newcomer = (): Promise<Person> => server.person(`new${++round}`)
const act = (who: Person, id: string, action: string): Promise<Answer> =>
  who.send('POST', `/api/v1/statuses/${id}/${action}`)
const assertFine = (answers: readonly Answer[], ...also: number[]): void => {
  for (const { status, text } of answers) assert.ok(status === 200 || also.includes(status), `${status} ${text}`)
}

test('counters are right after 20 accounts favourite and boost a post concurrently and repeatedly, and undo it', async () => {
  const id = await post(ada, 'for everybody')
  const byCrowd = (...actions: string[]): Promise<Answer[]> =>
    Promise.all(crowd.flatMap((person) => actions.map((action) => act(person, id, action))))
  assertFine(await byCrowd('favourite', 'reblog', 'favourite', 'reblog'))
  assert.deepEqual(await counts(ada, id), { ...NONE, favourites: CROWD, reblogs: CROWD })
  assertFine(await byCrowd('unfavourite', 'unreblog', 'unfavourite', 'unreblog'))
  assert.deepEqual(await counts(ada, id), NONE)
})

test('counters are right after one account concurrently repeats and undoes favourites and boosts', async () => {
  const id = await post(ada, 'on and off')
  const [bob] = crowd as [Person]
  const actions = ['favourite', 'unfavourite', 'reblog', 'unreblog', 'bookmark']
  assertFine(
    await Promise.all(Array.from({ length: CROWD }, (_, i) => act(bob, id, actions[i % actions.length] as string))),
    404,
    409,
  )
  const { favourited, reblogged } = await bob.get(`/api/v1/statuses/${id}`)
  assert.deepEqual(await counts(ada, id), { ...NONE, favourites: Number(favourited), reblogs: Number(reblogged) })
})

test('concurrent public replies and quotes are counted, private and direct replies are not, deleted ones no longer', async () => {
  const id = await post(ada, 'what do you think?')
  const [before] = await profile(ada, (crowd[0] as Person).id)
  const answers = await Promise.all(crowd.map((person) => post(person, 'this', { in_reply_to_id: id })))
  const quotes = await Promise.all(crowd.map((person) => post(person, 'that', { quoted_status_id: id })))
  for (const visibility of ['private', 'direct'])
    await post(crowd[1] as Person, '@ada psst', { in_reply_to_id: id, visibility })
  assert.deepEqual(await counts(ada, id), { ...NONE, replies: CROWD, quotes: CROWD })
  assert.deepEqual((await profile(ada, (crowd[0] as Person).id))[0], (before as number) + 2)
  const gone = await Promise.all(
    crowd.flatMap((person, i) =>
      [answers[i], answers[i], quotes[i]].map((each) => person.send('DELETE', `/api/v1/statuses/${each}`)),
    ),
  )
  assertFine(gone, 404)
  assert.deepEqual(await counts(ada, id), NONE)
  assert.deepEqual((await profile(ada, (crowd[0] as Person).id))[0], before)
})

test('counters are right when posts are deleted during replies, boosts and favourites', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => post(ada, 'short-lived')))
  const busy = crowd.flatMap((person, i) => {
    const id = ids[i % ids.length] as string
    return [
      act(person, id, 'favourite'),
      act(person, id, 'reblog'),
      person.send('POST', '/api/v1/statuses', { json: { status: 'hm', in_reply_to_id: id } }),
      person.send('POST', '/api/v1/statuses', { json: { status: 'hm', quoted_status_id: id } }),
    ]
  })
  const deletions = ids.map((id) => ada.send('DELETE', `/api/v1/statuses/${id}`))
  assertFine(await Promise.all(deletions))
  assertFine(await Promise.all(busy), 404, 409)
})

test('deleting a boost decrements the boost count; deleting a post removes its boosts from the posts of the boosters', async () => {
  const [bob, cat] = crowd as [Person, Person]
  const id = await post(ada, 'to be boosted')
  const [ofBob] = await Promise.all([boost(bob, id), boost(cat, id)])
  await bob.delete(`/api/v1/statuses/${ofBob}`)
  assert.deepEqual(await counts(ada, id), { ...NONE, reblogs: 1 })
  const [before] = await profile(ada, cat.id)
  await ada.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual((await profile(ada, cat.id))[0], (before as number) - 1)
})

test('edited quotes count once, revoked quotes do not count', async () => {
  const [bob, cat] = crowd as [Person, Person]
  const id = await post(ada, 'quote me')
  const [ofBob, ofCat] = await Promise.all([bob, cat].map((person) => post(person, 'so', { quoted_status_id: id })))
  await bob.put(`/api/v1/statuses/${ofBob}`, { status: 'so it is' })
  assertFine(
    await Promise.all(
      Array.from({ length: 5 }, () => ada.send('POST', `/api/v1/statuses/${id}/quotes/${ofCat}/revoke`)),
    ),
    404,
  )
  assert.deepEqual(await counts(ada, id), { ...NONE, quotes: 1 })
  await cat.delete(`/api/v1/statuses/${ofCat}`)
  assert.deepEqual(await counts(ada, id), { ...NONE, quotes: 1 })
})

test('follow counts are right after 20 accounts follow concurrently and every way to end a follow', async () => {
  const famous = await newcomer()
  const all = (way: (person: Person, i: number) => [by: Person, target: string, action: string]): Promise<Answer[]> =>
    Promise.all(
      crowd.flatMap((person, i) => {
        const [by, target, action] = way(person, i)
        return [1, 2].map(() => by.send('POST', `/api/v1/accounts/${target}/${action}`))
      }),
    )
  assertFine(await all((person) => [person, famous.id, 'follow']))
  assertFine(await all((person) => [famous, person.id, 'follow']))
  assert.deepEqual(await profile(ada, famous.id), [0, CROWD, CROWD])
  const ways = ['unfollow', 'block', 'remove_from_followers', 'follow']
  assertFine(
    await all((person, i) => [i % 2 ? person : famous, i % 2 ? famous.id : person.id, ways[i % 4] as string]),
    403,
  )
  const { rows } = await server.database.raw('select count(*)::int as n from follows where target_account_id = $1', [
    famous.id,
  ])
  assert.equal((await profile(ada, famous.id))[1], (rows[0] as { n: number }).n)
})

test('follow counts are right after concurrent follows and blocks between two accounts', async () => {
  const [one, two] = await Promise.all([newcomer(), newcomer()])
  const both = (action: string): Promise<Answer>[] => [
    one.send('POST', `/api/v1/accounts/${two.id}/${action}`),
    two.send('POST', `/api/v1/accounts/${one.id}/${action}`),
  ]
  assertFine(
    await Promise.all(['follow', 'block', 'follow', 'unblock', 'follow', 'unfollow', 'follow'].flatMap(both)),
    403,
  )
})

test('follow requests count only once accepted', async () => {
  const locked = await newcomer()
  await locked.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  assertFine(await Promise.all(crowd.map((person) => person.send('POST', `/api/v1/accounts/${locked.id}/follow`))))
  assert.deepEqual(await profile(ada, locked.id), [0, 0, 0])
  const decide = ({ id }: Person, i: number): Promise<Answer>[] =>
    ['authorize', i % 2 ? 'reject' : 'authorize'].map((decision) =>
      locked.send('POST', `/api/v1/follow_requests/${id}/${decision}`),
    )
  assertFine(await Promise.all(crowd.flatMap(decide)), 404)
  assert.ok(((await profile(ada, locked.id))[1] as number) >= CROWD / 2)
})

/** Favourites, boosts, replies to and quotes a post, and follows its author. */
async function engage(who: Person, id: string, authorId: string): Promise<void> {
  for (const action of ['favourite', 'reblog']) assertFine([await act(who, id, action)])
  await post(who, 'an answer', { in_reply_to_id: id })
  await post(who, 'a quote', { quoted_status_id: id })
  await who.post(`/api/v1/accounts/${authorId}/follow`)
}

test('deleting an account decrements every counter it contributed to', async () => {
  const [leaving, staying] = await Promise.all([newcomer(), newcomer()])
  const id = await post(ada, 'remember me')
  const theirs = await post(leaving, 'forget me')
  const greeting = await post(ada, `hello @${leaving.username}`)
  const mentioned = async (): Promise<number> => (await ada.get(`/api/v1/statuses/${greeting}`)).mentions.length
  assert.equal(await mentioned(), 1)
  const { poll } = await ada.post('/api/v1/statuses', {
    status: 'the last question',
    poll: { options: ['stay', 'leave'], expires_in: 3600 },
  })
  const before = await profile(ada, ada.id)
  await engage(staying, id, ada.id)
  const [countsBefore, ofStaying] = [await counts(ada, id), await profile(ada, staying.id)]
  await engage(leaving, id, ada.id)
  await engage(staying, theirs, leaving.id)
  await leaving.post(`/api/v1/accounts/${staying.id}/follow`)
  assert.deepEqual(await counts(ada, id), { favourites: 2, reblogs: 2, replies: 2, quotes: 2 })
  const late = await beforeCommit(
    server,
    (tx) => deleteAccount(tx, leaving.id),
    () =>
      Promise.all([
        leaving.send('POST', `/api/v1/polls/${poll.id}/votes`, { json: { choices: [0] } }),
        leaving.send('POST', '/api/v1/lists', { json: { title: 'late' } }),
      ]),
    { waiting: 2 },
  )
  assertFine(late)
  assert.equal(await mentioned(), 0, 'cached posts do not mention it')
  await bringForward(server, 'accounts.erase')
  await server.drain()
  assert.equal((await ada.get(`/api/v1/polls/${poll.id}`)).votes_count, 0)
  const { rows } = await server.database.raw('select from lists where account_id = $1', [leaving.id])
  assert.deepEqual(rows, [], 'what was stored beside the deletion is deleted later')
  assert.deepEqual(await counts(ada, id), countsBefore)
  assert.deepEqual(countsBefore, { favourites: 1, reblogs: 1, replies: 1, quotes: 1 })
  // The reply and quote of the staying account remain; its boost is deleted with the boosted post.
  assert.deepEqual(await profile(ada, staying.id), [(ofStaying[0] as number) + 2, 0, 1])
  assert.deepEqual(await profile(ada, ada.id), [before[0], (before[1] as number) + 1, before[2]])
})

test('what is undone at the same time as an account is deleted is not subtracted twice', async () => {
  const [staying, id] = [await newcomer(), await post(ada, 'liked twice')]
  await engage(staying, id, ada.id)
  for (const undone of ['follow', 'favourite', 'boost']) {
    const leaving = await newcomer()
    await act(leaving, id, 'favourite')
    if (undone === 'follow') await staying.post(`/api/v1/accounts/${leaving.id}/follow`)
    const boostId = await boost(staying, await post(leaving, 'boosted'))
    await beforeCommit(
      server,
      async (tx) => {
        if (undone === 'follow') await unfollow(tx, { accountId: staying.id, targetAccountId: leaving.id })
        else if (undone === 'favourite') await unfavourite(tx, leaving.id, id)
        else await deleteStatuses(tx, [boostId], { authorId: staying.id })
      },
      () => deleteAccount(server.ctx, leaving.id),
    )
    assert.equal((await counts(ada, id)).favourites, 1, undone)
    // Its reply, quote and boost of the post of another author.
    assert.deepEqual(await profile(ada, staying.id), [3, 0, 1], undone)
  }
})

test('a quote that is revoked while it is deleted is not subtracted twice', async () => {
  const id = await post(ada, 'quoted twice')
  const [first] = [await post(ada, 'one', { quoted_status_id: id }), await post(ada, 'two', { quoted_status_id: id })]
  await beforeCommit(
    server,
    (tx) => revokeQuote(tx, { accountId: ada.id }, id, first),
    () => ada.delete(`/api/v1/statuses/${first}`),
  )
  assert.equal((await counts(ada, id)).quotes, 1)
})
