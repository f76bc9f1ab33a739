// The pages of the administration for tests in a browser, and a server on which each of them has something to show.
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/domain/auth/viewer.ts'
import { ADMIN_MENU } from '../../src/web/admin/routes.ts'
import { sql } from './database.ts'
import type { Person, TestServer } from './server.ts'

export const adminPages = (): { path: string; permissions: readonly Permission[] }[] =>
  ADMIN_MENU.flatMap(({ pages }) => pages.map(({ path, permissions }) => ({ path, permissions })))

/** Signs in by the form. It leads to a page of the server, as the web client would load, and let its service worker store all files. */
export async function signIn(page: Page, server: TestServer, person: Person): Promise<void> {
  await page.goto(`http://${server.domain}/auth/sign_in?next=/auth/edit`)
  await page.fill('[name="user[email]"]', person.email)
  await page.fill('[name="user[password]"]', person.password)
  await Promise.all([page.waitForURL((url) => url.pathname !== '/auth/sign_in'), page.click('main form button')])
}

/** The address with its ids replaced, so that pages of one kind count once. Without the query. */
export const kindOfAddress = (address: string): string =>
  new URL(address, 'http://localhost').pathname
    .split('/')
    .map((part) => (/^-?\d+$|^[\da-f-]{36}$|\.|%/.test(part) ? ':id' : part))
    .join('/')

/** The pages below the administration to which the page links, other than downloads. */
export const linksOn = (page: Page): Promise<string[]> =>
  page
    .locator('main a[href^="/admin"]:not([download])')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/** A job that failed and one that will be tried again. */
export async function insertFailedJobs({ ctx }: TestServer): Promise<void> {
  await ctx.db.run(sql`
    insert into pgboss.job (name, data, state, retry_count, retry_limit, started_on, completed_on, start_after, output, policy)
    values
      ('polls.close', '{"pollId": "1"}', 'failed', 18, 18, now(), now(), now(), '{"message": "connection refused"}', 'standard'),
      ('mail.send', '{"to": "secret@mail.test"}', 'retry', 1, 10, now(), null, now() + interval '1 hour', '{"message": "greeting failed"}', 'standard')`)
}
