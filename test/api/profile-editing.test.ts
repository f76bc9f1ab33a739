// GET and PATCH /api/v1/profile: the profile of the viewer in editable form.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pngOf } from '../support/images.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const change = (json: object) => ada.send('PATCH', '/api/v1/profile', { json })

test('a new profile is empty and has no images', async () => {
  assert.deepEqual(await ada.get('/api/v1/profile'), {
    id: ada.id,
    display_name: '',
    note: '',
    fields: [],
    avatar: null,
    avatar_static: null,
    avatar_description: '',
    header: null,
    header_static: null,
    header_description: '',
    locked: false,
    bot: false,
    hide_collections: null,
    discoverable: null,
    indexable: false,
    show_media: true,
    show_media_replies: true,
    show_featured: true,
    attribution_domains: [],
    featured_tags: [],
  })
})

test('a profile has the hashtags that it features', async () => {
  const tag = await ada.post('/api/v1/featured_tags', { name: 'Looms' })
  assert.equal(tag.name, 'Looms')
  assert.deepEqual((await ada.get('/api/v1/profile')).featured_tags, [tag])
  await ada.send('DELETE', `/api/v1/featured_tags/${tag.id}`)
  assert.deepEqual((await change({ bot: false })).json.featured_tags, [])
})

test('every attribute of a profile can be changed and is returned as plain text; other viewers see HTML', async () => {
  const changes = {
    display_name: 'Ada L.',
    note: 'Writes about #engines & <b>looms</b>',
    locked: true,
    bot: true,
    hide_collections: true,
    discoverable: true,
    indexable: true,
    show_media: false,
    show_media_replies: false,
    show_featured: false,
    attribution_domains: ['example.test'],
  }
  const profile = (await change({ ...changes, fields_attributes: [{ name: 'Site', value: 'https://example.test/' }] }))
    .json
  assert.deepEqual(profile, {
    ...profile,
    ...changes,
    fields: [{ name: 'Site', value: 'https://example.test/', verified_at: null }],
  })
  assert.deepEqual(await ada.get('/api/v1/profile'), profile)
  const account = (await server.send('GET', `/api/v1/accounts/${ada.id}`)).json
  assert.match(account.note, /&lt;b&gt;looms/)
  assert.deepEqual(
    [account.show_media, account.show_media_replies, account.show_featured, account.bot],
    [false, false, false, true],
  )
  const unchanged = (await change({})).json
  assert.deepEqual(unchanged, profile, 'omitted attributes stay unchanged')
  assert.equal(
    (
      await ada.send('PUT', '/api/v1/profile', {
        form: { show_media: 'true', 'fields_attributes[0][name]': 'a', 'fields_attributes[0][value]': 'b' },
      })
    ).json.show_media,
    true,
  )
  assert.deepEqual((await ada.get('/api/v1/profile')).fields, [{ name: 'a', value: 'b', verified_at: null }])
})

test('an avatar can be uploaded with a description and deleted', async () => {
  const image = await pngOf(40, 40, '#5a7')
  const form = new FormData()
  form.set('avatar', new Blob([image], { type: 'image/png' }), 'a.png')
  form.set('avatar_description', 'a green field')
  const profile = (await ada.send('PATCH', '/api/v1/profile', { form })).json
  assert.ok(profile.avatar.startsWith('http') && profile.avatar === profile.avatar_static)
  assert.deepEqual([profile.avatar_description, profile.header], ['a green field', null])
  const found = await server.send('GET', `/.well-known/webfinger?resource=acct:ada@${server.domain}`)
  const link = found.json.links.find(({ rel }: any) => rel === 'http://webfinger.net/rel/avatar')
  const served = await server.send('GET', new URL(link.href).pathname)
  assert.deepEqual([link.href, link.type], [profile.avatar, served.headers.get('content-type')])
  assert.equal((await ada.send('DELETE', '/api/v1/profile/avatar')).status, 200)
  const without = await ada.get('/api/v1/profile')
  assert.deepEqual([without.avatar, without.avatar_static, without.avatar_description], [null, null, ''])
})

test('invalid changes of a profile are refused with details and change nothing', async () => {
  const before = await ada.get('/api/v1/profile')
  const refused = await change({ display_name: 'x'.repeat(31), locked: false })
  assert.deepEqual([refused.status, refused.json.details.display_name[0].error], [422, 'ERR_TOO_LONG'])
  for (const wrong of [{ attribution_domains: ['not a domain'] }, { avatar: 'x' }, { note: { a: 1 } }])
    assert.equal((await change(wrong)).status, 422, JSON.stringify(wrong))
  assert.deepEqual(await ada.get('/api/v1/profile'), before)
})

test('an avatar and a header may be data: URIs', async () => {
  const bytes = await pngOf(40, 40, 'teal')
  const uri = `data:image/png;base64,${bytes.toString('base64')}`
  const { status, json } = await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { avatar: uri } })
  assert.equal(status, 200)
  const stored = await server.send('GET', new URL(json.avatar).pathname)
  assert.deepEqual([stored.status, stored.headers.get('content-type')], [200, 'image/png'])
  assert.match((await change({ header: uri })).json.header, /\/headers\//)
  const large = `data:image/png;base64,${Buffer.alloc(9 * 1024 * 1024).toString('base64')}`
  assert.equal((await change({ avatar: large })).status, 422)
  assert.equal((await change({ avatar: 'data:image/svg+xml;base64,PHN2Zy8+' })).status, 422)
})
