import { saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { imageFile } from '../support/images.ts'
import { createSession } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestServer, type Answer, type Person, type TestServer } from '../support/server.ts'

const BROWSER = { accept: 'text/html' }

/** Of a browser that wants the pages of the server instead of the web client. */
async function cookieOf(server: TestServer, person: Person): Promise<string> {
  const session = await createSession(server.ctx, {
    userId: person.userId,
    ip: null,
    userAgent: '',
    method: 'password',
  })
  return `rookery_session=${session?.secret}; rookery_client=off`
}

test('in single-user mode the start page is the profile of the first account, and sign-up is closed', async (t) => {
  const server = await startTestServer({ SINGLE_USER_MODE: 'true' })
  t.after(() => server.stop())
  const home = (): Promise<Answer> => server.send('GET', '/', { headers: BROWSER })
  assert.equal((await home()).status, 200, 'there is no account yet')
  await server.person('ada', { role: 'owner' })
  await server.person('bob')
  const { status, headers } = await home()
  assert.deepEqual([status, headers.get('location')], [302, '/@ada'])
  assert.equal((await server.send('GET', '/api/v2/instance')).json.registrations.enabled, false)
  assert.equal((await server.send('GET', '/nodeinfo/2.0')).json.openRegistrations, false)
})

describe('start page', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ REGISTRATIONS_MODE: '' })
  })
  after(() => server.stop())
  const home = (headers = {}): Promise<Answer> => server.send('GET', '/', { headers: { ...BROWSER, ...headers } })

  test('without an owner, the start page points to the set-up link', async () => {
    assert.match((await home()).text, /open the set-up link/)
    await server.person('owner', { role: 'owner' })
    assert.doesNotMatch((await home()).text, /set-up link/)
  })

  test('the start page shows the title, the description, the rules, the sign-up and sign-in links, and the domain', async () => {
    await saveSettings(server.ctx, {
      site_title: 'Rook & Co',
      site_short_description: 'Birds <only>',
      registrations_mode: 'open',
    })
    await server.ctx.db.run(sql`insert into rules (text, hint) values ('Be <kind>', 'Always')`)
    const { status, text, headers } = await home()
    assert.equal(status, 200)
    assert.match(text, /<h1>Rook &amp; Co<\/h1>\s*<p class="lead">Birds &lt;only&gt;<\/p>/)
    assert.match(
      text,
      /<a class="button" href="\/auth\/sign_up">[\s\S]*<a class="button secondary" href="\/auth\/sign_in">/,
    )
    assert.match(text, new RegExp(`<code class="code-display">${server.domain}</code>`))
    assert.match(text, /<li><bdi>Be &lt;kind&gt;<\/bdi><p class="hint"><bdi>Always<\/bdi><\/p><\/li>/)
    assert.ok(text.includes('<meta property="og:title" content="Rook &amp; Co">'))
    assert.equal(headers.get('cache-control'), 'public, max-age=15')
  })

  test('the start page is in the language of the browser, with its direction, and otherwise in English', async () => {
    const german = await home({ 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' })
    assert.match(german.text, /<html lang="de">[\s\S]*Anmelden<\/a>/)
    assert.match(german.headers.get('vary') ?? '', /Accept-Language/)
    assert.match((await home({ 'accept-language': 'ar' })).text, /<html lang="ar" dir="rtl">[\s\S]*تسجيل الدخول/)
    assert.match((await home({ 'accept-language': 'tlh' })).text, /<html lang="en">/)
  })

  test('the locale of a signed-in user overrides the language of the browser', async () => {
    const eva = await server.person('eva')
    await server.ctx.db.run(sql`update users set locale = 'fr' where account_id = ${eva.id}`)
    const { text } = await home({ cookie: await cookieOf(server, eva), 'accept-language': 'de' })
    assert.match(text, /<html lang="fr">[\s\S]*<h1>Bonjour, eva<\/h1>/)
  })

  test('the start page hides sign-up when registrations are closed, and mentions the review of new accounts', async () => {
    await saveSettings(server.ctx, { registrations_mode: 'none', closed_registrations_message: 'Full, <sorry>' })
    const closed = (await home()).text
    assert.match(closed, /Full, &lt;sorry&gt;/)
    assert.doesNotMatch(closed, /sign_up/)
    await saveSettings(server.ctx, { registrations_mode: 'approved' })
    assert.match((await home()).text, /review new accounts/)
  })

  test('the start page greets signed-in users, and is not cached for them', async () => {
    const ada = await server.person('ada')
    const { text, headers } = await home({ cookie: await cookieOf(server, ada) })
    assert.match(text, /<h1>Hello, ada<\/h1>/)
    assert.ok(text.includes(`@ada@${server.domain}`))
    assert.match(text, /<a class="button secondary" href="\/settings">/)
    assert.match(text, /<form method="post" action="\/auth\/sign_out"><input type="hidden" name="csrf_token"/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.match((await home({ cookie: 'rookery_session=nonsense' })).text, /Sign in/)
  })
})

describe('about page', () => {
  let server: TestServer
  before(async () => {
    server = await startTestServer({ SOURCE_BASE_URL: 'https://source.test/rookery' })
    await server.person('ada')
  })
  after(() => server.stop())
  const see = (path: string): Promise<Answer> => server.send('GET', path, { headers: BROWSER })

  test('the about page shows the description, the number of users, the contact, the version and the source link', async () => {
    await saveSettings(server.ctx, {
      site_extended_description: 'First.\n\n<b>Second</b> https://more.test/',
      site_contact_username: 'ada',
      site_contact_email: 'ada@fieldwork.test',
    })
    const { status, text } = await see('/about')
    assert.equal(status, 200)
    assert.match(text, /<p>First.<\/p><p>&lt;b&gt;Second&lt;\/b&gt; <a href="https:\/\/more.test\/"/)
    assert.match(text, /<dt>People<\/dt><dd>1<\/dd>/)
    assert.match(text, /href="[^"]+\/@ada"><bdi>ada<\/bdi><\/a> <span class="handle"><bdi>@ada@/)
    assert.match(text, /<a href="mailto:ada@fieldwork.test">/)
    assert.match(text, /Rookery \d+\.\d+\.\d+/)
    assert.match(text, /<a href="https:\/\/source.test\/rookery" rel="noopener">source code<\/a>/)
  })

  test('the about page lists blocked domains only if the settings publish them, and never the private comment', async () => {
    await server.ctx.db.run(
      sql`insert into domain_blocks (domain, severity, public_comment, private_comment) values ('spam.test', 'suspend', 'Adverts <all> day', 'nobody may read this')`,
    )
    assert.doesNotMatch((await see('/about')).text, /spam.test/)
    await saveSettings(server.ctx, { show_domain_blocks: 'all', show_domain_blocks_rationale: 'all' })
    const { text } = await see('/about')
    assert.match(text, /<td>spam.test<\/td><td>Blocked<\/td><td>Adverts &lt;all&gt; day<\/td>/)
    assert.doesNotMatch(text, /nobody may read this/)
  })

  test('the privacy policy has a default text until the administrator writes one', async () => {
    assert.match((await see('/privacy-policy')).text, /IP addresses and other metadata/)
    const { json: api } = await server.send('GET', '/api/v1/instance/privacy_policy')
    assert.match(api.content, /IP addresses and other metadata/)
    assert.match(
      (await see('/privacy-policy?lang=de')).text,
      new RegExp(`was ${server.domain} erhebt[^]*IP-Adressen und`),
    )
    const french = await server.send('GET', '/api/v1/instance/privacy_policy', { headers: { 'accept-language': 'fr' } })
    assert.match(french.json.content, /Adresses IP et autres métadonnées/)
    assert.match(french.headers.get('vary') ?? '', /Accept-Language/)
    await saveSettings(server.ctx, { privacy_policy: 'We keep little.' })
    assert.match((await see('/privacy-policy')).text, /<h1>Privacy policy<\/h1><p>We keep little.<\/p>/)
    assert.match((await see('/about')).text, /<a href="\/privacy-policy">/)
  })

  test("the addresses of earlier Mastodon releases lead to today's pages", async () => {
    for (const [path, target] of [
      ['/about/more', '/about'],
      ['/terms', '/privacy-policy'],
    ]) {
      const { status, headers } = await server.send('GET', path!, { headers: BROWSER })
      assert.deepEqual([status, headers.get('location')], [301, target])
    }
  })
})

describe('limited federation mode', () => {
  let server: TestServer
  let ada: Person
  let paths: string[]
  before(async () => {
    server = await startTestServer({ LIMITED_FEDERATION_MODE: 'true' })
    ada = await server.person('ada')
    const { id } = await ada.post('/api/v1/statuses', { status: 'Among us #birds' })
    paths = ['/@ada', '/@ada/media', `/@ada/${id}`, `/@ada/${id}/embed`, '/tags/birds']
  })
  after(() => server.stop())

  test('WebFinger does not show the image of an account', async () => {
    const form = new FormData()
    form.set('avatar', await imageFile())
    await ada.send('PATCH', '/api/v1/profile', { form })
    const { json } = await server.send('GET', `/.well-known/webfinger?resource=acct:ada@${server.domain}`)
    assert.equal(json.subject, `acct:ada@${server.domain}`)
    assert.ok(!json.links.some(({ rel }: any) => rel.endsWith('/avatar')))
  })

  test('public pages require sign-in, and robots.txt excludes the whole server', async () => {
    for (const path of [...paths, '/@nobody']) {
      const { status, text } = await server.send('GET', path, { headers: BROWSER })
      assert.equal(status, 401, path)
      assert.ok(text.includes(`<a class="button" href="/auth/sign_in?next=${encodeURIComponent(path)}">`), path)
      assert.doesNotMatch(text, /Among us/)
    }
    assert.equal(
      (await server.send('GET', `/api/oembed?url=${encodeURIComponent(`${server.ctx.config.baseUrl}${paths[2]}`)}`))
        .status,
      401,
    )
    assert.match((await server.send('GET', '/robots.txt')).text, /^User-agent: \*\nDisallow: \/$/m)
  })

  test('signed-in users see the public pages uncached; the start, about and sign-in pages stay public', async () => {
    const cookie = await cookieOf(server, ada)
    for (const path of paths) {
      const { status, text, headers } = await server.send('GET', path, { headers: { ...BROWSER, cookie } })
      assert.equal(status, 200, path)
      if (!path.endsWith('/media')) assert.match(text, /Among us/)
      assert.equal(headers.get('cache-control'), 'private, no-store', path)
    }
    for (const path of ['/', '/about', '/auth/sign_in'])
      assert.equal((await server.send('GET', path, { headers: BROWSER })).status, 200, path)
  })
})
