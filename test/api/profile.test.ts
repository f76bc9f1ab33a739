import assert from 'node:assert/strict'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pngOf } from '../support/images.ts'
import { distributed } from '../support/remote.ts'
import { eventually, type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const PATH = '/api/v1/accounts/update_credentials'

const { server, ada } = await stage({ accounts: ['ada'] })
await server.person('ben')

const patch = (json: object, who = ada): Promise<Answer> => who.send('PATCH', PATH, { json })
const detail = (answer: Answer, field: string) => answer.json.details[field]

test('PATCH and PUT change the profile, as JSON, form and multipart', async () => {
  const changed = (
    await patch({
      display_name: ' Ada L. ',
      note: 'hello\nworld',
      bot: true,
      discoverable: true,
      indexable: true,
      hide_collections: true,
      locked: true,
    })
  ).json
  assert.equal(changed.display_name, 'Ada L.')
  assert.equal(changed.note, '<p>hello<br />world</p>')
  assert.equal(changed.source.note, 'hello\nworld')
  assert.deepEqual(
    [changed.bot, changed.discoverable, changed.indexable, changed.hide_collections, changed.locked],
    [true, true, true, true, true],
  )
  assert.equal(changed.noindex, false)
  const put = await ada.send('PUT', PATH, {
    form: { bot: '0', locked: 'false', discoverable: 'off', hide_collections: 'f', indexable: '0' },
  })
  assert.deepEqual(
    [put.json.bot, put.json.locked, put.json.discoverable, put.json.hide_collections, put.json.indexable],
    [false, false, false, false, false],
  )
  const form = new FormData()
  form.set('display_name', 'Form')
  form.set('fields_attributes[0][name]', 'one')
  form.set('fields_attributes[0][value]', '1')
  form.set('source[privacy]', 'unlisted')
  const multipart = (await ada.send('PATCH', PATH, { form })).json
  assert.equal(multipart.display_name, 'Form')
  assert.equal(multipart.source.privacy, 'unlisted')
  assert.deepEqual(multipart.fields, [{ name: 'one', value: '1', verified_at: null }])
  assert.equal((await ada.get('/api/v1/accounts/verify_credentials')).note, '<p>hello<br />world</p>')
  assert.equal((await patch({})).status, 200)
  assert.equal((await server.send('GET', `/api/v1/accounts/${ada.id}`)).json.source, undefined)
})

test('bios link mentions of known accounts, hashtags and URLs, and escape all HTML', async () => {
  const { note } = (await patch({ note: 'with @ben and @nobody, #Rooks <b>' })).json
  assert.match(note, new RegExp(`<a href="http://localhost:\\d+/@ben" class="u-url mention">@<span>ben</span></a>`))
  assert.match(note, /@nobody/)
  assert.doesNotMatch(note, /<span>nobody/)
  assert.match(note, /tags\/rooks" class="mention hashtag" rel="tag">#<span>Rooks/)
  assert.match(note, /&lt;b&gt;/)
})

test('profile fields come as a list or an object, at most four, without empty ones', async () => {
  const asObject = await patch({
    fields_attributes: {
      0: { name: 'site', value: 'https://example.test/me' },
      1: { name: '', value: '' },
      2: { name: 'b', value: 'c' },
    },
  })
  assert.deepEqual(asObject.json.source.fields, [
    { name: 'site', value: 'https://example.test/me', verified_at: null },
    { name: 'b', value: 'c', verified_at: null },
  ])
  assert.match(
    asObject.json.fields[0].value,
    /<a href="https:\/\/example.test\/me" target="_blank" rel="nofollow noopener noreferrer me"/,
  )
  const five = await patch({ fields_attributes: Array.from({ length: 5 }, (_, i) => ({ name: `${i}`, value: 'x' })) })
  assert.equal(five.status, 422)
  assert.deepEqual(five.json, {
    error: 'Validation failed: Fields is too long (maximum is 4 characters)',
    details: { fields: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 4 characters)' }] },
  })
  assert.equal((await patch({ fields_attributes: [{ name: 'x'.repeat(256), value: 'y' }] })).status, 422)
  assert.equal((await patch({ fields_attributes: [{ name: 'x'.repeat(255), value: 'y'.repeat(255) }] })).status, 200)
  assert.equal(
    detail(await patch({ fields_attributes: [{ name: '', value: 'y' }] }), 'fields')[0].error,
    'ERR_FIELDS_WITH_VALUES_MISSING_LABELS',
  )
  const fieldsBefore = (await ada.get('/api/v1/accounts/verify_credentials')).fields
  assert.equal(fieldsBefore.length, 1)
  for (const scalar of ['', 'undefined', 'null', 'x', '0']) {
    const form = new FormData()
    form.set('fields_attributes', scalar)
    for (const sent of [{ json: { fields_attributes: scalar } }, { form: { fields_attributes: scalar } }, { form }])
      assert.deepEqual((await ada.send('PATCH', PATH, sent)).json.fields, fieldsBefore, scalar)
  }
  assert.deepEqual((await patch({ fields_attributes: [] })).json.fields, [])
  await patch({ fields_attributes: [{ name: 'a', value: 'b' }] })
  // As Mastodon's app for iOS removes the last field.
  const form = new FormData()
  form.set('fields_attributes[]', '')
  assert.deepEqual((await ada.send('PATCH', PATH, { form })).json.fields, [])
})

test('values over the limits are refused with the name of the field and change nothing', async () => {
  await patch({ display_name: 'before', note: 'before' })
  const long = await patch({ display_name: 'x'.repeat(31), note: 'after' })
  assert.equal(long.status, 422)
  assert.deepEqual(long.json, {
    error: 'Validation failed: Display name is too long (maximum is 30 characters)',
    details: { display_name: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 30 characters)' }] },
  })
  assert.equal((await ada.get('/api/v1/accounts/verify_credentials')).source.note, 'before')
  assert.equal((await patch({ display_name: '👩‍👩‍👧'.repeat(30) })).status, 200)
  assert.equal(detail(await patch({ note: 'x'.repeat(501) }), 'note')[0].error, 'ERR_TOO_LONG')
  // A link counts as 23 characters.
  assert.equal((await patch({ note: `${'x'.repeat(476)} https://example.test/${'y'.repeat(100)}` })).status, 200)
  assert.equal(
    detail(await patch({ avatar_description: 'x'.repeat(151) }), 'avatar_description')[0].error,
    'ERR_TOO_LONG',
  )
  assert.equal((await patch({ source: { privacy: 'direct' } })).status, 422)
  assert.equal((await patch({ source: { quote_policy: 'everybody' } })).status, 422)
  assert.equal((await patch({ source: { language: 'not a language' } })).status, 422)
  const domains = (count: number): string[] => Array.from({ length: count }, (_, i) => `site${i}.test`)
  const wrong = async (list: string[]): Promise<string> =>
    detail(await patch({ attribution_domains: list }), 'attribution_domains')[0].error
  assert.equal(await wrong(['example.test', 'no domain']), 'ERR_INVALID')
  assert.equal(await wrong(domains(101)), 'ERR_TOO_LONG')
  assert.equal((await patch({ attribution_domains: domains(100) })).json.source.attribution_domains.length, 100)
})

test('the defaults for new posts apply to new posts', async () => {
  const { source } = (
    await patch({
      source: { privacy: 'private', sensitive: true, language: 'de', quote_policy: 'followers' },
      attribution_domains: ['https://Example.test'],
    })
  ).json
  assert.deepEqual(
    [source.privacy, source.sensitive, source.language, source.quote_policy, source.attribution_domains],
    ['private', true, 'de', 'followers', ['example.test']],
  )
  const status = await ada.post('/api/v1/statuses', { status: 'hallo' })
  assert.deepEqual([status.visibility, status.sensitive, status.language], ['private', true, 'de'])
  assert.equal((await patch({ source: { language: '' } })).json.source.language, null)
  await patch({ source: { privacy: 'public', sensitive: false } })
})

test('avatar and header can be uploaded, served, replaced and removed', async () => {
  const makeImage = async (): Promise<Blob> => new Blob([await pngOf(640, 320, '#268')], { type: 'image/jpeg' })
  const upload = async (): Promise<any> => {
    const form = new FormData()
    form.set('avatar', await makeImage(), 'me.jpg')
    form.set('header', await makeImage(), 'header.jpg')
    form.set('avatar_description', 'a blue square')
    const answer = await ada.send('PATCH', PATH, { form })
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const fetchFile = async (url: string) => server.send('GET', new URL(url).pathname)
  const first = await upload()
  assert.equal(first.avatar_description, 'a blue square')
  assert.equal(first.avatar, first.avatar_static)
  assert.match(first.avatar, /\/avatars\/.*\.png$/)
  assert.equal((await fetchFile(first.avatar)).headers.get('content-type'), 'image/png')
  assert.equal((await fetchFile(first.header)).status, 200)
  const second = await upload()
  assert.notEqual(second.avatar, first.avatar)
  assert.equal((await fetchFile(first.avatar)).status, 404)
  const bare = await ada.delete('/api/v1/profile/avatar')
  assert.match(bare.avatar, /\/avatars\/original\/missing\.png$/)
  assert.equal(bare.avatar_description, '')
  assert.equal(bare.header, second.header)
  assert.equal((await fetchFile(second.avatar)).status, 404)
  assert.match((await ada.delete('/api/v1/profile/header')).header, /\/headers\/original\/missing\.png$/)
  assert.match((await ada.delete('/api/v1/profile/header')).header, /\/headers\/original\/missing\.png$/)
})

test('an invalid image is refused together with all other changes of the request', async () => {
  const form = new FormData()
  form.set('avatar', new Blob(['<svg></svg>'], { type: 'image/png' }), 'me.png')
  form.set('display_name', 'not kept')
  const answer = await ada.send('PATCH', PATH, { form })
  assert.equal(answer.status, 422)
  assert.equal(answer.json.error, 'Validation failed: Avatar content type is invalid, Avatar is invalid')
  assert.deepEqual(detail(answer, 'avatar')[0], { error: 'ERR_INVALID', description: 'content type is invalid' })
  assert.notEqual((await ada.get('/api/v1/accounts/verify_credentials')).display_name, 'not kept')
  assert.equal((await patch({ avatar: 'text' })).status, 422)
})

test('a change of the profile is federated, a change of preferences is not', async () => {
  const cleo = await server.person('cleo')
  await patch({ note: 'new' }, cleo)
  assert.deepEqual(await distributed(server, cleo.id), [{ activity: 'update-actor', accountId: cleo.id }])
  await patch({ source: { privacy: 'private' } }, cleo)
  assert.equal((await distributed(server, cleo.id)).length, 1)
})

test('a link is verified once the page links back, and loses its verification when it changes', async () => {
  const dan = await server.person('dan')
  const pages: Record<string, string> = {
    '/back': `<html><head><title>x</title></head><body><a rel="noopener me" href="${server.ctx.config.baseUrl}/@dan">me</a></body></html>`,
    '/head': `<link href='${server.ctx.config.baseUrl}/@Dan/' rel=me>`,
    '/not': `<!-- <a rel="me" href="${server.ctx.config.baseUrl}/@dan">x</a> --><a href="${server.ctx.config.baseUrl}/@dan">no rel</a>`,
    '/short': `<a rel=me href=/me>me</a>`,
    '/echo': `<input value="<a rel='me' href='${server.ctx.config.baseUrl}/@dan'>"><textarea><a rel=me href=${server.ctx.config.baseUrl}/@dan></textarea>`,
  }
  const site: HttpServer = createServer((request, response) => {
    if (request.url === '/me') {
      response.writeHead(302, { location: `${server.ctx.config.baseUrl}/@dan` }).end()
      return
    }
    const page = pages[request.url ?? '']
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  try {
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const fields = ['/back', '/head', '/short', '/echo'].map((path) => ({ name: path, value: base + path }))
    await patch({ fields_attributes: fields }, dan)
    const verified = async (): Promise<boolean[]> =>
      (await dan.get('/api/v1/accounts/verify_credentials')).fields.map((field: any) => field.verified_at !== null)
    await eventually(async () => (await verified())[0])
    assert.deepEqual(await verified(), [true, true, true, false])
    // Verification depends on the value of the field, not on its name.
    await patch(
      {
        fields_attributes: [
          { name: 'renamed', value: `${base}/back` },
          { name: '/head', value: `${base}/nowhere` },
          { name: '/not', value: `${base}/not` },
        ],
      },
      dan,
    )
    await server.drain()
    assert.deepEqual(await verified(), [true, false, false])
    // These would show as verified links to another page or host.
    const misleading = [`${base}/other/../back`, `${base.replace('//', '//other.test@')}/back`]
    await patch({ fields_attributes: [...misleading, `${base}/head`].map((value) => ({ name: 'link', value })) }, dan)
    await eventually(async () => (await verified())[2])
    assert.deepEqual(await verified(), [false, false, true])
  } finally {
    site.close()
  }
})
