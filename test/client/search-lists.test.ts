// Search, lists, filters, followed hashtags, collections and annual reports in the web client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, hasValue, keep, skipBrowser } from '../support/client.ts'
import { addAccount, createCollection, memberIds } from '../support/collections.ts'
import { sql } from '../support/database.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'] })
const browser = clientBrowser()

for (const person of [ada, ben, cleo])
  await person.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true, indexable: true } })
await ada.post(`/api/v1/accounts/${ben.id}/follow`)
const rooks: { id: string } = await ben.post('/api/v1/statuses', { status: 'Rooks in the garden #rooks' })

const address = (path: string): string => `http://${server.domain}${path}`

async function go(page: Page, path: string): Promise<void> {
  await goTo(page, path)
  await page.locator('.page').waitFor()
}

/** On a small phone. */
async function assertAccessible(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 320, height: 640 })
  const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(isWide, false, page.url())
  assert.deepEqual(await axeViolations(page, '#main'), [], page.url())
  await page.setViewportSize(size)
}

/** On the way back from where a link far down leads. */
async function assertSamePosition(page: Page, path: string, link: Locator): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 600, height: 300 })
  await go(page, path)
  await link.first().evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const before = await page.evaluate(() => scrollY)
  assert.ok(before > 0, path)
  await link.first().click()
  await page.waitForURL((url) => url.pathname !== path)
  await page.locator('h1:focus').waitFor()
  await page.goBack()
  await link.first().waitFor()
  await eventually(async () => Math.abs((await page.evaluate(() => scrollY)) - before) < 10)
  await page.setViewportSize(size)
}

const confirmWith = (page: Page, action: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()

test('search offers operators and people as one types, and remembers', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/search' })
  const field = page.getByRole('combobox')
  await field.pressSequentially('garden -ha')
  await page.getByRole('option', { name: '-has:' }).waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await page.getByRole('option', { name: '-has:poll' }).click()
  await hasValue(field, 'garden -has:poll ')
  await field.press('Enter')
  await page.getByText('Rooks in the garden').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('q'), 'garden -has:poll')
  await assertAccessible(page)

  await field.fill('be')
  await page.getByRole('option', { name: '@ben' }).click()
  await page.waitForURL('**/@ben')
  await go(page, '/search?q=ben&type=accounts')
  await page.getByRole('list', { name: 'People' }).getByText('@ben').waitFor()
  await page.getByRole('status').getByText('1 result shown').waitFor({ state: 'attached' })
  const withResults = await field.boundingBox()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await go(page, '/search')
  await page.getByText('Recent searches').waitFor()
  assert.equal((await field.boundingBox())?.y, withResults?.y, 'the tabs are below the field')
  await go(page, '/search?q=zebra')
  await page.getByRole('status').getByText('Nothing was found for “zebra”.').waitFor({ state: 'attached' })

  // The way back leads to the result that one came from.
  await page.setViewportSize({ width: 390, height: 300 })
  await go(page, '/search?q=rooks')
  await page.locator('[data-status] .status-time').last().click()
  await page.waitForURL(`**/@ben/${rooks.id}`)
  await page.getByRole('heading', { name: /^Post by / }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: /rooks/ }).waitFor()
  await eventually(async () => Number(await page.evaluate('scrollY')) > 50)
  await page.setViewportSize({ width: 1280, height: 800 })

  await go(page, '/search')
  await page.getByRole('button', { name: 'garden -has:poll', exact: true }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Remove “garden -has:poll”' }).click()
  await page.getByText('Recent searches').waitFor({ state: 'detached' })

  await field.fill(address(`/@ben/${rooks.id}`))
  await field.press('Enter')
  await page.waitForURL(`**/@ben/${rooks.id}`)
  await go(page, `/search?q=${encodeURIComponent(address('/@nobody'))}`)
  await page.getByText('There is no profile or post at this address').waitFor()
})

test('a list is created, filled, changed and deleted', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/lists', expectedErrors: /404|502/ })
  await page.getByText('You have none yet').waitFor()
  await page.getByRole('button', { name: 'New list' }).click()
  await page.getByLabel('Title').fill('Birds')
  await page.getByLabel('Hide members in Home').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/lists/*/edit')
  const [list] = await ada.get('/api/v1/lists')
  assert.deepEqual([list.title, list.exclusive, list.replies_policy], ['Birds', true, 'list'])

  const members = async (): Promise<string[]> =>
    (await ada.get(`/api/v1/lists/${list.id}/accounts`)).map(({ id }: { id: string }) => id)
  const search = page.getByLabel('Search among people you follow')
  await search.fill('cleo')
  await page.getByText('No account was found for “cleo”.').waitFor()
  await search.fill('ben')
  await page.getByRole('button', { name: 'Add @ben' }).click()
  await eventually(async () => (await members()).includes(ben.id))
  await assertAccessible(page)
  await page.getByRole('list', { name: 'Members' }).getByRole('button', { name: 'Remove @ben' }).click()
  // The message that it was added may still be there, with an undo of its own.
  const removed = page.locator('.toast', { hasText: '@ben was removed' })
  await keep(removed)
  await eventually(async () => (await members()).length === 0)
  await removed.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await members()).length === 1)

  // The timeline, which keeps what it has loaded, follows the members.
  await ben.post('/api/v1/statuses', { status: 'Crows by the river' })
  await go(page, `/lists/${list.id}`)
  const crows = page.locator('article', { hasText: 'Crows by the river' })
  await crows.waitFor()
  await page.getByRole('link', { name: 'Edit list' }).click()
  await page.getByRole('button', { name: 'Remove @ben' }).click()
  await eventually(async () => (await members()).length === 0)
  await page.goBack()
  await page.getByText('There is nothing in this list yet.').waitFor()
  await page.goForward()
  await search.fill('ben')
  await page.getByRole('button', { name: 'Add @ben' }).click()
  await eventually(async () => (await members()).length === 1)
  await page.goBack()
  await crows.waitFor()
  await page.goForward()

  await page.getByLabel('Title').fill('Corvids')
  await page.getByRole('link', { name: 'Bookmarks' }).click()
  await page.getByText('You have no bookmarks yet').waitFor()
  await page.goBack()
  await page.getByText('Not saved yet').waitFor()
  await hasValue(page.getByLabel('Title'), 'Corvids')
  await page.getByLabel('None').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await ada.get(`/api/v1/lists/${list.id}`)).replies_policy === 'none')
  await go(page, '/lists')
  await page.getByRole('link', { name: 'Corvids', exact: false }).first().waitFor()

  await page.locator(`a[href="/lists/${list.id}/edit"]`).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirmWith(page, 'Cancel')
  assert.equal((await ada.get('/api/v1/lists')).length, 1)
  await page.getByRole('button', { name: 'Delete' }).click()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route(`**/api/v1/lists/${list.id}`, async (route) => {
    await answered
    await route.fetch()
    await route.fulfill({ status: 502, body: '' })
  })
  await confirmWith(page, 'Delete')
  await page.getByRole('dialog').locator('[aria-busy=true]').waitFor()
  await confirmWith(page, 'Delete')
  answer()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.unroute(`**/api/v1/lists/${list.id}`)
  // What was shown before shows again at once, without the list.
  await page.route('**/api/v1/lists', () => {})
  await confirmWith(page, 'Delete')
  await page.getByText('You have none yet').waitFor()
  await go(page, `/lists/${list.id}/edit`)
  await page.getByText('There is nothing at this address').waitFor()
})

test('filters are made and changed, and hashtags unfollowed with undo', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/home' })
  await page.getByText('Rooks in the garden').waitFor()
  const keywords_attributes = [{ keyword: 'garden' }]
  const elsewhere = await ada.post('/api/v2/filters', { title: 'Elsewhere', context: ['home'], keywords_attributes })
  await eventually(async () => {
    // The timeline may not have listened to the change before.
    await ada.put(`/api/v2/filters/${elsewhere.id}`, { title: 'Elsewhere' })
    return page.getByText('Filtered: Elsewhere').isVisible()
  })
  await go(page, '/filters')
  await page.getByRole('button', { name: 'Delete: Elsewhere' }).click()
  await confirmWith(page, 'Delete')
  await page.getByText('You have none yet').waitFor()
  await go(page, '/home')
  await page.getByText('Rooks in the garden').waitFor()

  await go(page, '/filters/new')
  await page.getByRole('textbox', { name: 'Word or phrase' }).fill('butler')
  await page.getByLabel('Blur media').check()
  for (const context of ['Home and lists', 'Notifications', 'Public timelines', 'Conversations', 'Profiles'])
    await page.getByLabel(context).uncheck()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Choose at least one place.').waitFor()
  await page.getByLabel('Home and lists').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'butler' }).waitFor()
  const [filter] = await ada.get('/api/v2/filters')
  assert.deepEqual([filter.context, filter.filter_action, filter.expires_at], [['home'], 'blur', null])
  await ada.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: rooks.id })

  // More than one request may ask for. Others cannot see them.
  for (let count = 0; count < 20; count += 1)
    await cleo.post('/api/v1/statuses', { status: `Note ${count}`, visibility: 'direct' })
  await server.ctx.db.run(sql`
    insert into filter_statuses (filter_id, status_id) select ${filter.id}, id from statuses where account_id = ${cleo.id}`)
  await go(page, `/filters/${filter.id}/edit`)
  await page.getByText('This post is no longer available.').nth(19).waitFor()
  await server.ctx.db.run(sql`delete from filter_statuses where filter_id = ${filter.id} and status_id <> ${rooks.id}`)
  await go(page, '/filters')
  await go(page, `/filters/${filter.id}/edit`)
  await page.getByRole('button', { name: 'Do not filter this post' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Do not filter this post' }).click()
  await page.getByRole('button', { name: 'Remove “butler”' }).click()
  await page.getByRole('button', { name: 'Add a word' }).click()
  await page.getByRole('textbox', { name: 'Word or phrase' }).fill('murder')
  await page.getByLabel('Ends').selectOption('86400')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/filters')
  await page.locator('h1:focus', { hasText: 'Filters' }).waitFor()
  // The post was removed before, and shown as removed at once.
  const changed = await eventually(async () => {
    const now = await ada.get(`/api/v2/filters/${filter.id}`)
    return now.statuses.length === 0 && now
  })
  assert.deepEqual(
    [changed.keywords.map(({ keyword }: { keyword: string }) => keyword), changed.expires_at !== null],
    [['murder'], true],
  )
  await server.database.raw('update filters set expires_at = now() where id = $1', [filter.id])
  await go(page, `/filters/${filter.id}/edit`)
  await page.getByRole('option', { name: 'Expired', exact: true }).waitFor({ state: 'attached' })
  await page.goBack()
  await page.getByRole('button', { name: 'Delete: butler' }).click()
  await confirmWith(page, 'Delete')
  await page.getByText('You have none yet').waitFor()

  await ada.post('/api/v1/tags/rooks/follow')
  await cleo.post('/api/v1/statuses', { status: 'Croaking from afar #rooks' })
  await server.drain()
  await go(page, '/home')
  await page.getByRole('button', { name: /new post/ }).click()
  await page.getByText('Croaking from afar').waitFor()
  await go(page, '/followed_tags')
  const isFollowed = async (): Promise<boolean> => (await ada.get('/api/v1/tags/rooks')).following
  await page.getByRole('button', { name: 'Unfollow #rooks' }).click()
  await keep(page.locator('.toast'))
  await eventually(async () => !(await isFollowed()))
  await page.locator('#main').getByRole('link', { name: 'Trending hashtags' }).waitFor()
  // Its posts leave Home, and come back with it. A message that has the focus stays.
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.goBack()
  await page.getByText('Rooks in the garden').waitFor()
  await page.getByText('Croaking from afar').waitFor({ state: 'detached' })
  await page.goForward()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.locator('h1:focus').waitFor()
  await page.getByRole('button', { name: 'Unfollow #rooks' }).waitFor()
  assert.equal(await isFollowed(), true)
  await server.drain()
  await go(page, '/home')
  await page.getByText('Croaking from afar').waitFor()

  // The answer to what was asked for before does not bring the hashtag back.
  const unfollowed = Promise.withResolvers<void>()
  await page.route('**/api/v1/followed_tags*', async (route) => {
    const response = await route.fetch()
    await unfollowed.promise
    await route.fulfill({ response })
  })
  const answered = page.waitForResponse('**/api/v1/followed_tags*')
  await go(page, '/followed_tags')
  await page.getByRole('button', { name: 'Unfollow #rooks' }).click()
  await eventually(async () => !(await isFollowed()))
  unfollowed.resolve()
  await (await answered).finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.locator('#main').getByRole('link', { name: 'Trending hashtags' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Unfollow #rooks' }).count(), 0)

  // Nor does that to a visit that comes before the server has unfollowed it.
  await page.unroute('**/api/v1/followed_tags*')
  await ada.post('/api/v1/tags/rooks/follow')
  await go(page, '/home')
  await go(page, '/followed_tags')
  const arrived = Promise.withResolvers<void>()
  await page.route('**/api/v1/tags/rooks/unfollow', (route) => arrived.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Unfollow #rooks' }).click()
  await go(page, '/home')
  const loaded = page.waitForResponse('**/api/v1/followed_tags*')
  await go(page, '/followed_tags')
  await (await loaded).finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  assert.equal(await page.getByRole('button', { name: 'Unfollow #rooks' }).count(), 0)
  arrived.resolve()
  await eventually(async () => !(await isFollowed()))
})

test('collections are made, followed and left', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/collections/new', expectedErrors: /403|422/ })
  await page.getByLabel('Name').fill('Bird watchers')
  await page.getByLabel('Description').fill('Two\nlines')
  await page.getByLabel('Hashtag').fill('not a tag')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('.field-error').waitFor()
  await page.getByLabel('Hashtag').fill('birds')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/collections/*/edit')
  await page.locator('h1:focus', { hasText: 'Bird watchers' }).waitFor()
  const { collections } = await ada.get(`/api/v1/accounts/${ada.id}/collections`)
  const id: string = collections[0].id
  await hasValue(page.getByLabel('Description'), 'Two\nlines')
  const { promise: isPressedTwice, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/v1/collections/*/items', (route) => isPressedTwice.then(() => route.continue()))
  const added: string[] = []
  page.on('request', (request) => request.url().endsWith('/items') && added.push(request.method()))
  await page.route('**/api/v1/accounts/search?*', (route) => route.fulfill({ status: 422, json: { error: 'Not now' } }))
  await page.getByLabel('Search for accounts to add').fill('ben')
  await page.getByText('Not now').waitFor()
  await page.unroute('**/api/v1/accounts/search?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Add @ben' }).dblclick()
  answer()
  for (const name of ['ben', 'cleo']) {
    await page.getByLabel('Search for accounts to add').fill(name)
    if (name === 'cleo') await page.getByRole('button', { name: `Add @${name}` }).click()
    await eventually(async () => (await memberIds(ada, id)).includes(name === 'ben' ? ben.id : cleo.id))
  }
  assert.deepEqual(added, ['POST', 'POST'])
  const hidden = await server.person('hidden_heron')
  await page.getByLabel('Search for accounts to add').fill('hidden_heron')
  await page.getByText('Cannot be added to collections').waitFor()
  assert.equal(await page.getByRole('button', { name: `Add @${hidden.username}` }).count(), 0)
  await assertAccessible(page)
  await go(page, `/collections/${id}`)
  await page.getByRole('button', { name: 'Follow all' }).click()
  await confirmWith(page, 'Follow all')
  await page.getByText('You follow all of these accounts.').waitFor()
  await eventually(async () => (await ada.get(`/api/v1/accounts/relationships?id[]=${cleo.id}`))[0].following)

  const other = await createCollection(ben, { name: 'Rooks of the north', account_ids: [ada.id] })
  // More than one page, as a role may permit.
  await server.ctx.db.run(sql`
    insert into collections (id, account_id, name) select i, ${ada.id}, 'Flock ' || i from generate_series(1, 40) i`)
  await go(page, '/collections')
  await page.getByRole('link', { name: 'Bird watchers' }).waitFor()
  await page.getByText('Flock 1', { exact: true }).waitFor()
  await server.ctx.db.run(sql`delete from collections where id <= 40`)
  await page.getByRole('link', { name: 'Rooks of the north' }).waitFor()
  await page.getByRole('link', { name: 'Rooks of the north' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await confirmWith(page, 'Leave')
  await page.getByText('This collection has no accounts yet.').waitFor()
  assert.equal((await addAccount(ben, other.id, ada.id)).status, 403)

  await assertSamePosition(page, `/collections/${id}`, page.locator('#main').getByRole('link', { name: 'cleo' }))
  await assertSamePosition(
    page,
    `/collections/${id}/edit`,
    page.locator('.members').getByRole('link', { name: 'cleo' }),
  )
  await go(page, `/collections/${other.id}/edit`)
  await page.getByText('There is nothing at this address').waitFor()
  await go(page, `/collections/${id}/edit`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await confirmWith(page, 'Delete')
  await page.getByText('You have none yet').waitFor()
})

test('a year is looked back at, and its report counts as read', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/annual_report', expectedErrors: /404/ })
  await page.getByText(/You have no annual report yet|Create the report/).waitFor()
  const data = {
    archetype: 'oracle',
    time_series: Array.from({ length: 12 }, (_, index) => ({
      month: index + 1,
      statuses: index === 7 ? 90 : index,
      following: 1,
      followers: 2,
    })),
    top_hashtags: [{ name: 'rooks', count: 42 }],
    top_statuses: { by_reblogs: rooks.id, by_favourites: null, by_replies: null },
  }
  await server.ctx.db.run(sql`
    insert into annual_reports (account_id, year, schema_version, data) values (${ada.id}, 2024, 2, ${JSON.stringify(data)}::jsonb)`)
  await go(page, '/annual_report')
  await page.getByRole('link', { name: 'Look back at 2024' }).click()
  await page.getByRole('heading', { name: 'The oracle' }).waitFor()
  await page.getByText('Most active in August').waitFor()
  await page.getByText('used 42 times').waitFor()
  await page.getByText('Rooks in the garden').waitFor()
  await eventually(async () => (await ada.get('/api/v1/annual_reports')).annual_reports.length === 0)
  await assertSamePosition(
    page,
    '/annual_report/2024',
    page.locator('.report-post').getByRole('link', { name: '#rooks' }),
  )
  await go(page, '/annual_report/1999')
  await page.getByText('There is nothing at this address').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Followed hashtags' }).click()
  await page.waitForURL('**/followed_tags')
})
