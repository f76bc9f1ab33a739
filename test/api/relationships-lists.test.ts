import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act } from '../support/relationships.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { statementsOf } from '../support/statements.ts'

let names = 0
const { server } = await stage()

const someone = (): Promise<Person> => server.person(`user${++names}`)

test('relationships accept one id or several, leave out unknown and suspended accounts, and take a constant number of statements', async () => {
  const [ada, ben, cleo] = [await someone(), await someone(), await someone()]
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [cleo.id])
  const ids = async (query: string): Promise<string[]> =>
    (await ada.get(`/api/v1/accounts/relationships?${query}`)).map((row: any) => row.id)
  assert.deepEqual(await ids(`id=${ben.id}`), [ben.id])
  assert.deepEqual(await ids(`id[]=${ben.id}&id[]=1&id[]=junk&id[]=${ada.id}&id[]=${ben.id}&id[]=${cleo.id}`), [
    ben.id,
    ada.id,
  ])
  assert.deepEqual(await ids(`id[]=${cleo.id}&with_suspended=true`), [cleo.id])
  assert.deepEqual(await ids(''), [])
  const statements = (query: string): Promise<number> => statementsOf(server, () => ids(query))
  assert.equal(await statements(`id[]=${ben.id}&id[]=${ada.id}`), await statements(`id[]=${ben.id}`))
  assert.equal((await server.send('GET', `/api/v1/accounts/relationships?id=${ben.id}`)).status, 401)
})

test('relationships of up to 500 accounts are answered at once; of more, the answer says how many', async () => {
  const ada = await someone()
  const query = (count: number): string => Array.from({ length: count }, (_, i) => `id[]=${10 ** 17 + i}`).join('&')
  assert.deepEqual(await ada.get(`/api/v1/accounts/relationships?${query(500)}`), [])
  const refused = await ada.send('GET', `/api/v1/accounts/relationships?${query(501)}`)
  assert.equal(refused.status, 422)
  assert.match(refused.json.error, /500/)
})

test('followers and following are paginated with Link; hidden networks, mutes and blocks apply', async () => {
  const [ada, ...fans] = (await Promise.all(Array.from({ length: 5 }, someone))) as [Person, ...Person[]]
  for (const fan of fans) await act(fan, ada.id, 'follow')
  const path = `/api/v1/accounts/${ada.id}/followers`
  const ids = fans.map((fan) => fan.id).toReversed()
  const listed = async (who: Person | null): Promise<string[]> =>
    (await server.send('GET', path, { token: who?.token ?? null })).json.map((account: any) => account.id)
  assert.deepEqual(await listed(null), ids)
  const first = await server.send('GET', `${path}?limit=3`)
  assert.deepEqual(
    first.json.map((account: any) => account.id),
    ids.slice(0, 3),
  )
  const links = Object.fromEntries(
    [...(first.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [
      rel,
      new URL(url as string),
    ]),
  )
  assert.equal(links.next?.searchParams.get('limit'), '3')
  const second = await server.send('GET', links.next!.pathname + links.next!.search)
  assert.deepEqual(
    second.json.map((account: any) => account.id),
    ids.slice(3),
  )
  assert.doesNotMatch(second.headers.get('link') ?? '', /rel="next"/)
  const newer = /<([^>]+)>; rel="prev"/.exec(second.headers.get('link') ?? '')?.[1] as string
  assert.match(newer, /min_id=/)
  assert.deepEqual(
    (await server.send('GET', new URL(newer).pathname + new URL(newer).search)).json.map((account: any) => account.id),
    ids.slice(0, 3),
  )
  assert.deepEqual(
    (await server.send('GET', `/api/v1/accounts/${fans[0]!.id}/following`)).json.map((account: any) => account.id),
    [ada.id],
  )

  await act(fans[0]!, fans[1]!.id, 'mute')
  assert.ok(!(await listed(fans[0]!)).includes(fans[1]!.id))
  assert.ok((await listed(ada)).includes(fans[1]!.id))
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [fans[3]!.id])
  assert.ok(!(await listed(ada)).includes(fans[3]!.id))

  await ada.send('PUT', '/api/v1/accounts/update_credentials', { json: { hide_collections: true } })
  assert.deepEqual(await listed(fans[0]!), [])
  assert.deepEqual(await listed(null), [])
  assert.equal((await listed(ada)).length, 3)
  assert.equal((await server.send('GET', `/api/v1/accounts/${ada.id}`)).json.followers_count, 4)
  await ada.send('PUT', '/api/v1/accounts/update_credentials', { json: { hide_collections: false } })
  await act(ada, fans[2]!.id, 'block')
  assert.deepEqual(await listed(fans[2]!), [])
  assert.equal((await server.send('GET', '/api/v1/accounts/1/followers')).status, 404)
})

test('blocks and mutes are paginated with Link', async () => {
  const [ada, ...others] = (await Promise.all(Array.from({ length: 4 }, someone))) as [Person, ...Person[]]
  for (const other of others) {
    await act(ada, other.id, 'block')
    await act(ada, other.id, 'mute')
  }
  for (const [list, prev] of [
    ['blocks', 'min_id'],
    ['mutes', 'since_id'],
  ] as const) {
    const first = await ada.send('GET', `/api/v1/${list}?limit=2`)
    assert.deepEqual(
      first.json.map((account: any) => account.id),
      [others[2]!.id, others[1]!.id],
    )
    const link = first.headers.get('link') ?? ''
    assert.match(link, new RegExp(`${prev}=\\d+>; rel="prev"`))
    const next = new URL(/<([^>]+)>; rel="next"/.exec(link)?.[1] as string)
    assert.deepEqual(
      (await ada.send('GET', next.pathname + next.search)).json.map((account: any) => account.id),
      [others[0]!.id],
    )
  }
  assert.equal((await server.send('GET', '/api/v1/mutes')).status, 401)
})

test('familiar followers are the accounts that the viewer follows among the followers of an account', async () => {
  const [ada, ben, cleo, dan] = [await someone(), await someone(), await someone(), await someone()]
  await act(ada, ben.id, 'follow')
  await act(ada, cleo.id, 'follow')
  await act(ben, dan.id, 'follow')
  await act(cleo, dan.id, 'follow')
  const get = async () => ada.get(`/api/v1/accounts/familiar_followers?id[]=${dan.id}&id[]=${ben.id}&id[]=1`)
  assert.deepEqual(
    (await get()).map((entry: any) => [entry.id, entry.accounts.map((account: any) => account.id)]),
    [
      [dan.id, [cleo.id, ben.id]],
      [ben.id, []],
    ],
  )
  await cleo.send('PATCH', '/api/v1/accounts/update_credentials', { json: { hide_collections: true } })
  assert.deepEqual(
    (await get())[0].accounts.map((account: any) => account.id),
    [ben.id],
  )
  await act(dan, ada.id, 'block')
  assert.deepEqual((await get())[0].accounts, [], 'as in its lists of followers and followed accounts')
  await act(dan, ada.id, 'unblock')
  await dan.send('PATCH', '/api/v1/accounts/update_credentials', { json: { hide_collections: true } })
  assert.deepEqual((await get())[0].accounts, [])
  assert.equal((await server.send('GET', `/api/v1/accounts/familiar_followers?id=${dan.id}`)).status, 401)
})

test('familiar followers are limited, in accounts and in followers of each', async () => {
  const [ada, dan] = [await someone(), await someone()]
  const crowd: string[] = []
  for (let i = 0; i < 101; i++) crowd.push(await remoteAccount(server, `familiar${i}`))
  await server.database.raw(
    `insert into follows (account_id, target_account_id)
     select $1::bigint, id from unnest($3::bigint[]) id union all select id, $2::bigint from unnest($3::bigint[]) id`,
    [ada.id, dan.id, crowd],
  )
  const path = '/api/v1/accounts/familiar_followers'
  const [{ accounts }] = await ada.get(`${path}?id[]=${dan.id}`)
  assert.equal(accounts.length, 100)
  const query = (count: number): string =>
    crowd
      .slice(0, count)
      .map((id) => `id[]=${id}`)
      .join('&')
  assert.equal((await ada.send('GET', `${path}?${query(80)}`)).json.length, 80)
  const refused = await ada.send('GET', `${path}?${query(81)}`)
  assert.deepEqual([refused.status, typeof refused.json.error], [422, 'string'])
})
