import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishStatus } from '../support/acts.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { post } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const languageOf = async (id: string): Promise<string | null> => (await ada.get(`/api/v1/statuses/${id}`)).language

test('the language of a post is detected in the background unless the author sets it', async () => {
  const texts = {
    de: 'Die Saatkrähe ist ein geselliger Vogel, der in großen Kolonien brütet.',
    fr: 'Le corbeau freux niche en colonies dans les grands arbres, près des champs.',
    ja: 'ミヤマガラスは群れで生活する鳥です。',
    ru: 'Сегодня хорошая погода, мы пошли гулять в парк и видели много птиц.',
  }
  const ids = await Promise.all(Object.values(texts).map((text) => post(ada, text)))
  const explicit = await post(ada, texts.de, { language: 'en' })
  const short = await Promise.all(
    [
      'ok cool',
      'Jeg synes at dette er en god idé, og jeg håber at vi kan møtes i morgen kveld.',
      ':blob: @ada #Saatkrähe https://example.test/die/saatkraehe/ist/ein/vogel',
      '🎉🎉🎉',
    ].map((text) => post(ada, text)),
  )
  await server.drain()
  assert.deepEqual(await Promise.all(ids.map(languageOf)), Object.keys(texts))
  assert.equal(await languageOf(explicit), 'en')
  // A text whose language cannot be detected gets the language of the author's interface.
  assert.deepEqual(await Promise.all(short.map(languageOf)), ['en', 'en', 'en', 'en'])
  const status = await ada.get(`/api/v1/statuses/${ids[0]}`)
  assert.equal(status.edited_at, null)
  const found = await ada.get(`/api/v2/search?type=statuses&q=${encodeURIComponent('language:de saatkrähe')}`)
  assert.deepEqual(
    found.statuses.map((one: any) => one.id),
    [ids[0]],
  )
})

test('the response to a new post has the detected language once the tables are loaded, the author’s locale before', async () => {
  const eve = await server.person('eve', { locale: 'fr' })
  const send = async (): Promise<any> =>
    eve.post('/api/v1/statuses', { status: 'Die Saatkrähe ist ein geselliger Vogel, der in großen Kolonien brütet.' })
  const first = await send()
  assert.ok(['de', 'fr'].includes(first.language), first.language)
  await eventually(async () => (await send()).language === 'de')
  assert.equal((await eve.post('/api/v1/statuses', { status: 'ok' })).language, 'fr')
  await server.drain()
  assert.equal(await languageOf(first.id), 'de')
})

test('a preferred posting language replaces detection, and remote posts are detected', async () => {
  const ben = await server.person('ben')
  await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { source: { language: 'es' } } })
  const preferred = await post(ben, 'Die Saatkrähe ist ein geselliger Vogel, der in großen Kolonien brütet.')
  const far = await remoteAccount(server, 'dot', 'far.test')
  // As while the tables of languages are loaded.
  const draft = {
    languageIsAssumed: true,
    accountId: far,
    local: false,
    uri: 'https://far.test/1',
    url: 'https://far.test/1',
    visibility: 'public',
  } as const
  const { id } = await publishStatus(server.ctx, {
    ...draft,
    content: '<p>De roek is een vogel die in <b>kolonies</b> broedt en graag bij boerderijen leeft.</p>',
  })
  await server.drain()
  assert.deepEqual([await languageOf(preferred), await languageOf(id)], ['es', 'nl'])
})

test('the instance lists the languages of posts', async () => {
  const { status, json } = await server.send('GET', '/api/v1/instance/languages')
  assert.equal(status, 200)
  assert.ok(json.length > 150)
  for (const [code, name] of [
    ['de', 'German'],
    ['ldn', 'Láadan'],
    ['ms-Arab', 'Malay (Arabic)'],
    ['tw', 'Twi'],
    ['zba', 'Balaibalan'],
    ['zh-YUE', 'Cantonese'],
  ] as const) {
    assert.deepEqual(
      json.find((one: any) => one.code === code),
      { code, name },
    )
    assert.equal(await languageOf(await post(ada, 'x', { language: code })), code)
  }
})
