import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../lib/html.ts'
import { assets, stylesheetPath } from './assets.ts'
import { csrfField, pageHeaders, renderPage } from './page.ts'
import { textsIn } from '../messages/pages.ts'
import { english } from './texts.ts'

const page = { title: 'About', instanceName: 'Rook & Co', body: html`<h1>About</h1>`, texts: english }

test('a page has language, title, landmarks, a skip link and only existing assets', () => {
  const document = renderPage(page)
  assert.ok(document.startsWith('<!doctype html>\n<html lang="en">'))
  assert.ok(document.includes('<title>About · Rook &amp; Co</title>'))
  assert.ok(document.includes('<a class="skip-link" href="#main">'))
  assert.match(
    document,
    /<header class="site-header">[\s\S]*<main id="main"[\s\S]*<h1>About<\/h1>[\s\S]*<\/main>[\s\S]*<footer/,
  )
  assert.ok(document.includes(`href="${stylesheetPath}"`))
  for (const [, path = ''] of document.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) assert.ok(assets.has(path), path)
  assert.doesNotMatch(document, /<script|style="|<nav|robots|undefined|null|false/)
})

test('all optional parts of a page are rendered and escaped', () => {
  const document = renderPage({
    ...page,
    title: '<b>',
    texts: textsIn('ar'),
    kind: 'narrow',
    noindex: true,
    head: html`<meta property="og:title" content="${'"x"'}">`,
    nav: [{ href: '/a?b&c', label: 'A<', current: true }],
    user: { username: 'al<ice', url: '/@alice', avatarUrl: '/x.png', signOut: { action: '/out', csrfToken: 't"k' } },
    notice: { text: 'Saved <3', kind: 'error' },
    sourceUrl: 'https://source.test/',
  })
  assert.ok(document.includes('<html lang="ar" dir="rtl">'))
  assert.ok(document.includes('<title>&lt;b&gt; · Rook &amp; Co</title>'))
  assert.ok(document.includes('<meta name="robots" content="noindex, noarchive">'))
  assert.ok(document.includes('content="&quot;x&quot;"'))
  assert.ok(document.includes('<a href="/a?b&amp;c" aria-current="page">A&lt;</a>'))
  assert.ok(document.includes('@al&lt;ice</bdi></a>'))
  assert.ok(
    document.includes('<form method="post" action="/out"><input type="hidden" name="csrf_token" value="t&quot;k">'),
  )
  assert.ok(document.includes('<p class="notice error" role="alert">Saved &lt;3</p>'))
  assert.ok(document.includes('<a href="https://source.test/">Rookery</a>'))
  assert.ok(document.includes('class="narrow"'))
})

test('a title equal to the server name is not repeated', () => {
  assert.ok(renderPage({ ...page, title: page.instanceName }).includes('<title>Rook &amp; Co</title>'))
})

test('the form token is escaped', () => {
  assert.equal(String(csrfField('a"b')), '<input type="hidden" name="csrf_token" value="a&quot;b">')
})

test('the content security policy allows local styles and images, but no scripts or frames', () => {
  const { 'content-security-policy': policy = '', ...headers } = pageHeaders({ https: true })
  assert.equal(
    policy,
    "default-src 'none'; style-src 'self'; img-src 'self' data: https:; media-src 'self' data: https:; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  )
  assert.match(pageHeaders({ https: false })['content-security-policy'] ?? '', /img-src 'self' data: https: http:;/)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal('cross-origin-opener-policy' in headers, false)
})

test('the caller chooses the form-action of the content security policy, and null omits it', () => {
  const policy = (formAction?: string | null): string =>
    pageHeaders({ https: true, formAction })['content-security-policy'] ?? ''
  assert.match(policy("'self' https://client.test"), /form-action 'self' https:\/\/client.test;/)
  assert.doesNotMatch(policy(null), /form-action/)
  assert.match(policy(undefined), /form-action 'self';/)
})
