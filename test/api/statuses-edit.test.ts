// PUT /api/v1/statuses/:id, GET history, GET source
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pngOf } from '../support/images.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const post = (json: object): Promise<any> => ada.post('/api/v1/statuses', json)
const edit = (id: string, json: object): Promise<any> => ada.put(`/api/v1/statuses/${id}`, json)
const history = (id: string): Promise<any[]> => ada.get(`/api/v1/statuses/${id}/history`)

async function upload(who: Person, description = ''): Promise<string> {
  const png = await pngOf(8, 6, '#3c3')
  const form = new FormData()
  form.set('file', new Blob([png], { type: 'image/png' }), 'a.png')
  form.set('description', description)
  return (await who.send('POST', '/api/v2/media', { form })).json.id
}

test('an edit changes the post, stores every revision and sets edited_at', async () => {
  const before = await post({ status: 'frist', language: 'en' })
  const after = await edit(before.id, { status: 'first', spoiler_text: 'cw', language: 'de' })
  assert.deepEqual(
    [after.content, after.spoiler_text, after.sensitive, after.language],
    ['<p>first</p>', 'cw', true, 'de'],
  )
  assert(after.edited_at > before.created_at)
  assert.equal(after.created_at, before.created_at)
  await edit(before.id, { status: 'third' })
  const revisions = await history(before.id)
  assert.deepEqual(
    revisions.map((revision) => [revision.content, revision.spoiler_text]),
    [
      ['<p>frist</p>', ''],
      ['<p>first</p>', 'cw'],
      ['<p>third</p>', ''],
    ],
  )
  assert.deepEqual(
    revisions.slice(0, 2).map((revision) => revision.created_at),
    [before.created_at, after.edited_at],
  )
  assert.equal(revisions[0].account.id, ada.id)
  assert.deepEqual(await ada.get(`/api/v1/statuses/${before.id}/source`), {
    id: before.id,
    text: 'third',
    spoiler_text: '',
  })
})

test('a post that was never edited has one revision', async () => {
  const status = await post({ status: 'as it is' })
  assert.deepEqual(
    (await history(status.id)).map((revision) => revision.created_at),
    [status.created_at],
  )
})

test('an edit without changes creates no revision', async () => {
  const status = await post({ status: 'same @bob', sensitive: true, language: 'en' })
  for (const json of [
    {},
    { status: 'same @bob', sensitive: true },
    { status: ' same @bob ', sensitive: true, language: 'en', spoiler_text: '', media_ids: [] },
  ])
    assert.equal((await edit(status.id, json)).edited_at, null)
  assert.equal((await history(status.id)).length, 1)
})

test('an edit with a text removes an omitted content warning, media and poll; other edits change one attribute', async () => {
  const image = await upload(ada, 'a picture')
  const shown = await post({ status: 'text', spoiler_text: 'cw', language: 'de', media_ids: [image] })
  const facts = ({ spoiler_text: cw, sensitive, language, media_attachments: media }: any): unknown[] => [
    cw,
    sensitive,
    language,
    media.map(({ description }: any) => description),
  ]
  const media_attributes = [{ id: image, description: 'described' }]
  assert.deepEqual(facts(await edit(shown.id, { media_attributes })), ['cw', true, 'de', ['described']])
  assert.deepEqual(facts(await edit(shown.id, { status: 'text', media_attributes })), ['', false, 'de', ['described']])
  assert.deepEqual(facts(await edit(shown.id, { spoiler_text: 'again' })), ['again', true, 'de', ['described']])
  assert.deepEqual(facts(await edit(shown.id, { status: 'text', media_attributes: [] })), ['', false, 'de', []])
  const asking = await post({ status: 'which?', poll: { options: ['a', 'b'], expires_in: 600 } })
  assert.equal((await edit(asking.id, { language: 'en' })).poll.options.length, 2)
  assert.equal((await edit(asking.id, { status: 'none', poll: {} })).poll, null)
})

test('a content warning that an edit makes the text leaves nothing sensitive, unless asked', async () => {
  const facts = ({ content, spoiler_text: cw, sensitive }: any): unknown[] => [content, cw, sensitive]
  const shown = await post({ status: 'text', spoiler_text: 'warning' })
  const edited = await edit(shown.id, { status: ' ', spoiler_text: 'warning' })
  assert.deepEqual(facts(edited), ['<p>warning</p>', '', false])
  const asked = await edit(shown.id, { status: '', spoiler_text: 'other', sensitive: true })
  assert.deepEqual(facts(asked), ['<p>other</p>', '', true])
})

test('an edit cannot change the visibility or the parent', async () => {
  const parent = await post({ status: 'parent' })
  const status = await post({ status: 'reply', in_reply_to_id: parent.id, visibility: 'unlisted' })
  const after = await edit(status.id, { status: 'still', visibility: 'public', in_reply_to_id: null })
  assert.deepEqual([after.visibility, after.in_reply_to_id], ['unlisted', parent.id])
})

test('an edit updates mentions and tags, and notifies only newly mentioned accounts', async () => {
  const cat = await server.person('cat')
  const status = await post({ status: '@bob #one #two' })
  const after = await edit(status.id, { status: '@cat #two #three' })
  assert.deepEqual(
    after.mentions.map((mention: any) => mention.acct),
    ['cat'],
  )
  assert.deepEqual(after.tags.map((tag: any) => tag.name).toSorted(), ['three', 'two'])
  assert.equal((await cat.get('/api/v1/notifications?types[]=mention'))[0].status.id, status.id)
  await cat.post('/api/v1/notifications/clear')
  await edit(status.id, { status: '@cat @bob #two #three!' })
  assert.deepEqual(await cat.get('/api/v1/notifications?types[]=mention'), [])
  const swapped = await edit(status.id, { status: '@bob @cat #two #three!' })
  const back = await edit(status.id, { status: '@cat @bob #two #three' })
  assert.deepEqual(
    [swapped, back].map(({ mentions }) => mentions.map(({ acct }: any) => acct)),
    [
      ['bob', 'cat'],
      ['cat', 'bob'],
    ],
  )
})

test('an edit notifies the accounts that boosted the post', async () => {
  const status = await post({ status: 'boost me' })
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await edit(status.id, { status: 'boosted you' })
  const [notification] = await bob.get('/api/v1/notifications?types[]=update')
  assert.deepEqual([notification.status.id, notification.account.id], [status.id, ada.id])
})

test('an edit can describe, reorder, add and remove media; earlier revisions show the former media', async () => {
  const [one, two] = [await upload(ada, 'first'), await upload(ada)]
  const status = await post({ status: 'pictures', media_ids: [one] })
  const described = await edit(status.id, {
    status: 'pictures',
    media_ids: [two, one],
    media_attributes: [{ id: one, description: 'changed', focus: '0.5,-0.5' }],
  })
  assert.deepEqual(
    described.media_attachments.map((medium: any) => medium.id),
    [two, one],
  )
  assert.equal(described.media_attachments[1].description, 'changed')
  assert.deepEqual(described.media_attachments[1].meta.focus, { x: 0.5, y: -0.5 })
  const without = await edit(status.id, { media_ids: [two] })
  assert.deepEqual(
    without.media_attachments.map((medium: any) => medium.id),
    [two],
  )
  const headers = { accept: 'application/activity+json' }
  const { attachment } = (await server.send('GET', new URL(status.uri).pathname, { headers })).json
  assert.deepEqual(
    attachment.map(({ url }: any) => url),
    without.media_attachments.map(({ url }: any) => url),
    'other servers get no more',
  )
  const revisions = await history(status.id)
  assert.deepEqual(
    revisions.map((revision) => revision.media_attachments.map((medium: any) => [medium.id, medium.description])),
    [
      [[one, 'first']],
      [
        [two, null],
        [one, 'changed'],
      ],
      [[two, null]],
    ],
  )
  assert.equal(
    (await ada.send('PUT', `/api/v1/statuses/${status.id}`, { json: { status: '', media_ids: [] } })).status,
    422,
  )
})

test('an edit with media of another account or post is refused and changes nothing', async () => {
  const [foreign, used] = [await upload(bob), await upload(ada)]
  await post({ status: 'has it', media_ids: [used] })
  const status = await post({ status: 'wants it' })
  for (const id of [foreign, used, '1'])
    assert.equal(
      (await ada.send('PUT', `/api/v1/statuses/${status.id}`, { json: { status: 'x', media_ids: [id] } })).status,
      422,
    )
  assert.equal((await ada.get(`/api/v1/statuses/${status.id}`)).content, '<p>wants it</p>')
})

test('an edit accepts the focus of a media attachment as its entity shows it', async () => {
  const image = await upload(ada)
  const status = await post({ status: 'a picture', media_ids: [image] })
  const move = async (focus: object): Promise<unknown> => {
    const edited = await edit(status.id, { media_ids: [image], media_attributes: [{ id: image, focus }] })
    return edited.media_attachments[0].meta.focus
  }
  assert.deepEqual(await move({ x: 0.25, y: 0 }), { x: 0.25, y: 0 })
  assert.deepEqual(await move({ x: -9, y: '0.5' }), { x: -1, y: 0.5 })
})

test('an edit accepts a list for each member of the media attributes, as Fedilab sends them', async () => {
  const [one, two] = [await upload(ada, 'first'), await upload(ada)]
  const { id } = await post({ status: 'pictures', media_ids: [one, two] })
  const describe = async (descriptions: readonly string[]): Promise<unknown[]> => {
    const form = new URLSearchParams([
      ['status', 'pictures'],
      ...[one, two].flatMap((medium) => [
        ['media_ids[]', medium],
        ['media_attributes[id][]', medium],
      ]),
      ...descriptions.map((text) => ['media_attributes[description][]', text]),
    ] as [string, string][])
    const { json, text } = await ada.send('PUT', `/api/v1/statuses/${id}`, { form })
    assert.ok(json.media_attachments, text)
    return json.media_attachments.map((medium: any) => medium.description)
  }
  // It leaves out media without alt text, so a shorter list does not tell which media it describes.
  assert.deepEqual(await describe(['changed']), ['first', null])
  assert.deepEqual(await describe(['changed', 'new']), ['changed', 'new'])
})

test('an edit with an invalid text, poll or focus is refused', async () => {
  const status = await post({ status: 'fine' })
  for (const json of [
    { status: '' },
    { status: 'x'.repeat(501) },
    { status: 'x', poll: { options: ['a', 'b'] } },
    { status: 'x', media_attributes: [{ id: '1', focus: 'middle' }] },
    { status: 'x', media_attributes: [{ id: '1', focus: { x: 'left', y: 0 } }] },
  ])
    assert.equal((await ada.send('PUT', `/api/v1/statuses/${status.id}`, { json })).status, 422, JSON.stringify(json))
})

test('boosts and the posts of other accounts cannot be edited', async () => {
  const status = await post({ status: 'mine' })
  const boost = await ada.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await bob.send('PUT', `/api/v1/statuses/${status.id}`, { json: { status: 'yours' } })).status, 404)
  assert.equal((await ada.send('PUT', `/api/v1/statuses/${boost.id}`, { json: { status: 'x' } })).status, 404)
  assert.equal(
    (await ada.send('PATCH', `/api/v1/statuses/${status.id}`, { json: { status: 'patched' } })).json.content,
    '<p>patched</p>',
  )
})

test('concurrent edits leave a complete history', async () => {
  const status = await post({ status: 'v0' })
  await Promise.all(Array.from({ length: 8 }, (_, i) => edit(status.id, { status: `v${i + 1}` })))
  const revisions = await history(status.id)
  assert.equal(revisions.length, 9)
  assert.equal(new Set(revisions.map((revision) => revision.content)).size, 9)
  assert.equal(revisions.at(-1).content, (await ada.get(`/api/v1/statuses/${status.id}`)).content)
})

test('a boost shows the edited post', async () => {
  const status = await post({ status: 'before' })
  const boost = await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await edit(status.id, { status: 'after' })
  assert.equal((await bob.get(`/api/v1/statuses/${boost.id}`)).reblog.content, '<p>after</p>')
})
