// Counters of posts and accounts match the rows they count after concurrent, repeated and deleting requests.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { deleteAccount, purgeRemoteAccount } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { PUBLIC, type PeerActor } from '../support/peer.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, post } from '../support/timelines.ts'

const CROWD = 20

let round = 0

const { server, peer, ada } = await stage({ accounts: ['ada'], peers: ['peer'] })
const crowd = await Promise.all(Array.from({ length: CROWD }, (_, i) => server.person(`crowd${i}`)))

/** Compares every counter in the database with the rows it counts. */
afterEach(async () => {
  const wrong = await server.ctx.db.many(sql`
    select * from (
      select 'status ' || s.id || ' ' || c.name as counter, c.said, c.rows
      from statuses s left join status_stats t on t.status_id = s.id cross join lateral (values
        ('favourites', coalesce(t.favourites_count, 0), (select count(*) from favourites f where f.status_id = s.id)),
        ('reblogs', coalesce(t.reblogs_count, 0), (select count(*) from statuses b where b.reblog_of_id = s.id)),
        ('replies', coalesce(t.replies_count, 0), (select count(*) from statuses r where r.in_reply_to_id = s.id and r.visibility in ('public', 'unlisted'))),
        ('quotes', coalesce(t.quotes_count, 0), (select count(*) from quotes q where q.quoted_status_id = s.id and q.state = 'accepted'))
      ) c (name, said, rows)
      union all
      select 'account ' || a.username || ' ' || c.name, c.said, c.rows
      from accounts a left join account_stats t on t.account_id = a.id cross join lateral (values
        ('statuses', coalesce(t.statuses_count, 0), (select count(*) from statuses s where s.account_id = a.id and s.visibility <> 'direct')),
        ('followers', coalesce(t.followers_count, 0), (select count(*) from follows f where f.target_account_id = a.id)),
        ('following', coalesce(t.following_count, 0), (select count(*) from follows f where f.account_id = a.id))
      ) c (name, said, rows)
    ) counters where said <> rows`)
  assert.deepEqual(wrong, [])
})

/** A fresh account, for tests that delete or lock it. */
const newcomer = (): Promise<Person> => server.person(`new${++round}`)
const act = (who: Person, id: string, action: string): Promise<Answer> =>
  who.send('POST', `/api/v1/statuses/${id}/${action}`)
/** The counters of a post in the API. */
async function counts(id: string, who: Person = ada): Promise<Record<string, number>> {
  const {
    favourites_count: favourites,
    reblogs_count: reblogs,
    replies_count: replies,
    quotes_count: quotes,
  } = await who.get(`/api/v1/statuses/${id}`)
  return { favourites, reblogs, replies, quotes }
}
const NONE = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 }
async function profile(id: string): Promise<number[]> {
  const { statuses_count, followers_count, following_count } = await ada.get(`/api/v1/accounts/${id}`)
  return [statuses_count, followers_count, following_count]
}
const assertFine = (answers: readonly Answer[], ...also: number[]): void => {
  for (const { status, text } of answers) assert.ok(status === 200 || also.includes(status), `${status} ${text}`)
}

test('counters are right after 20 accounts favourite and boost a post concurrently and repeatedly, and undo it', async () => {
  const id = await post(ada, 'for everybody')
  const byCrowd = (...actions: string[]): Promise<Answer[]> =>
    Promise.all(crowd.flatMap((person) => actions.map((action) => act(person, id, action))))
  assertFine(await byCrowd('favourite', 'reblog', 'favourite', 'reblog'))
  assert.deepEqual(await counts(id), { ...NONE, favourites: CROWD, reblogs: CROWD })
  assertFine(await byCrowd('unfavourite', 'unreblog', 'unfavourite', 'unreblog'))
  assert.deepEqual(await counts(id), NONE)
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
  assert.deepEqual(await counts(id), { ...NONE, favourites: Number(favourited), reblogs: Number(reblogged) })
})

test('concurrent public replies and quotes are counted, private and direct replies are not, deleted ones no longer', async () => {
  const id = await post(ada, 'what do you think?')
  const [before] = await profile((crowd[0] as Person).id)
  const answers = await Promise.all(crowd.map((person) => post(person, 'this', { in_reply_to_id: id })))
  const quotes = await Promise.all(crowd.map((person) => post(person, 'that', { quoted_status_id: id })))
  for (const visibility of ['private', 'direct'])
    await post(crowd[1] as Person, '@ada psst', { in_reply_to_id: id, visibility })
  assert.deepEqual(await counts(id), { ...NONE, replies: CROWD, quotes: CROWD })
  assert.deepEqual((await profile((crowd[0] as Person).id))[0], (before as number) + 2)
  const gone = await Promise.all(
    crowd.flatMap((person, i) =>
      [answers[i], answers[i], quotes[i]].map((each) => person.send('DELETE', `/api/v1/statuses/${each}`)),
    ),
  )
  assertFine(gone, 404)
  assert.deepEqual(await counts(id), NONE)
  assert.deepEqual((await profile((crowd[0] as Person).id))[0], before)
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
  assert.deepEqual(await counts(id), { ...NONE, reblogs: 1 })
  const [before] = await profile(cat.id)
  await ada.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual((await profile(cat.id))[0], (before as number) - 1)
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
  assert.deepEqual(await counts(id), { ...NONE, quotes: 1 })
  await cat.delete(`/api/v1/statuses/${ofCat}`)
  assert.deepEqual(await counts(id), { ...NONE, quotes: 1 })
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
  assert.deepEqual(await profile(famous.id), [0, CROWD, CROWD])
  const ways = ['unfollow', 'block', 'remove_from_followers', 'follow']
  assertFine(
    await all((person, i) => [i % 2 ? person : famous, i % 2 ? famous.id : person.id, ways[i % 4] as string]),
    403,
  )
  const { rows } = await server.database.raw('select count(*)::int as n from follows where target_account_id = $1', [
    famous.id,
  ])
  assert.equal((await profile(famous.id))[1], (rows[0] as { n: number }).n)
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
  assert.deepEqual(await profile(locked.id), [0, 0, 0])
  const decide = ({ id }: Person, i: number): Promise<Answer>[] =>
    ['authorize', i % 2 ? 'reject' : 'authorize'].map((decision) =>
      locked.send('POST', `/api/v1/follow_requests/${id}/${decision}`),
    )
  assertFine(await Promise.all(crowd.flatMap(decide)), 404)
  assert.ok(((await profile(locked.id))[1] as number) >= CROWD / 2)
})

/** Favourites, boosts, answers and quotes a post, and follows its author. */
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
  const before = await profile(ada.id)
  await engage(staying, id, ada.id)
  const [countsBefore, ofStaying] = [await counts(id), await profile(staying.id)]
  await engage(leaving, id, ada.id)
  await engage(staying, theirs, leaving.id)
  await leaving.post(`/api/v1/accounts/${staying.id}/follow`)
  assert.deepEqual(await counts(id), { favourites: 2, reblogs: 2, replies: 2, quotes: 2 })
  await deleteAccount(server.ctx, leaving.id)
  assert.deepEqual(await counts(id), countsBefore)
  assert.deepEqual(countsBefore, { favourites: 1, reblogs: 1, replies: 1, quotes: 1 })
  // The reply and quote of the staying account remain; its boost is deleted with the boosted post.
  assert.deepEqual(await profile(staying.id), [(ofStaying[0] as number) + 2, 0, 1])
  assert.deepEqual(await profile(ada.id), [before[0], (before[1] as number) + 1, before[2]])
})

// Remote servers ---------------------------------------------------------------------------------------------------

const uriOf = (id: string): string => `http://${server.domain}/users/ada/statuses/${id}`

let sent = 0
async function deliver(actor: PeerActor, ...activities: Record<string, unknown>[]): Promise<void> {
  const named = activities.map((activity) => ({
    id: `${actor.uri}/activities/${++sent}`,
    actor: actor.uri,
    ...activity,
  }))
  for (const status of await Promise.all(named.map((activity) => peer.send(server, actor, activity))))
    assert.equal(status, 202)
  await server.drain()
}

async function met(actor: PeerActor): Promise<string> {
  const { accounts } = await ada.get(`/api/v2/search?q=${actor.name}@${peer.domain}&resolve=true&type=accounts`)
  return accounts[0].id
}

test('repeated remote likes, boosts and replies count once, also under different activity ids', async () => {
  const far = await peer.actor(`far${++round}`)
  const id = await post(ada, 'heard far away')
  const object = uriOf(id)
  const like = (n: number): Record<string, unknown> => ({ id: `${far.uri}/likes/${n}`, type: 'Like', object })
  const announce = (n: number): Record<string, unknown> => ({
    id: `${far.uri}/boosts/${n}`,
    type: 'Announce',
    object,
    to: [PUBLIC],
    published: new Date().toISOString(),
  })
  await deliver(far, ...Array.from({ length: 10 }, (_, i) => [like(i % 5), announce(i % 5)]).flat())
  assert.deepEqual(await counts(id), { ...NONE, favourites: 1, reblogs: 1 })
  const answer = peer.create(far, { inReplyTo: object })
  await deliver(far, ...Array.from({ length: 5 }, (_, i) => ({ ...answer, id: `${far.uri}/creates/${i}` })))
  assert.deepEqual(await counts(id), { favourites: 1, reblogs: 1, replies: 1, quotes: 0 })

  const { id: uri } = answer.object as { id: string }
  const undo = (type: string): Record<string, unknown> => ({ type: 'Undo', object: { type, actor: far.uri, object } })
  const deletion = { type: 'Delete', object: { type: 'Tombstone', id: uri } }
  await deliver(far, undo('Like'), undo('Like'), undo('Announce'), undo('Announce'), deletion, deletion)
  assert.deepEqual(await counts(id), NONE)
})

test('repeated remote follows, accepts, undos and rejects change the follow counts once', async () => {
  const far = await peer.actor(`far${++round}`)
  const [farId, [, followers, following]] = [await met(far), (await profile(ada.id)) as [number, number, number]]
  const object = `http://${server.domain}/users/ada`
  const follow = { type: 'Follow', object }
  await deliver(far, ...Array.from({ length: 5 }, () => follow), { ...follow, id: `${far.uri}#follow` })
  await ada.post(`/api/v1/accounts/${farId}/follow`)
  const accept = { type: 'Accept', object: { type: 'Follow', actor: object, object: far.uri } }
  await deliver(far, accept, accept, accept)
  assert.deepEqual((await profile(ada.id)).slice(1), [followers + 1, following + 1])
  await deliver(
    far,
    { type: 'Undo', object: { ...follow, actor: far.uri } },
    { type: 'Undo', object: { ...follow, actor: far.uri } },
  )
  const reject = { type: 'Reject', object: accept.object }
  await deliver(far, reject, reject)
  assert.deepEqual((await profile(ada.id)).slice(1), [followers, following])
})

test('purging a remote account decrements every counter it contributed to', async () => {
  const far = await peer.actor(`far${++round}`)
  const [farId, id, before] = [await met(far), await post(ada, 'heard far away'), await profile(ada.id)]
  const object = uriOf(id)
  const theirs = peer.create(far, {
    content: '<p>from far</p>',
    cc: [`http://${server.domain}/users/ada`],
    tag: [{ type: 'Mention', href: `http://${server.domain}/users/ada` }],
  })
  await deliver(
    far,
    { type: 'Follow', object: `http://${server.domain}/users/ada` },
    { type: 'Like', object },
    { type: 'Announce', object, to: [PUBLIC] },
    peer.create(far, { inReplyTo: object }),
    theirs,
  )
  assert.deepEqual(await counts(id), { favourites: 1, reblogs: 1, replies: 1, quotes: 0 })
  const found = await ada.get(
    `/api/v2/search?q=${encodeURIComponent((theirs['object'] as { id: string }).id)}&type=statuses`,
  )
  await boost(ada, found.statuses[0].id)
  await purgeRemoteAccount(server.ctx, farId)
  assert.deepEqual(await counts(id), NONE)
  assert.deepEqual(await profile(ada.id), before)
})
