// The timelines of the client: live, without moving what is read; positions; boosts; columns; Catch up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, scrollUntil, shortenIntervals, skipBrowser, storedIn } from '../support/client.ts'
import { uploadImage } from '../support/images.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { startSite } from '../support/website.ts'

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'] })
const browser = clientBrowser()

const post = (person: Person, status: string, more: object = {}) =>
  person.post('/api/v1/statuses', { status, ...more }) as Promise<{ id: string }>

/** The number of the first status in view, and its distance from the top of the window. */
const firstInView = (page: Page): Promise<{ text: string; top: number }> =>
  page.locator('#main [data-status]').evaluateAll((all) => {
    const first = all.find((each) => each.getBoundingClientRect().bottom > 120)
    return {
      text: /Post number \d+/.exec(first?.textContent ?? '')?.[0] ?? '',
      top: Math.round(first?.getBoundingClientRect().top ?? 0),
    }
  })

/** The same, once nothing has moved for ten looks. */
async function atRest(page: Page): ReturnType<typeof firstInView> {
  let last = await firstInView(page)
  let same = 0
  await eventually(async () => {
    const now = await firstInView(page)
    same = now.text === last.text && now.top === last.top ? same + 1 : 0
    last = now
    return same === 10
  })
  return last
}

test('home is live, never moves what is read, and opens where it was left', { skip: skipBrowser }, async () => {
  await ada.post(`/api/v1/accounts/${ben.id}/follow`)
  await ada.post(`/api/v1/accounts/${cleo.id}/follow`)
  const ids: string[] = []
  for (let number = 1; number <= 32; number += 1)
    ids[number] = (await post(ben, `Post number ${number}. ${'Some words. '.repeat(number % 7)}`)).id
  const page = await browser.show(server, ada, { path: '/home' })
  await page.getByText('Post number 32.').waitFor()
  // What turns below the last post would cost power all the time.
  await eventually(() => page.evaluate(() => document.getAnimations().every((each) => each.playState !== 'running')))
  // A mouse finds nothing to pull.
  assert.equal(await page.locator('.pull-to-refresh').count(), 0)
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY), 'auto')
  // The older posts load while one scrolls.
  await scrollUntil(page, () => page.getByText('Post number 10.').isVisible())
  // The first one on the screen goes, and the next one stays where it is.
  await atRest(page)
  const first = await page
    .locator('#main [data-status]')
    .evaluateAll((all) => all.find((each) => each.getBoundingClientRect().bottom > 0)?.textContent ?? '')
  const number = Number(/Post number (\d+)/.exec(first)?.[1])
  const next = page.locator('#main [data-status]', { hasText: `Post number ${number - 1}.` })
  const topOfNext = (): Promise<number> => next.evaluate((element) => element.getBoundingClientRect().top)
  const top = await topOfNext()
  await ben.delete(`/api/v1/statuses/${ids[number]}`)
  await page.getByText(`Post number ${number}.`).waitFor({ state: 'detached' })
  await eventually(async () => Math.abs((await topOfNext()) - top) < 5)

  const before = await atRest(page)
  const live = await post(ben, 'Fresh from the press')
  const pill = page.getByRole('button', { name: '1 new post' })
  await pill.waitFor()
  assert.deepEqual(await firstInView(page), before)

  // One that is in view: the click on any other would scroll first.
  const inView = Number(/\d+/.exec(before.text)?.[0]) - 2
  await page
    .locator('[data-status]', { hasText: `Post number ${inView}.` })
    .locator('.status-time')
    .click()
  await page.waitForURL(/\/@ben\/\d+$/)
  await page.goBack()
  await page.waitForURL(/\/home$/)
  await eventually(async () => (await firstInView(page)).text === before.text)
  await page.reload()
  await eventually(async () => (await firstInView(page)).text === before.text)
  await goTo(page, '/filters/new')
  await page.getByRole('textbox', { name: 'Word or phrase' }).fill('Post number 32')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'Post number 32' }).waitFor()
  const renewed = page.waitForResponse('**/api/v1/timelines/home?max_id*')
  await goTo(page, '/home')
  await renewed
  assert.equal((await atRest(page)).text, before.text)

  // Home leads to its top, and there to what is new.
  const home = page.getByRole('link', { name: 'Home', exact: true })
  await pill.waitFor()
  await home.click()
  await eventually(async () => (await page.evaluate('scrollY')) === 0)
  await home.click()
  await page.getByText('Fresh from the press').waitFor()
  // The page scrolls one frame after it shows the new post.
  await eventually(async () => (await page.evaluate('scrollY')) === 0)
  await ben.delete(`/api/v1/statuses/${live.id}`)
  await page.getByText('Fresh from the press').waitFor({ state: 'detached' })
})

test('a boost names who boosted, and threads follow their first post', { skip: skipBrowser }, async () => {
  const liked = await post(cleo, 'Everyone boosts this')
  const dan = await server.person('dan')
  const eve = await server.person('eve')
  await ada.post(`/api/v1/accounts/${cleo.id}/unfollow`)
  for (const booster of [dan, eve]) {
    await ada.post(`/api/v1/accounts/${booster.id}/follow`)
    await booster.post(`/api/v1/statuses/${liked.id}/reblog`)
  }
  const first = await post(ben, 'A thread begins')
  await post(ben, 'and ends', { in_reply_to_id: first.id })
  const page = await browser.show(server, ada, { path: '/home' })
  await page.getByText(/^(dan|eve) boosted$/).waitFor()
  assert.equal(await page.getByText('Everyone boosts this').count(), 1)
  // The reply comes after the post that it continues.
  await eventually(async () => {
    const order = await page.locator('#main [data-status]').allInnerTexts()
    const at = order.findIndex((text) => text.includes('A thread begins'))
    return at >= 0 && order[at + 1]?.includes('and ends')
  })

  // Boosts in a row are leafed through.
  const poll = { options: ['Oak', 'Elm'], expires_in: 3600 }
  for (let number = 1; number <= 4; number += 1)
    await eve.post(`/api/v1/statuses/${(await post(cleo, `Leaf ${number}`, { poll })).id}/reblog`)
  await page.getByRole('button', { name: '4 new posts' }).click()
  const run = page.getByRole('region', { name: '4 boosts' })
  const isInView = (text: string) =>
    run.getByText(text).evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      const list = element.closest('[role=list]')?.getBoundingClientRect()
      return list !== undefined && left >= list.left && right <= list.right
    })
  await run.getByText('Leaf 4').waitFor()
  assert.equal(await isInView('Leaf 1'), false)
  // Content further on in them, such as the invisible label of a poll, does not widen the page.
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
    false,
  )
  await run.getByRole('button', { name: 'Next boosts' }).press('Enter')
  await eventually(() => isInView('Leaf 2'))
  await page.keyboard.press('Shift+Tab')
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.press('j')
  await eventually(() => isInView('Leaf 1'))
  await eventually(() => run.getByRole('button', { name: 'Next boosts' }).isDisabled())
  await goTo(page, '/appearance')
  await page.getByLabel('Group boosts that follow each other').uncheck()
  await goTo(page, '/home')
  await page.getByText('Leaf 1').waitFor()
  assert.equal(await run.count(), 0)
  await goTo(page, '/appearance')
  await page.getByLabel('Group boosts that follow each other').check()
  await goTo(page, '/home')
  await run.waitFor()
})

test('the first steps of a newcomer move no post', { skip: skipBrowser }, async () => {
  const [nia, otto] = await Promise.all([server.person('nia'), server.person('otto')])
  await otto.post('/api/v1/statuses', { status: 'The only post' })
  await nia.post(`/api/v1/accounts/${otto.id}/follow`)
  await server.drain()
  const addUpShifts = (): void =>
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as unknown as { value: number }[])
        document.documentElement.dataset.shift = String(Number(document.documentElement.dataset.shift ?? 0) + value)
    }).observe({ type: 'layout-shift', buffered: true })
  const page = await browser.show(server, nia, {
    ownPage: true,
    path: '/home',
    prepare: (opening) => opening.addInitScript(addUpShifts),
  })
  await page.getByText('The only post').waitFor()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.waitForLoadState('networkidle')
  const shift = Number(await page.evaluate(() => document.documentElement.dataset.shift ?? 0))
  assert.ok(shift < 0.05, `the layout shifted by ${shift}`)
  await page.getByRole('button', { name: 'New post' }).press('Enter')
  await page.getByRole('textbox', { name: 'Text of the post' }).fill('My first')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Posted').waitFor()
  const heading = page.getByRole('heading', { name: 'Home', level: 1 })
  assert.ok(
    await heading.evaluate((element) => element === document.activeElement),
    'the step is done and its button gone',
  )
})

test('columns are added, moved by keyboard and by dragging, and remembered', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/deck' })
  const titles = () => page.locator('.deck-column h1').allInnerTexts()
  await eventually(async () => (await titles()).length === 3)
  await page.getByRole('button', { name: 'Add column' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bookmarks' }).click()
  await eventually(async () => (await titles()).join() === 'Home,Notifications,This server,Bookmarks')
  const choose = async (column: number, name: string) => {
    await page.locator('.deck-column').nth(column).getByRole('button', { name: 'Column options' }).press('Enter')
    await page.getByRole('menuitem', { name }).press('Enter')
  }
  await choose(1, 'Move towards the start')
  await eventually(async () => (await titles()).join() === 'Notifications,Home,This server,Bookmarks')
  await choose(2, 'Remove column')
  await eventually(async () => (await titles()).join() === 'Notifications,Home,Bookmarks')
  const columns = page.locator('.deck-column')
  await columns.nth(2).locator('.column-grip').hover()
  await page.mouse.down()
  for (const column of [1, 0, 0]) await columns.nth(column).locator('h1').hover()
  await page.locator('.deck-column').nth(0).and(page.locator('[data-landing=before]')).waitFor()
  assert.equal(await page.locator('[data-landing]').count(), 1)
  await page.mouse.up()
  await page.locator('[data-landing]').waitFor({ state: 'detached' })
  await eventually(async () => (await titles()).join() === 'Bookmarks,Notifications,Home')
  await page.reload()
  await eventually(async () => (await titles()).join() === 'Bookmarks,Notifications,Home')
})

test(
  'timelines of lists and hashtags are live; that of a link is new at each visit',
  { skip: skipBrowser },
  async () => {
    await ada.post(`/api/v1/accounts/${ben.id}/follow`)
    await ben.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
    const list = await ada.post('/api/v1/lists', { title: 'Gardeners' })
    await ada.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [ben.id] })
    const site = await startSite()
    const link = site.serve('/weeds', { body: '<title>All about weeds</title>' })
    await post(ben, `A first look at #weeds ${link}`)
    await server.drain()
    const page = await browser.goOn(server, ada, { path: `/lists/${list.id}` })
    const shared = `/links?url=${encodeURIComponent(link)}`
    for (const [path, text] of [
      [`/lists/${list.id}`, 'Seen in the list'],
      ['/tags/weeds', 'Seen at the hashtag'],
    ] as const) {
      await goTo(page, path)
      await page.getByText('A first look').waitFor()
      await post(ben, `${text} #weeds ${link}`)
      // Of others, in neither.
      await post(cleo, 'Slugs')
      await page.getByRole('button', { name: '1 new post' }).waitFor()
      assert.equal(await page.getByText(text).count(), 0)
      await page.getByRole('button', { name: '1 new post' }).click()
      await page.getByText(text).waitFor()
    }
    await server.drain()
    await goTo(page, shared)
    await page.getByText('Seen at the hashtag').waitFor()
    await page.getByText('A first look').waitFor()
    await site.stop()
  },
)

test('Catch up shows the last hours by author and link', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/catch-up' })
  await page.getByRole('button', { name: 'Catch up' }).click()
  await page.getByRole('group', { name: 'Show' }).waitFor()
  const author = page.getByRole('group', { name: 'Authors' }).getByRole('button', { name: /^dan: 1$/ })
  await author.click()
  await eventually(async () => (await page.locator('#main [data-status]').count()) === 1)
  await author.click()
  await page.getByRole('combobox').selectOption('oldest')
  await page.getByText('Post number 1.', { exact: false }).first().waitFor()
  assert.deepEqual(await axeViolations(page, '#main'), [])
})

test('a hashtag is followed and featured, and a list that does not exist says so', { skip: skipBrowser }, async () => {
  const tagged = await post(ben, 'About #gardening')
  await ada.post(`/api/v1/statuses/${tagged.id}/bookmark`)
  const page = await browser.goOn(server, ada, { path: '/bookmarks', expectedErrors: /lists\/999999.*404/ })
  await page.getByRole('link', { name: '#gardening' }).click()
  const { promise: chosen, resolve: choose } = Promise.withResolvers<void>()
  await page.route('**/tags/gardening/*', (route) => chosen.then(() => route.continue()))
  // The choices show before the server has answered, and the last ones remain.
  for (const name of ['Follow hashtag', 'Unfollow hashtag', 'Follow hashtag', 'Feature on profile'])
    await page.getByRole('button', { name, exact: true }).click()
  choose()
  await eventually(async () => (await ada.get('/api/v1/tags/gardening')).featuring)
  assert.equal((await ada.get('/api/v1/tags/gardening')).following, true)
  await page.getByRole('button', { name: 'Unfollow hashtag' }).waitFor()
  // Its posts leave Home with it.
  await post(await server.person('gardener'), 'Thistles #gardening')
  await server.drain()
  await goTo(page, '/home')
  await page.getByRole('button', { name: /new post/ }).click()
  await page.getByText('Thistles').waitFor()
  await goTo(page, '/tags/gardening')
  await page.getByRole('button', { name: 'Unfollow hashtag' }).click()
  await eventually(async () => !(await ada.get('/api/v1/tags/gardening')).following)
  await goTo(page, '/home')
  await page.getByText('Thistles').waitFor({ state: 'detached' })
  await goTo(page, '/lists/999999')
  await page.getByRole('alert').waitFor()
})

test(
  'the chosen theme colours the bars of the browser and the pages of the server',
  { skip: skipBrowser },
  async () => {
    const page = await browser.show(server, ada, { path: '/appearance', colorScheme: 'light' })
    const barColour = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
            ({ media }) => matchMedia(media).matches,
          )?.content,
      )
    const turns = (colour: string) => eventually(async () => (await barColour()) === colour)
    await turns('#f6f4ef')
    await page.getByLabel('Dark').check()
    await turns('#14131a')
    await page.getByRole('group', { name: 'Theme' }).getByLabel('Same as the system').check()
    await turns('#f6f4ef')
    await page.emulateMedia({ colorScheme: 'dark' })
    await turns('#14131a')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByLabel('Dark').check()
    await turns('#14131a')
    for (const path of ['/home', '/settings']) {
      await page.goto(`http://${server.domain}${path}`)
      assert.equal(await barColour(), '#14131a', path)
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark', path)
    }
  },
)

test('home offers to go on where another app has read, and stays until then', { skip: skipBrowser }, async () => {
  const reader = await server.person('reader')
  await reader.post(`/api/v1/accounts/${cleo.id}/follow`)
  const chapters: { id: string }[] = []
  for (let number = 1; number <= 10; number += 1) chapters.push(await post(cleo, `Chapter ${number}.`))
  const page = await browser.show(server, reader, { path: '/appearance' })
  const hasRead = (chapter: number) =>
    eventually(
      async () =>
        (await reader.get('/api/v1/markers?timeline[]=home')).home?.last_read_id === chapters[chapter - 1]?.id,
    )
  await shortenIntervals(page)
  await goTo(page, '/home')
  await page.getByText('Chapter 10.').waitFor()
  await hasRead(10)
  assert.equal(await page.getByRole('button', { name: /^Continue where/ }).count(), 0)
  await page.goto(`http://${server.domain}/appearance`)
  for (let number = 11; number <= 20; number += 1) chapters.push(await post(cleo, `Chapter ${number}.`))
  await reader.post('/api/v1/markers', { home: { last_read_id: chapters[14]?.id } })
  await shortenIntervals(page)
  await goTo(page, '/home')
  const offer = page.getByRole('button', { name: 'Continue where you left off on another device' })
  await offer.waitFor()
  assert.match(await page.locator('#main [data-status]').first().innerText(), /Chapter 10\./)
  assert.deepEqual(await axeViolations(page, '#main'), [])
  await offer.press('Enter')
  await eventually(async () => /Chapter 15\./.test(await page.locator('#main [data-status]').first().innerText()))
  await offer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '5 new posts' }).click()
  await page.getByText('Chapter 20.').waitFor()
  await hasRead(20)
})

test('posts and boosts of the viewer in a tab are never announced as new there', { skip: skipBrowser }, async () => {
  await post(ben, 'An older post')
  const page = await browser.show(server, ada, { path: '/public/local' })
  const pill = page.getByRole('button', { name: /new posts?$/ })
  await page.getByText('An older post').waitFor()
  // The stream is faster than the answer.
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/v1/statuses', async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.locator('.text-input').fill('Sent through a slow network')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await eventually(async () =>
    (await ben.get('/api/v1/timelines/public?local=true&limit=1'))[0].content.includes('slow network'),
  )
  // What comes later shows that the post has come.
  await post(ben, 'Meanwhile')
  await pill.waitFor()
  assert.equal(await pill.textContent(), '1 new post')
  answer.resolve()
  await page.locator('#main [data-status]', { hasText: 'Sent through a slow network' }).waitFor()
  assert.equal(await pill.textContent(), '1 new post')
  await pill.click()
  await page.getByText('Meanwhile').waitFor()
  await page.unroute('**/api/v1/statuses')

  // The answer is faster than the stream.
  await goTo(page, '/home')
  const boosted = page.locator('#main [data-status]', { hasText: 'Meanwhile' })
  await boosted.getByRole('button', { name: /^Boost/ }).click()
  await page.getByRole('menuitem').first().click()
  await boosted.getByRole('button', { name: /^Boosted/ }).waitFor()
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.locator('.text-input').fill('Sent at once')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.locator('#main [data-status]', { hasText: 'Sent at once' }).waitFor()
  await post(ada, 'Sent from another device')
  await pill.waitFor()
  assert.equal(await pill.textContent(), '1 new post')
  await pill.click()

  // What others wrote before it is announced, also when the posts around it are asked for again first.
  await goTo(page, '/bookmarks')
  await post(ben, 'Written while home was closed')
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.locator('.text-input').fill('Sent after it')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Channels' messages have no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  await page.evaluate((id) => new BroadcastChannel(`rookery-${id}`).postMessage('hidden'), ada.id)
  const newer = Promise.withResolvers<void>()
  await page.route('**/api/v1/timelines/home?*since_id*', async (route) => {
    await newer.promise
    await route.continue()
  })
  const renewed = page.waitForResponse('**/api/v1/timelines/home?max_id*')
  await goTo(page, '/home')
  await page.locator('#main [data-status]', { hasText: 'Sent after it' }).waitFor()
  await (await renewed).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  newer.resolve()
  await pill.waitFor()
  assert.equal(await pill.textContent(), '1 new post')
})

/** By keyboard. `isPinned`: whether it is by now. */
async function pin(page: Page, where: string, isPinned = false): Promise<void> {
  await page.getByRole('button', { name: 'Pin this screen' }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: where, checked: isPinned }).press('Enter')
}

test('lists, people and hashtags can be in the navigation', { skip: skipBrowser }, async () => {
  const list = await ada.post('/api/v1/lists', { title: 'Cooks' })
  const page = await browser.goOn(server, ada, { path: `/lists/${list.id}`, expectedErrors: /lists.*404/ })
  const navigation = page.getByRole('navigation', { name: 'Main navigation' })
  const cooks = navigation.getByRole('link', { name: 'Cooks' })
  const leeks = navigation.getByRole('link', { name: '#leeks' })
  await page.getByRole('heading', { name: 'Cooks' }).waitFor()
  await pin(page, 'Show in the navigation')
  assert.equal(await cooks.getAttribute('aria-current'), 'page')
  await goTo(page, '/tags/leeks')
  await pin(page, 'Show in the navigation')
  assert.deepEqual(await axeViolations(page, '.navigation'), [])
  await page.reload()
  await leeks.and(page.locator('[aria-current=page]')).waitFor()

  // A list that has another name, and one that is gone.
  await ada.put(`/api/v1/lists/${list.id}`, { title: 'Chefs' })
  await cooks.click()
  const chefs = navigation.getByRole('link', { name: 'Chefs' })
  await chefs.waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await chefs.waitFor()
  assert.equal(await leeks.isVisible(), false)
  await navigation.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: '#leeks' }).click()
  await page.waitForURL('**/tags/leeks')
  await ada.delete(`/api/v1/lists/${list.id}`)
  await chefs.click()
  await page.getByRole('alert').waitFor()
  await pin(page, 'Show in the navigation', true)
  await chefs.waitFor({ state: 'detached' })
  await leeks.waitFor()
})

test('a hashtag is shown with others, or without, and as a column', { skip: skipBrowser }, async () => {
  await post(ben, 'Only #plums')
  await post(ben, 'Both #plums and #pears')
  await post(ben, 'Rotten #plums #wasps')
  await post(cleo, 'Only #quinces')
  const page = await browser.goOn(server, ada, { path: '/tags/plums' })
  const shown = page.locator('#main [data-status]')
  const shows = (...wanted: string[]) =>
    eventually(async () => {
      const found = await shown.allInnerTexts()
      return found.length === wanted.length && wanted.every((text, at) => found[at]?.includes(text))
    })
  await shows('Rotten', 'Both', 'Only #plums')

  await page.getByRole('button', { name: 'Further hashtags' }).click()
  const field = (name: string) => page.getByRole('textbox', { name })
  await field('But none of these').fill('#wasps, 2026')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('“2026” is not a hashtag.').waitFor()
  await field('But none of these').fill('a b c d e')
  await page.getByText('No more than 4 hashtags are possible.').waitFor()
  assert.deepEqual(await axeViolations(page, '#main'), [])
  await field('But none of these').fill('#wasps')
  await field('Or one of these hashtags').fill('quinces')
  await field('Or one of these hashtags').press('Enter')
  await page.getByRole('heading', { name: '#plums or #quinces without #wasps' }).waitFor()
  await shows('Only #quinces', 'Both', 'Only #plums')
  await page.waitForURL('**/tags/plums?any=quinces&none=wasps')

  // What comes live has to fit, too.
  await post(ben, 'Late #quinces full of #wasps')
  await post(ben, 'Fresh #plums and #quinces')
  await page.getByRole('button', { name: '1 new post' }).click()
  await shows('Fresh', 'Only #quinces', 'Both', 'Only #plums')

  await pin(page, 'Show as a column')
  await page.getByRole('link', { name: 'Columns' }).last().click()
  const column = page.locator('.deck-column').last()
  await column.getByText('Only #quinces').waitFor()
  await column.getByRole('button', { name: 'Further hashtags' }).click()
  await column.getByRole('textbox', { name: 'And all of these' }).fill('pears')
  await column.getByLabel('Only posts of this server').check()
  await column.getByRole('button', { name: 'Show', exact: true }).click()
  await column.getByRole('heading', { name: '#plums or #quinces with #pears without #wasps' }).waitFor()
  await eventually(async () => (await column.locator('[data-status]').count()) === 1)
  await page.reload()
  await column.getByRole('heading', { name: '#plums or #quinces with #pears without #wasps' }).waitFor()

  // The address may come from others.
  await goTo(page, '/tags/plums?none=wasps&any=%3Cb%3E,2026,%23pears&all=,,,')
  await page.getByRole('heading', { name: '#plums or #pears without #wasps' }).waitFor()
  await goTo(page, '/tags/plums?any=pears&none=wasps')
  await pin(page, 'Show as a column')
  await pin(page, 'Show as a column', true)
  await pin(page, 'Show as a column')
})

test('live feeds show only media, numbers are hidden, and home leaves quotes out', { skip: skipBrowser }, async () => {
  const reader = await server.person('painter')
  await reader.post(`/api/v1/accounts/${cleo.id}/follow`)
  const quoted = await post(cleo, 'Easels everywhere')
  await post(cleo, 'As I said', { quoted_status_id: quoted.id })
  await reader.post(`/api/v1/statuses/${quoted.id}/favourite`)
  const painted = () => uploadImage(cleo).then((id) => [id])
  await post(cleo, 'A first painting', { media_ids: await painted() })
  const page = await browser.show(server, reader, { path: '/public/local' })
  const main = page.locator('#main')
  const onlyMedia = page.getByRole('button', { name: 'Only posts with media' })
  await main.getByText('As I said').waitFor()
  await onlyMedia.click()
  await page.waitForURL('**/public/local?only_media=true')
  await main.getByText('A first painting').waitFor()
  assert.equal(await main.getByText('As I said').count(), 0)
  await post(cleo, 'Only words')
  await post(cleo, 'A second painting', { media_ids: await painted() })
  await page.getByRole('button', { name: '1 new post' }).click()
  await main.getByText('A second painting').waitFor()
  assert.equal(await main.getByText('Only words').count(), 0)
  await page.getByRole('link', { name: 'All servers' }).click()
  await main.getByText('A first painting').waitFor()
  await onlyMedia.click()
  await main.getByText('Only words').waitFor()

  const item = main.locator('[data-status]', { hasText: 'Easels everywhere' }).last()
  await item.getByRole('button', { name: 'Favourite: 1' }).waitFor()
  await goTo(page, '/appearance')
  await page.getByLabel('Hide the numbers of boosts, favourites, replies and followers').check()
  await page.getByLabel('Hide quotes in Home').check()
  // What came to Home later would wait behind the button for new posts.
  await server.drain()
  await goTo(page, '/home')
  await item.getByRole('button', { name: 'Favourite', exact: true }).waitFor()
  assert.equal(await main.getByText('As I said').count(), 0)
  await goTo(page, '/@cleo')
  await page
    .locator('.profile-counts')
    .getByRole('link', { name: /^followers?$/ })
    .waitFor()
  await goTo(page, `/@cleo/${quoted.id}`)
  await page.locator('.status-counts').getByRole('link', { name: 'favourite', exact: true }).waitFor()
})

test('posts that are gone or hidden do not come back at the next visit', { skip: skipBrowser }, async () => {
  const [dora, emil] = [await server.person('dora'), await server.person('emil')]
  for (const { id } of [ben, dora, emil]) await ada.post(`/api/v1/accounts/${id}/follow`)
  const far = await remoteAccount(server, 'far', 'far.test', { display_name: 'Far Away' })
  const remote = (BigInt((await post(ben, 'Soon gone')).id) + 1n).toString()
  await server.database.raw(
    `insert into statuses (id, account_id, uri, content, visibility, local) values ($1, $2, 'https://far.test/1', '<p>From afar</p>', 'public', false)`,
    [remote, far],
  )
  await ben.post(`/api/v1/statuses/${remote}/reblog`)
  const { id: edited } = await post(ben, 'Before the change')
  await post(dora, 'Of one who is blocked')
  await post(emil, 'Of one who is no longer followed')
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /ERR_FAILED/ })
  for (const text of ['Soon gone', 'From afar', 'Of one who is blocked', 'Of one who is no longer followed'])
    await page.getByText(text).waitFor()

  // Elsewhere, and on other screens.
  const isStored = (text: string, expected: boolean) =>
    eventually(
      async () =>
        JSON.stringify(await page.evaluate(storedIn('values', 'values', 'getAll'))).includes(text) === expected,
    )
  const isNotStored = (text: string) => isStored(text, false)
  await goTo(page, '/@dora')
  await page.locator('.profile-buttons').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Block…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await isNotStored('Of one who is blocked')
  await goTo(page, '/@emil')
  await page.getByRole('button', { name: /^Following/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unfollow' }).click()
  await isNotStored('Of one who is no longer followed')
  await goTo(page, '/domain_blocks')
  await page.getByLabel('Server', { exact: true }).fill('far.test')
  await page.getByRole('button', { name: 'Block' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block server' }).click()
  await isNotStored('From afar')
  const [gone] = (await ben.get(`/api/v1/accounts/${ben.id}/statuses`)).filter(({ content }: { content: string }) =>
    content.includes('Soon gone'),
  )
  await ben.delete(`/api/v1/statuses/${gone.id}`)
  await ben.put(`/api/v1/statuses/${edited}`, { status: 'After the change' })
  await page.route('**/api/v1/timelines/home?*', (route) => route.abort())
  await page.goto(`http://${server.domain}/home`)
  await page.getByText('Soon gone').waitFor()
  assert.doesNotMatch(await page.locator('#main').innerText(), /From afar|Of one who is/)
  await page.unroute('**/api/v1/timelines/home?*')
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByText('After the change').waitFor()
  await page.getByText('Soon gone').waitFor({ state: 'detached' })
  // An answer from before an act does not undo what the act shows.
  const status = page.locator('#main [data-status]', { hasText: 'After the change' })
  await page.goto(`http://${server.domain}/health`)
  const { id: other } = await post(ben, 'Before another change')
  await page.goto(`http://${server.domain}/home`)
  await page.getByRole('button', { name: '1 new post' }).click()
  await isStored('Before another change', true)
  await page.goto(`http://${server.domain}/health`)
  await ben.put(`/api/v1/statuses/${other}`, { status: 'After another change' })
  const late = Promise.withResolvers<void>()
  await page.route('**/api/v1/timelines/home?max_id*', async (route) => {
    const response = await route.fetch()
    await late.promise
    await route.fulfill({ response })
  })
  const asked = page.waitForRequest('**/api/v1/timelines/home?max_id*')
  await page.goto(`http://${server.domain}/home`)
  await asked
  await status.getByRole('button', { name: /^Favourite/ }).click()
  await eventually(async () => (await ada.get(`/api/v1/statuses/${edited}`)).favourited)
  late.resolve()
  await page.getByText('After another change').waitFor()
  assert.equal(await status.getByRole('button', { name: /^Favourite/ }).getAttribute('aria-pressed'), 'true')
})

test('a Home that the server is still collecting appears when it is there', { skip: skipBrowser }, async () => {
  const ida = await server.person('ida')
  await ida.post(`/api/v1/accounts/${cleo.id}/follow`)
  await post(cleo, 'Collected at last')
  let asked = 0
  const page = await browser.show(server, ida, {
    path: '/home',
    prepare: (each) =>
      each.route('**/api/v1/timelines/home?*', (route) =>
        ++asked <= 3 ? route.fulfill({ status: 206, json: [] }) : route.continue(),
      ),
  })
  await page.getByText('Collected at last').waitFor()
  assert.ok(asked > 3)
})

test('Home has no deleted posts when it is opened again after a while', { skip: skipBrowser }, async () => {
  const gil = await server.person('gil')
  await gil.post(`/api/v1/accounts/${cleo.id}/follow`)
  const [gone, changed] = [await post(cleo, 'Deleted meanwhile'), await post(cleo, 'Changed meanwhile')]
  const page = await browser.open(server, gil, { path: '/home', prepare: ({ clock }) => clock.install() })
  await page.getByText('Deleted meanwhile').waitFor()
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
  await cleo.delete(`/api/v1/statuses/${gone.id}`)
  await cleo.put(`/api/v1/statuses/${changed.id}`, { status: 'What it says now' })
  await page.clock.fastForward(120_000)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByText('What it says now').waitFor()
  await page.getByText('Deleted meanwhile').waitFor({ state: 'detached' })
})

test('live feeds have no deleted posts when they are opened again after a while', { skip: skipBrowser }, async () => {
  const list = await ada.post('/api/v1/lists', { title: 'Opened again' })
  await ada.post(`/api/v1/accounts/${cleo.id}/follow`)
  await ada.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [cleo.id] })
  const gone = await post(cleo, 'Deleted meanwhile #renewal')
  const path = '/search'
  const page = await browser.open(server, ada, { path, prepare: ({ clock }) => clock.install() })
  const paths = ['/public/local', '/tags/renewal', `/lists/${list.id}`]
  for (const each of paths) {
    await goTo(page, each)
    await page.getByText('Deleted meanwhile').waitFor()
  }
  await goTo(page, path)
  await cleo.delete(`/api/v1/statuses/${gone.id}`)
  await page.clock.fastForward(120_000)
  for (const each of paths) {
    await goTo(page, each)
    await page.getByText('Deleted meanwhile').waitFor({ state: 'detached' })
  }
})

test('a Home that became empty does not show what it had', { skip: skipBrowser }, async () => {
  const fay = await server.person('fay')
  await fay.post(`/api/v1/accounts/${cleo.id}/follow`)
  await post(cleo, 'Of one who is followed for a day')
  const page = await browser.show(server, fay, { path: '/home', expectedErrors: /ERR_FAILED/ })
  const text = page.getByText('Of one who is followed for a day')
  await text.waitFor()
  await page.goto(`http://${server.domain}/health`)
  await fay.post(`/api/v1/accounts/${cleo.id}/unfollow`)
  await page.goto(`http://${server.domain}/home`)
  await text.waitFor({ state: 'detached' })
  await page.getByText('Your home timeline is empty').first().waitFor()
  await page.route('**/api/v1/timelines/home?*', (route) => route.abort())
  await page.reload()
  await page.getByText('The server cannot be reached.').first().waitFor()
  assert.equal(await text.count(), 0)
})
