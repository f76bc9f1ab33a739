// The list of allowed servers in limited federation mode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'

const { server } = await stage({ env: { LIMITED_FEDERATION_MODE: 'true' } })

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

test('on its page the list is exported, and a removal shows what it ends', async () => {
  const boss = await server.person('boss', { role: 'admin' })
  const bob = await server.person('bob')
  const tab = await signedIn(server, boss)
  const path = '/admin/domain_allows'
  for (const domain of ['pal.test', 'sub.pal.test']) await tab.submit(await tab.get(path), { domain }, { action: path })
  await server.drain()
  const [pat, sue] = [await remoteAuthor(server, 'pat', 'pal.test'), await remoteAuthor(server, 'sue', 'sub.pal.test')]
  await server.database.raw(
    `insert into peers (domain) values ('pal.test'), ('sub.pal.test'), ('more.pal.test') on conflict do nothing`,
  )
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2), ($1, $3)', [
    bob.id,
    pat.id,
    sue.id,
  ])
  const following = async (): Promise<boolean[]> => {
    await server.drain()
    const both = await bob.get(`/api/v1/accounts/relationships?id[]=${pat.id}&id[]=${sue.id}&with_suspended=true`)
    return both.map((each: any) => each.following)
  }
  const file = await tab.get(`${path}/export.csv`)
  assert.equal(file.text, '#domain\nfriend.test\npal.test\nsub.pal.test\n')
  const listed = (await tab.get('/admin/instances?rule=allowed')).text
  for (const domain of ['pal.test', 'more.pal.test']) assert.ok(listed.includes(`/admin/instances/${domain}"`), domain)
  assert.doesNotMatch((await tab.get('/admin/instances/more.pal.test')).text, /action="\/admin\/domain_allows"/)

  const idOf = async (name: string): Promise<string> =>
    (await boss.get('/api/v1/admin/domain_allows')).find(({ domain }: any) => domain === name).id
  const remove = async (name: string, shown: RegExp): Promise<void> => {
    const action = `${path}/${await idOf(name)}/delete`
    const question = await tab.submit(await tab.get(path), {}, { action })
    assert.match(question.text, shown)
    assert.match((await tab.submit(question, {}, { action })).text, /no longer allowed/)
  }
  const ends = /This server will no longer exchange posts[^]*Follows of your users that end<\/dt><dd>1</
  await remove('sub.pal.test', /Nothing ends: another entry of the list still allows sub\.pal\.test/)
  assert.deepEqual(await following(), [true, true], 'its parent is allowed')
  await tab.submit(await tab.get(path), { domain: 'sub.pal.test' }, { action: path })
  await remove('pal.test', ends)
  assert.deepEqual(await following(), [false, true], 'the subdomain is allowed')
  const instance = '/admin/instances/pal.test'
  const cut = await tab.get(instance)
  assert.doesNotMatch(cut.text, /\/restore"/)
  await tab.submit(cut, {}, { action: path })
  await server.drain()
  await tab.submit(await tab.get(instance), {}, { action: `${instance}/restore` })
  assert.deepEqual(await following(), [true, true])
  await remove('pal.test', ends)
  await remove('sub.pal.test', ends)
  assert.deepEqual(await following(), [false, false])
})

test('without a user, the API says that it needs one', async () => {
  const token = await server.token({ userId: null, scopes: ['read'] })
  for (const given of [null, token]) {
    const { status, json } = await server.send('GET', '/api/v1/timelines/public', { token: given })
    assert.equal(status, 401)
    assert.match(json.error, /requires/)
  }
})
