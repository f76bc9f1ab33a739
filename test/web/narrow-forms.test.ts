// Pages and forms on the narrowest phones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { fitsAPhone } from '../support/pages.ts'
import { post } from '../support/public-pages.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({
  accounts: ['ada'],
  env: { LOCAL_DOMAIN: 'social.a-very-long-organisation-name.example' },
})
const browser = clientBrowser()

/** Of the length that the names of applications and the options of polls may have. */
const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebsw'

test('a long domain leaves room for the username, and is shown whole', { skip: skipBrowser }, async () => {
  const page = await browser.visit(server, { viewport: { width: 320, height: 700 }, expectedRequests: /./ })
  await page.goto(`${server.url}/auth/sign_up`)
  const widthOf = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.width ?? 0
  const whole = await widthOf('.affixed')
  assert.ok((await widthOf('.affixed input')) > whole - 4)
  assert.ok((await widthOf('.affixed span')) <= whole)
  assert.equal(await page.locator('.affixed span').textContent(), `@${server.domain}`)
  const fits = 'document.documentElement.scrollWidth <= innerWidth'
  assert.ok(await page.evaluate(fits))
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  assert.ok(await page.evaluate(fits), 'with text of twice the size, too')
})

test(
  'the page of a post is accessible, and breaks long words in the options of a poll',
  { skip: skipBrowser },
  async () => {
    const { id } = await post(ada, 'Which #word is longer?', {
      poll: { options: [LONG_WORD, 'Rook'], expires_in: 600 },
    })
    // The images have the address of the domain.
    const page = await browser.visit(server, { expectedRequests: /./, expectedErrors: /ERR_NAME_NOT_RESOLVED/ })
    await page.goto(`${server.url}/@ada/${id}`)
    await page.getByText(LONG_WORD).waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await fitsAPhone(page)
  },
)

test('a long thread fits with text of twice the size', { skip: skipBrowser }, async () => {
  const first = await post(ada, 'The first of many')
  let last = first
  for (let number = 2; number <= 11; number += 1)
    last = await post(ada, `Number ${number}`, { in_reply_to_id: last.id })
  const page = await browser.visit(server, { expectedRequests: /./, expectedErrors: /ERR_NAME_NOT_RESOLVED/ })
  await page.goto(`${server.url}/@ada/${first.id}`)
  const edges = await page.evaluate(() =>
    ['.thread', '.status.main'].map((each) => document.querySelector(each)?.getBoundingClientRect().left ?? 0),
  )
  assert.ok(Math.abs((edges[0] ?? 0) - (edges[1] ?? 0)) < 3, 'posts begin at the edge of the card')
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await fitsAPhone(page)
})

test('long names and links from right to left are cut off at their ends', { skip: skipBrowser }, async () => {
  const display_name = 'غراب يراقب الطيور كل صباح جميل'
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name } })
  const { id } = await post(ada, `غراب https://example.org/${'rook/'.repeat(20)}`)
  const page = await browser.visit(server, { expectedRequests: /./, expectedErrors: /ERR_NAME_NOT_RESOLVED/ })
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`${server.url}/@ada/${id}`)
  const [first, box] = await page.locator('.names .name').evaluate((name) => {
    const range = document.createRange()
    range.setStart(name.querySelector('bdi')?.firstChild ?? name, 0)
    range.setEnd(name.querySelector('bdi')?.firstChild ?? name, 1)
    return [range.getBoundingClientRect().toJSON(), name.getBoundingClientRect().toJSON()]
  })
  assert.ok(first.left >= box.left && first.right <= box.right + 1, 'the first letter is visible')
  const direction = page.locator('.ellipsis').evaluate((link) => getComputedStyle(link).direction)
  assert.equal(await direction, 'ltr', 'the ellipsis follows the address')
})
