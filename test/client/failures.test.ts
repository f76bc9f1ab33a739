// What goes wrong: late answers, a full device, malformed addresses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { clientBrowser, skipBrowser, storedIn } from '../support/client.ts'
import { openNew, postButton, says, textOf } from '../support/composer.ts'
import { uploadImage } from '../support/images.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }

const post = (person: Person, status: string) =>
  person.post('/api/v1/statuses', { status }) as Promise<{ id: string; account: { acct: string } }>
const textsOf = async (person: Person): Promise<string[]> => {
  const found = (await person.get(`/api/v1/accounts/${person.id}/statuses`)) as { content: string }[]
  return found.map(({ content }) => content.replaceAll(/<[^>]+>/g, ''))
}
const follow = (page: Page, href: string) =>
  page.evaluate((address) => {
    const link = Object.assign(document.createElement('a'), { href: address })
    document.body.append(link)
    link.click()
    link.remove()
  }, href)

test('a post that got through without an answer is changed, not posted twice', options, async () => {
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /status of 504/ })
  await page.getByRole('link', { name: 'New post' }).click()
  const text = page.getByLabel('Text of the post')
  await text.fill('As it was')
  await page.route('**/api/v1/statuses', async (route) => {
    await route.fetch()
    await route.fulfill({ status: 504, body: '' })
  })
  await text.press('Control+Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.unroute('**/api/v1/statuses')
  await text.fill('As it is now')
  await text.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await textsOf(ada), ['As it is now'])

  await page.evaluate(cutAnswer)
  await openNew(page)
  await text.fill('Its answer is cut')
  await text.press('Control+Enter')
  await page.getByText('1 post is not sent yet').waitFor()
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await says(page, 'Your post has been sent')
  assert.deepEqual(await textsOf(ada), ['Its answer is cut', 'As it is now'])
})

/** Runs in the page: the connection is lost half-way through the answer to the next post. */
function cutAnswer(): void {
  const { fetch } = window
  window.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!(input instanceof Request) || !input.url.endsWith('/api/v1/statuses')) return response
    window.fetch = fetch
    const body = new ReadableStream({ pull: (stream) => stream.error(new TypeError('cut')) })
    return new Response(body, response)
  }
}

test('the client reads and posts where the storage of the browser never answers, or is refused', options, async () => {
  await post(ben, 'Not from the device')
  const page = await browser.show(server, ada, {
    ownPage: true,
    path: '/public/local',
    prepare: (opening) => opening.addInitScript(silenceStorage),
  })
  await page.getByText('Not from the device').waitFor()
  const publish = async (text: string) => {
    await openNew(page)
    await textOf(page).fill(text)
    await postButton(page).click()
    await says(page, 'Posted')
  }
  await publish('Stored nowhere')
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('refused', 'SecurityError')
    }
  })
  await page.reload()
  await publish('Refused storage')
  assert.deepEqual((await textsOf(ada)).slice(0, 2), ['Refused storage', 'Stored nowhere'])
})

/** Runs in the page: the browser never answers. */
function silenceStorage(): void {
  const silent = Object.create(IDBOpenDBRequest.prototype, {
    addEventListener: { value: () => {} },
    removeEventListener: { value: () => {} },
  }) as IDBOpenDBRequest
  IDBFactory.prototype.open = () => silent
  // The client waits some seconds for an answer.
  const { setTimeout } = window
  const hurry = (work: () => void, delay = 0) => setTimeout(work, delay > 1000 && delay < 6000 ? delay / 50 : delay)
  Object.assign(window, { setTimeout: hurry })
}

/** Runs in the page: localStorage can be read, and refuses to write. */
function refuseSmallValues(): void {
  localStorage.clear()
  Storage.prototype.setItem = () => {
    throw new DOMException('refused', 'QuotaExceededError')
  }
}

test('drafts are stored when only small values are refused', options, async () => {
  const page = await browser.show(server, ada, {
    ownPage: true,
    path: '/publish',
    prepare: (each) => each.addInitScript(refuseSmallValues),
  })
  await textOf(page).fill('Written without small values')
  await eventually(() => page.evaluate(`${storedIn('compose', 'drafts', 'getAll')}.then(({ length }) => length === 1)`))
})

test('the last of two quick choices remains, though the first is answered late', options, async () => {
  const target = await post(ben, 'Liked or not')
  const page = await browser.goOn(server, ada, { path: `/@ben/${target.id}` })
  const button = page.locator('.status-detail [data-tone=favourite]')
  const bothChosen = Promise.withResolvers<void>()
  await page.route('**/favourite', async (route) => {
    await bothChosen.promise
    await route.continue()
  })
  const answered = page.waitForResponse('**/unfavourite')
  await button.click()
  // A toggle keeps its name: whether it is on is told by its state.
  await page.getByRole('button', { name: 'Favourite', exact: false, pressed: true }).click()
  bothChosen.resolve()
  await answered
  assert.equal((await ada.get(`/api/v1/statuses/${target.id}`)).favourited, false)
  await page.locator('.status-detail [data-tone=favourite][aria-pressed=false]').waitFor()
})

test('a connection that is lost soon after the start is reported once', options, async () => {
  const page = await browser.open(server, ada, {
    path: '/home',
    prepare: ({ clock }) => clock.install(),
    expectedErrors: /ERR_INTERNET_DISCONNECTED|Failed to fetch/,
  })
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  // Now code is loaded that the viewer has not asked for.
  await page.clock.fastForward(10_000)
  for (let round = 0; round < 5; round += 1) await page.evaluate(() => fetch('/health').catch(() => null))
  assert.deepEqual(await page.getByRole('alert').allTextContents(), [])

  // What the viewer asks for has an answer.
  await page.keyboard.press('?')
  await page.getByRole('alert').waitFor()
  const first = await page.locator('.toast').elementHandle()
  await page.keyboard.press('Control+k')
  await first?.waitForElementState('hidden')
  assert.match((await page.getByRole('alert').allTextContents()).join('|'), /^The server cannot be reached\.[^|]*$/)

  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'hidden' })
  await page.clock.fastForward(10_000)
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

test('the composer opens although its code could not be loaded before', options, async () => {
  const lost = /\/health$|\/assets\/(?:composer|unsent-notice)-/
  const page = await browser.show(server, ada, {
    ownPage: true,
    path: '/home',
    expectedErrors: /ERR_FAILED/,
    prepare: (opening) => opening.route(lost, (route) => route.abort()),
  })
  await page.getByText('You are offline.').waitFor()
  await page.unroute(lost)
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  // The same is missing for what waits to be sent. The server has no other version.
  await page.getByText('Some of this page could not be loaded. Reload').waitFor()
  await openNew(page)
  await textOf(page).waitFor()
  assert.equal(await page.getByText('could not be loaded').count(), 0)
})

/** Null while it loads. */
const loadedWidth = (page: Page) =>
  page.locator('.media-item img').evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : null))

test('streams that are cut or refused are not tried in a hurry, and posts come without them', options, async () => {
  await post(ben, 'With a stream')
  const prepare = async (opening: Page) => {
    await opening.addInitScript(breakStreams)
    // It runs late: posts are from its future.
    await opening.clock.install({ time: Date.now() - 3_600_000 })
  }
  const page = await browser.open(server, ada, { path: '/public/local', prepare, expectedErrors: /status of 502/ })
  await page.getByText('With a stream').waitFor()
  assert.equal(await page.locator('article time').first().textContent(), 'now')
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 2) await page.clock.runFor(2000)
  }
  await pass(100)
  const count = await page.evaluate<number>('connections')
  // Without growing delays there would be a hundred. On a busy machine, a request outlasts its limit in the page's time, and its answer
  // makes the page try again at once.
  assert.ok(count > 3 && count < 30, `${count} connections`)
  await page.evaluate('isRefused = true')
  const late = await ben.post('/api/v1/statuses', { status: 'Without a stream', media_ids: [await uploadImage(ben)] })
  const { preview_url: image } = late.media_attachments[0]
  await page.route(image, (route) => route.fulfill({ status: 502, body: '' }))
  await pass(120)
  await page.getByRole('button', { name: /new post/ }).click()
  await page.getByText('Without a stream').waitFor()
  await eventually(async () => (await loadedWidth(page)) === 0)
  await page.unroute(image)
  await pass(12)
  await eventually(() => loadedWidth(page))
})

/** Runs in the page: WebSockets end as soon as they are open, or before. */
function breakStreams(): void {
  const state = Object.assign(window, { connections: 0, isRefused: false })
  class Broken extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    readonly readyState = 3
    constructor() {
      super()
      state.connections += 1
      queueMicrotask(() => {
        if (!state.isRefused) this.dispatchEvent(new Event('open'))
        this.dispatchEvent(new CloseEvent('close'))
      })
    }
    close(): void {}
  }
  window.WebSocket = Broken as unknown as typeof WebSocket
}

test('saved posts and profiles are up to date whenever they are opened', options, async () => {
  const first = await post(ben, 'Saved first')
  const second = await post(ben, 'Saved second')
  await ada.post(`/api/v1/statuses/${first.id}/bookmark`)
  const page = await browser.goOn(server, ada, { path: '/bookmarks' })
  await page.getByText('Saved first').waitFor()
  await follow(page, '/@ben')
  await page.getByText('Saved second').waitFor()
  await ada.post(`/api/v1/statuses/${second.id}/bookmark`)
  await ada.post(`/api/v1/statuses/${first.id}/unbookmark`)
  await post(ben, 'Since then')
  await follow(page, '/bookmarks')
  await page.locator('article', { hasText: 'Saved second' }).waitFor()
  await page.locator('article', { hasText: 'Saved first' }).waitFor({ state: 'detached' })
  await follow(page, '/@ben')
  await page.getByText('Since then').waitFor()
  // The link that led here is gone: the focus is on the heading, not nowhere.
  await eventually(() => page.evaluate(() => document.activeElement?.localName === 'h1'))
})

test('a bar shows while the code of a screen is on its way', options, async () => {
  const page = await browser.goOn(server, ada, { path: '/home' })
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await page.route('**/assets/lists-screen-*.js', (route) => arrived.then(() => route.continue()))
  await page.getByRole('link', { name: 'Lists', exact: true }).click()
  const bar = page.locator('.loading-bar')
  await eventually(async () => ((await bar.boundingBox())?.width ?? 0) > 0)
  arrive()
  await page.getByText('You have none yet').waitFor()
  await bar.waitFor({ state: 'detached' })
})

test('code and images that could not be loaded without a network are there when it is back', options, async () => {
  const expectedErrors = /ERR_INTERNET|ERR_FAILED|dynamically imported/
  const page = await browser.open(server, ada, { path: '/home', expectedErrors })
  const seen = await ada.post('/api/v1/statuses', { status: 'Seen late', media_ids: [await uploadImage(ada)] })
  const { preview_url: image } = seen.media_attachments[0]
  await page.route(image, (route) => route.abort())
  await follow(page, `/@ada/${seen.id}`)
  await eventually(async () => (await loadedWidth(page)) === 0)
  await page.unroute(image)
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().setOffline(false)
  await eventually(() => loadedWidth(page))
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Lists', exact: true }).click()
  await page.locator('#main').getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You have none yet').waitFor()
  const styles = `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)`
  // That of another screen may be on its way.
  await eventually(() => page.evaluate<boolean>(styles))
})

test('an error is explained, and the next attempt shows that it is under way', options, async () => {
  const target = await post(ben, 'Soon to be deleted')
  const expectedErrors = /status of (?:404|413|500)/
  const page = await browser.goOn(server, ada, { path: `/@ben/${target.id}`, expectedErrors })
  await page.locator('.status-detail').getByText('Soon to be deleted').waitFor()
  await page.route('**/api/v2/search?*', (route) => route.fulfill({ status: 500, body: '<h1>Oops</h1>' }))
  await follow(page, '/search?q=deleted')
  await page.locator('#main').getByRole('alert').getByText('Something went wrong. Please try again.').waitFor()
  await page.unroute('**/api/v2/search?*')
  // The page of a captive portal counts as no connection, until the server answers itself.
  const portal = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' })
  await page.route(/\/search\?|\/health$/, portal)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The server cannot be reached.').waitFor()
  await page.unroute(/\/search\?|\/health$/)
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByRole('paragraph').getByText('Nothing was found').waitFor()
  await page.route('**/api/v2/search?*', (route) => route.fulfill({ status: 413, body: '<h1>Too Large</h1>' }))
  await follow(page, '/search?q=post')
  await page.getByText('This is more than the server accepts.').waitFor()
  await page.unroute('**/api/v2/search?*')
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/v2/search?*', (route) => answered.then(() => route.continue()))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('#main').getByRole('status').getByText('Loading').waitFor()
  answer()
  await page.getByRole('paragraph').getByText('Nothing was found').waitFor()

  await follow(page, `/@ben/${target.id}`)
  await page.locator('.status-detail').getByRole('button', { name: 'Reply' }).click()
  await textOf(page).fill('Too late a reply')
  // The stream has no event about posts that are in no timeline of the viewer.
  await ben.delete(`/api/v1/statuses/${target.id}`)
  await postButton(page).click()
  const detach = page.getByRole('button', { name: 'Turn it into a new post' })
  await detach.waitFor()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  // Post is pressed at the same moment, too.
  await detach.evaluate((button: HTMLElement) => {
    const form = button.closest('form')
    button.click()
    setTimeout(() => form?.querySelector<HTMLElement>('[type=submit]')?.click())
  })
  await postButton(page).click()
  await says(page, 'Posted')
  assert.deepEqual(sent, ['/api/v1/statuses'], 'the reply is not sent again')
  assert.equal((await textsOf(ada))[0], 'Too late a reply')
  await follow(page, '/home')
  await follow(page, `/@ben/${target.id}`)
  const gone = page.getByText('This post was deleted, or you may not see it.')
  await gone.waitFor()
  await page.locator('.status-detail').waitFor({ state: 'detached' })

  const own = await post(ada, 'Not so easily deleted')
  await follow(page, `/@ada/${own.id}`)
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
  await page.locator('.status-detail').getByText('Not so easily deleted').waitFor()
  await page.route(`**/statuses/${own.id}`, (route) => refused.then(() => route.fulfill({ status: 500, body: '' })))
  await page.locator('.status-detail').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await gone.waitFor()
  refuse()
  await page.locator('.status-detail').getByText('Not so easily deleted').waitFor()

  await page.route('**/api/v1/featured_tags', (route) => route.fulfill({ status: 500, body: '' }))
  await follow(page, '/profile/edit')
  const tags = page.getByRole('group', { name: 'Featured hashtags' })
  await tags.getByRole('alert').getByText('Something went wrong').waitFor()
  await page.unroute('**/api/v1/featured_tags')
  await tags.getByRole('button', { name: 'Try again' }).click()
  await tags.getByLabel('Hashtag', { exact: true }).waitFor()
})

test('an address that cannot be read breaks nothing else', options, async () => {
  const page = await browser.goOn(server, ada, { path: '/home', expectedErrors: /URI|status of 404/ })
  await follow(page, '/tags/%E0%A4%A')
  await page.locator('#main').getByRole('alert').waitFor()
  await follow(page, '/favourites')
  await page.getByRole('heading', { name: 'Favourites' }).waitFor()
  const answered = page.waitForResponse(/\/timelines\/link\?/)
  await follow(page, `/links?url=${encodeURIComponent('javascript:alert(1)')}`)
  await page.getByText('javascript:alert(1)').waitFor()
  assert.equal((await answered).status(), 404)
  assert.equal(await page.locator('a[href^=javascript]').count(), 0)
})

test('a suggestion stays chosen when others arrive', options, async () => {
  const page = await browser.goOn(server, ada, { path: '/search' })
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => (isReady = resolve))
  await page.route('**/api/v2/search?*', async (route) => {
    await ready
    await route.continue()
  })
  await page.getByRole('combobox').pressSequentially('be')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'before:', selected: true }).waitFor()
  isReady()
  await page.getByRole('option', { name: '@ben' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('input')?.value === 'before:')
})

test('a draft that a full device cannot store stays on the page', options, async () => {
  const page = await browser.show(server, ada, { path: '/home' })
  await page.route('**/api/v1/instance/languages', () => {})
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.getByRole('link', { name: 'New post' }).click()
  await page.getByLabel('Text of the post').fill('Written on a full device')
  // The browser knows its name before the server's list is there.
  await page.locator('.language-choice option', { hasText: /^English$/ }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await page.getByText('It is lost when you close this page').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await follow(page, '/drafts')
  await page.getByRole('button', { name: /^Written on a full device/ }).click()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Written on a full device')

  // A selection that ends beside the dialog does not close it.
  const box = await page.getByLabel('Text of the post').boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  assert.equal(await page.getByLabel('Text of the post').isVisible(), true)
  await page.mouse.click(5, 5)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})
