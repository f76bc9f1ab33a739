// The forms for announcements, emojis, rules, settings and webhooks: what they store, and what they refuse without losing it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { sql } from '../support/database.ts'
import { signedIn } from '../support/forms.ts'
import { mailsTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const owner = await server.person('owner', { role: 'owner' })
const staff = await signedIn(server, owner)

const imageFile = async (format: 'png' | 'jpeg' = 'png') =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 64, height: 64, channels: 4, background: '#a3c' } })
          .toFormat(format)
          .toBuffer(),
      ),
    ],
    `emoji.${format}`,
  )
const open = async (path: string) => {
  const page = await staff.get(path)
  assert.equal(page.status, 200, path)
  return page
}

test('an announcement is previewed, refused, saved, published and deleted', async () => {
  const action = '/admin/announcements'
  const draft = {
    text: 'Party at @owner :wave:',
    when: 'draft',
    starts_at: '2026-03-02T10:00',
    ends_at: '2026-03-01T10:00',
  }
  const form = await open(`${action}/new`)
  const preview = await staff.submit(form, { ...draft, act: 'preview' }, { action })
  assert.match(preview.text, /<h2 id="preview">[\s\S]*u-url mention/)
  assert.equal(preview.forms.find((each) => each.action === action)?.fields.text?.trim(), draft.text)
  const refused = await staff.submit(form, draft, { action })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /End must be after the start/)
  assert.match(refused.text, /value="2026-03-01T10:00"/)
  const typed = await staff.submit(form, { ...draft, starts_at: '2 March, 10 am' }, { action })
  assert.match(typed.text, /id="field-starts-at-error">Start is invalid[^]*value="2 March, 10 am"/)
  const saved = await staff.submit(refused, { ends_at: '2099-03-03T10:00', when: 'draft', act: 'save' }, { action })
  assert.match(saved.text, /The announcement is saved/)
  assert.match(saved.text, /Draft/)
  const id = /\/admin\/announcements\/(\d+)"/.exec(saved.text)?.[1]
  assert.deepEqual(await ada.get('/api/v1/announcements'), [])
  await staff.submit(saved, {}, { action: `${action}/${id}/publish` })
  const [announcement] = await ada.get('/api/v1/announcements')
  assert.deepEqual([announcement.starts_at, announcement.all_day], ['2026-03-02T10:00:00.000Z', false])
  const edit = await open(`${action}/${id}`)
  assert.doesNotMatch(edit.text, /name="when"/)
  const later = await staff.submit(edit, { text: 'All day', all_day: '1', act: 'save' }, { action: `${action}/${id}` })
  assert.equal((await ada.get('/api/v1/announcements'))[0].starts_at, '2026-03-02T00:00:00.000Z')
  const question = await staff.submit(later, {}, { action: `${action}/${id}/delete` })
  assert.match(question.text, /cannot be undone/)
  assert.equal((await ada.get('/api/v1/announcements')).length, 1)
  await staff.submit(question, {}, { action: `${action}/${id}/delete` })
  assert.deepEqual(await ada.get('/api/v1/announcements'), [])
  assert.equal((await staff.get(`${action}/${id}`)).status, 404)
  assert.equal((await staff.get(`${action}/nonsense`)).status, 404)
})

test('an announcement is scheduled, published now, taken down and mailed, and its list says so', async () => {
  const action = '/admin/announcements'
  const text = `News ${'and more '.repeat(20)}`
  const form = await open(`${action}/new`)
  const missing = await staff.submit(form, { text, when: 'schedule', act: 'save' }, { action })
  assert.equal(missing.status, 422)
  const scheduled = await staff.submit(
    missing,
    { when: 'schedule', scheduled_at: '2099-01-01T10:00', mails_users: '1', act: 'save' },
    { action },
  )
  assert.match(scheduled.text, /badge state warning">Scheduled<[^]*2099/)
  assert.match(scheduled.text, /News [^<]{115}…</)
  const id = /\/admin\/announcements\/(\d+)"/.exec(scheduled.text)?.[1]
  const path = `${action}/${id}`
  const edit = await open(path)
  const tested = await staff.submit(edit, {}, { action: `${path}/test` })
  assert.match(tested.text, /The test e-mail is being sent/)
  assert.match((await mailsTo(server, owner.email)).at(-1)?.text ?? '', /^News and more/m)
  assert.deepEqual(await mailsTo(server, ada.email), [])
  const question = await staff.submit(scheduled, {}, { action: `${path}/publish` })
  assert.match(question.text, /\d users get it by e-mail, too\. This cannot be undone/)
  assert.deepEqual(await ada.get('/api/v1/announcements'), [])
  const published = await staff.submit(question, {}, { action: `${path}/publish` })
  assert.match(published.text, /The announcement is published/)
  assert.match(published.text, /badge state good">Published<[^]*Sent to all users/)
  assert.equal((await ada.get('/api/v1/announcements')).length, 1)
  await ada.put(`/api/v1/announcements/${id}/reactions/${encodeURIComponent('🦊')}`)
  assert.match((await open(path)).text, /<ul class="reactions">.*🦊 1/)
  assert.doesNotMatch((await open(path)).text, /test e-mail/, 'once it is mailed')
  const down = await staff.submit(published, {}, { action: `${path}/unpublish` })
  assert.match(down.text, /badge state plain">Draft</)
  assert.deepEqual(await ada.get('/api/v1/announcements'), [])
  await server.ctx.db.run(sql`update announcements set ends_at = now() - interval '1 hour' where id = ${id}`)
  assert.match((await open(action)).text, /badge state plain">Over</)
  await server.ctx.db.run(sql`delete from announcements where id = ${id}`)
})

test('emojis are uploaded, filtered, changed in batches and deleted', async () => {
  const action = '/admin/custom_emojis'
  const form = await open(`${action}/new`)
  const fields = { shortcode: 'wave', category: 'Hands', aliases: 'hello hi', visible: '1' }
  for (const [change, problem] of [
    [{}, /Image can(&#39;|')t be blank/],
    [{ image: await imageFile('jpeg') }, /Image is not an image that can be used/],
    [{ image: await imageFile(), shortcode: 'a b' }, /Name must have 2 to 100/],
  ] as const) {
    const refused = await staff.submit(form, { ...fields, ...change }, { action })
    assert.equal(refused.status, 422)
    assert.match(refused.text, problem)
    assert.match(refused.text, /value="hello hi"/)
  }
  const page = await staff.submit(form, { ...fields, image: await imageFile() }, { action })
  assert.match(page.text, /The emoji is uploaded/)
  const emojis = async () => (await server.send('GET', '/api/v1/custom_emojis')).json
  assert.deepEqual(
    (await emojis()).map(({ shortcode }: any) => shortcode),
    ['wave', 'hello', 'hi'],
  )
  const id = /\/admin\/custom_emojis\/(\d+)"/.exec(page.text)?.[1] ?? ''
  await staff.submit(await open(`${action}/${id}`), { aliases: '', visible: '1' }, { action: `${action}/${id}` })
  assert.equal((await emojis()).length, 1)

  const batch = { action: `${action}/change` }
  const nothing = await staff.submit(await open(action), { act: 'disable' }, batch)
  assert.deepEqual([nothing.status, /Select at least one/.test(nothing.text)], [422, true])
  const moved = await staff.submit(
    await open(`${action}?search=WA&state=enabled`),
    { 'ids[]': id, act: 'move', new_category: 'Greetings' },
    batch,
  )
  assert.match(moved.location, /search=WA/)
  assert.equal((await emojis())[0].category, 'Greetings')
  for (const [act, left] of [
    ['hide', [false]],
    ['show', [true]],
    ['disable', []],
    ['enable', [true]],
  ] as const) {
    await staff.submit(await open(action), { 'ids[]': id, act }, batch)
    assert.deepEqual(
      (await emojis()).map(({ visible_in_picker }: any) => visible_in_picker),
      left,
      act,
    )
  }
  assert.match((await open(`${action}?category=-`)).text, /No emoji matches/)
  assert.match((await open(`${action}?category=Greetings`)).text, /:wave:/)
  await staff.submit(await open(action), { all: 'matching', act: 'disable' }, batch)
  assert.deepEqual(await emojis(), [])
  assert.match((await open(`${action}?state=enabled`)).text, /No emoji matches/)
  assert.match((await open(`${action}?from=remote`)).text, /No emojis of other servers yet/)
  await server.database.raw(
    `insert into custom_emojis (shortcode, domain, remote_url) values ('far', 'far.example', 'http://10.0.0.1/far.png')`,
  )
  const copied = await staff.submit(await open(`${action}?from=far.example`), { all: 'page', act: 'copy' }, batch)
  assert.match(copied.text, /One could not be copied/)
  for (const act of ['delete', 'disable', 'copy', 'constructor'])
    assert.equal((await staff.submit(await open(action), { 'ids[]': 'x', act }, batch)).status, 422, act)
  const question = await staff.submit(await open(`${action}?search=wa`), { 'ids[]': id, act: 'delete' }, batch)
  assert.match(question.text, /One emoji is deleted[^]*href="\/admin\/custom_emojis\?search=wa">Cancel/)
  assert.match((await staff.submit(question, {}, batch)).text, /value="wa"[^]*No emoji matches/)
  assert.match((await open(action)).text, /No emojis yet/)
})

test('an animated emoji has a still copy, which goes when its image does', async () => {
  const action = '/admin/custom_emojis'
  const frame = (background: string) =>
    sharp({ create: { width: 48, height: 48, channels: 4, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['red', 'lime'].map(frame))
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [200, 200], loop: 0 })
    .toBuffer()
  const image = new File([new Uint8Array(gif)], 'party.gif')
  const page = await staff.submit(await open(`${action}/new`), { shortcode: 'party', visible: '1', image }, { action })
  const party = async () =>
    (await server.send('GET', '/api/v1/custom_emojis')).json.find(({ shortcode }: any) => shortcode === 'party')
  const pagesOf = async (url: string): Promise<number | undefined> => {
    const answer = await fetch(new URL(new URL(url).pathname, server.url))
    assert.equal(answer.status, 200)
    return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).pages
  }
  const before = await party()
  assert.deepEqual([await pagesOf(before.url), (await pagesOf(before.static_url)) ?? 1], [2, 1])
  const path = `${action}/${/\/admin\/custom_emojis\/(\d+)"/.exec(page.text)?.[1]}`
  await staff.submit(await open(path), { visible: '1', image: await imageFile() }, { action: path })
  const { url, static_url: still } = await party()
  assert.equal(still, url)
  for (const gone of [before.url, before.static_url])
    assert.equal((await server.send('GET', new URL(gone).pathname)).status, 404)
})

test('rules are written with translations, moved and deleted', async () => {
  const action = '/admin/rules'
  const form = await open(`${action}/new`)
  const refused = await staff.submit(form, { text: 'Be kind', language: 'de', added_text: 'x'.repeat(301) }, { action })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Rule \(de\) is too long/)
  assert.match(refused.text, /value="Be kind"/)
  await staff.submit(refused, { added_text: 'Sei nett' }, { action })
  const list = await staff.submit(form, { text: 'No spam' }, { action })
  const rules = async () => (await server.send('GET', '/api/v1/instance/rules')).json
  const [first, second] = await rules()
  assert.deepEqual(first.translations, { de: { text: 'Sei nett', hint: '' } })
  const path = `${action}/${first.id}`
  const edit = await staff.submit(await open(path), { 'translations[de][text]': 'x'.repeat(301) }, { action: path })
  assert.match(edit.text, /href="#field-translations-de-text"/)
  await staff.submit(edit, { 'translations[de][text]': 'Sei lieb' }, { action: path })
  assert.equal((await rules())[0].translations.de.text, 'Sei lieb')
  await staff.submit(list, {}, { action: `${action}/${second.id}/move` })
  assert.deepEqual(
    (await rules()).map(({ id }: any) => id),
    [second.id, first.id],
  )
  const question = await staff.submit(list, {}, { action: `${path}/delete` })
  await staff.submit(question, {}, { action: `${path}/delete` })
  assert.deepEqual(
    (await rules()).map(({ id }: any) => id),
    [second.id],
  )
})

test('settings are stored page by page, and nothing that was typed is lost', async () => {
  const branding = await open('/admin/settings/branding')
  const action = '/admin/settings/branding'
  const typed = { site_title: '', site_short_description: 'Our <nest>', site_contact_email: 'no mail' }
  const refused = await staff.submit(branding, typed, { action })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Name of the server can(&#39;|')t be blank/)
  assert.match(refused.text, /Our &lt;nest&gt;/)
  assert.match(refused.text, /value="no mail"/)
  const image = await imageFile()
  await staff.submit(
    refused,
    {
      site_title: 'Nest',
      site_contact_email: 'us@example.org',
      app_icon: image,
      thumbnail: image,
      thumbnail_description: 'Twigs',
    },
    { action },
  )
  const { title, thumbnail, icon } = (await server.send('GET', '/api/v2/instance')).json
  assert.deepEqual([title, thumbnail.description, icon.length], ['Nest', 'Twigs', 9])
  const { json: manifest } = await server.send('GET', '/manifest.webmanifest')
  assert.deepEqual([manifest.name, manifest.icons.length], ['Nest', 9])
  assert.equal((await server.send('GET', new URL(manifest.icons[0].src).pathname)).status, 200)
  const long = await staff.submit(await open(action), { thumbnail_description: 'x'.repeat(5000) }, { action })
  assert.deepEqual([long.status, /too long/.test(long.text)], [422, true])
  const removed = await staff.submit(await open(action), { remove_thumbnail: '1' }, { action })
  assert.match(removed.text, /The settings are saved/)
  assert.match((await server.send('GET', '/api/v2/instance')).json.thumbnail.url, /header\.png/)

  // The environment of the tests decides who can sign up.
  assert.match((await open('/admin/settings/registrations')).text, /Set by REGISTRATIONS_MODE/)
  const discovery = '/admin/settings/discovery'
  const { text } = await staff.submit(
    await open(discovery),
    { local_live_feed_access: 'authenticated', staff_picks: '@ada\nbob@example.org' },
    { action: discovery },
  )
  assert.match(text, /value="authenticated" checked/)
  assert.equal((await server.send('GET', '/api/v1/timelines/public?local=true')).status, 401)
  const appearance = '/admin/settings/appearance'
  await staff.submit(await open(appearance), { custom_css: 'body { color: red }' }, { action: appearance })
  for (const [path, styled] of [
    ['/about', true],
    [appearance, false],
    ['/settings/profile', false],
    ['/disputes/strikes', false],
  ] as const)
    assert.equal(/custom\.css/.test((await staff.get(path)).text), styled, path)
  await open('/admin/settings/about')
  const retention = '/admin/settings/content_retention'
  const wrong = await staff.submit(await open(retention), { media_cache_max_bytes: 'much' }, { action: retention })
  assert.match(wrong.text, /Room for media of other servers, in gigabytes is not a number/)
  const right = await staff.submit(wrong, { media_cache_max_bytes: '1,5' }, { action: retention })
  assert.match(right.text, /name="media_cache_max_bytes" value="1.5"/)
  const { rows } = await server.database.raw(`select value from settings where key = 'media_cache_max_bytes'`)
  assert.equal(rows[0]?.value, 1_500_000_000)
  assert.equal((await staff.get('/admin/settings/unknown')).status, 404)
})

test('webhooks are created, tested, disabled and deleted', async () => {
  const action = '/admin/webhooks'
  const form = await open(`${action}/new`)
  const refused = await staff.submit(form, { url: 'nowhere', template: '{{' }, { action })
  assert.equal(refused.status, 422)
  for (const problem of [
    /Address is not the address/,
    /Events must have at least one/,
    /Template of the body is not JSON/,
  ])
    assert.match(refused.text, problem)
  const page = await staff.submit(
    refused,
    { url: 'http://10.0.0.1/secret', 'events[]': 'report.created', template: '' },
    { action },
  )
  assert.match(page.text, /The webhook is saved/)
  const path = page.location.split('?', 1)[0] ?? ''
  await staff.submit(page, {}, { action: `${path}/test` })
  await server.drain()
  const tested = await open(path)
  assert.match(tested.text, /Failed/)
  const secretOf = (html: string) => /<code class="code-display" dir="ltr">(\w{40})<\/code>/.exec(html)?.[1]
  const question = await staff.submit(tested, {}, { action: `${path}/rotate` })
  const rotated = await staff.submit(question, {}, { action: `${path}/rotate` })
  assert.ok(secretOf(tested.text) && secretOf(rotated.text) !== secretOf(tested.text))
  assert.match((await staff.submit(rotated, {}, { action: `${path}/disable` })).text, /The webhook is disabled/)
  assert.match((await open(action)).text, /Disabled/)
  const site = await startSite()
  after(() => site.stop())
  const changed = {
    url: site.serve('/hook', { status: 204, body: '' }),
    'events[]': 'status.created',
    template: '{"text": "{{event}}"}',
  }
  assert.equal((await staff.submit(await open(path), { ...changed, url: 'nowhere' }, { action: path })).status, 422)
  assert.match((await staff.submit(await open(path), changed, { action: path })).text, /The webhook is saved/)
  assert.match((await staff.submit(await open(path), {}, { action: `${path}/enable` })).text, /The webhook is enabled/)
  await ada.post('/api/v1/statuses', { status: 'Hello' })
  await server.drain()
  assert.deepEqual(site.requests, ['POST /hook'])
  assert.match((await open(path)).text, /Delivered/)
  assert.match((await open(action)).text, /Delivered/)
  // Requests at once may pass the limit.
  await server.database.raw(`
    insert into webhooks (url, events, secret, enabled)
    select 'https://many.test/' || n, '{report.created}', '', false from generate_series(1, 50) n`)
  assert.match((await open(action)).text, /https:\/\/many\.test\/50</)
  await server.database.raw(`delete from webhooks where url like 'https://many.test/%'`)
  site.serve('/hook', { status: 410, body: '' })
  await staff.submit(await open(path), {}, { action: `${path}/test` })
  await server.drain()
  assert.match((await open(path)).text, /Failed<[^]*410/)
  const last = await staff.submit(rotated, {}, { action: `${path}/delete` })
  assert.match((await staff.submit(last, {}, { action: `${path}/delete` })).text, /No webhooks yet/)
  assert.equal((await staff.get(path)).status, 404)
})
