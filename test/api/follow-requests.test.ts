// Follow requests: locked, silenced and remote accounts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorizeFollow, follow, rejectFollow, unfollow } from '../support/acts.ts'
import { act, counts, notified, relationshipWith } from '../support/relationships.ts'
import { distributed, remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

let names = 0
const { server } = await stage()

const someone = (): Promise<Person> => server.person(`user${++names}`)

test('a locked account receives follow requests and can accept or reject them', async () => {
  const [ada, ben, cleo] = [await someone(), await someone(), await someone()]
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const asked = (await act(ada, ben.id, 'follow', { notify: true })).json
  assert.deepEqual([asked.following, asked.requested, asked.notifying], [false, true, true])
  await act(cleo, ben.id, 'follow')
  assert.deepEqual(
    (await notified(ben)).toSorted(),
    [
      ['follow_request', ada.id],
      ['follow_request', cleo.id],
    ].toSorted(),
  )
  assert.equal((await relationshipWith(ben, ada.id)).requested_by, true)
  assert.deepEqual(
    (await ben.get('/api/v1/follow_requests')).map((account: any) => account.id),
    [cleo.id, ada.id],
  )
  assert.equal((await ben.get('/api/v1/accounts/verify_credentials')).source.follow_requests_count, 2)

  const accepted = await ben.send('POST', `/api/v1/follow_requests/${ada.id}/authorize`)
  assert.deepEqual([accepted.json.followed_by, accepted.json.requested_by], [true, false])
  assert.equal((await ben.send('POST', `/api/v1/follow_requests/${ada.id}/authorize`)).status, 404)
  assert.equal((await ben.send('POST', `/api/v1/follow_requests/${ada.id}/reject`)).status, 404)
  const mine = await relationshipWith(ada, ben.id)
  assert.deepEqual([mine.following, mine.requested, mine.notifying], [true, false, true])
  assert.equal((await ben.send('POST', `/api/v1/follow_requests/${cleo.id}/reject`)).status, 200)
  assert.equal((await relationshipWith(cleo, ben.id)).requested, false)
  assert.deepEqual(await counts(ben), [0, 1])
  assert.deepEqual(await notified(ben), [['follow', ada.id]])
  // Another account cannot accept the request.
  await act(cleo, ben.id, 'follow')
  assert.equal((await ada.send('POST', `/api/v1/follow_requests/${cleo.id}/authorize`)).status, 404)
  assert.equal((await act(cleo, ben.id, 'unfollow')).json.requested, false)
})

test('a follow request that is repeated keeps its new options when it is accepted', async () => {
  const [ada, ben] = [await someone(), await someone()]
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  await act(ada, ben.id, 'follow')
  const again = await act(ada, ben.id, 'follow', { reblogs: false, notify: true, languages: ['de'] })
  assert.equal(again.json.requested, true)
  await ben.post(`/api/v1/follow_requests/${ada.id}/authorize`)
  const { following, showing_reblogs, notifying, languages } = await relationshipWith(ada, ben.id)
  assert.deepEqual([following, showing_reblogs, notifying, languages], [true, false, true, ['de']])
})

test('unlocking an account accepts its follow requests, except those of silenced accounts', async () => {
  const [ada, ben, cleo] = [await someone(), await someone(), await someone()]
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  await act(ada, ben.id, 'follow')
  await act(cleo, ben.id, 'follow')
  await server.database.raw('update accounts set silenced_at = now() where id = $1', [cleo.id])
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: false } })
  assert.equal((await relationshipWith(ada, ben.id)).following, true)
  assert.equal((await relationshipWith(cleo, ben.id)).requested, true)
  assert.deepEqual(
    [await counts(ben), await counts(ada)],
    [
      [0, 1],
      [1, 0],
    ],
  )
})

test('a silenced account must request to follow even an unlocked account', async () => {
  const [ada, ben] = [await someone(), await someone()]
  await server.database.raw('update accounts set silenced_at = now() where id = $1', [ada.id])
  assert.equal((await act(ada, ben.id, 'follow')).json.requested, true)
})

test('following a remote account sends a request, and takes effect when the account accepts it', async () => {
  const ada = await someone()
  const far = await remoteAccount(server, 'faraway')
  // Most remote accounts accept at once, so the response to the follow anticipates it; later ones report the actual state.
  const asked = (await act(ada, far, 'follow')).json
  assert.deepEqual([asked.following, asked.requested], [true, false])
  assert.deepEqual(
    [(await relationshipWith(ada, far)).following, (await relationshipWith(ada, far)).requested],
    [false, true],
  )
  assert.equal(await authorizeFollow(server.ctx, { accountId: far, followerId: ada.id }), true)
  assert.equal(await authorizeFollow(server.ctx, { accountId: far, followerId: ada.id }), false)
  assert.equal((await relationshipWith(ada, far)).following, true)
  assert.deepEqual(await counts(ada), [1, 0])
  await act(ada, far, 'unfollow')
  const [first, last, ...rest] = await distributed(server, ada.id)
  assert.equal(first?.activity, 'follow')
  // The undo names the follow by its id.
  assert.deepEqual([last?.activity, last?.undo, last?.followId, rest], ['follow', true, first?.followId, []])
  await act(ada, far, 'follow')
  assert.equal(await rejectFollow(server.ctx, { accountId: far, followerId: ada.id }), true)
  assert.equal((await relationshipWith(ada, far)).requested, false)
})

test('a follow by a remote account is accepted on every repeat, and rejected when blocked', async () => {
  const ada = await someone()
  const far = await remoteAccount(server, 'fan')
  const request = { accountId: far, targetAccountId: ada.id, uri: 'https://far.test/follows/1' }
  assert.equal(await follow(server.ctx, request), 'following')
  assert.equal(await follow(server.ctx, { ...request, uri: 'https://far.test/follows/2' }), 'following')
  assert.deepEqual(await counts(ada), [0, 1])
  assert.deepEqual(await notified(ada), [['follow', far]])
  await act(ada, far, 'block')
  assert.equal(await follow(server.ctx, request), 'refused')
  assert.deepEqual(await counts(ada), [0, 0])
  const sent = (await distributed(server, ada.id)).map(({ activity, accepted, followUri }) =>
    [activity, accepted ?? '', followUri ?? ''].join(' '),
  )
  assert.deepEqual(sent.toSorted(), [
    'answer-follow false https://far.test/follows/1',
    'answer-follow false https://far.test/follows/2',
    'answer-follow true https://far.test/follows/1',
    'answer-follow true https://far.test/follows/2',
    'block  ',
  ])
  await act(ada, far, 'unblock')
  const last = (await distributed(server, ada.id)).at(-1)
  assert.deepEqual([last?.activity, last?.undo], ['block', true])
})

test('a remote follow of a locked account waits for approval and can be undone', async () => {
  const ada = await someone()
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const far = await remoteAccount(server, 'patient')
  assert.equal(
    await follow(server.ctx, { accountId: far, targetAccountId: ada.id, uri: 'https://far.test/follows/9' }),
    'requested',
  )
  await unfollow(server.ctx, { accountId: far, targetAccountId: ada.id })
  assert.deepEqual(await ada.get('/api/v1/follow_requests'), [])
  await follow(server.ctx, { accountId: far, targetAccountId: ada.id, uri: 'https://far.test/follows/10' })
  await ada.post(`/api/v1/follow_requests/${far}/authorize`)
  assert.deepEqual(
    (await distributed(server, ada.id))
      .filter(({ activity, accepted }) => activity === 'answer-follow' && accepted === true)
      .map(({ followUri }) => followUri),
    ['https://far.test/follows/10'],
  )
})
