import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractEntities, extractHashtags, extractMentions } from './extract.ts'

const found = (text: string): string[] => extractEntities(text).map((entity) => text.slice(entity.start, entity.end))

function assertFound(cases: Record<string, string[]>): void {
  for (const [text, expected] of Object.entries(cases)) assert.deepEqual(found(text), expected, text)
}

test('links with a scheme are found whole', () => {
  const whole = [
    'https://example.com/a-long-path/with_some~things/1?utf8=✓&q=a%20b#frag',
    'http://google.com',
    'https://nic.みんな/',
    'https://en.wikipedia.org/wiki/Diaspora_(software)',
    'https://ja.wikipedia.org/wiki/日本',
    'https://example.com/@alice#foo',
    "https://example.com/a,b;c=1|d/it's",
    'https://my_site.example.com/x',
    'HTTPS://EXAMPLE.COM:8080/A',
    'http://localhost:3000/@alice/1',
    'http://127.0.0.1/x',
    'http://[::1]:3000/',
    'https://user:secret@example.com/x',
    'https://example.com?to=@ada@far.test&text=hi',
    'https://example.com#me@example.org',
    'xmpp:muc@instance.com?join',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a',
    'gemini://example.com/x',
    `dat://${'a'.repeat(64)}`,
    'ssb://message/sha256/abc',
  ]
  for (const url of whole) {
    assert.deepEqual(found(url), [url])
    assert.deepEqual(found(`see ${url} there`), [url])
    assert.deepEqual(found(`(${url})`), [url])
  }
})

test('punctuation around a link is not part of it', () => {
  assertFound({
    'http://www.google.com!': ['http://www.google.com'],
    "'http://www.google.com'": ['http://www.google.com'],
    '"https://example.com/"': ['https://example.com/'],
    '<https://example.com/>': ['https://example.com/'],
    '「[https://example.org/」': ['https://example.org/'],
    'https://example.com/　abc': ['https://example.com/'],
    'https://example.com/x: text, https://example.com/y; **https://example.com/z**': [
      'https://example.com/x',
      'https://example.com/y',
      'https://example.com/z',
    ],
    'https://example.com/a... and https://example.com/b?': ['https://example.com/a', 'https://example.com/b'],
    '[x](https://example.com/y)': ['https://example.com/y'],
    'http://example.com/b<del>b</del>': ['http://example.com/b'],
    '見てhttps://example.com。次': ['https://example.com'],
  })
})

test('text without a scheme or host, or with another scheme, is not a link', () => {
  assertFound({
    'example.com www.example.com a@example.com': [],
    'http:// https:// https:///x xmpp: magnet:x dat:': [],
    'http://www\\.google\\.com http://word': [],
    'javascript://x.test/%0aalert(1) mailto:a@b.test ftp://a.test git+https://a.test xhttps://a.test': [],
  })
})

test('mentions are found, with their host and port', () => {
  assertFound({
    '@alice and @bob@example.com, .@Carol! (@dave)': ['@alice', '@bob@example.com', '@Carol', '@dave'],
    '@alice. @alice.. @user- @a.b-c_d@x-y.test.': ['@alice', '@alice', '@user', '@a.b-c_d@x-y.test'],
    '@alice@localhost:3000 @bob@example.com: hi': ['@alice@localhost:3000', '@bob@example.com'],
    '@bob@例え.テスト @_x_': ['@bob@例え.テスト', '@_x_'],
    '@日本@例え.テスト @ü.b+c~d@x.test, @bobさん': ['@日本@例え.テスト', '@ü.b+c~d@x.test', '@bob'],
    '@a~b @a+@b@x.test': ['@a', '@a', '@b@x.test'],
    'foo@bar.test /@alice =@bob x@y 日@bob': [],
    '@alice@ @a@b@ @日本 @ @@': [],
    '@bob@http://example.com/': [],
    [`@bob@${'b'.repeat(300)}.test @cat`]: ['@cat'],
    'https://example.com/@alice/@bob@example.com': ['https://example.com/@alice/@bob@example.com'],
  })
  assert.deepEqual(extractMentions('@Alice @alice @Bob@Example.COM #x https://a.test/@eve'), [
    'alice',
    'bob@example.com',
  ])
  assert.deepEqual(extractEntities('hi @Bob@Example.com')[0], {
    kind: 'mention',
    start: 3,
    end: 19,
    username: 'Bob',
    domain: 'Example.com',
    handle: 'bob@example.com',
  })
})

test('hashtags are found in any script, never digits alone', () => {
  assertFound({
    '#foo, (#Bar). #3d #l33t #_a #b_': ['#foo', '#Bar', '#3d', '#l33t', '#_a', '#b_'],
    '#ａｅｓｔｈｅｔｉｃ ＃ｆｏｏ #ぼっち・ざ・ろっく #हिन्दी': [
      '#ａｅｓｔｈｅｔｉｃ',
      '＃ｆｏｏ',
      '#ぼっち・ざ・ろっく',
      '#हिन्दी',
    ],
    '#one·two· #·one #نرم\u200cافزار': ['#one·two', '#نرم\u200cافزار'],
    '#foo-bar #foo#bar ##x test\u00a0#y': ['#foo', '#foo', '#x', '#y'],
    '#123 #١٢٣ # ## a#b /#c =#d &#39; x)#e': [],
    'https://example.com/?a=#foo https://example.com/(x)#bar': [
      'https://example.com/?a=#foo',
      'https://example.com/(x)#bar',
    ],
  })
  assert.deepEqual(extractHashtags('#Foo #foo #ＦＯＯ #Bar @x'), [
    { key: 'foo', name: 'Foo' },
    { key: 'bar', name: 'Bar' },
  ])
})

test('entities come in order and never overlap', () => {
  const text = '@a #b https://c.test/#d @e@f.test #g https://h.test/@i '.repeat(50)
  let end = 0
  for (const entity of extractEntities(text)) {
    assert.ok(entity.start >= end && entity.end > entity.start)
    end = entity.end
  }
  assert.equal(extractEntities(text).length, 300)
})

// Any quadratic step would take minutes at this length.
test('hostile input takes linear time', { timeout: 20_000 }, () => {
  const parts = ['@', '#', ':', ':aa', 'http://', 'https://a.b/', 'https://a.b/(', 'https://a.b/[{(', "https://a.b/'"]
  parts.push('@a', '@a.', '@a@b.', '@a@b:', '#a·', 'xmpp:a@', 'magnet:?', 'dat://a.', 'https://_.', '.', ' ', '\n')
  for (const part of parts) {
    const text = part.repeat(100_000 / part.length)
    extractEntities(text)
    extractEntities(`https://a.b/${text}`)
  }
})
