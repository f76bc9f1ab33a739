// Steps on the screens of the web client in any language, that lead to what `client-states.ts` lists.
import type { Locator, Page } from 'playwright-core'
import type { ClientLaterTexts } from '../../src/messages/en/client/later.ts'
import type { ClientTexts } from '../../src/messages/en/client/texts.ts'
import type { ClientStage } from './client-stage.ts'
import { pngOf } from './images.ts'

export type Scene = { page: Page; t: ClientTexts & ClientLaterTexts; stage: ClientStage }
export type ClientState = {
  name: string
  path: string
  /** A browser that is also signed in to the account of the friend. */
  hasTwoAccounts?: boolean
  /** Replaces a response of the server. Call it before the page is opened. */
  prepare?: (scene: Scene) => Promise<unknown>
  show: (scene: Scene) => Promise<unknown>
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const startsWith = (text: string): RegExp => new RegExp(`^${escaped(text)}`)

export const press = (within: Page | Locator, name: string): Promise<void> =>
  within
    .getByRole('button', { name: startsWith(name) })
    .first()
    .click()
const choose = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('menuitem', { name: startsWith(name) })
    .first()
    .click()
export const dialog = (page: Page): Locator => page.getByRole('dialog').last()

/** The first article of the page that has the text, with its menus. */
export const article = (page: Page, text: string): Locator => page.locator('article', { hasText: text }).first()

export async function openComposer({ page }: Scene, text = ''): Promise<Locator> {
  await page.locator('.compose-link').click()
  const area = page.locator('.text-input').first()
  await area.waitFor()
  await area.fill(text)
  return area
}

/** Pastes the text at the caret. */
export const pasteText = (field: Locator, text: string): Promise<void> =>
  field.evaluate((area: HTMLTextAreaElement, pasted: string) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    area.setRangeText(pasted, area.selectionStart, area.selectionEnd, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }, text)

export async function addImages({ page, t }: Scene): Promise<void> {
  const files = await Promise.all(
    ['#3a6ea0', '#7a4ba0', '#3aa08d'].map(async (background, index) => ({
      name: `${index}.png`,
      mimeType: 'image/png',
      buffer: await pngOf(600, 400 + index * 200, background),
    })),
  )
  await page.locator('.composer-tools input[type=file]').setInputFiles(files)
  await page.getByRole('button', { name: t.compose.add_alt({ number: '3' }) }).waitFor()
  await page.locator('.upload-progress').first().waitFor({ state: 'detached' })
}

export async function statusMenu(scene: Scene, text: string, item?: string): Promise<void> {
  await press(article(scene.page, text), scene.t.statuses.more)
  if (item) await choose(scene.page, item)
}

export async function accountMenu({ page, t }: Scene, item?: string): Promise<void> {
  await press(page.locator('.profile-buttons'), t.accounts.more)
  if (item) await choose(page, item)
}

export const fails =
  (pattern: string, status: number) =>
  ({ page }: Scene) =>
    page.route(pattern, (route) => route.fulfill({ status, json: { error: 'Remote data could not be fetched' } }))
export const never = (pattern: string) => (scene: Scene) => scene.page.route(pattern, () => {})
export const answers =
  (pattern: string, json: unknown = []) =>
  (scene: Scene) =>
    scene.page.route(pattern, (route) => route.fulfill({ json }))
export const settle = ({ page }: Scene) => page.waitForTimeout(600)

/** Of posts of the stage. */
export const FIRST = 'A thread about'
export const OWN = 'Good morning from the one'
