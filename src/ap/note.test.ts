import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actor, as, id, note } from '../../test/support/activity-samples.ts'
import { cpuTime } from '../../test/support/cpu.ts'
import { parseActivity } from './activity.ts'
import { parseActor } from './actor.ts'
import { parseObject, parseVote } from './note.ts'

test('a note is read', () => {
  const parsed = parseObject(note)!
  assert.deepEqual([parsed.content, parsed.language, parsed.summary, parsed.sensitive], ['<p>hi</p>', 'en', 'cw', true])
  assert.equal(parsed.published?.toISOString(), '2026-03-01T12:00:00.500Z')
  assert.equal(parsed.updated, null)
  assert.deepEqual(parsed.to, [`${as}Public`])
  assert.equal(parsed.inReplyTo, 'https://b.test/2')
  assert.deepEqual([parsed.replies, parsed.likesCount, parsed.sharesCount], ['https://a.test/notes/1/replies', 3, null])
  assert.equal(parsed.poll, null)
})

test('a note may have only a contentMap, and several types and authors', () => {
  const parsed = parseObject({
    ...note,
    content: undefined,
    contentMap: { de: '<p>hallo</p>' },
    type: ['x:Other', 'Article'],
    attributedTo: [
      { type: 'Group', id: 'https://a.test/g' },
      { type: 'Person', id },
    ],
  })!
  assert.deepEqual(
    [parsed.content, parsed.language, parsed.type, parsed.attributedTo],
    ['<p>hallo</p>', 'de', 'Article', id],
  )
})

test('the url is the page for people, and that of a Page is on the same host', () => {
  const page = 'https://a.test/@ada/1'
  const html = { type: 'Link', mediaType: 'text/html', href: page }
  const video = { type: 'Link', mediaType: 'video/mp4', href: 'https://a.test/v.mp4' }
  const stream = { type: 'Link', mimeType: 'audio/ogg', href: 'https://a.test/listen' }
  for (const url of [page, html, [video, html], [video, page], [{ href: page }], [stream, page]])
    assert.equal(parseObject({ ...note, url })?.url, page)
  for (const url of [undefined, 'javascript:alert(1)', video, [], 7, { href: 'data:text/html,x' }])
    assert.equal(parseObject({ ...note, url })?.url, null)
  const url = 'https://www.b.test/@ada/1'
  assert.equal(parseObject({ ...note, url })?.url, url)
  const shared = parseObject({ ...note, type: 'Page', url })
  assert.deepEqual([shared?.url, shared?.sharedLink], [null, url])
  const image = { type: 'Link', mediaType: 'image/png', href: 'https://a.test/i.png' }
  for (const [attachment, link] of [
    [{ type: 'Link', href: url, mediaType: 'application/pdf' }, url],
    [
      [
        { type: 'Document', url },
        { type: 'Link', href: url },
      ],
      url,
    ],
    [{ type: 'Link', href: 'javascript:alert(1)' }, null],
    [image, null],
  ])
    assert.equal(parseObject({ ...note, type: 'Page', url: page, attachment })?.sharedLink, link)
})

test('one or many attachments are read, with the best media link', () => {
  const image = {
    type: 'Document',
    mediaType: 'image/png',
    url: 'https://files.test/1.png',
    name: 'a cat',
    blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
    width: 640,
    height: 480,
    focalPoint: [-0.5, 0.25],
  }
  const [parsed] = parseObject({ ...note, attachment: image })!.attachments
  assert.deepEqual(parsed, {
    type: 'Document',
    url: image.url,
    mediaType: 'image/png',
    description: 'a cat',
    blurhash: image.blurhash,
    width: 640,
    height: 480,
    focalPoint: [-0.5, 0.25],
    duration: null,
    icon: null,
  })
  const [video] = parseObject({
    ...note,
    attachment: [
      {
        type: 'Video',
        duration: 'PT1M30.5S',
        url: [
          { href: 'https://files.test/page', mediaType: 'text/html' },
          { href: 'https://files.test/v.mp4', mediaType: 'video/mp4' },
        ],
      },
    ],
  })!.attachments
  assert.deepEqual([video?.url, video?.mediaType, video?.duration], ['https://files.test/v.mp4', 'video/mp4', 90.5])
  const odd = parseObject({
    ...note,
    attachment: [
      null,
      'x',
      { type: 'PropertyValue', name: 'x' },
      { type: 'Image' },
      { type: 'Image', url: 'file:///etc/passwd' },
      { ...image, width: '640', height: -1, focalPoint: [2, 0], blurhash: '<script>', mediaType: {} },
    ],
  })!.attachments
  assert.equal(odd.length, 1)
  const untyped = [{ ...image, type: undefined }, { url: 'https://files.test/1' }, { type: 'Link', href: image.url }]
  assert.deepEqual(
    parseObject({ ...note, attachment: untyped })!.attachments.map(({ type, url }) => [type, url]),
    [['Document', image.url]],
  )
  assert.deepEqual(
    [odd[0]?.width, odd[0]?.height, odd[0]?.focalPoint, odd[0]?.blurhash, odd[0]?.mediaType],
    [null, null, null, null, null],
  )
})

test('mentions, hashtags and emoji are read, other tags left out', () => {
  const tag = [
    { type: 'Mention', href: 'https://b.test/users/b', name: '@b@b.test' },
    { type: 'Mention', name: '@nowhere' },
    { type: 'Hashtag', name: '#Cats', href: 'https://a.test/tags/cats' },
    { type: 'as:Hashtag', name: '#plain' },
    { type: ['Emoji'], name: ':x:', icon: [{ url: { href: 'https://files.test/x.png' } }] },
    { type: 'Emoji', name: ':y:' },
    { type: 'Other', name: 'z' },
    null,
    'x',
  ]
  assert.deepEqual(
    parseObject({ ...note, tag })!.tags.map(({ type, name }) => `${type} ${name}`),
    ['Mention @b@b.test', 'Hashtag #Cats', 'Hashtag #plain', 'Emoji :x:'],
  )
  assert.equal(parseObject({ ...note, tag: tag[0] })!.tags.length, 1)
})

test('quotes are read from each of their property names', () => {
  const quoted = 'https://b.test/notes/9'
  for (const quote of [
    { quote: quoted },
    { quote: { id: quoted } },
    { quoteUrl: quoted },
    { quoteUri: quoted },
    { _misskey_quote: quoted },
    { 'https://w3id.org/fep/044f#quote': [{ '@id': quoted }] },
    {
      tag: [
        {
          type: 'Link',
          mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
          href: quoted,
        },
      ],
    },
  ]) {
    assert.equal(parseObject({ ...note, ...quote })?.quote, quoted, JSON.stringify(quote))
  }
  for (const quote of [note.id, 'https://a.test/@ada/1'])
    assert.equal(parseObject({ ...note, url: 'https://a.test/@ada/1', quote, quoteUrl: quoted })?.quote, quoted, quote)
  assert.equal(parseObject({ ...note, quote: 'nonsense', tag: { type: 'Link', href: quoted } })?.quote, null)
})

test('polls and votes are read', () => {
  const option = (name: string, totalItems: unknown) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  const question = {
    ...note,
    type: 'Question',
    oneOf: [option('yes', 3), option('no', 'many'), {}],
    endTime: '2026-03-02T00:00:00Z',
    votersCount: 3,
  }
  assert.deepEqual(parseObject(question)?.poll, {
    multiple: false,
    options: [
      { title: 'yes', votesCount: 3 },
      { title: 'no', votesCount: null },
    ],
    endTime: new Date('2026-03-02T00:00:00Z'),
    isClosed: false,
    votersCount: 3,
  })
  const early = { ...question, oneOf: undefined, anyOf: option('only', 1), closed: '2026-03-01T00:00:00Z' }
  assert.deepEqual(parseObject(early)?.poll?.endTime, new Date('2026-03-01T00:00:00Z'))
  assert.equal(parseObject({ ...question, closed: true })?.poll?.isClosed, true)
  const single = { ...question, anyOf: [] }
  assert.deepEqual(parseObject(single)?.poll, parseObject(question)?.poll)
  const several = { ...question, oneOf: [], anyOf: [{ type: 'Note', content: 'in the content' }] }
  assert.deepEqual(
    [parseObject(several)?.poll?.multiple, parseObject(several)?.poll?.options],
    [true, [{ title: 'in the content', votesCount: null }]],
  )
  assert.equal(parseObject({ ...question, oneOf: null, anyOf: [] })?.poll, null)
  const vote = { ...note, content: undefined, contentMap: undefined, name: 'yes' }
  assert.deepEqual(parseVote(parseObject(vote)!, vote), { option: 'yes', question: 'https://b.test/2' })
  assert.equal(parseVote(parseObject(note)!, note), null)
})

test('hostile documents cause neither errors nor delays', async () => {
  let nested: unknown = 'x'
  for (let depth = 0; depth < 50_000; depth++)
    nested = depth % 2 ? [nested] : { id: nested, type: nested, url: nested, '@list': nested }
  const long = 'x'.repeat(10_000_000)
  const many = Array.from({ length: 50_000 }, () => ({ type: 'Mention', href: 'https://b.test/b', name: 'b' }))
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`as:k${i}`, i]))
  const odd = [
    nested,
    long,
    many,
    wide,
    0,
    -1,
    true,
    null,
    [],
    {},
    [[]],
    [null],
    { '@value': {} },
    { id: [] },
    { type: {} },
    Symbol.iterator.toString(),
  ]
  const took = await cpuTime(async () => {
    for (const base of [actor, note, { id: 'https://a.test/1', type: 'Create', actor: id, object: note }] as Record<
      string,
      unknown
    >[]) {
      for (const value of odd) {
        for (const parse of [parseActor, parseObject, parseActivity]) parse(value)
        for (const name of Object.keys(base))
          for (const parse of [parseActor, parseObject, parseActivity]) parse({ ...base, [name]: value })
      }
    }
  })
  assert.ok(took < 20_000, `${took} ms: the work is linear`)
  const parsed = parseObject({
    ...note,
    to: many.map((_, i) => `https://b.test/${i}`),
    tag: many,
    attachment: many.map(() => ({ type: 'Image', url: 'https://a.test/i' })),
    content: long,
  })!
  assert.deepEqual(
    [parsed.to.length, parsed.tags.length, parsed.attachments.length, parsed.content?.length],
    [1000, 100, 32, 100_000],
  )
})
