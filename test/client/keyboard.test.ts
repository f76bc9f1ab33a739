// Keys and mouse: what moves, what acts on the post that has the focus, and where the focus is afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientBrowser, goTo, hasValue, scrollUntil, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)

test('key sequences open screens, and do not act on the focused post', { skip: skipBrowser }, async () => {
  const { id } = await ben.post('/api/v1/statuses', { status: 'Left alone' })
  // What is typed while the code of a dialog is on its way is meant for the dialog.
  const typed = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const delayCode = async (opening: Page) => {
    await opening.route('**/assets/command-palette-*.js', (route) => typed[0].promise.then(() => route.continue()))
    await opening.route('**/assets/composer-*.js', (route) => typed[1].promise.then(() => route.continue()))
  }
  const page = await browser.show(server, ada, { path: '/home', prepare: delayCode })
  const post = page.getByRole('article').filter({ hasText: 'Left alone' })
  for (const [index, key, field] of [
    [0, 'Control+k', page.getByRole('combobox')],
    [1, 'c', page.getByLabel('Text of the post')],
  ] as const) {
    await post.focus()
    await page.keyboard.press(key)
    await page.keyboard.type('fb')
    typed[index].resolve()
    await field.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  const places = {
    f: '/favourites',
    b: '/bookmarks',
    n: '/notifications',
    d: '/conversations',
    e: '/explore',
    h: '/home',
  }
  for (const [key, path] of Object.entries(places)) {
    // At once, as the second key has to follow within a second.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)])
    await page.waitForURL(`**${path}`)
    if (key !== 'h') await page.goBack()
    await post.waitFor()
    await post.focus()
  }
  // At once after another row of keys, it is a key of its own.
  await page.keyboard.press('c')
  await page.getByLabel('Text of the post').waitFor()
  const { favourited, reblogged, bookmarked } = await ada.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([favourited, reblogged, bookmarked], [false, false, false])
})

test('keys act on the post of a thread, and the way back finds the post again', { skip: skipBrowser }, async () => {
  const first = await ben.post('/api/v1/statuses', { status: 'A thread for keys' })
  await ben.post('/api/v1/statuses', { status: '@ben The reply', in_reply_to_id: first.id })
  for (const text of ['Above', 'Above all']) await ben.post('/api/v1/statuses', { status: text })
  const page = await browser.show(server, ada, { path: '/home' })
  const focused = page.locator('[data-status]:focus')
  await page.getByRole('article').filter({ hasText: 'A thread for keys' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.thread').getByText('The reply').waitFor()
  await page.keyboard.press('f')
  await eventually(async () => (await ada.get(`/api/v1/statuses/${first.id}`)).favourited)
  await page.keyboard.press('j')
  await focused.filter({ hasText: 'The reply' }).waitFor()
  await page.keyboard.press('k')
  await focused.filter({ hasText: 'A thread for keys' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.locator('.status:focus', { hasText: 'A thread for keys' }).waitFor()
  await page.keyboard.press('k')
  await focused.filter({ hasText: 'Above' }).waitFor()
  await page.keyboard.press('q')
  await page.getByRole('dialog').getByLabel('Text of the post').waitFor()
  // As Safari, which closes a menu and the dialog that it is in with one press, unless the page does something with the key.
  await page.evaluate(() =>
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      const dialog = key === 'Escape' && !defaultPrevented ? document.querySelector('dialog:modal') : null
      dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))
    }),
  )
  const menuButton = page.getByRole('dialog').locator('button[aria-haspopup=menu]').first()
  await menuButton.press('Enter')
  await page.locator('[role^=menuitem]:focus').waitFor()
  await page.keyboard.press('Escape')
  await menuButton.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused.filter({ hasText: 'Above' }).waitFor()
})

test('the way back from a screen that was opened by its address stays here', { skip: skipBrowser }, async () => {
  const page = await browser.show(server, ada, {
    ownPage: true,
    path: '/@ben',
    prepare: (opening) => opening.goto('data:text/html,Another site'),
  })
  await page.getByRole('heading', { name: 'ben', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.waitForURL('**/home')
})

test('keys move through notifications, and dialogs begin at their content', { skip: skipBrowser }, async () => {
  const own = await ada.post('/api/v1/statuses', { status: 'Liked by one' })
  await ada.post('/api/v1/statuses', { status: '@ben A word', visibility: 'direct' })
  await ben.post(`/api/v1/statuses/${own.id}/favourite`)
  const mention = await ben.post('/api/v1/statuses', { status: '@ada A question' })
  await server.drain()
  const page = await browser.goOn(server, ada, { path: '/notifications' })
  await page.getByText('Liked by one').waitFor()
  await page.keyboard.press('j')
  await page.locator(`[data-status="${mention.id}"]:focus`).waitFor()
  await page.keyboard.press('j')
  await page.locator('.notification:focus', { hasText: 'Liked by one' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/@ada/${own.id}`)

  // As a laptop shows it at 200 %: neither the header nor the bar at the bottom covers what has the focus.
  await page.setViewportSize({ width: 600, height: 400 })
  await goTo(page, '/notifications')
  await page.getByText('Liked by one').waitFor()
  await page.getByRole('link', { name: 'All', exact: true }).focus()
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
      const hit = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 100))
      return hit && focused?.contains(hit) ? '' : (focused?.outerHTML.slice(0, 200) ?? 'nothing')
    })
  for (const key of [...Array<string>(25).fill('Tab'), ...Array<string>(20).fill('Shift+Tab')]) {
    await page.keyboard.press(key)
    assert.equal(await covered(), '')
  }
  await page.setViewportSize({ width: 1200, height: 800 })

  await goTo(page, '/conversations')
  await page.getByText('A word').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('o')
  await page.waitForURL('**/@ada/*')

  await goTo(page, '/lists')
  await page.getByRole('button', { name: 'New list' }).click()
  const title = page.getByRole('dialog').getByLabel('Title')
  await title.waitFor()
  await page.keyboard.type('Birds')
  await hasValue(title, 'Birds')
})

test('a post opens in a new tab where a link would, and the header leads up', { skip: skipBrowser }, async () => {
  const quoted = await ben.post('/api/v1/statuses', { status: 'Inner' })
  for (const text of ['One', 'Two', 'Three']) await ben.post('/api/v1/statuses', { status: text })
  const { id } = await ben.post('/api/v1/statuses', { status: 'Outer', quoted_status_id: quoted.id })
  const page = await browser.goOn(server, ada, { path: '/home', viewport: { width: 1280, height: 400 } })
  const opened = async (click: () => Promise<void>): Promise<string> => {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), click()])
    await tab.waitForURL('**/@ben/*')
    const { pathname } = new URL(tab.url())
    await tab.close()
    return pathname
  }
  const outer = page.locator(`[data-status="${id}"]`)
  await outer.getByText('Inner').waitFor()
  const corner = { position: { x: 4, y: 4 } }
  assert.equal(await opened(() => outer.click({ ...corner, modifiers: ['Control'] })), `/@ben/${id}`)
  assert.equal(await opened(() => outer.click({ ...corner, button: 'middle' })), `/@ben/${id}`)
  const quote = outer.locator('.quoted')
  assert.equal(await opened(() => quote.click({ ...corner, modifiers: ['Control'] })), `/@ben/${quoted.id}`)
  assert.equal(new URL(page.url()).pathname, '/home')

  await scrollUntil(page, () => page.evaluate(() => scrollY > 0))
  await page.getByRole('heading', { name: 'Home', level: 1 }).click()
  await eventually(() => page.evaluate(() => scrollY === 0))
})

test('keys lead to the search, and on to what it found', { skip: skipBrowser }, async () => {
  await ada.post('/api/v1/statuses', { status: 'A wren to be found' })
  await server.drain()
  const page = await browser.goOn(server, ada, { path: '/bookmarks' })
  await page.getByRole('heading', { name: 'Bookmarks' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('.search-form input:focus').fill('wren')
  await page.keyboard.press('Enter')
  await page.getByRole('article').getByText('A wren to be found').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  const found = page.locator('[data-status]:focus', { hasText: 'A wren to be found' })
  await found.waitFor()
  for (const searchAgain of [
    () => page.keyboard.press('/'),
    () => page.getByRole('link', { name: 'Search', exact: true }).click(),
  ]) {
    await searchAgain()
    await page.locator('.search-form input:focus').waitFor()
    // What is typed takes the place of the words before.
    assert.equal(await page.evaluate(() => getSelection()?.toString()), 'wren')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await found.waitFor()
  }
})

test('keys go to a column, and stay in it', { skip: skipBrowser }, async () => {
  await ada.post('/api/v1/statuses', { status: 'Of this server' })
  const page = await browser.show(server, ada, { path: '/deck' })
  const columns = page.locator('.deck-column')
  for (const index of [0, 2]) await columns.nth(index).getByText('Of this server').waitFor()
  await page.keyboard.press('3')
  await columns.nth(2).locator('[data-status]:focus').waitFor()
  await page.keyboard.press('k')
  assert.equal(await columns.nth(2).locator('[data-status]:focus').count(), 1)
  await page.keyboard.press('1')
  await columns.nth(0).locator('[data-status]:focus').waitFor()
  assert.match(await page.title(), /Columns · /)
  // Also when another takes its place, and on the way back to the deck.
  await columns.nth(2).getByRole('button', { name: 'Only posts with media' }).press('Enter')
  await columns.nth(2).locator('.column-scroller:focus').waitFor()
  await page.keyboard.press('1')
  await columns.nth(0).locator('[data-status]:focus').press('Enter')
  await page.locator('.status-detail').waitFor()
  await page.goBack()
  await columns.nth(0).locator('.column-scroller:focus').waitFor()
})
