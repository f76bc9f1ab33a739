// What the pages of a failed test show, and how they came there: many failures on busy machines do not come back when one looks for
// them.
import type { BrowserContext, Page } from 'playwright-core'

/** The last events of each page, the oldest first. */
const events = new WeakMap<Page, string[]>()

const MAX_EVENTS = 60
const MAX_TEXT = 4000

/** Notes what happens in the pages of a context: navigations, messages on the console, and requests that fail. */
export function recordEvents(context: BrowserContext): void {
  context.on('page', (page) => {
    const noted: string[] = []
    events.set(page, noted)
    const note = (event: string): void => {
      noted.push(`${new Date().toISOString().slice(11, 23)} ${event}`)
      if (noted.length > MAX_EVENTS) noted.shift()
    }
    page.on('framenavigated', (frame) => frame === page.mainFrame() && note(`opened ${frame.url()}`))
    page.on('console', (message) => note(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => note(`error: ${error.message}`))
    page.on('requestfailed', (request) =>
      note(`${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`),
    )
    page.on('response', (response) => response.status() >= 400 && note(`${response.status()} for ${response.url()}`))
    page.on('crash', () => note('crashed'))
  })
}

/** Prints them on the standard error output. */
export async function printPages(name: string, contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of new Set(contexts.flatMap((context) => context.pages())))
    console.error(
      [
        `Page of the failed test "${name}": ${page.url()}`,
        ...(events.get(page) ?? []).map((event) => `  ${event}`),
        await describe(page),
      ].join('\n'),
    )
}

async function describe(page: Page): Promise<string> {
  const shown = page.evaluate(() => {
    const outline = (element: Element | null): string => element?.outerHTML.replace(/(?<=>)[^]*/, '') ?? 'nothing'
    const dialogs = [...document.querySelectorAll('dialog[open]')].map((dialog) => `  dialog ${outline(dialog)}`)
    return [
      `  ${outline(document.documentElement)}`,
      `  focus on ${outline(document.activeElement)}`,
      ...dialogs,
      document.body.innerText.replaceAll(/\s*\n\s*/g, ' | '),
    ].join('\n')
  })
  const late = new Promise<string>((resolve) => setTimeout(() => resolve('  The page does not answer.'), 5000).unref())
  const text = await Promise.race([shown.catch(String), late])
  return text.slice(0, MAX_TEXT)
}
