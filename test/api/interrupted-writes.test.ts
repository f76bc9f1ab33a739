// Writes that the database fails, or whose answer never arrives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failStatement } from '../support/faults.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

test('a post succeeds after a deadlock, also when statements that were sent with the failed one report first', async () => {
  failStatement('insert into notifications', '40P01')
  const answer = await ada.send('POST', '/api/v1/statuses', { json: { status: `@${bob.username} after a deadlock` } })
  assert.equal(answer.status, 200)
  assert.equal((await bob.get('/api/v1/notifications?types[]=mention')).length, 1)
})

test('a deadlock of a single statement is answered with 503, and the request succeeds when it is repeated', async () => {
  server.expectErrors(/injected/)
  const { id } = await ada.post('/api/v1/statuses', { status: 'to be muted' })
  failStatement('insert into conversation_mutes', '40P01')
  const answer = await ada.send('POST', `/api/v1/statuses/${id}/mute`)
  assert.equal(answer.status, 503)
  assert.ok(answer.headers.get('retry-after'))
  assert.equal((await ada.post(`/api/v1/statuses/${id}/mute`)).muted, true)
})
