import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../support/acts.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const ben = await server.person('rookben')

type Found = { accounts: string[]; statuses: string[]; hashtags: string[] }
const search = async (query: string, who: Person | null = ada): Promise<Found> => {
  const answer = await server.send('GET', `/api/v2/search?${query}`, { token: who?.token ?? null })
  assert.equal(answer.status, 200, answer.text)
  const { accounts, statuses, hashtags } = answer.json
  return {
    accounts: accounts.map((one: any) => one.id),
    statuses: statuses.map((one: any) => one.id),
    hashtags: hashtags.map((one: any) => one.name),
  }
}
const status = async (query: string, who: Person | null = ada): Promise<number> =>
  (await server.send('GET', `/api/v2/search?${query}`, { token: who?.token ?? null })).status

test('search finds accounts and hashtags, or only the requested type', async () => {
  await ben.post('/api/v1/statuses', { status: 'about #Rooks, #rookery and #ravens' })
  const both = await search('q=rook')
  assert.deepEqual(
    { ...both, hashtags: both.hashtags.toSorted() },
    { accounts: [ben.id], statuses: [], hashtags: ['Rooks', 'rookery'] },
  )
  assert.deepEqual((await search('q=rookerie')).hashtags, ['rookery'])
  assert.deepEqual(await search('q=rook&type=accounts'), { accounts: [ben.id], statuses: [], hashtags: [] })
  assert.equal((await search('q=rook&type=hashtags')).accounts.length, 0)
  assert.deepEqual(await search('q=rook&type=statuses'), { accounts: [], statuses: [], hashtags: [] })
  assert.deepEqual(await search('q=%23rookery'), { accounts: [], statuses: [], hashtags: ['rookery'] })
  assert.deepEqual((await search('q=rookery&exclude_unreviewed=true')).hashtags, ['rookery'])
  assert.deepEqual((await search('q=rook&exclude_unreviewed=true')).hashtags, [])
  assert.equal((await search('q=rook&type=hashtags&limit=1')).hashtags.length, 1)
  const [first] = (await search('q=rook&type=hashtags&limit=1')).hashtags
  const [second] = (await search('q=rook&type=hashtags&limit=1&offset=1')).hashtags
  assert.notEqual(first, second)
  // The offset is ignored without a type.
  assert.deepEqual((await search('q=rook&offset=1')).accounts, [ben.id])
})

test('hashtags that are used equally often are listed by the day of the last use, then by name', async () => {
  const times = { b: '02T09:00', longer: '02T10:00', c: '02T11:00', a: '02T08:00', older: '01T12:00' }
  for (const [end, time] of Object.entries(times)) {
    await ben.post('/api/v1/statuses', { status: `#starling_${end}` })
    const values = [`2026-01-${time}:00Z`, `starling_${end}`]
    await server.database.raw('update tags set last_status_at = $1 where name = $2', values)
  }
  const ordered = ['a', 'b', 'c', 'longer', 'older'].map((end) => `starling_${end}`)
  assert.deepEqual((await search('q=%23starling')).hashtags, ordered)
})

test('hashtags in results have their history of seven days', async () => {
  await ben.post('/api/v1/statuses', { status: '#sevendays once' })
  await ada.post('/api/v1/statuses', { status: '#sevendays twice' })
  await ada.post('/api/v1/statuses', { status: '#sevendays unlisted', visibility: 'unlisted' })
  const [tag] = (await ada.get('/api/v2/search?q=%23SevenDays')).hashtags
  assert.equal(tag.url, `${server.ctx.config.baseUrl}/tags/sevendays`)
  assert.equal(tag.history.length, 7)
  assert.deepEqual([tag.history[0].uses, tag.history[0].accounts, tag.history[1].uses], ['2', '2', '0'])
  assert.equal(Number(tag.history[0].day) % 86_400, 0)
  assert.equal(tag.following, false)
  assert.equal((await server.send('GET', '/api/v2/search?q=%23sevendays')).json.hashtags[0].following, undefined)
})

test('a handle finds accounts only; the own domain is local', async () => {
  const far = await remoteAccount(server, 'rookfar', 'far.test')
  assert.deepEqual(await search('q=@rookfar@far.test'), { accounts: [far], statuses: [], hashtags: [] })
  assert.deepEqual((await search(`q=rookben@${server.domain}&resolve=true`)).accounts, [ben.id])
  assert.deepEqual((await search('q=rook&following=true')).accounts, [])
  await ada.post(`/api/v1/accounts/${ben.id}/follow`)
  assert.deepEqual((await search('q=rook&following=true')).accounts, [ben.id])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [far])
  assert.deepEqual((await search('q=@rookfar@far.test')).accounts, [])
})

test('punctuation separates the words of a search for accounts', async () => {
  const { id } = await server.person('magpie', { displayName: 'Black & white' })
  for (const q of ['black: white?', 'white\\black', 'magpie:', '?magpie'])
    assert.deepEqual((await search(`q=${encodeURIComponent(q)}&type=accounts`)).accounts, [id], q)
})

test('a URL finds its post or account, if the viewer may see it', async () => {
  const post = async (visibility: string): Promise<any> => ben.post('/api/v1/statuses', { status: 'x', visibility })
  const [open, secret] = [await post('public'), await post('direct')]
  const at = (url: string, more = ''): string => `q=${encodeURIComponent(url)}${more}`
  assert.deepEqual(await search(at(open.url, '&resolve=true')), { accounts: [], statuses: [open.id], hashtags: [] })
  assert.deepEqual((await search(at(open.uri))).statuses, [open.id])
  assert.deepEqual((await search(at(open.url, '&type=accounts'))).statuses, [])
  assert.deepEqual((await search(at(secret.url, '&resolve=true'))).statuses, [])
  assert.deepEqual((await search(at(secret.url), ben)).statuses, [secret.id])
  assert.deepEqual((await search(at(open.url, `&account_id=${ada.id}`))).statuses, [])
  assert.deepEqual(await search(at(`${server.ctx.config.baseUrl}/@rookben`)), {
    accounts: [ben.id],
    statuses: [],
    hashtags: [],
  })
  const far = await remoteAccount(server, 'urlfar', 'far.test')
  for (const url of ['https://far.test/users/urlfar', 'https://far.test/@urlfar'])
    assert.deepEqual((await search(at(url))).accounts, [far])
  assert.deepEqual(await search(at('https://unknown.invalid/@x', '&resolve=true')), {
    accounts: [],
    statuses: [],
    hashtags: [],
  })
  assert.deepEqual((await search(at(open.url), null)).statuses, [])
})

test('anonymous search cannot resolve or page; an empty query, negative ranges and a missing scope are refused', async () => {
  assert.deepEqual((await search('q=rookben', null)).accounts, [ben.id])
  assert.equal(await status('q=rook&resolve=true', null), 401)
  assert.equal(await status('q=rook&type=accounts&offset=1', null), 401)
  assert.equal(await status('', null), 400)
  assert.equal(await status('q=', ada), 400)
  for (const range of ['limit=-1', 'offset=-1', 'type=accounts&offset=-100', 'limit=-100&type=statuses'])
    assert.equal(await status(`q=rook&${range}`), 400, range)
  assert.equal(await status('q=https%3A%2F%2Frook.test%2Fx&limit=-1', null), 400)
  assert.equal((await ada.send('GET', '/api/v1/search?q=rook&limit=-1')).status, 400)
  const writer = await server.token({ userId: ada.userId, scopes: ['write', 'read:accounts'] })
  assert.equal((await server.send('GET', '/api/v2/search?q=rook', { token: writer })).status, 403)
})

test('GET /api/v1/search returns hashtags as names and requires a user', async () => {
  await ben.post('/api/v1/statuses', { status: 'about #crows' })
  const found = await ada.get('/api/v1/search?q=crows')
  assert.deepEqual(found, { accounts: [], statuses: [], hashtags: ['crows'] })
  const people = await ada.get('/api/v1/search?q=rookben&type=accounts')
  assert.deepEqual([people.accounts.map(({ id }: any) => id), people.hashtags], [[ben.id], []])
  assert.equal((await server.send('GET', '/api/v1/search?q=crows')).status, 401)
  assert.equal((await ada.send('GET', '/api/v1/search')).status, 400)
})

test('collections are found by name if discoverable and by address, unless a block hides them', async () => {
  const make = async (json: object): Promise<any> => (await ben.post('/api/v1/collections', json)).collection
  const open = await make({ name: 'Corvids of the north 北の烏たち' })
  const hidden = await make({ name: 'Corvids in secret', discoverable: false })
  const found = async (q: string, who: Person | null = ada, more = ''): Promise<string[]> =>
    (
      await server.send('GET', `/api/v2/search?q=${encodeURIComponent(q)}${more}`, { token: who?.token ?? null })
    ).json.collections.map(({ id }: any) => id)
  assert.deepEqual(await found('NORTH corvids'), [open.id])
  assert.deepEqual(await found('corvids', null, '&type=collections'), [open.id])
  assert.deepEqual(await found('corvids', ada, '&type=collections&offset=1'), [])
  assert.deepEqual(await found('corvids', ada, '&type=accounts'), [])
  for (const q of ['co -- no', 'rvids', '北', 'の烏た']) assert.deepEqual(await found(q), [open.id], q)
  for (const q of ['cor%vids', '--', 'or', '東', '烏の北']) assert.deepEqual(await found(q), [], q)
  assert.deepEqual(await found('@corvids'), [])
  const whole = await ada.get('/api/v2/search?q=corvids&type=collections')
  assert.deepEqual([whole.accounts, whole.statuses, whole.hashtags], [[], [], []])
  assert.deepEqual(whole.collections, [open])
  for (const address of [open.url, open.uri]) assert.deepEqual(await found(address), [open.id])
  // An unlisted collection is found by its address.
  assert.deepEqual(await found(hidden.url), [hidden.id])
  await ben.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual([await found('corvids'), await found(open.url)], [[], []])
  await ben.post(`/api/v1/accounts/${ada.id}/unblock`)
  assert.equal('collections' in (await ada.get('/api/v1/search?q=corvids')), false)
})

test('an invalid URL finds nothing', async () => {
  for (const address of ['http://[::1', 'https://', 'http://a b/', 'https://%'])
    assert.deepEqual(
      await search(`resolve=true&q=${encodeURIComponent(address)}`),
      { accounts: [], statuses: [], hashtags: [] },
      address,
    )
})

test('of many accounts that match, followed ones and names that begin with the word come first', async () => {
  await server.database.raw(`
    with made as (
      insert into accounts (id, username, domain, uri, url, inbox_url, display_name)
      select 5000 + n, case when n <= 340 then 'jay' || n else 'bird' || n end, 'many.test', 'https://many.test/' || n,
        'https://many.test/' || n, 'https://many.test/inbox', 'A blue jay'
      from generate_series(1, 700) n returning id)
    insert into account_stats (account_id, followers_count) select id, id from made`)
  const find = async (q: string): Promise<string[]> =>
    (await ada.get(`/api/v1/accounts/search?q=${q}&limit=80`)).map(({ username }: any) => username)
  await server.database.raw('insert into follows (account_id, target_account_id) values ($1, 5690), ($1, 5017)', [
    ada.id,
  ])
  const found = await find('jay')
  assert.deepEqual(found.slice(0, 2), ['jay17', 'bird690'])
  assert.equal(found.length, 80)
  assert.ok(
    found.slice(2).every((name) => name.startsWith('jay')),
    found.join(' '),
  )
  assert.deepEqual((await find('blue')).slice(0, 2), ['bird690', 'jay17'])
  assert.deepEqual((await find('jay%20blue')).slice(0, 2), ['jay17', 'bird690'])
  assert.equal((await find('blue')).length, 80)
  assert.deepEqual(await find('jay%20green'), [])

  // The hourly clean-up finds those with the most followers.
  await cleanUp(server.ctx)
  const jays = (from: number, to: number): string[] => Array.from({ length: from - to + 1 }, (_, i) => `jay${from - i}`)
  assert.deepEqual(await find('jay'), ['jay17', 'bird690', ...jays(340, 263)])
  assert.deepEqual((await find('blue')).slice(0, 5), ['bird690', 'jay17', 'bird700', 'bird699', 'bird698'])
  await server.database.raw(
    `update accounts set display_name = 'A red one', suspended_at = null where username = 'bird700'`,
  )
  await server.database.raw(`update accounts set suspended_at = now() where username = 'bird699'`)
  assert.deepEqual((await find('blue')).slice(2, 4), ['bird698', 'bird697'])
  await server.database.raw(`update account_stats set followers_count = 9000 where account_id = 5350`)
  await cleanUp(server.ctx)
  assert.deepEqual((await find('blue')).slice(2, 5), ['bird350', 'bird698', 'bird697'])
})
