import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cpuTime } from '../support/cpu.ts'
import { sql } from '../support/database.ts'
import { readConfig } from '../support/internals.ts'
import { spend } from '../support/rate-limits.ts'
import { remoteAccount } from '../support/remote.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'
import { startSite, type Site } from '../support/website.ts'
import { post } from '../support/timelines.ts'

let site: Site
let libre: TestServer
let deepl: TestServer
let plain: TestServer
let ada: Person
/** The requests that LibreTranslate received. */
const asked: any[] = []
/** The response of LibreTranslate while it fails. */
let failing: { status: number; body: string } | null = null

/** Translates to capitals, except markup and text marked as not to be translated. */
const shout = (html: string): string =>
  html.replace(
    /(<span translate="no">.*?<\/span>|<[^>]*>|&[#\w]+;)|([^<&]+)/g,
    (_, markup, text) => markup ?? text.toUpperCase(),
  )

before(async () => {
  site = await startSite()
  site.serve('/libre/languages', {
    type: 'application/json',
    body: JSON.stringify([
      { code: 'en', name: 'English', targets: ['de', 'en', 'pt-BR'] },
      { code: 'de', name: 'German', targets: ['de', 'en'] },
    ]),
  })
  site.serve('/libre/translate', ({ body }) => {
    if (failing) return { ...failing, type: 'application/json' }
    const question = JSON.parse(body)
    asked.push(question)
    const answer = { translatedText: question.q.map(shout), detectedLanguage: { confidence: 90, language: 'en' } }
    answer.translatedText[0] += '<script>alert(1)</script><img src=x onerror=alert(1)>'
    return { type: 'application/json', body: JSON.stringify(answer) }
  })
  const listed = (codes: string[]): string => JSON.stringify(codes.map((language) => ({ language, name: language })))
  site.serve('/deepl/v2/languages?type=source', { type: 'application/json', body: listed(['EN', 'DE']) })
  site.serve('/deepl/v2/languages?type=target', { type: 'application/json', body: listed(['EN-GB', 'PT-BR', 'DE']) })
  site.serve('/deepl/v2/translate', ({ headers, body }) => {
    const form = new URLSearchParams(body)
    if (headers['authorization'] !== 'DeepL-Auth-Key k3y') return { status: 403, body: '' }
    if (form.get('target_lang') === 'PT-BR') return { status: 456, body: '' }
    const translations = form.getAll('text').map((text) => ({
      text: `${form.get('source_lang')}>${form.get('target_lang')} ${text}`,
      detected_source_language: 'EN',
    }))
    return { type: 'application/json', body: JSON.stringify({ translations }) }
  })
  libre = await startTestServer({
    LIBRE_TRANSLATE_ENDPOINT: `${site.url}/libre/`,
    LIBRE_TRANSLATE_API_KEY: 's3cret',
    ALLOWED_PRIVATE_ADDRESSES: '',
  })
  deepl = await startTestServer({ DEEPL_API_KEY: 'k3y', DEEPL_ENDPOINT: `${site.url}/deepl`, RATE_LIMITS: 'on' })
  plain = await startTestServer()
  ada = await libre.person('ada')
})
after(async () => {
  await Promise.all([libre, deepl, plain].map((server) => server.stop()))
  await site.stop()
})

const translate = (who: Person, id: string, lang?: string): ReturnType<Person['send']> =>
  who.send('POST', `/api/v1/statuses/${id}/translate`, { json: lang === undefined ? {} : { lang } })

test('all texts of a post are translated, HTML as HTML and plain text as plain text', async () => {
  const form = new FormData()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.set('file', new File([Buffer.from(png, 'base64')], 'a.png'))
  form.set('description', 'a <b>nest</b> & "eggs"')
  const medium = (await ada.send('POST', '/api/v2/media', { form })).json.id
  const id = await post(ada, 'hello <i> & :blob_cat:\nhttps://example.test/a', {
    language: 'en',
    spoiler_text: "it's <here>",
    media_ids: [medium],
  })
  const { status, json } = await translate(ada, id, 'de')
  assert.equal(status, 200, JSON.stringify(json))
  const { content, ...rest } = json
  assert.match(content, /^<p>HELLO &lt;I&gt; &amp; :blob_cat:<br \/><a href="https:\/\/example\.test\/a"/i)
  assert.ok(content.includes(':blob_cat:') && !/script|img|onerror/i.test(content), content)
  assert.deepEqual(rest, {
    spoiler_text: "IT'S <HERE>",
    language: 'de',
    media_attachments: [{ id: medium, description: 'A <B>NEST</B> & "EGGS"' }],
    detected_source_language: 'en',
    provider: 'LibreTranslate',
  })
  const { q, ...how } = asked.at(-1)
  assert.deepEqual(how, { source: 'en', target: 'de', format: 'html', api_key: 's3cret' })
  assert.equal(q.length, 3)
})

test('poll options are translated; empty texts are not sent', async () => {
  const id = await post(ada, 'which?', { language: 'en', poll: { options: ['one', 'two'], expires_in: 3600 } })
  const { json } = await translate(ada, id, 'DE')
  const poll = (await ada.get(`/api/v1/statuses/${id}`)).poll
  assert.deepEqual(json.poll, { id: poll.id, options: [{ title: 'ONE' }, { title: 'TWO' }] })
  assert.deepEqual([json.spoiler_text, json.media_attachments], ['', []])
  assert.equal(asked.at(-1).q.length, 3)
})

test('a translation is cached until the post changes', async () => {
  const id = await post(ada, 'once', { language: 'en' })
  const before = asked.length
  const answers = await Promise.all([translate(ada, id, 'de'), translate(ada, id, 'de-AT'), translate(ada, id, 'de')])
  assert.deepEqual(
    answers.map(({ json }) => json.content),
    Array(3).fill('<p>ONCE</p>'),
  )
  assert.deepEqual((await translate(ada, id, 'de')).json.language, 'de')
  assert.equal(asked.length, before + 1)
  await ada.put(`/api/v1/statuses/${id}`, { status: 'twice' })
  assert.equal((await translate(ada, id, 'de')).json.content, '<p>TWICE</p>')
  assert.equal(asked.length, before + 2)
})

test('the service detects an unknown language; the default target is the language of the viewer', async () => {
  const id = await post(ada, 'hm')
  // Remote posts may have no language; local ones have at least that of their author.
  await libre.database.raw('update statuses set language = null where id = $1', [id])
  const { json } = await translate(ada, id)
  assert.deepEqual([json.language, json.detected_source_language, asked.at(-1).source], ['en', 'en', 'auto'])
  assert.equal((await translate(ada, id, 'pt-br')).json.language, 'pt-BR')
})

test('unsupported languages and private posts are refused', async () => {
  const ben = await libre.person('ben')
  const open = await post(ada, 'open', { language: 'en' })
  for (const lang of ['en', 'fr', 'xx', 'x'.repeat(1000), '__proto__'])
    assert.equal((await translate(ada, open, lang)).status, 403, lang)
  assert.equal((await translate(ada, await post(ada, 'x', { language: 'fr' }), 'de')).status, 403)
  const own = await post(ada, 'followers only', { language: 'en', visibility: 'private' })
  assert.equal((await translate(ada, own, 'de')).status, 403)
  assert.equal((await translate(ben, own, 'de')).status, 404)
  assert.equal((await translate(ben, '1', 'de')).status, 404)
  assert.equal(
    (await translate(ben, await post(ada, 'x', { language: 'en', visibility: 'unlisted' }), 'de')).status,
    200,
  )
})

test('a failure of the service answers 503 and is not cached', async () => {
  const id = await post(ada, 'failing', { language: 'en' })
  for (const answer of [
    { status: 500, body: 'x' },
    { status: 429, body: '{}' },
    { status: 403, body: '{}' },
    { status: 200, body: 'no json' },
    { status: 200, body: '{}' },
  ]) {
    failing = answer
    const { status, json } = await translate(ada, id, 'de')
    assert.equal(status, 503, JSON.stringify(answer))
    assert.equal(typeof json.error, 'string')
  }
  failing = null
  assert.equal((await translate(ada, id, 'de')).status, 200)
})

test('the instance lists its translation languages', async () => {
  assert.equal((await ada.get('/api/v2/instance')).configuration.translation.enabled, true)
  const pairs = { en: ['de', 'pt-BR'], de: ['en'], und: ['de', 'en', 'pt-BR'] }
  assert.deepEqual((await libre.send('GET', '/api/v1/instance/translation_languages')).json, pairs)
  assert.deepEqual((await plain.send('GET', '/api/v1/instance/translation_languages')).json, {})
  assert.equal((await plain.send('GET', '/api/v2/instance')).json.configuration.translation.enabled, false)
  const cleo = await plain.person('cleo')
  assert.equal((await translate(cleo, await post(cleo, 'x', { language: 'en' }), 'de')).status, 404)
})

test('DeepL translates posts and reports failures', async () => {
  const dora = await deepl.person('dora')
  const all = ['de', 'en', 'en-GB', 'pt', 'pt-BR']
  const { json: pairs } = await deepl.send('GET', '/api/v1/instance/translation_languages')
  assert.deepEqual(pairs, {
    en: all.filter((code) => code !== 'en'),
    de: all.filter((code) => code !== 'de'),
    und: all,
  })
  const id = await post(dora, 'guten Tag', { language: 'de', spoiler_text: 'cw' })
  const { json } = await translate(dora, id, 'en')
  assert.deepEqual(json, {
    content: 'DE&gt;EN <p>guten Tag</p>',
    spoiler_text: 'DE>EN cw',
    language: 'en',
    media_attachments: [],
    detected_source_language: 'de',
    provider: 'DeepL.com',
  })
  assert.equal((await translate(dora, id, 'pt-BR')).status, 503)
  // A remote post in a language with a region.
  const far = await remoteAccount(deepl, 'dot', 'far.test')
  const { rows } = await deepl.database.raw(
    `insert into statuses (id, account_id, uri, content, visibility, language, local) values (1, $1, 'https://far.test/1', '<p>hi</p>', 'public', 'en-US', false) returning id`,
    [far],
  )
  assert.equal((await translate(dora, rows[0].id, 'de')).json.content, 'EN&gt;DE <p>hi</p>')
})

test('a remote post with very long text in a link is translated in time', async () => {
  const far = await remoteAccount(libre, 'eve', 'far.test')
  const content = `<p><a href="https://far.test/">${'x'.repeat(60_000)}</a> <span class="${'y'.repeat(60_000)}">:blobcat:</span></p>`
  const { rows } = await libre.database.raw(
    `insert into statuses (id, account_id, uri, content, visibility, language, local) values (2, $1, 'https://far.test/2', $2, 'public', 'en', false) returning id`,
    [far, content],
  )
  const took = await cpuTime(async () => assert.equal((await translate(ada, rows[0].id, 'de')).status, 200))
  assert.ok(took < 6000, `${took} ms`)
})

test('invalid settings for translation are refused at start', () => {
  assert.equal(readConfig({ DEEPL_API_KEY: 'x', DEEPL_PLAN: 'pro' }).translation?.endpoint, 'https://api.deepl.com')
  assert.equal(readConfig({ DEEPL_API_KEY: 'x' }).translation?.endpoint, 'https://api-free.deepl.com')
  assert.throws(() => readConfig({ DEEPL_API_KEY: 'x', DEEPL_PLAN: 'cheap' }), /DEEPL_PLAN/)
  assert.throws(() => readConfig({ LIBRE_TRANSLATE_ENDPOINT: 'translate.test' }), /LIBRE_TRANSLATE_ENDPOINT/)
})

test('translations that the service has to make are limited, also for applications without a user', async () => {
  const bob = await deepl.person('bob')
  const own = await post(bob, 'first', { language: 'en' })
  const rows = await deepl.database.many<{ id: string }>(sql`
    insert into statuses (id, account_id, content, visibility, local, language)
    select ${own}::bigint + n, ${bob.id}, '<p>text</p>', 'public', true, 'en' from generate_series(1, 3) n returning id`)
  const ids = rows.map(({ id }) => id)
  for (const [key, token] of [
    [bob.userId, bob.token],
    ['127.0.0.1', await deepl.token({ scopes: ['read'] })],
  ] as const) {
    const ask = async (id: string | undefined): Promise<number> =>
      (await deepl.send('POST', `/api/v1/statuses/${id}/translate`, { token, json: { lang: 'de' } })).status
    await deepl.database.run(sql`delete from status_translations`)
    await spend(deepl, 'translations', key, 98)
    for (const id of ids.slice(0, 2)) assert.equal(await ask(id), 200)
    assert.equal(await ask(ids[2]), 429)
    assert.equal(await ask(ids[0]), 200, 'it was translated before')
  }
})
