// The composer in a browser, on a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { axeInBothThemes } from '../support/axe.ts'
import { clientBrowser, skipBrowser } from '../support/client.ts'
import { tone } from '../support/media-files.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, alice } = await stage({ accounts: ['ada', 'alice'] })
const browser = clientBrowser()
const skip = skipBrowser
const options = { skip, timeout: 120_000 }

const textOf = (page: Page) => page.getByLabel('Text of the post')
const postButton = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
const openNew = (page: Page) => page.getByRole('link', { name: 'New post' }).click()

async function says(page: Page, text: string): Promise<void> {
  await page.getByRole('status').getByText(text, { exact: true }).waitFor()
}

/** The newest posts of an account as the API has them, without HTML. */
async function posts(person: typeof ada): Promise<{ id: string; text: string; [key: string]: any }[]> {
  const found = await person.get(`/api/v1/accounts/${person.id}/statuses?limit=40`)
  return found.map((status: any) => ({ ...status, text: status.content.replaceAll(/<[^>]+>/g, '') }))
}

async function image(name: string, background: string, width = 600, height = 400) {
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

test('a post is counted, survives an error, is posted once and shown at once', options, async () => {
  const page = await browser.open(server, ada, { path: '/home', expectedErrors: /status of 422/ })
  await openNew(page)
  await textOf(page).fill(`see https://example.com/${'x'.repeat(300)} @alice@far.example ${'y'.repeat(470)}`)
  await page.locator('.count-left', { hasText: '-5' }).waitFor()
  assert.equal(await postButton(page).isDisabled(), true)
  assert.deepEqual(await axeInBothThemes(page), [])

  await textOf(page).fill('Good morning, everyone: this is written in plain English, and detected.')
  await page.getByRole('button', { name: 'Content warning' }).click()
  await page.getByRole('textbox', { name: 'Content warning' }).fill('weather')
  await page.getByRole('button', { name: /^Visibility/ }).click()
  await page.getByRole('menuitemradio', { name: /^Followers only/ }).click()
  await page.getByText('English (detected)').waitFor({ state: 'attached' })

  await page.route('**/api/v1/statuses', (route) => route.fulfill({ status: 422, json: { error: 'Back in a minute' } }))
  await textOf(page).press('Control+Enter')
  await page.getByRole('alert').getByText('Back in a minute').waitFor()
  assert.match(await textOf(page).inputValue(), /^Good morning/)
  await page.unroute('**/api/v1/statuses')

  await postButton(page).dblclick()
  await says(page, 'Posted')
  await page.locator('article', { hasText: 'weather' }).waitFor()
  const [post, ...others] = await posts(ada)
  assert.deepEqual([post?.spoiler_text, post?.visibility, post?.language], ['weather', 'private', 'en'])
  assert.equal(others.length, 0)
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
    const page = await browser.open(server, ada, { path: `/@alice/${id}` })
    await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
    await page.getByRole('region', { name: 'The post you reply to' }).getByText('Ask me anything').waitFor()
    assert.equal(await textOf(page).inputValue(), '@alice ')
    assert.equal(await page.getByRole('textbox', { name: 'Content warning' }).inputValue(), 'questions')
    await page.getByRole('button', { name: 'Visibility: Unlisted' }).waitFor()
    await textOf(page).pressSequentially('and #rookery')
    await page.getByRole('option', { name: /#rookerybirds/ }).waitFor()
    await textOf(page).press('Enter')
    await textOf(page).pressSequentially(':rocket')
    await page
      .getByRole('option', { name: /rocket/ })
      .first()
      .waitFor()
    await textOf(page).press('Tab')
    assert.equal(await textOf(page).inputValue(), '@alice and #rookerybirds 🚀 ')
    await textOf(page).pressSequentially('@ali')
    await page.getByRole('option', { name: /@alice/ }).waitFor()
    await textOf(page).press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Emojis' }).click()
    await page.getByRole('searchbox', { name: 'Search emojis' }).fill('tada')
    await page.getByRole('searchbox', { name: 'Search emojis' }).press('ArrowDown')
    await page.getByRole('group', { name: 'Search emojis' }).getByRole('button').first().click()
    await postButton(page).click()
    await says(page, 'Posted')
    const [reply] = await posts(ada)
    assert.match(reply?.text ?? '', /@alice and #rookerybirds 🚀 @ali🎉/u)
    assert.deepEqual([reply?.in_reply_to_id, reply?.visibility, reply?.spoiler_text], [id, 'unlisted', 'questions'])

    await page.locator('article', { hasText: 'questions' }).first().getByRole('button', { name: 'Boost' }).click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await page.getByRole('region', { name: 'The post you quote' }).getByText('Ask me anything').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add images, video or audio' }).isDisabled(), true)
    await textOf(page).fill('Worth quoting')
    await postButton(page).click()
    await eventually(async () => (await posts(ada))[0]?.quote?.quoted_status?.id === id)

    await page.goto(`http://${server.domain}/share?title=Look&text=here&url=https%3A%2F%2Fexample.com`)
    await textOf(page).waitFor()
    assert.equal(await textOf(page).inputValue(), 'Look\n\nhere\n\nhttps://example.com')
    await page.getByRole('button', { name: /^Who can quote/ }).click()
    await page.getByRole('menuitemradio', { name: /Only your followers can quote it/ }).click()
    await page.getByLabel('Language').selectOption('fr')
    await page.getByRole('button', { name: /^Visibility/ }).click()
    await page.getByRole('menuitemradio', { name: /^Private mention/ }).click()
    await page.getByText('It is not encrypted').waitFor()
    await textOf(page).fill('@alice just for you')
    await postButton(page).click()
    await says(page, 'Posted')
    const [mention] = await posts(ada)
    assert.deepEqual([mention?.visibility, mention?.language], ['direct', 'fr'])
  },
)

test('media are checked, described, cropped, ordered and posted', options, async () => {
  const page = await browser.open(server, ada, { path: '/publish', expectedErrors: /ERR_FAILED/ })
  const files = page.locator('.composer-tools input[type=file]')
  await files.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(20 * 2 ** 20) })
  await page.getByRole('alert').getByText('“big.png” is too large. This server accepts up to 16 MB.').waitFor()
  await files.setInputFiles({ name: 'a.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') })
  await page.getByRole('alert').getByText('“a.exe” has a format that this server does not accept.').waitFor()

  await page.route('**/api/v2/media', (route) => route.abort())
  await files.setInputFiles([await image('red.png', 'red')])
  await page.getByRole('button', { name: 'Upload again' }).waitFor()
  await page.unroute('**/api/v2/media')
  await page.getByRole('button', { name: 'Upload again' }).click()
  await page.getByRole('button', { name: 'Upload again' }).waitFor({ state: 'hidden' })
  await paste(page, await image('blue.png', 'blue'))
  await page.getByRole('button', { name: 'Alt: describe attachment 2' }).click()
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A blue square')
  await page.getByRole('slider', { name: 'Horizontal' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Crop' }).click()
  const crop = page.getByRole('dialog', { name: 'Crop' })
  await crop.locator('cropper-selection').waitFor()
  await crop.getByRole('button', { name: 'Crop' }).click()
  await page.getByRole('button', { name: 'Alt: edit attachment 2' }).waitFor()
  await page.getByRole('button', { name: 'Move attachment 2 to the front' }).click()
  await page.getByRole('button', { name: 'Alt: describe attachment 2' }).click()
  await page.getByRole('slider', { name: 'Vertical' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByLabel(/^Mark as sensitive/).check()
  assert.deepEqual(await axeInBothThemes(page), [])
  await textOf(page).fill('Two squares')
  await postButton(page).click()
  await page.getByText('Post without alt text?').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Alt: describe attachment 2' }).click()
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A red square')
  await page.getByRole('button', { name: 'Done' }).click()
  await postButton(page).click()
  await says(page, 'Posted')
  const [post] = await posts(ada)
  const [first, second] = post?.media_attachments ?? []
  assert.deepEqual([first.description, second.description, post?.sensitive], ['A blue square', 'A red square', true])
  assert.deepEqual(second.meta.focus, { x: 0, y: 1 })
  assert.ok(first.meta.original.width < 600, 'it was cropped')

  await page.evaluate(`localStorage.setItem('rookery.settings', '{"requireAltText":true}')`)
  await page.goto(`http://${server.domain}/publish`)
  await files.setInputFiles({ name: 'tone.mp3', mimeType: 'audio/mpeg', buffer: tone(2) })
  await page.locator('canvas.waveform').waitFor()
  await page.locator('.upload-progress').waitFor({ state: 'hidden' })
  await postButton(page).click()
  await page.getByRole('alert').getByText('Please describe all attachments first.').waitFor()
})

test('a poll, a scheduled post, an edit and a post written again', options, async () => {
  const page = await browser.open(server, ada, { path: '/publish' })
  await textOf(page).fill('Tea or coffee?')
  await page.getByRole('button', { name: 'Poll' }).click()
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Coffee')
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Tea')
  await page.getByRole('textbox', { name: 'Option 2' }).press('Enter')
  await page.getByRole('button', { name: 'Move option 2 up' }).click()
  await page.getByRole('button', { name: 'Add option' }).click()
  await page.getByRole('textbox', { name: 'Option 3' }).fill('Water')
  await page.getByLabel('Duration').selectOption({ label: '3 days' })
  await page.getByLabel('Multiple choices').check()
  assert.deepEqual(await axeInBothThemes(page), [])
  await postButton(page).click()
  await says(page, 'Posted')
  const [asked] = await posts(ada)
  assert.deepEqual(
    asked?.poll.options.map(({ title }: { title: string }) => title),
    ['Tea', 'Coffee', 'Water'],
  )
  assert.equal(asked?.poll.multiple, true)

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
  await page.goto(`http://${server.domain}/scheduled_statuses`)
  await page.getByText('Later').waitFor()
  await page.getByRole('button', { name: 'Change time' }).click()
  await page.getByLabel(/^Date and time/).fill('2034-05-04T12:30')
  await page.getByRole('dialog', { name: 'Schedule' }).getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/2034/).waitFor()
  assert.deepEqual(await axeInBothThemes(page), [])
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no scheduled posts.').waitFor()
  assert.deepEqual(await ada.get('/api/v1/scheduled_statuses'), [])

  const written = await ada.post('/api/v1/statuses', { status: 'Teh beginning' })
  await page.goto(`http://${server.domain}/@ada/${written.id}`)
  await chooseInMenu(page, 'Teh beginning', 'Edit')
  await textOf(page).fill('The beginning')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('article', { hasText: 'The beginning' }).waitFor()
  assert.equal((await posts(ada))[0]?.text, 'The beginning')
  await chooseInMenu(page, 'The beginning', 'Delete and redraft')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /redraft/i })
    .click()
  await textOf(page).waitFor()
  assert.equal(await textOf(page).inputValue(), 'The beginning')
})

test('a thread is posted as replies, and what fails remains as a draft', options, async () => {
  const page = await browser.open(server, ada, { path: '/publish', expectedErrors: /status of 422/ })
  await textOf(page).fill('Thread one')
  await page.getByRole('button', { name: 'Add a post to the thread' }).click()
  await page.getByLabel('Text of post 2 of 2').fill('Thread two')
  await page.route('**/api/v1/statuses', (route) =>
    route.request().postData()?.includes('Thread two')
      ? route.fulfill({ status: 422, json: { error: 'Not this one' } })
      : route.continue(),
  )
  await postButton(page).click()
  await page.getByRole('alert').getByText('Not this one').waitFor()
  assert.equal(await textOf(page).inputValue(), 'Thread two')
  await page.unroute('**/api/v1/statuses')
  await page.reload()
  await openNew(page)
  await page.getByText('This is what you were writing before.').waitFor()
  await postButton(page).click()
  await says(page, 'Posted')
  const [second, first] = await posts(ada)
  assert.deepEqual([first?.text, second?.text, second?.in_reply_to_id], ['Thread one', 'Thread two', first?.id])

  await openNew(page)
  await textOf(page).fill('Draft of mine')
  await page.keyboard.press('Escape')
  await says(page, 'Saved as a draft')
  await openNew(page)
  assert.equal(await textOf(page).inputValue(), '')
  await page.getByRole('button', { name: 'Drafts' }).click()
  assert.deepEqual(await axeInBothThemes(page), [])
  await page.getByRole('button', { name: /^Draft of mine/ }).click()
  assert.equal(await textOf(page).inputValue(), 'Draft of mine')
  await page.keyboard.press('Escape')
  await page.goto(`http://${server.domain}/drafts`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete this draft?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('There are no drafts on this device.').waitFor()
})

test('what is posted offline is sent once, also after a reload and with two tabs', options, async () => {
  const page = await browser.open(server, ada, { path: '/home', expectedErrors: /ERR_FAILED|ERR_INTERNET/ })
  const context = page.context()
  await context.route('**/api/v1/statuses', (route) => route.abort())
  await openNew(page)
  await textOf(page).fill('Written in a tunnel')
  await postButton(page).click()
  await page.getByText('1 post is not sent yet.').waitFor()
  await page.reload()
  await page.getByText('1 post is not sent yet.').waitFor()
  await page.locator('.unsent-notice').getByRole('button', { name: 'Show' }).click()
  await page.getByRole('dialog').getByText('Will be sent when you are online').waitFor()
  assert.deepEqual(await axeInBothThemes(page), [])
  await page.keyboard.press('Escape')
  const other = await context.newPage()
  await other.goto(`http://${server.domain}/home`)
  await other.getByText('1 post is not sent yet.').waitFor()
  await context.unroute('**/api/v1/statuses')
  await Promise.all([page, other].map((each) => each.evaluate(`dispatchEvent(new Event('online'))`)))
  await eventually(async () => (await posts(ada))[0]?.text === 'Written in a tunnel')
  for (const each of [page, other]) await each.getByText('1 post is not sent yet.').waitFor({ state: 'hidden' })
  assert.equal((await posts(ada)).filter(({ text }) => text === 'Written in a tunnel').length, 1)
  browser.check()
})

test('what was posted though its answer was lost is not posted again an hour later', options, async () => {
  const page = await browser.open(server, ada, { path: '/home', expectedErrors: /ERR_FAILED|ERR_INTERNET/ })
  const lose = async (text: string) => {
    let count = 0
    await page.route('**/api/v1/statuses', async (route) => {
      if ((count += 1) === 1) await route.fetch()
      await route.abort()
    })
    await openNew(page)
    await textOf(page).fill(text)
    await postButton(page).click()
    await page.getByText('1 post is not sent yet.').waitFor()
    // Two hours pass: the server knows the key no longer.
    await page.evaluate(setBackAttempts, 2 * 3_600_000)
    await server.database.raw(`delete from idempotency_keys`)
  }
  const reconnect = async () => {
    await page.unroute('**/api/v1/statuses')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
  }
  const startingWith = async (text: string) => (await posts(ada)).filter((each) => each.text.startsWith(text))
  await lose('Once and never again')
  await reconnect()
  await says(page, 'A post that seemed unsent had been posted')
  assert.equal((await startingWith('Once and never again')).length, 1)

  await lose('Twice')
  const [made] = await startingWith('Twice')
  await ada.put(`/api/v1/statuses/${made?.id}`, { status: 'Twice, changed elsewhere' })
  await reconnect()
  await page.locator('.unsent-notice').getByRole('button', { name: 'Show' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This may have been posted already', { exact: false }).waitFor()
  assert.equal((await startingWith('Twice')).length, 1)
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await eventually(async () => (await startingWith('Twice')).length === 2)
  await page.context().close()
})

/** Runs in the page: makes the attempts to send what is stored so many milliseconds older. */
async function setBackAttempts(by: number): Promise<void> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error as Error))
    })
  const db = await done(indexedDB.open(`rookery-compose-${document.documentElement.dataset.account}`))
  const store = db.transaction('drafts', 'readwrite').objectStore('drafts')
  for (const draft of await done(store.getAll()))
    if (draft.attempted) await done(store.put({ ...draft, attemptedAt: draft.attemptedAt - by }))
  db.close()
}

async function chooseInMenu(page: Page, text: string, item: string): Promise<void> {
  await page.locator('article', { hasText: text }).first().getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Pastes a file into the text. */
async function paste(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await textOf(page).evaluate(
    (area, { name, type, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], name, { type }))
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    { name: file.name, type: file.mimeType, bytes: file.buffer.toString('base64') },
  )
}
