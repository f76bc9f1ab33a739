// What holds for every screen of the client, with something on each of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeInBothThemes } from '../support/axe.ts'
import { clientStage } from '../support/client-stage.ts'
import { clientScreens } from '../support/client-table.ts'
import { clientBrowser, goTo, hasLoaded, skipBrowser } from '../support/client.ts'
import { englishTextsIn } from '../support/messages.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()
const browser = clientBrowser()
const { viewer, addresses } = await clientStage(server)
/** They show other screens. */
const SAME = new Set(['/', '/share'])
const screens = ['/deck', ...(await clientScreens())]
  .filter((path) => !SAME.has(path))
  .flatMap((path) => addresses[path] ?? [path])

/** What is wider than the window or its dialog, other than what scrolls or is cut off on purpose. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.querySelector('dialog:modal') ?? document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.querySelectorAll('#main *, dialog *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`${scrollWidth} wide`, ...outside.slice(0, 3).map((element) => element.outerHTML.slice(0, 160))]
  })

/** What Tab would focus after the heading, one after the other, that cannot be seen. */
const lostFocus = (page: Page, steps: number): Promise<string[]> =>
  page.evaluate((count) => {
    const lost: string[] = []
    const look = ({ target }: FocusEvent) => {
      const element = target as HTMLElement
      const { width, height } = element.getBoundingClientRect()
      const dialog = [...document.querySelectorAll('dialog')].findLast((each) => each.matches(':modal'))
      const isBehind = dialog !== undefined && !dialog.contains(element)
      const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (isBehind || !isSeen || width * height === 0) lost.push(element.outerHTML.slice(0, 160))
    }
    const start = document.querySelector('dialog:modal') ?? document.querySelector('#main h1')
    const next = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')]
      .filter((each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.getClientRects().length > 0)
      .filter((each) => (start?.compareDocumentPosition(each) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING)
    document.addEventListener('focusin', look)
    for (const element of next.slice(0, count)) element.focus()
    document.removeEventListener('focusin', look)
    return lost
  }, steps)

/** What is read or said, without addresses and names of classes. */
const textsOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const attributes = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']
    const said = [...document.querySelectorAll('body *')].flatMap((element) =>
      attributes.map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...said.filter(Boolean)].join('\n')
  })

/** An account and a year's report that do not exist. */
const expectedErrors = /(@missing|annual_report).*404/

const chooseLanguage = (locale: string) =>
  server.database.raw('update users set locale = $1 where id = $2', [locale, viewer.userId])

test(
  'every screen is accessible, and fits a narrow phone in Arabic, without English texts',
  { skip: skipBrowser },
  async () => {
    await chooseLanguage('ar')
    const page = await browser.show(server, viewer, { expectedErrors, viewport: { width: 320, height: 480 } })
    assert.equal(await page.getAttribute('html', 'dir'), 'rtl')
    const problems: Record<string, string[]> = {}
    for (const path of screens) {
      await goTo(page, path)
      await hasLoaded(page)
      const found = [
        ...(await overflowing(page)),
        ...(await englishTextsIn('ar', await textsOf(page))),
        ...(await axeInBothThemes(page)),
        ...(await lostFocus(page, 8)),
      ]
      if (found.length > 0) problems[path] = found
    }
    assert.deepEqual(problems, {})
  },
)

/** What can be pressed but lies outside the window, or below something else, wherever one scrolls. */
const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const within = document.querySelector('dialog:modal') ?? document.body
    const controls = [...within.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary')]
    return controls.flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled, .skip-link')) return []
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const points = [...control.getClientRects()].map(
        (box) => [box.x + box.width / 2, box.y + box.height / 2] as const,
      )
      const isHit = points.some(([x, y]) => {
        const hit = document.elementFromPoint(x, y)
        return hit !== null && (control.contains(hit) || control.closest('label')?.contains(hit))
      })
      return isHit ? [] : control.outerHTML.slice(0, 160)
    })
  })

test('the main screens fit a window and letters at 200 %', { skip: skipBrowser }, async () => {
  await chooseLanguage('en')
  // Of a small laptop, whose window is 1280 × 720.
  const page = await browser.show(server, viewer, { path: '/home', viewport: { width: 640, height: 360 } })
  const [, profile = ''] = addresses['/:handle/:rest*']?.filter((path) => path.startsWith('/@ben')) ?? []
  const problems: Record<string, string[]> = {}
  const check = async (name: string) => {
    const found = [...(await overflowing(page)), ...(await unreachable(page))]
    if (found.length > 0) problems[name] = found
  }
  for (const path of [
    '/home',
    '/notifications',
    '/search',
    '/explore',
    '/conversations',
    '/@ben',
    profile,
    '/appearance',
    '/filters/new',
  ]) {
    await goTo(page, path)
    await hasLoaded(page)
    await check(path)
  }
  await page.getByRole('link', { name: 'New post' }).click()
  await page.getByLabel('Text of the post').waitFor()
  await page.getByRole('button', { name: 'Poll' }).click()
  await check('composer')
  assert.deepEqual(problems, {})

  // Long words in letters of twice the size, on a small phone.
  await chooseLanguage('de')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(`localStorage.setItem('rookery.settings', '{"fontSize":200}')`)
  await page.goto(`http://${server.domain}/mutes`)
  await page.getByRole('button', { name: 'Stummschaltung aufheben' }).waitFor()
  const large: Record<string, string[]> = { '/mutes': await overflowing(page) }
  const [thread = ''] = addresses['/:handle/:rest*']?.filter((path) => /\/\d+$/.test(path)) ?? []
  for (const path of [...(addresses['/tags/:tag'] ?? []), '/appearance', '/profile/edit', thread]) {
    await goTo(page, path)
    await hasLoaded(page)
    large[path] = await overflowing(page)
  }
  await page.keyboard.press('Control+k')
  const commands = page.getByRole('dialog').getByRole('listbox')
  await commands.getByText('Farbschema').first().waitFor()
  assert.equal(await commands.evaluate((list) => list.scrollWidth - list.clientWidth), 0)
  await page.keyboard.press('Escape')
  await goTo(page, '/profile/edit')
  await hasLoaded(page)
  const bio = page.locator('textarea').first()
  await bio.fill('\n'.repeat(20))
  await bio.press('Enter')
  const room = await bio.evaluate(
    (area) => Array.from({ length: 640 }, (_, y) => y).filter((y) => document.elementFromPoint(160, y) === area).length,
  )
  assert.ok(room > 250, `${room} pixels to write in`)
  await page.goBack()
  await page.getByRole('button', { name: 'Verwerfen' }).waitFor({ state: 'detached' })
  // Its buttons take more than one line.
  await goTo(page, '/@ben')
  const { width = 0, height = 1 } = (await page.locator('.profile-avatar').boundingBox()) ?? {}
  assert.equal(width, height)
  await goTo(page, '/notifications')
  await page.getByRole('button', { name: 'Benachrichtigungseinstellungen' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Benachrichtigungseinstellungen' }).waitFor()
  large['notification settings'] = await overflowing(page)
  assert.deepEqual(
    Object.entries(large).filter(([, found]) => found.length > 0),
    [],
  )
})
