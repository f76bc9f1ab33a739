import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'

type Violation = { id: string; help: string; nodes: { html: string }[] }

let source: Promise<string> | undefined
const prepared = new WeakSet<BrowserContext>()

/**
 * Runs in the page, after axe-core: one text of each style that has enough contrast stands for the others, as most of the work of
 * axe-core is to find out what is behind each. A style is all that contrast follows from: the text's own, its class, as it may lie above
 * others, and the backgrounds around it up to one that hides those behind.
 */
const checkStylesOnce = () => {
  const { rules, checks } = (window as unknown as { axe: { _audit: Audit } }).axe._audit
  const rule = rules.find(({ id }) => id === 'color-contrast') as Audit['rules'][number]
  const check = checks['color-contrast']
  const { matches } = rule
  const { evaluate } = check
  const enough = new Set<string>()
  const backgroundsOf = (element: Element | null): string[] => {
    if (!element) return []
    const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, filter, position].join()
    const isHiding = backgroundColor.startsWith('rgb(') && backgroundImage === 'none' && position === 'static'
    return isHiding && opacity === '1' ? [own] : [own, ...backgroundsOf(element.parentElement)]
  }
  const styleOf = (element: Element): string => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    const own = [element.tagName, element.className, color, fontSize, fontWeight, textShadow]
    return [...own, ...backgroundsOf(element)].join()
  }
  const hasText = (element: Element): boolean =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
  rule.matches = function (element, ...rest) {
    return hasText(element) && !enough.has(styleOf(element)) && matches.call(this, element, ...rest)
  }
  check.evaluate = function (element, ...rest) {
    const result = enough.has(styleOf(element)) || evaluate.call(this, element, ...rest)
    if (result) enough.add(styleOf(element))
    return result
  }
}
type Test = (this: unknown, element: Element, ...rest: unknown[]) => boolean | undefined
type Audit = { rules: { id: string; matches: Test }[]; checks: { 'color-contrast': { evaluate: Test } } }

/** Evaluated and not loaded, as the pages forbid scripts from elsewhere. */
async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8').then(
    (axe) => `${axe}\n;(${checkStylesOnce})()`,
  )
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

/** Checks the light and the dark theme; in that which comes second, only the contrast of colours. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const all = await axeViolations(page)
  // It stays for the next page, as each change renders all anew.
  await page.emulateMedia({ colorScheme: second })
  const contrast = await axeViolations(page, 'html', ['color-contrast'])
  return [...all.map((line) => `${first}: ${line}`), ...contrast.map((line) => `${second}: ${line}`)]
}
