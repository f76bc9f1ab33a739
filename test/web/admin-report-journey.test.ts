// From a report to its outcome, the appeal and the end of the suspension, in a browser, with the keyboard alone.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { signIn } from '../support/admin-pages.ts'
import { sharedBrowser } from '../support/browser.ts'
import { mailsTo } from '../support/mail.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const skip = process.arch !== 'x64' && 'the package with the browser is for x64 only'

const { server, alan, troll, fan } = await stage({ accounts: ['alan', 'troll', 'fan'] })
const warden = await server.person('warden', {
  role: ['view_dashboard', 'manage_reports', 'manage_users', 'manage_appeals'],
})
const contexts: BrowserContext[] = []
after(async () => void (await Promise.all(contexts.map((context) => context.close()))))

const sessionOf = async (person: Person): Promise<Page> => {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 900 } })
  contexts.push(context)
  const page = await context.newPage()
  await signIn(page, server, person)
  return page
}

/** Moves with Tab to the first control whose name matches. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab')
    const { text, isVisible } = (await page.evaluate(`(() => {
      const { activeElement: element } = document
      const label = element.labels?.[0]?.innerText
      const { width, height } = element.getBoundingClientRect()
      return { text: label ?? element.getAttribute('aria-label') ?? element.innerText, isVisible: width > 0 && height > 0 }
    })()`)) as { text: string; isVisible: boolean }
    assert.ok(isVisible, `the focus is on something invisible: ${text}`)
    if (name.test(text)) return
  }
  assert.fail(`the keyboard does not lead to ${name} on ${page.url()}`)
}

/** Follows a link or presses a button, and waits for the next page. */
async function enter(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

const heading = (page: Page): Promise<string> => page.locator('h1').innerText()

test('a moderator suspends a reported account, its user appeals, and all is as before', { skip }, async () => {
  await fan.post(`/api/v1/accounts/${troll.id}/follow`)
  const status = await troll.post('/api/v1/statuses', { status: '@alan nobody likes you' })
  await server.drain()
  const page = await sessionOf(warden)

  await alan.post('/api/v1/reports', {
    account_id: troll.id,
    status_ids: [status.id],
    comment: 'This goes on every day.',
    category: 'other',
  })

  await page.goto(`http://${server.domain}/admin`)
  assert.equal(await heading(page), 'Dashboard')
  await enter(page, /^Reports\s*1/)
  assert.equal(await heading(page), 'Reports')
  await enter(page, /^#\d+/)
  const context = await page.locator('main').innerText()
  for (const part of ['This goes on every day.', 'nobody likes you', '@troll', '@alan', 'Warnings so far'])
    assert.ok(context.includes(part), part)

  await tabTo(page, /^Text to the user/)
  await page.keyboard.type('Harassment is not welcome here.')
  await enter(page, /^Suspend$/)
  const question = await page.locator('main').innerText()
  assert.match(question, /What this would do/)
  assert.match(question, /Followers that it loses\s+1/)
  await enter(page, /^Suspend$/)
  assert.match(await page.locator('.notice').innerText(), /The report is resolved/)
  await server.drain()
  assert.equal((await server.send('GET', `/api/v1/accounts/${troll.id}`)).status, 410)
  assert.equal((await fan.send('GET', `/api/v1/statuses/${status.id}`)).status, 404)

  const [warning] = (await mailsTo(server, troll.email)).slice(-1)
  assert.match(warning?.text ?? '', /Harassment is not welcome here\./)

  const trollsPage = await sessionOf(troll)
  await trollsPage.goto(`http://${server.domain}/disputes/strikes`)
  assert.match(await trollsPage.locator('main').innerText(), /Your account is suspended/)
  await enter(trollsPage, /^Account suspended/)
  assert.match(await trollsPage.locator('main').innerText(), /Harassment is not welcome here\./)
  await tabTo(trollsPage, /^Why do you think/)
  await trollsPage.keyboard.type('My little brother wrote that.')
  await enter(trollsPage, /^Send the appeal$/)
  assert.match(await trollsPage.locator('.notice').innerText(), /Your appeal is sent/)

  await page.goto(`http://${server.domain}/admin`)
  await enter(page, /^Appeals\s*1/)
  assert.match(await page.locator('main').innerText(), /My little brother wrote that\./)
  await enter(page, /^Accept\b/)
  assert.match(await page.locator('.notice').innerText(), /The appeal is accepted/)
  await server.drain()

  assert.equal((await server.send('GET', `/api/v1/accounts/${troll.id}`)).status, 200)
  assert.equal((await fan.send('GET', `/api/v1/statuses/${status.id}`)).status, 200)
  const [relationship] = await fan.get(`/api/v1/accounts/relationships?id[]=${troll.id}`)
  assert.equal(relationship.following, true, 'the follow is restored')
  assert.equal((await troll.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
  const notifications = await troll.get('/api/v1/notifications?types[]=moderation_warning')
  assert.equal(notifications[0]?.moderation_warning.action, 'suspend')
  assert.equal(notifications[0]?.moderation_warning.appeal?.state, 'approved')
  assert.match((await mailsTo(server, troll.email)).at(-1)?.subject ?? '', /appeal/i)
  await trollsPage.goto(`http://${server.domain}/disputes/strikes`)
  assert.match(await trollsPage.locator('main').innerText(), /No longer applies/)
})
