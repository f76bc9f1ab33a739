import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { changeSettings, createRule, deleteRule, modifyRule, moveRule, setSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser } from '../support/forms.ts'
import { pngOf } from '../support/images.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()
const { ctx } = server
const owner = await server.person('owner', { role: 'owner' })

const instance = async () => (await server.send('GET', '/api/v2/instance')).json
const rules = async () => (await server.send('GET', '/api/v1/instance/rules')).json

test('rules are ordered, translated and deleted', async () => {
  const be = await createRule(ctx, owner.id, {
    text: ' Be kind ',
    hint: '',
    translations: [
      { language: 'de', text: 'Sei nett', hint: 'Immer' },
      { language: 'fr', text: '', hint: ' ' },
    ],
  })
  const no = await createRule(ctx, owner.id, { text: 'No spam', hint: 'None', translations: [] })
  const [first] = await rules()
  assert.deepEqual(first, {
    id: be,
    text: 'Be kind',
    hint: '',
    translations: { de: { text: 'Sei nett', hint: 'Immer' } },
  })
  await moveRule(ctx, owner.id, no, 'up')
  await moveRule(ctx, owner.id, no, 'up')
  assert.deepEqual(
    (await instance()).rules.map(({ id }: any) => id),
    [no, be],
  )
  const about = await server.send('GET', '/about', { headers: { 'accept-language': 'de' } })
  assert.match(about.text, /Sei nett/)
  assert.doesNotMatch(about.text, /Be kind/)
  assert.match(about.text, /No spam/)
  await modifyRule(ctx, owner.id, be, { text: 'Be nice', hint: '', translations: [] })
  await deleteRule(ctx, owner.id, no)
  assert.deepEqual(await rules(), [{ id: be, text: 'Be nice', hint: '', translations: {} }])
  for (const act of [
    () => deleteRule(ctx, owner.id, no),
    () => moveRule(ctx, owner.id, '999', 'up'),
    () => modifyRule(ctx, owner.id, no, { text: 'x', hint: '', translations: [] }),
  ])
    await assert.rejects(act, { status: 404 })
  const bad = {
    text: '',
    hint: 'x'.repeat(1001),
    translations: [{ language: 'xx-klingon', text: 'a'.repeat(301), hint: '' }],
  }
  await assert.rejects(createRule(ctx, owner.id, bad), (error: any) => {
    assert.deepEqual(Object.keys(error.extra.details), ['text', 'hint', 'text.xx-klingon', 'language'])
    return true
  })
  const { rows } = await server.database.raw(`select action from audit_log where target_type = 'rule' order by id`)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['create', 'create', 'order', 'update', 'delete'],
  )
})

test('settings are checked, stored together and logged without their values', async () => {
  await assert.rejects(
    changeSettings(ctx, owner.id, {
      texts: {
        site_title: ' ',
        site_contact_email: 'nobody',
        site_contact_username: 'unknown',
        // The environment of the tests decides it.
        registrations_mode: 'maybe',
        min_age: '0',
        languages: 'en klingon',
        staff_picks: 'ok <script>',
        custom_css: 'x'.repeat(65_537),
        site_short_description: 'fine',
      },
    }),
    (error: any) => {
      assert.deepEqual(Object.keys(error.extra.details), [
        'site_title',
        'site_contact_email',
        'site_contact_username',
        'min_age',
        'languages',
        'staff_picks',
        'custom_css',
      ])
      return true
    },
  )
  assert.notEqual((await instance()).description, 'fine')
  await changeSettings(ctx, owner.id, {
    texts: {
      site_title: 'Nest',
      site_contact_username: '@OWNER',
      min_age: '16',
      languages: 'de\nen',
      peers_api_enabled: '',
    },
  })
  const now = await instance()
  assert.deepEqual(
    [now.title, now.registrations.min_age, now.languages, now.contact.account.id],
    ['Nest', 16, ['de', 'en'], owner.id],
  )
  assert.equal((await server.send('GET', '/api/v1/instance/peers')).status, 404)
  const { rows } = await server.database.raw(`select details from audit_log where target_type = 'settings'`)
  assert.deepEqual(
    rows.map(({ details }) => details),
    [{ names: ['site_title', 'site_contact_username', 'min_age', 'languages', 'peers_api_enabled'] }],
  )
})

test('uploads replace thumbnail and icons; a file that is no image changes nothing', async () => {
  const path = join(ctx.config.dataDir, 'upload.png')
  const bytes = await pngOf(3000, 1600, '#469')
  await writeFile(path, bytes)
  const file = { path, size: bytes.length }
  await changeSettings(ctx, owner.id, {
    texts: {},
    files: { thumbnail: file, favicon: file, app_icon: file },
    thumbnailDescription: 'A nest',
  })
  const { thumbnail, icon } = await instance()
  assert.deepEqual([thumbnail.description, Object.keys(thumbnail.versions)], ['A nest', ['@1x', '@2x']])
  assert.ok(thumbnail.blurhash)
  assert.deepEqual(icon.map(({ size }: any) => size).slice(0, 2), ['36x36', '48x48'])
  const fetched = await server.send('GET', new URL(thumbnail.url).pathname)
  assert.deepEqual([fetched.status, fetched.headers.get('content-type')], [200, 'image/jpeg'])
  assert.equal((await server.send('GET', '/favicon.ico')).status, 302)

  await writeFile(path, '<svg/>')
  await assert.rejects(
    changeSettings(ctx, owner.id, { texts: { site_title: 'Other' }, files: { favicon: { path, size: 6 } } }),
    (error: any) => (assert.deepEqual(Object.keys(error.extra.details), ['favicon']), true),
  )
  assert.equal((await instance()).title, 'Nest')
  await changeSettings(ctx, owner.id, {
    texts: {},
    files: { thumbnail: 'remove', favicon: 'remove', app_icon: 'remove' },
  })
  assert.match((await instance()).thumbnail.url, /header\.png$/)
  assert.equal((await server.send('GET', new URL(thumbnail.url).pathname)).status, 404)
})

test('custom styles are on public pages, but on none with a form, nor on the way to where they are edited', async () => {
  await changeSettings(ctx, owner.id, { texts: { custom_css: 'body { display: none }</style>' } })
  const home = await server.send('GET', '/about')
  const link = /<link rel="stylesheet" href="(\/custom\.css\?v=\w+)">/.exec(home.text)?.[1]
  assert.ok(link)
  assert.match(home.headers.get('content-security-policy') ?? '', /style-src 'self';/)
  const css = await server.send('GET', link)
  assert.deepEqual(
    [css.text, css.headers.get('content-type'), css.headers.get('x-content-type-options')],
    ['body { display: none }</style>', 'text/css; charset=utf-8', 'nosniff'],
  )
  const tab = browser(server)
  const forms = ['/auth/sign_in', '/invites', '/relationships', '/severed_relationships', '/statuses_cleanup']
  await tab.signIn(owner.email, owner.password)
  for (const path of forms) assert.doesNotMatch((await tab.get(`${path}?again=1`)).text, /custom\.css/, path)
})

test('a setting of the command line is in the audit log once, as the second time changes nothing', async () => {
  for (const _ of [1, 2]) await setSettings(ctx, { site_title: 'The Rookery' })
  assert.equal((await instance()).title, 'The Rookery')
  const entries = await ctx.db.many(
    sql`select account_id, details from audit_log where target_type = 'settings' and account_id is null`,
  )
  assert.deepEqual(entries, [{ account_id: null, details: { names: ['site_title'] } }])
})
