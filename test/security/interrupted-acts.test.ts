// When any write of a request fails, the answer is 503, nothing has changed, and the same request succeeds later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failWrite } from '../support/faults.ts'
import { imageFile, uploadImage } from '../support/images.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person, SendOptions } from '../support/server.ts'
import { stage } from '../support/stage.ts'

// Without a worker, whose statements would be among those of the requests.
const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'], env: { PROCESS_ROLES: 'web,streaming' } })
const owner = await server.person('owner', { role: 'owner' })

await bob.post(`/api/v1/accounts/${ada.id}/follow`)
const zoe = await remoteAccount(server, 'zoe')
await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [zoe, ada.id])
for (const { get } of [ada, bob]) await get('/api/v1/timelines/home')

const post = (more: object = {}): Promise<any> => ada.post('/api/v1/statuses', { status: `@bob #rain`, ...more })
const form = async (fields: Record<string, string>, file: string): Promise<FormData> => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  data.set(file, await imageFile())
  return data
}

type Request = [by: Person, method: string, path: string, options?: SendOptions]
type Prepare = () => Promise<Request>
const onPost =
  (by: Person, verb: string): Prepare =>
  async () => [by, 'POST', `/api/v1/statuses/${(await post()).id}/${verb}`]
const onAda =
  (verb: string, json: object = {}): Prepare =>
  async () => [bob, 'POST', `/api/v1/accounts/${ada.id}/${verb}`, { json }]

const REQUESTS: Record<string, Prepare> = {
  'a post with media': async () => {
    const json = { status: '@bob #rain', media_ids: [await uploadImage(ada)] }
    return [ada, 'POST', '/api/v1/statuses', { json }]
  },
  'a reply with a poll': async () => {
    const json = { status: '@ada', in_reply_to_id: (await post()).id, poll: { options: ['a', 'b'], expires_in: 600 } }
    return [bob, 'POST', '/api/v1/statuses', { json }]
  },
  'a quote': async () => [
    bob,
    'POST',
    '/api/v1/statuses',
    { json: { status: 'q', quoted_status_id: (await post()).id } },
  ],
  'a private mention': async () => [
    bob,
    'POST',
    '/api/v1/statuses',
    { json: { status: '@ada', visibility: 'direct' } },
  ],
  'a scheduled post': async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    return [ada, 'POST', '/api/v1/statuses', { json: { status: 'later', scheduled_at } }]
  },
  'an edit': async () => [ada, 'PUT', `/api/v1/statuses/${(await post()).id}`, { json: { status: '@owner #snow' } }],
  'a vote': async () => {
    const { poll } = await post({ poll: { options: ['a', 'b'], expires_in: 600 } })
    return [bob, 'POST', `/api/v1/polls/${poll.id}/votes`, { json: { choices: [1] } }]
  },
  'a favourite': onPost(bob, 'favourite'),
  'a boost': onPost(bob, 'reblog'),
  'a bookmark': onPost(bob, 'bookmark'),
  'a pin': onPost(ada, 'pin'),
  'a deletion': async () => {
    const { id } = await post({ media_ids: [await uploadImage(ada)] })
    for (const verb of ['reblog', 'favourite']) await bob.post(`/api/v1/statuses/${id}/${verb}`)
    return [ada, 'DELETE', `/api/v1/statuses/${id}?delete_media=true`]
  },
  'a list with members': async () => {
    const { id } = await bob.post('/api/v1/lists', { title: 'l', exclusive: true })
    return [bob, 'POST', `/api/v1/lists/${id}/accounts`, { json: { account_ids: [ada.id] } }]
  },
  'a filter': async () => {
    const json = { title: 'f', context: ['home'], keywords_attributes: [{ keyword: 'a' }, { keyword: 'b' }] }
    return [bob, 'POST', '/api/v2/filters', { json }]
  },
  'a profile': async () => [
    ada,
    'PATCH',
    '/api/v1/accounts/update_credentials',
    { form: await form({ display_name: 'Ada', note: '#rain', indexable: 'true' }, 'avatar') },
  ],
  'a report': async () => {
    const json = { account_id: ada.id, status_ids: [(await post()).id], comment: 'x' }
    return [bob, 'POST', '/api/v1/reports', { json }]
  },
  'a mute': onAda('mute', { duration: 600 }),
  'a block': onAda('block'),
  'an unblock': onAda('unblock'),
  'a follow': onAda('follow', { notify: true }),
  'a sign-up': async () => {
    const token = await server.token({ scopes: ['read', 'write'] })
    const json = {
      username: 'nia',
      email: 'nia@mail.test',
      password: 'correct horse battery',
      agreement: true,
    }
    return [ada, 'POST', '/api/v1/accounts', { token, json }]
  },
  'a domain block': async () => [
    owner,
    'POST',
    '/api/v1/admin/domain_blocks',
    { json: { domain: 'far.test', severity: 'suspend' } },
  ],
  'a suspension': async () => [owner, 'POST', `/api/v1/admin/accounts/${ada.id}/action`, { json: { type: 'suspend' } }],
}

/** The tables that have or had rows: each of the others would cost a plan. */
const USED = `select oid::regclass as name from pg_class where relkind in ('r', 'p') and not relispartition
  and (oid = 'pgboss.job'::regclass or (relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0))
  and relname not in ('changes', 'oauth_tokens', 'user_active_days', 'users')`

/** Differs when a row of any table was added, changed or deleted, other than those in which requests note that they came. */
async function state(): Promise<Record<string, string>> {
  const { rows: used } = await server.database.raw(USED)
  const parts = used.map(
    ({ name }) => `select '${name}' as name, count(*) || ' ' || max(xmin::text::bigint) as rows from ${name}`,
  )
  const { rows } = await server.database.raw(`${parts.join(' union all ')} order by name`)
  return Object.fromEntries(rows.flatMap(({ name, rows: found }) => (found === null ? [] : [[name, found]])))
}
const files = (): Promise<string[]> => Array.fromAsync(server.ctx.files.list(), ({ key }) => key)

for (const [name, prepare] of Object.entries(REQUESTS))
  test(`${name} is done as a whole, or not at all`, async () => {
    const [by, method, path, options] = await prepare()
    const [before, stored] = [await state(), await files()]
    let number = 1
    for (; ; number++) {
      const failing = failWrite(number)
      const { status, text } = await by.send(method, path, options)
      const statement = failing.end()
      if (status === 200) break
      assert.equal(status, 503, `${statement}: ${text}`)
      assert.deepEqual(await state(), before, statement)
      assert.deepEqual(await files(), stored, statement)
    }
    assert.ok(number > 1, 'no write was refused')
    assert.notDeepEqual(await state(), before)
  })
