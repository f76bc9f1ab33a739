import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../../test/support/cpu.ts'
import { sanitizeDocument } from '../sanitize.ts'
import { markdownToHtml } from './markdown.ts'

const CASES: Record<string, string> = {
  '': '',
  'One\ntwo\n\nThree': '<p>One\ntwo</p><p>Three</p>',
  'One  \ntwo': '<p>One<br>\ntwo</p>',
  '# Title\n\n### Part': '<h1>Title</h1><h3>Part</h3>',
  '#tag stays': '<p>#tag stays</p>',
  '- one\n- two\n  more': '<ul><li>one</li><li>two\nmore</li></ul>',
  '1. one\n2. two': '<ol><li>one</li><li>two</li></ol>',
  '- one\n  - inner': '<ul><li>one\n<ul><li>inner</li></ul></li></ul>',
  '> quoted\nstill': '<blockquote><p>quoted\nstill</p></blockquote>',
  '```\n<b>*x*</b>\n```': '<pre><code>&lt;b&gt;*x*&lt;/b&gt;\n</code></pre>',
  '```\nno end': '<pre><code>no end</code></pre>',
  'a\n\n---\n\nb': '<p>a</p><hr><p>b</p>',
  '**bold**, *slanted* and _slanted_, not snake_case_here':
    '<p><strong>bold</strong>, <em>slanted</em> and <em>slanted</em>, not snake_case_here</p>',
  '2 * 3 * 4': '<p>2 * 3 * 4</p>',
  '`a < b`': '<p><code>a &lt; b</code></p>',
  '[text](https://example.org/a_b)': '<p><a href="https://example.org/a_b">text</a></p>',
  'see https://example.org/x.': '<p>see <a href="https://example.org/x">https://example.org/x</a>.</p>',
  'www.example.org, a@example.org and ftp://example.org': '<p>www.example.org, a@example.org and ftp://example.org</p>',
  '<script>alert(1)</script>': '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
}

test('the Markdown of documents becomes HTML', async () => {
  for (const [text, html] of Object.entries(CASES)) {
    const shown = (await markdownToHtml(text)).replace(/>\n(?=<|$)/g, '>')
    assert.equal(shown, html, text)
  }
})

test('links that the sanitiser does not know become text', async () => {
  const shown = sanitizeDocument(
    await markdownToHtml('[x](javascript:alert(1)) [y](data:text/html,x) ["](https://e.example/"onclick=)'),
  )
  assert.doesNotMatch(shown, /href="(?:javascript|data)| onclick=/)
})

test('long and deeply nested text takes linear time', async () => {
  const hostile = [
    '*'.repeat(60_000),
    '> '.repeat(30_000),
    '- '.repeat(30_000),
    '['.repeat(60_000),
    '`'.repeat(60_000),
    '_a'.repeat(30_000),
    '![]('.repeat(15_000),
    '[a]('.repeat(15_000),
    'https://a.example/'.repeat(3000),
    '[a]: b\n'.repeat(8000),
  ]
  const took = await cpuTime(async () => {
    for (const text of hostile) sanitizeDocument(await markdownToHtml(text))
  })
  assert.ok(took < 3000, `${took} ms`)
})
