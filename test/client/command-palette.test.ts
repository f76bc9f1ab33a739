// The command palette: finds what is meant by a few letters, by keyboard alone, and remembers it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, hasValue, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()

const field = (page: Page) => page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
const chosen = (page: Page) => page.getByRole('option', { selected: true })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
}

test('a few letters lead to a screen, a list, a hashtag and an account', { skip: skipBrowser }, async () => {
  const list = await ada.post('/api/v1/lists', { title: 'Épicerie' })
  await ada.post('/api/v1/tags/birds/follow')
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Benedict' } })
  const page = await browser.goOn(server, ada, { path: '/home' })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const places = { bookm: '/bookmarks', 'servers live': '/public', epic: `/lists/${list.id}`, '#bir': '/tags/birds' }
  for (const [typed, path] of Object.entries({ ...places, benedi: '/@ben' })) {
    await openPalette(page)
    await page.keyboard.type(typed)
    await chosen(page)
      .and(page.locator(`[id$="-${encodeURIComponent(path)}"]`))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${path}`)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  // Newest first.
  await openPalette(page)
  await chosen(page).filter({ hasText: 'Benedict' }).waitFor()
  assert.match(await page.getByRole('option').nth(1).innerText(), /#birds/)
  // Ids with spaces would be several.
  assert.equal(await page.locator('[role=option][id*=" "]').count(), 0)
  await page.keyboard.press('ArrowDown')
  await chosen(page).filter({ hasText: '#birds' }).waitFor()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await openPalette(page)
  await page.getByRole('option').first().filter({ hasText: 'Benedict' }).waitFor()
})

test(
  'the palette opens columns, searches for other words, and keeps out of dialogs',
  { skip: skipBrowser },
  async () => {
    const page = await browser.goOn(server, ada, { path: '/search' })
    const search = page.getByRole('combobox', { name: 'Search, or paste an address' })
    await search.focus()
    await openPalette(page)
    await page.keyboard.type('columns notif')
    await chosen(page).filter({ hasText: 'Columns' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/deck')
    await page.locator('.deck-column').nth(1).locator('.column-scroller:focus').waitFor()

    await openPalette(page)
    await page.keyboard.type('zzqq <b>')
    await chosen(page).filter({ hasText: 'Search for “zzqq <b>”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=zzqq*')
    await hasValue(search, 'zzqq <b>')

    await search.blur()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Command palette').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('dialog').count(), 0)
  },
)

test('settings change from the palette, and say what they are', { skip: skipBrowser }, async () => {
  const page = await browser.show(server, ada, { path: '/home', colorScheme: 'light' })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const take = async (typed: string) => {
    await openPalette(page)
    await page.keyboard.type(typed)
    await chosen(page).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await take('dark theme')
  await eventually(() => page.evaluate(() => document.documentElement.dataset['theme'] === 'dark'))
  await openPalette(page)
  await page.keyboard.type('hide boosts')
  assert.doesNotMatch(await chosen(page).innerText(), /On/)
  await page.keyboard.press('Enter')
  await openPalette(page)
  await page.keyboard.type('hide boosts')
  await chosen(page).filter({ hasText: 'On' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await openPalette(page)
  await page.keyboard.type('new post')
  await page.keyboard.press('Enter')
  await page.getByLabel('Text of the post').waitFor()
})

test('labels stand beside their icons in both directions of text', { skip: skipBrowser }, async () => {
  await ben.post('/api/v1/lists', { title: 'Wrens' })
  await server.database.raw('update users set locale = $1 where id = $2', ['ar', ben.userId])
  const page = await browser.show(server, ben, { path: '/home' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('wrens')
  const gap = await page.getByRole('option', { name: /^Wrens/ }).evaluate((option) => {
    const label = document.createRange()
    label.selectNodeContents(option.querySelector('bdi') as Element)
    const icon = (option.querySelector('.icon') as Element).getBoundingClientRect()
    return icon.left - label.getBoundingClientRect().right
  })
  assert.ok(gap > 0 && gap < 24, `${gap} pixels`)
})

test('a failing search leaves the rest of the palette in use', { skip: skipBrowser }, async () => {
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /503/ })
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  const unavailable = { status: 503, json: { error: 'Unavailable' } }
  for (const path of ['v2/search', 'v1/lists', 'v1/followed_tags'])
    await page.route(`**/api/${path}*`, (route) => route.fulfill(unavailable))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Command palette' }).click()
  await field(page).fill('blocked acc')
  await chosen(page).filter({ hasText: 'Blocked accounts' }).click()
  await page.waitForURL('**/blocks')
})
