import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const ask = (params: Record<string, string>): Promise<Answer> =>
  server.send('GET', `/api/oembed?${new URLSearchParams(params)}`)
const post = (status: string, more: object = {}): Promise<{ id: string; url: string; uri: string }> =>
  ada.post('/api/v1/statuses', { status, ...more })

test('public and unlisted posts can be embedded by any of their addresses', async () => {
  for (const visibility of ['public', 'unlisted']) {
    const { id, url, uri } = await post('Hello', { visibility })
    const { status, json } = await ask({ url })
    assert.equal(status, 200)
    const { html, height, ...rest } = json
    assert.deepEqual(rest, {
      type: 'rich',
      version: '1.0',
      title: `Post by @ada@${server.domain}`,
      author_name: 'ada',
      author_url: `${server.ctx.config.baseUrl}/@ada`,
      provider_name: 'Rookery',
      provider_url: `${server.ctx.config.baseUrl}/`,
      cache_age: 86_400,
      width: 400,
    })
    assert.match(html, new RegExp(`^<iframe src="${url}/embed" [^>]*width="400" height="${height}"`))
    assert.equal((await ask({ url: uri, format: 'json' })).status, 200)
    assert.equal((await ask({ url: url.replace('@ada', '@ADA') })).json.title, json.title)
    assert.equal((await server.send('GET', `/@ada/${id}/embed`)).status, 200)
  }
})

test('the size of the embed follows maxwidth and maxheight', async () => {
  const { url } = await post('A long one. '.repeat(30))
  const size = async (params: Record<string, string>): Promise<number[]> => {
    const { width, height } = (await ask({ url, ...params })).json
    return [width, height]
  }
  const [width, height = 0] = await size({ maxwidth: '250' })
  assert.equal(width, 250)
  assert.ok(height > ((await size({ maxwidth: '800' }))[1] ?? 0), 'a narrower embed is higher')
  assert.deepEqual(await size({ maxwidth: '250', maxheight: '100' }), [250, 100])
  for (const maxwidth of ['0', '-5', 'wide', '']) assert.equal((await size({ maxwidth }))[0], 400, maxwidth)
})

test('oEmbed answers 404 for private posts, boosts, profiles and addresses of other servers', async () => {
  const base = server.ctx.config.baseUrl
  const hidden = await post('Hidden', { visibility: 'private' })
  const direct = await post('Direct', { visibility: 'direct' })
  const { id } = await post('Seen')
  const boost = await ada.post(`/api/v1/statuses/${id}/reblog`)
  const wrong = [
    hidden.url,
    direct.url,
    boost.uri,
    `${base}/@bea/${id}`,
    `${base}/@ada`,
    `${base}/@ada/1`,
    `${base}/@ada/99999999999999999999`,
    `${base}/about`,
    'https://elsewhere.test/@ada/1',
    'nonsense',
  ]
  for (const address of wrong) assert.equal((await ask({ url: address })).status, 404, address)
  assert.equal((await ask({})).status, 400)
})

test('the embedded page may be framed by any site and opens links outside the frame', async () => {
  const { id } = await post('In a <frame>')
  const { headers, text } = await server.send('GET', `/@ada/${id}/embed`)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors \*/)
  assert.equal(headers.get('x-frame-options'), null)
  assert.match(text, /<base target="_blank">/)
  assert.match(text, /In a &lt;frame&gt;/)
  assert.doesNotMatch(text, /<script|<nav/)
})
