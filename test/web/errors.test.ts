import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stylesheetPath } from '../support/internals.ts'

import { signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const { server } = await stage()

test('a browser gets an error page with the security headers of every page', async () => {
  const { status, headers, text } = await server.send('GET', '/no-such-page', { headers: BROWSER })
  assert.equal(status, 404)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(text, /<html lang="en">[\s\S]*<main[\s\S]*<h1>Page not found<\/h1>/)
  assert.match(text, /<meta name="robots" content="noindex/)
  assert.match(text, /<a class="button secondary" href="\/">/)
  assert.doesNotMatch(text, /<script|<nav/)

  const moderator = await server.person('mona', { role: 'moderator' })
  const tab = await signedIn(server, moderator)
  const shown = await tab.get('/no-such-page')
  assert.equal(shown.status, 404)
  for (const path of ['/@mona', '/settings', '/admin'])
    assert.match(shown.text, new RegExp(`<nav[\\s\\S]*href="[^"]*${path}"[\\s\\S]*</nav>`))
})

test('errors are JSON for API paths, and for clients that do not prefer HTML', async () => {
  const json = async (path: string, accept: string): Promise<void> => {
    const answer = await server.send('GET', path, { headers: { accept } })
    assert.equal(answer.status, 404, path)
    assert.deepEqual(answer.json, { error: 'Record not found' }, `${path} for ${accept}`)
  }
  await json('/no-such-page', '*/*')
  await json('/no-such-page', 'application/json+activity')
  await json('/no-such-page', 'application/json, text/html;q=0.5')
  await json('/users/nobody', 'application/activity+json')
  await json('/api/v1/no-such-thing', BROWSER.accept)
  await json('/api/v1/no-such-thing?x=/page', BROWSER.accept)
  await json('/.well-known/no-such-thing', BROWSER.accept)
  await json('/nodeinfo/9.9', BROWSER.accept)
  const inbox = await server.send('GET', '/users/nobody/inbox', { headers: { accept: BROWSER.accept } })
  assert.deepEqual([inbox.status, inbox.json], [405, { error: 'The method is not allowed' }])
})

test('paths that only begin like API paths get an error page', async () => {
  for (const path of ['/apiary', '/inboxes', '/oauth/tokens-of-love']) {
    const { headers } = await server.send('GET', path, { headers: BROWSER })
    assert.match(headers.get('content-type') ?? '', /^text\/html/, path)
  }
})

test('a browser that posts to an unknown path gets an error page', async () => {
  const { status, text } = await server.send('POST', '/no-such-form', {
    headers: { ...BROWSER, 'content-type': 'application/json' },
    json: {},
  })
  assert.equal(status, 404)
  assert.match(text, /<h1>Page not found<\/h1>/)
})

test('the stylesheet is immutable, images are cached for a day, and a matching ETag gives 304', async () => {
  const style = await server.send('GET', stylesheetPath)
  assert.equal(style.status, 200)
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const etag = style.headers.get('etag') ?? ''
  const again = await server.send('GET', stylesheetPath, { headers: { 'if-none-match': `"other", W/${etag}` } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  assert.equal((await server.send('GET', stylesheetPath, { headers: { 'if-none-match': '"other"' } })).status, 200)

  const avatar = await server.send('GET', '/assets/avatar.png')
  assert.equal(avatar.headers.get('content-type'), 'image/png')
  assert.equal(avatar.headers.get('cache-control'), 'public, max-age=86400')
  assert.equal(avatar.headers.get('access-control-allow-origin'), '*')
  assert.equal((await server.send('GET', '/avatars/original/missing.png')).text, avatar.text)
  assert.equal((await server.send('GET', '/headers/original/missing.png')).headers.get('content-type'), 'image/png')
  assert.equal((await server.send('HEAD', '/favicon.ico')).status, 200)
  assert.equal((await server.send('GET', '/assets/../package.json')).status, 404)
  assert.equal((await server.send('GET', '/assets/constructor')).status, 404)
})

test('robots.txt disallows /auth/ but not the public pages, except to the crawler of training data', async () => {
  const robots = await server.send('GET', '/robots.txt')
  assert.equal(robots.headers.get('content-type'), 'text/plain; charset=utf-8')
  const [training, others = ''] = robots.text.split('\n\n')
  assert.equal(training, 'User-agent: GPTBot\nDisallow: /')
  assert.match(others, /^User-agent: \*\nDisallow: \/auth\/\n/)
  assert.doesNotMatch(others, /^Disallow: \/$/m)
})
