import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToText, sanitizeField, sanitizeNote, sanitizeStatusHtml } from './sanitize.ts'

const cases = (expected: Record<string, string>, sanitize: (html: string) => string): void => {
  for (const [input, output] of Object.entries(expected)) assert.equal(sanitize(input), output, input)
}

test('allowed markup passes, links are made safe', () => {
  const rel = 'rel="nofollow noopener" target="_blank"'
  cases(
    {
      '<p>a<br>b</p><pre><code>x</code></pre><blockquote><em>q</em></blockquote>':
        '<p>a<br />b</p><pre><code>x</code></pre><blockquote><em>q</em></blockquote>',
      '<ul><li>a</li></ul><ol start="3" reversed><li value="-2">b</li></ol>':
        '<ul><li>a</li></ul><ol reversed start="3"><li value="-2">b</li></ol>',
      '<ol start="x"><li value="1e9">b</li></ol>': '<ol><li>b</li></ol>',
      '<b>b</b><strong>s</strong><i>i</i><u>u</u><del>d</del><s>s</s>':
        '<b>b</b><strong>s</strong><i>i</i><u>u</u><del>d</del><del>s</del>',
      '<a href="https://a.test/?x=1&y=2">l</a>': `<a href="https://a.test/?x=1&amp;y=2" ${rel}>l</a>`,
      '<a href="https://a.test" rel="tag me evil" target="_top" onclick="x()">l</a>':
        '<a href="https://a.test" rel="tag nofollow noopener" target="_blank">l</a>',
      '<a href="xmpp:a@b.test">l</a><a href="gemini://b.test/">m</a>': `<a href="xmpp:a@b.test" ${rel}>l</a><a href="gemini://b.test/" ${rel}>m</a>`,
      '<span class="h-card evil" translate="no">@<span class="p-x u-y dt-z e-w f-v">a</span></span>':
        '<span class="h-card" translate="no">@<span class="p-x u-y dt-z e-w">a</span></span>',
      '<span class="invisible">a</span><span class="ellipsis mention hashtag" translate="yes" style="x" id="y">b</span>':
        '<span class="invisible">a</span><span class="ellipsis mention hashtag">b</span>',
      '<p class="quote-inline mention" lang="en">RE</p>': '<p class="quote-inline" lang="en">RE</p>',
      '<p><ruby lang="ja">漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <span lang="de" dir="rtl">Wort</span></p>':
        '<p><ruby lang="ja">漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <span lang="de">Wort</span></p>',
    },
    sanitizeStatusHtml,
  )
  assert.equal(sanitizeNote('<h2 lang="en">x</h2>'), '<p><strong>x</strong></p>')
})

test('other markup is unwrapped, and its content stays separate', () => {
  cases(
    {
      '<h1>Title</h1><h6>Sub</h6>': '<p><strong>Title</strong></p><p><strong>Sub</strong></p>',
      '<div>one</div><div>two</div>': 'one<br />two',
      '<div><p>one</p></div>\n<section><p>two</p></section>': '<p>one</p><p>two</p>',
      '<table><tr><td>a</td><td>b</td></tr></table>': 'a<br />b',
      '<marquee>a <blink>b</blink></marquee>': 'a b',
      '<p>hi <img class="emoji" alt=":blob:" src="https://a.test/x.png"> there<img src="x"></p>':
        '<p>hi :blob: there</p>',
      '<p>open <b>and <i>never closed': '<p>open <b>and <i>never closed</i></b></p>',
      '<b><p>crossed</b>': '<b><p>crossed</p></b>',
      'a < b && c > d &amp;lt; &notit;': 'a &lt; b &amp;&amp; c &gt; d &amp;lt; ¬it;',
      '<a href="x">y</a><p>z</p>': 'y<p>z</p>',
      'nul\0 byte<b\0>x</b>': 'nul byte<b>x</b>',
    },
    sanitizeStatusHtml,
  )
})

test('formulas are shown as the LaTeX or the text that they are annotated with', () => {
  const formula = (annotations: string, attributes = ''): string =>
    `<math${attributes}><semantics><mfrac><mn>1</mn><mi>x</mi></mfrac>${annotations}</semantics></math>`
  const plain = '<annotation encoding="text/plain">1/x</annotation>'
  const latex = '<annotation encoding="application/x-tex">\\frac1x &lt; 2</annotation>'
  cases(
    {
      [`<p>so ${formula(plain + latex)}, and ${formula(latex, ' display="block"')}</p>`]:
        '<p>so $\\frac1x &lt; 2$, and $$\\frac1x &lt; 2$$</p>',
      [formula(plain)]: '1/x',
      [formula('<annotation>1/x</annotation>')]: '1/x',
      [formula('<annotation encoding="application/x-llamapun">divide</annotation>')]: '1 x ',
      [`${formula(latex)}<math>${formula(latex)}`]: '$\\frac1x &lt; 2$$\\frac1x &lt; 2$',
    },
    sanitizeStatusHtml,
  )
  assert.equal(htmlToText(`<p>so ${formula(latex)}</p>`), 'so $\\frac1x < 2$')
})

test('links with other schemes keep only their text', () => {
  const hrefs = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java&Tab;script:alert(1)',
    '&#106;&#97;vascript:alert(1)',
    '&#x6A&#x61vascript&colon;alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html;base64,PHNjcmlwdD4=',
    'file:///etc/passwd',
    'blob:https://a.test/1',
    'mailto:a@b.test',
    '//a.test/x',
    '\\\\a.test',
    '/local',
    '#x',
    '',
    'https://',
    'http://[',
  ]
  for (const href of hrefs) assert.equal(sanitizeStatusHtml(`<a href="${href}">text</a>`), 'text', href)
  assert.equal(sanitizeStatusHtml('<a>text</a>'), 'text')
  const shortened =
    '<a href="matrix:r/rook:a.test"><span class="invisible">matrix:</span><span class="ellipsis">r/rook</span><span class="invisible">:a.test</span></a>'
  const after = '<span class="h-card">@ada</span>'
  for (const sanitize of [sanitizeStatusHtml, sanitizeField])
    assert.equal(sanitize(shortened + after), `matrix:r/rook:a.test${after}`, 'no part of an address stays hidden')
})

const ATTACKS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//a.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/xss src=x></script/x>',
  '<<script>alert(1)//<</script>',
  '<img src=x onerror=alert(1)>',
  '<img src=x alt="&quot; onerror=alert(1) x=&quot;">',
  '<img alt="<script>alert(1)</script>">',
  '<img """><script>alert(1)</script>">',
  '<svg/onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><animate xlink:href=#a attributeName=href values=javascript:alert(1) /><a id=a><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></table></mtext></math>',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<p><noscript></p><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea/><img src=x onerror=alert(1)>',
  '<title><a href="</title><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><svg/onload=alert(1)>">',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe><img src=x onerror=alert(1)></iframe>',
  '<template><img src=x onerror=alert(1)></template>',
  '<select><option><style></option></select><img src=x onerror=alert(1)></style>',
  '<object data="javascript:alert(1)"><embed src="data:image/svg+xml;base64,x"></object>',
  '<form action="javascript:alert(1)"><input type=submit><button formaction="javascript:alert(1)">x</button></form>',
  '<style>@import "//a.test/x.css";</style><link rel=stylesheet href=//a.test/x.css>',
  '<p style="background:url(javascript:alert(1));position:fixed">x</p>',
  '<base href="//a.test/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<a href="https://a.test/&quot; onmouseover=&quot;alert(1)">x</a>',
  `<a href='https://a.test/"><img src=x onerror=alert(1)>'>x</a>`,
  '<a href="https://a.test" class="u-url&quot; onclick=&quot;alert(1)">x</a>',
  '<a href="https://a.test" rel="tag&quot; onclick=&quot;alert(1)">x</a>',
  '<a href=`javascript:alert(1)`>x</a>',
  '<p/onclick=alert(1)>x</p>',
  '<p "onclick="alert(1)">x</p>',
  '<ol start="1&quot; onclick=&quot;alert(1)"><li value="1 onclick=alert(1)">x</li></ol>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><?php echo "<img src=x onerror=alert(1)>" ?>',
  '<!DOCTYPE x [<!ENTITY y "<img src=x onerror=alert(1)>">]>&y;',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=alert(1)&amp;gt;',
  '<b\u2028onclick=alert(1)>x</b>',
  '<div id=x tabindex=1 onfocus=alert(1)>x</div>',
  '<a name="x" id="y" ping="//a.test">x</a>',
  '<video><source onerror=alert(1)></video><audio src onerror=alert(1)>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<p><svg><p><style><a id="</style><img src=1 onerror=alert(1)>"></p></svg>',
  '<h1 onclick=alert(1)><h2><img alt="<h1>" src=x>x</h1>',
  '<constructor>x</constructor><__proto__ onclick=alert(1)>y</__proto__>',
]

const TAG = /^<(?:\/?(?:p|br|span|a|del|pre|code|em|strong|b|i|u|ul|ol|li|blockquote|ruby|rt|rp)|br \/)$/
const ATTRIBUTE = /^(?:href|class|rel|target|translate|start|value|reversed|lang)$/

// Every `<` of the output must start an allowed tag with quoted, allowed attributes only.
function assertHarmless(output: string, input: string): void {
  const rest = output.replace(
    /(<\/?[a-z1-6]+)((?: [a-z]+(?:="[^"<>]*")?)*)( \/)?>/g,
    (_tag, name: string, attributes: string) => {
      assert.match(name, TAG, `${input} gave ${output}`)
      for (const [, key = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
        assert.match(key, ATTRIBUTE, `${input} gave ${output}`)
        if (key === 'href') assert.match(value, /^(?:https?:\/\/|xmpp:)/, `${input} gave ${output}`)
      }
      return ''
    },
  )
  assert.doesNotMatch(rest, /[<>]/, `${input} gave ${output}`)
}

test('no dangerous markup remains: alone, in combination or sanitised twice', () => {
  for (const attack of ATTACKS) {
    for (const input of [
      attack,
      `<p>${attack}`,
      `<a href="https://a.test">${attack}</a>`,
      `${attack}${attack}</p></div>`,
    ]) {
      for (const sanitize of [sanitizeStatusHtml, sanitizeField]) {
        const once = sanitize(input)
        assertHarmless(once, input)
        assertHarmless(sanitize(once), once)
      }
    }
  }
})

test('scripts, styles and embedded content are dropped with their text', () => {
  cases(
    {
      'a<script>b</script>c': 'ac',
      'a<style>b</style>c': 'ac',
      'a<iframe>b</iframe>c': 'ac',
      'a<svg><text>b</text></svg>c': 'ac',
      'a<video>no video here</video>c': 'ac',
      'a<script>b': 'a',
    },
    sanitizeStatusHtml,
  )
})

test('size and depth are bounded', () => {
  for (const html of [
    'x',
    '&',
    '<i>x</i>',
    '😀',
    '\u0001',
    '"<br>',
    `<a href="https://a.test/?${'&'.repeat(999)}">x</a>`,
  ]) {
    const safe = sanitizeStatusHtml(html.repeat(Math.ceil(300_000 / html.length)))
    const size = Buffer.byteLength(safe)
    assert.ok(size <= 64 * 1024 && (html === '\u0001' || size > 20_000), `${html.slice(0, 20)}: ${size} bytes`)
    assert.ok(safe.isWellFormed())
  }
  const cut = sanitizeStatusHtml(`${'x'.repeat(60_000)}<a href="https://a.test">y</a>${'x'.repeat(30_000)}`)
  assert.match(cut, /^x{50000,}$/, 'cut before a tag, not within')
  const deep = sanitizeStatusHtml(`${'<b>'.repeat(100_000)}x`)
  assert.ok(deep.length < 500 && deep.startsWith('<b><b>'))
  const before = process.cpuUsage().user
  for (let i = 0; i < 10; i++) sanitizeStatusHtml('<span>'.repeat(8000) + '</spam>'.repeat(7000))
  const took = (process.cpuUsage().user - before) / 1000
  assert.ok(took < 4000, `${took} ms for ten texts whose closing tags close nothing`)
  const many = sanitizeStatusHtml('<i>x</i>'.repeat(30_000))
  assert.match(many, /^(?:<i>x<\/i>){3000}$/)
  assert.ok(Buffer.byteLength(sanitizeField('&'.repeat(100_000))) <= 4096)
  assert.equal(sanitizeStatusHtml(`<a href="https://a.test/${'x'.repeat(3000)}">y</a>`), 'y')
  assert.equal(sanitizeStatusHtml(`<span class="${'mention '.repeat(100)}">y</span>`), '<span>y</span>')
})

test('profile fields become one line of links and text', () => {
  cases(
    {
      '<p>a<br>b</p><p>c</p>': 'a b c',
      '<a href="https://a.test" rel="me nofollow noopener noreferrer">a.test</a>':
        '<a href="https://a.test" rel="me nofollow noopener" target="_blank">a.test</a>',
      '<ul><li><b>x</b></li><li>y</li></ul>': 'x y',
      '<span class="invisible">https://</span>a <img alt=":blob:">': '<span class="invisible">https://</span>a :blob:',
    },
    sanitizeField,
  )
})

test('text keeps its line breaks and loses its tags', () => {
  cases(
    {
      '<p>Hello<br>world</p><p>second &amp; &lt;b&gt;</p>': 'Hello\nworld\n\nsecond & <b>',
      '<h1>T</h1>\n\n<div>a</div><div>b</div>': 'T\n\na\nb',
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>': 'a\nb',
      'a  b\n c<p></p><p></p><p></p>d': 'a b c\n\nd',
      '<pre>x\n  y</pre>': 'x\n  y',
      '<p>hi <img alt=":blob:"></p><script>alert(1)</script>': 'hi :blob:',
      '<a href="https://a.test/b"><span class="invisible">https://</span>a.test/b</a>': 'https://a.test/b',
      '&amp;lt;x&amp;gt;': '&lt;x&gt;',
      '': '',
    },
    htmlToText,
  )
})
