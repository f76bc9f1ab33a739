// The composer of the web client in tests.
import type { Page } from 'playwright-core'
import { pngOf } from './images.ts'
import type { Person } from './server.ts'

export const textOf = (page: Page) => page.getByLabel('Text of the post')
export const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
export const openNew = (page: Page) => page.getByRole('link', { name: 'New post' }).click()

export async function says(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text, { exact: true }).waitFor()
}

/** The newest posts of an account as the API has them, without HTML. */
export async function postsOf(person: Person): Promise<{ id: string; text: string; [key: string]: any }[]> {
  const found = await person.get(`/api/v1/accounts/${person.id}/statuses?limit=40`)
  return found.map((status: any) => ({ ...status, text: status.content.replaceAll(/<[^>]+>/g, '') }))
}

export async function pngFile(name: string, background: string, width = 600, height = 400) {
  const buffer = await pngOf(width, height, background)
  return { name, mimeType: 'image/png', buffer }
}
