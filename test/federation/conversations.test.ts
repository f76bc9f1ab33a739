// Direct posts between two servers are one conversation on both.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteAccount } from '../support/acts.ts'
import { handleOf, startNetwork, type Network } from '../support/network.ts'
import { meet } from '../support/federated-people.ts'
import type { Person, TestServer } from '../support/server.ts'

let network: Network<'here' | 'there'>
let here: TestServer
let there: TestServer
let ada: Person
let bob: Person
before(async () => {
  network = await startNetwork(['here', 'there'])
  ;({ here, there } = network)
  ;[ada, bob] = await Promise.all([here.person('ada'), there.person('bob')])
})
after(() => network.stop())

const conversations = (who: Person): Promise<any[]> => who.get('/api/v1/conversations')

test('a direct post and its reply form a conversation until the reply, or its author, is deleted', async () => {
  await meet(here, ada, there, bob)
  const write = async (who: Person, text: string, more: object = {}): Promise<any> => {
    const status = await who.post('/api/v1/statuses', { status: text, visibility: 'direct', ...more })
    await network.drain()
    return status
  }
  const first = await write(ada, `psst @${handleOf(there, bob)}`)
  const [received] = await conversations(bob)
  assert.deepEqual([received.last_status.uri, received.unread], [first.uri, true])
  assert.deepEqual(
    received.accounts.map(({ acct }: { acct: string }) => acct),
    [handleOf(here, ada)],
  )
  const answer = await write(bob, `well, @${handleOf(here, ada)}`, { in_reply_to_id: received.last_status.id })
  const [back, ...others] = await conversations(ada)
  assert.deepEqual([back.last_status.uri, back.unread, others], [answer.uri, true, []])
  assert.equal((await conversations(bob))[0].id, received.id)
  await bob.delete(`/api/v1/statuses/${answer.id}`)
  await network.drain()
  const [left] = await conversations(ada)
  assert.deepEqual([left.id, left.last_status.id], [back.id, first.id])

  // Apps expect an account in each conversation.
  await deleteAccount(there.ctx, bob.id)
  await network.drain()
  const [alone] = await conversations(ada)
  assert.equal(alone.last_status.id, first.id)
  assert.deepEqual(
    alone.accounts.map(({ id }: { id: string }) => id),
    [ada.id],
  )
})
