// The web client in a real browser, on a real server.
import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { signIn } from './admin-pages.ts'
import { launchBrowser } from './browser.ts'
import { eventually, type Person, type TestServer } from './server.ts'

/** Tests of the client pass it to `test`: the package with the browser is for x64 only. */
export const skipBrowser = process.arch !== 'x64' && 'the package with the browser is for x64 only'

export type OpenOptions = BrowserContextOptions & {
  path?: string
  /** Console errors that the test provokes, such as those of refused requests. */
  expectedErrors?: RegExp
}

export type ClientBrowser = {
  /** An empty page, signed out. */
  visit(server: TestServer, options?: Omit<OpenOptions, 'path'>): Promise<Page>
  /** A signed-in page in a browser context of its own. Its console errors fail the test. */
  open(server: TestServer, person: Person, options?: OpenOptions): Promise<Page>
  /** Asserts that no page logged an error, broke the content security policy, or sent a request to another origin. */
  check(): void
}

/** A browser for the tests of a file; closed after the last one. Call it at the top level. */
export function clientBrowser(): ClientBrowser {
  let launched: Promise<Browser> | undefined
  const problems: string[] = []
  // Not after the last test: the server has ended then, which pages that are still open notice.
  afterEach(() => assert.deepEqual(problems.splice(0), []))
  after(async () => (await launched)?.close())
  return {
    async visit(server, { expectedErrors, ...options } = {}) {
      launched ??= launchBrowser()
      const context = await (
        await launched
      ).newContext({
        viewport: { width: 1280, height: 800 },
        // Interceptions of requests by tests do not see those of a service worker.
        serviceWorkers: 'block',
        ...options,
      })
      watch(context, `http://${server.domain}`, (problem) => {
        if (!expectedErrors?.test(problem)) problems.push(problem)
      })
      return context.newPage()
    },
    async open(server, person, { path = '/', ...options } = {}) {
      const page = await this.visit(server, options)
      await signIn(page, server, person)
      await page.goto(`http://${server.domain}${path}`)
      await page.locator('#main').waitFor()
      return page
    },
    check: () => assert.deepEqual(problems, []),
  }
}

/** Waits until the service worker has what an opening without a network needs. */
export async function isStored(page: Page): Promise<void> {
  let missing: string[] = []
  const isComplete = async (): Promise<boolean> => (missing = await missingFiles(page)).length === 0
  await eventually(isComplete, 60).catch((error) => {
    throw new Error(`not stored: ${missing.join(', ')}`, { cause: error })
  })
}

const missingFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const name = (await caches.keys()).at(-1)
    // Opening it would create it.
    if (name === undefined) return ['the cache']
    const cache = await caches.open(name)
    const worker = await (await fetch('/sw.js')).text()
    const files = [...worker.matchAll(/assets\/[\w.-]+\.(?:js|css)/g)].map(([file]) => `/client/${file}`)
    const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
    const missing = ['/shell', ...files].filter((file) => !stored.has(file))
    return navigator.serviceWorker.controller ? missing : [...missing, 'the worker']
  })

function watch(context: BrowserContext, origin: string, report: (problem: string) => void): void {
  context.on('console', (message) => {
    if (message.type() === 'error') report(`${message.page()?.url()}: ${message.text()}`)
  })
  context.on('weberror', (error) => report(String(error.error())))
  const watchAddress = (address: string): void => {
    const { protocol, host } = new URL(address)
    if (/^(http|ws)s?:$/.test(protocol) && host !== new URL(origin).host) report(`request to ${address}`)
  }
  // Those of the service worker included.
  context.on('request', (request) => watchAddress(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => watchAddress(socket.url())))
}
