// The accent colours: each has enough contrast wherever it is used, and the choice stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clientBrowser, goTo, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const browser = clientBrowser()

const ACCENTS = ['Indigo', 'Blue', 'Teal', 'Copper', 'Pink', 'Graphite']

/** Colours that stand on one another: text or signs, and what is behind them. */
const PAIRS = [
  ...['--accent', '--accent-strong'].flatMap((colour) =>
    ['--paper', '--surface', '--sunken', '--accent-wash'].map((behind) => [colour, behind] as const),
  ),
  ...['--accent', '--accent-strong'].map((behind) => ['--on-accent', behind] as const),
  ...['--ink', '--muted'].map((colour) => [colour, '--accent-wash'] as const),
]

/** Contrast ratios as WCAG 2 defines them, of the colours that the page shows now. */
const contrasts = (page: Page): Promise<number[]> =>
  page.evaluate((pairs) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const sample = document.body.appendChild(document.createElement('span'))
    const luminance = (name: string): number => {
      sample.style.color = `var(${name})`
      if (!canvas) throw new Error('no canvas')
      canvas.fillStyle = getComputedStyle(sample).color
      canvas.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const ratios = pairs.map(([colour, behind]) => {
      const [light = 0, dark = 0] = [luminance(colour), luminance(behind)].toSorted((a, b) => b - a)
      return (light + 0.05) / (dark + 0.05)
    })
    sample.remove()
    return ratios
  }, PAIRS)

const accentOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))

test(
  'every accent colour has enough contrast in light, dark and high contrast, and stays',
  { skip: skipBrowser },
  async () => {
    const page = await browser.show(server, ada, { path: '/appearance' })
    const seen = new Set<string>()
    for (const contrast of ['Same as the system', 'High']) {
      await page.getByRole('group', { name: 'Contrast' }).getByLabel(contrast).check()
      for (const accent of ACCENTS) {
        await page.getByRole('group', { name: 'Accent colour' }).getByLabel(accent).check()
        seen.add(`${contrast} ${await accentOf(page)}`)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const least = contrast === 'High' ? 7 : 4.5
          const poor = (await contrasts(page)).flatMap((ratio, index) =>
            ratio < least ? [`${PAIRS[index]?.join(' on ')}: ${ratio}`] : [],
          )
          assert.deepEqual(poor, [], `${accent}, ${colorScheme}, ${contrast}`)
        }
      }
    }
    assert.equal(seen.size, 2 * ACCENTS.length)
    const high = await accentOf(page)
    await page.getByRole('group', { name: 'Contrast' }).getByLabel('Same as the system').check()
    await eventually(async () => (await accentOf(page)) !== high)
    await page.emulateMedia({ contrast: 'more' })
    // The last accent that was chosen stays on this device, and shows on every screen.
    await page.goto(`http://${server.domain}/home`)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    assert.equal(await accentOf(page), high)
    await goTo(page, '/appearance')
    assert.ok(await page.getByLabel(ACCENTS.at(-1) ?? '').isChecked())
  },
)
