import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** With SCREENSHOTS=folder: saves screenshots of a page for desktop and phone, in light and dark. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [device, width] of [
      ['desk', 1000],
      ['phone', 375],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.screenshot({ path: join(folder, `${name}-${device}-${colorScheme}.png`), fullPage: true })
    }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1000, height: 800 })
}

/** Sets the window to the narrowest phone, and returns what is wider or cut off there, other than what scrolls. */
export async function cutOffOnAPhone(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 })
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement
    const cutOff = [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > 320)
      .filter((element) => !element.closest('pre, .table-scroll, .names, .visually-hidden'))
      .map((element) => `cut off on a phone: ${element.outerHTML.slice(0, 200)}`)
    return scrollWidth > 320 ? [`${scrollWidth} wide on a phone`, ...cutOff] : cutOff
  })
}

export async function fitsAPhone(page: Page): Promise<void> {
  const before = page.viewportSize()
  assert.deepEqual(await cutOffOnAPhone(page), [], page.url())
  if (before) await page.setViewportSize(before)
}

/** Fills in a form with the keyboard only: moves with Tab, types into fields, ticks boxes, presses the button. */
export async function byKeyboard(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  const left = new Set(Object.keys(fields))
  for (let steps = 0; steps < 40; steps++) {
    // The first field may have the focus already.
    if (steps > 0 || (await page.locator(':focus').count()) === 0) await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    const [name, isVisible] = [(await focused.getAttribute('name')) ?? '', await focused.isVisible()]
    assert.ok(isVisible, 'the keyboard focus is on an invisible element')
    if (left.delete(name)) await page.keyboard.type(fields[name] ?? '')
    else if (
      (await focused.evaluate((element) => element.tagName)) === 'BUTTON' &&
      (await focused.innerText()) === button
    ) {
      assert.deepEqual([...left], [], 'the button comes before these fields')
      return page.keyboard.press('Enter')
    }
  }
  assert.fail(`the keyboard does not lead to ${button}`)
}
