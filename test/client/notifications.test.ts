// Notifications, requests, private mentions and announcements in the client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { actOnAccount } from '../support/acts.ts'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, skipBrowser } from '../support/client.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'] })
const browser = clientBrowser()

test('notifications arrive live, in groups and by filter, and are read', { skip: skipBrowser }, async () => {
  const mine = await ada.post('/api/v1/statuses', { status: 'The heron is back' })
  await ben.post(`/api/v1/statuses/${mine.id}/favourite`)
  await cleo.post(`/api/v1/statuses/${mine.id}/favourite`)
  const page = await browser.goOn(server, ada, { path: '/home' })
  await page.getByText('1 unread notification').waitFor()
  await eventually(async () => (await page.title()).startsWith('(1) '))
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('cleo and 1 other favourited your post').waitFor()
  await page.getByText('1 unread notification').waitFor({ state: 'detached' })
  await eventually(async () => (await page.title()).startsWith('Notifications · '))
  await eventually(async () => (await ada.get('/api/v2/notifications/unread_count')).count === 0)
  const marked = page.locator('.notification', { has: page.getByText('Unread', { exact: true }) })
  await marked.getByText('cleo and 1 other favourited your post').waitFor()
  await page.getByRole('link', { name: 'The heron is back' }).click()
  await page.waitForURL(`**/@ada/${mine.id}`)
  await page.goBack()
  await marked.first().waitFor()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL('**/home')
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('cleo and 1 other favourited your post').waitFor()
  assert.equal(await marked.count(), 0)

  await ben.post('/api/v1/statuses', { status: '@ada Which pond?', in_reply_to_id: mine.id })
  await page.getByRole('button', { name: '1 new notification' }).click()
  await page.getByText('Which pond?').waitFor()
  await ben.post(`/api/v1/accounts/${ada.id}/follow`)
  await page.getByRole('button', { name: '1 new notification' }).click()
  await page.getByText('ben followed you').waitFor()
  await eventually(async () => (await marked.count()) === 2)
  assert.deepEqual(await axeViolations(page, '#main'), [])

  await page.getByRole('link', { name: 'Mentions', exact: true }).click()
  await marked.getByText('Which pond?').waitFor()
  await page.getByText('ben followed you').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await marked.first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No notifications yet.').waitFor()
  await eventually(async () => (await ada.get('/api/v1/notifications?types[]=mention')).length === 0)

  // A column of the deck stays: only what came last is marked.
  await goTo(page, '/deck')
  for (const text of ['Under the alder', 'Under the willow']) {
    await cleo.post('/api/v1/statuses', { status: `@ada ${text}` })
    const [pill, shown] = [page.getByRole('button', { name: '1 new notification' }), marked.getByText(text)]
    // One that comes before the stream is connected is in the list at once.
    await pill.or(shown).first().waitFor()
    await pill.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))
    await shown.waitFor()
  }
  assert.equal(await marked.count(), 1)

  const connect = Promise.withResolvers<void>()
  await page.routeWebSocket(/streaming/, async (socket) => {
    await connect.promise
    socket.connectToServer()
  })
  await page.goto(`http://${server.domain}/notifications`)
  await page.getByText('Under the willow').waitFor()
  await cleo.post('/api/v1/statuses', { status: '@ada Before the stream' })
  connect.resolve()
  await marked.getByText('Before the stream').waitFor()
  await eventually(async () => (await ada.get('/api/v2/notifications/unread_count')).count === 0)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.notEqual((await ada.get('/api/v1/notifications')).length, 0)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click()
  await page.getByText('No notifications yet.').waitFor()
  await page.locator('#main').getByRole('link', { name: 'Find people to follow' }).waitFor()
  assert.deepEqual(await ada.get('/api/v1/notifications'), [])
})

test('the policy filters mentions into requests, which are accepted or dismissed', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/notifications' })
  await page.getByRole('button', { name: 'Notification settings' }).click()
  await page.getByLabel('People you do not follow').selectOption('filter')
  await eventually(async () => (await ada.get('/api/v2/notifications/policy')).for_not_following === 'filter')
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.keyboard.press('Escape')
  for (const person of [ben, cleo])
    await person.post('/api/v1/statuses', { status: `@ada a note from ${person.username}` })
  await eventually(async () => (await ada.get('/api/v1/notifications/requests')).length === 2)
  await page.reload()
  await page.getByRole('link', { name: 'Notifications from 2 people are waiting' }).click()
  const row = (name: string) => page.locator('.request-row', { hasText: `@${name}` })
  await row('cleo').getByText('a note from cleo').waitFor()
  await page.getByRole('button', { name: 'Dismiss all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await row('ben').getByRole('button', { name: 'Accept' }).click()
  await row('cleo').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No filtered notifications.').waitFor()
  const texts = await eventually(async () => {
    const found = (await ada.get('/api/v1/notifications')).map((each: any) => each.status?.content ?? '')
    return found.length > 0 && found
  })
  assert.match(texts.join(), /from ben/)
  assert.doesNotMatch(texts.join(), /from cleo/)

  // Of three requests, the third is still on its way.
  for (const name of ['greta', 'hugo', 'iris'])
    await (await server.person(name)).post('/api/v1/statuses', { status: '@ada' })
  let isAsked = false
  await page.route(/requests(\?|$)/, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '2')
    if (isAsked || !url.searchParams.has('max_id')) return route.continue({ url: url.href })
  })
  await page.reload()
  await row('hugo').waitFor()
  await page.getByRole('button', { name: 'Dismiss all' }).click()
  isAsked = true
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss all' }).click()
  await eventually(async () => (await ada.get('/api/v1/notifications/requests')).length === 0)
  const reset = await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'accept' } })
  assert.equal(reset.status, 200, reset.text)
})

test(
  'decisions of moderators are explained and lead to the appeal; reports and sign-ups to the administration',
  { skip: skipBrowser },
  async () => {
    const owner = await server.person('olga', { role: 'owner' })
    const mia = await server.person('mia', { role: 'moderator' })
    const far = await remoteAccount(server, 'far', 'far.test')
    await server.database.raw('insert into follows (id, account_id, target_account_id) values (77, $1, $2)', [
      mia.id,
      far,
    ])
    await mia.post('/api/v1/domain_blocks', { domain: 'far.test' })
    await actOnAccount(server.ctx, owner.id, { accountId: mia.id, type: 'sensitive', text: 'Too many spiders.' })
    await server.drain()
    const page = await browser.show(server, mia, { path: '/notifications' })
    const item = (name: string) => page.getByRole('article', { name, exact: true })
    await item('Lost connections').getByText('You lost connections with far.test').waitFor()
    await item('Lost connections')
      .getByText('You blocked the domain. You lost 0 followers and 1 account that you followed.')
      .waitFor()
    await item('Lost connections').getByRole('link', { name: 'See which follows were lost' }).click()
    await page.getByRole('heading', { name: 'Severed relationships' }).waitFor()
    await page.getByText('far.test').first().waitFor()
    await page.goBack()

    const warning = item('Moderation warning')
    await warning.getByText('Too many spiders.').waitFor()
    assert.equal(await warning.getByRole('link').count(), 1, 'it shows no avatar of its reader')
    await warning.getByRole('link', { name: 'See the warning and appeal' }).click()
    await page.getByLabel('Why do you think that this is a mistake?').fill('They were flies.')
    await page.getByRole('button', { name: 'Send the appeal' }).click()
    await page.getByText('Your appeal is sent.').waitFor()
    const subscribed = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framesent'))
    await page.goto(`http://${server.domain}/notifications/other`)
    await warning.getByRole('link', { name: 'See the warning', exact: true }).waitFor()
    // What comes before the stream is connected is in the list at once.
    await subscribed
    await page.waitForLoadState('networkidle')

    // Live, while the tab is in the background.
    await page.evaluate(recordDesktopNotifications)
    const newcomer = await server.person('newcomer')
    await server.ctx.enqueue('notifications.sign-up', { accountId: newcomer.id })
    await ben.post('/api/v1/reports', { account_id: cleo.id, comment: 'Rude', category: 'other' })
    await page.getByRole('button', { name: '2 new notifications' }).click()
    const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown.toSorted().join())
    await eventually(async () => (await shown()) === 'Report: ben,Sign-up: newcomer')
    await item('Sign-up').getByText('newcomer signed up').waitFor()
    assert.equal(
      await item('Sign-up').getByRole('link', { name: 'Open the accounts' }).getAttribute('href'),
      '/admin/accounts',
    )
    await item('Report').getByText('ben reported cleo').waitFor()
    assert.deepEqual(await axeViolations(page, '#main'), [])
    await item('Report').getByRole('link', { name: 'Open the report' }).click()
    await page.getByText('Rude').waitFor()
    assert.match(page.url(), /\/admin\/reports\/\d+$/)

    // Any page of it is enough.
    const artist = await server.person('artist', { role: ['manage_custom_emojis'] })
    const other = await browser.show(server, artist, { path: '/home' })
    await other.getByRole('button', { name: 'More', exact: true }).first().click()
    await other.getByRole('menuitem', { name: 'Administration' }).click()
    await other.waitForURL('**/admin/custom_emojis')
  },
)

/** Runs in the page: it is in the background now. This browser shows no notifications; they are recorded. */
function recordDesktopNotifications(): void {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  const shown: string[] = []
  class Recorded extends EventTarget {
    static readonly permission = 'granted'
    constructor(title: string, { body = '' }: NotificationOptions = {}) {
      super()
      shown.push(`${title}: ${body}`)
    }
  }
  Object.assign(window, { Notification: Recorded, shown })
}

test('private mentions are conversations that arrive live', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/conversations' })
  await page.getByText('No private mentions yet.', { exact: false }).waitFor()
  const dan = await server.person('dan')
  await dan.post('/api/v1/statuses', { status: '@ada just between us', visibility: 'direct' })
  const row = page.locator('.conversation.unread', { hasText: 'just between us' })
  await row.waitFor()
  await goTo(page, '/notifications')
  const mention = page.locator('.status', { hasText: 'just between us' })
  await mention.locator('.status-reason', { hasText: 'Private mention' }).waitFor()
  await page.goBack()
  await row.getByRole('link').click()
  await page.waitForURL(/\/@dan\/\d+$/)
  await eventually(async () => (await ada.get('/api/v1/conversations'))[0]?.unread === false)
  await page.goBack()
  await page.locator('.conversation').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Mark as unread' }).and(page.locator(':focus')).waitFor()
  // The letter leads to the item that begins with it.
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No private mentions yet.', { exact: false }).waitFor()
  await eventually(async () => (await ada.get('/api/v1/conversations')).length === 0)
})

test('announcements wait behind a button, with reactions, and move no post', { skip: skipBrowser }, async () => {
  await server.database.raw(
    `insert into announcements (text, published, published_at) values ('The server moves on Sunday', true, now())`,
  )
  await server.database.raw(`insert into custom_emojis (shortcode, image_key) values ('rook', 'emoji/rook.png')`)
  const answering = Promise.withResolvers<void>()
  const delayAnswer = (opening: Page) =>
    opening.route('**/api/v1/announcements', async (route) => {
      await answering.promise
      await route.continue()
    })
  const expectedErrors = /rook\.png|status of 4(?:04|22)/
  const page = await browser.show(server, ada, { path: '/home', prepare: delayAnswer, expectedErrors })
  const button = page.getByRole('button', { name: 'Announcements: 1' })
  const first = page.locator('#main [data-status]').first()
  const before = await first.boundingBox()
  answering.resolve()
  await button.waitFor()
  assert.deepEqual(await first.boundingBox(), before)
  await button.click()
  const announcement = page.getByRole('dialog', { name: 'Announcements' })
  await announcement.getByText('The server moves on Sunday').waitFor()
  const reactions = async () =>
    (await ada.get('/api/v1/announcements'))[0].reactions.map((each: any) => `${each.name} ${each.count}`).join()
  const add = announcement.getByRole('button', { name: 'Add a reaction' })
  await add.press('Enter')
  await page.getByRole('searchbox', { name: 'Search emojis' }).fill('party popper')
  await page.keyboard.press('Enter')
  await announcement.getByRole('button', { name: '🎉 1' }).waitFor()
  await eventually(async () => (await reactions()) === '🎉 1')
  await add.click()
  await page.getByRole('searchbox', { name: 'Search emojis' }).fill('rook')
  await page.keyboard.press('Enter')
  await announcement.getByRole('button', { name: ':rook: 1' }).waitFor()
  await eventually(async () => (await reactions()) === '🎉 1,rook 1')
  // Of others, live.
  const { id } = (await ada.get('/api/v1/announcements'))[0]
  await ben.put(`/api/v1/announcements/${id}/reactions/rook`)
  await announcement.getByRole('button', { name: ':rook: 2' }).waitFor()
  await announcement.getByRole('button', { name: '🎉 1' }).click()
  await eventually(async () => (await reactions()) === 'rook 2')
  // What the server refuses goes again, also when they were loaded again meanwhile.
  const refused = Promise.withResolvers<void>()
  await page.route(`**/announcements/${id}/reactions/*`, async (route) => {
    await refused.promise
    await route.fulfill({ status: 422, json: { error: 'There are too many reactions' } })
  })
  await add.press('Enter')
  await page.getByRole('searchbox', { name: 'Search emojis' }).fill('party popper')
  await page.keyboard.press('Enter')
  await announcement.getByRole('button', { name: '🎉 1' }).waitFor()
  await ben.send('DELETE', `/api/v1/announcements/${id}/reactions/rook`)
  await announcement.getByRole('button', { name: ':rook: 1' }).waitFor()
  refused.resolve()
  await page.getByText('There are too many reactions').waitFor()
  assert.equal(await announcement.getByRole('button', { name: '🎉' }).count(), 0)
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await page.keyboard.press('Escape')
  await announcement.waitFor({ state: 'detached' })
  await eventually(async () => (await ada.get('/api/v1/announcements'))[0]?.read === true)
})

test('follow requests are counted in the navigation while they come and go', { skip: skipBrowser }, async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { locked: true, source: { privacy: 'public' } },
  })
  // One arrives after the start has counted them, and before the stream is there to tell of it.
  const connecting = Promise.withResolvers<void>()
  let identified: Promise<unknown> = Promise.resolve()
  const delayStreams = async (opening: Page) => {
    identified = opening.waitForResponse(/verify_credentials/)
    await opening.routeWebSocket(/streaming/, async (socket) => {
      await connecting.promise
      socket.connectToServer()
    })
  }
  const page = await browser.show(server, ada, { path: '/explore', prepare: delayStreams })
  const navigation = page
    .getByRole('navigation', { name: 'Main navigation' })
    .or(page.locator('nav.navigation'))
    .first()
  const entry = navigation.getByRole('link', { name: /Follow requests/ })
  await navigation.getByText('Explore').waitFor()
  await identified
  assert.equal(await entry.count(), 0)
  const [eve, finn] = [await server.person('eve'), await server.person('finn')]
  await eve.post(`/api/v1/accounts/${ada.id}/follow`)
  connecting.resolve()
  await entry.getByText('1', { exact: true }).waitFor()
  await finn.post(`/api/v1/accounts/${ada.id}/follow`)
  await entry.getByText('2', { exact: true }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await navigation.locator('.bar-badge').getByText('2', { exact: true }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
  await entry.click()
  await page.getByRole('button', { name: 'Accept @eve' }).click()
  await entry.getByText('1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reject @finn' }).click()
  await entry.waitFor({ state: 'detached' })

  // One that comes before the streams are connected, while a part of what the start loads is late.
  const gus = await server.person('gus')
  const [followed, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.routeWebSocket(/streaming/, async (socket) => {
    await followed.promise
    socket.connectToServer()
  })
  await page.route('**/api/v1/preferences', async (route) => {
    await counted.promise
    await route.continue()
  })
  const [me, preferences] = ['**/verify_credentials', '**/preferences'].map((path) => page.waitForResponse(path))
  await page.reload()
  await me
  await gus.post(`/api/v1/accounts/${ada.id}/follow`)
  followed.resolve()
  await entry.getByText('1', { exact: true }).waitFor()
  counted.resolve()
  await (await preferences)?.finished()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await entry.getByText('1', { exact: true }).waitFor()
})

test('a group of many accounts counts once, shows a few of them and leads to all', { skip: skipBrowser }, async () => {
  const page = await browser.goOn(server, ada, { path: '/conversations' })
  const unread = page.getByRole('navigation').getByText(/\d unread notification/)
  const loved = await ada.post('/api/v1/statuses', { status: 'Loved by many' })
  for (let number = 1; number <= 9; number += 1)
    await (await server.person(`fan${number}`)).post(`/api/v1/statuses/${loved.id}/favourite`)
  // By then, the page has received all of them.
  await ben.post('/api/v1/statuses', { status: '@ada After all of them', visibility: 'direct' })
  await page.getByText('After all of them').waitFor()
  await eventually(async () => {
    const [shown = ''] = await unread.allTextContents()
    return Number.parseInt(shown, 10) === (await ada.get('/api/v2/notifications/unread_count')).count
  })
  await goTo(page, '/notifications')
  const group = page.getByRole('article', { name: 'Favourite' }).filter({ hasText: 'Loved by many' })
  await group.getByText('fan9 and 8 others favourited your post').waitFor()
  assert.equal(await group.getByRole('link', { name: /^fan\d$/ }).count(), 8 + 1)
  await group.getByRole('link', { name: 'Show all 9 accounts' }).click()
  await page.getByRole('heading', { name: 'Favourited by' }).waitFor()
  await page.getByText('Loved by many').waitFor()
  for (const name of ['@fan1', '@fan9']) await page.getByText(name, { exact: true }).waitFor()
})
