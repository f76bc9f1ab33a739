// What is done with posts and settings every day: keys, appearance, translations, links, columns, gaps.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, hasValue, scrollUntil, skipBrowser } from '../support/client.ts'
import { pasteText } from '../support/client-scene.ts'
import { canMakeVideos, makeVideo } from '../support/media-files.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)
const address = (path: string): string => `http://${server.domain}${path}`

test('keys move, act and open, and appearance is remembered on the device', { skip: skipBrowser }, async () => {
  const older = await ben.post('/api/v1/statuses', { status: 'The older one' })
  await ben.post('/api/v1/statuses', { status: 'The newer one' })
  const page = await browser.show(server, ada, { path: '/home' })
  await page.getByText('The older one').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  // A screen reader says who wrote it, and what.
  const described = await page.locator(':focus').getAttribute('aria-describedby')
  assert.equal(await page.locator(`[id="${described}"]`).textContent(), 'The older one')
  await page.keyboard.press('f')
  await eventually(async () => (await ada.get(`/api/v1/statuses/${older.id}`)).favourited)
  await page.keyboard.press('o')
  await page.waitForURL(`**/@ben/${older.id}`)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Go to Explore').waitFor()
  assert.equal(
    await help
      .locator('div', { has: page.getByText('Post', { exact: true }) })
      .last()
      .innerText(),
    'Post\nCtrl\nEnter',
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  const text = page.getByLabel('Text of the post')
  await text.fill('Half a thought')
  await page.getByRole('button', { name: 'Minimise' }).click()
  await text.waitFor({ state: 'detached' })
  // At once, as the second key has to follow within a second.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('h')])
  await page.waitForURL('**/home')
  await ben.post('/api/v1/statuses', { status: 'The newest one' })
  await page.getByRole('button', { name: '1 new post' }).waitFor()
  await page.keyboard.press('.')
  await page.getByText('The newest one').waitFor()
  await page.getByRole('button', { name: 'Half a thought' }).click()
  await hasValue(text, 'Half a thought')
  await page.keyboard.press('Escape')
  await page.locator('h1:focus').waitFor()

  await goTo(page, '/appearance')
  await page.getByRole('group', { name: 'Density' }).getByLabel('Compact').check()
  await page.getByRole('group', { name: 'Motion' }).getByLabel('Reduced').check()
  await page.getByRole('slider', { name: 'Font size' }).press('End')
  await page.getByLabel('Ask before boosting').check()
  await ben.post(`/api/v1/statuses/${(await ada.post('/api/v1/statuses', { status: 'Boosted' })).id}/reblog`)
  await page.getByLabel('Hide boosts in Home').check()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByText('The newest one').waitFor()
  assert.equal(await page.getByText('boosted', { exact: true }).count(), 0)
  await page.goto(address(`/@ben/${older.id}`))
  const { density, motion } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
  const size = await page.evaluate(() => document.documentElement.style.fontSize)
  assert.deepEqual([density, motion, size], ['compact', 'reduced', '150%'])

  const isBoosted = async (): Promise<boolean> => (await ada.get(`/api/v1/statuses/${older.id}`)).reblogged
  const boost = async (answer: string) => {
    await page.getByRole('button', { name: 'Boost', exact: true }).first().click()
    await page.getByRole('menuitem', { name: /^Boost\b.*Everyone/ }).click()
    await page.getByRole('dialog', { name: 'Boost this post?' }).getByRole('button', { name: answer }).click()
  }
  await boost('Cancel')
  assert.equal(await isBoosted(), false)
  await boost('Boost')
  await eventually(isBoosted)
})

test(
  'lists of another server are imported, and those of the account exported, from the client',
  { skip: skipBrowser },
  async () => {
    const page = await browser.show(server, ada, { path: '/appearance' })
    await page.getByRole('link', { name: 'Account settings' }).click()
    await page.getByRole('link', { name: /^Export/ }).click()
    const href = await page.getByRole('link', { name: 'Download Follows' }).getAttribute('href')
    assert.match(await (await page.request.get(address(href ?? ''))).text(), /^ben@/m)
    await page.getByRole('link', { name: /^Import/ }).click()
    const buffer = Buffer.from('rude.example\n')
    await page.locator('input[type=file]').setInputFiles({ name: 'blocks.csv', mimeType: 'text/csv', buffer })
    await page
      .getByLabel('Blocked domains')
      .or(page.locator('select[name=type]'))
      .first()
      .selectOption('domain_blocking')
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await eventually(async () => (await ada.get('/api/v1/domain_blocks')).includes('rude.example'))
  },
)

test('nothing moves by itself for those who want less motion', { skip: skipBrowser || !canMakeVideos }, async () => {
  const silent = await makeVideo(server.ctx.config.dataDir, 'loop.mp4', { width: 160, height: 90, audio: null })
  const form = new FormData()
  form.set('file', new Blob([await readFile(silent)], { type: 'video/mp4' }), 'loop.mp4')
  const { id } = (await ben.send('POST', '/api/v2/media', { form })).json
  await server.drain()
  await ben.post('/api/v1/statuses', { status: 'It turns', media_ids: [id] })
  const page = await browser.open(server, ada, { path: '/appearance', reducedMotion: 'no-preference' })
  await page.getByLabel('Play animated images and videos automatically').check()
  const loop = page.getByLabel('Animation', { exact: true })
  const isPaused = () => loop.evaluate((video: HTMLVideoElement) => video.paused)
  await goTo(page, '/home')
  await eventually(async () => !(await isPaused()))
  await page.getByRole('button', { name: 'Pause' }).click()
  await eventually(isPaused)
  await page.addInitScript(() => {
    // As browsers do that refuse to play by themselves.
    Object.defineProperty(HTMLMediaElement.prototype, 'autoplay', { set: () => {} })
    new MutationObserver(() => {
      for (const video of document.querySelectorAll('video')) video.removeAttribute('autoplay')
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(address('/home'))
  await page.getByRole('button', { name: 'Play' }).waitFor()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(address('/home'))
  await page.getByRole('button', { name: 'Play' }).waitFor()
  assert.equal(await isPaused(), true)
  await page.getByRole('button', { name: /^More/ }).first().click()
  assert.deepEqual(await page.evaluate(movements), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Play' }).click()
  await eventually(async () => !(await isPaused()))
})

/** Runs in the page: what would move or fade for longer than one can see. */
function movements(): string[] {
  const isLong = (times: string) =>
    times.split(',').some((time) => parseFloat(time) * (time.endsWith('ms') ? 1 : 1000) > 1)
  return [...document.querySelectorAll('body, body *')].flatMap((element) => {
    const { transitionDuration, animationDuration, animationName, scrollBehavior } = getComputedStyle(element)
    const isAnimated = animationName !== 'none' && isLong(animationDuration)
    return isAnimated || isLong(transitionDuration) || scrollBehavior === 'smooth'
      ? element.outerHTML.slice(0, 120)
      : []
  })
}

test('a post is translated, embedded, and shows who favourited it', { skip: skipBrowser }, async () => {
  const { id } = await ben.post('/api/v1/statuses', { status: 'Guten Morgen', language: 'de' })
  await ada.post(`/api/v1/statuses/${id}/favourite`)
  const offerTranslation = (opening: Page) =>
    opening.route('**/api/v2/instance', async (route) => {
      const response = await route.fetch()
      const instance = await response.json()
      instance.configuration.translation.enabled = true
      await route.fulfill({ response, json: instance })
    })
  const page = await browser.show(server, ada, { path: `/@ben/${id}`, prepare: offerTranslation })
  const translation = { content: '<p>Good morning</p>', spoiler_text: '', language: 'en', media_attachments: [] }
  const json = { ...translation, poll: null, detected_source_language: 'de', provider: 'A service' }
  const { promise: isPressedTwice, resolve: answer } = Promise.withResolvers<void>()
  let requests = 0
  await page.route('**/translate', async (route) => {
    requests += 1
    await isPressedTwice
    await route.fulfill({ json })
  })
  const choose = async (item: string) => {
    await page.getByRole('article').getByRole('button', { name: /^More/ }).first().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await page.getByText('Guten Morgen').waitFor()
  // What is stored on the device shows first, until the server has said that it translates.
  await page.waitForLoadState('networkidle')
  await choose('Translate')
  const line = page.locator('.translate-line').getByRole('button')
  await line.press('Enter')
  await line.and(page.locator(':focus[aria-busy=true]')).waitFor()
  answer()
  await page.getByText('Good morning').waitFor()
  await line.and(page.locator(':focus[aria-busy=false]')).waitFor()
  assert.equal(requests, 1)
  await page.getByText('Translated from German by A service').waitFor()
  await choose('Embed…')
  const code = await eventually(async () => (await page.getByLabel('HTML for your website').inputValue()) || null)
  assert.match(code, new RegExp(`<iframe src="http://${server.domain}/@ben/${id}/embed"`))
  await page.keyboard.press('Escape')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.getByRole('navigation').first().waitFor({ state: 'hidden' })
  assert.equal(await page.getByText('Good morning').isVisible(), true)
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(33, 31, 43)')
  await page.emulateMedia({ media: null, colorScheme: null })
  await goTo(page, `/@ben/${id}/favourites`)
  await page.locator('#main').getByText('@ada').waitFor()
})

test('posts that were missed leave a gap, which is loaded', { skip: skipBrowser }, async () => {
  await ben.post('/api/v1/statuses', { status: 'Before the gap' })
  const page = await browser.show(server, ada, {
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
  await scrollUntil(page, () => gap.isVisible())
  // Keys stop at the gap, and go on with what it missed.
  await page.locator('article', { hasText: 'Missed 16.' }).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await gap.waitFor({ state: 'detached' })
  await page.locator('article:focus', { hasText: 'Missed 15.' }).waitFor()
  await scrollUntil(page, () => page.getByText('Missed 1.').isVisible())
})

/** Runs in the page: types into the next text as soon as it is there, before the browser has drawn it. */
function typeAtOnce(): void {
  const observer = new MutationObserver(() => {
    const area = document.querySelector<HTMLTextAreaElement>('.text-input')
    if (!area) return
    observer.disconnect()
    area.focus()
    document.execCommand('insertText', false, 'At once. ')
  })
  observer.observe(document.body, { childList: true, subtree: true })
}

test('a reply is written below its post, and the link to a post becomes a quote', { skip: skipBrowser }, async () => {
  const question = await ben.post('/api/v1/statuses', { status: 'Where do wrens sleep?' })
  const closed = await ben.post('/api/v1/statuses', { status: 'Not for quoting', quote_approval_policy: 'nobody' })
  const page = await browser.goOn(server, ada, { path: '/home' })
  const article = page.locator('article', { hasText: 'Where do wrens sleep?' })
  const below = page.getByRole('region', { name: 'Reply' })
  const text = page.getByLabel('Text of the post')
  await article.focus()
  await page.evaluate(typeAtOnce)
  await page.keyboard.press('r')
  await hasValue(below.getByLabel('Text of the post'), '@ben At once. ')
  await below.getByLabel('Text of the post').pressSequentially('In nests.')
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(await axeViolations(page, '#main'), [])
  await page.keyboard.press('Control+Enter')
  await below.waitFor({ state: 'detached' })
  assert.equal(page.url(), address('/home'))
  const [reply] = await ada.get(`/api/v1/accounts/${ada.id}/statuses`)
  assert.equal(reply.in_reply_to_id, question.id)
  assert.match(reply.content, /At once\. In nests/)
  await eventually(() => article.evaluate((element) => element === document.activeElement))

  // Escape saves it; another screen leaves it one press away.
  await page.keyboard.press('r')
  await text.pressSequentially('Or in holes')
  await page.keyboard.press('Escape')
  await below.waitFor({ state: 'detached' })
  await page.getByText('Saved as a draft').waitFor()
  await article.getByRole('button', { name: /^Reply/ }).click()
  await text.pressSequentially('Perhaps in holes')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('button', { name: '@ben Perhaps in holes' }).click()
  await page.getByRole('dialog', { name: 'Reply' }).getByText('Where do wrens sleep?').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.keyboard.press('n')
  const paste = async (link: string) => {
    const answer = page.waitForResponse(/api\/v2\/search/)
    await pasteText(text, link)
    await answer
  }
  await text.fill('See ')
  await paste(closed.url)
  await text.fill('Sleepy birds ')
  await paste(question.url)
  await page.getByText('This link leads to a post by ben.').waitFor()
  await page.getByRole('button', { name: 'Leave it a link' }).click()
  await hasValue(text, `Sleepy birds ${question.url}`)
  await text.fill('Sleepy birds\n')
  await paste(question.url)
  await page.getByRole('button', { name: 'Quote this post' }).click()
  await hasValue(text, 'Sleepy birds\n')
  await page.getByRole('region', { name: 'The post you quote' }).getByText('Where do wrens').waitFor()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const [quoting] = await ada.get(`/api/v1/accounts/${ada.id}/statuses`)
  assert.equal(quoting.quote?.quoted_status.id, question.id)
})

test('all of the navigation fits the window of a small laptop', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/bookmarks', viewport: { width: 1280, height: 620 } })
  await page.locator('.more-entry').waitFor()
  const [content, height] = await page
    .locator('.navigation')
    .evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight] as const)
  assert.ok(content <= height, `${content} of ${height} pixels`)
})
