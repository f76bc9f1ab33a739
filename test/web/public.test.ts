import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql, newId } from '../support/database.ts'
import { receiveNote, saveSettings } from '../support/acts.ts'
import { getAccountRow, insertStatus, parseObject } from '../support/internals.ts'
import { browser } from '../support/forms.ts'
import { type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const { server, ada, bea } = await stage({ accounts: ['ada', 'bea'] })

const see = (path: string): Promise<Answer> => server.send('GET', path, { headers: BROWSER })
const post = (who: Person, status: string, more: object = {}): Promise<{ id: string; url: string }> =>
  who.post('/api/v1/statuses', { status, ...more })

async function page(path: string): Promise<string> {
  const { status, text } = await see(path)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.doesNotMatch(text, /<script|\sstyle="|\son\w+="|undefined|\[object/, path)
  assert.equal(text.match(/<h1[ >]/g)?.length, 1, `${path} has one main heading`)
  assert.match(text, /<main id="main"/)
  return text
}

/** Inserts a remote account as federation stores it. */
async function insertRemoteAccount(domain: string, more: { url?: string; uri?: string } = {}): Promise<string> {
  const id = newId()
  const uri = more.uri ?? `https://${domain}/users/${id}`
  await server.ctx.db.run(sql`
    insert into accounts (id, username, domain, uri, url, display_name) values (${id}, ${`s${id}`}, ${domain}, ${uri}, ${more.url ?? `https://${domain}/@s${id}`}, 'Stranger')`)
  return id
}

describe('profile pages', () => {
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

  test('unknown and unconfirmed accounts are 404, and suspended accounts 410', async () => {
    for (const path of ['/@nobody', '/@nobody/media', '/@nobody@elsewhere.test', '/@a%20b', '/@'])
      assert.equal((await see(path)).status, 404, path)
    await server.person('newcomer', { confirmed: false })
    assert.equal((await see('/@newcomer')).status, 404)
    const zed = await server.person('zed')
    const { id } = await post(zed, 'Soon gone')
    await server.ctx.db.run(sql`update accounts set suspended_at = now() where id = ${zed.id}`)
    const gone = await see('/@zed')
    assert.equal(gone.status, 410)
    assert.match(gone.text, /<h1>Page deleted<\/h1>/)
    assert.equal((await see(`/@zed/${id}`)).status, 404)
  })

  test('a remote profile redirects to its own server only', async () => {
    const away = async (more: { url?: string; uri?: string }): Promise<Answer> => {
      const id = await insertRemoteAccount('elsewhere.test', more)
      return see(`/@s${id}@elsewhere.test`)
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
})

describe('post pages', () => {
  test('a post page shows the thread in order, without followers-only replies', async () => {
    const root = await post(ada, 'What is this bird?')
    const answer = await post(bea, '@ada a rook', { in_reply_to_id: root.id })
    await post(bea, '@ada but between us a crow', { in_reply_to_id: root.id, visibility: 'private' })
    const last = await post(ada, '@bea thanks', { in_reply_to_id: answer.id })
    const text = await page(`/@bea/${answer.id}`)
    const order = ['What is this bird?', 'a rook</p>', 'thanks</p>'].map((words) => text.indexOf(words))
    assert.ok(
      order.every((at, i) => at > 0 && at > (order[i - 1] ?? 0)),
      String(order),
    )
    assert.doesNotMatch(text, /a crow/)
    assert.match(text, /<article class="status main" aria-label="Post by bea, /)
    assert.equal(text.match(/<li class="answer">/g)?.length, 1)
    assert.ok(text.includes(`href="${server.ctx.config.baseUrl}/@ada/${last.id}"`))
  })

  test('a post page has Open Graph tags and an oEmbed link', async () => {
    const { id, url } = await post(ada, 'Rooks "nest" <early>\n\nin March')
    const text = await page(`/@ada/${id}`)
    assert.ok(text.includes('<meta property="og:description" content="Rooks &quot;nest&quot; &lt;early&gt; in March">'))
    assert.ok(text.includes(`<meta property="og:url" content="${url}">`))
    assert.match(text, /<meta property="og:image" content="[^"]+avatar.png">/)
    const oembed =
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await server.send('GET', new URL(oembed).pathname + new URL(oembed).search)).json.author_name, 'Ada')
  })

  test('a content warning hides the text, and replaces it in link previews', async () => {
    const { id } = await post(ada, 'The butler did it', { spoiler_text: 'The end of <the> book' })
    const text = await page(`/@ada/${id}`)
    assert.match(
      text,
      /<details class="warning"><summary>[\s\S]*The end of &lt;the&gt; book[\s\S]*<\/summary>\s*<div class="content"[\s\S]*The butler did it[\s\S]*<\/details>/,
    )
    assert.equal(text.match(/The butler did it/g)?.length, 1)
    assert.ok(text.includes('<meta name="description" content="Content warning: The end of &lt;the&gt; book">'))
  })

  test('an edited post shows the time of the edit and has its language', async () => {
    const { id } = await post(ada, 'Bonjur', { language: 'fr' })
    await ada.put(`/api/v1/statuses/${id}`, { status: 'Bonjour', language: 'fr' })
    const text = await page(`/@ada/${id}`)
    assert.match(text, /<div class="content" lang="fr" dir="auto"><p>Bonjour<\/p>/)
    assert.match(text, /Edited <time datetime=[^>]+>just now</)
  })

  test('a followers-only post is shown to its signed-in author and followers only, and is not cached', async () => {
    const dora = await server.person('dora')
    const eli = await server.person('eli')
    await dora.post(`/api/v1/accounts/${ada.id}/follow`)
    const { id } = await post(ada, 'Among friends', { visibility: 'private' })
    await post(dora, '@ada quite so', { in_reply_to_id: id, visibility: 'direct' })
    const seenBy = async (who: Person): Promise<{ status: number; text: string; headers: Headers }> => {
      const tab = browser(server)
      await tab.signIn(who.email, who.password)
      return tab.get(`/@ada/${id}`)
    }
    for (const who of [ada, dora]) {
      const { status, text, headers } = await seenBy(who)
      assert.equal(status, 200)
      assert.match(text, /Followers only[\s\S]*Among friends[\s\S]*Private mention[\s\S]*quite so/)
      assert.match(text, /<meta name="robots" content="noindex/)
      assert.equal(headers.get('cache-control'), 'private, no-store')
    }
    const [outsider, guest] = [await seenBy(eli), await see(`/@ada/${id}`)]
    assert.deepEqual([outsider.status, guest.status], [404, 404])
    assert.match(guest.text, new RegExp(`<a class="button" href="/auth/sign_in\\?next=%2F%40ada%2F${id}">`))
    assert.doesNotMatch(outsider.text, /Sign in/)
  })

  test('missing, followers-only and direct posts are 404 for signed-out viewers', async () => {
    const hidden = await post(ada, 'For followers', { visibility: 'private' })
    const direct = await post(ada, '@bea psst', { visibility: 'direct' })
    for (const path of [
      `/@ada/${hidden.id}`,
      `/@ada/${direct.id}`,
      `/@ada/${hidden.id}/embed`,
      '/@ada/1',
      '/@ada/99999999999999999999',
      '/@ada/x',
      '/@nobody/1',
    ])
      assert.equal((await see(path)).status, 404, path)
  })

  test('a wrong username or a boost redirects to the post', async () => {
    const { id, url } = await post(ada, 'Where am I?')
    assert.equal((await see(`/@bea/${id}`)).headers.get('location'), url)
    const boost = await bea.post(`/api/v1/statuses/${id}/reblog`)
    assert.equal((await see(`/@bea/${boost.id}`)).headers.get('location'), url)
    assert.equal((await see(`/@bea/${boost.id}/embed`)).status, 404)
  })

  test('a remote post redirects to its own server only, and appears in local threads', async () => {
    const accountId = await insertRemoteAccount('far.test')
    const root = await post(ada, 'Anybody out there?')
    const remote = await server.ctx.transaction((tx) =>
      insertStatus(tx, {
        accountId,
        visibility: 'public',
        local: false,
        content: '<p>Hello from <strong>far</strong></p>',
        inReplyToId: root.id,
        uri: 'https://far.test/s/1',
        url: 'https://far.test/@s/1',
      }),
    )
    assert.equal((await see(`/@s${accountId}@far.test/${remote.id}`)).headers.get('location'), 'https://far.test/@s/1')
    const text = await page(`/@ada/${root.id}`)
    assert.match(text, /<p>Hello from <strong>far<\/strong><\/p>/)
    assert.ok(text.includes('<a class="time" href="https://far.test/@s/1">'))
    const elsewhere = await server.ctx.transaction((tx) =>
      insertStatus(tx, {
        accountId,
        visibility: 'public',
        local: false,
        content: '',
        uri: 'https://far.test/s/2',
        url: 'https://phishing.test/',
      }),
    )
    assert.equal((await see(`/@s${accountId}@far.test/${elsewhere.id}`)).status, 404)
  })

  test('custom emojis are images in text, but not inside tags', async () => {
    await server.ctx.db.run(sql`insert into custom_emojis (shortcode, image_key) values ('rook', 'emoji/rook.png')`)
    server.ctx.publish({ type: 'settings.changed' })
    const { id } = await post(ada, 'A :rook: at https://example.test/:rook:/x says :nothing: a:rook:b')
    const text = await page(`/@ada/${id}`)
    assert.match(
      text,
      /A <img class="emoji" src="[^"]+\/emoji\/rook.png" alt=":rook:" title=":rook:"[^>]*> at <a href="https:\/\/example.test\/:rook:\/x"/,
    )
    assert.match(text, /says :nothing: a:rook:b/)
  })
})

describe('images', () => {
  // One pixel.
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  async function upload(description?: string): Promise<string> {
    const form = new FormData()
    form.set('file', new File([PNG], 'a.png', { type: 'image/png' }))
    if (description) form.set('description', description)
    return (await ada.send('POST', '/api/v2/media', { form })).json.id
  }

  test('an image has its alt text, and links to the full image', async () => {
    const { id } = await post(ada, 'Look', { media_ids: [await upload('A "nest" <high> up'), await upload()] })
    const text = await page(`/@ada/${id}`)
    assert.match(
      text,
      /<ul class="media"><li><a href="[^"]+"><img src="[^"]+" alt="A &quot;nest&quot; &lt;high&gt; up"[^>]*><\/a><\/li><li>.*alt="Image without alt text"/,
    )
    assert.match(text, /<meta property="og:image" content="[^"]+\/files\//)
    assert.match(text, /<meta name="twitter:card" content="summary_large_image">/)
    assert.match(await page('/@ada/media'), /A &quot;nest&quot;/)
  })

  test('sensitive images are behind a click, and not in link previews', async () => {
    const { id } = await post(ada, 'Careful', { sensitive: true, media_ids: [await upload()] })
    const text = await page(`/@ada/${id}`)
    assert.match(text, /<details class="sensitive"><summary>[\s\S]*<ul class="media">[\s\S]*<\/details>/)
    assert.doesNotMatch(text, /<meta property="og:image" content="[^"]+\/files\//)
  })
})

describe('hashtag pages', () => {
  test('a hashtag page shows public posts only, and ignores the case of its name', async () => {
    await post(ada, 'Up there! #Corvids')
    await post(ada, 'Quietly #corvids', { visibility: 'unlisted' })
    await post(ada, 'Secret #corvids', { visibility: 'private' })
    const text = await page('/tags/CORVIDS')
    assert.match(text, /<h1>#corvids<\/h1>/)
    assert.match(text, /Up there!/)
    assert.doesNotMatch(text, /Quietly|Secret/)
    for (const name of ['neverused', '%23', '<b>'])
      assert.equal((await see(`/tags/${encodeURI(name)}`)).status, 404, name)
  })

  test('a hashtag page hides its posts when the settings require sign-in', async () => {
    await saveSettings(server.ctx, {
      local_topic_feed_access: 'authenticated',
      remote_topic_feed_access: 'authenticated',
    })
    const text = await page('/tags/corvids')
    assert.match(text, /for members/)
    assert.doesNotMatch(text, /Up there!/)
    await saveSettings(server.ctx, { remote_topic_feed_access: 'public' })
    assert.equal((await see('/tags/corvids')).status, 404)
    await saveSettings(server.ctx, { local_topic_feed_access: 'public' })
  })
})

describe('remote servers', () => {
  test('remote posts are shown without scripts, styles, frames or event handlers', async () => {
    const accountId = await insertRemoteAccount('hostile.test')
    const author = await getAccountRow(server.ctx, accountId)
    await server.ctx.db.run(
      sql`update accounts set display_name = '<img src=x onerror=alert(1)>' where id = ${accountId}`,
    )
    const root = await post(ada, 'Say something nice')
    const note = parseObject({
      id: 'https://hostile.test/notes/1',
      type: 'Note',
      attributedTo: author.uri,
      to: 'https://www.w3.org/ns/activitystreams#Public',
      inReplyTo: `${server.ctx.config.baseUrl}/users/ada/statuses/${root.id}`,
      summary: '<b onclick=alert(1)>A warning</b>',
      content:
        '<p onclick="alert(1)">Kept <script>alert(1)</script><a href="javascript:alert(1)">words</a><img src=x onerror=alert(1)><iframe src="https://hostile.test"></iframe><style>*{}</style></p>',
      url: 'javascript:alert(1)',
    })
    assert.ok(note)
    assert.ok(await receiveNote(server.ctx, note, author))
    const text = await page(`/@ada/${root.id}`)
    assert.match(text, /Kept words/)
    assert.match(text, /A warning/)
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;'), 'the display name is escaped')
    assert.doesNotMatch(text, /<iframe|<style|<script|javascript:/)
    assert.doesNotMatch(text.replace(/"[^"]*"/g, '""'), /<[^>]*\son[a-z]+=/)
  })

  test('an ActivityPub request for the address of a page gets the document', async () => {
    const { id } = await post(ada, 'For machines')
    for (const path of ['/@ada', `/@ada/${id}`]) {
      const { headers, json } = await server.send('GET', path, { headers: { accept: 'application/activity+json' } })
      assert.match(headers.get('content-type') ?? '', /^application\/activity\+json/, path)
      assert.match(headers.get('vary') ?? '', /Accept/)
      assert.ok(json.id.endsWith(path === '/@ada' ? '/users/ada' : `/statuses/${id}`))
    }
    assert.match((await see('/users/ada')).headers.get('location') ?? '', /\/@ada$/)
  })
})
