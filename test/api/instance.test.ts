import { saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { remoteAccount } from '../support/remote.ts'
import { startTestServer } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, post, remoteAuthor } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'], env: { REGISTRATIONS_MODE: '' } })

const get = async (path: string, token?: string): Promise<any> => {
  const answer = await server.send('GET', path, token ? { token } : {})
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

test('version 2 of the instance lists version, limits, URLs and access settings', async () => {
  const instance = await get('/api/v2/instance')
  assert.match(instance.version, /^4\.6\.6\+rookery\.\d+\.\d+\.\d+$/)
  assert.deepEqual(instance.api_versions, { mastodon: 11 })
  assert.equal(instance.domain, server.domain)
  const { configuration } = instance
  assert.equal(configuration.urls.streaming, `ws://${server.domain}`)
  assert.match(configuration.vapid.public_key, /^[\w-]{87}$/)
  assert.deepEqual(configuration.statuses, {
    max_characters: 500,
    max_media_attachments: 4,
    characters_reserved_per_url: 23,
  })
  assert.deepEqual(configuration.polls, {
    max_options: 4,
    max_characters_per_option: 50,
    min_expiration: 300,
    max_expiration: 2629746,
  })
  assert.deepEqual(configuration.accounts, {
    max_featured_tags: 10,
    max_pinned_statuses: 5,
    max_profile_fields: 4,
    profile_field_name_limit: 255,
    profile_field_value_limit: 255,
    max_display_name_length: 30,
    max_note_length: 500,
    max_avatar_description_length: 150,
    max_header_description_length: 150,
  })
  assert.equal(configuration.media_attachments.image_size_limit, 16777216)
  assert.ok(configuration.media_attachments.supported_mime_types.includes('image/png'))
  assert.deepEqual(configuration.timelines_access.live_feeds, { local: 'public', remote: 'public' })
  assert.equal(configuration.limited_federation, false)
  assert.deepEqual(instance.contact, { email: '', account: null })
  for (const url of [instance.thumbnail.url, instance.icon[0].src])
    assert.equal((await server.send('GET', new URL(url).pathname)).status, 200)
})

test('version 1 of the instance is marked as deprecated and uses the older field names', async () => {
  const answer = await server.send('GET', '/api/v1/instance')
  assert.equal(answer.headers.get('deprecation'), '@1668384000')
  assert.equal(answer.json.uri, server.domain)
  assert.equal(answer.json.urls.streaming_api, `ws://${server.domain}`)
  assert.equal(answer.json.registrations, true)
  assert.equal(answer.json.stats.user_count, 1)
})

test('changed settings and rules show in the instance at once', async () => {
  await server.ctx.db.run(
    sql`insert into rules (text, hint, position) values ('Be kind', 'Always', 2), ('No spam', '', 1)`,
  )
  await saveSettings(server.ctx, {
    site_title: 'The <Nest>',
    site_contact_username: 'ADA',
    site_contact_email: 'ada@localhost',
    registrations_mode: 'none',
    closed_registrations_message: '<p>Full.</p>',
    local_live_feed_access: 'authenticated',
    privacy_policy: 'We keep *nothing* & <b>less</b>.',
  })
  const instance = await get('/api/v2/instance')
  assert.equal(instance.title, 'The <Nest>')
  assert.deepEqual([instance.contact.email, instance.contact.account.id], ['ada@localhost', ada.id])
  assert.deepEqual(instance.registrations, {
    enabled: false,
    approval_required: false,
    reason_required: false,
    message: '<p>Full.</p>',
    min_age: null,
    url: null,
  })
  assert.equal(instance.configuration.timelines_access.live_feeds.local, 'authenticated')
  assert.equal(instance.configuration.urls.privacy_policy, `${server.ctx.config.baseUrl}/privacy-policy`)
  assert.deepEqual(
    instance.rules.map(({ text, hint, translations }: any) => [text, hint, translations]),
    [
      ['No spam', '', {}],
      ['Be kind', 'Always', {}],
    ],
  )
  assert.deepEqual(await get('/api/v1/instance/rules'), instance.rules)
  assert.equal((await get('/api/v1/instance')).contact_account.id, ada.id)
  const policy = await get('/api/v1/instance/privacy_policy')
  assert.equal(policy.content, '<p>We keep *nothing* &amp; &lt;b&gt;less&lt;/b&gt;.</p>')
  assert.ok(Date.parse(policy.updated_at) > Date.now() - 60_000)
  await saveSettings(server.ctx, { registrations_mode: 'approved', require_invite_text: true, min_age: 16 })
  assert.deepEqual((await get('/api/v2/instance')).registrations, {
    enabled: true,
    approval_required: true,
    reason_required: true,
    message: null,
    min_age: 16,
    url: null,
  })
})

test('an unset extended description is empty, and a default privacy policy and languages are listed', async () => {
  const { content, updated_at } = await get('/api/v1/instance/extended_description')
  assert.equal(content, '')
  assert.ok(Date.parse(updated_at) <= Date.now())
  assert.ok(Date.parse((await get('/api/v1/instance/privacy_policy')).updated_at) <= Date.now())
  const languages = await get('/api/v1/instance/languages')
  assert.deepEqual(
    languages.find(({ code }: { code: string }) => code === 'de'),
    { code: 'de', name: 'German' },
  )
})

test('peers lists known servers except suspended domains, and is not found when disabled', async () => {
  await Promise.all([
    remoteAuthor(server, 'eve', 'b.test'),
    remoteAuthor(server, 'fay', 'a.test'),
    remoteAuthor(server, 'gus', 'sub.bad.test'),
    remoteAuthor(server, 'hal', 'a.test'),
  ])
  await server.ctx.db.run(
    sql`insert into domain_blocks (domain, severity) values ('bad.test', 'suspend'), ('b.test', 'silence')`,
  )
  await saveSettings(server.ctx, { peers_api_enabled: true })
  assert.deepEqual(await get('/api/v1/instance/peers'), ['a.test', 'b.test'])
  await saveSettings(server.ctx, { peers_api_enabled: false, activity_api_enabled: false })
  assert.equal((await server.send('GET', '/api/v1/instance/peers')).status, 404)
  assert.equal((await server.send('GET', '/api/v1/instance/activity')).status, 404)
  await saveSettings(server.ctx, { peers_api_enabled: true, activity_api_enabled: true })
})

test('activity counts posts, sign-ins and registrations of the last twelve weeks', async () => {
  const id = await post(ada, 'one')
  await boost(ada, id)
  await server.ctx.db.run(
    sql`insert into user_active_days (day, user_id) values ((now() at time zone 'utc')::date, ${ada.userId}), ((now() at time zone 'utc')::date - 7, ${ada.userId}) on conflict do nothing`,
  )
  server.ctx.publish({ type: 'settings.changed' })
  const weeks = await get('/api/v1/instance/activity')
  assert.equal(weeks.length, 12)
  assert.equal(new Date(Number(weeks[0].week) * 1000).getUTCDay(), 1)
  assert.equal(Number(weeks[0].week) - Number(weeks[1].week), 7 * 86_400)
  assert.deepEqual({ ...weeks[0], week: '' }, { week: '', statuses: '1', logins: '1', registrations: '1' })
  assert.deepEqual({ ...weeks[1], week: '' }, { week: '', statuses: '0', logins: '1', registrations: '0' })
})

test('domain blocks are listed for the audience in the settings, with obfuscated domains and optional comments', async () => {
  const path = '/api/v1/instance/domain_blocks'
  await server.ctx.db.run(
    sql`insert into domain_blocks (domain, severity, public_comment, obfuscate) values ('secret.test', 'suspend', 'spam', true), ('noted.test', 'noop', null, false)`,
  )
  assert.equal((await server.send('GET', path)).status, 404)
  await saveSettings(server.ctx, { show_domain_blocks: 'users', show_domain_blocks_rationale: 'users' })
  assert.equal((await server.send('GET', path)).status, 401)
  const applicant = await server.person('applicant')
  await server.ctx.db.run(sql`update users set approved = false where id = ${applicant.userId}`)
  assert.equal((await applicant.send('GET', path)).status, 401, 'before the sign-up is approved')
  assert.deepEqual(
    (await get(path, ada.token)).map(({ domain, severity, comment }: any) => [domain, severity, comment]),
    [
      ['bad.test', 'suspend', ''],
      ['sec***.**st', 'suspend', 'spam'],
      ['b.test', 'silence', ''],
    ],
  )
  await saveSettings(server.ctx, { show_domain_blocks: 'all' })
  const shown = await get(path)
  assert.equal(shown[1].digest, createHash('sha256').update('secret.test').digest('hex'))
  assert.ok(shown.every((block: object) => !('comment' in block)))
  assert.match((await server.send('GET', path)).headers.get('cache-control') ?? '', /^public/)
})

test('a hashtag has a history of its use, also when it is unused', async () => {
  await post(ada, 'I like #RookeryBirds')
  const tag = await get('/api/v1/tags/rookerybirds')
  assert.deepEqual(
    [tag.name, tag.history.length, tag.history[0].uses, tag.history[0].accounts],
    ['RookeryBirds', 7, '1', '1'],
  )
  assert.equal('following' in tag, false)
  assert.equal((await get('/api/v1/tags/unheard', ada.token)).following, false)
  assert.equal((await get('/api/v1/tags/unheard')).history[6].uses, '0')
  assert.equal((await server.send('GET', '/api/v1/tags/not%20a%20tag')).status, 404)
})

test('preferences reflect the posting defaults of the account', async () => {
  assert.equal((await get('/api/v1/preferences', ada.token))['posting:default:visibility'], 'public')
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { source: { privacy: 'unlisted', sensitive: true, language: 'de' } },
  })
  const changed = await get('/api/v1/preferences', ada.token)
  assert.deepEqual(
    [changed['posting:default:visibility'], changed['posting:default:sensitive'], changed['posting:default:language']],
    ['unlisted', true, 'de'],
  )
  assert.equal((await server.send('GET', '/api/v1/preferences')).status, 401)
})

test('posts of a locked account are for its followers unless it chooses otherwise', async () => {
  const eve = await server.person('eve')
  const change = async (json: object): Promise<any> =>
    (await eve.send('PATCH', '/api/v1/accounts/update_credentials', { json })).json
  const visibilities = async (): Promise<string[]> => {
    const preferred = (await eve.get('/api/v1/preferences'))['posting:default:visibility']
    const posted = await eve.post('/api/v1/statuses', { status: 'Where?' })
    return [preferred, posted.visibility]
  }
  const original = await ada.post('/api/v1/statuses', { status: 'Boost me', visibility: 'public' })
  assert.equal((await change({ locked: true })).source.privacy, 'private')
  assert.equal((await change({ locked: false })).source.privacy, 'public')
  await change({ locked: true })
  assert.deepEqual(await visibilities(), ['private', 'private'])
  assert.equal((await eve.post(`/api/v1/statuses/${original.id}/reblog`)).visibility, 'private')
  assert.equal((await change({ source: { privacy: 'public' } })).source.privacy, 'public')
  assert.deepEqual(await visibilities(), ['public', 'public'])
})

test('custom emojis lists only local emojis that are enabled', async () => {
  await server.ctx.db.run(sql`
    insert into custom_emojis (shortcode, domain, image_key, category, disabled) values
      ('nest', null, 'emojis/nest.png', 'birds', false), ('gone', null, 'emojis/gone.png', null, true), ('far', 'a.test', 'emojis/far.png', null, false)`)
  server.ctx.publish({ type: 'settings.changed' })
  const url = server.ctx.files.url('emojis/nest.png')
  assert.deepEqual(await get('/api/v1/custom_emojis'), [
    { shortcode: 'nest', url, static_url: url, visible_in_picker: true, category: 'birds' },
  ])
})

test('the search for peers matches the start of the domain, the largest server first', async () => {
  for (const [name, domain] of [
    ['a', 'roost.test'],
    ['b', 'rookery.test'],
    ['c', 'rookery.test'],
    ['d', 'xn--bcher-kva.test'],
  ] as const)
    await remoteAccount(server, name, domain)
  await server.database.raw(`insert into domain_blocks (domain, severity) values ('worse.test', 'suspend')`)
  await remoteAccount(server, 'e', 'rook.worse.test')
  const search = async (q: string): Promise<any> =>
    server.send('GET', `/api/v1/peers/search?q=${encodeURIComponent(q)}`)
  assert.deepEqual((await search('roo')).json, ['rookery.test', 'roost.test'])
  assert.deepEqual((await search(' ROOS')).json, ['roost.test'])
  assert.deepEqual((await search('bücher')).json, ['xn--bcher-kva.test'])
  assert.deepEqual((await search('%')).json, [])
  for (const answer of [await search(''), await search(' '), await server.send('GET', '/api/v1/peers/search')])
    assert.deepEqual([answer.status, answer.json], [200, []])
  await saveSettings(server.ctx, { peers_api_enabled: false })
  assert.equal((await search('roo')).status, 404)
})

test('limited federation mode requires a token except for instance information', async () => {
  const closed = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
  try {
    for (const path of [
      '/api/v1/instance',
      '/api/v2/instance',
      '/api/v1/instance/rules',
      '/api/v1/instance/privacy_policy',
      '/nodeinfo/2.0',
      '/health',
    ])
      assert.equal((await closed.send('GET', path)).status, 200, path)
    for (const path of ['/api/v1/timelines/public', '/api/v1/custom_emojis', '/api/v1/instance/peers']) {
      const answer = await closed.send('GET', path)
      assert.deepEqual([answer.status, answer.json], [401, { error: 'This API requires an authenticated user' }], path)
    }
    const member = await closed.person('ada')
    assert.equal((await closed.send('GET', '/api/v1/timelines/public', { token: member.token })).status, 200)
    assert.equal((await member.send('GET', '/api/v1/peers/search?q=roo')).status, 404)
    assert.equal((await closed.send('GET', '/api/v2/instance')).json.configuration.limited_federation, true)
  } finally {
    await closed.stop()
  }
})
