// Pulling down on a touch screen looks for what is new. Fingers are those of the browser's own protocol.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientBrowser, goTo, scrollUntil, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
await ada.post(`/api/v1/accounts/${ben.id}/follow`)

/** On a phone to which no stream brings anything. */
let page: Page

before(async () => {
  if (skipBrowser) return
  const phone = { hasTouch: true, viewport: { width: 390, height: 700 }, expectedErrors: /503/ }
  page = await browser.open(server, ada, {
    ...phone,
    path: '/drafts',
    prepare: (opening) => opening.routeWebSocket('**/api/v1/streaming*', () => {}),
  })
})

async function show(path: string): Promise<void> {
  await goTo(page, path)
  await page.locator('.pull-to-refresh').waitFor({ state: 'attached' })
}

/** Moves one finger by this much, and lets go after `whileDown`. */
async function drag({ x = 0, y = 0 }, whileDown?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 200 + x * part, y: 300 + y * part }],
    })
  await send('touchStart', 0)
  for (let step = 1; step <= 10; step += 1) await send('touchMove', step / 10)
  await whileDown?.()
  await send('touchEnd', 1)
  await session.detach()
}

/** Until the page has noticed it: a busy one loses touches to the browser, which scrolls instead. */
const pull = (): Promise<boolean> =>
  eventually(async () => {
    let isNoticed = false
    await drag({ y: 180 }, async () => {
      isNoticed = await page.evaluate(
        () =>
          new Promise((resolve) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => resolve(document.querySelector('.pull-sign[data-ready=true]') !== null)),
            ),
          ),
      )
    })
    return isNoticed
  })

const isRefreshed = (): Promise<void> => page.getByRole('status').getByText('Up to date').waitFor()

test('pulling home down shows new posts, and says so', { skip: skipBrowser }, async () => {
  await ben.post('/api/v1/statuses', { status: 'There before' })
  await show('/home')
  await page.getByText('There before').waitFor()
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY), 'contain')
  await ben.post('/api/v1/statuses', { status: 'Written meanwhile' })
  await server.drain()
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/timelines/home') && requests.push(request.url()))
  // Too short, and sideways.
  for (const way of [{ y: 60 }, { x: 150, y: 100 }]) await drag(way)
  assert.deepEqual(requests, [])
  await pull()
  await page.getByText('Written meanwhile').waitFor()
  await isRefreshed()
  await page.locator('.pull-sign').waitFor({ state: 'detached' })
  // Upwards. While the page still moves, the browser takes the next touch for itself.
  await drag({ y: -200 })
  assert.equal(requests.length, 1)
})

test('pulling down refreshes notifications, lists without a stream and empty ones', { skip: skipBrowser }, async () => {
  await show('/notifications')
  await ben.post('/api/v1/statuses', { status: '@ada Are you there?' })
  await server.drain()
  await pull()
  await page.getByText('Are you there?').waitFor()
  await isRefreshed()

  await show('/bookmarks')
  await page.getByText('You have no bookmarks yet.').waitFor()
  for (const status of ['Worth keeping', 'Worth keeping, too']) {
    const { id } = await ben.post('/api/v1/statuses', { status })
    await ada.post(`/api/v1/statuses/${id}/bookmark`)
    await pull()
    await page.getByText(status, { exact: true }).waitFor()
  }
})

test('a failed refresh says so and may be repeated', { skip: skipBrowser }, async () => {
  await show('/home')
  await page.getByRole('article').first().waitFor()
  await ben.post('/api/v1/statuses', { status: 'Late news' })
  await server.drain()
  const home = '**/api/v1/timelines/home*'
  await page.route(home, (route) => route.fulfill({ status: 503, json: { error: 'Try later' } }))
  await pull()
  await page.getByRole('alert').waitFor()
  await page.locator('.pull-sign').waitFor({ state: 'detached' })
  await page.unroute(home)
  await pull()
  await page.getByText('Late news').waitFor()
})

test('further down, a finger scrolls and refreshes nothing', { skip: skipBrowser }, async () => {
  for (let number = 1; number <= 8; number += 1) await ben.post('/api/v1/statuses', { status: `Post ${number}` })
  await show('/public/local')
  await scrollUntil(page, () => page.evaluate(() => scrollY > 400))
  const before = await page.evaluate(() => scrollY)
  await drag({ y: 180 }, async () => {
    await eventually(() => page.evaluate((from) => scrollY < from, before))
    assert.equal(await page.locator('.pull-sign').count(), 0)
  })
})
