// Public profile pages
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, sql } from '../support/database.ts'
import { BROWSER, post, publicPages } from '../support/public-pages.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bea } = await stage({ accounts: ['ada', 'bea'] })
const { see, page } = publicPages(server)

test('a profile page shows public and unlisted posts only, even with the token of its owner', async () => {
  await post(ada, 'For everybody')
  await post(ada, 'Listed nowhere', { visibility: 'unlisted' })
  await post(ada, 'For followers', { visibility: 'private' })
  await post(ada, '@bea between us', { visibility: 'direct' })
  const text = await page('/@ada')
  assert.match(text, /<h1><bdi>ada<\/bdi><\/h1>/)
  assert.ok(text.includes(`@ada@${server.domain}`))
  assert.ok(text.includes('For everybody') && text.includes('Listed nowhere'))
  for (const tab of ['/@ada', '/@ada/with_replies', '/@ada/media'])
    assert.doesNotMatch(await page(tab), /For followers|between us/)
  // The page is cached publicly, so not even its owner sees more.
  const signedIn = await server.send('GET', '/@ada', { token: ada.token, headers: BROWSER })
  assert.doesNotMatch(signedIn.text, /For followers|between us/)
})

test('a profile page escapes names, and is noindex unless the account is indexable', async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { display_name: '<b>"Ada" & co', note: 'Reads <i>a lot</i>' },
  })
  const text = await page('/@ADA')
  assert.ok(text.includes('&lt;b&gt;&quot;Ada&quot; &amp; co'))
  assert.doesNotMatch(text, /<b>|<i>/)
  assert.match(text, /<title>&lt;b&gt;&quot;Ada&quot; &amp; co \(@ada@/)
  assert.match(text, /<meta name="robots" content="noindex/)
  assert.ok(text.includes(`<link rel="canonical" href="${server.ctx.config.baseUrl}/@ada">`))
  assert.ok(
    text.includes(
      `<link rel="alternate" type="application/activity+json" href="${server.ctx.config.baseUrl}/users/ada">`,
    ),
  )
  assert.match(text, /<meta property="og:type" content="profile">/)
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { indexable: true, display_name: 'Ada' } })
  assert.doesNotMatch(await page('/@ada'), /name="robots"/)
})

test('pages name their ActivityPub document, and profiles WebFinger', async () => {
  const { id, uri } = await ada.post('/api/v1/statuses', { status: 'For #machines too' })
  const linkOf = async (path: string): Promise<string | null> => (await see(path)).headers.get('link')
  const base = server.ctx.config.baseUrl
  const webfinger = `${base}/.well-known/webfinger?resource=${encodeURIComponent(`acct:ada@${server.domain}`)}`
  assert.equal(
    await linkOf('/@ada/media'),
    `<${webfinger}>; rel="lrdd"; type="application/jrd+json", <${base}/users/ada>; rel="alternate"; type="application/activity+json"`,
  )
  assert.equal((await server.send('GET', webfinger)).json.subject, `acct:ada@${server.domain}`)
  const { collection } = await ada.post('/api/v1/collections', { name: 'Rooks', description: '' })
  for (const [path, document] of Object.entries({
    [`/@ada/${id}`]: uri,
    '/tags/machines': `${base}/tags/machines`,
    [`/collections/${collection.id}`]: collection.uri,
  })) {
    assert.equal(await linkOf(path), `<${document}>; rel="alternate"; type="application/activity+json"`)
    assert.ok((await page(path)).includes(`<link rel="alternate" type="application/activity+json" href="${document}">`))
    assert.equal((await server.send('GET', document, { headers: { accept: 'application/activity+json' } })).status, 200)
  }
  assert.equal((await see('/about')).headers.get('link'), null)
})

test('a profile page says what the account is', async () => {
  await server.ctx.db.run(
    sql`update accounts set actor_type = 'Group', memorial = true where username = 'ada' and domain is null`,
  )
  const text = await page('/@ada')
  for (const name of ['Group', 'In memoriam']) assert.match(text, new RegExp(`<span class="badge">${name}<`, 'i'))
  assert.doesNotMatch(text, /authorize_interaction/, 'new followers would be of no use')
  await server.ctx.db.run(
    sql`update accounts set actor_type = 'Person', memorial = false where username = 'ada' and domain is null`,
  )
  assert.equal((await see('/@ada/tagged/%20')).status, 404)
})

test('visitors follow an account after they sign in, or read how to do it elsewhere', async () => {
  const text = await page('/@ada')
  assert.match(text, /search there for <strong><bdi>@ada@/)
  const [, link = ''] = /<a class="button" href="(\/authorize_interaction[^"]+)"[^>]*>Follow</.exec(text) ?? []
  const { status, headers } = await server.send('GET', link)
  assert.equal(status, 302)
  assert.equal(headers.get('location'), `/auth/sign_in?next=${encodeURIComponent(link)}`)
})

test('links in profile fields are listed with rel=me', async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: {
      fields_attributes: [
        { name: 'Site', value: 'https://ada.example.test/about' },
        { name: 'Mood', value: 'fine' },
      ],
    },
  })
  const text = await page('/@ada')
  assert.ok(text.includes('<link rel="me" href="https://ada.example.test/about">'))
  assert.equal(text.match(/<link rel="me"/g)?.length, 1)
  assert.match(text, /<dt[^>]*>Mood<\/dt>/)
})

test('replies and media have their own tabs, pinned posts come first, and boosts are among the posts', async () => {
  const dot = await server.person('dot')
  const first = await post(dot, 'The first of dot')
  const beas = await post(bea, 'Words of bea')
  await post(dot, '@bea an answer of dot', { in_reply_to_id: beas.id })
  await dot.post(`/api/v1/statuses/${beas.id}/reblog`)
  await dot.post(`/api/v1/statuses/${first.id}/pin`)
  const posts = await page('/@dot')
  assert.doesNotMatch(posts, /an answer of dot/)
  assert.match(posts, /dot<\/bdi> boosted/)
  assert.match(posts, /Words of bea/)
  assert.equal(posts.match(/The first of dot<\/p>/g)?.length, 1, 'a pinned post appears once')
  assert.ok(posts.indexOf('Pinned') < posts.indexOf('Words of bea'))
  assert.match(posts, /<a href="\/@dot" aria-current="page">Posts<\/a>/)
  const replies = await page('/@dot/with_replies')
  assert.match(replies, /In reply to @bea[\s\S]*an answer of dot/)
  assert.doesNotMatch(replies, /Words of bea/)
  assert.match(await page('/@dot/media'), /Nothing to see here yet/)
})

test('a profile page is paginated, and an invalid cursor is no error', async () => {
  const eve = await server.person('eve')
  const ids: string[] = []
  for (let n = 0; n < 23; n++) ids.push((await post(eve, `Post number ${n}.`)).id)
  const newest = await page('/@eve')
  assert.equal(newest.match(/<article/g)?.length, 20)
  const link = /<a class="button secondary" rel="next" href="([^"]+)">Older posts/.exec(newest)?.[1] ?? ''
  assert.equal(link, `${server.ctx.config.baseUrl}/@eve?max_id=${ids[3]}`)
  const older = await page(new URL(link).pathname + new URL(link).search)
  assert.equal(older.match(/<article/g)?.length, 3)
  assert.match(older, /Newest posts/)
  assert.doesNotMatch(older, /Older posts/)
  for (const cursor of ['x', '-1', '99999999999999999999', '1&max_id=2'])
    assert.equal((await see(`/@eve?max_id=${cursor}`)).status, 200, cursor)
})

test('visitors see the followers of an account, and the accounts that it follows, unless it hides them', async () => {
  const [fay, gus] = [await server.person('fay'), await server.person('gus')]
  await gus.post(`/api/v1/accounts/${fay.id}/follow`)
  assert.match(await page('/@fay'), /<a href="\/@fay\/followers"><strong>1<\/strong> follower<\/a>/)
  const followers = await page('/@fay/followers')
  assert.match(followers, /<h1>Followers<\/h1>[\s\S]*href="[^"]+\/@gus"/)
  assert.match(followers, /noindex/)
  assert.doesNotMatch(followers, /First page/)
  assert.match(await page('/@gus/following'), /href="[^"]+\/@fay"/)
  assert.doesNotMatch(await page('/@fay/following'), /class="person"/)
  assert.equal(
    (await see('/users/fay/followers')).headers.get('location'),
    `${server.ctx.config.baseUrl}/@fay/followers`,
  )
  const accept = 'application/activity+json'
  assert.equal((await server.send('GET', '/users/fay/followers', { headers: { accept } })).json.totalItems, 1)
  assert.equal((await server.send('GET', '/users/fay/followers')).json.totalItems, 1)

  for (let n = 0; n < 41; n += 1) await (await server.person(`fan${n}`)).post(`/api/v1/accounts/${fay.id}/follow`)
  const next = /rel="next" href="([^"]+)"/.exec(await page('/@fay/followers'))?.[1] ?? ''
  const rest = await page(new URL(next).pathname + new URL(next).search)
  assert.equal(rest.match(/class="person"/g)?.length, 2)
  assert.match(rest, /\/@gus"/)
  assert.match(rest, /href="[^"?]+\/@fay\/followers">First page</)
  assert.doesNotMatch(rest, /rel="next"/)

  await fay.send('PATCH', '/api/v1/profile', { json: { hide_collections: true } })
  assert.doesNotMatch(await page('/@fay'), /href="\/@fay\/followers"/)
  const hidden = await page('/@fay/followers')
  assert.match(hidden, /does not show its followers and the accounts that it follows/)
  assert.doesNotMatch(hidden, /@gus|@fan1/)
  for (const path of ['/@nobody/followers', '/@a@b.test/following']) assert.equal((await see(path)).status, 404, path)
})

test('unknown and unconfirmed accounts are 404, and suspended accounts 410', async () => {
  for (const path of ['/@nobody', '/@nobody/media', '/@nobody@elsewhere.test', '/@a%20b', '/@'])
    assert.equal((await see(path)).status, 404, path)
  await server.person('newcomer', { confirmed: false })
  assert.equal((await see('/@newcomer')).status, 404)
  const zed = await server.person('zed')
  const { id } = await post(zed, 'Soon gone')
  await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${zed.id}`)
  const posts = [`/@zed/${id}`, `/@zed/${id}/embed`]
  for (const path of ['/@zed', '/@zed/followers', '/@zed.rss', '/@zed/media.rss'])
    assert.equal((await see(path)).status, 410, path)
  for (const path of posts) assert.equal((await see(path)).status, 404, path)
  const suspended = (await see('/@zed')).text
  assert.match(suspended, /<p class="muted">This account is suspended<\/p>/)
  assert.doesNotMatch(suspended, /Your account|permanently/)
  await server.ctx.db.run(sql`update accounts set purged_at = now() where id = ${zed.id}`)
  assert.equal((await see('/@zed.rss')).status, 410)
  for (const path of posts) assert.equal((await see(path)).status, 404, path)
  const gone = await see('/@zed')
  assert.equal(gone.status, 410)
  assert.match(gone.text, /<h1>Page no longer available<\/h1>/)
  assert.match(gone.text, /was permanently removed/)
})

test('a remote profile redirects to its own server only', async () => {
  const away = async (more: { url?: string; uri?: string }): Promise<Answer> => {
    const username = `s${newId()}`
    await remoteAccount(server, username, 'elsewhere.test', more)
    return see(`/@${username}@elsewhere.test`)
  }
  const home = await away({ url: 'https://elsewhere.test/@them' })
  assert.equal(home.status, 302)
  assert.equal(home.headers.get('location'), 'https://elsewhere.test/@them')
  assert.equal(
    (await away({ uri: 'https://social.elsewhere.test/users/1', url: 'https://social.elsewhere.test/@1' })).status,
    302,
  )
  for (const url of [
    'https://phishing.test/@them',
    'javascript:alert(1)',
    '//phishing.test',
    'https://elsewhere.test@phishing.test/',
    'https://me:x@elsewhere.test/',
  ])
    assert.equal((await away({ url })).status, 404, url)
  const own = await see(`/@ada@${server.domain}`)
  assert.equal(own.headers.get('location'), `${server.ctx.config.baseUrl}/@ada`)
})

test('a profile page is cached for 15 seconds, and cannot be framed', async () => {
  const { headers } = await see('/@ada')
  assert.equal(headers.get('cache-control'), 'public, max-age=15')
  assert.match(headers.get('vary') ?? '', /Cookie/)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(headers.get('x-frame-options'), 'DENY')
})
