// The composer in a browser, on a real server.
import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, hasValue, keep, skipBrowser } from '../support/client.ts'
import { createEmoji } from '../support/acts.ts'
import { openNew, pngFile, postButton, postsOf, says, textOf } from '../support/composer.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, alice } = await stage({ accounts: ['ada', 'alice'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }

test('a post is counted, survives an error, is posted once and shown at once', options, async () => {
  const page = await browser.show(server, ada, { path: '/home', expectedErrors: /status of 422/ })
  await openNew(page)
  await textOf(page).fill(`see https://example.com/${'x'.repeat(300)} @alice@far.example ${'y'.repeat(470)}`)
  await page.locator('.count-left', { hasText: '-5' }).waitFor()
  assert.equal(await postButton(page).isDisabled(), true)
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])

  const isPastedAsText = await textOf(page).evaluate((area) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([''], 'image.png', { type: 'image/png' }))
    for (const type of ['text/plain', 'text/rtf']) clipboardData.setData(type, 'cells of a table')
    return area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  assert.ok(isPastedAsText)
  await textOf(page).fill('Good morning, everyone: this is written in plain English, and detected.')
  const [warning, warningField] = [
    page.getByRole('button', { name: 'Content warning' }),
    page.locator('.warning-input:focus'),
  ]
  await warning.click()
  await warningField.waitFor()
  await warning.click()
  await page.locator('.text-input:focus').waitFor()
  await warning.click()
  await warningField.waitFor()
  await page.keyboard.type('weather')
  await page.getByRole('button', { name: /^Visibility/ }).click()
  await page.getByRole('menuitemradio', { name: /^Followers only/ }).click()
  await page.getByText('Anyone can follow you and then read this').waitFor()
  await page.getByText('English (detected)').waitFor({ state: 'attached' })

  await page.route('**/api/v1/statuses', (route) => route.fulfill({ status: 422, json: { error: 'Back in a minute' } }))
  await textOf(page).press('Control+Enter')
  await page.getByRole('alert').getByText('Back in a minute').waitFor()
  assert.match(await textOf(page).inputValue(), /^Good morning/)
  await page.unroute('**/api/v1/statuses')

  await postButton(page).dblclick()
  await says(page, 'Posted')
  await page.locator('article', { hasText: 'weather' }).waitFor()
  const [post, ...others] = await postsOf(ada)
  assert.deepEqual([post?.spoiler_text, post?.visibility, post?.language], ['weather', 'private', 'en'])
  assert.equal(others.length, 0)

  await page.setViewportSize({ width: 390, height: 844 })
  await openNew(page)
  assert.ok(((await textOf(page).boundingBox())?.height ?? 0) > 400, 'the text has the room of the phone')
  const sizes = await page
    .locator('.composer :is(textarea, select)')
    .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)))
  assert.ok(Math.min(...sizes) >= 16, 'iPhones zoom in on fields with smaller text')

  await page.evaluate(() => {
    const view = window.visualViewport as VisualViewport
    Object.defineProperties(view, { height: { value: 480 }, offsetTop: { value: 60 } })
    view.dispatchEvent(new Event('resize'))
  })
  const boxOf = async (part: ReturnType<typeof textOf>): Promise<{ y: number; height: number }> =>
    (await part.boundingBox()) ?? { y: NaN, height: NaN }
  const [title, button] = [await boxOf(page.getByRole('heading', { name: 'New post' })), await boxOf(postButton(page))]
  assert.ok(title.y >= 60 && button.y + button.height <= 540, 'an iPhone lays its keyboard over the page')
})

test('a reply is counted at once, and the message leads to it', options, async () => {
  const question = await alice.post('/api/v1/statuses', { status: 'Who counts the wrens?' })
  const page = await browser.goOn(server, ada, { path: '/public/local' })
  const article = page.getByRole('article').filter({ hasText: question.content.replaceAll(/<.*?>/g, '') })
  await article.getByRole('button', { name: 'Reply', exact: true }).click()
  await textOf(page).pressSequentially('We do')
  await textOf(page).press('Control+Enter')
  await says(page, 'Posted')
  await keep(page.locator('.toast'))
  await article.getByRole('button', { name: 'Reply: 1', exact: true }).waitFor()
  await page.locator('.toast').getByRole('link', { name: 'Show' }).click()
  const [reply] = await postsOf(ada)
  await page.waitForURL(`**/@ada/${reply?.id}`)
  await page.locator('.toast').waitFor({ state: 'detached' })
})

test(
  'a reply, a quote and a private mention say who will see them, with suggestions as one types',
  options,
  async () => {
    const { id } = await alice.post('/api/v1/statuses', {
      status: 'Ask me anything @ada',
      spoiler_text: 'questions',
      visibility: 'unlisted',
      language: 'de',
    })
    await alice.post('/api/v1/statuses', { status: '#rookerybirds are great' })
    await addEmojis()
    const page = await browser.goOn(server, ada, { path: `/@alice/${id}` })
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
    await page.getByRole('region', { name: 'The post you reply to' }).getByText('Ask me anything').waitFor()
    await hasValue(textOf(page), '@alice ')
    await hasValue(page.getByRole('textbox', { name: 'Content warning' }), 'questions')
    await page.getByRole('button', { name: 'Visibility: Unlisted' }).waitFor()
    await textOf(page).pressSequentially('and #rookery')
    const tag = page.getByRole('option', { name: /#rookerybirds/ })
    await tag.waitFor()
    await page.emulateMedia({ forcedColors: 'active' })
    assert.equal(await tag.evaluate((option) => getComputedStyle(option).outlineStyle), 'solid')
    await page.emulateMedia({ forcedColors: null })
    await textOf(page).press('Enter')
    await textOf(page).pressSequentially(':rocket')
    await page
      .getByRole('option', { name: /rocket/ })
      .first()
      .waitFor()
    await textOf(page).press('Tab')
    await hasValue(textOf(page), '@alice and #rookerybirds 🚀 ')
    await textOf(page).pressSequentially(':wre')
    await page.getByRole('option', { name: ':wren:' }).locator('img').waitFor()
    await textOf(page).press('Enter')
    await hasValue(textOf(page), '@alice and #rookerybirds 🚀 :wren: ')
    await textOf(page).pressSequentially('@ali')
    await page.getByRole('option', { name: /@alice/ }).waitFor()
    await textOf(page).evaluate((area) => {
      // As an input method ends a word: in most browsers, and in Safari.
      const ends = [{ isComposing: true }, { keyCode: 229 }]
      for (const key of ['Enter', 'Escape'])
        for (const end of ends) area.dispatchEvent(new KeyboardEvent('keydown', { key, ...end, bubbles: true }))
    })
    await hasValue(textOf(page), '@alice and #rookerybirds 🚀 :wren: @ali')
    await page.getByRole('option', { name: /@alice/ }).waitFor()
    await textOf(page).press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Emojis' }).click()
    await page.getByRole('searchbox', { name: 'Search emojis' }).fill('tada')
    await page.getByRole('searchbox', { name: 'Search emojis' }).press('ArrowDown')
    await page.getByRole('group', { name: 'Search emojis' }).getByRole('button').first().click()
    await page.getByRole('button', { name: 'Emojis' }).click()
    const categories = page.getByRole('group', { name: 'Categories' }).getByRole('button')
    await categories.nth(2).waitFor()
    assert.deepEqual(await categories.evaluateAll((all) => all.slice(0, 3).map((each) => each.getAttribute('title'))), [
      'Recently used',
      'This server',
      'Birds',
    ])
    await categories.nth(2).click()
    await page.getByRole('group', { name: 'Birds' }).getByRole('button', { name: 'heron' }).click()
    await page.getByText('This post will not be listed under its hashtags').waitFor()
    await postButton(page).click()
    await says(page, 'Posted')
    const [reply] = await postsOf(ada)
    assert.match(reply?.text ?? '', /@alice and #rookerybirds 🚀 :wren: @ali🎉 ?:heron:/u)
    assert.deepEqual(reply?.emojis.map(({ shortcode }: any) => shortcode).toSorted(), ['heron', 'wren'])
    assert.deepEqual([reply?.in_reply_to_id, reply?.visibility, reply?.spoiler_text], [id, 'unlisted', 'questions'])

    await page.locator('article', { hasText: 'questions' }).first().getByRole('button', { name: 'Boost' }).click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await page.getByRole('region', { name: 'The post you quote' }).getByText('Ask me anything').waitFor()
    await page.getByRole('button', { name: 'Add images, video or audio', disabled: true }).click({ force: true })
    await says(page, 'A post that quotes another one cannot have attachments.')
    await textOf(page).fill('Worth quoting')
    await postButton(page).click()
    await eventually(async () => (await postsOf(ada))[0]?.quote?.quoted_status?.id === id)

    const secret = await ada.post('/api/v1/statuses', { status: 'Among ourselves', visibility: 'private' })
    await goTo(page, `/@ada/${secret.id}`)
    await page.locator('.status-detail').getByRole('button', { name: 'Boost', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await page.getByRole('button', { name: 'Visibility: Followers only' }).click()
    await page.getByRole('menuitemradio', { name: /^Public/, disabled: true }).waitFor()

    await goTo(page, '/share?title=Look&text=here&url=https%3A%2F%2Fexample.com')
    await textOf(page).waitFor()
    await hasValue(textOf(page), 'Look\n\nhere\n\nhttps://example.com')
    await page.getByRole('button', { name: /^Who can quote/ }).click()
    await page.getByRole('menuitemradio', { name: /Only your followers can quote it/ }).click()
    await page.getByLabel('Language').selectOption('fr')
    await page.getByRole('button', { name: /^Visibility/ }).click()
    await page.getByRole('menuitemradio', { name: /^Private mention/ }).click()
    await page.getByText('It is not encrypted').waitFor()
    await textOf(page).fill('@alice just for you')
    await postButton(page).click()
    await says(page, 'Posted')
    const [mention] = await postsOf(ada)
    assert.deepEqual([mention?.visibility, mention?.language], ['direct', 'fr'])
  },
)

test('polls, scheduled posts, edits and redrafts are posted as they were written', options, async () => {
  const page = await browser.goOn(server, ada, {
    path: '/publish',
    expectedErrors: /ERR_FAILED|ERR_INTERNET|status of 404/,
  })
  await textOf(page).fill('Tea or coffee?')
  await page.getByRole('button', { name: 'Poll' }).click()
  await page.getByRole('textbox', { name: 'Option 1' }).and(page.locator(':focus')).fill('Coffee')
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Tea')
  await page.getByRole('textbox', { name: 'Option 2' }).press('Enter')
  await page.getByRole('button', { name: 'Move option 2 up' }).click()
  await page.getByRole('button', { name: 'Add option' }).click()
  await page.getByRole('textbox', { name: 'Option 3' }).and(page.locator(':focus')).fill('Water')
  await page.getByLabel('Duration').selectOption({ label: '3 days' })
  await page.getByLabel('Multiple choices').check()
  await page.getByLabel('Hide results until it ends').check()
  await page.getByRole('button', { name: 'Remove poll' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await postButton(page).click()
  await says(page, 'Posted')
  const [asked] = await postsOf(ada)
  assert.deepEqual(
    asked?.poll.options.map(({ title }: { title: string }) => title),
    ['Tea', 'Coffee', 'Water'],
  )
  assert.equal(asked?.poll.multiple, true)
  await alice.post(`/api/v1/polls/${asked?.poll.id}/votes`, { choices: [0] })
  await goTo(page, `/@ada/${asked?.id}`)
  await chooseInMenu(page, 'Tea or coffee?', 'Edit')
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Green tea')
  await page.getByText('Saving this removes all votes so far.').waitFor()
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Tea')
  await textOf(page).fill('Coffee or tea?')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await says(page, 'Changes saved')
  assert.deepEqual((await postsOf(ada))[0]?.poll, { ...asked?.poll, votes_count: 1, voters_count: 1 })

  await openNew(page)
  await textOf(page).fill('Later')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByLabel(/^Date and time/).fill('2020-01-01T12:00')
  await page.getByText('at least five minutes away').waitFor()
  await page.getByLabel(/^Date and time/).fill('2033-05-04T12:30')
  await page.getByRole('dialog', { name: 'Schedule' }).getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^Will be posted on .*2033/).waitFor()
  await page.locator('.composer-actions').getByRole('button', { name: 'Schedule' }).last().click()
  await says(page, 'Scheduled')
  await goTo(page, '/scheduled_statuses')
  await page.getByText('Later').waitFor()
  await page.getByRole('button', { name: 'Change time' }).click()
  await page.getByLabel(/^Date and time/).fill('2034-05-04T12:30')
  await page.getByRole('dialog', { name: 'Schedule' }).getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/2034/).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no scheduled posts.').waitFor()
  assert.deepEqual(await ada.get('/api/v1/scheduled_statuses'), [])

  const parent = await alice.post('/api/v1/statuses', { status: 'When?' })
  const later = { scheduled_at: '2034-05-05T10:00:00.000Z', in_reply_to_id: parent.id, visibility: 'unlisted' }
  await ada.post('/api/v1/statuses', { status: '@alice Tomorow', ...later })
  await page.reload()
  await page.getByText('Unlisted', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('region', { name: 'The post you reply to' }).getByText('When?').waitFor()
  await textOf(page).fill('@alice Tomorrow')
  await page.locator('.composer-actions').getByRole('button', { name: 'Schedule' }).last().click()
  await eventually(async () => {
    const [{ params, scheduled_at: at } = { params: {}, scheduled_at: '' }] =
      await ada.get('/api/v1/scheduled_statuses')
    return params.text === '@alice Tomorrow' && params.visibility === 'unlisted' && at === later.scheduled_at
  })

  const question = await alice.post('/api/v1/statuses', { status: 'Where does it begin?' })
  const written = await ada.post('/api/v1/statuses', { status: 'Teh beginning', in_reply_to_id: question.id })
  await goTo(page, `/@ada/${written.id}`)
  await page.route('**/source', (route) => route.abort())
  await chooseInMenu(page, 'Teh beginning', 'Edit')
  await page.getByRole('dialog').getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/source')
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await textOf(page).fill('The beginning')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('article', { hasText: 'The beginning' }).waitFor()
  assert.equal((await postsOf(ada))[0]?.text, 'The beginning')
  let hasAnswer = false
  await page.route(`**/api/v1/statuses/${written.id}`, async (route) => {
    await (hasAnswer || route.request().method() !== 'DELETE'
      ? route.continue()
      : route.fetch().then(() => route.abort()))
  })
  await chooseInMenu(page, 'The beginning', 'Delete and redraft')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /redraft/i })
    .click()
  await page.getByRole('dialog').getByText('The server cannot be reached.').waitFor()
  hasAnswer = true
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await textOf(page).waitFor()
  await hasValue(textOf(page), 'The beginning')
  await page.keyboard.press('Escape')
  await says(page, 'Saved as a draft')
  await goTo(page, '/drafts')
  await page.getByRole('button', { name: /The beginning/ }).click()
  await page.getByRole('region', { name: 'The post you reply to' }).getByText('Where does it begin?').waitFor()
  await postButton(page).click()
  await says(page, 'Posted')

  await chooseInMenu(page, 'The beginning', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Write again' }).click()
  await textOf(page).waitFor()
  await hasValue(textOf(page), 'The beginning')
  await postButton(page).click()
  await eventually(async () => {
    const [again] = await postsOf(ada)
    return again?.text === 'The beginning' && again.in_reply_to_id === question.id
  })

  const { statuses_count: count } = await ada.get(`/api/v1/accounts/${ada.id}`)
  await goTo(page, '/@ada')
  await page.getByRole('link', { name: `${count} posts` }).waitFor()
  await openNew(page)
  await textOf(page).fill('On my own page')
  await postButton(page).click()
  await page.getByRole('link', { name: `${count + 1} posts` }).waitFor()
  const pinned = page.locator('.pinned-status', { hasText: 'On my own page' })
  await chooseInMenu(page, 'On my own page', 'Pin to profile')
  await pinned.waitFor()
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await pinned.waitFor({ state: 'detached' })
  await chooseInMenu(page, 'On my own page', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: `${count} posts` }).waitFor()
  const items = page.getByRole('list', { name: 'Posts' }).getByRole('listitem')
  await items.filter({ hasText: /^$/ }).waitFor({ state: 'detached' })
})

/** Two in a category, and one without. */
async function addEmojis(): Promise<void> {
  const { buffer } = await pngFile('', 'teal', 64, 64)
  for (const [shortcode, category] of [
    ['wren', 'Birds'],
    ['heron', 'Birds'],
    ['anchor_of_ours', ''],
  ] as const) {
    const path = join(server.ctx.config.dataDir, `${shortcode}.png`)
    await writeFile(path, buffer)
    const emoji = { shortcode, category, aliases: [], visibleInPicker: true }
    await createEmoji(server.ctx, alice.id, emoji, { path, size: (await stat(path)).size })
  }
}

async function chooseInMenu(page: Page, text: string, item: string): Promise<void> {
  await page.locator('article', { hasText: text }).first().getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** As a busy browser does: locks of the page stay for a moment when it unloads. */
async function holdLocksAfter(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(new URL('/health', page.url()).href)
  await other.evaluate(async () => {
    const { held = [] } = await navigator.locks.query()
    for (const { name = '' } of held)
      void navigator.locks.request(name, () => new Promise((resolve) => setTimeout(resolve, 700)))
  })
}

test('a draft moves to a window of its own, and back', options, async () => {
  const page = await browser.open(server, ada, { path: '/bookmarks' })
  const popOut = page.getByRole('button', { name: 'Write in a window of its own' })
  await openNew(page)
  await textOf(page).fill('Written beside')
  await page.getByRole('button', { name: 'Content warning' }).click()
  await page.getByRole('textbox', { name: 'Content warning' }).fill('windows')
  await page.locator('.composer-tools input[type=file]').setInputFiles(await pngFile('wren.png', '#345'))

  // A browser may refuse.
  await page.evaluate('window.open = () => null')
  await popOut.click()
  await page
    .getByRole('alert')
    .getByText(/^The browser opened no window/)
    .waitFor()
  await hasValue(textOf(page), 'Written beside')
  await holdLocksAfter(page)
  await page.reload()
  await openNew(page)
  await hasValue(textOf(page), 'Written beside')

  const opening = page.waitForEvent('popup')
  await popOut.click()
  const first = await opening
  await hasValue(textOf(first), 'Written beside')
  await hasValue(first.getByRole('textbox', { name: 'Content warning' }), 'windows')
  await first.getByRole('button', { name: /^Alt: describe attachment 1/ }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await axeViolations(first), [])
  await textOf(first).pressSequentially(', word by word')
  await first.getByRole('button', { name: 'Back to the main window' }).click()
  await hasValue(textOf(page), 'Written beside, word by word')
  await eventually(() => first.isClosed())
  assert.equal(await page.getByText('this is a copy').count(), 0)

  const again = page.waitForEvent('popup')
  await popOut.click()
  const second = await again
  await hasValue(textOf(second), 'Written beside, word by word')
  await second.locator('.upload-progress').waitFor({ state: 'detached' })
  await postButton(second).click()
  await second.getByRole('button', { name: 'Post anyway' }).click()
  await eventually(() => second.isClosed())
  const [sent] = await postsOf(ada)
  assert.deepEqual(
    [sent?.text, sent?.spoiler_text, sent?.media_attachments.length],
    ['Written beside, word by word', 'windows', 1],
  )

  // Where the main window is gone, this becomes one.
  await openNew(page)
  await textOf(page).fill('Left alone')
  const last = page.waitForEvent('popup')
  await popOut.click()
  const third = await last
  await hasValue(textOf(third), 'Left alone')
  await page.close()
  await third.getByRole('button', { name: 'Back to the main window' }).click()
  await third.waitForURL('**/home')
  await hasValue(textOf(third), 'Left alone')
  await third.getByRole('link', { name: 'Home', exact: true, includeHidden: true }).waitFor()
  await third.context().close()
})

test('a draft that the device cannot store stays in its window', options, async () => {
  const page = await browser.show(server, ada, { path: '/bookmarks' })
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await openNew(page)
  await textOf(page).fill('Only here')
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Write in a window of its own' }).click()
  const opened = await opening
  await page
    .getByRole('alert')
    .getByText(/^This browser could not store the draft/)
    .waitFor()
  await eventually(() => opened.isClosed())
  await hasValue(textOf(page), 'Only here')
})
