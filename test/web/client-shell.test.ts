import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { browser, cookieOf, type Browser, signedIn } from '../support/forms.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const { json: status } = await ada.send('POST', '/api/v1/statuses', { json: { status: 'Hello #rooks' } })
const { json: made } = await ada.send('POST', '/api/v1/collections', {
  json: { name: 'Rooks', description: '', sensitive: false, discoverable: true },
})
const PAGES = [
  '/',
  '/@ada',
  '/@ada/with_replies',
  `/@ada/${status.id}`,
  '/tags/rooks',
  `/collections/${made.collection?.id}`,
]

const visit = (path: string, page: Browser | null, headers: Record<string, string> = {}): Promise<Answer> =>
  server.send('GET', path, {
    headers: { accept: 'text/html', ...(page ? { cookie: cookieOf(page) } : {}), ...headers },
  })

const isShell = ({ status: code, text }: Answer): boolean => code === 200 && text.includes('<div id="app"></div>')

test('a signed-in browser gets the client at its addresses and at public pages, a signed-out one the pages', async () => {
  const page = await signedIn(server, ada)
  for (const path of PAGES) {
    assert.ok(isShell(await visit(path, page)), path)
    const answer = await visit(path, null)
    assert.ok(answer.status === 200 && !isShell(answer), path)
  }
  for (const path of [
    '/home',
    '/public/local',
    '/lists/1',
    '/@ada/followers',
    '/@bo@remote.test',
    '/@bo@remote.test/1',
  ])
    assert.ok(isShell(await visit(path, page)), path)
})

test('a signed-out browser signs in for the addresses of the client, and is led back', async () => {
  const answer = await visit('/publish?text=a%20b', null)
  assert.equal(answer.headers.get('location'), '/auth/sign_in?next=%2Fpublish%3Ftext%3Da%2520b')
  const page = browser(server)
  const form = await page.get('/publish?text=a%20b')
  const fields = { 'user[email]': ada.username, 'user[password]': ada.password }
  const landed = await page.submit(form, fields, { action: '/auth/sign_in' })
  assert.equal(landed.location, '/publish?text=a%20b')
  assert.ok(isShell(landed))
})

test('unknown paths, settings, feeds, embeds and requests for ActivityPub do not get the client', async () => {
  const page = await signedIn(server, ada)
  assert.equal((await visit('/no-such-page', page)).status, 404)
  assert.equal((await visit('/homes', page)).status, 404)
  for (const path of ['/settings', '/about', '/@ada.rss', '/tags/rooks.rss', `/@ada/${status.id}/embed`])
    assert.ok(!isShell(await visit(path, page)), path)
  for (const path of ['/@ada', `/@ada/${status.id}`, '/tags/rooks']) {
    const headers = { accept: 'application/activity+json' }
    assert.match((await visit(path, page, headers)).headers.get('content-type') ?? '', /activity\+json/)
    assert.match((await visit(`${path}.json`, page)).headers.get('content-type') ?? '', /activity\+json/)
  }
})

test('the shell has the language of the user, the theme of the device, no inline script and a strict policy', async () => {
  const page = await signedIn(server, ada)
  await server.ctx.db.run(sql`update users set locale = 'ar' where id = ${ada.userId}`)
  const { text, headers } = await visit('/', page, { cookie: `${cookieOf(page)}; rookery_theme=dark` })
  await server.ctx.db.run(sql`update users set locale = 'en' where id = ${ada.userId}`)
  assert.ok(
    text.startsWith(`<!doctype html>\n<html lang="ar" dir="rtl" data-account="${ada.id}" data-theme="dark">`),
    text,
  )
  assert.ok(!/<script(?![^>]* src=)/.test(text) && !/style=|<style/.test(text), text)
  for (const pattern of [
    /<script type="module" src="\/client\/assets\/main-/,
    /rel="stylesheet" href="\/client\/assets\//,
  ])
    assert.match(text, pattern)
  assert.match(text, /rel="modulepreload" href="\/client\/assets\/texts-/)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    'frame-src https:',
  ])
    assert.ok(policy.split('; ').includes(rule), policy)
  assert.match(policy, /connect-src 'self' ws:\/\/\S+;/)
  assert.equal(headers.get('cache-control'), 'private, no-cache')
  assert.match(headers.get('vary') ?? '', /Cookie/)
})

test('the pages of the server have the theme of the device', async () => {
  const page = await signedIn(server, ada)
  for (const path of ['/settings', '/about', '/no-such-page']) {
    const chosen = await visit(path, page, { cookie: `${cookieOf(page)}; rookery_theme=dark` })
    assert.match(chosen.text, /<html lang="en" data-theme="dark">/, path)
    assert.match(chosen.text, /<meta name="theme-color" data-for="dark" media="all" content="#14131a">/, path)
    assert.match(chosen.text, /<meta name="theme-color" data-for="light" media="not all"/, path)
    const open = await visit(path, page)
    assert.doesNotMatch(open.text, /data-theme/, path)
    assert.match(open.text, /data-for="dark" media="\(prefers-color-scheme: dark\)"/, path)
  }
})

test('the shell is answered with 304 for its ETag, and only to signed-in browsers', async () => {
  const page = await signedIn(server, ada)
  const etag = (await visit('/', page)).headers.get('etag') ?? ''
  assert.equal(
    (await visit('/home', page, { 'if-none-match': etag })).status,
    200,
    'another address is another document',
  )
  assert.equal((await visit('/', page, { 'if-none-match': etag })).status, 304)
  assert.equal((await visit('/', null, { 'if-none-match': etag })).status, 200)
})

test('without JavaScript, a link leads to the pages, and back', async () => {
  const page = await signedIn(server, ada)
  const shell = await visit('/@ada?max_id=1', page)
  assert.match(shell.text, /<noscript><meta http-equiv="refresh" content="0; url=\/@ada\?max_id=1&amp;client=off">/)
  const off = await page.get('/@ada?max_id=1&client=off')
  assert.equal(off.location, '/@ada?max_id=1')
  assert.ok(!isShell(off))
  assert.match(off.text, /<a href="\/@ada\?client=on">Open the web app<\/a>/)
  for (const path of PAGES) assert.ok(!isShell(await visit(path, page)), path)
  assert.equal((await page.get('/home')).location, '/')
  const on = await page.get('/@ada?client=on')
  assert.equal(on.location, '/@ada')
  assert.ok(isShell(on))
  assert.ok(!(await visit('/@ada', null)).text.includes('Open the web app'))
})

test('suspended users and ended sessions get the pages', async () => {
  const staff = await server.person('staff', { role: 'owner' })
  const eve = await server.person('eve')
  const page = await signedIn(server, eve)
  await staff.post(`/api/v1/admin/accounts/${eve.id}/action`, { type: 'suspend' })
  assert.ok(!isShell(await visit('/', page)))
  assert.equal((await visit('/home', page)).status, 302)
})

test('a session from before there were tokens gets one with the shell', async () => {
  const page = await signedIn(server, ada)
  await server.ctx.db.run(sql`delete from oauth_tokens where session_id is not null`)
  const { headers } = await visit('/', page)
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  assert.match(cookie, /^rookery_token=/)
  const session = {
    cookie: `${cookieOf(page)}; ${cookie}`.replace(/rookery_token=[^;]+; /, ''),
    authorization: 'Session',
  }
  assert.equal((await server.send('GET', '/api/v1/accounts/verify_credentials', { headers: session })).status, 200)
})

test('built files are served compressed and for ever, and nothing else of the folder', async () => {
  const page = await signedIn(server, ada)
  const file = /src="(\/client\/assets\/main-[^"]+)"/.exec((await visit('/', page)).text)?.[1] ?? ''
  const plain = await fetch(server.url + file, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(plain.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(plain.headers.get('content-encoding'), null)
  const gzip = await fetch(server.url + file, { headers: { 'accept-encoding': 'gzip, br;q=0' } })
  assert.equal(gzip.headers.get('content-encoding'), 'gzip')
  const brotli = await fetch(server.url + file, { headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(brotli.headers.get('content-encoding'), 'br')
  assert.equal(await brotli.text(), await plain.text())
  for (const path of [
    '.vite/manifest.json',
    `${file.slice(8)}.br`,
    '../vite.config.ts',
    '%2e%2e/vite.config.ts',
    'assets',
    '',
  ])
    assert.equal((await server.send('GET', `/client/${path}`)).status, 404, path)
})

test('the manifest names the server and what the system may open in it', async () => {
  const { json, headers } = await server.send('GET', '/manifest.webmanifest', { headers: { 'accept-language': 'de' } })
  assert.match(headers.get('content-type') ?? '', /^application\/manifest\+json/)
  assert.deepEqual(
    [json.start_url, json.display, json.lang, json.share_target.action, json.share_target.method],
    ['/', 'standalone', 'de', '/share', 'POST'],
  )
  assert.deepEqual(
    json.shortcuts.map(({ name }: { name: string }) => name),
    ['Neuer Beitrag', 'Benachrichtigungen', 'Suche'],
  )
  for (const { src } of json.icons) assert.equal((await server.send('GET', src)).status, 200, src)
  const purposes = json.icons.map(({ purpose, sizes }: { purpose?: string; sizes: string }) => `${purpose} ${sizes}`)
  for (const each of ['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512'])
    assert.ok(purposes.includes(each), purposes.join())
})

test('what is shared without the service worker of the client arrives as text', async () => {
  const share = async (fields: Record<string, string | File>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const { status, headers } = await fetch(`http://${server.domain}/share`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    return [status, headers.get('location')]
  }
  assert.deepEqual(await share({ title: '', text: 'a b', url: 'https://example.com/?c&d' }), [
    303,
    '/share?text=a+b&url=https%3A%2F%2Fexample.com%2F%3Fc%26d',
  ])
  assert.deepEqual(await share({ files: new File(['a'], 'a.png', { type: 'image/png' }) }), [303, '/share?stored'])
})
