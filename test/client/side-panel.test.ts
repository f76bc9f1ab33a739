// What stands beside the screen in wide windows: search, trends, suggestions and links.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, skipBrowser } from '../support/client.ts'
import { sql } from '../support/database.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }
const address = (path: string): string => `http://${server.domain}${path}`

await ada.post('/api/v1/statuses', { status: 'About #herons' })
await server.ctx.db.run(sql`update tags set trendable = true where name = 'herons'`)
await server.ctx.db.run(sql`
  insert into tag_trends (tag_id, peak, peak_at, score, rank, language)
  select id, 9, now(), 9, 1, 'en' from tags where name = 'herons'`)
// Ada follows ben, who follows cleo.
await ada.post(`/api/v1/accounts/${ben.id}/follow`)
await ben.post(`/api/v1/accounts/${cleo.id}/follow`)
await server.ctx.db.run(sql`update accounts set discoverable = true where id = ${cleo.id}`)

const wide = { viewport: { width: 1280, height: 800 } }
const panel = (page: Page) => page.getByRole('complementary', { name: 'Search, trends and suggestions' })
const field = (page: Page) => panel(page).getByRole('combobox', { name: 'Search, or paste an address' })

test('a wide window has search, trends, suggestions and links beside the screen', options, async () => {
  const page = await browser.goOn(server, ada, { ...wide, path: '/home' })
  const beside = panel(page)
  await page.locator('#main').getByText('About #herons').waitFor()
  const before = await page.locator('#main').boundingBox()
  await beside.getByRole('button', { name: 'Follow', exact: true }).click()
  await eventually(async () => (await ada.get(`/api/v1/accounts/relationships?id[]=${cleo.id}`))[0].following)
  await beside.getByRole('button', { name: 'Following' }).waitFor()
  assert.deepEqual(await page.locator('#main').boundingBox(), before, 'what is being read stays where it is')
  assert.equal(await beside.getByRole('link', { name: 'About this server' }).getAttribute('href'), '/about')
  assert.deepEqual(await axeViolations(page, 'aside'), [])

  await beside.getByRole('link', { name: '#herons' }).click()
  await page.getByRole('heading', { name: '#herons' }).waitFor()
  await field(page).fill('@cle')
  await panel(page).getByRole('option', { name: '@cleo' }).waitFor()
  await field(page).press('ArrowDown')
  await field(page).press('Enter')
  await page.waitForURL('**/@cleo')
  await eventually(async () => (await field(page).inputValue()) === '')
  await eventually(() => page.evaluate(() => document.activeElement?.tagName !== 'INPUT'))
  await field(page).fill('About')
  await field(page).press('Enter')
  await page.waitForURL('**/search?q=About')
  await page.getByRole('heading', { name: 'Search: About' }).waitFor()
  assert.equal(await page.getByRole('search').count(), 1, 'the field of the screen is enough')
  await beside.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await goTo(page, '/explore/tags')
  await field(page).waitFor()
  assert.equal(await beside.getByRole('link', { name: '#herons' }).count(), 0, 'the screen has it')
})

test(
  'the side panel is absent and loads nothing in narrow windows, beside columns, and when it is switched off',
  options,
  async () => {
    const page = await browser.goOn(server, ada, { ...wide, path: '/appearance' })
    // Its content comes a second later.
    await panel(page).waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: /show search, trends and suggestions/ }).uncheck()
    await panel(page).waitFor({ state: 'detached' })
    await page.goto(address('/home'))
    const loaded = (): Promise<string[]> =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    // The code that comes later than that of the panel would.
    await eventually(async () => (await loaded()).some((name) => name.includes('/unsent-notice-')))
    assert.deepEqual(
      (await loaded()).filter((name) => /trends|suggestions|side-panel-/.test(name)),
      [],
    )
    assert.equal(await panel(page).count(), 0)
    await goTo(page, '/appearance')
    await page.getByRole('checkbox', { name: /show search, trends and suggestions/ }).check()
    await panel(page).waitFor({ state: 'attached' })
    await page.setViewportSize({ width: 1100, height: 800 })
    await panel(page).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await field(page).waitFor()
    // Large letters need the room.
    const size = page.getByRole('slider', { name: 'Font size' })
    await size.press('End')
    await panel(page).waitFor({ state: 'detached' })
    await size.press('Home')
    await field(page).waitFor()
    await goTo(page, '/deck')
    await page.locator('.deck-column').first().waitFor()
    await panel(page).waitFor({ state: 'detached' })
  },
)
