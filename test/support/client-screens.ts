// node scripts/run.js test/support/client-screens.ts OUT [PATH or STATE…]: takes screenshots of the web client on a server with something
// to show: of all screens and the states of client-states.ts, or of those given. Puts the screenshots of a variant together on sheets.
// ONLY=phone,dark leaves out other variants; `states` as the only argument stands for all states; AXE=1 prints what axe-core finds,
// ARIA=1 what a screen reader has to read.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { ensureClient } from '../../scripts/lib/client-build.js'
import { signIn } from './admin-pages.ts'
import { axeViolations } from './axe.ts'
import { launchBrowser } from './browser.ts'
import type { Scene } from './client-scene.ts'
import { clientStage, type ClientStage } from './client-stage.ts'
import { CLIENT_STATES } from './client-states.ts'
import { clientScreens } from './client-table.ts'
import { clientTextsIn } from './messages.ts'
import { startTestServer, type Person, type TestServer } from './server.ts'

const VARIANTS: readonly Variant[] = [
  { name: 'desktop', width: 1280, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'dark', width: 1280, colorScheme: 'dark', locale: 'en', settings: {} },
  { name: 'wide', width: 1920, height: 1080, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'wide-dark', width: 1920, height: 1080, colorScheme: 'dark', locale: 'de', settings: {} },
  { name: 'wide-arabic', width: 1920, height: 1080, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'tablet', width: 820, height: 1180, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'tablet-dark', width: 820, height: 1180, colorScheme: 'dark', locale: 'de', settings: {} },
  { name: 'tablet-arabic', width: 820, height: 1180, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'phone', width: 390, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'phone-dark', width: 390, colorScheme: 'dark', locale: 'en', settings: {} },
  { name: 'arabic', width: 390, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'arabic-desktop', width: 1280, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'german', width: 390, colorScheme: 'light', locale: 'de', settings: {} },
  { name: 'french', width: 390, colorScheme: 'light', locale: 'fr', settings: {} },
  { name: 'japanese', width: 390, colorScheme: 'light', locale: 'ja', settings: {} },
  { name: 'large', width: 390, colorScheme: 'light', locale: 'en', settings: { fontSize: 200 } },
  { name: 'compact', width: 390, colorScheme: 'light', locale: 'en', settings: { density: 'compact' } },
  { name: 'contrast', width: 390, colorScheme: 'dark', locale: 'en', settings: { contrast: 'high' } },
]
type Variant = {
  name: string
  width: number
  height?: number
  colorScheme: 'light' | 'dark'
  locale: string
  settings: object
}

/** Pixels: longer screens are cut off. */
const TALLEST = 1500
const HEIGHT = 844
const ROWS = 2
const GAP = 16

const [out, ...names] = process.argv.slice(2)
if (!out) {
  console.error('Usage: node scripts/run.js test/support/client-screens.ts OUT [PATH or STATE…]')
  process.exit(2)
}
const wanted = process.env.ONLY?.split(',')
mkdirSync(out, { recursive: true })

/** In rows of `columns`, each as high as its tallest. */
async function sheet(file: string, images: readonly Buffer[], columns: number): Promise<void> {
  const sizes = await Promise.all(images.map((image) => sharp(image).metadata()))
  const width = Math.max(...sizes.map((size) => size.width)) + GAP
  const composite: { input: Buffer; left: number; top: number }[] = []
  let top = 0
  for (let start = 0; start < images.length; start += columns) {
    for (const [index, input] of images.slice(start, start + columns).entries())
      composite.push({ input, left: index * width, top })
    top += Math.max(...sizes.slice(start, start + columns).map((size) => size.height)) + GAP
  }
  await sharp({
    create: { width: width * Math.min(columns, images.length), height: top, channels: 3, background: '#f0f' },
  })
    .composite(composite)
    .png()
    .toFile(file)
}

/** A screen from top to bottom, or a state as the window shows it. */
async function takeScreenshot(
  page: Page,
  name: string,
  origin: string,
  stage: ClientStage,
  t: Scene['t'],
): Promise<Buffer> {
  const state = CLIENT_STATES.find((each) => each.name === name)
  await state?.prepare?.({ page, t, stage })
  await page.goto(`${origin}${state?.path ?? name}`)
  await page.locator('#main h1, .deck').first().waitFor()
  if (!state) await page.waitForLoadState('networkidle')
  await state?.show({ page, t, stage })
  await page.waitForTimeout(300)
  const { width = 0, height: visible = 0 } = page.viewportSize() ?? {}
  const widest = Number(await page.evaluate('document.documentElement.scrollWidth'))
  if (widest > width) console.log(`${name} is ${widest} wide of ${width}`)
  if (process.env.AXE) for (const line of await axeViolations(page)) console.log(`${name}: ${line}`)
  if (process.env.ARIA) console.log(await page.locator('body').ariaSnapshot())
  if (state) return page.screenshot()
  const height = Math.min(TALLEST, Number(await page.evaluate('document.documentElement.scrollHeight')))
  return page.screenshot({ clip: { x: 0, y: 0, width, height: Math.max(height, visible) }, fullPage: true })
}

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>

/** One image per name: each in a browser that remembers nothing of the others. */
async function takeScreenshots(
  chromium: Browser,
  cookies: Record<'one' | 'two', Cookies>,
  variant: Variant,
  open: readonly string[],
): Promise<void> {
  const { name: variantName, width, height = HEIGHT, colorScheme, locale, settings } = variant
  await server.database.raw('update users set locale = $1 where id = $2', [locale, stage.viewer.userId])
  const t = await clientTextsIn(locale)
  const columns = width > 700 ? 2 : 4
  const perSheet = columns * ROWS
  for (let start = 0; start < open.length; start += perSheet) {
    const shown = open.slice(start, start + perSheet)
    const images: Buffer[] = []
    for (const name of shown) {
      const context = await chromium.newContext({
        storageState: CLIENT_STATES.find((each) => each.name === name)?.hasTwoAccounts ? cookies.two : cookies.one,
        colorScheme,
        viewport: { width, height },
        serviceWorkers: 'block',
      })
      context.setDefaultTimeout(10_000)
      await context.addInitScript(`localStorage['rookery.settings'] ??= ${JSON.stringify(JSON.stringify(settings))}`)
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && console.log(`${page.url()}: ${message.text()}`))
      images.push(
        await takeScreenshot(page, name, `http://${server.domain}`, stage, t).catch((error: Error) => {
          console.log(`${variantName} ${name}: ${error.message.slice(0, 300)}`)
          return page.screenshot()
        }),
      )
      await context.close()
    }
    const file = `${variantName}-${String(start / perSheet + 1).padStart(2, '0')}.png`
    await sheet(join(out ?? '', file), images, columns)
    console.log(`${file}: ${shown.join(' ')}`)
  }
}

/** Signs in to a second account, and switches back. */
async function addAccount(page: Page, { email, password }: Person): Promise<void> {
  const address = `http://${server.domain}/auth/sign_in?again=1`
  await page.goto(address)
  await page.fill('[name="user[email]"]', email)
  await page.fill('[name="user[password]"]', password)
  await page.click('form[action="/auth/sign_in"] button')
  await page.locator('#main h1').first().waitFor()
  await page.goto(address)
  await page.click('form[action="/auth/switch"] button')
  await page.locator('#main h1').first().waitFor()
}

/** The paths and states to show. */
async function toShow(): Promise<string[]> {
  const states = CLIENT_STATES.map(({ name }) => name)
  if (names.length > 0) return names.flatMap((name) => (name === 'states' ? states : [name]))
  const screens = (await clientScreens()).flatMap((path) => stage.addresses[path] ?? [path])
  return ['/deck', ...screens, ...states]
}

await ensureClient()
const server: TestServer = await startTestServer({}, { fresh: true })
const chromium = await launchBrowser()
const stage = await clientStage(server)
try {
  const page = await chromium.newPage()
  await signIn(page, server, stage.viewer)
  const one = await page.context().storageState()
  await addAccount(page, stage.friend)
  const cookies = { one, two: await page.context().storageState() }
  const open = await toShow()
  for (const variant of VARIANTS.filter(({ name }) => wanted?.includes(name) ?? true))
    await takeScreenshots(chromium, cookies, variant, open)
} finally {
  await chromium.close()
  await server.stop()
}
