import { cleanUp, publishStatus, fetchCard } from '../support/acts.ts'
import { pngOf } from '../support/images.ts'
import { type BusMessage } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { cpuTime } from '../support/cpu.ts'
import { beforeCommit } from '../support/races.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'
import { post } from '../support/timelines.ts'

const { server, ada, ben } = await stage({ accounts: ['ada', 'ben'] })
const site = await startSite()
const jpeg = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#b52' } })
  .jpeg()
  .toBuffer()
site.serve('/picture.jpg', { type: 'image/jpeg', body: jpeg })
after(() => site.stop())

const page = (head: string, html = '<html lang="en">'): string =>
  `<!doctype html>${html}<head>${head}</head><body>hi</body></html>`
const meta = (members: Record<string, string>): string =>
  Object.entries(members)
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join('')
const cardOf = async (id: string, who: Person = ben): Promise<any> => (await who.get(`/api/v1/statuses/${id}`)).card
const posted = async (text: string, more: Record<string, unknown> = {}): Promise<any> => {
  const id = await post(ada, text, more)
  await server.drain()
  return cardOf(id)
}

test('OpenGraph metadata becomes a preview card in the API, on the web page, in boosts and in `has:link` search', async () => {
  const head = meta({
    'og:title': 'Rooks &amp; “ravens”',
    'og:description': 'All\n about  birds',
    'og:image': '/picture.jpg',
    'og:image:alt': 'A bird',
    'og:site_name': 'Birds',
    'og:url': '/article?id=1',
    'og:author': 'Some One',
    'article:published_time': '2024-05-06T07:08:09+02:00',
  })
  const link = site.serve('/article?id=1&from=x', { body: page(`<title>no</title>${head}`, '<html lang="de-AT">') })
  const messages: BusMessage[] = []
  const stop = server.ctx.subscribe((message) => messages.push(message))
  const id = await post(ada, `look: ${link} and ${site.url}/other`)
  assert.equal((await ada.get(`/api/v1/statuses/${id}`)).card, null)
  await server.drain()
  stop()
  const status = await ada.get(`/api/v1/statuses/${id}`)
  const { image, blurhash, ...card } = status.card
  assert.deepEqual(card, {
    url: `${site.url}/article?id=1`,
    title: 'Rooks & “ravens”',
    description: 'All about birds',
    language: 'de',
    type: 'link',
    authors: [{ name: 'Some One', url: '', account: null }],
    author_name: 'Some One',
    author_url: '',
    provider_name: 'Birds',
    provider_url: '',
    html: '',
    width: 678,
    height: 339,
    image_description: 'A bird',
    embed_url: '',
    published_at: '2024-05-06T05:08:09.000Z',
    missing_attribution: null,
  })
  assert.equal(status.edited_at, null)
  assert.equal((await ada.get(`/api/v1/statuses/${id}/history`)).length, 1)
  assert.ok(messages.some((message) => message.type === 'status.edited' && message.id === id))
  assert.match(blurhash, /^\S{10,}$/)
  const copy = await server.send('GET', new URL(image).pathname)
  assert.deepEqual([copy.status, copy.headers.get('content-type')], [200, 'image/webp'])
  const boost = await ben.post(`/api/v1/statuses/${id}/reblog`)
  assert.equal(boost.reblog.card.title, card.title)
  const shown = await server.send('GET', `/@ada/${id}`)
  assert.match(shown.text, /Rooks &amp; “ravens”/)
  assert.deepEqual(
    (await ada.get('/api/v2/search?type=statuses&q=has%3Alink')).statuses.map((one: any) => one.id),
    [id],
  )
})

test('a news article is described by its JSON-LD', async () => {
  const article = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: 'Rook takes &quot;pawn&quot;',
    description: 'A <short> game',
    image: [{ url: '/picture.jpg' }],
    datePublished: '2024-05-06T07:08:09Z',
    author: [{ '@type': 'Person', name: ['Some One', 'An Other'], url: 'https://news.test/people' }],
    publisher: { '@type': 'Organization', name: 'Chess News' },
    inLanguage: { name: 'German', alternateName: 'de' },
  }
  const script = (text: string): string => `<script type="application/ld+json">${text}</script>`
  const other = { '@type': 'ItemList', name: 'no' }
  const about = `<title>no</title>${meta({ 'og:title': 'no', 'og:site_name': 'no' })}`
  const inWords = { ...article, datePublished: 'May 6, 2024 07:08:09 AM' }
  const withoutZone = { ...article, datePublished: '2024-05-06T07:08:09' }
  const pages = {
    list: script('no JSON') + script('null') + script(JSON.stringify([other, { '@type': 'WebPage' }, article])),
    words: script(JSON.stringify(inWords)),
    zone: script(JSON.stringify(withoutZone)),
    cdata: script(`\n//<![CDATA[\n${JSON.stringify(article)}\n//]]>\n`),
  }
  for (const [name, scripts] of Object.entries(pages)) {
    const card = await posted(site.serve(`/${name}`, { body: page(about + scripts) }))
    assert.deepEqual(
      [card.title, card.description, card.author_name, card.author_url, card.provider_name, card.language],
      ['Rook takes "pawn"', 'A <short> game', 'Some One, An Other', 'https://news.test/people', 'Chess News', 'de'],
    )
    assert.equal(card.published_at, '2024-05-06T07:08:09.000Z')
    assert.notEqual(card.image, null)
  }
  const wrong = { '@type': 'NewsArticle', headline: 7, author: [[{ name: 'no' }]], publisher: null, image: {} }
  const card = await posted(
    site.serve('/wrong', { body: page(`<title>Title</title>${script(JSON.stringify(wrong))}`) }),
  )
  assert.deepEqual([card.title, card.author_name, card.provider_name, card.image], ['Title', '', '', null])
})

test('an address that is missing, or on another host, does not replace that of the page', async () => {
  for (const [i, canonical] of ['null', 'undefined', 'https://elsewhere.test/'].entries()) {
    const body = page(`<title>Page</title><link rel="canonical" href="${canonical}">`)
    const link = site.serve(`/canonical/${i}`, { body })
    assert.equal((await posted(link)).url, link)
  }
})

test('a page is fetched once for all posts that link to it, also when it has no card', async () => {
  const link = site.serve('/once', { body: page('<title>Once</title>') })
  const ids = await Promise.all([1, 2, 3].map((n) => post(ada, `${n} ${link}`)))
  await server.drain()
  // A job that finds the page locked by another one runs again a minute later.
  for (const statusId of ids) await fetchCard(server.ctx, { statusId })
  for (const id of ids) assert.equal((await cardOf(id)).title, 'Once')
  assert.equal(site.requests.filter((request) => request === 'GET /once').length, 1)
  for (const path of ['/missing', '/empty']) {
    if (path === '/empty') site.serve(path, { body: page('<meta name="robots" content="none">') })
    for (let i = 0; i < 3; i++) assert.equal(await posted(`${i} ${site.url}${path}`), null)
    assert.equal(site.requests.filter((request) => request === `GET ${path}`).length, 1, path)
  }
})

test('a failed fetch of a card is retried, and a stored card is refreshed when it is due', async () => {
  let up = false
  const link = site.serve('/shaky', () => ({ status: up ? 200 : 503, body: page('<title>Shaky</title>') }))
  const id = await post(ada, link)
  await server.drain()
  assert.equal(await cardOf(id), null)
  const { rows } = await server.database.raw(
    `select data from pgboss.job
      where name = 'cards.fetch' and data ->> 'statusId' = $1 and start_after > now() + interval '30 s'`,
    [id],
  )
  assert.equal(rows.length, 1)
  const { statusId, attempt } = rows[0].data
  assert.deepEqual({ statusId, attempt }, { statusId: id, attempt: 1 })
  up = true
  await server.database.raw(`update preview_cards set retry_at = now() where link = $1`, [link])
  await fetchCard(server.ctx, { statusId: id, attempt: 1 })
  assert.equal((await cardOf(id)).title, 'Shaky')
  site.serve('/shaky', { body: page('<title>Firm</title>') })
  await server.database.raw(`update preview_cards set retry_at = now() where link = $1`, [link])
  await posted(`again ${link}`)
  assert.equal((await cardOf(id)).title, 'Firm')
  const [{ card }] = (
    await server.database.raw(
      `update preview_cards set created_at = now() - interval '40 days' where link = $1 returning id as card`,
      [link],
    )
  ).rows as [{ card: string }]
  await server.database.raw('update statuses set card_id = null where card_id = $1', [card])
  await beforeCommit(
    server,
    (tx) => tx.db.raw('update statuses set card_id = $1 where id = $2', [card, id]),
    () => cleanUp(server.ctx),
  )
  assert.equal((await cardOf(id))?.title, 'Firm', 'the clean-up does not delete a card that a post gets just then')
})

test('no card for posts with media, mentions, hashtags, links to this server, files, redirect loops, large pages or private addresses', async () => {
  const link = site.serve('/fine', { body: page('<title>Fine</title>') })
  const form = new FormData()
  form.set('file', new File([await pngOf(8, 8, '#000')], 'a.png'))
  const mediaId = (await ada.send('POST', '/api/v2/media', { form })).json.id
  assert.equal(await posted(`with media ${link}`, { media_ids: [mediaId] }), null)
  assert.equal(await posted('@ben #fine'), null)
  assert.equal(await posted(`${server.ctx.config.baseUrl}/@ben`), null)
  assert.equal(await posted(`${site.url}/picture.jpg`), null)
  assert.equal(await posted('http://10.0.0.1/ http://169.254.169.254/latest'), null)
  assert.equal(await posted(site.serve('/loop', { status: 302, headers: { location: '/loop' }, body: '' })), null)
  assert.equal(
    await posted(site.serve('/inside', { status: 302, headers: { location: 'http://10.0.0.1/' }, body: '' })),
    null,
  )
  assert.equal(await posted(site.serve('/large', { body: page(`<title>Large</title>${' '.repeat(5_000_000)}`) })), null)
  // The first suitable link has the card.
  assert.equal((await posted(`${server.ctx.config.baseUrl}/about then ${link}`)).title, 'Fine')
})

test('cards decode any charset and survive invalid, hostile and deeply nested HTML', async () => {
  const cyrillic = Buffer.concat([
    Buffer.from('<meta charset="windows-1251"><title>'),
    Buffer.from([0xc3, 0xf0, 0xe0, 0xf7]),
    Buffer.from('</title>'),
  ])
  assert.equal((await posted(site.serve('/cp1251', { type: 'text/html', body: cyrillic }))).title, 'Грач')
  const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1')
  assert.equal((await posted(site.serve('/latin', { type: 'text/html', body: latin }))).title, 'Café')
  assert.equal(
    (await posted(site.serve('/declared', { type: 'text/html; charset=ISO-8859-1', body: latin }))).title,
    'Café',
  )
  const japanese = Buffer.concat([
    Buffer.from('<meta http-equiv="content-type" content="text/html;charset=x-sjis"><title>'),
    Buffer.from([0x83, 0x79, 0x81, 0x5b, 0x83, 0x57]),
    Buffer.from('</title>'),
  ])
  assert.equal((await posted(site.serve('/sjis', { body: japanese }))).title, 'ページ')
  assert.equal(
    (
      await posted(
        site.serve('/odd', {
          type: 'text/html; charset=no-such',
          body: '<svg><title>icon</title></svg><title>Grüße\n  all</title><p',
        }),
      )
    ).title,
    'Grüße all',
  )
  const hostile = meta({
    'og:title': '&lt;script&gt;alert(1)&lt;/script&gt;',
    'og:image': 'javascript:alert(1)',
    'og:url': 'https://elsewhere.test/',
    'twitter:player': 'javascript:alert(1)',
    'article:published_time': 'yesterday',
  })
  const link = site.serve('/hostile', { body: page(hostile, '<html lang="&quot;&gt;">') })
  const card = await posted(link)
  assert.deepEqual(
    [card.title, card.image, card.url, card.type, card.html, card.language, card.published_at],
    ['<script>alert(1)</script>', null, link, 'link', '', null, null],
  )
  for (const [path, tags] of [
    ['/deep', '<b>'.repeat(300_000)],
    ['/closing', '<letters>'.repeat(4900) + '</letterz>'.repeat(390_000)],
  ] as const) {
    const address = site.serve(path, { body: `<title>Deep</title>${tags}` })
    const took = await cpuTime(async () => assert.equal((await posted(address)).title, 'Deep'))
    assert.ok(took < 5000, `${path}: ${took} ms`)
  }
})

test('oEmbed photos and videos are embedded, videos in a sandboxed iframe; rich embeds become links', async () => {
  const embedded = async (name: string, document: Record<string, unknown>): Promise<any> => {
    site.serve(`/${name}.json`, { type: 'application/json', body: JSON.stringify({ version: '1.0', ...document }) })
    const found = `<link rel="alternate" type="application/json+oembed" href="/${name}.json">`
    return posted(site.serve(`/${name}`, { body: page(`<title>Page ${name}</title>${found}`) }))
  }
  const video = await embedded('video', {
    type: 'video',
    title: 'A film',
    author_name: 'Her',
    author_url: 'https://films.test/her',
    provider_name: 'Films',
    provider_url: 'https://films.test/',
    thumbnail_url: '/picture.jpg',
    width: '640',
    height: 360,
    html: '<script>alert(1)</script><iframe width="1" src="https://films.test/embed?a=1&amp;b=2" onload="alert(1)"></iframe>',
  })
  assert.deepEqual([video.type, video.title, video.width, video.height], ['video', 'A film', 640, 360])
  assert.equal(
    video.html,
    '<iframe src="https://films.test/embed?a=1&amp;b=2" width="640" height="360" allowfullscreen="true" frameborder="0" scrolling="no" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>',
  )
  assert.deepEqual([video.provider_name, video.provider_url], ['Films', 'https://films.test/'])
  assert.deepEqual(video.authors, [{ name: 'Her', url: 'https://films.test/her', account: null }])
  assert.notEqual(video.image, null)
  const photo = await embedded('photo', { type: 'photo', url: '/picture.jpg', width: 1200, height: 600 })
  assert.deepEqual([photo.type, photo.embed_url, photo.width], ['photo', `${site.url}/picture.jpg`, 1200])
  const rich = await embedded('rich', { type: 'rich', title: 'x', html: '<script src="//films.test/x.js"></script>' })
  assert.deepEqual([rich.type, rich.title, rich.html], ['link', 'Page rich', ''])
  for (const src of [
    'http://films.test/plain',
    'javascript:alert(1)',
    `https://${server.domain}/settings`,
    'data:text/html,x',
  ]) {
    const card = await embedded(`bad${src.length}`, { type: 'video', html: `<iframe src="${src}"></iframe>` })
    assert.deepEqual([card.type, card.html], ['link', ''], src)
  }
  assert.equal((await ada.get('/api/v2/search?type=statuses&q=has%3Aembed')).statuses.length, 2)
})

test('the creator named by a page is the author of the card once the account lists the domain for attribution', async () => {
  const head = `<title>By ada</title><meta name="fediverse:creator" content="@ada@${server.domain}">`
  const link = site.serve('/by-ada', { body: page(head) })
  const id = await post(ben, link)
  await server.drain()
  const missing = async (who: Person): Promise<unknown> => (await cardOf(id, who)).missing_attribution
  assert.deepEqual([await missing(ada), await missing(ben), (await cardOf(id)).authors], [true, null, []])
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { attribution_domains: ['localhost'] } })
  const card = await cardOf(id)
  assert.deepEqual([card.authors[0].account.id, card.authors[0].name, await missing(ada)], [ada.id, '', false])
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [ada.id])
  assert.deepEqual((await cardOf(id)).authors, [])
  await server.database.raw('update accounts set suspended_at = null where id = $1', [ada.id])
})

test('an edit replaces or removes the card', async () => {
  const [one, two] = ['one', 'two'].map((name) => site.serve(`/${name}`, { body: page(`<title>${name}</title>`) }))
  const id = await post(ada, `see ${one}`)
  await server.drain()
  assert.equal((await cardOf(id)).title, 'one')
  await ada.put(`/api/v1/statuses/${id}`, { status: `see ${two}` })
  await server.drain()
  assert.equal((await cardOf(id)).title, 'two')
  await ada.put(`/api/v1/statuses/${id}`, { status: 'see nothing' })
  await server.drain()
  assert.equal(await cardOf(id), null)
})

test('remote posts have cards, but not for links to accounts that they mention', async () => {
  const link = site.serve('/far', { body: page('<title>Far</title>') })
  const far = await remoteAccount(server, 'dot', 'far.test', { url: `${site.url}/@dot` })
  const content = `<p><a href="${site.url}/@dot">dot</a> <a href="${link}">x</a></p>`
  const draft = {
    accountId: far,
    local: false,
    uri: 'https://far.test/1',
    url: 'https://far.test/1',
    visibility: 'public',
    content,
  } as const
  const { id } = await publishStatus(server.ctx, { ...draft, mentionIds: [far] })
  // Its job waits for a random time, which may be none: then this call leaves the card to it.
  await fetchCard(server.ctx, { statusId: id })
  await eventually(async () => (await cardOf(id))?.title === 'Far')
  // The status was deleted in the meantime.
  await fetchCard(server.ctx, { statusId: '1' })
})
