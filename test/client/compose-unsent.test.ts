// What the composer could not send: threads of which a part failed, posts without a network, lost answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, hasValue, skipBrowser } from '../support/client.ts'
import { openNew, postButton, postsOf, says, textOf } from '../support/composer.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada', 'alice'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }

/** Where the messages of the client lead. */
const toastLinks = (page: Page) =>
  page.locator('.toast a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test('a thread is posted as replies, and what fails remains as a draft', options, async () => {
  const page = await browser.show(server, ada, { ownPage: true, path: '/publish', expectedErrors: /status of 422/ })
  await textOf(page).fill('Thread one')
  await page.getByRole('button', { name: 'Add a post to the thread' }).click()
  await page.getByLabel('Text of post 2 of 2').fill('Thread two')
  await page.getByRole('button', { name: 'Remove this post' }).last().click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByLabel('Text of post 2 of 2').waitFor()
  await page.route('**/api/v1/statuses', (route) =>
    route.request().postData()?.includes('Thread two')
      ? route.fulfill({ status: 422, json: { error: 'Not this one' } })
      : route.continue(),
  )
  await postButton(page).click()
  await page.getByRole('alert').getByText('Not this one').waitFor()
  await hasValue(textOf(page), 'Thread two')
  await page.unroute('**/api/v1/statuses')
  await page.reload()
  await openNew(page)
  await page.getByText('This is what you were writing before.').waitFor()
  await postButton(page).click()
  await says(page, 'Posted')
  const [second, first] = await postsOf(ada)
  assert.deepEqual([first?.text, second?.text, second?.in_reply_to_id], ['Thread one', 'Thread two', first?.id])

  await openNew(page)
  await textOf(page).fill('@alice @ada Draft')
  await page.keyboard.press('Escape')
  await says(page, 'Saved as a draft')
  await openNew(page)
  await hasValue(textOf(page), '')
  await page.getByRole('button', { name: 'Drafts' }).click()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.getByRole('button', { name: /^@alice @ada Draft/ }).click()
  await hasValue(textOf(page), '@alice @ada Draft')
  await textOf(page).pressSequentially(' of mine')
  await hasValue(textOf(page), '@alice @ada Draft of mine')
  await page.keyboard.press('Escape')
  // The code for posts that wait comes later than the first screen, but not after the list that was asked for.
  await page.addInitScript(() => {
    const later = setTimeout
    const soon = (work: () => void, delay = 0) => (delay < 1000 ? later(work, delay) : 0)
    if (location.pathname === '/drafts') window.setTimeout = soon as typeof setTimeout
  })
  await page.goto(`http://${server.domain}/drafts`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete this draft?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('There are no drafts on this device.').waitFor()
})

test('a post that is written offline is sent once, also with two tabs', options, async () => {
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /ERR_FAILED|ERR_INTERNET/ })
  const context = page.context()
  await context.route('**/api/v1/statuses', (route) => route.abort())
  await openNew(page)
  await textOf(page).fill('Written in a tunnel')
  await postButton(page).click()
  await page.getByText('1 post is not sent yet.').waitFor()
  await page.locator('.unsent-notice').getByRole('button', { name: 'Show' }).click()
  await page.getByRole('dialog').getByText('Will be sent when you are online').waitFor()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.keyboard.press('Escape')
  const other = await context.newPage()
  await other.goto(`http://${server.domain}/home`)
  await other.getByText('1 post is not sent yet.').waitFor()
  await context.unroute('**/api/v1/statuses')
  await Promise.all([page, other].map((each) => each.evaluate(`dispatchEvent(new Event('online'))`)))
  await eventually(async () => (await postsOf(ada))[0]?.text === 'Written in a tunnel')
  for (const each of [page, other]) await each.getByText('1 post is not sent yet.').waitFor({ state: 'hidden' })
  const [sent, ...others] = (await postsOf(ada)).filter(({ text }) => text === 'Written in a tunnel')
  assert.deepEqual(others, [])
  // The tab that sent it says so.
  const links = async () => (await Promise.all([page, other].map((each) => toastLinks(each)))).flat()
  await eventually(async () => (await links()).length > 0)
  assert.deepEqual(await links(), [`/@ada/${sent?.id}`])
})

test('a post whose answer was lost is not posted again an hour later', options, async () => {
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /ERR_FAILED|ERR_INTERNET/ })
  const lose = async (text: string) => {
    let count = 0
    await page.route('**/api/v1/statuses', async (route) => {
      if ((count += 1) === 1) await route.fetch()
      await route.abort()
    })
    await openNew(page)
    await textOf(page).fill(text)
    await postButton(page).click()
    await page.getByText('1 post is not sent yet.').waitFor()
  }
  const reconnectTwoHoursLater = async () => {
    // The server knows the key no longer.
    await page.evaluate(setBackAttempts, 2 * 3_600_000)
    await server.database.raw(`delete from idempotency_keys`)
    await page.unroute('**/api/v1/statuses')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
  }
  const startingWith = async (text: string) => (await postsOf(ada)).filter((each) => each.text.startsWith(text))
  await lose('Once and never again')
  await reconnectTwoHoursLater()
  await says(page, 'A post that seemed unsent had been posted')
  const [once, ...others] = await startingWith('Once and never again')
  assert.deepEqual(others, [])
  assert.deepEqual(await toastLinks(page), [`/@ada/${once?.id}`])

  await lose('Twice')
  const [made] = await startingWith('Twice')
  await ada.put(`/api/v1/statuses/${made?.id}`, { status: 'Twice, changed elsewhere' })
  await reconnectTwoHoursLater()
  await page.locator('.unsent-notice').getByRole('button', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This may have been posted already', { exact: false }).waitFor()
  assert.equal((await startingWith('Twice')).length, 1)
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await eventually(async () => (await startingWith('Twice')).length === 2)
})

/** Runs in the page: makes the attempts to send what is stored so many milliseconds older. */
async function setBackAttempts(by: number): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error as Error))
    })
  const db = await done(indexedDB.open(`rookery-compose-${document.documentElement.dataset.account}`))
  // An attempt that is under way stores the draft as it read it.
  await navigator.locks.request('rookery-outbox', async () => {
    const store = db.transaction('drafts', 'readwrite').objectStore('drafts')
    for (const draft of await done(store.getAll()))
      if (draft.attempted)
        await done(store.put({ ...draft, attempted: { ...draft.attempted, at: draft.attempted.at - by } }))
  })
  db.close()
}
