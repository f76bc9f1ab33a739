// Endorsements: accounts featured on a profile.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { links, remoteAuthor } from '../support/timelines.ts'

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

const act = (who: Person, id: string, what: string) => who.send('POST', `/api/v1/accounts/${id}/${what}`)
const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id)
const endorsed = async (who: Person): Promise<string[]> => ids(await who.get('/api/v1/endorsements'))

test('followed accounts can be endorsed, once, and unendorsed', async () => {
  const refused = await act(ada, bob.id, 'endorse')
  assert.deepEqual(
    [refused.status, refused.json.error],
    [422, 'Validation failed: You must be already following the person you want to endorse'],
  )
  assert.equal((await act(ada, ada.id, 'endorse')).status, 422)
  assert.equal((await act(ada, '1', 'endorse')).status, 404)
  await act(ada, bob.id, 'follow')
  const answers = await Promise.all([1, 2, 3].map(() => act(ada, bob.id, 'endorse')))
  assert.ok(answers.every(({ status, json }) => status === 200 && json.endorsed === true && json.following))
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id=${bob.id}`))[0].endorsed, true)
  assert.equal((await bob.get(`/api/v1/accounts/relationships?id=${ada.id}`))[0].endorsed, false)
  assert.deepEqual(await endorsed(ada), [bob.id])
  assert.equal((await act(ada, bob.id, 'unendorse')).json.endorsed, false)
  assert.equal((await act(ada, bob.id, 'unendorse')).status, 200)
  assert.deepEqual(await endorsed(ada), [])
})

test('pin and unpin still endorse accounts, with a deprecation header', async () => {
  await act(ada, bob.id, 'follow')
  const pinned = await act(ada, bob.id, 'pin')
  assert.deepEqual([pinned.json.endorsed, /^@\d+$/.test(pinned.headers.get('deprecation') ?? '')], [true, true])
  const unpinned = await act(ada, bob.id, 'unpin')
  assert.deepEqual([unpinned.json.endorsed, /^@\d+$/.test(unpinned.headers.get('deprecation') ?? '')], [false, true])
  assert.equal((await act(ada, bob.id, 'endorse')).headers.get('deprecation'), null)
})

test('an endorsement ends with the follow: on unfollow, block by either side and removal from followers', async () => {
  const all = await Promise.all(['d', 'e', 'f', 'g'].map((name) => server.person(`${name}${round}`)))
  for (const other of all) {
    await act(ada, other.id, 'follow')
    await act(ada, other.id, 'endorse')
  }
  const [dan, eve, fay, gus] = all as [Person, Person, Person, Person]
  await act(ada, dan.id, 'unfollow')
  await act(ada, eve.id, 'block')
  await act(fay, ada.id, 'block')
  await act(gus, ada.id, 'remove_from_followers')
  assert.deepEqual(await endorsed(ada), [])
  await act(ada, dan.id, 'follow')
  assert.equal((await act(ada, dan.id, 'follow')).json.endorsed, false)
})

test('the endorsements of an account are public, without suspended accounts and those hidden from the viewer', async () => {
  const eve = await remoteAuthor(server, 'eve', `endorsed${round}.test`)
  for (const id of [bob.id, cleo.id]) {
    await act(ada, id, 'follow')
    await act(ada, id, 'endorse')
  }
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [ada.id, eve.id])
  await act(ada, eve.id, 'endorse')
  const seen = async (who: Person | null): Promise<string[]> =>
    ids((await server.send('GET', `/api/v1/accounts/${ada.id}/endorsements`, who ? { token: who.token } : {})).json)
  assert.deepEqual(await seen(null), [eve.id, cleo.id, bob.id])
  assert.deepEqual(await seen(ada), [eve.id, cleo.id, bob.id])
  await act(bob, cleo.id, 'mute')
  await bob.post('/api/v1/domain_blocks', { domain: `endorsed${round}.test` })
  assert.deepEqual(await seen(bob), [bob.id])
  await act(ada, cleo.id, 'mute')
  assert.deepEqual(await seen(ada), [eve.id, cleo.id, bob.id], 'the owner sees muted accounts too')
  await act(ada, bob.id, 'block')
  assert.deepEqual(await seen(bob), [])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  assert.deepEqual(await seen(null), [eve.id])
  assert.equal((await server.send('GET', '/api/v1/accounts/1/endorsements')).status, 404)
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [ada.id])
  assert.deepEqual(await seen(null), [])
})

test('endorsements are paginated, newest first', async () => {
  const others = await Promise.all([1, 2, 3, 4, 5].map((n) => server.person(`p${n}of${round}`)))
  for (const other of others) {
    await act(ada, other.id, 'follow')
    await act(ada, other.id, 'endorse')
  }
  const newest = ids(others).toReversed()
  for (const path of ['/api/v1/endorsements', `/api/v1/accounts/${ada.id}/endorsements`]) {
    const first = await ada.send('GET', `${path}?limit=2`)
    assert.deepEqual(ids(first.json), newest.slice(0, 2))
    const second = await ada.send('GET', links(first.headers).next as string)
    const third = await ada.send('GET', links(second.headers).next as string)
    assert.deepEqual([...ids(second.json), ...ids(third.json)], newest.slice(2))
    assert.equal(links(third.headers).next, undefined)
    assert.match(links(third.headers).prev ?? '', /since_id=/)
    assert.deepEqual(ids((await ada.send('GET', links(second.headers).prev as string)).json), newest.slice(0, 2))
  }
})

test('identity proofs are always empty and deprecated', async () => {
  const answer = await ada.send('GET', `/api/v1/accounts/${bob.id}/identity_proofs`)
  assert.deepEqual([answer.status, answer.json, answer.headers.get('deprecation')], [200, [], '@1648598400'])
  assert.equal((await ada.send('GET', '/api/v1/accounts/1/identity_proofs')).status, 404)
  assert.equal((await server.send('GET', `/api/v1/accounts/${bob.id}/identity_proofs`)).status, 401)
})
