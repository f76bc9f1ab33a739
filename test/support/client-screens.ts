// node scripts/run.js test/support/client-screens.ts OUT [PATH…]: photographs the screens of the web client, or those given, on a
// server with something to show, and puts those of a variant together on sheets. ONLY=phone,dark photographs less.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { ensureClient } from '../../scripts/lib/client-build.js'
import { signIn } from './admin-pages.ts'
import { launchBrowser } from './browser.ts'
import { clientStage } from './client-stage.ts'
import { clientScreens } from './client-table.ts'
import { startTestServer } from './server.ts'

const VARIANTS = [
  { name: 'desktop', width: 1280, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'dark', width: 1280, colorScheme: 'dark', locale: 'en', settings: {} },
  { name: 'tablet', width: 820, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'phone', width: 390, colorScheme: 'light', locale: 'en', settings: {} },
  { name: 'phone-dark', width: 390, colorScheme: 'dark', locale: 'en', settings: {} },
  { name: 'arabic', width: 390, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'arabic-desktop', width: 1280, colorScheme: 'light', locale: 'ar', settings: {} },
  { name: 'german', width: 390, colorScheme: 'light', locale: 'de', settings: {} },
  { name: 'large', width: 390, colorScheme: 'light', locale: 'en', settings: { fontSize: 200 } },
  { name: 'compact', width: 390, colorScheme: 'light', locale: 'en', settings: { density: 'compact' } },
  { name: 'contrast', width: 390, colorScheme: 'dark', locale: 'en', settings: { contrast: 'high' } },
] as const

/** Pixels: longer screens are cut off. */
const TALLEST = 1700
const PER_SHEET = 6

const [out, ...paths] = process.argv.slice(2)
if (!out) {
  console.error('Usage: node scripts/run.js test/support/client-screens.ts OUT [PATH…]')
  process.exit(2)
}
const wanted = process.env.ONLY?.split(',')
mkdirSync(out, { recursive: true })

/** Side by side, at the height of the tallest. */
async function sheet(file: string, images: readonly Buffer[]): Promise<void> {
  const sizes = await Promise.all(images.map((image) => sharp(image).metadata()))
  const height = Math.max(...sizes.map((size) => size.height))
  let left = 0
  const composite = images.map((input, index) => {
    const place = { input, left, top: 0 }
    left += (sizes[index]?.width ?? 0) + 16
    return place
  })
  await sharp({ create: { width: left, height, channels: 3, background: '#f0f' } })
    .composite(composite)
    .png()
    .toFile(file)
}

async function photograph(page: Page, address: string): Promise<Buffer> {
  await page.goto(address)
  await page.locator('#main h1, .deck').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(250)
  const width = page.viewportSize()?.width ?? 0
  const height = Math.min(TALLEST, Number(await page.evaluate('document.documentElement.scrollHeight')))
  const widest = Number(await page.evaluate('document.documentElement.scrollWidth'))
  if (widest > width) console.log(`${address} is ${widest} wide of ${width}`)
  return page.screenshot({ clip: { x: 0, y: 0, width, height: Math.max(height, 844) }, fullPage: true })
}

await ensureClient()
const [server, chromium] = [await startTestServer({}, { fresh: true }), await launchBrowser()]
try {
  const { viewer, addresses } = await clientStage(server)
  const open =
    paths.length > 0 ? paths : ['/deck', ...(await clientScreens()).flatMap((path) => addresses[path] ?? [path])]
  const page = await chromium.newPage()
  page.on('console', (message) => message.type() === 'error' && console.log(`${page.url()}: ${message.text()}`))
  await signIn(page, server, viewer)
  for (const { name, width, colorScheme, locale, settings } of VARIANTS.filter(
    (each) => wanted?.includes(each.name) ?? true,
  )) {
    await server.database.raw('update users set locale = $1 where id = $2', [locale, viewer.userId])
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 844 })
    await page.evaluate(`localStorage.setItem('rookery.settings', ${JSON.stringify(JSON.stringify(settings))})`)
    const perSheet = width > 900 ? 3 : PER_SHEET
    for (let start = 0; start < open.length; start += perSheet) {
      const shown = open.slice(start, start + perSheet)
      const images: Buffer[] = []
      for (const path of shown) images.push(await photograph(page, `http://${server.domain}${path}`))
      await sheet(join(out, `${name}-${String(start / perSheet + 1).padStart(2, '0')}.png`), images)
      console.log(`${name} ${start / perSheet + 1}: ${shown.join(' ')}`)
    }
  }
} finally {
  await chromium.close()
  await server.stop()
}
