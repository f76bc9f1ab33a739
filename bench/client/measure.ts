// The measurements, on the client and on the plain page alike.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { median, quantile } from '../lib/numbers.ts'
import { installBench, paintedAfterClick, paintedTimeline, scrollThrough, type Loaded, type Scrolled } from './page.ts'

export type Cookies = NonNullable<BrowserContextOptions['storageState']>
export type Place = { browser: Browser; address: string; cookies?: Cookies }

const STATUS = 'article.status'
const DETAIL = '.status-detail'
/** Pixels per frame: 9,000 a second, as a long swipe. */
const STEP = 150
const WARM_VISITS = 4
const OPENED = 8

/** Signs in by the form. Every context that starts with these cookies is signed in. */
export async function signIn(browser: Browser, origin: string, email: string, password: string): Promise<Cookies> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/auth/sign_in`)
  await page.fill('[name="user[email]"]', email)
  await page.fill('[name="user[password]"]', password)
  await Promise.all([page.waitForURL((url) => url.pathname !== '/auth/sign_in'), page.click('main form button')])
  // The first page of the client sets the cookie of the token.
  await page.goto(origin)
  const cookies = await context.storageState()
  await context.close()
  return cookies
}

/** Opens a browser context without cache and storage, and closes it at the end. */
async function inNewContext<T>({ browser, cookies }: Place, use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...(cookies ? { storageState: cookies } : {}),
  })
  await context.addInitScript(installBench)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

async function visit(page: Page, address: string): Promise<Loaded> {
  await page.goto(address, { waitUntil: 'commit' })
  return page.evaluate(paintedTimeline, STATUS)
}

export type Visits = { cold: Loaded; warm: number[] }

export function measureVisits(place: Place): Promise<Visits> {
  return inNewContext(place, async (context) => {
    const page = await context.newPage()
    const cold = await visit(page, place.address)
    const warm: number[] = []
    for (let i = 0; i < WARM_VISITS; i++) {
      // Time to store what a later visit reads, and to register a service worker.
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(500)
      await page.goto('about:blank')
      warm.push((await visit(page, place.address)).at)
    }
    return { cold, warm }
  })
}

export type Opened = { first: number; later: number }

/** Opens one status after the other, each in view, and goes back. */
export function measureOpening(place: Place): Promise<Opened> {
  return inNewContext(place, async (context) => {
    const page = await context.newPage()
    const times: number[] = []
    for (let i = 0; i < OPENED; i++) {
      if (i === 0 || !place.cookies) await visit(page, place.address)
      else {
        await page.goBack()
        await page.locator(STATUS).first().waitFor()
      }
      await page.waitForLoadState('networkidle')
      const measured = page.evaluate(paintedAfterClick, DETAIL)
      // Its edge is part of no link.
      await page
        .locator(STATUS)
        .nth(i % 3)
        .click({ position: { x: 4, y: 4 } })
      times.push(await measured)
    }
    return { first: times[0] as number, later: median(times.slice(1)) }
  })
}

type Memory = { heap: number; elements: number }
/** `work`: milliseconds that the main thread of the page worked per frame. */
export type Scrolling = Pick<Scrolled, 'statuses'> & {
  p95: number
  median: number
  work: number
  before: Memory
  after: Memory
}

/** `statuses`: null to scroll to the end. */
export function measureScrolling(place: Place, statuses: number | null): Promise<Scrolling> {
  return inNewContext(place, async (context) => {
    const page = await context.newPage()
    await visit(page, place.address)
    await page.waitForLoadState('networkidle')
    const before = await memoryOf(page)
    const worked = await measureWork(page)
    const scrolled = await page.evaluate(scrollThrough, { step: STEP, statuses })
    const { frames } = scrolled
    const work = (await worked()) / frames.length
    await page.waitForLoadState('networkidle')
    const after = await memoryOf(page)
    return { statuses: scrolled.statuses, p95: quantile(frames, 0.95), median: median(frames), work, before, after }
  })
}

/** Measures from now on. The function returns the milliseconds that the main thread of the page has worked since. */
async function measureWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const total = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await total()
  return async () => (await total()) - before
}

/** Megabytes of JavaScript objects after a garbage collection, and the number of elements in the document. */
async function memoryOf(page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { heap: usedSize / 1e6, elements: await page.evaluate(() => document.getElementsByTagName('*').length) }
}
