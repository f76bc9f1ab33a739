// The profile directory.
import { saveSettings } from '../support/acts.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'
import { post } from '../support/timelines.ts'

const { server, ...people } = await stage({ accounts: ['ada', 'bob', 'cleo', 'dan', 'shy'] })
const far = await remoteAccount(server, 'far', 'far.test', { discoverable: true })
for (const name of ['ada', 'bob', 'cleo', 'dan'] as const)
  await people[name].send('PATCH', '/api/v1/profile', { json: { discoverable: true } })

const seen = async (query = '', who: Person | null = null): Promise<string[]> =>
  (await server.send('GET', `/api/v1/directory${query}`, who ? { token: who.token } : {})).json.map(
    ({ username }: any) => username,
  )

const cost = (query: string): Promise<number> => statementsOf(server, () => seen(query))

test('the directory lists discoverable accounts, newest or most recently active first', async () => {
  assert.deepEqual(await seen('?order=new'), ['far', 'dan', 'cleo', 'bob', 'ada'])
  await post(people.bob, 'here I am')
  assert.deepEqual((await seen())[0], 'bob')
  assert.deepEqual(await seen(), await seen('?order=active'))
  assert.deepEqual(await seen('?order=new&local=true'), ['dan', 'cleo', 'bob', 'ada'])
  assert.deepEqual((await seen('?local=1')).toSorted(), ['ada', 'bob', 'cleo', 'dan'])
})

test('the directory is paginated by limit and offset', async () => {
  assert.deepEqual(await seen('?order=new&limit=2&offset=1'), ['dan', 'cleo'])
  assert.deepEqual(await seen('?order=new&offset=4'), ['ada'])
  assert.deepEqual(await seen('?offset=100'), [])
  assert.equal((await seen('?limit=-2&offset=-7')).length, 2)
  assert.equal((await seen('?limit=9999999999999&offset=nonsense')).length, 5)
  const [far, beyond] = [await cost('?offset=9999'), await cost('?offset=10000')]
  assert.ok(beyond < far, 'no statement reads very many accounts')
})

test('an invalid order is refused', async () => {
  assert.equal((await server.send('GET', '/api/v1/directory?order=best')).status, 422)
})

test('the directory omits limited, suspended, moved and unapproved accounts, and those hidden from the viewer', async () => {
  const { ada, bob, cleo, dan } = people
  await ada.post(`/api/v1/accounts/${bob.id}/block`)
  await cleo.post(`/api/v1/accounts/${ada.id}/block`)
  await ada.post(`/api/v1/accounts/${dan.id}/mute`, { duration: 3600 })
  await ada.post('/api/v1/domain_blocks', { domain: 'far.test' })
  assert.deepEqual(await seen('?order=new', ada), ['ada'])
  assert.deepEqual(await seen('?order=new'), ['far', 'dan', 'cleo', 'bob', 'ada'])
  const change = (id: string, what: string): Promise<unknown> =>
    server.database.raw(`update accounts set ${what} where id = $1`, [id])
  await change(bob.id, 'silenced_at = now()')
  await change(cleo.id, 'suspended_at = now()')
  await change(dan.id, `moved_to_id = ${far}`)
  await server.database.raw('update users set approved = false where account_id = $1', [ada.id])
  assert.deepEqual(await seen('?order=new'), ['far'])
  assert.deepEqual(await seen('?order=active'), ['far'])
})

test('the directory returns 404 when the setting disables it', async () => {
  await saveSettings(server.ctx, { profile_directory: false })
  assert.equal((await server.send('GET', '/api/v1/directory')).status, 404)
})
