import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { uploadImage } from '../support/images.ts'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'

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
    assert.equal((await ask({ url: uri, format: 'xml' })).status, 501)
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
  assert.ok(((await size({ maxwidth: '1' }))[1] ?? 0) > height, 'however narrow')
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

test('the height of the embed is that of the page, with little to spare', async (t) => {
  const page = await (await sharedBrowser()).newPage()
  t.after(() => page.close())
  const quoted = await post('Said before. '.repeat(5))
  const image = await uploadImage(ada, 1200, 800)
  await server.drain()
  const posts = {
    short: await post('Hi'),
    long: await post('A long one. '.repeat(30)),
    paragraphs: await post('One\n\nTwo\n\nThree\nFour'),
    warned: await post('Folded. '.repeat(30), { spoiler_text: 'Long' }),
    link: await post(`https://elsewhere.test/${'a'.repeat(100)}`),
    image: await post('Seen', { media_ids: [image] }),
    poll: await post('Which?', { poll: { options: ['this', 'that', 'neither'], expires_in: 3600 } }),
    quote: await post('Yes', { quoted_status_id: quoted.id }),
  }
  for (const [name, { url }] of Object.entries(posts)) {
    const { width, height } = (await ask({ url })).json
    await page.setViewportSize({ width, height: 50 })
    await page.goto(`${url}/embed`)
    const actual = (await page.evaluate('document.documentElement.scrollHeight')) as number
    assert.ok(actual <= height && height <= actual + 50, `${name}: ${height} for ${actual} pixels`)
  }
})

// Jekyll and Eleventy plugins and Bridgy write both addresses from that of the post.
test('frames of other sites that are written as for Mastodon get the height of their post', async (t) => {
  const { url } = await post('A long one. '.repeat(30))
  const hidden = await post('Hidden', { visibility: 'private' })
  const { height } = (await ask({ url, maxwidth: '300' })).json
  const site = await startSite()
  t.after(() => site.stop())
  const embed = (address: string): string =>
    `<iframe src="${address}/embed" class="mastodon-embed" style="max-width: 100%; border: 0" width="300"></iframe>
    <script src="${server.ctx.config.baseUrl}/embed.js" async="async"></script>`
  site.serve('/blog', { body: `<!doctype html>${embed(url)}${embed(hidden.url)}${embed(`${site.url}/other`)}` })

  const page = await (await sharedBrowser()).newPage()
  t.after(() => page.close())
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${site.url}/blog`)
  const heights = (): Promise<(string | null)[]> =>
    page.locator('iframe').evaluateAll((frames) => frames.map((frame) => frame.getAttribute('height')))
  await eventually(async () => (await heights())[0])
  assert.deepEqual(await heights(), [String(height), null, null])
  assert.equal(asked.filter((address) => address.includes('/api/oembed')).length, 2, 'once for each post of the server')
})
