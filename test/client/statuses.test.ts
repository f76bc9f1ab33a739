// Statuses in the web client: what they show, what can be done with them, threads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, keep, skipBrowser } from '../support/client.ts'
import { sql } from '../support/database.ts'
import { uploadImage, pngOf } from '../support/images.ts'
import { tone } from '../support/media-files.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, cleo, peer } = await stage({ accounts: ['ada', 'ben', 'cleo'], peers: ['peer'] })
const browser = clientBrowser()

const post = (author: typeof ada, status: object): Promise<{ id: string }> => author.post('/api/v1/statuses', status)

const address = (path: string): string => `http://${server.domain}${path}`

const statusOf = (page: Page, id: string): Locator => page.locator(`[data-status="${id}"]`).first()

const isWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

async function choose(page: Page, status: Locator, menu: RegExp, item: string | RegExp): Promise<void> {
  await status.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: item }).first().click()
}

/** Over most of the window, as slow swipes count only beyond its half. The viewer looks at the mouse once a frame. */
async function swipeLeft(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.mouse.move(width * 0.9, height / 2)
  await page.mouse.down()
  for (const x of [0.7, 0.5, 0.3, 0.1]) {
    await page.mouse.move(width * x, height / 2)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  }
  await page.mouse.up()
}

/** As in a busy browser: it goes back late, and just after the page has moved on if that is first. */
const SLOW_BACK = `{
  const [back, push] = [history.back.bind(history), history.pushState.bind(history)]
  history.back = () => {
    const goBack = () => {
      clearTimeout(timer)
      history.pushState = push
      back()
    }
    const timer = setTimeout(goBack, 1000)
    history.pushState = (...entry) => {
      push(...entry)
      goBack()
    }
  }
}`

/** As in Firefox: a step forward ends one back that is under way. */
const CANCELLED_BACK = `{
  const [back, push] = [history.back.bind(history), history.pushState.bind(history)]
  history.back = () => {
    const timer = setTimeout(back, 50)
    history.pushState = (...entry) => {
      clearTimeout(timer)
      push(...entry)
    }
  }
}`

/** Opens the media of a status with two images in the viewer, zooms, and changes between them by swipe, button and key. */
async function leafThrough(page: Page, status: Locator, { media_attachments: media }: any): Promise<void> {
  // At first: the image is there at once.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const link = status.locator('.media-item a').first()
  await link.click()
  const viewer = page.getByRole('dialog', { name: 'Media viewer' })
  const isAt = (number: number) => viewer.getByText(`Spider number ${number}`, { exact: true }).waitFor()
  const original = () => viewer.getByRole('link', { name: 'Open the original' }).getAttribute('href')
  const isZoomed = (zoomed: boolean) =>
    eventually(async () => (await viewer.evaluate((element) => element.matches('.pswp--zoomed-in'))) === zoomed)
  await isAt(1)
  assert.equal(await original(), media[0].url)
  // Before it is there, the viewer hears no keys.
  const image = viewer.locator('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)')
  await image.waitFor()
  await page.keyboard.press('z')
  await isZoomed(true)
  await viewer.getByRole('button', { name: 'Zoom' }).click()
  await isZoomed(false)

  // Once: the viewer begins anew after the last image.
  await swipeLeft(page)
  await isAt(2)
  assert.equal(await original(), media[1].url)
  await viewer.getByRole('button', { name: 'Previous' }).click()
  await isAt(1)
  await page.keyboard.press('ArrowRight')
  await isAt(2)
  assert.deepEqual(await axeViolations(page, '.pswp'), [])

  // The post can be acted on from here. Keys belong to what is above the viewer first.
  await viewer.getByRole('button', { name: 'Favourite' }).click()
  await viewer.getByRole('button', { name: 'Favourite: 1', pressed: true }).waitFor()
  await viewer.getByRole('button', { name: 'Boost' }).click()
  await viewer.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('Escape')
  await viewer.getByRole('menuitem').first().waitFor({ state: 'hidden' })
  await viewer.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('dialog').getByLabel('Text of the post').press('ArrowLeft')
  await page.keyboard.press('Escape')
  await page.getByLabel('Text of the post').waitFor({ state: 'detached' })
  await isAt(2)
  await page.emulateMedia({ reducedMotion: null })
  await page.evaluate(CANCELLED_BACK)
  await viewer.getByRole('link', { name: 'Post by ' }).click()
  await viewer.waitFor({ state: 'detached' })
  await page.locator('#main h1:focus').waitFor()
  await page.goBack()
  await page.waitForURL('**/home')
  await link.click()
  await image.waitFor()

  await page.evaluate(SLOW_BACK)
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  assert.equal(await link.evaluate((element) => element === document.activeElement), true)
}

test('a status shows its parts in a list and on its own screen', { skip: skipBrowser }, async () => {
  await ada.post(`/api/v1/accounts/${ben.id}/follow`)
  for (const [title, filter_action, keyword] of [
    ['Films', 'warn', 'butler'],
    ['Sports', 'hide', 'football'],
    ['Spiders', 'blur', 'spider'],
  ]) {
    const filter = { title, filter_action, context: ['home', 'thread'], keywords_attributes: [{ keyword }] }
    await ada.post('/api/v2/filters', filter)
  }
  await post(ben, { status: 'No football tonight' })
  const images = await Promise.all([uploadImage(ben, 1600, 1200), uploadImage(ben, 1200, 1600)])
  for (const [index, image] of images.entries())
    await ben.put(`/api/v1/media/${image}`, { description: `Spider number ${index + 1}` })
  const blurred = await post(ben, { status: 'Two spider portraits', media_ids: images })
  const filtered = await post(ben, { status: 'It was the butler' })
  const warned = await post(ben, { status: 'The answer is forty-two', spoiler_text: 'A riddle' })
  const poll = await post(ben, { status: 'Tea or coffee?', poll: { options: ['Tea', 'Coffee'], expires_in: 3600 } })
  const media = await post(ben, { status: 'Look', sensitive: true, media_ids: [await uploadImage(ben)] })
  const quoting = await post(ben, { status: 'Well said', quoted_status_id: warned.id })
  const tagged = await post(ben, { status: 'Spring is here\n\n#flowers #garden' })
  const video = await post(ben, { status: 'Watch https://video.test/1' })
  const html = '<iframe src="https://player.test/1" onload="alert(1)"></iframe>'
  await server.ctx.db.run(sql`
    with card as (
      insert into preview_cards (link, url, type, title, html, width, height, hosts, fetched_at)
      values ('https://video.test/1', 'https://video.test/1', 'video', 'A video', ${html}, 16, 9, '{video.test}', now())
      on conflict (link) do update set type = excluded.type, title = excluded.title, html = excluded.html,
        width = excluded.width, height = excluded.height, fetched_at = now() returning id)
    update statuses set card_id = (select id from card) where id = ${video.id}`)
  const page = await browser.show(server, ada, { path: '/home', expectedRequests: /^https:\/\/player\.test/ })

  const hidden = statusOf(page, filtered.id)
  await hidden.getByText('Filtered: Films').waitFor()
  await hidden.getByRole('button', { name: 'Show anyway' }).click()
  await page.getByText('It was the butler').waitFor()
  assert.equal(await page.getByText('No football tonight').count(), 0)
  const spiders = statusOf(page, blurred.id)
  await spiders.getByText('Two spider portraits').waitFor()
  await spiders.getByText('Filtered: Spiders').waitFor()
  assert.equal(await spiders.locator('img:not(.avatar)').count(), 0)

  const riddle = statusOf(page, warned.id)
  assert.equal(await riddle.getByText('forty-two').count(), 0)
  await riddle.getByRole('button', { name: 'Show more' }).click()
  await riddle.getByText('The answer is forty-two').waitFor()

  await statusOf(page, poll.id).getByLabel('Coffee').check()
  await statusOf(page, poll.id).getByRole('button', { name: 'Vote' }).click()
  await statusOf(page, poll.id).locator(':focus', { hasText: '100%' }).waitFor()
  assert.deepEqual((await ada.get(`/api/v1/statuses/${poll.id}`)).poll.own_votes, [1])

  assert.equal(await statusOf(page, media.id).locator('img:not(.avatar)').count(), 0)
  await statusOf(page, media.id).getByRole('button', { name: 'Show', exact: true }).click()
  await statusOf(page, media.id).locator('.media-item img').waitFor()

  assert.match((await statusOf(page, quoting.id).locator('.quoted').textContent()) ?? '', /@ben.*A riddle/s)
  assert.deepEqual(await statusOf(page, tagged.id).locator('.tag-row a').allTextContents(), ['#flowers', '#garden'])
  assert.deepEqual(await axeViolations(page, '#main'), [])

  await page.route('https://player.test/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  const play = statusOf(page, video.id).getByRole('button', { name: 'Play' })
  await play.waitFor()
  assert.equal(await page.locator('iframe').count(), 0)
  await play.click()
  await page.locator('iframe[sandbox][src="https://player.test/1"]').waitFor()

  await statusOf(page, media.id).locator('.media-item a').click()
  await page.locator('.pswp[role=dialog]').waitFor()
  await page.goBack()
  await page.locator('.pswp').waitFor({ state: 'detached' })
  assert.equal(page.url(), address('/home'))

  await spiders.getByRole('button', { name: 'Show', exact: true }).click()
  await leafThrough(page, spiders, await ada.get(`/api/v1/statuses/${blurred.id}`))

  const contexts: string[] = []
  page.on('request', (request) => request.url().endsWith('/context') && contexts.push(request.url()))
  const spring = statusOf(page, tagged.id).getByText('Spring is here')
  // The player above it comes into view with another height than before, and must not move the text under the click.
  await spring.scrollIntoViewIfNeeded()
  await statusOf(page, video.id).getByRole('button', { name: 'Play' }).waitFor()
  await spring.click()
  await page.getByRole('heading', { name: 'Post by \u2068ben\u2069' }).waitFor()
  await eventually(async () => (await page.title()).startsWith('\u2068ben\u2069: \u2068Spring is here'))
  await eventually(async () => contexts.length > 0)
  assert.deepEqual(contexts, [address(`/api/v1/statuses/${tagged.id}/context`)])
})

test('a thread of 500 replies stays small in the document', { skip: skipBrowser }, async () => {
  const root = await post(ben, { status: 'Count with me' })
  // Ten chains of fifty replies.
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, content, visibility, local, reply, in_reply_to_id)
      select ${root.id}::bigint + chain * 50 + n, case n % 2 when 1 then ${cleo.id}::bigint else ${ben.id} end,
        '<p>Reply ' || chain || '.' || n || '</p>', 'public', true, true,
        case n when 1 then ${root.id}::bigint else ${root.id}::bigint + chain * 50 + n - 1 end
      from generate_series(0, 9) chain, generate_series(1, 50) n`)
  const last = BigInt(root.id) + 50n
  const page = await browser.show(server, ada, {
    ownPage: true,
    path: `/@ben/${root.id}`,
    // As in versions of Safari that do not say when scrolling has ended.
    prepare: (opening) =>
      opening.addInitScript("addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true)"),
  })
  await page
    .getByText(/^Reply \d\.1$/)
    .first()
    .waitFor()
  const shown = () => page.locator('[data-status]').count()
  assert.ok((await shown()) < 40)
  for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 4000)
  await page.waitForFunction('scrollY > 10000')
  assert.ok((await shown()) < 40)
  await goTo(page, `/@ben/${last}`)
  await page.getByRole('button', { name: /Show \d+ earlier posts/ }).click()
  await page.getByText('Count with me').waitFor({ state: 'attached' })
  // Going back leads to the place among the earlier posts, once it was at rest there.
  await page.evaluate('new Promise((resolve) => (scrollTo(0, 1500), setTimeout(resolve, 400)))')
  await page.evaluate(`document.querySelectorAll('.status-header a[href="/@ben"]')[20].click()`)
  await page.waitForURL('**/@ben')
  await page.goBack()
  await page.getByText('Reply', { exact: false }).first().waitFor()
  await eventually(() => page.evaluate('Math.abs(scrollY - 1500) < 3'))
})

test('acts on a status are sent, undone and rolled back', { skip: skipBrowser }, async () => {
  await ada.post(`/api/v1/accounts/${ben.id}/follow`)
  const target = await post(ben, { status: 'A post to act on' })
  const own = await post(ada, { status: 'My own post' })
  const quote = await post(cleo, { status: 'Quoting', quoted_status_id: own.id })
  const page = await browser.goOn(server, ada, { path: `/@ben/${target.id}`, expectedErrors: /status of (404|50[03])/ })
  const status = statusOf(page, target.id)
  const read = (id = target.id) => ada.get(`/api/v1/statuses/${id}`)

  await choose(page, status, /^Boost(?!ed)/, 'Boost to followers only')
  await eventually(async () => (await read()).reblogged)
  const [boost] = await ada.get(`/api/v1/accounts/${ada.id}/statuses`)
  assert.equal(boost.visibility, 'private')
  await choose(page, status, /^Boosted/, 'Undo boost')
  await keep(page.locator('.toast'))
  await eventually(async () => !(await read()).reblogged)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await eventually(async () => (await read()).reblogged)

  await status.getByRole('button', { name: 'Bookmark' }).click()
  await eventually(async () => (await read()).bookmarked)
  await page.route('**/favourite', (route) => route.fulfill({ status: 500, json: { error: 'Out of order' } }))
  await status.getByRole('button', { name: 'Favourite' }).click()
  await page.getByRole('alert').getByText('Out of order').waitFor()
  await status.getByRole('button', { name: 'Favourite', pressed: false }).waitFor()

  await choose(page, status, /^More/, 'Report')
  await page.getByLabel('I do not like it').check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('The moderators get no report of this. You can decide what you see of the account.').waitFor()
  await page.getByRole('button', { name: 'Unfollow' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await choose(page, status, /^More/, 'Report')
  await page.getByLabel('It is spam').check()
  // As if it were an old post, and not among the latest.
  await page.route('**/api/v1/accounts/*/statuses*', (route) => route.fulfill({ json: [] }))
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await page.getByText('Which posts show it?').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await page.getByRole('checkbox', { name: 'A post to act on' }).isChecked(), true)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('What else should').fill('Too many of these')
  await page.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('heading', { name: 'Report sent' }).waitFor()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  const { rows } = await server.database.raw('select comment, category, status_ids from reports')
  assert.deepEqual(rows, [{ comment: 'Too many of these', category: 'spam', status_ids: [target.id] }])

  await page.keyboard.press('Escape')
  const over = await ada.post('/api/v2/filters', { title: 'Over', context: ['thread'] })
  await server.ctx.db.run(sql`update filters set expires_at = now() where id = ${over.id}`)
  await choose(page, status, /^More/, 'Filter this post')
  await page.getByLabel('Title of the filter').fill('Enough')
  assert.equal(await page.getByRole('radio', { name: 'Over' }).count(), 0)
  const titles = async () => (await ada.get('/api/v2/filters')).map(({ title }: any) => title)
  await page.route('**/api/v2/filters/*/statuses', (route) => route.fulfill({ status: 503, body: 'not now' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await eventually(async () => !(await titles()).includes('Enough'))
  await page.unroute('**/api/v2/filters/*/statuses')
  await page.getByLabel('Title of the filter').press('Enter')
  await page.getByText('Filtered: Enough').waitFor()
  assert.ok((await titles()).includes('Enough'))
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await status.getByText('A post to act on').waitFor()
  await eventually(async () => !(await titles()).includes('Enough'))
  assert.deepEqual((await read()).filtered, [])

  await goTo(page, `/@cleo/${quote.id}`)
  await choose(page, statusOf(page, quote.id), /^More/, 'Remove my post from this quote')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The author removed their post from this quote.').waitFor()
  assert.equal((await cleo.get(`/api/v1/statuses/${quote.id}`)).quote.state, 'revoked')

  await ada.put(`/api/v1/statuses/${own.id}`, { status: 'My very own post' })
  await goTo(page, `/@ada/${own.id}/history`)
  await page.locator('ins', { hasText: 'very' }).waitFor()
  await goTo(page, `/@ada/${own.id}`)
  await choose(page, statusOf(page, own.id), /^More/, 'Who may quote')
  await page.getByLabel('Just me').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => (await read(own.id)).quote_approval.automatic.length === 0)
  await choose(page, statusOf(page, own.id), /^More/, /^Delete$/)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This post was deleted').waitFor()
  await eventually(async () => (await ada.send('GET', `/api/v1/statuses/${own.id}`)).status === 404)
})

test('the icons of statuses stand below each other, and a quote names its author', { skip: skipBrowser }, async () => {
  await ben.client.v1.accounts.updateCredentials({ displayName: 'Benjamin of the very long name' })
  const plain = await post(ben, { status: 'No counts' })
  const counted = await post(ben, { status: 'Counts', quote_approval_policy: 'public' })
  for (const act of ['favourite', 'reblog']) await cleo.post(`/api/v1/statuses/${counted.id}/${act}`)
  await post(cleo, { status: '@ben one', in_reply_to_id: counted.id })
  const quoting = await post(cleo, { status: 'Look', quoted_status_id: counted.id })
  const page = await browser.goOn(server, ada, { path: '/@ben', viewport: { width: 390, height: 844 } })
  const icons = (id: string): Promise<number[]> =>
    statusOf(page, id)
      .locator('.status-actions .icon')
      .evaluateAll((all) => all.map((icon) => Math.round(icon.getBoundingClientRect().left)))
  await statusOf(page, counted.id).locator('.count').nth(2).waitFor()
  const places = await icons(plain.id)
  assert.equal(places.length, 5)
  assert.deepEqual(await icons(counted.id), places)
  const text = await statusOf(page, plain.id).locator('.status-text').boundingBox()
  assert.ok(Math.abs((places[0] ?? 0) - (text?.x ?? 0)) < 3, 'below the text')

  await goTo(page, `/@cleo/${quoting.id}`)
  const header = page.locator('.quoted-header')
  const widthOf = (selector: string): Promise<number> =>
    header.locator(selector).evaluate((element) => element.getBoundingClientRect().width)
  await header.waitFor()
  assert.ok((await widthOf('.display-name')) > 150)
  assert.ok(
    await header
      .locator('.handle')
      .evaluate((handle) => handle.getBoundingClientRect().top >= handle.parentElement!.getBoundingClientRect().bottom),
  )
  assert.equal(await isWide(page), false)
  await ben.client.v1.accounts.updateCredentials({ displayName: '' })
})

test(
  'a quote of another server that no approval came with leads to what it quotes',
  { skip: skipBrowser },
  async () => {
    const eve = await peer.actor('eve')
    const quoted = peer.create(eve, { content: '<p>What was said</p>' }).object
    peer.serve(new URL(quoted.id).pathname, quoted)
    const mal = await peer.actor('mal')
    const uri = `http://${server.domain}/users/ada`
    const activity = peer.create(mal, {
      content: `<p>Indeed<span class="quote-inline"><br>RE: <a href="${quoted.id}">${quoted.id}</a></span></p>`,
      _misskey_quote: quoted.id,
      quoteUrl: quoted.id,
      cc: [uri],
      tag: [{ type: 'Mention', href: uri, name: '@ada' }],
    })
    assert.equal(await peer.send(server, mal, activity), 202)
    await server.drain()
    const [mention] = await ada.get('/api/v1/notifications?types[]=mention')
    assert.equal(mention.status.quote.state, 'pending')
    const page = await browser.goOn(server, ada, { path: `/@mal@${peer.domain}/${mention.status.id}` })
    await page.getByText('This quote waits for the approval of the quoted author.').waitFor()
    const link = page.locator(`.quote-inline a[href="${quoted.id}"]`)
    assert.ok(await link.isVisible())
  },
)

test(
  'audio and videos of other servers show their covers, and audio without one plays too',
  { skip: skipBrowser },
  async () => {
    const body = await pngOf(90, 60, 'teal')
    const icon = { type: 'Image', url: peer.serve('/cover.png', { type: 'image/png', body }) }
    const media = (type: string, name: string, cover: object): object => ({
      type,
      url: `${peer.url}/${name}`,
      name,
      icon: cover,
    })
    const ida = await peer.actor('ida')
    const uri = `http://${server.domain}/users/ada`
    const activity = peer.create(ida, {
      cc: [uri],
      tag: [{ type: 'Mention', href: uri, name: '@ada' }],
      attachment: [
        media('Video', 'first.mp4', icon),
        media('Audio', 'second.mp3', icon),
        media('Audio', 'third.mp3', { type: 'Image', url: `${peer.url}/missing.png` }),
      ],
    })
    assert.equal(await peer.send(server, ida, activity), 202)
    await server.drain()
    const [mention] = await ada.get('/api/v1/notifications?types[]=mention')
    const path = `/@ida@${peer.domain}/${mention.status.id}`
    const page = await browser.goOn(server, ada, { path, expectedErrors: /404/ })
    const status = statusOf(page, mention.status.id)
    const [video, song, other] = mention.status.media_attachments
    assert.equal(await status.locator('video').getAttribute('poster'), video.preview_url)
    const players = status.locator('.media-audio')
    await players.nth(0).scrollIntoViewIfNeeded()
    assert.equal(await players.nth(0).locator('img').getAttribute('src'), song.preview_url)
    await players.nth(1).locator('img').waitFor({ state: 'hidden' })
    const second = players.nth(1).locator('audio')
    assert.ok(await second.isVisible())
    const isPaused = () => status.locator('video').evaluate((each: HTMLMediaElement) => each.paused && !each.ended)
    const play = (media: Locator) => media.evaluate((each: HTMLMediaElement) => void each.play().catch(() => {}))
    for (const { url } of [video, other])
      await page.route(url, (route) => route.fulfill({ contentType: 'audio/wav', body: tone(10) }))
    // Browsers play no sound before a click.
    await page.getByRole('heading', { level: 1 }).click()
    await play(status.locator('video'))
    assert.equal(await isPaused(), false)
    await play(second)
    await eventually(isPaused)
    assert.deepEqual(await axeViolations(page, '#main'), [])
  },
)

test('a thread shows where it branches, and grows without moving', { skip: skipBrowser }, async () => {
  const root = await post(ben, { status: 'The first of many' })
  const answer = await post(cleo, { status: '@ben An answer', in_reply_to_id: root.id })
  const one = await post(ben, { status: '@cleo One side', in_reply_to_id: answer.id })
  await post(cleo, { status: '@ben Below that side', in_reply_to_id: one.id })
  await post(ada, { status: '@cleo Another side', in_reply_to_id: answer.id })
  const rude = await post(await server.person('emil'), { status: '@cleo Something rude', in_reply_to_id: answer.id })
  const page = await browser.goOn(server, ada, {
    path: `/@cleo/${answer.id}`,
    expectedErrors: /status of 404/,
  })
  await page.getByText('The first of many').waitFor()
  await page.getByText('Below that side').waitFor()
  await eventually(async () => {
    const top = (await statusOf(page, answer.id).boundingBox())?.y ?? 0
    return top >= 0 && top < 90
  })
  await page.getByRole('button', { name: 'Hide 1 reply' }).click()
  await page.getByText('Below that side').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show 1 reply' }).click()
  await page.getByText('Below that side').waitFor()

  const live = await post(ben, { status: '@ada @cleo A live one', in_reply_to_id: answer.id })
  await page.getByRole('button', { name: 'Show 1 more reply' }).click()
  await statusOf(page, live.id).waitFor()
  await ben.delete(`/api/v1/statuses/${live.id}`)
  await statusOf(page, live.id).waitFor({ state: 'detached' })
  await statusOf(page, rude.id).getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Block…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).press('Enter')
  await statusOf(page, rude.id).waitFor({ state: 'detached' })
  await page.locator('h1:focus').waitFor()
  await server.person('dora')
  const crowded = await post(ben, { status: '@ada @cleo @dora I agree with all', in_reply_to_id: answer.id })
  await page.getByRole('button', { name: 'Show 1 more reply' }).click()
  await statusOf(page, crowded.id).getByRole('button', { name: 'and 2 others' }).click()
  await statusOf(page, crowded.id).getByRole('link', { name: '@dora' }).waitFor()
  await page.mouse.move(0, 0)
  assert.deepEqual(await axeViolations(page, '#main'), [])

  // The server is still fetching replies from other servers when the context is read.
  await page.route('**/context', async (route) => {
    const response = await route.fetch()
    const header = { 'mastodon-async-refresh': 'id="refresh", retry=1' }
    await route.fulfill({ response, headers: { ...response.headers(), ...header } })
  })
  const refresh = { async_refresh: { id: 'refresh', status: 'finished', result_count: 1 } }
  // Another thread may still ask for its own.
  await page.route('**/async_refreshes/refresh', async (route) => {
    await post(cleo, { status: 'From far away', in_reply_to_id: answer.id })
    await route.fulfill({ json: refresh })
  })
  await goTo(page, `/@cleo/${answer.id}`)
  await page.getByRole('button', { name: 'Show 1 more reply' }).click()
  await page.getByText('From far away').waitFor()

  const secret = await post(ben, { status: 'For my followers', visibility: 'direct' })
  await goTo(page, `/@ben/${secret.id}`)
  await page.getByText('This post was deleted, or you may not see it.').waitFor()
  // One may still be on its way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('links to posts open here, and those of this server show below the text', { skip: skipBrowser }, async () => {
  const linked = (await post(ben, { status: 'What the link leads to', spoiler_text: 'A secret' })) as any
  const gone = (await post(ben, { status: 'Soon gone' })) as any
  const muted = (await post(cleo, { status: 'By a muted account' })) as any
  const eve = await peer.actor('eve')
  const article = `https://www.news.test/${'a-long-path/'.repeat(20)}`
  // As Misskey sends links and hashtags.
  const trap =
    '<a href="https://www.evil.test/"><span class="invisible">https://evil.test/</span>www.bank.test/login</a>'
  const content = `<p>Far away <a href="${article}">${article}</a> or ${trap}</p><p><a href="${peer.url}/tags/owls" rel="tag">#owls</a></p>`
  const far = {
    ...peer.create(eve, { content, tag: [{ type: 'Hashtag', name: '#owls', href: `${peer.url}/tags/owls` }] }).object,
    id: `${peer.url}/users/eve/statuses/12345678901`,
  }
  peer.serve(new URL(far.id).pathname, far)
  const lost = `${peer.url}/notes/nothinghere`
  await ben.delete(`/api/v1/statuses/${gone.id}`)
  await ada.post(`/api/v1/accounts/${cleo.id}/mute`)
  for (const each of [linked, gone, muted]) await post(ben, { status: `#look ${each.url} ${each.id}` })
  await post(ben, { status: `#look Far: ${far.id}` })
  await post(ben, { status: `#look Lost: ${lost}` })
  const page = await browser.goOn(server, ada, { path: '/bookmarks', expectedErrors: /@ben.*404/ })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await goTo(page, '/tags/look')
  const main = page.locator('#main')
  const item = (text: string) => main.locator('article[data-status]', { hasText: text })
  const embedded = item(linked.id).getByRole('blockquote', { name: 'Linked post' })
  await embedded.getByText('A secret').waitFor()
  // All of them in one request.
  const asked = requests.filter((address) => /\/api\/v1\/statuses\?/.test(address))
  assert.equal(asked.length, 1)
  for (const each of [linked, gone, muted]) assert.ok(asked[0]?.includes(each.id))
  assert.equal(await main.getByRole('blockquote').count(), 1)
  assert.ok(!requests.some((address) => address.includes('/search')))
  assert.deepEqual(await axeViolations(page, '#main'), [])

  await embedded.getByRole('button', { name: 'Show more' }).click()
  await embedded.getByText('What the link leads to').click()
  await page.waitForURL(`**/@ben/${linked.id}`)
  await page.goBack()
  await item(gone.id).locator(`.rich-text a[href$="/${gone.id}"]`).click()
  await page.getByText('This post was deleted, or you may not see it.').waitFor()
  await page.goBack()

  await item('Far:').locator(`a[href="${far.id}"]`).click()
  await page.waitForURL(/\/@eve@[^/]+\/\d+$/)
  await main.getByText('Far away').waitFor()
  assert.equal(await main.locator('.tag-row a').getAttribute('href'), '/tags/owls')
  const long = main.locator(`a[href="${article}"]`)
  assert.equal(await long.locator('.ellipsis').textContent(), 'news.test/a-long-path/a-long-p')
  assert.equal(await long.textContent(), article)
  assert.deepEqual(await main.locator('.link-host').allTextContents(), [' [evil.test]'])
  await page.goBack()
  await item('Lost:').locator(`a[href="${lost}"]`).click()
  await page.getByText('There is no profile or post at this address').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Open original page' }).getAttribute('href'), lost)
  await ada.post(`/api/v1/accounts/${cleo.id}/unmute`)
})

test('posts of other servers show below a link when the viewer asks', { skip: skipBrowser }, async () => {
  const eve = await peer.actor('eve2')
  const path = '/users/eve2/statuses/22345678901'
  const published = '2024-02-03T12:00:00.000Z'
  const note = peer.create(eve, { content: '<p>Said elsewhere</p>', published }).object
  const url = `${peer.url}${path}`
  await post(ben, { status: `#farlook Read ${url}` })
  await post(ben, { status: `#farlook A site ${peer.url}/about` })
  const page = await browser.goOn(server, ada, { path: '/bookmarks', expectedErrors: /500/ })
  const searches: string[] = []
  page.on('request', (request) => request.url().includes('/api/v2/search') && searches.push(request.url()))
  await goTo(page, '/tags/farlook')
  const main = page.locator('#main')
  const show = main.getByRole('button', { name: 'Show linked post' })
  await show.waitFor()
  assert.equal(await show.count(), 1)
  assert.deepEqual(searches, [])

  const refuse = { status: 500, json: { error: 'Try later' } }
  await page.route('**/api/v2/search*', (route) => route.fulfill(refuse), { times: 1 })
  await show.click()
  await page.getByRole('alert').filter({ hasText: 'Try later' }).waitFor()
  // Nothing is there yet.
  await show.click()
  await page.getByRole('alert').filter({ hasText: 'There is no profile or post at this address' }).waitFor()

  peer.serve(path, { ...note, id: url })
  await show.press('Enter')
  const embedded = main.getByRole('blockquote', { name: 'Linked post' })
  await embedded.getByText('Said elsewhere').waitFor()
  await embedded.getByText('Feb 3, 2024', { exact: true }).waitFor()
  await embedded.locator('a.quoted-header:focus').waitFor()
  assert.equal(await show.count(), 0)
  assert.deepEqual(await axeViolations(page, '#main'), [])
  await embedded.getByText('Said elsewhere').click()
  await page.waitForURL(/\/@eve2@[^/]+\/\d+$/)
  await page.goBack()
  await embedded.getByText('Said elsewhere').waitFor()
  assert.equal(searches.length, 3)
})

test('one button shows all that a thread hides', { skip: skipBrowser }, async () => {
  const first = await post(ben, { status: 'The murderer is the gardener', spoiler_text: 'A film' })
  const media_ids = [await uploadImage(cleo)]
  await post(cleo, { status: '@ben Look at his hands', in_reply_to_id: first.id, media_ids, sensitive: true })
  await post(cleo, { status: '@ben Obviously', in_reply_to_id: first.id, spoiler_text: 'The same film' })
  const calm = await post(ben, { status: 'Nothing to hide' })
  const page = await browser.goOn(server, ada, { path: `/@ben/${first.id}` })
  const reveal = page.getByRole('button', { name: 'Show everything that is hidden' })
  const hidden = [page.getByText('The murderer is'), page.getByText('Obviously')]
  await page.getByText('Sensitive content').waitFor()
  for (const text of hidden) assert.equal(await text.count(), 0)
  await reveal.press('Enter')
  for (const text of hidden) await text.waitFor()
  await page.getByText('Sensitive content').waitFor({ state: 'detached' })
  // One of them is hidden: the button shows it again.
  await page.getByRole('button', { name: 'Show less' }).first().click()
  await hidden[0]?.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show everything that is hidden', pressed: false }).click()
  await hidden[0]?.waitFor()
  await page.getByRole('button', { name: 'Show everything that is hidden', pressed: true }).click()
  for (const text of hidden) await text.waitFor({ state: 'detached' })
  await goTo(page, `/@ben/${calm.id}`)
  await page.locator('.status-detail').getByText('Nothing to hide').waitFor()
  assert.equal(await reveal.count(), 0)
})
