// Polls and quotes in streams
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPoll } from '../support/jobs.ts'

import { stage } from '../support/stage.ts'
import { listen } from './listen.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
await bob.post(`/api/v1/accounts/${ada.id}/follow`)
await bob.get('/api/v1/timelines/home')

test('poll events include the votes of the viewer; the end of a poll is streamed', async () => {
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  const { id, poll } = await ada.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 600 },
  })
  const update = await client.event('update')
  assert.deepEqual([update.id, update.poll.voted, update.poll.own_votes], [id, false, []])
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  await endPoll(server, poll.id)
  const ended = await client.event('status.update')
  assert.deepEqual([ended.id, ended.poll.expired, ended.poll.own_votes, ended.edited_at], [id, true, [1], null])
  const notification = await client.event('notification')
  assert.deepEqual([notification.type, notification.status.id], ['poll', id])
  client.end()
})

test('a streamed quote has the quoted post if the viewer may see it; its revocation is streamed', async () => {
  const cat = await server.person('cat')
  const original = await cat.post('/api/v1/statuses', { status: 'said' })
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  const made = await ada.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: original.id })
  const update = await client.event('update')
  assert.deepEqual([update.id, update.quote.state, update.quote.quoted_status.id], [made.id, 'accepted', original.id])
  await cat.post(`/api/v1/statuses/${original.id}/quotes/${made.id}/revoke`)
  assert.equal((await client.event('status.update')).quote.state, 'revoked')
  await cat.post(`/api/v1/accounts/${bob.id}/block`)
  await ada.post('/api/v1/statuses', { status: 'again', quoted_status_id: original.id })
  assert.deepEqual((await client.event('update')).quote, { state: 'unauthorized', quoted_status: null })
  client.end()
})
