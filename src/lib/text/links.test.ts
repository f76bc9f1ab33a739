import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sanitizeStatusHtml } from '../sanitize.ts'
import { findLinks } from './links.ts'
import { formatText } from './format.ts'

const style = {
  mentions: new Map([['ada@far.test', { acct: 'ada@far.test', username: 'ada', url: 'https://far.test/@ada' }]]),
  tagUrl: (name: string) => `https://here.test/tags/${name}`,
}

test('links in local posts are found', () => {
  const html = formatText(
    'hi @ada@far.test #rooks, see https://example.test/a?b=1&c=2 (https://example.test/b) xmpp:a@b.test',
    style,
  )
  assert.deepEqual(findLinks(html), ['https://example.test/a?b=1&c=2', 'https://example.test/b'])
})

test('links in remote posts are found', () => {
  const html = sanitizeStatusHtml(`<p class="quote-inline">RE: <a href="https://far.test/@x/1">far.test/@x/1</a></p>
    <p><span class="h-card"><a href="https://far.test/@ada" class="u-url mention">@<span>ada</span></a></span>
    <a href="https://far.test/tags/x" rel="tag">#x</a> <a href="magnet:?xt=1">m</a>
    <a href='https://example.test/?a=1&amp;b=2'>here</a> <a href="https://user:pw@example.test/">no</a> <a href="https://example.test/?a=1&amp;b=2">again</a></p>`)
  assert.deepEqual(findLinks(html), ['https://example.test/?a=1&b=2'])
  assert.deepEqual(findLinks('<p>nothing</p>'), [])
})

test('unclosed quotes take linear time', () => {
  assert.deepEqual(
    findLinks('<span class="quote-inline"><a href="https://b.test/">x</a></span><a href="https://a.test/">x</a>'),
    ['https://a.test/'],
  )
  const html = '<p class="quote-inline">'.repeat(2700) + '<a href="https://a.test/">x</a>'
  // Quadratic work takes tens of milliseconds in each run; linear work takes one, unless other processes interrupt it.
  const runs = Array.from({ length: 30 }, () => {
    const started = performance.now()
    assert.deepEqual(findLinks(html), ['https://a.test/'])
    return performance.now() - started
  })
  assert.ok(Math.min(...runs) < 12, `${Math.min(...runs)} ms`)
})
