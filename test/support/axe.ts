import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

let source: Promise<string> | undefined

/** What axe-core finds wrong in the page or a part of it, one line for each element. */
export async function axeViolations(
  page: Page,
  scope: object = { include: [['html']] },
  rules?: readonly string[],
): Promise<string[]> {
  source ??= readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  // Evaluated and not loaded, as the pages forbid scripts from elsewhere.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(await source)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  })
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(scope)}, ${options}).then(({ violations }) => violations)`,
  )) as { id: string; help: string; nodes: { html: string }[] }[]
  return found.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)}`))
}

/** In light and in dark, where only the colours differ. */
export async function axeInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, undefined, ['color-contrast'])
  await page.emulateMedia({ colorScheme: null })
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
