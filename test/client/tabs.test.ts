// One account in two tabs, and in two browsers: what is read, written and sent in one is right in the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)

const address = (path: string): string => `http://${server.domain}${path}`
const textOf = (page: Page) => page.getByLabel('Text of the post')
const badge = (page: Page, text: string) => page.getByText(text, { exact: true })
const markers = () => ada.get('/api/v1/markers?timeline[]=home&timeline[]=notifications')

test(
  'what is read in one tab or browser is read in the others, and never becomes unread',
  {
    skip: skipBrowser,
  },
  async () => {
    const first: { id: string } = await ben.post('/api/v1/statuses', { status: 'The first of the day' })
    const mine = await ada.post('/api/v1/statuses', { status: 'Mine' })
    await ben.post(`/api/v1/statuses/${mine.id}/favourite`)
    const page = await browser.open(server, ada, { path: '/home' })
    const tab = await page.context().newPage()
    await tab.goto(address('/bookmarks'))
    const other = await browser.open(server, ada, { path: '/home' })
    for (const each of [page, tab, other]) await badge(each, '1 unread notification').waitFor()
    await eventually(async () => (await markers()).home?.last_read_id === mine.id)
    assert.ok(BigInt(first.id) < BigInt(mine.id))

    await tab.getByRole('link', { name: 'Notifications' }).first().click()
    for (const each of [tab, page]) await badge(each, '1 unread notification').waitFor({ state: 'detached' })
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await badge(other, '1 unread notification').waitFor({ state: 'detached' })

    const newest = await ben.post('/api/v1/statuses', { status: 'Read elsewhere' })
    await page.getByRole('button', { name: '1 new post' }).waitFor()
    await ada.post('/api/v1/markers', { home: { last_read_id: newest.id } })
    // The pages show what they had, with an older post on top.
    const looked = [page, other].map((each) =>
      each.waitForRequest((request) => request.url().includes('/api/v1/markers?')),
    )
    await Promise.all([page.reload(), other.reload()])
    await Promise.all(looked)
    await page.getByText('The first of the day').waitFor()
    assert.equal((await markers()).home.last_read_id, newest.id)
    for (const each of [page, other]) await each.context().close()
  },
)

test('a draft that two tabs change loses nothing', { skip: skipBrowser }, async () => {
  const page = await browser.open(server, ada, { path: '/publish' })
  await textOf(page).fill('Written in one tab')
  const tab = await page.context().newPage()
  await tab.goto(address('/drafts'))
  await tab.getByRole('button', { name: /^Written in one tab/ }).click()
  await tab.getByText('Another tab has this draft open, so this is a copy.').waitFor()
  await textOf(tab).pressSequentially(', changed in another')
  await textOf(page).pressSequentially(', and continued')
  for (const each of [tab, page]) {
    await each.keyboard.press('Escape')
    await each.getByText('Saved as a draft').waitFor()
  }
  await tab.goto(address('/drafts'))
  for (const text of ['Written in one tab, changed in another', 'Written in one tab, and continued'])
    await tab.getByRole('button', { name: text }).waitFor()
  assert.equal(await tab.locator('.draft-row').count(), 2)
  await page.context().close()
})
