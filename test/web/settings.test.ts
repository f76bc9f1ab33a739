import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { browser, SETTINGS_PATHS, type Browser, type Page, signedIn } from '../support/forms.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const imageFile = async (width: number, format: 'png' | 'avif' = 'png'): Promise<File> => {
  const image = sharp({ create: { width, height: 100, channels: 3, background: '#453aa0' } })
  return new File([new Uint8Array(await image.toFormat(format).toBuffer())], `me.${format}`, {
    type: `image/${format}`,
  })
}

test('settings pages return to themselves after sign-in, and have the menu and no script', async () => {
  const tab = await signedIn(server, ada)
  for (const path of SETTINGS_PATHS) {
    const closed = await browser(server).get(path)
    assert.equal(closed.location, `/auth/sign_in?next=${encodeURIComponent(path)}`, path)
    const page = await tab.get(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('cache-control'), 'private, no-store', path)
    if (path !== '/settings') assert.match(page.text, /aria-current="page"/, path)
    if (!path.includes('passkeys')) {
      assert.doesNotMatch(page.text, /<script/, path)
      assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /script-src/, path)
    }
  }
})

test('forms are refused without a token, from another site, or with the token of another session', async () => {
  const [mine, foreign] = [await signedIn(server, ada), await signedIn(server, await server.person('mallory'))]
  const other = (await foreign.get('/settings/preferences')).forms.at(-1)?.fields.csrf_token ?? ''
  for (const path of SETTINGS_PATHS) {
    for (const form of (await mine.get(path)).forms) {
      if (form.multipart) continue
      const { csrf_token: token = '', ...fields } = form.fields
      assert.equal((await mine.post(form.action, fields)).status, 403, `${form.action} without a token`)
      assert.equal(
        (await mine.post(form.action, { ...fields, csrf_token: other })).status,
        403,
        `${form.action} with a foreign token`,
      )
      const origin = { origin: 'https://evil.test' }
      assert.equal((await mine.post(form.action, { ...fields, csrf_token: token }, origin)).status, 403, form.action)
      if (form.action.startsWith('/settings'))
        assert.match(
          (await browser(server).post(form.action, { ...fields, csrf_token: token })).location,
          /^\/auth\/sign_in/,
        )
    }
  }
  const { text } = await mine.post('/settings/preferences', {})
  assert.match(text, /This form is too old, or cookies are switched off/)
  assert.doesNotMatch(text, /Your account has no access/)
})

test('profile edits, including images, show in the API', async () => {
  const bea = await server.person('bea')
  const tab = await signedIn(server, bea)
  const form = await tab.get('/settings/profile')
  assert.match(form.text, /name="avatar" accept="[^"]*image\/avif/)
  const saved = await tab.submit(
    form,
    {
      display_name: 'Bea <b>',
      note: 'First line\r\nhttps://bea.test',
      'fields[0][name]': 'Home',
      'fields[0][value]': 'https://bea.test',
      'fields[2][name]': 'Tea',
      'fields[2][value]': 'green',
      avatar: await imageFile(100, 'avif'),
      avatar_description: 'A square',
      locked: '1',
      discoverable: '1',
      attribution_domains: 'bea.test\nnews.test',
    },
    { action: '/settings/profile' },
  )
  assert.match(saved.text, /Your profile is saved/)
  assert.match(saved.text, /value="Bea &lt;b&gt;"/)
  const account = await bea.get('/api/v1/accounts/verify_credentials')
  assert.equal(account.display_name, 'Bea <b>')
  assert.equal(account.source.note, 'First line\nhttps://bea.test')
  assert.deepEqual(
    account.source.fields.map(({ name, value }: any) => [name, value]),
    [
      ['Home', 'https://bea.test'],
      ['Tea', 'green'],
    ],
  )
  assert.deepEqual([account.locked, account.discoverable, account.bot, account.indexable], [true, true, false, false])
  assert.deepEqual(account.source.attribution_domains, ['bea.test', 'news.test'])
  assert.match(account.avatar, /\/files\/avatars\//)
  assert.equal(account.avatar_description, 'A square')

  const again = await tab.submit(saved, { remove_avatar: '1', avatar_description: '' }, { action: '/settings/profile' })
  assert.match(again.text, /Your profile is saved/)
  const after = await bea.get('/api/v1/accounts/verify_credentials')
  assert.match(after.avatar, /\/avatars\/original\/missing\.png/)
  assert.deepEqual(
    [after.locked, after.discoverable, after.display_name],
    [true, true, 'Bea <b>'],
    'other fields stay unchanged',
  )
})

test('an invalid profile is refused with the problem, and the form keeps its contents', async () => {
  const tab = await signedIn(server, ada)
  const submit = async (fields: Record<string, string | File>): Promise<Page> =>
    tab.submit(await tab.get('/settings/profile'), fields, { action: '/settings/profile' })
  const long = await submit({ display_name: 'x'.repeat(31), note: 'still here', remove_avatar: '1' })
  assert.equal(long.status, 422)
  assert.match(long.text, /Display name is too long/)
  assert.match(long.text, /still here<\/textarea>[^]*name="remove_avatar"[^>]* checked/)
  assert.match((await submit({ 'fields[0][value]': 'no label' })).text, /Fields contains values with missing labels/)
  const noImage = await submit({ avatar: new File(['<?php'], 'me.png', { type: 'image/png' }) })
  assert.equal(noImage.status, 422)
  assert.match(noImage.text, /Avatar /)
  assert.match((await submit({ attribution_domains: 'not a domain!' })).text, /is not a valid domain/)
  const signedOut = browser(server)
  const form = (await tab.get('/settings/profile')).forms.find(({ multipart }) => multipart)!
  const sent = await signedOut.submit(
    { ...(await tab.get('/settings/profile')) },
    { avatar: await imageFile(50) },
    { action: form.action },
  )
  assert.match(sent.location, /^\/auth\/sign_in/)
})

test('preferences are saved and applied by the API', async () => {
  const cyd = await server.person('cyd', { timeZone: 'Asia/Kolkata' })
  const tab = await signedIn(server, cyd)
  const chosen = {
    privacy: 'private',
    quote_policy: 'nobody',
    expand_media: 'show_all',
    language: 'de',
    sensitive: '1',
    locale: 'de',
    time_zone: 'Europe/Vienna',
  }
  const form = { action: '/settings/preferences' }
  const page = await tab.get('/settings/preferences')
  const unchanged = (await tab.submit(page, {}, form)).forms.find(({ action }) => action === form.action)?.fields
  assert.equal(unchanged?.time_zone, 'Asia/Kolkata')
  const [akan, twi] = ['Akan', 'Twi'].map((name) => page.text.split(`>${name}<`).length)
  assert.equal(akan, twi)
  const ofStaff = { report_mails_shown: '1', report_mails: '1' }
  const saved = await tab.submit(page, { ...chosen, ...ofStaff }, form)
  const { rows } = await server.database.raw(`select settings from users where id = ${cyd.userId}`)
  assert.equal('report_mails' in rows[0].settings, false, 'the page does not offer it')
  assert.match(saved.text, /Deine Voreinstellungen sind gespeichert/)
  const preferences = await cyd.get('/api/v1/preferences')
  assert.equal(preferences['posting:default:visibility'], 'private')
  assert.equal(preferences['posting:default:quote_policy'], 'nobody')
  assert.equal(preferences['posting:default:language'], 'de')
  assert.equal(preferences['posting:default:sensitive'], true)
  assert.equal(preferences['reading:expand:media'], 'show_all')
  assert.equal(preferences['reading:expand:spoilers'], false)
  assert.equal((await cyd.post('/api/v1/statuses', { status: 'for few' })).visibility, 'private')
  const shown = saved.forms.find(({ action }) => action === form.action)?.fields
  assert.match(saved.text, /<option value="fr">Französisch<[^]*<option value="el">Griechisch</, 'sorted by these names')
  assert.match(saved.text, /<option value="fr">français</, 'the language of pages in its own words')
  assert.deepEqual([shown?.time_zone, shown?.locale, shown?.privacy], ['Europe/Vienna', 'de', 'private'])
  const wrong: Record<string, string>[] = [
    { privacy: 'direct' },
    { time_zone: 'Mars/Olympus' },
    { locale: 'xx' },
    { language: 'klingon' },
  ]
  for (const bad of wrong) assert.equal((await tab.submit(saved, bad, form)).status, 422, JSON.stringify(bad))
  assert.equal((await cyd.get('/api/v1/preferences'))['posting:default:visibility'], 'private')
})

test('sessions are listed with device and address, and can be ended one by one or together', async () => {
  const dan = await server.person('dan')
  const [here, phone, third] = [browser(server), browser(server), await signedIn(server, dan)]
  const agent = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'
  await here.signIn(dan.email, dan.password)
  const { fields = {} } = (await phone.get('/auth/sign_in')).forms[0] ?? {}
  await phone.post(
    '/auth/sign_in',
    { ...fields, 'user[email]': dan.email, 'user[password]': dan.password },
    { 'user-agent': agent },
  )
  const page = await here.get('/settings/sessions')
  assert.match(page.text, /Firefox on Android/)
  assert.match(page.text, /From 127\.0\.0\.1/)
  assert.equal(page.text.match(/This browser/g)?.length, 1)
  const ends = page.forms.filter(({ action }) => action === '/settings/sessions/end')
  assert.equal(ends.length, 2)

  const mal = await server.person('mal')
  const mallory = await signedIn(server, mal)
  const thief = browser(server)
  const { fields: asked = {} } = (await thief.get('/auth/sign_in')).forms[0] ?? {}
  const guess = { ...asked, 'user[email]': 'Dan', 'user[password]': 'a wrong guess' }
  assert.equal((await thief.post('/auth/sign_in', guess, { 'user-agent': 'curl/8.0' })).status, 422)
  const historyOf = async (tab: Browser): Promise<string> =>
    (await tab.get('/settings/sessions')).text.split('Sign-in history')[1] ?? ''
  const failure = /curl<\/strong> <span class="badge">Failed<[^]*Password · From/
  await eventually(async () => failure.test(await historyOf(here)))
  assert.equal((await historyOf(here)).match(/<li>/g)?.length, 4)
  assert.match(await historyOf(here), /Firefox on Android/)
  assert.doesNotMatch(await historyOf(mallory), /Failed/)

  const token = (await mallory.get('/settings/sessions')).forms[0]?.fields.csrf_token ?? ''
  const theft = await mallory.post('/settings/sessions/end', { id: ends[0]!.fields.id!, csrf_token: token })
  assert.equal(theft.status, 404, 'sessions of other users are 404')
  for (const id of ['0', 'x', '', '999999999999999999999'])
    assert.equal((await here.post('/settings/sessions/end', { ...ends[0]!.fields, id })).status, 404)

  const isIn = async (tab: Browser) => (await tab.get('/settings')).location === '/settings'
  await here.submit(page, {}, { action: '/settings/sessions/end' })
  assert.equal([await isIn(phone), await isIn(third)].filter(Boolean).length, 1)
  const more = await here.get('/settings/sessions')
  assert.match((await here.submit(more, {}, { action: '/settings/sessions/end_others' })).text, /All other browsers/)
  assert.deepEqual([await isIn(here), await isIn(phone), await isIn(third)], [true, false, false])
})

test('applications show their scopes and last use', async () => {
  const eve = await server.person('eve')
  const tab = await signedIn(server, eve)
  assert.match((await tab.get('/oauth/authorized_applications')).text, /Tests[\s\S]*not used yet[\s\S]*Read everything/)
  await eve.get('/api/v1/accounts/verify_credentials')
  // Recorded after the response.
  await eventually(async () => /last used <time/.test((await tab.get('/oauth/authorized_applications')).text))
})

test('many accounts are unfollowed, or followers removed, at once', async () => {
  const [fox, gnu, hen] = [await server.person('fox'), await server.person('gnu'), await server.person('hen')]
  for (const { id } of [fox, gnu, hen]) await ada.post(`/api/v1/accounts/${id}/follow`)
  for (const person of [fox, gnu]) await person.post(`/api/v1/accounts/${ada.id}/follow`)
  await fox.post('/api/v1/statuses', { status: 'Still here' })
  const tab = await signedIn(server, ada)
  const names = ({ text }: Page): string[] =>
    [...text.matchAll(/for="account-\d+"><bdi>(\w+)</g)].map(([, name = '']) => name)
  assert.deepEqual(names(await tab.get('/relationships')), ['hen', 'gnu', 'fox'])
  assert.deepEqual(names(await tab.get('/relationships/moved')), [])
  const dormant = await tab.get('/relationships/dormant')
  assert.deepEqual(names(dormant), ['hen', 'gnu'])
  const followers = await tab.get('/relationships/followers')
  assert.deepEqual(names(followers), ['gnu', 'fox'])
  const choose = (page: Page, path: string, fields: Record<string, string>) =>
    tab.post(path, { csrf_token: page.forms.at(-1)?.fields.csrf_token ?? '', ...fields })
  const none = await choose(dormant, '/relationships/dormant', {})
  assert.deepEqual([none.status, /Select at least one account/.test(none.text)], [422, true])
  const left = await choose(dormant, '/relationships/dormant', { 'ids[]': hen.id })
  assert.match(left.text, /The selected accounts are unfollowed/)
  assert.deepEqual(names(await tab.get('/relationships')), ['gnu', 'fox'])
  await choose(followers, '/relationships/followers', { 'ids[]': fox.id })
  assert.deepEqual(names(await tab.get('/relationships/followers')), ['gnu'])
  const [relationship] = await fox.get(`/api/v1/accounts/relationships?id[]=${ada.id}`)
  assert.deepEqual([relationship.following, relationship.followed_by], [false, true])
})
