// Public pages of posts and hashtags
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { receiveNote, saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { signedIn } from '../support/forms.ts'
import { uploadImage } from '../support/images.ts'
import { getAccountRow, insertStatus, parseObject } from '../support/internals.ts'
import { post, publicPages } from '../support/public-pages.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bea } = await stage({ accounts: ['ada', 'bea'] })
const { see, page } = publicPages(server)
await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Ada' } })

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
    const { id, url } = await post(ada, 'Rooks "nest" <early>\n\nin March', { language: 'de' })
    const text = await page(`/@ada/${id}`)
    assert.ok(text.includes('<meta property="og:locale" content="de">'))
    assert.ok(text.includes('<meta property="og:description" content="Rooks &quot;nest&quot; &lt;early&gt; in March">'))
    assert.ok(text.includes(`<meta property="og:url" content="${url}">`))
    assert.ok(text.includes(`<meta property="profile:username" content="ada@${server.ctx.config.localDomain}">`))
    assert.match(text, /<meta property="og:image" content="[^"]+\/avatars\/original\/missing.png">/)
    const oembed =
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&') ?? ''
    assert.equal((await server.send('GET', new URL(oembed).pathname + new URL(oembed).search)).json.author_name, 'Ada')
    assert.equal((await see(`/@ada/${id}/embed`)).text.match(/<h1[ >]/g)?.length, 1)
  })

  test('text browsers show no two links as one word', async () => {
    const { id } = await post(ada, 'Rooks')
    for (const path of ['/@ada', `/@ada/${id}`, '/about']) assert.doesNotMatch(await page(path), /<\/a><(?:a|span)\b/)
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

  test('a post page has players, links to unknown files, and quotes behind their warnings; the feed has all of these', async () => {
    const media_ids = [await uploadImage(ada), await uploadImage(ada), await uploadImage(ada)]
    const { id } = await post(ada, 'Three files', { media_ids, spoiler_text: 'Loud <noise>' })
    for (const [i, type] of (['video', 'audio', 'unknown'] as const).entries())
      await server.ctx.db.run(
        sql`update media_attachments set type = ${type}, description = ${`A "${type}"`} where id = ${media_ids[i]}`,
      )
    await server.ctx.db.run(sql`update statuses set fetched_at = fetched_at where id = ${id}`)
    const text = await page(`/@ada/${id}`)
    assert.match(
      text,
      /<video src="[^"]+" controls playsinline preload="metadata" aria-label="A &quot;video&quot;" poster=/,
    )
    assert.match(text, /<audio src="[^"]+" controls preload="none" aria-label="A &quot;audio&quot;">/)
    assert.match(text, /<a href="[^"]+" rel="nofollow noopener">A &quot;unknown&quot;<\/a>/)
    const wordless = await post(ada, '', { media_ids: [await uploadImage(ada)] })
    assert.match(await page(`/@ada/${wordless.id}`), /<meta name="description" content="1 [^"]+">/)
    const quoting = await post(bea, 'Listen', { quoted_status_id: id })
    const quote = /<blockquote class="quoted">[\s\S]*<\/blockquote>/.exec(await page(`/@bea/${quoting.id}`))?.[0] ?? ''
    assert.match(quote, /<p dir="auto">Loud &lt;noise&gt;<\/p>/)
    assert.doesNotMatch(quote, /Three files|<video/)
    const feed = (await see('/@ada.rss')).text
    const item = feed.split('<item>').find((each) => each.includes(`/@ada/${id}<`)) ?? ''
    assert.match(item, /<title>Loud &lt;noise&gt;<\/title>/)
    assert.match(
      item,
      /<description>&lt;p&gt;&lt;strong&gt;Content warning:&lt;\/strong&gt; Loud &amp;lt;noise&amp;gt;/,
    )
    assert.match(
      item,
      /medium="video">\s*<media:rating scheme="urn:simple">adult<[\s\S]*type="plain">A &quot;video&quot;</,
    )
  })

  test('each view of a profile, and each hashtag, names a feed of its own', async () => {
    const bird = await post(bea, 'A #rook at last')
    const image = await post(bea, 'Its #nest', { media_ids: [await uploadImage(bea)] })
    const boosted = await post(ada, 'Boosted')
    const reply = await post(bea, 'It flew away', { in_reply_to_id: boosted.id })
    await bea.post(`/api/v1/statuses/${boosted.id}/reblog`)
    const whose = [bird.id, image.id, reply.id, boosted.id]
    for (const [path, expected] of Object.entries({
      '/@bea': [bird.id, image.id],
      '/@bea/with_replies': [bird.id, image.id, reply.id],
      '/@bea/media': [image.id],
      '/@bea/tagged/Rook': [bird.id],
      '/tags/rook': [bird.id],
    })) {
      const feed = /<link rel="alternate" type="application\/rss\+xml" href="([^"]+)"/.exec(await page(path))?.[1] ?? ''
      assert.match(feed.toLowerCase(), new RegExp(`${path.toLowerCase()}\\.rss$`))
      const response = await see(new URL(feed).pathname)
      assert.equal(response.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
      const found = whose.filter((id) => response.text.includes(`/${id}</guid>`))
      assert.deepEqual(found, expected, path)
      assert.match(response.text, new RegExp(`<link>[^<]*${path.toLowerCase()}</link>`))
    }
    assert.equal((await see('/@nobody/media.rss')).status, 404)
    assert.equal((await see('/@bea/tagged/!.rss')).status, 404)
  })

  test('link previews and feeds have the options of polls, and feeds the types of files', async () => {
    const poll = { options: ['Rook', 'Crow'], expires_in: 3600 }
    await post(bea, '', { media_ids: [await uploadImage(bea)] })
    await post(bea, 'Which bird?', { poll })
    const { id } = await post(bea, '', { poll })
    assert.match(await page(`/@bea/${id}`), /<meta property="og:description" content="○ Rook ○ Crow">/)
    await post(bea, `${'x'.repeat(99)}👩‍👩‍👧 and more`)
    const feed = (await see('/@bea.rss')).text
    assert.match(feed, /<title>○ Rook ○ Crow<\/title>[\s\S]*<title>Which bird\? ○ Rook ○ Crow<\/title>/)
    assert.match(feed, /<title>1 attached file<\/title>/)
    assert.match(feed, /<title>x{99}…<\/title>/, 'a title ends with a whole character')
    assert.match(feed, /Which bird\?[\s\S]*&lt;li&gt;Rook&lt;\/li&gt;&lt;li&gt;Crow&lt;/)
    const image = /<media:content url="[^"]+" type="(image\/\w+)" medium="image">[\s\S]*?<media:thumbnail url="http/
    assert.match(feed, image)
  })

  test('a feed that has not changed is answered with 304', async () => {
    const etag = (await see('/@bea.rss')).headers.get('etag') ?? ''
    const ask = () => server.send('GET', '/@bea.rss', { headers: { 'if-none-match': etag } })
    const same = await ask()
    assert.deepEqual([same.status, same.text], [304, ''])
    await post(bea, 'News for readers')
    assert.equal((await ask()).status, 200)
  })

  test('present and former addresses of Mastodon lead to those of this server', async () => {
    const { id } = await post(bea, 'Embedded')
    for (const [path, expected] of Object.entries({
      '/web': '/',
      '/web/@bea': '/@bea',
      '/web//evil.test': '/evil.test',
      // Browsers drop tabs from addresses, after which two slashes would be left.
      '/web/%09/evil.test': '/%09/evil.test',
      '/web/a%0Ab': '/a%0Ab',
      '/web/tags/%E2%82%AC?x=1': '/tags/%E2%82%AC?x=1',
      '/manifest': '/manifest.webmanifest',
      '/settings/preferences/other': '/settings/preferences',
      [`/users/bea/statuses/${id}/embed`]: `${server.ctx.config.baseUrl}/@bea/${id}/embed`,
      '/authorize_follow?acct=ada@example.org': '/authorize_interaction?uri=ada%40example.org',
      '/intent?uri=web%2Bmastodon%3A%2F%2Ffollow%3Furi%3Dacct%3Aada%40example.org':
        '/authorize_interaction?uri=ada%40example.org',
      '/intent?uri=web%2Bmastodon%3A%2F%2Fshare%3Ftext%3DHello%2Bthere': '/share?text=Hello+there',
    }))
      assert.equal((await see(path)).headers.get('location'), expected, path)
    assert.equal((await see('/intent?uri=javascript:alert(1)')).status, 404)
  })

  test('the description of a long post ends early, and old posts and edits have dates', async () => {
    const { id } = await post(ada, `https://example.org/${'long'.repeat(200)} end`)
    const description = /<meta name="description" content="([^"]*)">/.exec(await page(`/@ada/${id}`))?.[1] ?? ''
    assert.equal(description.length, 500)
    assert.match(description, /…$/)
    const times = async (age: string): Promise<string> => {
      await server.ctx.db.run(sql`
        update statuses set created_at = now() - ${age}::interval, edited_at = now() - ${age}::interval where id = ${id}`)
      return page(`/@ada/${id}`)
    }
    assert.match(await times('3 hours'), /Edited <time [^>]+>3 hr\. ago</)
    assert.match(await page('/@ada'), />3h</)
    assert.match(await times('400 days'), /Edited <time [^>]+>\d+ \w+ 20\d\d</)
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
      const tab = await signedIn(server, who)
      await tab.get('/?client=off')
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
    const accountId = await remoteAccount(server, 'stranger', 'far.test')
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
    const path = `/@s${accountId}@far.test/${elsewhere.id}`
    assert.equal((await see(path)).headers.get('location'), 'https://far.test/s/2')
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
    const feed = (await see('/@ada.rss')).text
    assert.match(feed, /<description>&lt;p&gt;A &lt;img class=&quot;emoji&quot; src=&quot;[^"<]+rook.png&quot;/)
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
    const accountId = await remoteAccount(server, 'stranger', 'hostile.test')
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
