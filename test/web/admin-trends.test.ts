// The dashboard, the review of trends, and hashtags in the administration.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refreshTrends, saveSettings } from '../support/acts.ts'
import { browser, type Browser, signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const raw = async (text: string, values: unknown[] = []) => (await server.database.raw(text, values)).rows
let curator: Browser
let watcher: Browser
let status: string
let tag: string
let card: string
let publisher: string

before(async () => {
  curator = await signedIn(server, await server.person('curator', { role: ['manage_taxonomies'] }))
  watcher = await signedIn(server, await server.person('watcher', { role: ['view_dashboard'] }))
  await saveSettings(server.ctx, { trends: true, trendable_by_default: false })
  await raw('update accounts set discoverable = true')
  status = await post(ada, 'Look at these #Herons', { language: 'de' })
  card = (
    await raw(`
    insert into preview_cards (link, url, title, hosts, fetched_at) values ('https://news.test/1', 'https://news.test/1', 'Heron <seen>', '{news.test}', now())
    returning id`)
  )[0].id
  publisher = (await raw(`insert into preview_card_providers (domain) values ('news.test') returning id`))[0].id
  for (let i = 0; i < 6; i++) {
    const person = await server.person(`crowd${i}`)
    await post(person, 'more #herons')
    await person.post(`/api/v1/statuses/${status}/favourite`)
    await raw(`insert into link_uses (day, card_id, account_id) values ((now() at time zone 'utc')::date, $1, $2)`, [
      card,
      person.id,
    ])
  }
  await refreshTrends(server.ctx)
  tag = (await raw(`select id from tags where name = 'herons'`))[0].id
})

test('staff approve and reject trends, one or many at once', async () => {
  assert.equal((await curator.get('/admin/trends')).location, '/admin/trends/tags')
  for (const [kind, id, text, column] of [
    ['tags', tag, '#Herons', 'tags'],
    ['links', card, 'Heron &lt;seen&gt;', 'preview_cards'],
    ['statuses', status, 'Look at these', 'statuses'],
    ['publishers', publisher, 'news.test', 'preview_card_providers'],
  ] as const) {
    const path = `/admin/trends/${kind}`
    const page = await curator.get(path)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(text), `${kind} shows ${text}`)
    const nothing = await curator.submit(page, { act: 'approve' }, { action: path })
    assert.equal(nothing.status, 422)
    assert.match(nothing.text, /Select at least one entry/)
    const trendable = async () => (await raw(`select trendable from ${column} where id = $1`, [id]))[0].trendable
    assert.equal(await trendable(), null)
    const done = await curator.submit(page, { all: 'page', act: 'approve' }, { action: path })
    assert.match(done.text, /Your decision was saved/)
    assert.equal(await trendable(), true)
    await curator.submit(done, { 'ids[]': id, act: 'reject' }, { action: `${path}` })
    assert.equal(await trendable(), false)
    assert.match((await curator.get(`${path}?state=pending`)).text, /Nothing to review/)
  }
  assert.match((await curator.get('/admin/trends/tags?state=rejected')).text, /#Herons/)
  assert.match((await curator.get('/admin/trends/tags?state=approved')).text, /Nothing trends/)
  await raw('update statuses set trendable = null')
  const posts = await curator.get('/admin/trends/statuses')
  await curator.submit(posts, { all: 'page', act: 'approve_authors' }, { action: '/admin/trends/statuses' })
  assert.match((await curator.get('/admin/trends/statuses?state=approved')).text, /decided for the author/)
  const log = await raw(`select distinct target_type, action from audit_log order by 1, 2`)
  assert.equal(log.length, 9)
  const owner = await server.person('owner', { role: 'owner' })
  const boss = await signedIn(server, owner)
  await saveSettings(server.ctx, { trends: false })
  assert.match((await boss.get('/admin/trends/tags')).text, /href="\/admin\/settings\/discovery"/)
  assert.match((await curator.get('/admin/trends/tags')).text, /switched off/)
})

test('staff find and change hashtags; a refused form keeps what was typed', async () => {
  const list = await curator.get('/admin/tags?q=%23her')
  assert.match(list.text, new RegExp(`href="/admin/tags/${tag}"`))
  assert.match((await curator.get('/admin/tags?q=nothing')).text, /No hashtag matches/)
  const page = await curator.get(`/admin/tags/${tag}`)
  const action = `/admin/tags/${tag}`
  const refused = await curator.submit(page, { display_name: 'Storks', usable: '1' }, { action })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /does not match the previous name/)
  assert.equal(refused.forms.find((form) => form.action === action)?.fields.display_name, 'Storks')
  const { display_name: _, ...rest } = page.forms.find((form) => form.action === action)?.fields ?? {}
  const saved = await curator.post(action, {
    ...rest,
    display_name: 'HERONS',
    usable: '',
    listable: '1',
    trendable: '1',
  })
  assert.match(saved.text, /The hashtag was saved/)
  const [row] = await raw('select display_name, usable, listable, trendable from tags where id = $1', [tag])
  assert.deepEqual(row, { display_name: 'HERONS', usable: false, listable: true, trendable: true })
  assert.match((await curator.get('/admin/tags?state=limited')).text, /Cannot be used/)
  for (const id of ['7654321', 'x']) assert.equal((await curator.get(`/admin/tags/${id}`)).status, 404)
})

test('the dashboard shows figures, and each page is for those who may see it', async () => {
  for (const query of ['', '?days=7', '?days=90', '?days=constructor']) {
    const { status: code, text } = await watcher.get(`/admin/dashboard${query}`)
    assert.equal(code, 200)
    assert.match(text, /Sign-ups/)
    assert.match(text, /Node\.js/)
  }
  assert.equal((await watcher.get('/admin')).location, '/admin/dashboard')
  for (const path of [
    '/admin/trends/tags',
    '/admin/trends/links',
    '/admin/trends/statuses',
    '/admin/trends/publishers',
    '/admin/tags',
    `/admin/tags/${tag}`,
  ])
    assert.equal((await watcher.get(path)).status, 403, path)
  assert.equal((await curator.get('/admin/dashboard')).status, 403)
  assert.match((await browser(server).get('/admin/dashboard')).location, /sign_in/)
})
