// Forms on the narrowest phones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage({ env: { LOCAL_DOMAIN: 'social.a-very-long-organisation-name.example' } })
const browser = clientBrowser()

test('a long domain leaves room for the username, and is shown whole', { skip: skipBrowser }, async () => {
  const page = await browser.visit(server, { viewport: { width: 320, height: 700 }, expectedRequests: /./ })
  await page.goto(`${server.url}/auth/sign_up`)
  const widthOf = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.width ?? 0
  const whole = await widthOf('.affixed')
  assert.ok((await widthOf('.affixed input')) > whole - 4)
  assert.ok((await widthOf('.affixed span')) <= whole)
  assert.equal(await page.locator('.affixed span').textContent(), `@${server.domain}`)
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
})
