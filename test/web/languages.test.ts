// Every public page and every page around signing in, in each language.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { setUpLink } from '../support/acts.ts'
import { browser, type Browser, signedIn } from '../support/forms.ts'
import { linkTo } from '../support/mail.ts'
import { englishTextsIn, LANGUAGES, textsIn } from '../support/messages.ts'
import { startTestServer, type Person, type TestServer } from '../support/server.ts'

let server: TestServer
let guest: Browser
let member: Browser
let guestPaths: string[]
let memberPaths: string[]

before(async () => {
  server = await startTestServer({ REGISTRATIONS_MODE: '' })
  const path = (address: string): string => address.slice(server.ctx.config.baseUrl.length)
  const setUp = path((await setUpLink(server.ctx)) ?? '')
  const [ada, bob] = await Promise.all([server.person('ada', { email: 'ada@mail.test' }), server.person('bob')])
  guest = browser(server)
  member = browser(server)
  await member.signIn(bob.email, bob.password)
  const { posts, collection } = await publish(ada, bob)
  await guest.submit(await guest.get('/auth/password/new'), { 'user[email]': 'ada@mail.test' })
  const reset = await linkTo(server, 'ada@mail.test')
  const app = await bob.post('/api/v1/apps', {
    client_name: 'Ω',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write:follows',
  })
  const authorize = `/oauth/authorize?${new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    response_type: 'code',
    scope: 'read write:follows',
  })}`
  guestPaths = [
    '/',
    '/about',
    '/privacy-policy',
    '/@ada',
    '/@ada/with_replies',
    '/@ada/media',
    '/@ada/tagged/x1',
    '/tags/x1',
    collection,
    '/@nobody',
    ...posts.map(path),
    ...posts.map((url) => `${path(url)}/embed`),
    '/auth/sign_in',
    '/auth/sign_in?notice=again',
    '/auth/sign_up',
    '/auth/sign_up/done',
    '/auth/passkey',
    '/auth/confirmation/new',
    '/auth/confirmation?confirmation_token=x',
    '/auth/password/new',
    reset,
    '/auth/password/edit?reset_password_token=x',
    setUp,
    '/auth/setup?token=x',
    '/oauth/authorize?client_id=x',
  ]
  memberPaths = [
    '/',
    '/auth/setup/done',
    authorize,
    '/@ada',
    `/oauth/authorize/native?code=${'x'.repeat(43)}`,
    ...['', 'acct:bob', 'acct:ada', 'https://far.test/1', ...posts.slice(0, 1)].map(
      (uri) =>
        `/authorize_interaction?uri=${encodeURIComponent(uri.startsWith('acct') ? `${uri}@${server.domain}` : uri)}`,
    ),
    ...['follow', 'favourite', 'boost'].map(
      (action) => `/authorize_interaction?uri=acct:ada@${server.domain}&done=${action}`,
    ),
  ]
})
after(() => server.stop())

/** Posts of every kind and a collection. */
async function publish(ada: Person, bob: Person): Promise<{ posts: string[]; collection: string }> {
  const write = (who: Person, json: object): Promise<{ id: string; url: string; poll?: any }> =>
    who.post('/api/v1/statuses', json)
  const form = new FormData()
  const image = { width: 8, height: 8, channels: 3, background: 'red' } as const
  form.set('file', new Blob([await sharp({ create: image }).png().toBuffer()]))
  const { id } = (await ada.send('POST', '/api/v2/media', { form })).json
  const first = await write(ada, { status: '#x1 λ', poll: { options: ['α', 'β'], expires_in: 600 } })
  await bob.post(`/api/v1/polls/${first.poll.id}/votes`, { choices: [1] })
  await bob.post(`/api/v1/statuses/${first.id}/favourite`)
  await ada.put(`/api/v1/statuses/${first.id}`, { status: '#x1 μ', poll: { options: ['α', 'β'], expires_in: 600 } })
  await ada.post(`/api/v1/statuses/${first.id}/pin`)
  const media = await write(ada, { status: 'ν', media_ids: [id], sensitive: true, in_reply_to_id: first.id })
  const reply = await write(bob, { status: '@ada ξ', spoiler_text: 'ο', in_reply_to_id: first.id })
  await ada.post(`/api/v1/statuses/${reply.id}/reblog`)
  await write(ada, { status: '@bob π', in_reply_to_id: reply.id })
  const quoted = await write(bob, { status: 'ρ', quoted_status_id: first.id })
  await ada.post(`/api/v1/statuses/${first.id}/quotes/${quoted.id}/revoke`)
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true, bot: true } })
  const { collection } = await ada.post('/api/v1/collections', { name: 'Σ', sensitive: true })
  return { posts: [first, media, reply, quoted].map(({ url }) => url), collection: `/collections/${collection.id}` }
}

/** The texts between tags, and the labels for screen readers. */
const nodesOf = (page: string): Set<string> =>
  new Set(
    [...page.matchAll(/>([^<>]+)<|(?:aria-label|alt)="([^"]+)"/g)].map(([, text, label]) =>
      (text ?? label ?? '').trim(),
    ),
  )

/** The texts of a catalogue that have no parameters. */
const plainTexts = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? plainTexts(value) : [],
  )

test('public pages have the language and the direction of the viewer', async () => {
  for (const language of LANGUAGES) {
    const { text } = await guest.get(`/about?lang=${language}`)
    assert.match(text, new RegExp(`<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>`))
  }
})

// It shares the fewest words with English. src/messages/messages.test.ts compares the catalogues of all languages.
const language = 'ar'

test('every public page is in the language of the viewer', async () => {
  const translated = new Set(plainTexts(textsIn(language)))
  const foreign = plainTexts(textsIn('en')).filter((text) => /^\p{L}/u.test(text) && !translated.has(text))
  for (const [tab, paths] of [[guest, guestPaths] as const, [member, memberPaths] as const])
    for (const path of paths) {
      const { text, status } = await tab.get(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
      assert.ok(status < 500, path)
      assert.match(text, /<html lang="ar" dir="rtl"/, path)
      const nodes = nodesOf(text)
      assert.deepEqual(
        foreign.filter((word) => nodes.has(word)),
        [],
        path,
      )
      assert.deepEqual(await englishTextsIn(language, text), [], path)
    }
})

test('pages around passwords and addresses speak the language of a signed-in user', async () => {
  const person = await server.person('reader')
  const tab = await signedIn(server, person)
  await server.database.raw(`update users set locale = 'de' where id = $1`, [person.userId])
  for (const [path, heading] of Object.entries({
    '/auth/confirmation/new': 'Weitere Bestätigungs-E-Mail',
    '/auth/confirmation/address': 'E-Mail-Adresse berichtigen',
    '/auth/confirmation?confirmation_token=x': 'Dieser Link funktioniert nicht mehr',
    '/auth/password/new': 'Passwort vergessen\\?',
    '/auth/password/edit?reset_password_token=x': 'Dieser Link funktioniert nicht mehr',
  })) {
    const { text } = await tab.get(path)
    assert.match(text, /<html lang="de"/)
    assert.match(text, new RegExp(`<h1>${heading}</h1>`), path)
  }
})

test('numbers, plurals and dates follow the language', async () => {
  const page = async (language: string): Promise<string> => (await guest.get(`/@ada?lang=${language}`)).text
  assert.match(await page('de'), /<strong>4<\/strong> Beiträge/)
  assert.match(await page('ar'), /<strong>[4٤]<\/strong> منشورات/)
  assert.match(await page('ja'), /登録日：<time datetime="[-\d]+">\d{4}\/\d{2}\/\d{2}</)
})
