import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, counts, notified, relationshipWith } from '../support/relationships.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

let names = 0
const { server } = await stage()

const someone = (): Promise<Person> => server.person(`user${++names}`)

test('following an unlocked account takes effect at once, counts once and notifies; following again changes the options', async () => {
  const [ada, ben] = [await someone(), await someone()]
  const relationship = await ada.client.v1.accounts.$select(ben.id).follow()
  assert.equal(relationship.following, true)
  assert.equal(relationship.showingReblogs, true)
  assert.equal(relationship.notifying, false)
  assert.equal(relationship.languages, null)
  const again = (await act(ada, ben.id, 'follow', { reblogs: false, notify: true, languages: ['de', 'en'] })).json
  assert.deepEqual([again.showing_reblogs, again.notifying, again.languages], [false, true, ['de', 'en']])
  const repeated = (await act(ada, ben.id, 'follow')).json
  assert.deepEqual([repeated.showing_reblogs, repeated.notifying, repeated.languages], [false, true, ['de', 'en']])
  assert.deepEqual((await act(ada, ben.id, 'follow', { languages: ['en-US'] })).json.languages, ['en'])
  assert.deepEqual((await act(ada, ben.id, 'follow', { languages: [] })).json.languages, null)
  await act(ada, ben.id, 'follow', { languages: ['de'] })
  const form = { 'languages[]': '' }
  assert.equal((await ada.send('POST', `/api/v1/accounts/${ben.id}/follow`, { form })).json.languages, null)
  assert.equal((await relationshipWith(ben, ada.id)).followed_by, true)
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [1, 0],
      [0, 1],
    ],
  )
  assert.deepEqual(await notified(ben), [['follow', ada.id]])

  assert.equal((await act(ada, ben.id, 'unfollow')).json.following, false)
  assert.equal((await act(ada, ben.id, 'unfollow')).status, 200)
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [0, 0],
      [0, 0],
    ],
  )
  assert.deepEqual(await notified(ben), [])
})

test('following adds earlier posts to the home timeline, unfollowing removes them', async () => {
  const [ada, ben] = [await someone(), await someone()]
  const { id } = await ben.post('/api/v1/statuses', { status: 'earlier' })
  const home = async (): Promise<string[]> => (await ada.get('/api/v1/timelines/home')).map((status: any) => status.id)
  assert.deepEqual(await home(), [])
  await act(ada, ben.id, 'follow')
  await eventually(async () => (await home()).includes(id))
  await act(ada, ben.id, 'mute')
  assert.deepEqual(await home(), [])
  await act(ada, ben.id, 'unmute')
  await eventually(async () => (await home()).includes(id))
  await act(ada, ben.id, 'unfollow')
  assert.deepEqual(await home(), [])
})

test('concurrent follows, unfollows and blocks leave the counters right', async () => {
  const [ada, ben] = [await someone(), await someone()]
  const answers = await Promise.all(Array.from({ length: 6 }, () => act(ada, ben.id, 'follow')))
  assert.ok(answers.every(({ status, json }) => status === 200 && json.following))
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [1, 0],
      [0, 1],
    ],
  )
  await Promise.all([
    ...Array.from({ length: 3 }, () => act(ada, ben.id, 'unfollow')),
    act(ben, ada.id, 'follow'),
    act(ben, ada.id, 'follow'),
  ])
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [0, 1],
      [1, 0],
    ],
  )
  // Concurrent blocks and follows never leave both.
  await Promise.all([
    act(ada, ben.id, 'block'),
    act(ben, ada.id, 'follow'),
    act(ben, ada.id, 'follow'),
    act(ada, ben.id, 'follow'),
  ])
  const relationship = await relationshipWith(ada, ben.id)
  assert.deepEqual([relationship.blocking, relationship.following, relationship.followed_by], [true, false, false])
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('following oneself and unknown, blocked, moved, suspended or unconfirmed accounts is refused', async () => {
  const [ada, ben] = [await someone(), await someone()]
  const self = await act(ada, ada.id, 'follow')
  assert.deepEqual([self.status, self.json.error], [403, 'Following your own account is not allowed'])
  assert.equal((await act(ada, '1', 'follow')).status, 404)
  assert.equal((await act(ada, 'nonsense', 'follow')).status, 404)
  const pending = await server.person('notyet', { confirmed: false })
  assert.equal((await act(ada, pending.id, 'follow')).status, 404)
  await act(ben, ada.id, 'block')
  assert.deepEqual((await act(ada, ben.id, 'follow')).json, { error: 'This action is not allowed' })
  assert.equal((await act(ben, ada.id, 'follow')).status, 403)
  await act(ben, ada.id, 'unblock')
  assert.equal((await act(ada, ben.id, 'follow', { languages: ['no such language'] })).status, 422)
  await server.database.raw('update accounts set moved_to_id = $1 where id = $2', [ada.id, ben.id])
  assert.equal((await act(ada, ben.id, 'follow')).status, 403)
  await server.database.raw('update accounts set moved_to_id = null, suspended_at = now() where id = $1', [ben.id])
  assert.equal((await act(ada, ben.id, 'follow')).status, 404)
  const far = await remoteAccount(server, 'domainblocked', 'unwanted.test')
  await server.database.raw('insert into account_domain_blocks (account_id, domain) values ($1, $2)', [
    ada.id,
    'unwanted.test',
  ])
  assert.equal((await act(ada, far, 'follow')).status, 403)
  assert.equal((await relationshipWith(ada, far)).domain_blocking, true)
})

test('the maximum number of follows depends on the number of followers', async () => {
  const [ada, ben] = [await someone(), await someone()]
  await server.database.raw(
    'update account_stats set following_count = 7500, followers_count = 6000 where account_id = $1',
    [ada.id],
  )
  const answer = await act(ada, ben.id, 'follow')
  assert.equal(answer.status, 422)
  assert.equal(answer.json.error, 'Validation failed: You cannot follow more than 7500 people')
  await server.database.raw('update account_stats set followers_count = 8000 where account_id = $1', [ada.id])
  assert.equal((await act(ada, ben.id, 'follow')).status, 200)
})

test('removing a follower ends the follow and updates the counters', async () => {
  const [ada, ben] = [await someone(), await someone()]
  await act(ada, ben.id, 'follow')
  assert.equal((await act(ben, ada.id, 'remove_from_followers')).json.followed_by, false)
  assert.equal((await act(ben, ada.id, 'remove_from_followers')).status, 200)
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a block ends follows in both directions and removes posts and notifications of the blocked account', async () => {
  const [ada, ben] = [await someone(), await someone()]
  await act(ada, ben.id, 'follow')
  await act(ben, ada.id, 'follow')
  const { id } = await ben.post('/api/v1/statuses', { status: 'seen' })
  assert.deepEqual(
    (await ada.get('/api/v1/timelines/home')).map((status: any) => status.id),
    [id],
  )
  const relationship = (await act(ada, ben.id, 'block')).json
  assert.deepEqual([relationship.blocking, relationship.following, relationship.followed_by], [true, false, false])
  assert.equal((await relationshipWith(ben, ada.id)).blocked_by, true)
  assert.deepEqual(
    [await counts(ada), await counts(ben)],
    [
      [0, 0],
      [0, 0],
    ],
  )
  assert.deepEqual(await ada.get('/api/v1/timelines/home'), [])
  assert.deepEqual(await notified(ada), [])
  assert.equal((await act(ada, ben.id, 'block')).status, 200)
  assert.deepEqual(
    (await ada.get('/api/v1/blocks')).map((account: any) => account.id),
    [ben.id],
  )
  assert.deepEqual(await ben.get('/api/v1/blocks'), [])
  assert.equal((await act(ada, ben.id, 'unblock')).json.blocking, false)
  assert.equal((await act(ada, ben.id, 'unblock')).status, 200)
  assert.equal((await act(ada, ada.id, 'block')).json.blocking, false)
})

test('a mute with a duration expires', async () => {
  const [ada, ben] = [await someone(), await someone()]
  const soon = (await act(ada, ben.id, 'mute', { duration: 1, notifications: false })).json
  assert.deepEqual([soon.muting, soon.muting_notifications], [true, false])
  assert.ok(Date.parse(soon.muting_expires_at) > Date.now())
  const [listed] = await ada.get('/api/v1/mutes')
  assert.equal(listed.id, ben.id)
  assert.equal(listed.mute_expires_at, soon.muting_expires_at)
  await eventually(async () => !(await relationshipWith(ada, ben.id)).muting)
  assert.deepEqual(await ada.get('/api/v1/mutes'), [])
  const lasting = (await act(ada, ben.id, 'mute')).json
  assert.deepEqual([lasting.muting, lasting.muting_notifications, lasting.muting_expires_at], [true, true, null])
  assert.equal((await act(ada, ben.id, 'unmute')).json.muting, false)
  assert.equal((await act(ada, ada.id, 'mute')).json.muting, false)
})

test('a private note is visible to its author only and has at most 2000 characters', async () => {
  const [ada, ben] = [await someone(), await someone()]
  assert.equal((await act(ada, ben.id, 'note', { comment: 'met at the lake' })).json.note, 'met at the lake')
  assert.equal((await relationshipWith(ben, ada.id)).note, '')
  assert.equal((await act(ada, ben.id, 'note', { comment: 'x'.repeat(2000) })).status, 200)
  assert.equal((await act(ada, ben.id, 'note', { comment: 'x'.repeat(2001) })).status, 422)
  assert.equal((await act(ada, ben.id, 'note', { comment: '' })).json.note, '')
})

test('POST /api/v1/follows follows an account by its handle', async () => {
  const [ada, ben] = [await someone(), await someone()]
  for (const uri of [
    ben.username,
    `${ben.username}@${server.domain}`,
    `@${ben.username.toUpperCase()}@${server.domain}`,
  ])
    assert.equal((await ada.post('/api/v1/follows', { uri })).id, ben.id)
  assert.deepEqual(await counts(ben), [0, 1])
  const far = await remoteAccount(server, 'known', 'elsewhere.test')
  assert.equal((await ada.post('/api/v1/follows', { uri: 'known@elsewhere.test' })).id, far)
  assert.equal((await ada.send('POST', '/api/v1/follows', { json: { uri: `nobody@${server.domain}` } })).status, 404)
  assert.equal((await ada.send('POST', '/api/v1/follows', { json: {} })).status, 404)
  assert.equal((await ada.send('POST', '/api/v1/follows', { json: { uri: ada.username } })).status, 403)
})
