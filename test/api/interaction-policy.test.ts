// Quote approval: quote_approval_policy, the default in the settings, PUT /api/v1/statuses/:id/interaction_policy
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const post = (json: object = {}): Promise<any> => ada.post('/api/v1/statuses', { status: 'said', ...json })
const approval = async (who: Person, id: string): Promise<any> =>
  (await who.get(`/api/v1/statuses/${id}`)).quote_approval

test('a public post may be quoted by any signed-in account by default', async () => {
  const { id, quote_approval } = await post()
  assert.deepEqual(quote_approval, { automatic: ['public'], manual: [], current_user: 'automatic' })
  assert.equal((await approval(bob, id)).current_user, 'automatic')
  const anonymous = (await server.send('GET', `/api/v1/statuses/${id}`)).json
  assert.deepEqual(anonymous.quote_approval, { automatic: ['public'], manual: [], current_user: 'denied' })
})

test('a post may be limited to quotes by followers or to no quotes', async () => {
  const fan = await server.person('fan')
  await fan.post(`/api/v1/accounts/${ada.id}/follow`)
  const [followersOnly, noQuotes] = [
    await post({ quote_approval_policy: 'followers' }),
    await post({ quote_approval_policy: 'nobody' }),
  ]
  assert.deepEqual(await approval(fan, followersOnly.id), {
    automatic: ['followers'],
    manual: [],
    current_user: 'automatic',
  })
  assert.equal((await approval(bob, followersOnly.id)).current_user, 'denied')
  assert.deepEqual(await approval(fan, noQuotes.id), { automatic: [], manual: [], current_user: 'denied' })
  assert.equal(noQuotes.quote_approval.current_user, 'automatic')
  const boost = await bob.post(`/api/v1/statuses/${followersOnly.id}/reblog`)
  assert.deepEqual(boost.quote_approval, boost.reblog.quote_approval)
})

test('private posts and direct posts never allow quotes by other accounts', async () => {
  for (const [visibility, own] of [
    ['private', 'automatic'],
    ['direct', 'denied'],
  ]) {
    const made = await post({ visibility, quote_approval_policy: 'public' })
    assert.deepEqual(made.quote_approval, { automatic: [], manual: [], current_user: own })
    const asked = await ada.put(`/api/v1/statuses/${made.id}/interaction_policy`, { quote_approval_policy: 'public' })
    assert.deepEqual(asked.quote_approval.automatic, [])
  }
})

test('the default quote policy applies to posts without one', async () => {
  const dan = await server.person('dan')
  await dan.send('PATCH', '/api/v1/accounts/update_credentials', { json: { source: { quote_policy: 'followers' } } })
  const made = await dan.post('/api/v1/statuses', { status: 'x' })
  assert.deepEqual(made.quote_approval.automatic, ['followers'])
})

test('the quote policy is changed on its own without marking an edit, or along with an edit', async () => {
  const { id } = await post()
  const closed = await ada.put(`/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  assert.deepEqual([closed.quote_approval.automatic, closed.edited_at], [[], null])
  assert.equal((await approval(bob, id)).current_user, 'denied')
  assert.equal(
    (await bob.send('POST', '/api/v1/statuses', { json: { status: 'x', quoted_status_id: id } })).status,
    404,
  )
  const opened = await ada.put(`/api/v1/statuses/${id}`, { quote_approval_policy: 'followers' })
  assert.deepEqual([opened.quote_approval.automatic, opened.edited_at], [['followers'], null])
  const edited = await ada.put(`/api/v1/statuses/${id}`, { status: 'more', quote_approval_policy: 'public' })
  assert.deepEqual(edited.quote_approval.automatic, ['public'])
  assert.notEqual(edited.edited_at, null)
  assert.deepEqual((await ada.put(`/api/v1/statuses/${id}/interaction_policy`)).quote_approval.automatic, ['public'])
})

test('only the author may change the quote policy, and unknown policies are refused', async () => {
  const { id } = await post()
  const path = `/api/v1/statuses/${id}/interaction_policy`
  const json = { quote_approval_policy: 'nobody' }
  for (const quote_approval_policy of ['private', 'everyone', 1, ['public'], {}])
    assert.equal(
      (await ada.send('PUT', path, { json: { quote_approval_policy } })).status,
      422,
      String(quote_approval_policy),
    )
  assert.equal(
    (await ada.send('POST', '/api/v1/statuses', { json: { status: 'x', quote_approval_policy: 'all' } })).status,
    422,
  )
  assert.equal((await bob.send('PUT', path, { json })).status, 403)
  assert.equal((await server.send('PUT', path, { json })).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['read'] })
  assert.equal((await server.send('PUT', path, { token, json })).status, 403)
  const hidden = await post({ visibility: 'direct' })
  assert.equal((await bob.send('PUT', `/api/v1/statuses/${hidden.id}/interaction_policy`, { json })).status, 404)
  assert.deepEqual((await approval(ada, id)).automatic, ['public'])
})
