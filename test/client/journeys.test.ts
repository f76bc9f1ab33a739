// Journeys through the client that cross servers, sessions and browsers, and what people write to break it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../support/database.ts'
import { clientBrowser, goTo, hasLoaded, skipBrowser } from '../support/client.ts'
import { browser as browserWithoutScripts } from '../support/forms.ts'
import { uploadImage } from '../support/images.ts'
import { handleOf, startNetwork } from '../support/network.ts'
import { eventually, type Person } from '../support/server.ts'

const network = await startNetwork(['here', 'there'])
after(() => network.stop())
const { here, there } = network
const browser = clientBrowser()
const [ada, ben] = [await here.person('ada'), await there.person('ben')]

type Post = { id: string; uri: string }
const post = (person: Person, status: string, more: object = {}): Promise<Post> =>
  person.post('/api/v1/statuses', { status, ...more })

test('people of two servers find, follow and answer each other, live', { skip: skipBrowser }, async () => {
  const page = await browser.show(here, ada, { path: '/search' })
  await page
    .getByRole('searchbox')
    .or(page.getByRole('combobox'))
    .first()
    .fill(`@${handleOf(there, ben)}`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await eventually(async () => (await ben.get(`/api/v1/accounts/${ben.id}/followers`)).length === 1)
  await network.drain()
  await goTo(page, '/home')

  const news = await post(ben, 'News from there')
  await network.drain()
  await page
    .getByRole('button', { name: /new post/ })
    .or(page.getByText('News from there'))
    .first()
    .click()
  const arrived = page.locator('[data-status]', { hasText: 'News from there' }).first()
  await arrived.getByRole('button', { name: /^Reply/ }).click()
  const below = page.getByRole('region', { name: 'Reply' })
  await below.getByRole('textbox').first().pressSequentially('Good to hear')
  await below.getByRole('button', { name: 'Post', exact: true }).click()
  await eventually(
    async () => (await here.database.raw(`select from statuses where text like '%Good to hear'`)).rows.length,
  )
  await network.drain()
  const reply = await eventually(async () => {
    const received = (await ben.get('/api/v1/notifications')) as { type: string; status: any }[]
    return received.length === 2 && received.find(({ type }) => type === 'mention')?.status
  })
  assert.equal(reply.in_reply_to_id, news.id)
  assert.match(reply.content, /Good to hear/)
  await ben.post('/api/v1/statuses', { status: `@${handleOf(here, ada)} It is`, in_reply_to_id: reply.id })
  await network.drain()
  await page
    .getByRole('link', { name: /Notifications/ })
    .getByText('1', { exact: true })
    .waitFor()
})

const HTML = '<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>'
const BIDI = '\u202Eoverridden\u2066isolated\u202Dagain'
const WORD = 'w'.repeat(400)
const ZERO_WIDTH = '\u200B\u200D\uFEFF'.repeat(10)
const EMOJIS = '🪿'.repeat(100)
const HOSTILE = `${HTML}${BIDI}${ZERO_WIDTH}${WORD}`

/** An account with something hostile wherever others see its words; returns where. */
async function attack(): Promise<string[]> {
  const troll = await here.person('troll')
  await troll.client.v1.accounts.updateCredentials({
    note: HOSTILE.slice(0, 500),
    discoverable: true,
    bot: true,
    fieldsAttributes: [{ name: 'W'.repeat(255), value: `<b onclick=x>${'W'.repeat(200)}` }],
  })
  // As another server may send it.
  await here.database.raw('update accounts set display_name = $2, note = note || $3 where id = $1', [
    troll.id,
    `${HTML}${BIDI}${WORD}`,
    `<p>${'x'.repeat(5000)}</p>`,
  ])
  const image = await uploadImage(troll)
  await troll.put(`/api/v1/media/${image}`, { description: HOSTILE })
  const options = [HTML.slice(0, 50), 'W'.repeat(50), EMOJIS.slice(0, 40)]
  const status = await post(troll, HOSTILE.slice(0, 500))
  await post(troll, EMOJIS, { media_ids: [image] })
  await post(troll, BIDI, { poll: { options, expires_in: 3600 } })
  await post(troll, 'warned', { spoiler_text: `${HTML}${WORD}`.slice(0, 490) })
  const long = await post(troll, 'long')
  await here.ctx.db.run(sql`update statuses set content = ${`<p>${'y'.repeat(5000)}</p>`} where id = ${long.id}`)
  const list = await ada.post('/api/v1/lists', { title: HOSTILE.slice(0, 200) })
  const keywords_attributes = [{ keyword: 'warned' }]
  await ada.post('/api/v2/filters', { title: HOSTILE.slice(0, 200), context: ['home', 'public'], keywords_attributes })
  await ada.post('/api/v1/collections', { name: `${HTML.slice(0, 20)}${'W'.repeat(20)}` })
  await ada.post(`/api/v1/accounts/${troll.id}/follow`)
  await ada.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [troll.id] })
  await post(troll, `@ada ${HTML}`, { visibility: 'direct' })
  const linked = await post(troll, `#${'W'.repeat(90)} :${'w'.repeat(30)}:`)
  const shapes = [await uploadImage(troll, 4000, 12), await uploadImage(troll, 12, 4000)]
  const shaped = await post(troll, ZERO_WIDTH + WORD, { media_ids: shapes })
  const mine = await post(ada, 'To be favourited')
  await troll.post(`/api/v1/statuses/${mine.id}/favourite`)
  await troll.post(`/api/v1/accounts/${ada.id}/follow`)
  await here.drain()
  await here.ctx.db.run(sql`
    with card as (
      insert into preview_cards (link, url, title, description, author_name, provider_name, hosts, fetched_at)
      values ('https://w.test/', 'https://w.test/', ${HOSTILE}, ${WORD.repeat(12)}, ${HOSTILE}, ${HOSTILE}, '{w.test}', now()) returning id)
    update statuses set card_id = (select id from card) where id = ${linked.id}`)
  await here.ctx.db.run(sql`
    insert into announcements (text, published, published_at) values (${HOSTILE + EMOJIS}, true, now())`)
  return [
    '/home',
    '/@troll',
    '/@troll/media',
    `/@troll/${status.id}`,
    `/lists/${list.id}`,
    '/lists',
    '/filters',
    '/collections',
    '/notifications',
    '/conversations',
    '/deck',
    `/@troll/${long.id}`,
    `/@troll/${linked.id}`,
    `/@troll/${shaped.id}`,
    `/@ada/${mine.id}/favourites`,
    `/search?q=${'w'.repeat(60)}`,
    '/search?q=troll&type=accounts',
    '/directory',
  ]
}

/** How much wider than the window the document is, and by what. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const outside = [...document.querySelectorAll('#main *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`${scrollWidth} wide`, ...outside.slice(0, 3).map((element) => element.outerHTML.slice(0, 160))]
  })

/** Texts with an override of the direction that share a line with other texts and are not isolated from them. */
const leakingDirection = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector('#main') ?? document.body, NodeFilter.SHOW_TEXT)
    const leaking: string[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent ?? ''
      let element = walker.currentNode.parentElement
      if (!text.includes('\u202E') || !element?.checkVisibility()) continue
      const isolates = (each: Element) => /isolate|plaintext/.test(getComputedStyle(each).unicodeBidi)
      while (element && !isolates(element) && getComputedStyle(element).display === 'inline')
        element = element.parentElement
      if (element && !isolates(element) && element.textContent?.trim() !== text.trim())
        leaking.push(`direction of ${element.outerHTML.slice(0, 160)}`)
    }
    return leaking
  })

test('nothing that people write runs or breaks the layout', { skip: skipBrowser }, async () => {
  const addresses = await attack()
  const page = await browser.show(here, ada, { viewport: { width: 320, height: 640 } })
  const problems: Record<string, unknown> = {}
  for (const address of addresses) {
    await goTo(page, address)
    await hasLoaded(page)
    if (address === '/home') {
      await page.getByRole('img', { name: 'Automated' }).first().waitFor()
      await page.getByRole('button', { name: 'Announcements: 1' }).click()
    }
    const found = [...(await overflow(page)), ...(await leakingDirection(page))]
    if (found.length > 0) problems[address] = found
    assert.equal(await page.evaluate('window.broken'), undefined)
    assert.equal(await page.locator('#main img[src="x"], #main script, .display-name b').count(), 0)
    await page.keyboard.press('Escape')
  }
  assert.deepEqual(problems, {})
})

test('a session that was ended elsewhere says so, and offers to sign in', { skip: skipBrowser }, async () => {
  const page = await browser.open(here, ada, { path: '/home', expectedErrors: /401|WebSocket/ })
  const other = browserWithoutScripts(here)
  await other.signIn(ada.email, ada.password)
  const sessions = await other.get('/settings/sessions')
  const ended = await other.submit(sessions, {}, { action: '/settings/sessions/end_others' })
  assert.match(ended.text, /All other browsers are signed out/)
  // Without a request of the page.
  const notice = page.locator('.frame-notice', { hasText: 'You have been signed out.' })
  await notice.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL(/\/auth\/sign_in\?next=%2F/)
})

test('a browser that lacks what the client needs shows the pages of the server', { skip: skipBrowser }, async () => {
  const page = await browser.open(here, ada, {
    path: '/@ada?max_id=1',
    prepare: (opening) => opening.addInitScript('delete HTMLElement.prototype.showPopover'),
  })
  await page.locator('a[href$="client=on"]').waitFor()
  assert.equal(page.url(), `http://${here.domain}/@ada?max_id=1`)
})
