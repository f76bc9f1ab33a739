// One account in two tabs, and in two browsers: what is read, written and sent in one is right in the other.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, shortenIntervals, skipBrowser, storedIn } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)

const address = (path: string): string => `http://${server.domain}${path}`
const textOf = (page: Page) => page.getByLabel('Text of the post')
const badge = (page: Page) => page.getByText('1 unread notification', { exact: true })
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
    const page = await browser.show(server, ada, { path: '/bookmarks' })
    await shortenIntervals(page)
    await goTo(page, '/home')
    const tab = await page.context().newPage()
    await tab.goto(address('/bookmarks'))
    const other = await browser.open(server, ada, { path: '/home' })
    for (const each of [page, tab, other]) await badge(each).waitFor()
    await eventually(async () => (await markers()).home?.last_read_id === mine.id)
    assert.ok(BigInt(first.id) < BigInt(mine.id))

    await tab.getByRole('link', { name: 'Notifications' }).first().click()
    for (const each of [tab, page]) await badge(each).waitFor({ state: 'detached' })
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await badge(other).waitFor({ state: 'detached' })

    await goTo(page, '/follow_requests')
    await page.getByText('No follow requests are waiting for you.').waitFor()
    const cleo = await server.person('cleo')
    await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
    await cleo.post(`/api/v1/accounts/${ada.id}/follow`)
    const requests = (each: Page) => each.getByRole('link', { name: /^Follow requests/ }).first()
    for (const each of [tab, page, other]) await requests(each).waitFor()
    await requests(tab).click()
    await page.getByRole('button', { name: 'Accept @cleo' }).waitFor()
    await tab.getByRole('button', { name: 'Accept @cleo' }).click()
    await requests(page).waitFor({ state: 'detached' })
    await page.getByText('No follow requests are waiting for you.').waitFor()
    await goTo(page, '/home')
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await requests(other).waitFor({ state: 'detached' })
    await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: false } })

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
  },
)

test(
  'what one tab hides leaves Home in the others, and returns without the filter',
  { skip: skipBrowser },
  async () => {
    for (const status of ['Older than all', 'Hidden for a while', 'Newer than all'])
      await (status.startsWith('Hidden') ? ben : ada).post('/api/v1/statuses', { status })
    const page = await browser.goOn(server, ada, { path: '/home' })
    const main = page.locator('#main')
    const isOrder = (expected: readonly string[]) =>
      eventually(async () => {
        const text = await main.innerText()
        const shown = text.match(/(Older|Newer) than all|Hidden for a while/g) ?? []
        return shown.join() === expected.join()
      })
    const [all, others] = [
      ['Newer than all', 'Hidden for a while', 'Older than all'],
      ['Newer than all', 'Older than all'],
    ]
    await isOrder(all)
    const tab = await page.context().newPage()
    await tab.goto(address('/@ben'))
    await tab.locator('.profile-buttons').getByRole('button', { name: 'More' }).click()
    await tab.getByRole('menuitem', { name: 'Mute…' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
    await isOrder(others)
    await tab.getByRole('button', { name: 'Undo' }).click()
    // A job of the server restores Home.
    await eventually(async () => JSON.stringify(await ada.get('/api/v1/timelines/home')).includes('Hidden for a while'))

    // Where no screen shows Home meanwhile, too.
    await goTo(page, '/bookmarks')
    await goTo(tab, '/filters/new')
    await tab.getByRole('textbox', { name: 'Word or phrase' }).fill('while')
    await tab.getByLabel('Hide completely').check()
    await tab.getByRole('button', { name: 'Create' }).click()
    await tab.getByRole('link', { name: 'while' }).waitFor()
    await goTo(page, '/home')
    await isOrder(others)
    await tab.getByRole('button', { name: 'Delete: while' }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await isOrder(all)
  },
)

test('a draft that two tabs change loses nothing', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/publish' })
  await textOf(page).fill('Written in one tab')
  await eventually(() => page.evaluate(`${storedIn('compose', 'drafts', 'getAll')}.then(({ length }) => length === 1)`))
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
})

const chooseFile = (page: Page, content: string) =>
  page
    .locator('.appearance input[type=file]')
    .setInputFiles({ name: 'settings.json', mimeType: 'application/json', buffer: Buffer.from(content) })

async function exported(page: Page): Promise<string> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  return readFile(await (await saving).path(), 'utf8')
}

test('settings, columns and drafts move to another browser as a file', { skip: skipBrowser }, async () => {
  const question = await ben.post('/api/v1/statuses', { status: 'Which wren?' })
  const page = await browser.show(server, ada, { path: `/@ben/${question.id}` })
  await page.locator('.status-detail').getByRole('button', { name: 'Reply', exact: true }).click()
  await textOf(page).pressSequentially('The brown one')
  await page.keyboard.press('Escape')
  await page.getByText('Saved as a draft').waitFor()
  await goTo(page, '/tags/wrens?none=robins')
  await page.getByRole('button', { name: 'Pin this screen' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Show as a column' }).click()
  await goTo(page, '/appearance')
  await page.getByLabel('Compact').check()
  await page.getByLabel('Teal').check()
  await page.getByLabel('Ask before boosting').check()
  assert.doesNotMatch(await exported(page), /The brown one/)
  await page.getByLabel('With drafts').check()
  const file = await exported(page)
  const { value: token = '' } = (await page.context().cookies()).find(({ httpOnly }) => httpOnly) ?? {}
  assert.ok(token.length > 10 && !file.includes(token))

  const other = await browser.open(server, ada, { path: '/appearance' })
  const dialog = other.getByRole('dialog')
  for (const [content, problem] of [
    ['{', 'This is not a settings file.'],
    ['[1]', 'This is not a settings file.'],
    [JSON.stringify({ ...JSON.parse(file), version: 99 }), 'A newer version has made this file.'],
    [' '.repeat(2_000_001), 'The file is too large.'],
  ] as const) {
    await chooseFile(other, content)
    await other.getByRole('alert').getByText(problem).waitFor()
  }
  // Nothing but known settings, and no address of another server.
  const hostile = {
    theme: 'pink',
    accent: 'plaid',
    autoplay: 'yes',
    fontSize: 9000,
    columns: ['//evil.test', 'https://evil.test', '/\\evil.test', '/\t/evil.test', '/\n\\evil.test', 7],
    shortcuts: [{ path: '/\t/evil.test', label: 'Home' }, { path: '/home' }, null],
  }
  await chooseFile(other, JSON.stringify({ ...JSON.parse(file), settings: hostile, drafts: [{ posts: 'none' }, null] }))
  await dialog.getByText('Everything is already as in the file.').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Import' }).isDisabled(), true)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const twice = ['Wrens', 'Small birds'].map((label) => ({ path: '/tags/wrens', label }))
  await chooseFile(other, JSON.stringify({ ...JSON.parse(file), settings: { shortcuts: twice }, drafts: [] }))
  await dialog.getByText('– → Small birds', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await chooseFile(other, file)
  await dialog.getByText(`From @ada@${server.domain}`).waitFor()
  await dialog.getByText('Comfortable → Compact').waitFor()
  await dialog.getByText('Indigo → Teal').waitFor()
  await dialog.getByText('1 draft will be added.').waitFor()
  await dialog.getByText('/tags/wrens?none=robins').waitFor()
  assert.deepEqual(await axeViolations(other, 'dialog[open]'), [])
  await dialog.getByRole('button', { name: 'Import' }).click()
  await eventually(() => other.getByLabel('Ask before boosting').isChecked())
  await other.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => !(await other.getByLabel('Compact').isChecked()))
  await chooseFile(other, file)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await eventually(() => other.getByLabel('Compact').isChecked())
  await goTo(other, '/deck')
  await other.getByRole('heading', { name: '#wrens without #robins' }).waitFor()
  await goTo(other, '/drafts')
  await other.getByRole('button', { name: /The brown one/ }).click()
  await other.getByText('The post you reply to').or(other.getByText('Which wren?')).first().waitFor()
  await other.getByRole('button', { name: 'Post', exact: true }).click()
  await eventually(async () => (await ada.get(`/api/v1/statuses/${question.id}`)).replies_count === 1)

  // Another account has lists and drafts of its own.
  const third = await browser.open(server, ben, { path: '/appearance' })
  await chooseFile(third, file)
  await third.getByText('The file is from another account, so its columns and drafts are left out.').waitFor()
  assert.equal(await third.getByRole('dialog').getByText('wrens').count(), 0)
  await third.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await eventually(() => third.getByLabel('Compact').isChecked())
})
