// What streams tell of polls and quotes
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPoll } from '../support/jobs.ts'

import { stage } from '../support/stage.ts'
import { listen } from './listen.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
await bob.post(`/api/v1/accounts/${ada.id}/follow`)
await bob.get('/api/v1/timelines/home')

test('each reader hears of a poll with their own votes, and of its end', async () => {
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  const { id, poll } = await ada.post('/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 600 },
  })
  const heard = await client.event('update')
  assert.deepEqual([heard.id, heard.poll.voted, heard.poll.own_votes], [id, false, []])
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  await endPoll(server, poll.id)
  const ended = await client.event('status.update')
  assert.deepEqual([ended.id, ended.poll.expired, ended.poll.own_votes, ended.edited_at], [id, true, [1], null])
  const told = await client.event('notification')
  assert.deepEqual([told.type, told.status.id], ['poll', id])
  client.end()
})

test('a quote comes with what it quotes, as each reader may see it; its revocation is heard', async () => {
  const cat = await server.person('cat')
  const original = await cat.post('/api/v1/statuses', { status: 'said' })
  const client = await listen(server, { token: bob.token, streams: ['user'] })
  const made = await ada.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: original.id })
  const heard = await client.event('update')
  assert.deepEqual([heard.id, heard.quote.state, heard.quote.quoted_status.id], [made.id, 'accepted', original.id])
  await cat.post(`/api/v1/statuses/${original.id}/quotes/${made.id}/revoke`)
  assert.equal((await client.event('status.update')).quote.state, 'revoked')
  await cat.post(`/api/v1/accounts/${bob.id}/block`)
  await ada.post('/api/v1/statuses', { status: 'again', quoted_status_id: original.id })
  assert.deepEqual((await client.event('update')).quote, { state: 'unauthorized', quoted_status: null })
  client.end()
})
