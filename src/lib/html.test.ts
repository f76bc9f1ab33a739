import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml, html, raw, safeUrl } from './html.ts'

test('text and attribute values are escaped', () => {
  const name = `"><script>alert('1')</script>&`
  const safe = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  assert.equal(escapeHtml(name), safe)
  assert.equal(String(html`<p title="${name}">${name}</p>`), `<p title="${safe}">${safe}</p>`)
})

test('HTML, lists and trusted markup are inserted unescaped; null, undefined and booleans are omitted', () => {
  const items = ['<a>', 'b'].map((text) => html`<li>${text}</li>`)
  const none = false
  assert.equal(
    String(html`<ul>${items}${none}${null}${undefined}</ul>${raw('<hr>')}${0}${12n}`),
    '<ul><li>&lt;a&gt;</li><li>b</li></ul><hr>012',
  )
})

test('data that only looks like HTML values is escaped', () => {
  const parsed = JSON.parse('{"toString":"<b>"}') as unknown
  const faked = { toString: () => '<b>' } as unknown as string
  assert.equal(String(html`${faked}`), '&lt;b&gt;')
  assert.throws(() => String(html`${parsed as string}`), TypeError)
})

test('an unquoted attribute value is refused', () => {
  assert.throws(() => html`<a href=${'x'}>y</a>`, /Quote the attribute/)
  assert.throws(() => html`<a class="${'x'}" href=${'x'}>y</a>`, /Quote the attribute/)
  assert.equal(String(html`<p>1 + 1 = ${2}</p>`), '<p>1 + 1 = 2</p>')
})

test('only web and mail addresses are safe URLs', () => {
  assert.equal(safeUrl('https://example.test/a b'), 'https://example.test/a%20b')
  assert.equal(safeUrl('mailto:a@example.test'), 'mailto:a@example.test')
  for (const url of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    '/path',
    '',
    null,
    undefined,
  ]) {
    assert.equal(safeUrl(url), null)
  }
})
