// Reading and acting on posts, by visibility and role of the viewer; blocks and suspensions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'

const { server, author } = await stage({ accounts: ['author'] })
const [other, follower, mentioned] = [
  await server.person('other'),
  await server.person('follower'),
  await server.person('mentioned'),
]
await follower.post(`/api/v1/accounts/${author.id}/follow`)
const people = { anon: null, other, follower, mentioned, author }

const READERS = {
  public: ['anon', 'other', 'follower', 'mentioned', 'author'],
  unlisted: ['anon', 'other', 'follower', 'mentioned', 'author'],
  private: ['follower', 'mentioned', 'author'],
  direct: ['mentioned', 'author'],
} as const
type Visibility = keyof typeof READERS
type Role = keyof typeof people
const VISIBILITIES = Object.keys(READERS) as Visibility[]

const post = (visibility: string, text = 'hear me @mentioned'): Promise<any> =>
  author.post('/api/v1/statuses', { status: text, visibility })
const as = async (role: Role, method: string, path: string, json?: object): Promise<number> =>
  (await server.send(method, path, { token: people[role]?.token ?? null, ...(json ? { json } : {}) })).status

/** The actions on a status: whether they need a token, and what they answer to accounts that may read it (default 200). */
const ACTIONS: {
  name: string
  method: string
  path: (id: string) => string
  anonymous: boolean
  allowed?: (visibility: Visibility, role: Role) => number
}[] = [
  { name: 'get', method: 'GET', path: (id) => `/api/v1/statuses/${id}`, anonymous: true },
  { name: 'context', method: 'GET', path: (id) => `/api/v1/statuses/${id}/context`, anonymous: true },
  { name: 'history', method: 'GET', path: (id) => `/api/v1/statuses/${id}/history`, anonymous: true },
  { name: 'favourited_by', method: 'GET', path: (id) => `/api/v1/statuses/${id}/favourited_by`, anonymous: true },
  { name: 'reblogged_by', method: 'GET', path: (id) => `/api/v1/statuses/${id}/reblogged_by`, anonymous: true },
  { name: 'source', method: 'GET', path: (id) => `/api/v1/statuses/${id}/source`, anonymous: false },
  { name: 'favourite', method: 'POST', path: (id) => `/api/v1/statuses/${id}/favourite`, anonymous: false },
  { name: 'bookmark', method: 'POST', path: (id) => `/api/v1/statuses/${id}/bookmark`, anonymous: false },
  { name: 'mute', method: 'POST', path: (id) => `/api/v1/statuses/${id}/mute`, anonymous: false },
  { name: 'unmute', method: 'POST', path: (id) => `/api/v1/statuses/${id}/unmute`, anonymous: false },
  {
    name: 'reblog',
    method: 'POST',
    path: (id) => `/api/v1/statuses/${id}/reblog`,
    anonymous: false,
    allowed: (visibility, role) =>
      visibility === 'direct' || (visibility === 'private' && role !== 'author') ? 403 : 200,
  },
  {
    name: 'pin',
    method: 'POST',
    path: (id) => `/api/v1/statuses/${id}/pin`,
    anonymous: false,
    allowed: (visibility, role) => (role === 'author' && visibility !== 'direct' ? 200 : 422),
  },
]

for (const { name, method, path, anonymous, allowed } of ACTIONS)
  test(`${name}: allowed for the accounts that may read the post`, async () => {
    for (const visibility of VISIBILITIES) {
      const { id } = await post(visibility)
      for (const role of Object.keys(people) as Role[]) {
        const reads = (READERS[visibility] as readonly string[]).includes(role)
        const expected = role === 'anon' && !anonymous ? 401 : reads ? (allowed?.(visibility, role) ?? 200) : 404
        assert.equal(await as(role, method, path(id)), expected, `${name} of a ${visibility} post by ${role}`)
      }
    }
  })

test('hidden posts cannot be replied to and are left out of lists and contexts', async () => {
  const root = await post('public')
  for (const visibility of VISIBILITIES) {
    const status = await author.post('/api/v1/statuses', { status: '@mentioned', visibility, in_reply_to_id: root.id })
    for (const role of Object.keys(people) as Role[]) {
      const reads = (READERS[visibility] as readonly string[]).includes(role)
      const token = people[role]?.token ?? null
      const many = await server.send('GET', `/api/v1/statuses?id[]=${status.id}`, { token })
      assert.equal(many.json.length, reads ? 1 : 0, `${visibility} among many by ${role}`)
      const thread = await server.send('GET', `/api/v1/statuses/${root.id}/context`, { token })
      assert.equal(
        thread.json.descendants.some(({ id }: { id: string }) => id === status.id),
        reads,
        `${visibility} in a thread by ${role}`,
      )
      if (role === 'anon') continue
      assert.equal(
        await as(role, 'POST', '/api/v1/statuses', { status: 'x', in_reply_to_id: status.id, visibility: 'direct' }),
        reads ? 200 : 404,
        `answering ${visibility} by ${role}`,
      )
    }
  }
})

test('a block hides the posts of the author from the blocked account, not from accounts that block the author', async () => {
  const [blocked, blocker] = [await server.person('blocked'), await server.person('blocker')]
  const status = await post('public', 'hello @blocked')
  await author.post(`/api/v1/accounts/${blocked.id}/block`)
  await blocker.post(`/api/v1/accounts/${author.id}/block`)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/context'],
    ['POST', '/favourite'],
    ['POST', '/reblog'],
    ['POST', '/bookmark'],
  ] as const)
    assert.equal((await blocked.send(method, `/api/v1/statuses/${status.id}${path}`)).status, 404)
  assert.equal((await blocker.send('GET', `/api/v1/statuses/${status.id}`)).status, 200)
  assert.equal((await server.send('GET', `/api/v1/statuses/${status.id}`)).status, 200)
})

test('an account that the author blocks, alone or by its domain, cannot be mentioned', async () => {
  const foe = await server.person('foe')
  await remoteAuthor(server, 'far', 'far.test')
  await author.post(`/api/v1/accounts/${foe.id}/block`)
  await author.post('/api/v1/domain_blocks', { domain: 'far.test' })
  const handles = (status: any): string[] => status.mentions.map(({ acct }: any) => acct)
  const status = await post('direct', '@foe @far@far.test @other hello')
  assert.deepEqual(handles(status), ['other'])
  assert.match(status.content, /^<p>@foe @far@far\.test <span class="h-card"/)
  await author.post(`/api/v1/accounts/${foe.id}/unblock`)
  assert.equal(await as('other', 'GET', `/api/v1/statuses/${status.id}`), 200)
  assert.equal((await foe.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)
  assert.deepEqual(await foe.get('/api/v1/notifications'), [])
  await author.post(`/api/v1/accounts/${foe.id}/block`)
  const edited = await author.put(`/api/v1/statuses/${status.id}`, { status: '@foe @other goodbye' })
  assert.deepEqual(handles(edited), ['other'])
  await author.delete('/api/v1/domain_blocks?domain=far.test')
  assert.deepEqual(handles(await post('public', 'hello @far@far.test')), ['far@far.test'])
})

test('a boost is hidden if the viewer may not see the original post', async () => {
  const status = await post('public')
  const boost = await people.other?.post(`/api/v1/statuses/${status.id}/reblog`)
  const victim = await server.person('victim')
  assert.equal((await victim.send('GET', `/api/v1/statuses/${boost.id}`)).status, 200)
  await author.post(`/api/v1/accounts/${victim.id}/block`)
  assert.equal((await victim.send('GET', `/api/v1/statuses/${boost.id}`)).status, 404)
})

test('posts of suspended accounts are hidden from all viewers', async () => {
  const gone = await server.person('gone')
  const status = await gone.post('/api/v1/statuses', { status: 'soon gone' })
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${gone.id}`)
  assert.equal(await as('anon', 'GET', `/api/v1/statuses/${status.id}`), 404)
  assert.equal(await as('other', 'GET', `/api/v1/statuses/${status.id}`), 404)
  assert.equal(await as('other', 'POST', `/api/v1/statuses/${status.id}/favourite`), 404)
})

test('malformed ids answer 404', async () => {
  for (const id of ['0', 'abc', '1e5', '99999999999999999999999'])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/context'],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/favourite'],
      ['POST', '/unreblog'],
      ['POST', '/pin'],
      ['GET', '/favourited_by'],
    ] as const)
      assert.equal(await as('other', method, `/api/v1/statuses/${id}${path}`), 404, `${method} ${id}${path}`)
})
