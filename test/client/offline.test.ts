// With a service worker: the client without a network, without a session and without a server, what other apps share with it, and
// what it leaves on the device.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { clientBrowser, goTo, hasValue, isStored, keep, skipBrowser, storedFor, storedIn } from '../support/client.ts'
import { pngFile, postsOf, says } from '../support/composer.ts'
import { createTestDatabase, sql } from '../support/database.ts'
import { freePort } from '../support/server-pool.ts'
import { eventually, startTestServer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()

await ada.post(`/api/v1/accounts/${ben.id}/follow`)

const textOf = (page: Page) => page.getByPlaceholder('What is on your mind?')
const publish = (page: Page) => page.getByRole('button', { name: 'Post', exact: true }).click()

async function signIn(page: Page, person: Person): Promise<void> {
  await page.fill('[name="user[email]"]', person.email)
  await page.fill('[name="user[password]"]', person.password)
  await page.click('main form button')
}

const post = (person: Person, status: string) => person.post('/api/v1/statuses', { status }) as Promise<{ id: string }>

/** Whether the home timeline is stored. */
const hasReading = `${storedIn('values', 'values', 'getAllKeys')}.then((keys) => keys.includes('reading /home'))`

const hasDraft = `${storedIn('compose', 'drafts', 'getAll')}.then((drafts) => JSON.stringify(drafts).includes('Begun before'))`

/** What opens without a network. */
const hasShell = `caches.match('/shell').then((shell) => shell !== undefined)`

const OFFLINE = {
  serviceWorkers: 'allow',
  expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 401/,
} as const

/** Of ada, with all that an opening without a network needs. */
let page: Page

before(async () => {
  if (skipBrowser) return
  page = await browser.open(server, ada, { ...OFFLINE, path: '/home' })
  await isStored(page)
})

test(
  'the client opens without a network, shows what it had, and sends once what was written',
  { skip: skipBrowser },
  async () => {
    await post(ben, 'Written before the tunnel')
    await page.reload()
    await page.getByText('Written before the tunnel').waitFor()
    await eventually(() => page.evaluate(hasReading))
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('Written before the tunnel').waitFor()
    await page.getByText('You are offline.').waitFor()
    // A screen that was not open before: its code is on the device, its content is not.
    await page.getByRole('link', { name: 'Explore' }).click()
    await page.getByRole('heading', { name: 'Explore' }).waitFor()
    await page.getByText('The server cannot be reached.').first().waitFor()

    await page.getByRole('link', { name: 'New post' }).click()
    await textOf(page).fill('Written in the tunnel')
    await publish(page)
    const isQueued = page.locator('.toast', { hasText: 'The post will be sent' })
    await isQueued.waitFor()
    await page.reload()
    await page.getByText('1 post is not sent yet').waitFor()
    await page.getByRole('link', { name: 'New post' }).click()
    await textOf(page).fill('Deep in the tunnel')
    await publish(page)
    await keep(isQueued)
    await post(ben, 'Written after the tunnel')
    await page.context().setOffline(false)
    await isQueued.waitFor({ state: 'detached' })
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    await eventually(async () => (await ada.get(`/api/v1/accounts/${ada.id}/statuses`)).length === 2)
    await page.getByText('not sent yet').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Written in the tunnel').waitFor()
    await page.getByText('Deep in the tunnel').waitFor()
    await page.getByRole('button', { name: /new post/ }).click()
    await page.getByText('Written after the tunnel').waitFor()
    assert.equal((await ada.get(`/api/v1/accounts/${ada.id}/statuses`)).length, 2)
  },
)

test('images and a text that another app shares open in the composer', { skip: skipBrowser }, async () => {
  const share = async (files: Awaited<ReturnType<typeof pngFile>>[]) => {
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), {
        action: '/share',
        method: 'post',
        enctype: 'multipart/form-data',
        innerHTML: '<input name="text" value="From the gallery"><input name="files" type="file" multiple>',
      })
      document.body.append(form)
    })
    await page.locator('input[name=files]').setInputFiles(files)
    await page.evaluate(() => document.querySelector<HTMLFormElement>('form[action="/share"]')?.submit())
  }
  await share([await pngFile('sea.png', 'blue', 60, 40), await pngFile('wood.png', 'green', 60, 40)])
  await hasValue(textOf(page), 'From the gallery')
  await page.getByRole('button', { name: 'Remove attachment 2' }).waitFor()
  await page.waitForURL('**/home')
  await publish(page)
  await page.getByRole('button', { name: 'Post anyway' }).click()
  await says(page, 'Posted')
  const [shared] = await postsOf(ada)
  assert.deepEqual([shared?.text, shared?.['media_attachments'].length], ['From the gallery', 2])

  // What is refused is in view below the others, also on a phone.
  const desktop = page.viewportSize() ?? { width: 1200, height: 800 }
  await page.setViewportSize({ width: 360, height: 740 })
  await share(await Promise.all(['1', '2', '3', '4', '5'].map((name) => pngFile(`${name}.png`, 'green', 60, 40))))
  const refusal = page.getByRole('alert').getByText('5.png')
  await refusal.waitFor()
  await eventually(() =>
    refusal.evaluate((element) => {
      const { left, top, bottom } = element.getBoundingClientRect()
      return top > 0 && bottom < innerHeight && document.elementFromPoint(left + 5, (top + bottom) / 2) === element
    }),
  )

  assert.equal(await page.evaluate(() => caches.has('shared')), false)
  await page.goto(`http://${server.domain}/share?stored`)
  await says(page, 'The file is no longer on this device. Please add it again.')
  await textOf(page).waitFor()
  await page.setViewportSize(desktop)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('a session that ends loses nothing, and signing in again goes on', { skip: skipBrowser }, async () => {
  await goTo(page, '/public/local')
  await page.getByRole('link', { name: 'New post' }).click()
  await textOf(page).fill('Begun before, sent after')
  await server.ctx.db.run(sql`delete from sessions where user_id = ${ada.userId}`)
  await publish(page)
  await page.getByText('You have been signed out.').first().waitFor()
  await hasValue(textOf(page), 'Begun before, sent after')
  await eventually(() => page.evaluate(hasDraft))
  await eventually(async () => !(await page.evaluate(hasShell)))
  await page.goto(await page.locator('a[href^="/auth/sign_in?next="]').evaluate((link: HTMLAnchorElement) => link.href))
  await signIn(page, ada)
  await page.waitForURL('**/public/local')
  await page.getByRole('link', { name: 'New post' }).click()
  await eventually(async () => (await textOf(page).inputValue()) === 'Begun before, sent after')
  await publish(page)
  await eventually(async () =>
    (await ada.get(`/api/v1/accounts/${ada.id}/statuses`))[0]?.content.includes('Begun before'),
  )

  // Also when a page of the server says so.
  await eventually(() => page.evaluate(hasShell))
  await server.ctx.db.run(sql`delete from sessions where user_id = ${ada.userId}`)
  await page.goto(`http://${server.domain}/@ben`)
  await eventually(async () => !(await page.evaluate(hasShell)))
  await page.goto(`http://${server.domain}/auth/sign_in?next=/home`)
  await signIn(page, ada)
  await page.locator('#main').waitFor()
})

test('a page that is open says so when the moderators freeze the account', { skip: skipBrowser }, async () => {
  const [staff, cleo] = [await server.person('staff', { role: 'moderator' }), await server.person('cleo')]
  const frozen = await browser.open(server, cleo, { expectedErrors: /status of 403/ })
  await frozen.getByText('First steps').waitFor()
  await staff.post(`/api/v1/admin/accounts/${cleo.id}/action`, { type: 'disable' })
  await frozen.getByText('You have been signed out.').waitFor()
})

/** What the client has left on the device. */
const stored = (page: Page) =>
  page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    values: localStorage.length,
  }))

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: /^Sign out/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
}

test(
  'accounts of one browser never see each other, and signing out of the last one clears the device',
  { skip: skipBrowser },
  async () => {
    await post(ada, 'Only for the followers of ada')
    await page
      .getByRole('button', { name: /new post/ })
      .or(page.getByText('Only for the followers of ada'))
      .first()
      .click()
    await page.getByText('Only for the followers of ada').waitFor()
    const other = await page.context().newPage()
    await other.goto(`http://${server.domain}/auth/sign_in?again=1`)
    await signIn(other, ben)
    await other.locator('#main').waitFor()
    // The page that was open follows.
    await page.getByRole('link', { name: 'ben', exact: true }).waitFor()
    await other.goto(`http://${server.domain}/home`)
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await other.getByText('Only for the followers of ada').count(), 0)
    await eventually(async () => (await storedFor(other)).length === 2)

    // On a page of the server. Another page shows as it was, as after the browser's back button.
    await other.goto(`http://${server.domain}/settings`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByText('You are signed out.').waitFor()
    await page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.waitForURL('**/auth/sign_in?*')
    await page.close()
    await other.getByRole('button', { name: 'Continue as @ada' }).click()
    await other.getByText('Only for the followers of ada').waitFor()
    await eventually(async () => (await storedFor(other)).join() === ada.id)
    assert.equal(
      (await other.context().cookies()).find(({ name }) => name === 'rookery_left'),
      undefined,
    )
    const behind = await other.context().newPage()
    await behind.goto(`http://${server.domain}/home`)
    await behind.getByText('Only for the followers of ada').waitFor()
    await signOut(other)
    await behind.waitForURL('**/auth/sign_in?*')
    await behind.close()
    let left = {}
    const nothing = { databases: [], caches: [], workers: 0, values: 0 }
    await eventually(async () => isDeepStrictEqual((left = await stored(other)), nothing)).catch(() =>
      assert.deepEqual(left, nothing),
    )
  },
)

test('a server that restarts leaves no error on the screen', { skip: skipBrowser }, async () => {
  const database = await createTestDatabase()
  const port = await freePort()
  const env = { DATABASE_URL: database.url, PORT: String(port), LOCAL_DOMAIN: `localhost:${port}` }
  const first = await startTestServer(env, { fresh: true })
  const dora = await first.person('dora')
  const expectedErrors = /ERR_CONNECTION_REFUSED|ERR_FAILED|WebSocket|status of 50\d/
  const page = await browser.open(first, dora, { ...OFFLINE, path: '/home', expectedErrors })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await isStored(page)
  await first.stop()
  await page.getByRole('link', { name: 'Bookmarks' }).click()
  await page.getByText('The server cannot be reached.').first().waitFor()
  const second = await startTestServer(env, { fresh: true })
  await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Home' }).first().click()
  await dora.post('/api/v1/statuses', { status: 'After the restart' })
  await page
    .getByRole('button', { name: /new post/ })
    .or(page.getByText('After the restart'))
    .first()
    .click()
  await page.getByText('After the restart').waitFor()
  await page.context().close()
  await second.stop()
  await database.drop()
})
