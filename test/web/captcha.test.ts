import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveSettings } from '../support/acts.ts'
import { sharedBrowser } from '../support/browser.ts'
import { mailsTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage({ env: { REGISTRATIONS_MODE: '' } })

test('a browser does the proof of work by itself, while the form is filled in', async () => {
  await saveSettings(server.ctx, { captcha_enabled: true })
  const page = await (await sharedBrowser()).newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`http://${server.domain}/auth/sign_up`)
  await page.fill('[name="user[username]"]', 'human')
  await page.fill('[name="user[email]"]', 'human@mail.test')
  await page.fill('[name="user[password]"]', 'correct horse battery')
  await page.check('[name="user[agreement]"]')
  // Before the work may be done: the form waits for it.
  await page.click('main form button')
  await page.waitForURL('**/auth/sign_up/done')
  assert.deepEqual(problems, [])
  await page.close()
  await server.drain()
  assert.equal((await mailsTo(server, 'human@mail.test')).length, 1)
})
