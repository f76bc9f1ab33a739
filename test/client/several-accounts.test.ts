// Several accounts in one browser: one is used at a time, in all tabs, and what each has stored stays with it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, hasValue, skipBrowser, storedFor } from '../support/client.ts'
import { openNew, postButton, postsOf, textOf } from '../support/composer.ts'
import { sql } from '../support/database.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }
const address = (path: string): string => `http://${server.domain}${path}`

const openMenu = (page: Page) => page.getByRole('button', { name: 'More', exact: true }).first().click()
const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })

async function fillIn(page: Page, person: Person): Promise<void> {
  await page.fill('[name="user[email]"]', person.email)
  await page.fill('[name="user[password]"]', person.password)
  await page.locator('form[action="/auth/sign_in"] button').click()
}

async function addAccount(page: Page, person: Person): Promise<void> {
  await openMenu(page)
  await menuItem(page, 'Add another account').click()
  await page.waitForURL('**/auth/sign_in?again=1')
  await fillIn(page, person)
  await uses(page, person)
}

async function switchTo(page: Page, person: Person): Promise<void> {
  await openMenu(page)
  await menuItem(page, `Switch to @${person.username}`).click()
  await uses(page, person)
}

const uses = (page: Page, { id }: Person): Promise<unknown> =>
  page.locator(`html[data-account="${id}"] #main h1`).first().waitFor()

/** There is always something in the composer that is not saved yet. */
const keepTyping = (text: Locator): Promise<void> =>
  text.evaluate((area: HTMLTextAreaElement) => {
    const type = (): void => {
      area.value += 'x'
      area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    setInterval(type, 50)
  })

/** Signed in to `first`, which is the current one, and to `second`. */
async function withTwo(first: Person, second: Person, more: object = {}): Promise<Page> {
  const page = await browser.show(server, [second, first], { path: '/home', ...more })
  await uses(page, first)
  return page
}

test('an account is added, switched to by the keyboard, and signed out alone; other tabs follow', options, async () => {
  const page = await browser.open(server, ada, { path: '/home', expectedErrors: /status of 401|WebSocket/ })
  const tab = await page.context().newPage()
  await tab.goto(address('/publish'))
  await textOf(tab).fill('Written in the other tab')
  await addAccount(page, ben)
  // What was written in the tab is saved for its account.
  await uses(tab, ben)
  await openNew(tab)
  await textOf(tab).waitFor()
  await hasValue(textOf(tab), '')
  await openMenu(page)
  const item = menuItem(page, /^Switch to @ada/)
  await item.waitFor()
  assert.deepEqual(await axeViolations(page, '.menu:popover-open'), [])
  for (const [key, name] of [
    ['End', 'Sign out of @ben'],
    ['ArrowUp', 'Add another account'],
    ['Home', 'Switch to @ada'],
  ] as const) {
    await page.keyboard.press(key)
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', new RegExp(`^${name}`))
  }
  await page.keyboard.press('Enter')
  await uses(page, ada)

  await uses(tab, ada)
  await openNew(tab)
  await hasValue(textOf(tab), 'Written in the other tab')
  await keepTyping(textOf(tab))
  await openMenu(page)
  await menuItem(page, 'Sign out of @ada').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await tab.waitForURL('**/auth/sign_in?*')
  await eventually(async () => (await storedFor(page)).join() === ben.id)
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Continue as @ben' }).click()
  await uses(page, ben)
  await openMenu(page)
  await menuItem(page, 'Sign out').waitFor()
  assert.equal(await menuItem(page, /^Switch to/).count(), 0)
})

test(
  'drafts, columns and posts that are not sent yet stay with their account, the look with the device',
  options,
  async () => {
    const page = await withTwo(ada, ben, { expectedErrors: /ERR_FAILED|status of 401/ })
    const columns = page.locator('.deck-column')
    await goTo(page, '/deck')
    await page.getByRole('button', { name: 'Column options' }).first().click()
    await menuItem(page, 'Remove column').click()
    await eventually(async () => (await columns.count()) === 2)
    await goTo(page, '/appearance')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await goTo(page, '/publish')
    await textOf(page).fill('Waits for the network')
    await page.route('**/api/v1/statuses', (route) => route.abort())
    await postButton(page).click()
    // The message that says so is gone at once when another request reaches the server meanwhile.
    await page.getByText('1 post is not sent yet').waitFor()
    await openNew(page)
    await textOf(page).fill('Put aside by ada')
    await page.getByRole('button', { name: 'Minimise' }).click()
    await openNew(page)
    await textOf(page).fill('Begun by ada')
    await page.goto(address('/home'))
    await page.getByText('1 post is not sent yet').waitFor()
    const putAside = page.getByRole('button', { name: 'Put aside by ada' })
    await putAside.waitFor()

    await switchTo(page, ben)
    await page.unroute('**/api/v1/statuses')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    assert.equal(await page.getByText('not sent yet').count(), 0)
    await page.locator('html[data-theme=dark]').waitFor({ state: 'attached' })
    await goTo(page, '/deck')
    await eventually(async () => (await columns.count()) === 3)
    await openNew(page)
    await page.getByText('Posting as @ben').waitFor()
    await hasValue(textOf(page), '')
    await textOf(page).fill('By ben')
    await postButton(page).click()
    await eventually(async () => (await postsOf(ben)).length === 1)
    assert.equal(await putAside.count(), 0)
    await goTo(page, '/drafts')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.getByText('Begun by ada').count(), 0)
    assert.deepEqual(await postsOf(ada), [])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/auth/switch', (route) => answered.then(() => route.continue()))
    const switched = switchTo(page, ada)
    await page.locator('.loading-bar').waitFor({ state: 'attached' })
    answer()
    await switched
    await eventually(async () => (await postsOf(ada))[0]?.text === 'Waits for the network')
    await openNew(page)
    await hasValue(textOf(page), 'Begun by ada')
    assert.equal((await postsOf(ben)).length, 1)
    await page.keyboard.press('Escape')
    await putAside.click()
    await hasValue(textOf(page), 'Put aside by ada')
  },
)

test('a form with changes that are not saved is left only when the viewer says so', options, async () => {
  const page = await withTwo(ada, ben)
  await goTo(page, '/profile/edit')
  await page.getByLabel('Display name').fill('Ada the changed')
  page.once('dialog', (asked) => void asked.dismiss())
  await openMenu(page)
  const asked = page.waitForEvent('dialog')
  await menuItem(page, /^Switch to @ben/).click()
  await asked
  await hasValue(page.getByLabel('Display name'), 'Ada the changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await ada.get(`/api/v1/accounts/${ada.id}`)).display_name === 'Ada the changed')
})

test('an account whose session has ended meanwhile is said to be signed out', options, async () => {
  const page = await withTwo(ada, ben, { expectedErrors: /status of 404/ })
  await openMenu(page)
  const item = menuItem(page, /^Switch to @ben/)
  await item.waitFor()
  await server.ctx.db.run(sql`delete from sessions where user_id = ${ben.userId}`)
  await item.click()
  await page.getByText('You are signed out of that account.').waitFor()
  await openMenu(page)
  await menuItem(page, 'Sign out').waitFor()
  assert.equal(await item.count(), 0)
  await page.keyboard.press('Escape')
  // The streams are still open.
  await ada.post('/api/v1/statuses', { status: 'Still live' })
  await page
    .getByText('Still live')
    .or(page.getByRole('button', { name: /new post/ }))
    .first()
    .waitFor()
})

test('a long name stays in its place on a small phone', options, async () => {
  const long = await server.person('a_name_of_thirty_characters_xx')
  const page = await withTwo(ada, long, { viewport: { width: 320, height: 640 } })
  await openMenu(page)
  const item = menuItem(page, /^Switch to @a_name/)
  await item.waitFor()
  assert.deepEqual(await overflowing(page.locator('.menu-item')), [])
  await page.goto(address('/auth/sign_in?again=1'))
  assert.deepEqual(await overflowing(page.locator('.account-switch li, .account-switch div')), [])
})

const overflowing = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) =>
    all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent ?? ''),
  )
