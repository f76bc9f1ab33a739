// node scripts/run.js test/support/screenshots.ts OUT [PATH…]: takes screenshots of the pages of the administration, or those given, on a
// server with something to show: light, dark, on a phone, in German and in Arabic. ONLY=phone,dark leaves out other variants.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { seed } from '../../bench/seed/seed.ts'
import { adminPages, kindOfAddress, linksOn, signIn } from './admin-pages.ts'
import { launchBrowser } from './browser.ts'
import { moderatedServer } from './moderated-server.ts'
import { startTestServer } from './server.ts'

const VARIANTS = [
  { name: 'light', width: 1280, colorScheme: 'light', locale: 'en' },
  { name: 'dark', width: 1280, colorScheme: 'dark', locale: 'en' },
  { name: 'phone', width: 375, colorScheme: 'light', locale: 'en' },
  { name: 'phone-dark', width: 375, colorScheme: 'dark', locale: 'en' },
  { name: 'german', width: 1280, colorScheme: 'light', locale: 'de' },
  { name: 'arabic', width: 1280, colorScheme: 'light', locale: 'ar' },
] as const

/** Pixels: longer pages are cut off. */
const TALLEST = 4000

const [out, ...paths] = process.argv.slice(2)
if (!out) {
  console.error('Usage: node scripts/run.js test/support/screenshots.ts OUT [PATH…]')
  process.exit(2)
}
const wanted = process.env.ONLY?.split(',')
mkdirSync(out, { recursive: true })
const [server, chromium] = [
  await startTestServer({ EXPERIMENTAL_FEATURES: 'fasp' }, { fresh: true }),
  await launchBrowser(),
]
try {
  await seed(server.ctx, { accounts: 25, statuses: 200, seed: 7, progress: () => {} })
  const { owner } = await moderatedServer(server)
  const page = await chromium.newPage()
  await signIn(page, server, owner)
  const open = paths.length > 0 ? [...paths] : ['/admin/menu', ...adminPages().map(({ path }) => path)]
  const seen = new Set(open.map(kindOfAddress))
  for (const { name, width, colorScheme, locale } of VARIANTS.filter((each) => wanted?.includes(each.name) ?? true)) {
    await server.database.raw('update users set locale = $1 where id = $2', [locale, owner.userId])
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    for (const path of open) {
      const response = await page.goto(`http://${server.domain}${path}`)
      const file = join(out, `${path.replace(/^\/admin\/?/, '').replaceAll(/[^\w.-]+/g, '_') || 'index'}-${name}.png`)
      const height = Math.min(TALLEST, Number(await page.evaluate('document.documentElement.scrollHeight')))
      await page.screenshot({ path: file, clip: { x: 0, y: 0, width, height }, fullPage: true })
      console.log(`${response?.status()} ${file}`)
      if (paths.length > 0) continue
      for (const link of await linksOn(page))
        if (!seen.has(kindOfAddress(link))) {
          seen.add(kindOfAddress(link))
          open.push(link)
        }
    }
  }
} finally {
  await chromium.close()
  await server.stop()
}
