// Every page of the administration in a browser: axe-core in light and dark, a phone's width, the keyboard, and no errors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminPages, kindOfAddress, linksOn, signIn } from '../support/admin-pages.ts'
import { axeViolations } from '../support/axe.ts'
import { sharedBrowser } from '../support/browser.ts'
import { moderatedServer } from '../support/moderated-server.ts'
import { browser, signedIn } from '../support/forms.ts'
import { englishTextsIn, LANGUAGES } from '../support/messages.ts'
import { fitsAPhone } from '../support/pages.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = process.arch !== 'x64' && 'the package with the browser is for x64 only'

const { server } = await stage({ env: { EXPERIMENTAL_FEATURES: 'fasp' }, fresh: true })
let page: Page
const browserErrors: string[] = []

let owner: Person

before(async () => {
  if (skip) return
  ;({ owner } = await moderatedServer(server))
  page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 800 } })
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(`${page.url()}: ${message.text()}`)
  })
  await signIn(page, server, owner)
})
after(async () => page?.close())

const violations = (scope: object, rules?: readonly string[]): Promise<string[]> => axeViolations(page, scope, rules)

/** Links and controls that the keyboard cannot reach. */
const unreachable = (): Promise<string[]> =>
  page
    .locator('main :is(a, button, input, select, textarea, summary):visible')
    .evaluateAll((elements) =>
      elements
        .filter((element) => (element as HTMLElement).tabIndex !== 0 && !(element as HTMLInputElement).disabled)
        .map((element) => element.outerHTML.slice(0, 200)),
    )

/** Words of the server's own texts that a table beside the menu breaks, and how far tables are too wide there. */
async function crampedTables(): Promise<string[]> {
  await page.setViewportSize({ width: 900, height: 800 })
  const found = await page.locator('.data-table').evaluateAll((tables) =>
    tables.flatMap((table) => {
      const cramped =
        table.scrollWidth > table.clientWidth ? [`table too wide by ${table.scrollWidth - table.clientWidth}`] : []
      for (const cell of table.querySelectorAll('td:not(:has(bdi, code, [dir]))')) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        for (let text = texts.nextNode(); text; text = texts.nextNode())
          for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\d]+/gu)) {
            const range = document.createRange()
            range.setStart(text, index)
            range.setEnd(text, index + word.length)
            if (range.getClientRects().length > 1) cramped.push(`broken word: ${word}`)
          }
      }
      return cramped
    }),
  )
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

/** The menu has as many links as most pages: it is checked once. */
const WITHOUT_MENU = { exclude: [['.admin-menu']] }
const WHOLE = { include: [['html']] }

/** Found by the first test. */
const open = ['/admin/menu', ...adminPages().map(({ path }) => path)]

test('each page is accessible, fits a phone and is reached by keyboard', { skip }, async () => {
  const [seen, inMenu] = [new Set(open.map(kindOfAddress)), new Set(open)]
  const problems: string[] = []
  for (const address of open) {
    await page.emulateMedia({ colorScheme: 'light' })
    const response = await page.goto(`http://${server.domain}${address}`)
    if (response?.status() !== 200) {
      problems.push(`${address}: HTTP ${response?.status()}`)
      continue
    }
    const scope = address === '/admin/menu' ? WHOLE : WITHOUT_MENU
    const found = [...(await violations(scope)), ...(await unreachable()).map((element) => `no keyboard: ${element}`)]
    if ((await page.locator('h1').count()) !== 1) found.push('needs one main heading')
    await fitsAPhone(page).catch((error: Error) => found.push(error.message))
    found.push(...(await crampedTables()))
    // The pages below have no other colours.
    if (inMenu.has(address)) {
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violations(scope, ['color-contrast'])).map((line) => `dark: ${line}`))
    }
    problems.push(...found.map((problem) => `${address}: ${problem}`))
    // One page of each kind that has no place in the menu.
    for (const link of await linksOn(page))
      if (!seen.has(kindOfAddress(link)) && open.length < 100) {
        seen.add(kindOfAddress(link))
        open.push(link)
      }
  }
  assert.deepEqual(problems, [])
  assert.deepEqual(browserErrors, [])
})

test('each page speaks every language', { skip }, async () => {
  const tab = await signedIn(server, owner)
  const problems: string[] = []
  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    await server.database.raw('update users set locale = $1 where id = $2', [language, owner.userId])
    for (const path of open) {
      const { status, text } = await tab.get(path)
      const left = status === 200 ? await englishTextsIn(language, text) : []
      problems.push(...left.map((english) => `${language} ${path}: ${english}`))
    }
  }
  assert.deepEqual(problems, [])
})

test('long labels fit beside their values on a phone', { skip }, async () => {
  await server.database.raw(`update users set locale = 'de' where id = $1`, [owner.userId])
  await page.setViewportSize({ width: 390, height: 800 })
  const broken: string[] = []
  for (const path of ['/admin/appeals', '/admin/jobs', '/admin/instances']) {
    await page.goto(`http://${server.domain}${path}`)
    const found = await page.locator('.data-table td[data-label]').evaluateAll((cells) => {
      const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      return cells.flatMap((cell) => {
        const { fontWeight, fontSize, fontFamily } = getComputedStyle(cell, '::before')
        canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`
        const room = Number.parseFloat(getComputedStyle(cell).gridTemplateColumns)
        const words = (cell.getAttribute('data-label') ?? '').split(' ')
        return words.filter((word) => canvas.measureText(word).width > room)
      })
    })
    broken.push(...found.map((word) => `${path}: ${word}`))
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.deepEqual([...new Set(broken)], [])
})

test('staff are led only to pages that their role may open', { skip }, async () => {
  const problems: string[] = []
  for (const permission of new Set(adminPages().flatMap(({ permissions }) => permissions))) {
    const tab = browser(server)
    const { email, password } = await server.person(`only_${permission}`, { role: [permission] })
    await tab.signIn(email, password)
    const paths = ['/admin/menu']
    const seen = new Set(paths.map(kindOfAddress))
    for (const path of paths) {
      const { status, text } = await tab.get(path)
      if (status === 403) problems.push(`${permission}: ${path}`)
      for (const [, link = ''] of text.matchAll(/href="(\/admin[^"?]*)/g))
        if (!seen.has(kindOfAddress(link))) {
          seen.add(kindOfAddress(link))
          paths.push(link)
        }
    }
  }
  assert.deepEqual(problems, [])
})
