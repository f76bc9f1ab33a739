// Notifications, requests, private mentions and announcements in the client.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeInBothThemes } from '../support/axe.ts'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, ben, cleo } = await stage({ accounts: ['ada', 'ben', 'cleo'], fresh: true })
const browser = clientBrowser()

test('notifications arrive live, in groups and by filter, and are read', { skip: skipBrowser }, async () => {
  const mine = await ada.post('/api/v1/statuses', { status: 'The heron is back' })
  await ben.post(`/api/v1/statuses/${mine.id}/favourite`)
  await cleo.post(`/api/v1/statuses/${mine.id}/favourite`)
  const page = await browser.open(server, ada, { path: '/home' })
  await page.getByText('1 unread notification').waitFor()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('cleo and 1 other favourited your post').waitFor()
  await page.getByText('1 unread notification').waitFor({ state: 'detached' })
  await eventually(async () => (await ada.get('/api/v2/notifications/unread_count')).count === 0)

  await ben.post('/api/v1/statuses', { status: '@ada Which pond?', in_reply_to_id: mine.id })
  await page.getByRole('button', { name: '1 new notification' }).click()
  await page.getByText('Which pond?').waitFor()
  await ben.post(`/api/v1/accounts/${ada.id}/follow`)
  await page.getByRole('button', { name: '1 new notification' }).click()
  await page.getByText('ben followed you').waitFor()
  assert.deepEqual(await axeInBothThemes(page), [])

  await page.getByRole('link', { name: 'Mentions', exact: true }).click()
  await page.getByText('Which pond?').waitFor()
  assert.equal(await page.getByText('ben followed you').count(), 0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No notifications yet.').waitFor()
  await eventually(async () => (await ada.get('/api/v1/notifications?types[]=mention')).length === 0)

  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  assert.notEqual((await ada.get('/api/v1/notifications')).length, 0)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click()
  await page.getByText('No notifications yet.').waitFor()
  assert.deepEqual(await ada.get('/api/v1/notifications'), [])
  await page.context().close()
})

test('the policy filters strangers into requests, which are accepted or dismissed', { skip: skipBrowser }, async () => {
  const page = await browser.open(server, ada, { path: '/notifications' })
  await page.getByRole('button', { name: 'Notification settings' }).click()
  await page.getByLabel('People you do not follow').selectOption('filter')
  await eventually(async () => (await ada.get('/api/v2/notifications/policy')).for_not_following === 'filter')
  assert.deepEqual(await axeInBothThemes(page), [])
  await page.keyboard.press('Escape')
  for (const person of [ben, cleo])
    await person.post('/api/v1/statuses', { status: `@ada a note from ${person.username}` })
  await eventually(async () => (await ada.get('/api/v1/notifications/requests')).length === 2)
  await page.reload()
  await page.getByRole('link', { name: 'Notifications from 2 people are waiting' }).click()
  const row = (name: string) => page.locator('.request-row', { hasText: `@${name}` })
  await row('ben').getByRole('button', { name: 'Accept' }).click()
  await row('cleo').getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('No filtered notifications.').waitFor()
  const texts = await eventually(async () => {
    const found = (await ada.get('/api/v1/notifications')).map((each: any) => each.status?.content ?? '')
    return found.length > 0 && found
  })
  assert.match(texts.join(), /from ben/)
  assert.doesNotMatch(texts.join(), /from cleo/)
  const reset = await ada.send('PATCH', '/api/v2/notifications/policy', { json: { for_not_following: 'accept' } })
  assert.equal(reset.status, 200, reset.text)
  await page.context().close()
})

test('private mentions are conversations that arrive live', { skip: skipBrowser }, async () => {
  const page = await browser.open(server, ada, { path: '/conversations' })
  await page.getByText('No private mentions yet.', { exact: false }).waitFor()
  const dan = await server.person('dan')
  await dan.post('/api/v1/statuses', { status: '@ada just between us', visibility: 'direct' })
  const row = page.locator('.conversation.unread', { hasText: 'just between us' })
  await row.waitFor()
  assert.deepEqual(await axeInBothThemes(page), [])
  await row.getByRole('link').click()
  await page.waitForURL(/\/@dan\/\d+$/)
  await eventually(async () => (await ada.get('/api/v1/conversations'))[0]?.unread === false)
  await page.goBack()
  await page.getByRole('button', { name: 'More' }).last().click()
  await page.getByRole('menuitem', { name: 'Delete conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No private mentions yet.', { exact: false }).waitFor()
  assert.deepEqual(await ada.get('/api/v1/conversations'), [])
  await page.context().close()
})

test('announcements wait above home, with reactions, until they are read', { skip: skipBrowser }, async () => {
  await server.database.raw(
    `insert into announcements (text, published, published_at) values ('The server moves on Sunday', true, now())`,
  )
  const page = await browser.open(server, ada, { path: '/home' })
  const announcement = page.getByRole('region', { name: 'Announcements' })
  await announcement.getByText('The server moves on Sunday').waitFor()
  await announcement.getByRole('button', { name: 'Add a reaction' }).click()
  await page.getByRole('menuitem', { name: '🎉' }).click()
  await announcement.getByRole('button', { name: '🎉 1' }).waitFor()
  await eventually(async () => (await ada.get('/api/v1/announcements'))[0]?.reactions[0]?.count === 1)
  await announcement.getByRole('button', { name: '🎉 1' }).click()
  await eventually(async () => (await ada.get('/api/v1/announcements'))[0]?.reactions.length === 0)
  await announcement.getByRole('button', { name: 'I have read it' }).click()
  await announcement.waitFor({ state: 'detached' })
  await eventually(async () => (await ada.get('/api/v1/announcements'))[0]?.read === true)
  await page.context().close()
})
