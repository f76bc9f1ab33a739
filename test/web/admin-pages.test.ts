// Every page of the administration in a browser: axe-core, a phone's width, the keyboard, and no errors. src/html/assets.test.ts
// proves that the colours of both themes have contrast.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminPages, kindOfAddress, signIn } from '../support/admin-pages.ts'
import { axeViolations } from '../support/axe.ts'
import { sharedBrowser } from '../support/browser.ts'
import { moderatedServer } from '../support/moderated-server.ts'
import { type Browser, signedIn } from '../support/forms.ts'
import { englishTextsIn } from '../support/messages.ts'
import { cutOffOnAPhone } from '../support/pages.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = process.arch !== 'x64' && 'the package with the browser is for x64 only'

/** Leaves a table little room beside the menu. */
const DESK = { width: 900, height: 800 }

const { server } = await stage({ env: { EXPERIMENTAL_FEATURES: 'fasp' } })
let page: Page
const browserErrors: string[] = []

let owner: Person

before(async () => {
  if (skip) return
  ;({ owner } = await moderatedServer(server))
  page = await (await sharedBrowser()).newPage({ viewport: DESK })
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(`${page.url()}: ${message.text()}`)
  })
  await signIn(page, server, owner)
})
after(async () => page?.close())

test('a form of the administration that is saved as it was opened changes nothing', { skip }, async () => {
  const tab = await signedIn(server, owner)
  const act = { act: 'save' }
  const log = async () => (await server.database.raw('select target_type, details from audit_log order by id')).rows
  const before = await log()
  for (const [kind, table] of Object.entries({
    announcements: 'announcements',
    block_lists: 'block_lists',
    custom_emojis: 'custom_emojis where domain is null',
    domain_blocks: 'domain_blocks',
    ip_blocks: 'ip_blocks',
    // Those of everyone and of the owner: the browser of the tests sends one box of each name.
    roles: 'roles where id in (-99, 3)',
    rules: 'rules',
    username_blocks: 'username_blocks',
    warning_presets: 'account_warning_presets',
    webhooks: 'webhooks',
  })) {
    const { rows } = await server.database.raw(`select id from ${table}`)
    assert.notEqual(rows.length, 0, kind)
    for (const { id } of rows) {
      const action = `/admin/${kind}/${id}`
      const saved = await tab.submit(await tab.get(action), act, { action })
      assert.match(saved.location, /notice=/, action)
    }
  }
  assert.deepEqual(await log(), before)
})

/** Sets the window to the desk, and returns what is wrong there. */
async function problemsOnADesk(address: string): Promise<string[]> {
  await page.setViewportSize(DESK)
  const found = await page.evaluate(() => {
    const problems: string[] = []
    if (document.querySelectorAll('h1').length !== 1) problems.push('needs one main heading')
    for (const element of document.querySelectorAll<HTMLElement>(
      'main :is(a, button, input, select, textarea, summary)',
    ))
      if (
        element.checkVisibility({ visibilityProperty: true }) &&
        element.tabIndex !== 0 &&
        !element.matches(':disabled')
      )
        problems.push(`no keyboard: ${element.outerHTML.slice(0, 200)}`)
    for (const table of document.querySelectorAll('.data-table')) {
      if (table.scrollWidth > table.clientWidth)
        problems.push(`table too wide by ${table.scrollWidth - table.clientWidth}`)
      for (const cell of table.querySelectorAll('td:not(:has(bdi, code, [dir]))')) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        for (let text = texts.nextNode(); text; text = texts.nextNode())
          for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\d]+/gu)) {
            const range = document.createRange()
            range.setStart(text, index)
            range.setEnd(text, index + word.length)
            if (range.getClientRects().length > 1) problems.push(`broken word: ${word}`)
          }
      }
    }
    return problems
  })
  // The menu has as many links as most pages: it is checked once.
  const scope = address === '/admin/menu' ? undefined : { exclude: [['.admin-menu']] }
  return [...found, ...(await axeViolations(page, scope))]
}

type AdminPage = { address: string; status: number; text: string; policy: string | null }

/** The pages that the address leads to, one of each kind. */
async function pagesFrom(address: string, tab: Browser): Promise<AdminPage[]> {
  const found = [address]
  const seen = new Set(found.map(kindOfAddress))
  const pages: AdminPage[] = []
  for (const path of found) {
    const { status, text, headers } = await tab.get(path)
    pages.push({ address: path, status, text, policy: headers.get('content-security-policy') })
    for (const [, link = ''] of text.matchAll(/href="(\/admin[^"?]*)(?![^>]* download)/g)) {
      if (!seen.has(kindOfAddress(link))) found.push(link)
      seen.add(kindOfAddress(link))
    }
  }
  return pages
}

/** What the browser knows before the body, apart from the title. */
const headOf = ({ text, policy }: AdminPage): string =>
  `${policy} ${text.slice(0, text.indexOf('<body')).replace(/<title>.*?<\/title>/s, '')}`

let shown = ''

/**
 * A page that has the same head as the one before only replaces its body, unless the policy may forbid a part of it: to load
 * axe-core into a new page takes as long as its checks.
 */
async function show(next: AdminPage): Promise<void> {
  const isAlike = headOf(next) === shown && !/<(?:script|style|iframe)| (?:style|on[a-z]+)="/.test(next.text)
  shown = headOf(next)
  if (!isAlike) return void (await page.goto(`http://${server.domain}${next.address}`))
  await page.evaluate(async (html) => {
    const { title, body } = new DOMParser().parseFromString(html, 'text/html')
    document.title = title
    document.body.replaceWith(body)
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  }, next.text)
}

test(
  'each page is accessible, fits a phone, is reached by keyboard and speaks the language of the user',
  { skip },
  async () => {
    const problems: string[] = []
    // Arabic shares the fewest words with English. src/messages/messages.test.ts compares the catalogues of all languages.
    const setLanguage = (language: string) =>
      server.database.raw('update users set locale = $1 where id = $2', [language, owner.userId])
    await setLanguage('ar')
    const tab = await signedIn(server, owner)
    for (const { address, text } of await pagesFrom('/admin/menu', tab))
      problems.push(...(await englishTextsIn('ar', text)).map((left) => `${address}: ${left}`))
    await setLanguage('en')
    const pages = await pagesFrom('/admin/menu', tab)
    assert.ok(pages.length > 60)
    // A new size costs more than most checks: every other page begins on the phone.
    const views = [problemsOnADesk, () => cutOffOnAPhone(page)]
    for (const each of pages) {
      const { address, status } = each
      await show(each)
      if (status !== 200) problems.push(`${address}: HTTP ${status}`)
      for (const view of views) problems.push(...(await view(address)).map((problem) => `${address}: ${problem}`))
      views.reverse()
    }
    assert.deepEqual(problems, [])
    assert.deepEqual(browserErrors, [])
  },
)

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
  assert.deepEqual([...new Set(broken)], [])
})

test('staff are led only to pages that their role may open', { skip }, async () => {
  const problems: string[] = []
  for (const permission of new Set(adminPages().flatMap(({ permissions }) => permissions))) {
    const tab = await signedIn(server, await server.person(`only_${permission}`, { role: [permission] }))
    for (const { address, status } of await pagesFrom('/admin/menu', tab))
      if (status === 403) problems.push(`${permission}: ${address}`)
  }
  assert.deepEqual(problems, [])
})
