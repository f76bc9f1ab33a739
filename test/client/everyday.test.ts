// What is done with posts and settings every day: keys, appearance, translations, links, columns, gaps.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)
const address = (path: string): string => `http://${server.domain}${path}`

test('keys move, act and open, and appearance is remembered on the device', { skip: skipBrowser }, async () => {
  const older = await ben.post('/api/v1/statuses', { status: 'The older one' })
  await ben.post('/api/v1/statuses', { status: 'The newer one' })
  const page = await browser.open(server, ada, { path: '/home' })
  await page.getByText('The older one').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await eventually(async () => (await ada.get(`/api/v1/statuses/${older.id}`)).favourited)
  await page.keyboard.press('o')
  await page.waitForURL(`**/@ben/${older.id}`)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Explore').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.getByLabel('Text of the post').waitFor()
  await page.keyboard.press('Escape')

  await page.goto(address('/appearance'))
  await page.getByRole('group', { name: 'Density' }).getByLabel('Compact').check()
  await page.getByRole('group', { name: 'Motion' }).getByLabel('Reduced').check()
  await page.getByRole('slider', { name: 'Font size' }).press('End')
  await page.getByLabel('Ask before boosting').check()
  await page.goto(address(`/@ben/${older.id}`))
  const { density, motion } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
  const size = await page.evaluate(() => document.documentElement.style.fontSize)
  assert.deepEqual([density, motion, size], ['compact', 'reduced', '150%'])
  await page.context().close()
})

test('a post is translated, embedded, and shows who favourited it', { skip: skipBrowser }, async () => {
  const { id } = await ben.post('/api/v1/statuses', { status: 'Guten Morgen', language: 'de' })
  await ada.post(`/api/v1/statuses/${id}/favourite`)
  const page = await browser.open(server, ada, { path: '/bookmarks' })
  await page.route('**/api/v2/instance', async (route) => {
    const response = await route.fetch()
    const instance = await response.json()
    instance.configuration.translation.enabled = true
    await route.fulfill({ response, json: instance })
  })
  const translation = { content: '<p>Good morning</p>', spoiler_text: '', language: 'en', media_attachments: [] }
  const json = { ...translation, poll: null, detected_source_language: 'de', provider: 'A service' }
  await page.route('**/translate', (route) => route.fulfill({ json }))
  await page.goto(address(`/@ben/${id}`))
  const choose = async (item: string) => {
    await page.getByRole('article').getByRole('button', { name: /^More/ }).first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await page.getByText('Guten Morgen').waitFor()
  // What is stored on the device shows first.
  await page.reload()
  await choose('Translate')
  await page.getByText('Good morning').waitFor()
  await page.getByText('Translated from German by A service').waitFor()
  await choose('Embed …')
  const code = await eventually(async () => (await page.getByLabel('HTML for your website').inputValue()) || null)
  assert.match(code, new RegExp(`<iframe src="http://${server.domain}/@ben/${id}/embed"`))
  await page.keyboard.press('Escape')
  await page.goto(address(`/@ben/${id}/favourites`))
  await page.locator('#main').getByText('@ada').waitFor()
  await page.context().close()
})

test('posts that were missed leave a gap, which is loaded', { skip: skipBrowser }, async () => {
  await ben.post('/api/v1/statuses', { status: 'Before the gap' })
  const page = await browser.open(server, ada, {
    path: '/home',
    expectedErrors: /ERR_INTERNET|WebSocket|Unable to preload/,
  })
  await page.getByText('Before the gap').waitFor()
  await page.context().setOffline(true)
  for (let number = 1; number <= 55; number += 1) await ben.post('/api/v1/statuses', { status: `Missed ${number}.` })
  await page.context().setOffline(false)
  await page.getByRole('button', { name: /new posts/ }).click()
  await page.getByText('Missed 55.').waitFor()
  const gap = page.getByRole('button', { name: 'Load missing posts' })
  for (let steps = 0; steps < 60 && !(await gap.count()); steps += 1) {
    await page.mouse.wheel(0, 600)
    await page.waitForTimeout(50)
  }
  await gap.click()
  await gap.waitFor({ state: 'detached' })
  for (let steps = 0; steps < 60 && !(await page.getByText('Missed 1.').count()); steps += 1) {
    await page.mouse.wheel(0, 600)
    await page.waitForTimeout(50)
  }
  await page.getByText('Missed 1.').waitFor()
  await page.context().close()
})
