// The web client in a real browser, on a real server.
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Cookie, Locator, Page } from 'playwright-core'
import { sharedBrowser } from './browser.ts'
import { printPages, recordEvents } from './failed-pages.ts'
import { browser } from './forms.ts'
import { eventually, type Person, type TestServer } from './server.ts'

/** Tests of the client pass it to `test`: the package with the browser is for x64 only. */
export const skipBrowser = process.arch !== 'x64' && 'the package with the browser is for x64 only'

export type OpenOptions = BrowserContextOptions & {
  path?: string
  /** Prepares the page before the client loads in it, which is cheaper than to load it anew. */
  prepare?: (page: Page) => Promise<unknown>
  /** Console errors that the test provokes, such as those of refused requests. */
  expectedErrors?: RegExp
  /** Addresses on other servers that the test opens on purpose. */
  expectedRequests?: RegExp
}

export type ClientBrowser = {
  /** An empty page, signed out. */
  visit(server: TestServer, options?: Omit<OpenOptions, 'path' | 'prepare'>): Promise<Page>
  /** A signed-in page in a browser context of its own. */
  open(server: TestServer, person: Person, options?: OpenOptions): Promise<Page>
  /**
   * As `open`, in a page that the tests of the file share. It costs half. Of several people, the last one is in use. What a test stored,
   * routed or resized is undone after it. Not for tests that install a clock, end sessions, or depend on what the browser has cached.
   * Tests that add scripts or depend on the history ask for an `ownPage`.
   */
  show(server: TestServer, people: Person | readonly Person[], options?: ShowOptions): Promise<Page>
  /**
   * As `show`, and goes on in the client where the last test to use the shared page did so for this person, which costs a quarter. What
   * such tests store and load stays until the next `show`. Not for tests that change settings, depend on what the client has loaded
   * before, or change what the browser offers to scripts.
   */
  goOn(server: TestServer, person: Person, options?: Omit<ShowOptions, 'prepare' | 'ownPage'>): Promise<Page>
}

type Expected = Pick<OpenOptions, 'expectedErrors' | 'expectedRequests'>
type ShowOptions = Expected &
  Pick<OpenOptions, 'path' | 'prepare' | 'colorScheme' | 'reducedMotion'> & {
    viewport?: { width: number; height: number }
    /** A page that closes after the test, in the browser context of the shared one. */
    ownPage?: boolean
  }

/** The side panel of wider windows would repeat what screens have. It has tests of its own. */
const VIEWPORT = { width: 1200, height: 800 }

/**
 * A browser for the tests of a file. The pages of a test are closed after it, those of `before` after the last test. Call it at the top
 * level. A test fails when one of its pages logs an error, breaks the content security policy, or sends a request to another origin.
 */
export function clientBrowser(): ClientBrowser {
  const contexts: BrowserContext[] = []
  const ofBefore: BrowserContext[] = []
  const problems: string[] = []
  let shared: { page: Page; server: TestServer; sessions: Map<string, Cookie[]>; expected: Expected } | null = null
  let isShown = false
  /** The account whose tests go on in the shared page. */
  let goesOnFor: string | null = null
  const close = (all: BrowserContext[]) => Promise.all(all.splice(0).map((context) => context.close()))
  beforeEach(() => void ofBefore.push(...contexts.splice(0)))
  // Pages that stay open go on working: they hear of all that later tests do.
  afterEach(async (test) => {
    if (!test.passed) await printPages(test.name, [...contexts, ...ofBefore])
    await close(contexts)
    if (shared && isShown) await (goesOnFor === null ? clear(shared.page, shared.server) : putBack(shared.page))
    isShown = false
    assert.deepEqual(problems.splice(0), [])
  })
  after(async () => void (await close(ofBefore)))
  return {
    async visit(server, given = {}) {
      const { expectedErrors: _errors, expectedRequests: _requests, ...options } = given
      const context = await (
        await sharedBrowser()
      ).newContext({
        viewport: VIEWPORT,
        // Interceptions of requests by tests do not see those of a service worker.
        serviceWorkers: 'block',
        ...options,
      })
      contexts.push(context)
      recordEvents(context)
      const report = (problem: string): void => void problems.push(problem)
      watchErrors(context, (error) => given.expectedErrors?.test(error) || report(error))
      watchRequests(
        context,
        server.domain,
        (address) => given.expectedRequests?.test(address) || report(`request to ${address}`),
      )
      await watchPolicy(context, report)
      return context.newPage()
    },
    async open(server, person, { path = '/', prepare, ...options } = {}) {
      const page = await this.visit(server, options)
      await addSession(page.context(), server, person)
      await prepare?.(page)
      await page.goto(`http://${server.domain}${path}`)
      await page.locator('#main').waitFor()
      return page
    },
    async show(
      server,
      people,
      { path = '/', prepare, viewport = VIEWPORT, colorScheme, reducedMotion, ownPage = false, ...expected } = {},
    ) {
      if (!shared) {
        const ofTest: Expected = {}
        const page = await this.visit(server, ofTest)
        shared = { page, server, sessions: new Map(), expected: ofTest }
        ofBefore.push(...contexts.splice(contexts.indexOf(page.context()), 1))
      }
      assert.equal(shared.server, server, 'the shared page is for one server')
      if (goesOnFor !== null) await clear(shared.page, server)
      goesOnFor = null
      isShown = true
      Object.assign(shared.expected, NOTHING_EXPECTED, expected)
      const { sessions } = shared
      const context = shared.page.context()
      const all = [people].flat()
      const key = all.map(({ id }) => id).join()
      await context.clearCookies()
      const session = sessions.get(key)
      if (session) await context.addCookies(session)
      else {
        await addSession(context, server, ...all)
        sessions.set(key, await context.cookies())
      }
      const page = ownPage ? await context.newPage() : shared.page
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null })
      await prepare?.(page)
      await page.goto(`http://${server.domain}${path}`)
      await page.locator('#main').waitFor()
      return page
    },
    async goOn(server, person, options = {}) {
      if (!shared || goesOnFor !== person.id) {
        const page = await this.show(server, person, options)
        goesOnFor = person.id
        return page
      }
      const { path = '/', viewport = VIEWPORT, colorScheme, reducedMotion, ...expected } = options
      assert.equal(shared.server, server, 'the shared page is for one server')
      isShown = true
      Object.assign(shared.expected, NOTHING_EXPECTED, expected)
      await shared.page.setViewportSize(viewport)
      await shared.page.emulateMedia({ colorScheme: colorScheme ?? null, reducedMotion: reducedMotion ?? null })
      await goTo(shared.page, path)
      return shared.page
    },
  }
}

const NOTHING_EXPECTED: Expected = { expectedErrors: undefined, expectedRequests: undefined }

/** Leaves the client, and deletes what it has stored other than cookies. */
async function clear(page: Page, { domain }: TestServer): Promise<void> {
  const origin = `http://${domain}`
  await putBack(page)
  await page.goto(`${origin}/health`)
  await page.evaluate(() => sessionStorage.clear())
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await protocol.send('Page.resetNavigationHistory')
  await protocol.detach()
}

/** Closes the other pages, stops to intercept requests, and takes the mouse out of the way. */
async function putBack(page: Page): Promise<void> {
  await Promise.all(
    page
      .context()
      .pages()
      .map((other) => other !== page && other.close()),
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.mouse.move(0, 0)
}

/**
 * Goes to a screen within the client, which costs a quarter of loading it, and closes the messages of the screen before. Loads it where
 * that does not work: on the same screen, on pages of the server, and below dialogs, which would stay.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const isInClient = await page.evaluate(async (address) => {
    const isSame = location.pathname + location.search === address
    if (isSame || !document.querySelector('#app #main') || document.querySelector('dialog:modal')) return false
    for (const close of document.querySelectorAll<HTMLElement>('.toast > button:last-child')) close.click()
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
    const nextFrame = () => new Promise(requestAnimationFrame)
    do await nextFrame().then(nextFrame)
    // The code of the screen is on its way, and the one before stays.
    while (document.querySelector('.loading-bar'))
    return true
  }, path)
  if (!isInClient) await page.goto(new URL(path, page.url()).href)
  await page.locator('#main h1').first().waitFor()
}

/** Waits for what the screen shows. */
export async function hasLoaded(page: Page): Promise<void> {
  await page.locator('#main h1').first().waitFor()
  // The end of a long list loads when it comes into view.
  const isThere = `!document.querySelector('.loading') || !!document.querySelector('#main [role=listitem]')`
  await eventually(() => page.evaluate<boolean>(isThere))
}

/** Signs in without the pages for it, which have tests of their own. Of several accounts, the last one is in use. */
async function addSession(context: BrowserContext, server: TestServer, ...people: Person[]): Promise<void> {
  const { cookies, get, submit } = browser(server)
  for (const { email, password } of people)
    await submit(
      await get('/auth/sign_in?again=1'),
      { 'user[email]': email, 'user[password]': password },
      { action: '/auth/sign_in' },
    )
  await context.addCookies(
    [...cookies].map(([name, value]) => ({
      name,
      value,
      url: `http://${server.domain}`,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  )
}

/** Scrolls down until it is there: the rest of a list loads on the way. */
export const scrollUntil = (page: Page, isThere: () => Promise<boolean>): Promise<boolean> =>
  eventually(async () => {
    if (await isThere()) return true
    await page.mouse.wheel(0, 700)
    // For the next frame, so that what came into view can render.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    return false
  })

/** What the screens that open next do every few seconds, such as sending a marker, they do several times a second. */
export const shortenIntervals = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { setInterval } = window
    Object.assign(window, { setInterval: (work: () => void, interval: number) => setInterval(work, interval / 50) })
  })

/** Keeps a message that would go after a few seconds, as one below the mouse stays. */
export const keep = (toast: Locator): Promise<void> => toast.hover()

/** Waits until a field has this value. */
export async function hasValue(field: Locator, value: string): Promise<void> {
  let found = ''
  await eventually(async () => (found = await field.inputValue()) === value).catch(() => assert.equal(found, value))
}

/** Runs in the page: what the database with such a name has stored. */
export const storedIn = (part: string, store: string, ask: 'getAll' | 'getAllKeys') => `(async () => {
  const [database] = (await indexedDB.databases()).filter(({ name }) => name.includes('${part}'))
  if (!database) return []
  const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result) })
  const db = await done(indexedDB.open(database.name))
  const found = await done(db.transaction('${store}').objectStore('${store}').${ask}())
  db.close()
  return found
})()`

/** The ids of the accounts that have databases on the device. */
export const storedFor = (page: Page) =>
  page.evaluate(async () => [...new Set((await indexedDB.databases()).map(({ name }) => name?.split('-').at(-1)))])

/** Waits until the service worker has what an opening without a network needs. */
export const isStored = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    const worker = await (await fetch('/sw.js')).text()
    const files = [...worker.matchAll(/assets\/[\w.-]+\.(?:js|css)/g)].map(([file]) => `/client/${file}`)
    const findMissing = async (): Promise<string[]> => {
      const name = (await caches.keys()).at(-1)
      // Opening it would create it.
      if (name === undefined) return ['the cache']
      const cache = await caches.open(name)
      const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
      const missing = ['/shell', ...files].filter((file) => !stored.has(file))
      return navigator.serviceWorker.controller ? missing : [...missing, 'the worker']
    }
    // In the page, as each question from outside costs as much as a stored file.
    for (const start = performance.now(); ;) {
      const missing = await findMissing()
      if (missing.length === 0) return
      if (performance.now() - start > 90_000) throw new Error(`not stored: ${missing.join(', ')}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

type Report = (problem: string) => unknown

function watchErrors(context: BrowserContext, report: Report): void {
  context.on('console', (message) => {
    if (message.type() === 'error') report(`${message.page()?.url()}: ${message.text()}`)
  })
  context.on('weberror', (error) => report(String(error.error())))
}

/** Reports addresses on other servers. */
function watchRequests(context: BrowserContext, domain: string, report: Report): void {
  const watchAddress = (address: string): void => {
    const { protocol, host } = new URL(address)
    if (/^(http|ws)s?:$/.test(protocol) && host !== domain) report(address)
  }
  // Those of the service worker included.
  context.on('request', (request) => watchAddress(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => watchAddress(socket.url())))
}

/** What the policy blocks is not always an error on the console. */
async function watchPolicy(context: BrowserContext, report: Report): Promise<void> {
  await context.exposeFunction('reportViolation', report)
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      (window as unknown as { reportViolation: Report }).reportViolation(`${effectiveDirective} blocked ${blockedURI}`),
    ),
  )
}
