import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'

// Appeals for donations of a service that the administrator configured.

const site = await startSite()
after(() => site.stop())
let asked = 0
let answer: { status?: number; type: string; body: string } = { type: 'application/json', body: '{}' }
for (const seed of [1, 2, 3, 4, 5, 42])
  for (const locale of ['de', 'en'])
    site.serve(`/campaigns?platform=web&seed=${seed}&locale=${locale}`, () => {
      asked++
      return answer
    })
const { server, ada } = await stage({ accounts: ['ada'], env: { DONATION_CAMPAIGNS_URL: `${site.url}/campaigns` } })
const PATH = '/api/v1/donation_campaigns'

test('users get the campaign of the service, which is asked once an hour for a group and language', async () => {
  answer = { type: 'application/json', body: JSON.stringify({ id: 'spring', amounts: { EUR: [500] } }) }
  for (const seed of [42, 142])
    assert.deepEqual(await ada.get(`${PATH}?locale=de-AT&seed=${seed}`), { id: 'spring', amounts: { EUR: [500] } })
  assert.equal(asked, 1)
  assert.equal((await server.send('GET', PATH)).status, 401)
})

test('no campaign is no content, as is a service that fails or sends anything else', async () => {
  const answers = [
    { status: 204, type: 'text/plain', body: '' },
    { status: 500, type: 'text/plain', body: 'broken' },
    { type: 'application/json', body: '[1]' },
    { type: 'application/json', body: '{' },
    { type: 'application/json', body: JSON.stringify({ text: 'x'.repeat(100_000) }) },
  ]
  for (const [index, each] of answers.entries()) {
    answer = each
    const got = await ada.send('GET', `${PATH}?locale=en&seed=${index + 1}`)
    assert.deepEqual([got.status, got.text], [204, ''], each.body.slice(0, 20))
  }
})

test('a server without such a service has no campaigns', async () => {
  const { bea } = await stage({ accounts: ['bea'] })
  assert.equal((await bea.send('GET', PATH)).status, 204)
})
