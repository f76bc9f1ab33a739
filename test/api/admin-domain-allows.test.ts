// The list of allowed servers in limited federation mode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'

const { server } = await stage({ fresh: true, env: { LIMITED_FEDERATION_MODE: 'true' } })

test('a server that leaves the list is cut off, and returns with its accounts', async () => {
  const admin = await server.person('admin', { role: ['manage_federation'] })
  const ada = await server.person('ada')
  const eve = await remoteAuthor(server, 'eve', 'friend.test')
  const status = await eve.post('hello')
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [ada.id, eve.id])
  const allow = (): Promise<any> => admin.post('/api/v1/admin/domain_allows', { domain: 'friend.test' })
  const seen = async (): Promise<number> => {
    await server.drain()
    return (await ada.send('GET', `/api/v1/statuses/${status}`)).status
  }
  const { id } = await allow()
  assert.equal(await seen(), 200)
  await admin.send('DELETE', `/api/v1/admin/domain_allows/${id}`)
  assert.equal(await seen(), 404)
  const [{ event }] = await ada.get('/api/v1/notifications?types[]=severed_relationships')
  assert.deepEqual([event.type, event.target_name, event.following_count], ['domain_block', 'friend.test', 1])
  await allow()
  assert.equal(await seen(), 200)
})
