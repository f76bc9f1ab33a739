// Suggestions of accounts to follow, with their sources.
import { saveSettings } from '../support/acts.ts'
import { insertStatus } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { browser } from '../support/forms.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

let ada: Person
let bob: Person
let cleo: Person
let dan: Person
let round = 0

const { server } = await stage()

beforeEach(async () => {
  round++
  // Accounts of earlier tests are not suggested.
  await server.database.raw('update accounts set discoverable = false')
  ;[ada, bob, cleo, dan] = (await Promise.all(['ada', 'bob', 'cleo', 'dan'].map(named))) as [
    Person,
    Person,
    Person,
    Person,
  ]
  await featureAccounts()
})

async function named(name: string): Promise<Person> {
  const person = await server.person(`${name}${round}`)
  await person.send('PATCH', '/api/v1/profile', { json: { discoverable: true } })
  return person
}
/** Sets the featured accounts; the change of settings also clears cached suggestions. */
const featureAccounts = (picks: string[] = []): Promise<void> => saveSettings(server.ctx, { staff_picks: picks })
const act = (who: Person, id: string, what: string) => who.send('POST', `/api/v1/accounts/${id}/${what}`)
const suggested = async (who: Person, query = ''): Promise<[string, string[], string][]> =>
  (await who.get(`/api/v2/suggestions${query}`)).map((item: any) => [item.account.username, item.sources, item.source])
const names = async (who: Person): Promise<string[]> => (await suggested(who)).map(([name]) => name)

test('friends of friends come first, by number of friends, then the most followed accounts', async () => {
  const [eve, fay] = [await named('eve'), await named('fay')]
  await featureAccounts()
  for (const friend of [bob, cleo]) {
    await act(ada, friend.id, 'follow')
    await act(friend, eve.id, 'follow')
  }
  await act(bob, dan.id, 'follow')
  await act(bob, ada.id, 'follow')
  assert.deepEqual(await suggested(ada), [
    [eve.username, ['friends_of_friends', 'most_followed'], 'past_interactions'],
    [dan.username, ['friends_of_friends', 'most_followed'], 'past_interactions'],
    [fay.username, ['most_followed'], 'global'],
  ])
  await bob.send('PATCH', '/api/v1/profile', { json: { hide_collections: true } })
  const [first, ...rest] = await suggested(ada)
  assert.equal(first?.[0], eve.username)
  assert.ok(
    rest.every(([, sources]) => !sources.includes('friends_of_friends')),
    'follows that Bob hides are not revealed',
  )
})

test('featured accounts of the administrators come first, in their order, even if not discoverable', async () => {
  await remoteAccount(server, `star${round}`, 'far.test')
  await dan.send('PATCH', '/api/v1/profile', { json: { discoverable: false } })
  await featureAccounts([
    `star${round}@far.test`,
    `@${dan.username}@${server.domain}`,
    'nobody',
    'not a handle',
    ada.username,
  ])
  assert.deepEqual((await suggested(ada)).slice(0, 2), [
    [`star${round}`, ['featured'], 'staff'],
    [dan.username, ['featured'], 'staff'],
  ])
})

test('staff see who is suggested to newcomers, suppress suggestions and restore them', async () => {
  const path = '/admin/follow_recommendations'
  const mod = await server.person(`mod${round}`, { role: 'moderator' })
  await server.database.raw('update users set locale = $1 where account_id = $2', ['fr', bob.id])
  const [tab, other] = [browser(server), browser(server)]
  await tab.signIn(mod.username, mod.password)
  await other.signIn(ada.username, ada.password)
  assert.equal((await other.get(path)).status, 403)
  await featureAccounts([cleo.username])
  await act(ada, cleo.id, 'follow')
  await act(cleo, bob.id, 'follow')
  const listed = (text: string): string[] =>
    [...text.matchAll(/aria-label="Select @(\w+)"/g)].map(([, name]) => name ?? '')
  const page = await tab.get(path)
  assert.equal(listed(page.text)[0], cleo.username)
  assert.match(page.text, /Listed in the settings, Popular here/)
  assert.ok(listed(page.text).includes(bob.username))
  assert.deepEqual(listed((await tab.get(`${path}?language=fr`)).text), [bob.username])
  assert.equal((await tab.submit(page, {}, { action: path })).status, 422)

  assert.ok((await names(ada)).includes(bob.username))
  const { csrf_token = '' } = page.forms.at(-1)?.fields ?? {}
  await tab.post(path, { csrf_token, 'ids[]': bob.id })
  assert.ok(!(await names(ada)).includes(bob.username), 'not even as a friend of a friend')
  assert.ok(!listed((await tab.get(path)).text).includes(bob.username))
  const suppressed = `${path}?state=suppressed`
  assert.deepEqual(listed((await tab.get(suppressed)).text), [bob.username])
  await tab.post(suppressed, { csrf_token, 'ids[]': bob.id })
  assert.ok((await names(ada)).includes(bob.username))
  assert.match(
    (await tab.get(`/admin/audit_log?type=account&target_id=${bob.id}`)).text,
    /suggest again[^]*stop suggesting/,
  )
})

test('authors who use hashtags of the viewer, or of accounts the viewer follows, are suggested', async () => {
  const writer = await remoteAccount(server, `writer${round}`, 'far.test', { discoverable: true })
  await server.ctx.transaction(async (tx) => {
    const uri = `https://far.test/${round}`
    await insertStatus(tx, {
      accountId: writer,
      local: false,
      visibility: 'public',
      content: '<p>x</p>',
      uri,
      tags: [`cats${round}`],
    })
  })
  assert.equal((await names(ada)).includes(`writer${round}`), false)
  await ada.post(`/api/v1/tags/cats${round}/follow`)
  assert.deepEqual((await suggested(ada))[0], [`writer${round}`, ['similar_to_recently_followed'], 'past_interactions'])
  assert.equal((await names(cleo)).includes(`writer${round}`), false)
  await post(bob, `me too #cats${round}`)
  await act(cleo, bob.id, 'follow')
  assert.deepEqual((await suggested(cleo))[0], [
    `writer${round}`,
    ['similar_to_recently_followed'],
    'past_interactions',
  ])
})

test('followed, requested, blocked, muted, blocking, silenced, suspended, moved, memorial, undiscoverable and unconfirmed accounts are not suggested, nor those of a blocked domain', async () => {
  const others = await Promise.all(Array.from({ length: 12 }, (_, i) => named(`p${i}x`)))
  const [followed, asked, blocked, blocking, muted, limited, gone, moved, remembered, hidden, unconfirmed, usual] =
    others as [Person, ...Person[]] as any
  const far = { username: `far${round}`, domain: `blocked${round}.test` }
  await remoteAccount(server, far.username, far.domain)
  const handle = `${far.username}@${far.domain}`
  await featureAccounts([...others.map(({ username }) => username), handle])
  const before = await names(ada)
  for (const { username } of [...others, far]) assert.ok(before.includes(username), username)
  await asked.send('PATCH', '/api/v1/profile', { json: { locked: true } })
  await act(ada, followed.id, 'follow')
  await act(ada, asked.id, 'follow')
  await act(ada, blocked.id, 'block')
  await act(blocking, ada.id, 'block')
  await act(ada, muted.id, 'mute')
  await ada.post('/api/v1/domain_blocks', { domain: far.domain })
  const change = (who: Person, what: string): Promise<unknown> =>
    server.database.raw(`update accounts set ${what} where id = $1`, [who.id])
  await change(limited, 'silenced_at = now()')
  await change(gone, 'suspended_at = now()')
  await change(moved, `moved_to_id = ${ada.id}`)
  await change(remembered, 'memorial = true')
  await server.database.raw('update users set confirmed_at = null where account_id = $1', [unconfirmed.id])
  await featureAccounts([handle])
  await change(hidden, 'discoverable = false')
  assert.deepEqual((await names(ada)).toSorted(), [bob, cleo, dan, usual].map(({ username }) => username).toSorted())
})

test('a dismissed account is not suggested again; dismissing an unknown account succeeds', async () => {
  assert.ok((await names(ada)).includes(bob.username))
  assert.deepEqual(await ada.delete(`/api/v1/suggestions/${bob.id}`), {})
  assert.deepEqual(await ada.delete(`/api/v1/suggestions/${bob.id}`), {})
  assert.equal((await names(ada)).includes(bob.username), false)
  assert.ok((await names(cleo)).includes(bob.username))
  for (const id of ['1', 'nonsense', '99999999999999999999999'])
    assert.deepEqual((await ada.send('DELETE', `/api/v1/suggestions/${id}`)).json, {}, id)
})

test('GET /api/v1/suggestions returns accounts with a Deprecation header; both versions have limit and offset', async () => {
  const everybody = await names(ada)
  assert.equal(everybody.length, 3)
  const old = await ada.send('GET', '/api/v1/suggestions')
  assert.deepEqual(
    [old.json.map(({ username }: any) => username), old.headers.get('deprecation')],
    [everybody, '@1621123200'],
  )
  assert.deepEqual(
    (await suggested(ada, '?limit=1&offset=1')).map(([name]) => name),
    everybody.slice(1, 2),
  )
  assert.deepEqual(
    (await ada.get('/api/v1/suggestions?limit=2&offset=2')).map(({ username }: any) => username),
    everybody.slice(2),
  )
  assert.deepEqual(await ada.get('/api/v2/suggestions?offset=1000'), [])
  assert.equal((await ada.get('/api/v2/suggestions?limit=nonsense&offset=-4')).length, 3)
})
