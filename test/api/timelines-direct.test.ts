// The timeline of direct posts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { idsOf, links, post } from '../support/timelines.ts'

const { server, ada, bob, cleo } = await stage({ accounts: ['ada', 'bob', 'cleo'] })

const direct = (from: Person, to: Person): Promise<string> =>
  post(from, `@${to.username} psst`, { visibility: 'direct' })

test('the direct timeline has sent and received direct posts, without muted and blocking authors', async () => {
  const sent = await direct(ada, bob)
  await post(bob, `@${ada.username} for all`)
  await direct(bob, cleo)
  const received = await direct(bob, ada)
  const note = await post(ada, 'a note', { visibility: 'direct' })
  const timeline = (query = ''): Promise<string[]> => idsOf(ada, `/api/v1/timelines/direct${query}`)
  assert.deepEqual(await timeline(), [note, received, sent])
  assert.deepEqual(await timeline('?limit=1'), [note])
  assert.deepEqual(await timeline(`?limit=1&max_id=${note}`), [received])
  assert.deepEqual(await timeline(`?limit=1&min_id=${sent}`), [received])
  assert.deepEqual(await timeline(`?since_id=${sent}`), [note, received])
  const { headers } = await ada.send('GET', '/api/v1/timelines/direct?limit=1')
  assert.deepEqual(Object.keys(links(headers)), ['next', 'prev'])
  await ada.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await timeline(), [note, sent])
  await ada.post(`/api/v1/accounts/${bob.id}/unmute`)
  await bob.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual(await timeline(), [note, sent])
  assert.equal((await server.send('GET', '/api/v1/timelines/direct')).status, 401)
  const token = await server.token({ userId: ada.userId, scopes: ['read:accounts'] })
  assert.equal((await server.send('GET', '/api/v1/timelines/direct', { token })).status, 403)
})
