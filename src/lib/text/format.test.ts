import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatField, formatText } from './format.ts'
import { sanitizeStatusHtml } from '../sanitize.ts'

const options = {
  mentions: new Map([
    ['alice', { url: 'https://home.test/@alice', acct: 'alice' }],
    ['alice@home.test', { url: 'https://home.test/@alice', acct: 'alice' }],
    ['bob@away.test', { url: 'https://away.test/@bob', acct: 'bob@away.test' }],
    ['alice@away.test', { url: 'https://away.test/@alice', acct: 'alice@away.test' }],
  ]),
  tagUrl: (name: string) => `https://home.test/tags/${encodeURIComponent(name)}`,
}
const format = (text: string): string => formatText(text, options)

const mention = (url: string, shown: string): string =>
  `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${shown}</span></a></span>`

test('line breaks become paragraphs and br tags', () => {
  assert.equal(format('text'), '<p>text</p>')
  assert.equal(format('a\nb\r\nc\n\nd\n\n\n\ne'), '<p>a<br />b<br />c</p><p>d</p><p>e</p>')
  assert.equal(format('\n\n a \n'), '<p>a</p>')
  assert.equal(format(' \n '), '')
})

test('HTML is escaped everywhere', () => {
  const script = `<script>alert("Hello" + '&')</script>`
  assert.equal(format(script), '<p>&lt;script&gt;alert(&quot;Hello&quot; + &#39;&amp;&#39;)&lt;/script&gt;</p>')
  assert.match(format('http://example.com/b<del>b</del>'), /href="http:\/\/example.com\/b".*&lt;del&gt;b&lt;\/del&gt;/)
  assert.match(
    format('https://example.com/?a="><b>&x=1'),
    /href="https:\/\/example.com\/\?a=" .*&quot;&gt;&lt;b&gt;&amp;x=1/,
  )
})

test('links show thirty characters after the scheme', () => {
  assert.equal(
    format('https://www.example.com/?a=1&b=2'),
    '<p><a href="https://www.example.com/?a=1&amp;b=2" target="_blank" rel="nofollow noopener noreferrer" translate="no">' +
      '<span class="invisible">https://www.</span><span class="">example.com/?a=1&amp;b=2</span>' +
      '<span class="invisible"></span></a></p>',
  )
  assert.match(
    format('http://example.com/0123456789012345678901234567'),
    /<span class="invisible">http:\/\/<\/span><span class="ellipsis">example.com\/012345678901234567<\/span><span class="invisible">8901234567<\/span>/,
  )
  assert.match(
    format(`https://example.com/${'😀'.repeat(19)}`),
    /<span class="ellipsis">example.com\/(?:😀){18}<\/span>/u,
  )
  assert.match(format('xmpp:a@b.test'), /<span class="invisible">xmpp:<\/span><span class="">a@b.test<\/span>/)
})

test('hashtags keep their case and link to the normalised name', () => {
  assert.equal(
    format('#HashtagTタグ'),
    '<p><a href="https://home.test/tags/hashtagt%E3%82%BF%E3%82%B0" class="mention hashtag" rel="tag">#<span>HashtagTタグ</span></a></p>',
  )
})

test('known mentions hide the domain, unknown ones stay text', () => {
  assert.equal(format('@Alice'), `<p>${mention('https://home.test/@alice', 'alice')}</p>`)
  assert.equal(format('@bob@AWAY.test!'), `<p>${mention('https://away.test/@bob', 'bob')}!</p>`)
  assert.equal(format('@nobody @no@where.test'), '<p>@nobody @no@where.test</p>')
})

test('mentions of the same username on several servers show their domains', () => {
  assert.equal(
    format('@alice @alice@away.test'),
    `<p>${mention('https://home.test/@alice', 'alice')} ${mention('https://away.test/@alice', 'alice@away.test')}</p>`,
  )
  assert.equal(
    format('@alice @alice@home.test'),
    `<p>${mention('https://home.test/@alice', 'alice')} ${mention('https://home.test/@alice', 'alice')}</p>`,
  )
})

test('fields are formatted on one line', () => {
  const field = formatField(' https://example.com\nand <b> @bob@away.test ', options)
  assert.match(
    field,
    /^<a href="https:\/\/example.com" target="_blank" rel="nofollow noopener noreferrer me" translate="no">/,
  )
  assert.ok(field.endsWith(`</a> and &lt;b&gt; ${mention('https://away.test/@bob', 'bob@away.test')}`))
})

test('the sanitiser changes only link relations in formatted text', () => {
  const formatted = format('@alice hi\nhttps://www.example.com/a-rather-long-path/which-is-cut #Tag\n\nend')
  const sanitized = sanitizeStatusHtml(formatted)
  const plain = (html: string): string => html.replace(/ (?:rel|target|translate|class)="[^"]*"/g, '')
  assert.equal(plain(sanitized), plain(formatted))
})
