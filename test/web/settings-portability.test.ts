import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { block, blockDomain } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { pngOf } from '../support/images.ts'
import { startNetwork, type Network } from '../support/network.ts'
import { meet } from '../support/federated-people.ts'
import { beforeCommit } from '../support/races.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type Person, type TestServer } from '../support/server.ts'
import { relationshipWith } from '../support/relationships.ts'

let network: Network<'alpha' | 'beta'>
let server: TestServer
let ada: Person
let bob: Person
let far: Person
before(async () => {
  network = await startNetwork(['alpha', 'beta'])
  server = network.alpha
  ada = await server.person('ada')
  bob = await server.person('bob')
  far = await network.beta.person('far')
})
after(() => network?.stop())

const csv = (text: string | Uint8Array<ArrayBuffer>, name = 'list.csv'): File =>
  new File([text], name, { type: 'text/csv' })

async function upload(tab: Browser, type: string, file: File, mode = 'merge'): Promise<Page> {
  return tab.submit(await tab.get('/settings/import'), { type, file, mode }, { action: '/settings/import' })
}

/** Uploads and confirms an import, and waits until it has finished. */
async function importing(tab: Browser, type: string, text: string, mode = 'merge'): Promise<Page> {
  const asked = await upload(tab, type, csv(text), mode)
  assert.equal(asked.status, 200, asked.text)
  await tab.submit(asked, {}, { action: `${asked.location}/confirm` })
  await network.drain()
  return tab.get(asked.location)
}

const handle = (person: Person, home: TestServer): string => `${person.username}@${home.domain}`
test("exports have Mastodon's columns", async () => {
  const cyd = await server.person('cyd')
  const mute = await remoteAccount(server, 'loud')
  await cyd.post(`/api/v1/accounts/${ada.id}/follow`, { reblogs: false, notify: true, languages: ['de', 'en'] })
  await cyd.post(`/api/v1/accounts/${bob.id}/block`)
  await cyd.post(`/api/v1/accounts/${mute}/mute`, { notifications: false })
  await cyd.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  const list = await cyd.post('/api/v1/lists', { title: '=HYPERLINK("https://evil.test","x")' })
  await cyd.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id] })
  const post = await ada.post('/api/v1/statuses', { status: 'Keep this' })
  await cyd.post(`/api/v1/statuses/${post.id}/bookmark`)
  const tab = await signedIn(server, cyd)
  const file = async (name: string): Promise<string> => (await tab.get(`/settings/export/${name}.csv`)).text
  assert.equal(
    await file('following_accounts'),
    `Account address,Show boosts,Notify on new posts,Languages\n${handle(ada, server)},false,true,"de, en"\n`,
  )
  assert.equal(await file('blocked_accounts'), `${handle(bob, server)}\n`)
  assert.equal(await file('muted_accounts'), 'Account address,Hide notifications\nloud@far.test,false\n')
  assert.equal(await file('blocked_domains'), 'bad.test\n')
  assert.equal(await file('bookmarks'), `${post.uri}\n`)
  assert.equal(
    await file('lists'),
    `"'=HYPERLINK(""https://evil.test"",""x"")",${handle(ada, server)}\n`,
    'a spreadsheet does not run the formula',
  )
  for (const [name, target] of Object.entries({
    follows: 'following_accounts',
    blocks: 'blocked_accounts',
    mutes: 'muted_accounts',
    domain_blocks: 'blocked_domains',
    bookmarks: 'bookmarks',
    lists: 'lists',
  }))
    assert.equal((await tab.get(`/settings/exports/${name}.csv`)).text, await file(target), name)
  const answer = await tab.get('/settings/export/lists.csv')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="lists.csv"')
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  assert.equal((await tab.get('/settings/export/secrets.csv')).status, 404)
  assert.equal((await tab.get('/settings/export/constructor.csv')).status, 404)
  assert.match((await browser(server).get('/settings/export/lists.csv')).location, /^\/auth\/sign_in/)
  assert.match((await tab.get('/settings/export')).text, /Follows<\/strong>[\s\S]*1 entry/)
})

test('an export can be imported into another account', async () => {
  const [dan, eve] = [await server.person('dan'), await server.person('eve')]
  await dan.post(`/api/v1/accounts/${ada.id}/follow`, { reblogs: false, notify: true })
  const farId = await meet(server, dan, network.beta, far)
  await dan.post(`/api/v1/accounts/${farId}/follow`, { languages: ['fr'] })
  await network.drain()
  const list = await dan.post('/api/v1/lists', { title: '-friends, "close"' })
  await dan.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ada.id, farId] })
  const [from, to] = [await signedIn(server, dan), await signedIn(server, eve)]
  const file = async (name: string): Promise<string> => (await from.get(`/settings/export/${name}.csv`)).text
  const done = await importing(to, 'following', await file('following_accounts'))
  assert.match(done.text, /<strong>Done\.<\/strong> 2 of 2 rows, 0 of them failed/)
  const [toAda, toFar] = [await relationshipWith(eve, ada.id), await relationshipWith(eve, farId)]
  assert.deepEqual([toAda.following, toAda.showing_reblogs, toAda.notifying], [true, false, true])
  assert.deepEqual([toFar.following, toFar.languages], [true, ['fr']])
  await importing(to, 'lists', await file('lists'))
  const [copy] = await eve.get('/api/v1/lists')
  assert.equal(copy.title, '-friends, "close"')
  assert.equal((await eve.get(`/api/v1/lists/${copy.id}/accounts`)).length, 2)
  const again = await importing(to, 'lists', await file('lists'))
  assert.match(again.text, /2 of 2 rows, 0 of them failed/, 'a repeated import changes nothing')
  assert.equal((await eve.get('/api/v1/lists')).length, 1)
})

test('an import resolves unknown remote accounts, and lists its failed rows for download', async () => {
  const fay = await server.person('fay')
  const unknown = await network.beta.person('unknown')
  const tab = await signedIn(server, fay)
  const text = [
    'Account address,Show boosts',
    handle(unknown, network.beta),
    `nobody@${network.beta.domain}`,
    'nobody@no-such-server.test',
    handle(fay, server),
    'not an address',
    handle(ada, server),
  ].join('\r\n')
  const asked = await upload(tab, 'following', csv(`\u{FEFF}${text}`))
  assert.match(asked.text, /<strong>5<\/strong>\s*entries that can be imported\. 1 row is not valid\./)
  assert.equal((await relationshipWith(fay, ada.id)).following, false, 'an unconfirmed import changes nothing')
  await tab.submit(asked, {}, { action: `${asked.location}/confirm` })
  await network.drain()
  const done = await tab.get(asked.location)
  assert.match(done.text, /6 of 6 rows, 4 of them failed/)
  for (const [row, why] of [
    ['nobody@no-such-server.test', 'could not be found'],
    ['not an address', 'cannot be understood'],
    [handle(fay, server), 'This is you'],
  ])
    assert.match(done.text, new RegExp(`<td><bdi>${row}</bdi></td><td>[^<]*${why}`))
  assert.equal((await relationshipWith(fay, ada.id)).following, true)
  const { accounts } = await fay.get(`/api/v2/search?q=${encodeURIComponent(`@${handle(unknown, network.beta)}`)}`)
  assert.equal((await relationshipWith(fay, accounts[0].id)).following, true)
  const failures = await tab.get(`${asked.location}/failures.csv`)
  assert.equal(failures.text.split('\n').filter(Boolean).length, 4)

  const mallory = await signedIn(server, bob)
  assert.equal((await mallory.get(asked.location)).status, 404, 'imports of other users are 404')
  assert.equal((await mallory.get(`${asked.location}/failures.csv`)).status, 404)
  const token = (await mallory.get('/settings/import')).forms[0]?.fields.csrf_token ?? ''
  for (const action of ['confirm', 'stop'])
    assert.equal((await mallory.post(`${asked.location}/${action}`, { csrf_token: token })).status, 404)
})

test('a page warns of a file whose name says that it lists something else', async () => {
  const tab = await signedIn(server, ada)
  const warns = async (type: string, name: string): Promise<boolean> =>
    (await upload(tab, type, csv('someone@far.test\n', name))).text.includes('Is it the right file?')
  assert.equal(await warns('following', 'blocked_accounts.csv'), true)
  assert.equal(await warns('blocking', 'muted_accounts.csv'), true)
  for (const [type, name] of [
    ['following', 'following_accounts.csv'],
    ['blocking', 'blocks.csv'],
    ['muting', 'export.csv'],
  ] as const)
    assert.equal(await warns(type, name), false, name)
})

test('filters are exported in the form of Mastodon, and imported', async () => {
  const [ike, joy] = [await server.person('ike'), await server.person('joy')]
  const post = await ada.post('/api/v1/statuses', { status: 'again and again' })
  const secret = await ada.post('/api/v1/statuses', { status: 'for nobody', visibility: 'direct' })
  const keywords_attributes = [{ keyword: 'spoiler', whole_word: false }, { keyword: '=1+1' }]
  const filter = { title: 'Series', context: ['home', 'public'], filter_action: 'hide', keywords_attributes }
  const { id } = await ike.post('/api/v2/filters', { ...filter, expires_in: 86_400 })
  await ike.post(`/api/v2/filters/${id}/statuses`, { status_id: post.id })
  const [from, to] = [await signedIn(server, ike), await signedIn(server, joy)]
  assert.match((await from.get('/settings/export')).text, /Filters<\/strong>[\s\S]*1 entry[\s\S]*custom_filters\.json/)
  const { text, headers } = await from.get('/settings/exports/custom_filters.json')
  assert.equal(headers.get('content-disposition'), 'attachment; filename="custom_filters.json"')
  const exported = JSON.parse(text)
  const { expires_at: until, ...rest } = exported.custom_filters[0]
  const keywords = [
    { keyword: 'spoiler', whole_word: false },
    { keyword: '=1+1', whole_word: true },
  ]
  assert.deepEqual(rest, {
    title: 'Series',
    context: ['home', 'public'],
    action: 'hide',
    keywords_attributes: keywords,
    statuses: [post.uri],
  })
  exported.custom_filters[0].statuses.push(secret.uri, 'https://far.test/unknown')
  exported.custom_filters.unshift({ title: 'As of the first exports', context: ['home'], expire_at: until })
  exported.custom_filters.push(null, { title: 'No context' }, { title: 'x'.repeat(300), context: ['home'] })
  const mine = async (): Promise<any[]> =>
    (await joy.get('/api/v2/filters')).map((each: any) => ({
      title: each.title,
      action: each.filter_action,
      until: each.expires_at,
      keywords: each.keywords.map(({ keyword, whole_word }: any) => ({ keyword, whole_word })),
      statuses: each.statuses.map(({ status_id }: any) => status_id),
    }))
  await joy.post('/api/v2/filters', { title: 'Mine', context: ['home'] })
  for (const mode of ['merge', 'overwrite', 'overwrite']) {
    const done = await importing(to, 'filters', JSON.stringify(exported), mode)
    assert.match(done.text, /5 of 5 rows, 3 of them failed/)
    const filters = await mine()
    const { until: copied, ...copy } = filters.find(({ title }) => title === 'Series')
    assert.deepEqual(copy, { title: 'Series', action: 'hide', keywords, statuses: [post.id] })
    const former = filters.find(({ title }) => title === 'As of the first exports')
    for (const date of [copied, former.until]) assert.ok(Math.abs(Date.parse(date) - Date.parse(until)) < 5000)
    assert.equal(filters.length, mode === 'merge' ? 3 : 2, 'a repeated import changes nothing')
  }
})

test('an import removes existing entries only in overwrite mode', async () => {
  const gil = await server.person('gil')
  const tab = await signedIn(server, gil)
  await gil.post(`/api/v1/accounts/${ada.id}/follow`)
  await importing(tab, 'following', `${handle(bob, server)}\n`)
  assert.equal((await relationshipWith(gil, ada.id)).following, true)
  await importing(tab, 'following', `Account address\n${handle(bob, server).toUpperCase()}\n`, 'overwrite')
  assert.deepEqual(
    [(await relationshipWith(gil, ada.id)).following, (await relationshipWith(gil, bob.id)).following],
    [false, true],
  )

  const [one, two] = [await remoteAccount(server, 'one'), await remoteAccount(server, 'two')]
  await gil.post(`/api/v1/accounts/${one}/block`)
  await importing(tab, 'blocking', 'two@far.test\n', 'overwrite')
  assert.deepEqual(
    [(await relationshipWith(gil, one)).blocking, (await relationshipWith(gil, two)).blocking],
    [false, true],
  )

  await gil.post(`/api/v1/accounts/${one}/mute`)
  await importing(tab, 'muting', 'Account address,Hide notifications\nada@' + server.domain + ',false\n', 'overwrite')
  assert.equal((await relationshipWith(gil, one)).muting, false)
  assert.deepEqual(
    [(await relationshipWith(gil, ada.id)).muting, (await relationshipWith(gil, ada.id)).muting_notifications],
    [true, false],
  )

  await gil.post('/api/v1/domain_blocks', { domain: 'old.test' })
  await importing(tab, 'domain_blocking', '#domain,#severity\nnew.test,suspend\n', 'overwrite')
  assert.deepEqual(await gil.get('/api/v1/domain_blocks'), ['new.test'])

  const keep = await bob.post('/api/v1/statuses', { status: 'keep' })
  const drop = await bob.post('/api/v1/statuses', { status: 'drop' })
  const remotePost = await far.post('/api/v1/statuses', { status: 'from afar' })
  const secret = await bob.post('/api/v1/statuses', { status: 'for nobody', visibility: 'direct' })
  await gil.post(`/api/v1/statuses/${drop.id}/bookmark`)
  const done = await importing(tab, 'bookmarks', `${keep.uri}\n${remotePost.uri}\n${secret.uri}\n`, 'overwrite')
  assert.match(done.text, /3 of 3 rows, 1 of them failed/)
  const uris = (await gil.get('/api/v1/bookmarks')).map(({ uri }: any) => uri)
  assert.deepEqual(uris.toSorted(), [keep.uri, remotePost.uri].toSorted())

  await gil.post('/api/v1/lists', { title: 'Gone' })
  await importing(tab, 'lists', `New,${handle(bob, server)}\nNew,${handle(ada, server)}\n`, 'overwrite')
  const lists = await gil.get('/api/v1/lists')
  assert.deepEqual(
    lists.map(({ title }: any) => title),
    ['New'],
  )
  assert.deepEqual((await gil.get(`/api/v1/lists/${lists[0].id}/accounts`)).map(({ acct }: any) => acct).toSorted(), [
    'ada',
    'bob',
  ])
  assert.equal((await relationshipWith(gil, ada.id)).following, true, 'the import follows who is in a list')
  await importing(tab, 'lists', `New,${handle(ada, server)}\n`, 'overwrite')
  assert.deepEqual(
    (await gil.get(`/api/v1/lists/${lists[0].id}/accounts`)).map(({ acct }: any) => acct),
    ['ada'],
  )
  const asked = await upload(tab, 'lists', csv(`Twin,${handle(ada, server)}\n`))
  // As a request at the same moment does.
  const insertTwin = sql`
    insert into lists (account_id, title)
    select id, 'Twin' from (select id from accounts where id = ${gil.id} for no key update) owner`
  await beforeCommit(
    server,
    (tx) => tx.db.run(insertTwin),
    async () => {
      await tab.submit(asked, {}, { action: `${asked.location}/confirm` })
      await network.drain()
    },
  )
  assert.deepEqual(
    (await gil.get('/api/v1/lists')).map(({ title }: any) => title),
    ['New', 'Twin'],
  )
})

test('invalid files are refused with the reason, and nothing changes', async () => {
  const hal = await server.person('hal')
  await hal.post(`/api/v1/accounts/${ada.id}/follow`)
  const tab = await signedIn(server, hal)
  const png = await pngOf(9, 9, '#268')
  const many = Array.from({ length: 20_001 }, (_, i) => `user${i}@far.test\n`).join('')
  const cases: [string, File, RegExp][] = [
    ['following', csv(''), /no accounts to follow in this file/],
    ['following', csv('hello world\nthis is prose\n'), /no accounts to follow/],
    ['following', csv(png), /This is not a text file/],
    ['following', csv('"never ends\n'), /a text in quotes does not end/],
    ['following', csv('Account address,Hide notifications\na@far.test,true\n'), /list of muted accounts, not of/],
    ['bookmarks', csv('a@far.test\n'), /no bookmarks in this file/],
    ['bookmarks', csv('file:///etc/passwd\njavascript:alert(1)\n'), /no bookmarks in this file/],
    ['domain_blocking', csv('../../etc/passwd\n'), /no blocked domains/],
    ['following', csv(many), /more than 20,000 rows/],
    ['following', csv('x'.repeat(5 * 1024 * 1024 + 1)), /larger than 5 MB/],
    ['filters', csv('{"custom_filters": 5}'), /no filters in this file/],
    ['filters', csv(`{"custom_filters": [${'['.repeat(100_000)}`), /no filters in this file/],
    ['filters', csv('a,b\n'), /no filters in this file/],
    ['everything', csv('a@far.test\n'), /Choose what is in the file/],
  ]
  for (const [type, file, message] of cases) {
    const page = await upload(tab, type, file, 'overwrite')
    assert.equal(page.status, 422, String(message))
    assert.match(page.text, message)
  }
  const none = await tab.submit(
    await tab.get('/settings/import'),
    { type: 'following' },
    { action: '/settings/import' },
  )
  assert.match(none.text, /Choose a file/)
  assert.equal((await relationshipWith(hal, ada.id)).following, true)
  // Removed after the response.
  await eventually(async () =>
    (await readdir(join(server.ctx.config.dataDir, 'tmp'))).every((name) => !name.startsWith('upload-')),
  )
})

test('the name of an uploaded file is only displayed, without its path', async () => {
  const tab = await signedIn(server, await server.person('ivo'))
  const page = await upload(tab, 'following', csv(`${handle(ada, server)}\n`, '../../../etc/<b>passwd.csv'))
  assert.equal(page.status, 200)
  assert.match(page.text, />&lt;b&gt;passwd\.csv/)
  assert.doesNotMatch(page.text, /\.\.\/|<b>passwd/)
  assert.equal((await upload(tab, 'following', csv('a@far.test\n', 'a\0b.csv'))).status, 400)
  const cancelled = await tab.submit(page, {}, { action: `${page.location}/stop` })
  assert.equal(cancelled.location, '/settings/import')
  assert.equal((await tab.get(page.location)).status, 404)
})

test('only one import runs at a time, and an upload replaces an unconfirmed one', async () => {
  const jan = await server.person('jan')
  const tab = await signedIn(server, jan)
  const first = await upload(tab, 'following', csv(`${handle(ada, server)}\n`))
  const names = Array.from({ length: 10 }, (_, i) => `far${i}`)
  const [targetAccountId = ''] = await Promise.all(names.map((name) => remoteAccount(server, name)))
  const second = await upload(tab, 'blocking', csv(names.map((name) => `${name}@far.test\n`).join('')))
  assert.equal((await tab.get(first.location)).status, 404)
  const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
  const stopDuring = async (asked: Page, act: (tx: TestServer['ctx']) => Promise<unknown>): Promise<void> => {
    await server.ctx.transaction(async (tx) => {
      // The import waits for it.
      await act(tx)
      await tab.submit(asked, {}, { action: `${asked.location}/confirm` })
      await eventually(async () => (await server.database.raw(waiting)).rows.length > 0)
      assert.match(
        (await upload(tab, 'following', csv(`${handle(ada, server)}\n`))).text,
        /Another import is still running/,
      )
      const stopped = await tab.submit(await tab.get(asked.location), {}, { action: `${asked.location}/stop` })
      assert.match(stopped.text, /Stopped/)
    })
    await network.drain()
  }
  await stopDuring(second, (tx) => block(tx, { accountId: jan.id, targetAccountId }))
  assert.equal((await jan.get('/api/v1/blocks')).length, 8, 'those that had begun')
  const third = await upload(tab, 'blocking', csv(`${handle(ada, server)}\n`), 'overwrite')
  await stopDuring(third, (tx) => blockDomain(tx, jan.id, 'other.test'))
  assert.equal((await jan.get('/api/v1/blocks')).length, 7, 'one removal had begun')
  assert.equal((await upload(tab, 'following', csv(`${handle(ada, server)}\n`))).status, 200)
})

test('an import ends when moderators freeze its owner', async () => {
  const [kim, boss] = [await server.person('kim'), await server.person('boss', { role: 'owner' })]
  const { location } = await upload(await signedIn(server, kim), 'blocking', csv(`${handle(bob, server)}\n`))
  const importId = location.split('/').at(-1) ?? ''
  await server.database.raw(`update imports set state = 'running' where id = $1`, [importId])
  await boss.post(`/api/v1/admin/accounts/${kim.id}/action`, { type: 'disable' })
  await server.ctx.enqueue('portability.import', { importId })
  await network.drain()
  const { rows } = await server.database.raw(
    `select state, (select count(*)::int from blocks where account_id = $1) as blocks from imports where id = $2`,
    [kim.id, importId],
  )
  assert.deepEqual(rows, [{ state: 'finished', blocks: 0 }])
})
