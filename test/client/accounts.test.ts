import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { qrCode } from '../../src/lib/text/qr-code.ts'
import { createEmoji, saveSettings } from '../support/acts.ts'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, hasValue, keep, skipBrowser } from '../support/client.ts'
import { pngOf, uploadImage } from '../support/images.ts'
import { mailsTo } from '../support/mail.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually, startTestServer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import sharp from 'sharp'

const accounts = ['ada', 'grace', 'linus', 'mary', 'locked', 'gone', 'moved', 'limited'] as const
const { server, ada, grace, linus, mary, locked, gone, moved, limited } = await stage({ accounts })
const browser = clientBrowser()

/** Refused requests, and those without a network, that the tests provoke. */
const expectedErrors = /status of (404|410|422)|ERR_INTERNET_DISCONNECTED/

let page: Page

const open = (path: string) => goTo(page, path)
const relationship = async (other: { id: string }) =>
  (await ada.get(`/api/v1/accounts/relationships?id[]=${other.id}`))[0]
const follow = (from: Person, to: Person) => from.post(`/api/v1/accounts/${to.id}/follow`)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const choose = async (name: string | RegExp) => {
  await page.locator('.profile-buttons').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name }).click()
}
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor()
const until = (check: () => Promise<boolean>) => eventually(check)

before(async () => {
  if (skipBrowser) return
  const path = join(server.ctx.config.dataDir, 'ship.png')
  const ship = await pngOf(64, 64, '#453aa0')
  await writeFile(path, ship)
  const emoji = { shortcode: 'ship', category: '', aliases: [], visibleInPicker: true }
  await createEmoji(server.ctx, grace.id, emoji, { path, size: ship.length })
  await grace.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: {
      display_name: 'Grace Hopper :ship:',
      note: 'Compilers and nanoseconds',
      fields_attributes: [{ name: 'Pronouns', value: 'she/her' }],
      discoverable: true,
    },
  })
  await locked.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  const { id } = await grace.post('/api/v1/statuses', { status: 'A ship in port is safe' })
  await grace.post(`/api/v1/statuses/${id}/pin`)
  await grace.post('/api/v1/statuses', { status: 'Hello, #cobol' })
  await grace.post('/api/v1/featured_tags', { name: 'cobol' })
  await follow(mary, grace)
  await follow(ada, mary)
  await follow(grace, ada)
  page = await browser.open(server, ada, { path: '/@grace', expectedErrors })
})

test('a profile says who an account is, and relationships change from it', { skip: skipBrowser }, async () => {
  await page.getByRole('heading', { name: 'Grace Hopper', level: 2 }).waitFor()
  for (const text of ['Compilers and nanoseconds', 'she/her', 'Follows you', 'Pinned post', 'A ship in port is safe'])
    await sees(text)
  await sees(/Followed by\s+mary/)

  await button('Follow back').click()
  await button('Following').waitFor()
  await sees('You follow each other')
  await page.getByRole('link', { name: '2 followers' }).waitFor()
  await until(async () => (await relationship(grace)).following)

  await choose('What you see of this account…')
  await page.getByLabel('Show boosts').uncheck()
  await page.getByLabel('Languages').selectOption('de')
  await until(async () => {
    const { showing_reblogs, languages } = await relationship(grace)
    return !showing_reblogs && languages?.join() === 'de'
  })
  await button('Done').click()

  await choose('Add to lists…')
  await page.getByLabel('New list').fill('Pioneers')
  const refusal = { status: 422, json: { error: 'You have too many lists' } }
  await page.route('**/api/v1/lists', (route) => route.fulfill(refusal), { times: 1 })
  await button('Create and add').click()
  // A message below the dialog could not be read, nor closed.
  const message = page.getByRole('dialog').getByRole('alert').filter({ hasText: 'You have too many lists' })
  // As on a phone, where the dialog takes all of the height.
  await page.setViewportSize({ width: 1200, height: 300 })
  const [title, below] = [
    await page.getByRole('dialog').getByRole('heading').boundingBox(),
    await message.boundingBox(),
  ]
  assert.ok(title && below && below.y >= title.y + title.height, 'the message covers the title')
  await page.setViewportSize({ width: 1200, height: 800 })
  await message.getByRole('button', { name: 'Close' }).click()
  await message.waitFor({ state: 'detached' })
  await button('Create and add').click()
  await page.getByRole('checkbox', { name: 'Pioneers', checked: true }).waitFor()
  await until(async () => (await ada.get(`/api/v1/accounts/${grace.id}/lists`))[0]?.title === 'Pioneers')
  await button('Done').click()

  await page.getByText('Private note', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Private note' }).fill('Met at the harbour')
  await sees('Saved')
  assert.equal((await relationship(grace)).note, 'Met at the harbour')
  await page.getByRole('textbox', { name: 'Private note' }).fill('Met at the harbour, in May')
  await page.reload()
  await until(async () => (await relationship(grace)).note === 'Met at the harbour, in May')

  await choose('Feature on my profile')
  await until(async () => (await relationship(grace)).endorsed)

  await button('Following').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unfollow' }).click()
  const unfollowed = page.locator('.toast', { hasText: 'You no longer follow @grace' })
  await keep(unfollowed)
  await button('Follow back').waitFor()
  await until(async () => !(await relationship(grace)).following)
  await unfollowed.getByRole('button', { name: 'Undo' }).click()
  await button('Following').waitFor()
  await until(async () => (await relationship(grace)).languages?.join() === 'de')

  await button('Pin this screen').click()
  await page.getByRole('menuitemcheckbox', { name: 'Show in the navigation' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Grace Hopper', exact: true }).waitFor()

  await page.getByRole('link', { name: '#cobol', exact: false }).first().click()
  await sees('Hello,')
  await page.getByRole('link', { name: 'Featured', exact: true }).click()
  await page.getByRole('heading', { name: 'Featured hashtags' }).waitFor()
  // A list that is complete stays complete at the next visit.
  await page.getByRole('link', { name: 'Posts', exact: true }).click()
  await sees('You have reached the end.')
  await open('/explore')
  const [{ id: changed }] = await grace.get(`/api/v1/accounts/${grace.id}/statuses`)
  await grace.put(`/api/v1/statuses/${changed}`, { status: 'Hello, #cobol and #fortran' })
  await grace.post(`/api/v1/accounts/${ada.id}/unfollow`)
  await page.goBack()
  await sees('Hello, #cobol and #fortran')
  await sees('You have reached the end.')
  await page.getByText('You follow each other').waitFor({ state: 'detached' })
  await follow(grace, ada)
  await grace.post('/api/v1/statuses', { status: 'Off we go', media_ids: [await uploadImage(grace)] })
  await page.getByRole('link', { name: 'Media', exact: true }).click()
  await page.getByRole('list', { name: 'Media' }).getByRole('link').waitFor()
  await page.locator('#main .loading').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /follower/ }).click()
  await page.getByRole('list', { name: 'Followers' }).getByText('mary').first().waitFor()
  await page.locator('h1').getByRole('img', { name: ':ship:' }).waitFor()
})

test('a locked account is asked, and the request withdrawn', { skip: skipBrowser }, async () => {
  await open('/@locked')
  await button('Request to follow').click()
  await button('Withdraw request').waitFor()
  await until(async () => (await relationship(locked)).requested)
  await button('Withdraw request').click()
  await button('Request to follow').waitFor()
  await until(async () => !(await relationship(locked)).requested)
})

test('an account that this server does not know is found on its own', { skip: skipBrowser }, async () => {
  const away = await startTestServer()
  try {
    const zoe = await away.person('zoe')
    await zoe.send('PATCH', '/api/v1/accounts/update_credentials', { json: { display_name: 'Zoe from away' } })
    await open(`/@zoe@${away.domain}`)
    await page.getByRole('heading', { name: 'Zoe from away', level: 2 }).waitFor()
    await page.getByText(`@zoe@${away.domain}`).click()
    await sees(`${away.domain} is the server where this account lives.`)
    assert.equal(
      await page.getByRole('link', { name: 'Open the original profile' }).getAttribute('href'),
      `http://${away.domain}/@zoe`,
    )
    await button('Follow').click()
    await button('Following').waitFor()
    await until(async () => (await zoe.get(`/api/v1/accounts/${zoe.id}/followers`)).length === 1)
  } finally {
    await away.stop()
  }
})

test('profiles that cannot be shown say why', { skip: skipBrowser }, async () => {
  await server.database.raw('update accounts set suspended_at = now() where id = $1', [gone.id])
  await server.database.raw('update accounts set moved_to_id = $2 where id = $1', [moved.id, grace.id])
  await server.database.raw('update accounts set silenced_at = now() where id = $1', [limited.id])
  await linus.post(`/api/v1/accounts/${ada.id}/block`)

  await open('/@gone')
  await sees('This account has been suspended.')
  await open('/@moved')
  await sees('has moved to another account')
  await page.locator('.profile-notice').getByText('@grace').waitFor()
  await open('/@limited')
  await button('Show profile anyway').click()
  await page.getByRole('heading', { name: 'limited', level: 2 }).waitFor()
  await open('/@linus')
  await sees('@linus blocks you.')
  assert.equal(await button('Follow').isDisabled(), true)
  await open('/@missing')
  await sees('There is no account @missing')

  await open('/@limited')
  await button('Show profile anyway').click()
  await sees('There are no posts to show here.')
  await page.context().setOffline(true)
  try {
    await button('Follow').click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await button('Follow').waitFor()
  } finally {
    await page.context().setOffline(false)
  }
  assert.equal((await relationship(limited)).following, false)
})

test('the profile of an account that blocks the viewer offers what can be done', { skip: skipBrowser }, async () => {
  await linus.post('/api/v1/statuses', { status: 'Not for ada' })
  await linus.post(`/api/v1/accounts/${ada.id}/block`)
  await open('/search?q=linus&type=accounts')
  await page.locator('.account-row').getByText('Blocks you', { exact: true }).waitFor()
  await page.getByRole('link', { name: '@linus' }).first().hover()
  const card = page.locator('.hover-card')
  await card.getByText('Blocks you', { exact: true }).waitFor()
  assert.equal(await card.getByText('Blocked', { exact: true }).count(), 0)

  await open('/@linus')
  const notice = page.locator('.relationship-notice', { hasText: '@linus blocks you.' })
  await notice.getByRole('button', { name: 'Report…' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Report @linus' }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('link', { name: 'Replies', exact: true }).count(), 0)
  await notice.getByRole('button', { name: 'Block…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await sees('You block @linus.')
  await notice.getByRole('button', { name: 'Block…' }).waitFor({ state: 'detached' })
  await until(async () => (await relationship(linus)).blocking)

  await ada.post(`/api/v1/accounts/${linus.id}/unblock`)
  await linus.post(`/api/v1/accounts/${ada.id}/unblock`)
  await open('/@linus')
  await sees('Not for ada')
  await page.getByRole('link', { name: 'Replies', exact: true }).waitFor()
})

test('mutes, blocks and blocks of servers come and go', { skip: skipBrowser }, async () => {
  await open('/@mary')
  await choose('Mute…')
  await page.getByLabel('For how long').selectOption({ label: '1 hour' })
  await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
  await sees(/You mute @mary until/)
  await until(async () => (await relationship(mary)).muting_expires_at !== null)
  await open('/mutes')
  await sees(/^Until /)
  await button('Unmute').click()
  const unmuted = page.locator('.toast', { hasText: 'You no longer mute @mary' })
  await keep(unmuted)
  await until(async () => !(await relationship(mary)).muting)
  await unmuted.getByRole('button', { name: 'Undo' }).click()
  await until(async () => (await relationship(mary)).muting_expires_at !== null)

  await ada.post(`/api/v1/accounts/${mary.id}/unmute`)
  await mary.post('/api/v1/statuses', { status: 'Seen at home' })
  await open('/home')
  await page.getByRole('article').filter({ hasText: 'Seen at home' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Block…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  const blocked = page.locator('.toast', { hasText: 'You block @mary' })
  await keep(blocked)
  await page.getByText('Seen at home').waitFor({ state: 'detached' })
  await until(async () => (await relationship(mary)).blocking)
  await blocked.getByRole('button', { name: 'Undo' }).click()
  await sees('Seen at home')
  await until(async () => (await relationship(mary)).following)

  await open('/@mary')
  await choose('Block…')
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await sees('You block @mary.')
  await until(async () => (await relationship(mary)).blocking)
  await open('/blocks')
  await button('Unblock').click()
  await until(async () => !(await relationship(mary)).blocking)

  const far = await remoteAccount(server, 'far', 'far.test', { display_name: 'Far Away' })
  await server.database.raw('insert into follows (id, account_id, target_account_id) values (77, $1, $2)', [
    ada.id,
    far,
  ])
  await open('/@far@far.test')
  await sees('Following')
  await choose('Block far.test…')
  await sees('You unfollow 1 account.')
  assert.equal(await page.getByText('You lose 0 followers.').count(), 0)
  await button('Block server').click()
  await sees('You block the server far.test.')
  await until(async () => (await ada.get('/api/v1/domain_blocks')).length === 1)
  await open('/domain_blocks')
  await button('Unblock far.test').click()
  await sees('You block no servers.')
  await page.getByLabel('Server', { exact: true }).fill('not a domain')
  await button('Block').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Block server' }).click()
  await page.getByRole('alert').waitFor()
  assert.deepEqual(await ada.get('/api/v1/domain_blocks'), [])
  await ada.post(`/api/v1/accounts/${mary.id}/unmute`)
})

test('follow requests are answered one by one and together', { skip: skipBrowser }, async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', { json: { locked: true } })
  for (const name of ['one', 'two', 'three', 'four']) await follow(await server.person(name), ada)
  await open('/follow_requests')
  await button('Accept @one').click()
  await button('Reject @two').click()
  await button('Accept @two').waitFor({ state: 'detached' })
  await page.locator('.follow-request :focus').waitFor()
  await page.getByLabel('Select all').check()
  await button('Reject').press('Enter')
  await sees('No follow requests are waiting for you.')
  await page.locator('h1:focus').waitFor()
  await until(async () => (await ada.get('/api/v1/follow_requests')).length === 0)
  // They are no longer among the notifications.
  const unread = page.getByRole('navigation').getByText(/\d unread notification/)
  const shown = async () => Number.parseInt((await unread.allTextContents())[0] ?? '0', 10)
  await until(async () => (await shown()) === (await ada.get('/api/v2/notifications/unread_count')).count)
  const followers = await ada.get(`/api/v1/accounts/${ada.id}/followers`)
  assert.deepEqual(followers.map((each: { username: string }) => each.username).toSorted(), ['grace', 'one'])
})

test('hover cards open for the mouse and the keyboard, and close on Escape', { skip: skipBrowser }, async () => {
  await open('/@grace/followers')
  const card = page.locator('.hover-card')
  const link = page.locator(`#main a[data-account="${mary.id}"]`)
  await link.hover()
  await card.getByRole('button', { name: 'Follow' }).waitFor()
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await page.keyboard.press('Tab')
  await link.focus()
  await card.waitFor()
  await link.click()
  await page.getByRole('heading', { name: 'mary', level: 2 }).waitFor()
  await card.waitFor({ state: 'detached' })
})

test('users edit their profile with a preview, and lose nothing', { skip: skipBrowser }, async () => {
  await open('/@ada')
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await page.getByLabel('Display name').fill('Ada Lovelace')
  await page.getByLabel('Bio', { exact: true }).fill('x'.repeat(600))
  await button('Add field').click()
  await page.locator('.edit-field input:focus').waitFor()
  await button('Add field').click()
  await button('Remove field').last().click()
  await page.locator('.edit-field input:focus, .edit-section > button:focus').waitFor()
  await page.getByLabel('Content').fill('https://example.org')
  await button('Save').click()
  await page.locator('.field-error', { hasText: '500' }).waitFor()
  await page.locator('.field-error', { hasText: /label/i }).waitFor()

  // The line that is written is above the bar with the buttons.
  const bio = page.getByLabel('Bio', { exact: true })
  await bio.fill('\n'.repeat(30))
  await bio.press('Enter')
  const below = (await page.locator('.edit-bar').boundingBox())?.y ?? 0
  await until(async () => bio.evaluate((area, y) => area.getBoundingClientRect().bottom <= y, below))
  await bio.fill('Notes on engines')
  await page.getByLabel('Label', { exact: true }).fill('Site')
  const png = await pngOf(600, 300, '#453aa0')
  await page
    .locator('.edit-image input[type=file]')
    .first()
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
  await page.locator('cropper-selection').waitFor()
  assert.equal(await page.getByRole('gridcell').count(), 0, 'the lines of the selection are no table')
  await button('Crop').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await page.goBack()
  await button('Discard').click()
  await hasValue(page.getByLabel('Bio', { exact: true }), '')
  await button('Undo').click()
  await hasValue(page.getByLabel('Bio', { exact: true }), 'Notes on engines')
  await button('Preview').click()
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 2 }).waitFor()
  await button('Save').click()
  await sees('Your profile has been saved')
  await button('Save').and(page.locator(':focus')).waitFor()
  assert.ok(await button('Save').isDisabled())
  const { display_name, source, avatar } = await ada.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([display_name, source.note, source.fields.length], ['Ada Lovelace', 'Notes on engines', 1])
  const image = await sharp(
    new Uint8Array(await (await fetch(avatar.replace(/^https?:\/\/[^/]+/, server.url))).arrayBuffer()),
  ).metadata()
  assert.equal(image.width, image.height)

  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9'])
    await ada.post('/api/v1/featured_tags', { name })
  await page.route('**/api/v1/profile', async (route) => {
    const response = await route.fetch()
    const profile = await response.json()
    profile.fields[0].verified_at = '2026-01-02T00:00:00.000Z'
    await route.fulfill({ response, json: profile })
  })
  await open('/profile/edit')
  await sees(/This link was verified on Jan/)
  await page.unroute('**/api/v1/profile')
  await page.getByLabel('Hashtag', { exact: true }).fill('#not a tag')
  await page.keyboard.press('Enter')
  await page.locator('.field-error', { hasText: '“not a tag” is not a hashtag.' }).waitFor()
  const field = page.getByLabel('Hashtag', { exact: true })
  await field.fill('')
  await page.locator('.field-error').waitFor({ state: 'detached' })
  await field.fill('birds')
  await page.keyboard.press('Enter')
  await button('Remove #birds').waitFor()
  await sees('You feature 10, which is the most.')
  await field.fill('another')
  await page.locator('button:disabled', { hasText: /^Add$/ }).waitFor()
  await button('Remove #birds').click()
  await page.keyboard.press('Tab')
  await button('Add').click()
  await button('Remove #another').waitFor()
  await button('Add field').click()
  await button('Move down').first().focus()
  await page.keyboard.press('Enter')
  await page.locator(':focus[aria-label="Move down"][aria-disabled]').waitFor()
  assert.equal(await page.getByLabel('Content').last().inputValue(), 'https://example.org')
  await button('Remove field').first().click()

  // Beside the panel of wide windows, the message about what is refused does not cover the buttons.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page
    .getByLabel('Websites that may credit you')
    .fill(Array.from({ length: 101 }, (_, each) => `blog${each}.example`).join('\n'))
  await button('Save').click()
  await page.locator('.field-error').waitFor()
  await page.locator('.toast.error').waitFor()
  await page.getByLabel('Websites that may credit you').fill('blog.example\nnews.example')
  await button('Save').click()
  const domains = async () => (await ada.get('/api/v1/profile')).attribution_domains.join()
  await until(async () => (await domains()) === 'blog.example,news.example')
  await page.getByLabel('Websites that may credit you').fill('')
  await button('Save').click()
  await until(async () => (await domains()) === '')
  // The server has stored it before the client knows.
  await page.locator('form[inert]').waitFor({ state: 'detached' })
  await button('Remove avatar').press('Enter')
  await button('Change avatar').and(page.locator(':focus')).waitFor()
  await button('Discard').click()
  await page.setViewportSize({ width: 1200, height: 800 })
})

test('avatar and header of a profile open large', { skip: skipBrowser }, async () => {
  const header = await pngOf(900, 300, '#8a5612')
  const form = new FormData()
  form.set('header', new Blob([header], { type: 'image/png' }), 'h.png')
  form.set('header_description', 'A field of rye')
  await ada.send('PATCH', '/api/v1/profile', { form })
  await open('/@ada')
  // The screen may show first what an earlier test has loaded.
  await button('A field of rye Enlarge header').waitFor()
  const avatar = button('Enlarge avatar')
  await avatar.focus()
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: 'Media viewer' })
  await viewer.locator('.pswp__img:not(.pswp__img--placeholder)').first().waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer.getByText('A field of rye').waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  assert.equal(await avatar.evaluate((element) => element === document.activeElement), true)
  await open('/@linus')
  await page.getByRole('heading', { name: 'linus', level: 2 }).waitFor()
  assert.equal(await button('Enlarge avatar').count(), 0)
})

test('suggestions are dismissed, and the directory lists accounts', { skip: skipBrowser }, async () => {
  const five = await server.person('five')
  await five.send('PATCH', '/api/v1/accounts/update_credentials', { json: { discoverable: true } })
  await follow(grace, five)
  await open('/directory?order=new')
  await page.getByRole('list', { name: 'Profile directory' }).getByText('Grace Hopper').waitFor()
  await open('/explore/people')
  await sees('Popular among people you follow')
  await button('Do not suggest @five').click()
  await sees('There are no suggestions at the moment')
  await until(async () => (await ada.get('/api/v2/suggestions')).length === 0)
})

test('a profile has a QR code of its address', { skip: skipBrowser }, async () => {
  await open('/@grace')
  await choose('Show QR code')
  const code = page.getByRole('img', { name: 'QR code with the address of @grace' })
  await code.waitFor()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  const { url } = await ada.get(`/api/v1/accounts/${grace.id}`)
  assert.equal(await code.locator('path').last().getAttribute('d'), qrCode(url).path)
  await sees(url)
  await page.keyboard.press('Escape')
  await code.waitFor({ state: 'detached' })

  // Scanners read bytes, of which other letters have several.
  await remoteAccount(server, 'oe', 'far.test', { url: 'https://bücher.test/@ö' })
  await open('/@oe@far.test')
  await choose('Show QR code')
  const other = page.getByRole('img', { name: 'QR code with the address of @oe@far.test' })
  await other.waitFor()
  assert.equal(await other.locator('path').last().getAttribute('d'), qrCode('https://xn--bcher-kva.test/@%C3%B6').path)
})

test('the posts of an account that offers them can be received by e-mail', { skip: skipBrowser }, async () => {
  await saveSettings(server.ctx, { email_subscriptions: true })
  const rosa = await server.person('rosa', { role: ['manage_email_subscriptions'] })
  await server.database.raw(`update users set settings = '{"email_subscriptions": true}' where id = $1`, [rosa.userId])
  await open('/@rosa')
  await choose('Subscribe by e-mail')
  const address = page.getByLabel('E-mail address')
  await address.fill('nothing')
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await button('Subscribe').click()
  await sees('is invalid')
  await address.fill('ann@a.test')
  await button('Subscribe').click()
  await sees('a link to confirm it is on its way')
  assert.match((await mailsTo(server, 'ann@a.test'))[0]?.subject ?? '', /@rosa@/)
})
