// POST /api/v1/statuses, GET /api/v1/statuses/:id, GET /api/v1/statuses?id[]=
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../support/database.ts'
import { uploadImage } from '../support/images.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const POST = '/api/v1/statuses'

/** Sends a post that the server is expected to refuse. */
async function refused(who: Person, json: object): Promise<{ status: number; error: string }> {
  const answer = await who.send('POST', POST, { json })
  return { status: answer.status, error: answer.json.error }
}

test('a new post is returned in full and readable without a token', async () => {
  const status = await ada.post(POST, { status: 'Hello world', language: 'en' })
  assert.equal(status.content, '<p>Hello world</p>')
  assert.equal(status.url, `http://${server.domain}/@ada/${status.id}`)
  assert.equal(status.uri, `http://${server.domain}/users/ada/statuses/${status.id}`)
  assert.deepEqual(
    [status.visibility, status.language, status.sensitive, status.spoiler_text, status.edited_at],
    ['public', 'en', false, '', null],
  )
  assert.deepEqual(
    [status.favourited, status.reblogged, status.bookmarked, status.muted, status.pinned],
    [false, false, false, false, false],
  )
  assert.equal(status.application.name, 'Tests')
  assert.equal(status.account.statuses_count, 1)
  assert.match(status.account.last_status_at, /^\d{4}-\d\d-\d\d$/)
  const anonymous = await server.send('GET', `${POST}/${status.id}`)
  assert.equal(anonymous.status, 200)
  assert.equal(anonymous.json.content, status.content)
  assert.equal('favourited' in anonymous.json, false)
})

test('text is rendered as the HTML that clients expect', async () => {
  const base = `http://${server.domain}`
  const link = (open: string, prefix: string, kind: string, shown: string, rest: string): string =>
    `<a href="${open}" target="_blank" rel="nofollow noopener noreferrer" translate="no"><span class="invisible">${prefix}</span><span class="${kind}">${shown}</span><span class="invisible">${rest}</span></a>`
  const cases: [string, string][] = [
    ['one\ntwo\n\nthree', '<p>one<br />two</p><p>three</p>'],
    ['  <b>&"bold"</b>  ', '<p>&lt;b&gt;&amp;&quot;bold&quot;&lt;/b&gt;</p>'],
    [
      'hi @BOB!',
      `<p>hi <span class="h-card" translate="no"><a href="${base}/@bob" class="u-url mention">@<span>bob</span></a></span>!</p>`,
    ],
    [
      `hi @bob@${server.domain}`,
      `<p>hi <span class="h-card" translate="no"><a href="${base}/@bob" class="u-url mention">@<span>bob</span></a></span></p>`,
    ],
    ['hi @nobody', '<p>hi @nobody</p>'],
    [
      '#MixedCase',
      `<p><a href="${base}/tags/mixedcase" class="mention hashtag" rel="tag">#<span>MixedCase</span></a></p>`,
    ],
    [
      'https://www.example.org/x',
      `<p>${link('https://www.example.org/x', 'https://www.', '', 'example.org/x', '')}</p>`,
    ],
    [
      'https://example.org/a/very/long/path/that/goes/on',
      `<p>${link('https://example.org/a/very/long/path/that/goes/on', 'https://', 'ellipsis', 'example.org/a/very/long/path/t', 'hat/goes/on')}</p>`,
    ],
    [':blobcat: stays', '<p>:blobcat: stays</p>'],
  ]
  for (const [text, html] of cases) assert.equal((await ada.post(POST, { status: text })).content, html)
})

test('mentions, tags and notifications follow from the text', async () => {
  const status = await ada.post(POST, { status: '@bob @bob @ada look #Cats #cats #1 #dogs' })
  assert.deepEqual(
    status.mentions.map((mention: any) => mention.acct),
    ['bob', 'ada'],
  )
  const { tag } = (await server.send('GET', status.uri, { headers: { accept: 'application/activity+json' } })).json
  assert.deepEqual(
    tag.filter(({ type }: any) => type === 'Mention').map(({ name }: any) => name),
    [`@bob@${server.domain}`, `@ada@${server.domain}`],
  )
  assert.deepEqual(status.tags.map((tag: any) => tag.name).toSorted(), ['cats', 'dogs'])
  assert.equal(status.tags[0].url, `http://${server.domain}/tags/cats`)
  const [notification] = await bob.get('/api/v1/notifications?types[]=mention&limit=1')
  assert.equal(notification.status.id, status.id)
  assert.deepEqual(await ada.get('/api/v1/notifications?types[]=mention'), [])
})

test('an empty post is refused; a content warning alone becomes the text', async () => {
  for (const json of [{}, { status: '' }, { status: ' \n ' }, { spoiler_text: ' ' }, { media_ids: [] }, { poll: {} }])
    assert.deepEqual(await refused(ada, json), { status: 422, error: "Validation failed: Text can't be blank" })
  const status = await ada.post(POST, { spoiler_text: 'only this' })
  assert.deepEqual([status.content, status.spoiler_text, status.sensitive], ['<p>only this</p>', '', true])
})

test('the length includes the content warning, and counts a link as 23 characters', async () => {
  const refusal = { status: 422, error: 'Validation failed: Text character limit of 500 exceeded' }
  await ada.post(POST, { status: '👩‍👩‍👧'.repeat(500) })
  assert.deepEqual(await refused(ada, { status: 'x'.repeat(501) }), refusal)
  assert.deepEqual(await refused(ada, { status: 'x'.repeat(400), spoiler_text: 'y'.repeat(101) }), refusal)
  const link = `https://example.org/${'a'.repeat(300)}`
  await ada.post(POST, { status: `${'x'.repeat(476)} ${link}` })
  assert.deepEqual(await refused(ada, { status: `${'x'.repeat(477)} ${link}` }), refusal)
  assert.deepEqual(await refused(ada, { status: `@x@${'x'.repeat(500)}.test` }), refusal)
})

test('visibility, sensitivity and language come from the request, else from the preferences of the author', async () => {
  assert.equal((await ada.post(POST, { status: 'a', spoiler_text: 'cw', sensitive: false })).sensitive, true)
  assert.equal((await ada.post(POST, { status: 'a', sensitive: 'on' })).sensitive, true)
  const cat = await server.person('cat')
  await server.ctx.db.run(
    sql`update users set settings = ${JSON.stringify({ privacy: 'private', sensitive: true, language: 'de', show_application: false })}::jsonb where id = ${cat.userId}`,
  )
  server.ctx.publish({ type: 'user.changed', userId: cat.userId })
  const usual = await cat.post(POST, { status: 'as I like it' })
  assert.deepEqual([usual.visibility, usual.sensitive, usual.language], ['private', true, 'de'])
  const asked = await cat.post(POST, { status: 'otherwise', visibility: 'public', sensitive: false, language: 'fr' })
  assert.deepEqual([asked.visibility, asked.sensitive, asked.language], ['public', false, 'fr'])
  assert.equal(asked.application.name, 'Tests')
  assert.equal('application' in (await ada.get(`${POST}/${asked.id}`)), false)
  assert.equal((await cat.post(POST, { status: 'x', language: 'not a language' })).language, 'de')
  // Language tags as operating systems name them.
  const tags = { 'en-US': 'en', pt_BR: 'pt', 'zh-tw': 'zh-TW', iw: 'he', und: 'de' }
  for (const [language, known] of Object.entries(tags))
    assert.equal((await cat.post(POST, { status: 'x', language })).language, known, language)
  assert.deepEqual(await refused(ada, { status: 'x', visibility: 'everybody' }), {
    status: 422,
    error: 'Validation failed: Visibility is not included in the list',
  })
})

test('public posts of silenced accounts become unlisted', async () => {
  const dan = await server.person('dan')
  await server.ctx.db.run(sql`update accounts set silenced_at = now() where id = ${dan.id}`)
  assert.equal((await dan.post(POST, { status: 'x' })).visibility, 'unlisted')
  assert.equal((await dan.post(POST, { status: 'x', visibility: 'private' })).visibility, 'private')
})

test('a reply belongs to its parent and is counted if it is public or unlisted', async () => {
  const parent = await ada.post(POST, { status: 'question' })
  const reply = await bob.post(POST, { status: 'answer', in_reply_to_id: parent.id })
  assert.deepEqual([reply.in_reply_to_id, reply.in_reply_to_account_id], [parent.id, ada.id])
  const own = await bob.post(POST, { status: 'and more', in_reply_to_id: reply.id })
  assert.equal(own.in_reply_to_account_id, bob.id)
  await bob.post(POST, { status: 'quietly', in_reply_to_id: parent.id, visibility: 'unlisted' })
  for (const visibility of ['private', 'direct'])
    await bob.post(POST, { status: 'hidden', in_reply_to_id: parent.id, visibility })
  assert.equal((await ada.get(`${POST}/${parent.id}`)).replies_count, 2)
  const boost = await bob.post(`${POST}/${parent.id}/reblog`)
  assert.equal((await bob.post(POST, { status: 'to the boost', in_reply_to_id: boost.id })).in_reply_to_id, parent.id)
})

test('replying to a missing or hidden post answers 404 and creates no post', async () => {
  const secret = await ada.post(POST, { status: 'secret', visibility: 'direct' })
  for (const id of [secret.id, '1', 'nonsense', '99999999999999999999'])
    assert.deepEqual(await refused(bob, { status: 'x', in_reply_to_id: id }), {
      status: 404,
      error: 'The post you are trying to reply to does not appear to exist.',
    })
  const { n } = await server.ctx.db.one<{ n: number }>(
    sql`select count(*)::int as n from statuses where in_reply_to_id = ${secret.id}`,
  )
  assert.equal(n, 0)
})

test('direct posts are not counted in the profile', async () => {
  const eve = await server.person('eve')
  await eve.post(POST, { status: 'psst @ada', visibility: 'direct' })
  const account = (await eve.post(POST, { status: 'loud' })).account
  assert.equal(account.statuses_count, 1)
})

test('media are attached in order and only once', async () => {
  const ids = [await uploadImage(ada), await uploadImage(ada)].toReversed()
  const status = await ada.post(POST, { media_ids: ids })
  assert.deepEqual(
    status.media_attachments.map((medium: any) => medium.id),
    ids,
  )
  assert.equal(status.content, '')
  const again = await refused(ada, { status: 'x', media_ids: ids })
  const text = `Media ${ids.join(', ')} not found or already attached to another post`
  assert.deepEqual(again, { status: 422, error: text })
})

test('media that are foreign, unknown, unfinished, mixed or too many are refused', async () => {
  const foreign = await uploadImage(bob)
  assert.equal((await refused(ada, { status: 'x', media_ids: [foreign] })).status, 422)
  assert.equal((await refused(ada, { status: 'x', media_ids: ['1'] })).status, 422)
  assert.equal((await refused(ada, { status: 'x', media_ids: ['nonsense'] })).status, 422)
  const five = await Promise.all(Array.from({ length: 5 }, () => uploadImage(ada)))
  assert.deepEqual(await refused(ada, { media_ids: five }), { status: 422, error: 'Cannot attach more than 4 files' })
  const [video, unfinished] = five
  await server.ctx.db.run(sql`update media_attachments set type = 'video' where id = ${video}`)
  assert.deepEqual(await refused(ada, { media_ids: five.slice(0, 2) }), {
    status: 422,
    error: 'Cannot attach a video to a post that already contains images',
  })
  await server.ctx.db.run(sql`update media_attachments set file_key = null, type = 'video' where id = ${unfinished}`)
  await server.ctx.db.run(sql`update media_attachments set type = 'image', file_key = null where id = ${video}`)
  assert.deepEqual(await refused(ada, { media_ids: [video] }), {
    status: 422,
    error: 'Cannot attach files that have not finished processing. Try again in a moment!',
  })
  assert.equal((await bob.post(POST, { media_ids: [foreign] })).media_attachments[0].id, foreign)
})

test('requests with the same idempotency key create one post', async () => {
  const image = await uploadImage(ada)
  const headers = { 'Idempotency-Key': 'same' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ada.send('POST', POST, { json: { status: 'once', media_ids: [image] }, headers })),
  )
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
  assert.equal(new Set(answers.map((answer) => answer.json.id)).size, 1)
  const other = await bob.send('POST', POST, { json: { status: 'mine' }, headers })
  assert.notEqual(other.json.id, answers[0]?.json.id)
  await server.ctx.db.run(sql`update idempotency_keys set created_at = now() - interval '61 minutes'`)
  const later = await ada.send('POST', POST, { json: { status: 'once' }, headers })
  assert.notEqual(later.json.id, answers[0]?.json.id)
  assert.equal(
    (await ada.send('POST', POST, { json: { status: 'long' }, headers: { 'Idempotency-Key': 'k'.repeat(6000) } }))
      .status,
    200,
  )
})

test('a refused request does not use up its idempotency key', async () => {
  const headers = { 'Idempotency-Key': 'second try' }
  assert.equal((await ada.send('POST', POST, { json: { status: '' }, headers })).status, 422)
  assert.equal((await ada.send('POST', POST, { json: { status: 'now' }, headers })).status, 200)
})

test('allowed_mentions refuses a post that mentions other accounts, and lists them', async () => {
  assert.equal((await ada.send('POST', POST, { json: { status: 'hi @ada', allowed_mentions: [] } })).status, 200)
  assert.equal((await ada.send('POST', POST, { json: { status: 'hi @bob', allowed_mentions: [] } })).status, 422)
  const unexpected = await ada.send('POST', POST, { json: { status: 'hi @bob', allowed_mentions: [ada.id] } })
  assert.equal(unexpected.status, 422)
  assert.deepEqual(
    unexpected.json.unexpected_accounts.map((account: any) => account.id),
    [bob.id],
  )
  assert.equal((await ada.send('POST', POST, { json: { status: 'hi @bob', allowed_mentions: [bob.id] } })).status, 200)
})

test('several posts are returned in the requested order without hidden and unknown ones, at most 20', async () => {
  const [first, hidden, last] = [
    await ada.post(POST, { status: '1' }),
    await ada.post(POST, { status: '2', visibility: 'direct' }),
    await ada.post(POST, { status: '3' }),
  ]
  const query = [last, hidden, first, { id: '1' }, { id: 'nonsense' }, last].map(({ id }) => `id[]=${id}`).join('&')
  assert.deepEqual(
    (await bob.get(`${POST}?${query}`)).map((status: any) => status.id),
    [last.id, first.id],
  )
  assert.deepEqual((await server.send('GET', POST)).json, [])
  const many = Array.from({ length: 21 }, (_, i) => `id[]=${i + 1}`).join('&')
  assert.equal((await bob.send('GET', `${POST}?${many}`)).status, 422)
})
