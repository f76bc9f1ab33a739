// A new build of the client while the one before is open.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientBrowser, isStored, skipBrowser } from '../support/client.ts'
import { startUpdatableServer } from '../support/second-build.ts'
import { eventually } from '../support/server.ts'

const { server, update, stop } = await startUpdatableServer()
after(stop)
const browser = clientBrowser()
const ada = await server.person('ada')

const isNew = (page: Page): Promise<boolean> => page.evaluate(`!!document.querySelector('script[src*="~2.js"]')`)
const caches = (page: Page): Promise<string[]> => page.evaluate('caches.keys()')
const textOf = (page: Page) => page.getByLabel('Text of the post')

test('an update waits until it is accepted, and loses no draft in any tab', { skip: skipBrowser }, async () => {
  const page = await browser.open(server, ada, { serviceWorkers: 'allow', path: '/home' })
  const context = page.context()
  await isStored(page)
  const [before = ''] = await caches(page)
  const writing = await context.newPage()
  await writing.goto(`http://${server.domain}/home`)
  await writing.getByRole('link', { name: 'New post' }).click()
  await textOf(writing).fill('Begun in the old version')
  // Without files of a service worker.
  const expectedErrors = /status of 404|dynamically imported/
  const plain = await browser.open(server, ada, { path: '/home', expectedErrors })
  // Its code that asks for the version of the server may still be on its way.
  await eventually(async () => {
    await plain.evaluate(`dispatchEvent(new Event('vite:preloadError'))`)
    return (await plain.getByText('Some of this page could not be loaded.').count()) > 0
  })

  update()
  await plain.getByRole('link', { name: 'Lists' }).first().click()
  await plain.getByText('A new version is ready.').waitFor()
  await plain.getByRole('button', { name: 'Reload to update' }).click()
  await eventually(() => isNew(plain).catch(() => false))
  await plain.context().close()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  for (const each of [page, writing]) await each.getByText('A new version is ready.').waitFor()
  // The server no longer has the files of this screen.
  await page.getByRole('link', { name: 'Lists' }).first().click()
  await page.getByRole('heading', { name: 'Lists' }).waitFor()
  assert.equal(await isNew(page), false)
  assert.ok((await caches(page)).includes(before))

  await page.getByRole('button', { name: 'Reload to update' }).click()
  await eventually(() => isNew(page).catch(() => false))
  await page.getByRole('heading', { name: 'Lists' }).waitFor()
  await eventually(async () => (await caches(page)).join() === 'rookery-updated')
  assert.equal(await page.getByText('A new version is ready.').count(), 0)

  assert.equal(await isNew(writing), false)
  await textOf(writing).pressSequentially(', ended in the new one')
  await writing.reload()
  assert.equal(await isNew(writing), true)
  await writing.getByRole('link', { name: 'New post' }).click()
  await eventually(
    async () => (await textOf(writing).inputValue()) === 'Begun in the old version, ended in the new one',
  )
  await writing.getByRole('button', { name: 'Post', exact: true }).click()
  await writing.getByText('Begun in the old version').waitFor()
  assert.equal((await ada.get(`/api/v1/accounts/${ada.id}/statuses`)).length, 1)
  await context.close()
})
