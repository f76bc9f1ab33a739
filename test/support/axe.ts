import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'

type Violation = { id: string; help: string; nodes: { html: string }[] }

let source: Promise<string> | undefined
const prepared = new WeakSet<BrowserContext>()

/** Evaluated and not loaded, as the pages forbid scripts from elsewhere. */
async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(await source)
  if (prepared.has(page.context())) return
  prepared.add(page.context())
  // Chromium compiles it once for all pages to come. To run it costs as much as loading a small page, so only those that are checked do.
  await page.context().addInitScript({ content: `window.defineAxe = () => {${await source}\n}` })
}

/**
 * The violations that axe-core finds in the page or a part of it, one line for each element. A selector is enough for the part of it
 * that is new, such as a dialog: `test/client/screens.test.ts` checks all screens as they are without it.
 */
export async function axeViolations(
  page: Page,
  scope: string | object = 'html',
  rules?: readonly string[],
): Promise<string[]> {
  const context = typeof scope === 'string' ? { include: [[scope]] } : scope
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // No rule that runs looks into the stylesheets, which axe-core would load and parse each time.
    preload: { assets: ['media'] },
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  })
  const run = `axe.run(${JSON.stringify(context)}, ${options}).then(({ violations }) => violations)`
  let found: Violation[] | false = await page.evaluate(
    `('axe' in window || ('defineAxe' in window && (defineAxe(), true))) && ${run}`,
  )
  if (!found) {
    await loadAxe(page)
    found = (await page.evaluate(run)) as Violation[]
  }
  return found.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)}`))
}

/** Checks the light and the dark theme; in dark, only the contrast of colours. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, 'html', ['color-contrast'])
  await page.emulateMedia({ colorScheme: null })
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
