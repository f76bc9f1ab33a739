// From an empty server to the first posts, in a real browser; test/client proves what the web client does. SCREENSHOTS=folder
// saves screenshots of the pages.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createOAuthAPIClient, createRestAPIClient, type mastodon } from 'masto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { setUpLink } from '../support/acts.ts'
import { sharedBrowser } from '../support/browser.ts'
import { linkTo } from '../support/mail.ts'
import { byKeyboard, fitsAPhone, look } from '../support/pages.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = process.arch !== 'x64' && 'the package with the browser is for x64 only'
const PASSWORD = 'correct horse battery'
const SCOPES = 'read write follow push'

const { server } = await stage({ env: { REGISTRATIONS_MODE: '' } })
const base = `http://${server.domain}`
let chromium: Browser
/** Serves the redirect URI of the test application. */
const application = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Back</title>'),
)
let back: string
/** Console and network errors of all pages. */
const browserErrors: string[] = []

before(async () => {
  if (skip) return
  chromium = await sharedBrowser()
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  back = `http://127.0.0.1:${(application.address() as AddressInfo).port}/back`
})
after(async () => {
  await context?.close()
  application.close()
})

/** A new browser context whose errors are collected. */
async function openContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await chromium.newContext({ viewport: { width: 1000, height: 800 }, ...options })
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      browserErrors.push(`${message.page()?.url()}: ${message.text()}`)
  })
  context.on('weberror', (error) => browserErrors.push(String(error.error())))
  context.on('requestfailed', (request) => browserErrors.push(`${request.url()}: ${request.failure()?.errorText}`))
  return context
}

/** A PNG image of an evening sky. */
async function sunset(): Promise<Buffer> {
  const [width, height] = [900, 600]
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isHill = y > 480 - 90 * Math.sin(x / 140) - 40 * Math.sin(x / 53)
      const isSun = (x - 620) ** 2 + (y - 250) ** 2 < 70 ** 2
      const color = isHill ? [43, 36, 64] : isSun ? [255, 243, 214] : [246 - y / 6, 193 - y / 5, 119 + y / 20]
      pixels.set(color, (y * width + x) * 3)
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

// test/start/start.test.ts proves that a new server prints the link.
test('the owner sets the server up through the link, with scripts switched off', { skip }, async () => {
  const link = (await setUpLink(server.ctx)) ?? ''
  const context = await openContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(link)
  await look(page, '01-set-up')
  await fitsAPhone(page)
  await page.getByLabel('Name of the server').fill('The Nest')
  await page.getByLabel('Everyone').check()
  await page.getByLabel('Username').fill('olive')
  await page.getByLabel('E-mail address').fill('olive@localhost')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set up the server' }).click()
  await page.getByRole('heading', { name: 'Your server is ready' }).waitFor()
  await look(page, '02-set-up-done')
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  // Without scripts, the web client leads to the page.
  await page.getByRole('heading', { name: 'olive' }).waitFor()
  assert.match(await page.title(), /The Nest/)
  await look(page, '03-start-page-owner')
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await context.close()
})

let context: BrowserContext
let page: Page

test('a new user signs up with the keyboard alone, confirms the address, and signs in', { skip }, async () => {
  context = await openContext()
  page = await context.newPage()
  await page.goto(base)
  await look(page, '04-start-page')
  await fitsAPhone(page)
  await page
    .getByRole('link', { name: /sign up|join/i })
    .first()
    .click()
  await look(page, '05-sign-up')
  await fitsAPhone(page)
  await byKeyboard(
    page,
    { 'user[username]': 'wren', 'user[email]': 'wren@localhost', 'user[password]': 'short', 'user[agreement]': ' ' },
    'Sign up',
  )
  // The browser refuses a short password. With its validation off, the server shows the error.
  assert.equal(await page.getByLabel('Password').evaluate((input: HTMLInputElement) => input.validity.valid), false)
  await page.locator('form[action="/auth/sign_up"]').evaluate((form: HTMLFormElement) => (form.noValidate = true))
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('is too short').first().waitFor()
  await look(page, '06-sign-up-refused')
  await page.goto(`${base}/auth/sign_up`)
  await byKeyboard(
    page,
    { 'user[username]': 'wren', 'user[email]': 'wren@localhost', 'user[password]': PASSWORD, 'user[agreement]': ' ' },
    'Sign up',
  )
  await page.waitForURL('**/auth/sign_up/done')
  await look(page, '07-sign-up-done')
  await page.goto(base + (await linkTo(server, 'wren@localhost')))
  await look(page, '08-confirmed')
  await page.goto(`${base}/auth/sign_in?next=/auth/edit`)
  await look(page, '09-sign-in')
  await fitsAPhone(page)
  await byKeyboard(page, { 'user[email]': 'wren@localhost', 'user[password]': PASSWORD }, 'Sign in')
  await page.waitForURL(`${base}/auth/edit`)
})

const authorizeUrl = (app: { clientId?: string | null }, redirectUri: string): string =>
  `${base}/oauth/authorize?${new URLSearchParams({ client_id: app.clientId ?? '', redirect_uri: redirectUri, response_type: 'code', scope: SCOPES })}`

let client: mastodon.rest.Client

/** Wider than a phone, were it not broken. */
const APPLICATION = 'Birdwatch'.repeat(6)

test(
  'an authorised application gets its code on a page or by redirect, and exchanges it for a token',
  { skip },
  async () => {
    const anonymous = createRestAPIClient({ url: base })
    const redirectUris = ['urn:ietf:wg:oauth:2.0:oob', back]
    const app = await anonymous.v1.apps.create({
      clientName: APPLICATION,
      redirectUris: redirectUris.join('\n'),
      scopes: SCOPES,
      website: 'https://birdwatch.test',
    })
    const [clientId, clientSecret] = [app.clientId ?? '', app.clientSecret ?? '']
    const oauth = createOAuthAPIClient({ url: base })

    await page.goto(authorizeUrl(app, 'urn:ietf:wg:oauth:2.0:oob'))
    await page.getByRole('heading', { name: `Authorise ${APPLICATION}?` }).waitFor()
    await look(page, '10-consent')
    await fitsAPhone(page)
    await byKeyboard(page, {}, 'Authorise')
    await page.waitForURL('**/oauth/authorize/native?*')
    await look(page, '11-code')
    const shown = await page.locator('code, output, input[readonly]').first()
    const code = (await shown.evaluate((element) => (element as HTMLInputElement).value ?? element.textContent)).trim()
    const byHand = await oauth.token.create({
      grantType: 'authorization_code',
      clientId,
      clientSecret,
      redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
      code,
      scope: SCOPES,
    })
    assert.equal(byHand.tokenType, 'Bearer')

    await page.goto(authorizeUrl(app, back))
    if (await page.getByRole('button', { name: 'Authorise' }).isVisible()) await byKeyboard(page, {}, 'Authorise')
    await page.waitForURL(`${back}?code=*`)
    const token = await oauth.token.create({
      grantType: 'authorization_code',
      clientId,
      clientSecret,
      redirectUri: back,
      code: new URL(page.url()).searchParams.get('code') ?? '',
      scope: SCOPES,
    })
    client = createRestAPIClient({ url: base, accessToken: token.accessToken })
    assert.equal((await client.v1.accounts.verifyCredentials()).username, 'wren')

    await page.goto(authorizeUrl(app, back).replace('authorize?', 'authorize?force_login=true&'))
    await page.getByLabel('Password').waitFor()
  },
)

test('a post with an image, its thread and its profile are public', { skip }, async () => {
  const photo = await sunset()
  await client.v1.accounts.updateCredentials({
    displayName: 'Wren',
    note: 'Small, brown, loud. Watching the #sky.',
    fieldsAttributes: [{ name: 'Troglodytes'.repeat(4), value: 'troglodytes'.repeat(5) }],
    avatar: new Blob([new Uint8Array(photo)], { type: 'image/png' }),
  })
  const media = await client.v2.media.create({
    file: new Blob([new Uint8Array(photo)], { type: 'image/png' }),
    description: 'The sun sets behind two mountains',
  })
  const status = await client.v1.statuses.create({
    status: 'First light over the hills. #morning',
    mediaIds: [media.id],
    language: 'en',
  })
  await client.v1.statuses.create({ status: 'It was worth getting up for.', inReplyToId: status.id })
  assert.equal(status.mediaAttachments.length, 1)

  const outsider = await openContext({ javaScriptEnabled: false })
  const public_ = await outsider.newPage()
  await public_.goto(status.url ?? '')
  const image = public_.getByAltText('The sun sets behind two mountains')
  await image.waitFor()
  await eventually(async () =>
    image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0),
  )
  assert.match(await public_.locator('main').innerText(), /First light over the hills/)
  assert.match(await public_.locator('main').innerText(), /It was worth getting up for/)
  assert.match(
    (await public_.locator('meta[property="og:image"]').getAttribute('content')) ?? '',
    /^http:\/\/localhost:\d+\/files\//,
  )
  const link = public_.locator('.media a')
  const unfocused = await link.screenshot()
  await link.focus()
  assert.ok(!unfocused.equals(await link.screenshot()), 'the focus on an image is visible')
  await look(public_, '12-status')
  await fitsAPhone(public_)
  await public_.goto(`${base}/@wren`)
  assert.match(await public_.locator('main').innerText(), /Wren[\s\S]*@wren[\s\S]*First light/)
  await look(public_, '13-profile')
  await public_.emulateMedia({ forcedColors: 'active' })
  const lines = public_
    .locator('.tabs a')
    .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomColor))
  assert.equal(new Set(await lines).size, 2, 'the current tab differs')
  await public_.emulateMedia({ forcedColors: null })
  await fitsAPhone(public_)
  await public_.goto(base)
  await look(public_, '14-start-page')
  for (const [name, path] of [
    ['15-about', '/about'],
    ['16-not-found', '/@nobody'],
    ['17-password', '/auth/password/new'],
    ['18-docs', '/api/docs'],
    ['19-account', '/auth/edit'],
  ] as const) {
    const [shownOn] = name === '19-account' ? [page] : [public_]
    await shownOn.goto(base + path)
    await look(shownOn, name)
    await fitsAPhone(shownOn)
  }
  for (const path of ['/auth/edit', '/settings/export', '/invites']) {
    await page.goto(base + path)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    await fitsAPhone(page)
  }
  await page.goto(`${base}/auth/edit`)
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(33, 31, 43)', 'on paper')
  const isPrinted = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible()
  assert.deepEqual([await isPrinted('main .field'), await isPrinted('.settings-menu, button')], [true, false])
  await page.emulateMedia({ media: null })
  await outsider.close()
})

test('no page causes errors in the browser', { skip }, () => {
  // The browser logs pages with status 404 or 422, scripts that it does not preload where they are switched off, and what a new
  // page cuts short: requests and files of the client, and images.
  assert.deepEqual(
    browserErrors.filter(
      (text) =>
        !/Failed to load resource: the server responded with a status of (404|422)|\/client\/assets\/[^/]+\.js: csp$|^http:\/\/localhost:\d+\/[^ ]*: net::ERR_ABORTED$/.test(
          text,
        ),
    ),
    [],
  )
})
