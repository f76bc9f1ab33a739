// Media in the composer: uploads, descriptions, crops, pasted and dropped files.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { axeViolations } from '../support/axe.ts'
import { clientBrowser, goTo, skipBrowser } from '../support/client.ts'
import { pngFile, postButton, postsOf, says, textOf } from '../support/composer.ts'
import { canMakeVideos, makeVideo, tone } from '../support/media-files.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const browser = clientBrowser()
const options = { skip: skipBrowser }

test('media are checked, described, cropped, ordered and posted', options, async () => {
  const page = await browser.show(server, ada, { path: '/publish', expectedErrors: /ERR_FAILED/ })
  const files = page.locator('.composer-tools input[type=file]')
  await files.setInputFiles(await storeFile('big.png', Buffer.alloc(20 * 2 ** 20)))
  await page.getByRole('alert').getByText('“big.png” is too large. This server accepts up to 16 MB.').waitFor()
  await files.setInputFiles({ name: 'a.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') })
  await page.getByRole('alert').getByText('“a.exe” has a format that this server does not accept.').waitFor()

  // Of several files at once, each that is refused is named.
  await files.setInputFiles([
    { name: 'b.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    { name: 'c.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    ...(await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => pngFile(`${name}.png`, 'green', 60, 40)))),
  ])
  const refusals = page.getByRole('alert').getByRole('paragraph')
  await refusals.getByText('6.png').waitFor()
  assert.deepEqual(await refusals.allTextContents(), [
    ...['b', 'c'].map((name) => `“${name}.exe” has a format that this server does not accept.`),
    ...['5', '6'].map((name) => `“${name}.png”: A post can have 4 attachments at most.`),
  ])
  for (let left = 4; left > 0; left -= 1) await page.getByRole('button', { name: `Remove attachment ${left}` }).click()

  await page.route('**/api/v2/media', (route) => route.abort())
  await files.setInputFiles([await pngFile('red.png', 'red', 60, 40)])
  await page.getByRole('button', { name: 'Upload again' }).waitFor()
  await page.unroute('**/api/v2/media')
  const uploaded = page.waitForResponse('**/api/v2/media')
  await page.getByRole('button', { name: 'Upload again' }).click()
  await page.getByRole('button', { name: 'Upload again' }).waitFor({ state: 'hidden' })
  await uploaded

  // One that is never answered.
  await page.clock.install()
  const asked = page.waitForRequest('**/api/v2/media')
  await page.route('**/api/v2/media', () => {})
  await files.setInputFiles([await pngFile('green.png', 'green', 60, 40)])
  await asked
  await page.clock.runFor(121_000)
  await page.getByRole('button', { name: 'Upload again' }).waitFor()
  await page.unroute('**/api/v2/media')
  await page.getByRole('button', { name: 'Remove attachment 2' }).click()
  await page.clock.resume()
  await paste(page, await pngFile('blue.png', 'blue'))
  await page.getByRole('button', { name: 'Alt: describe attachment 2' }).click()
  // A dialog begins at its content, also within another one.
  await page.getByRole('textbox', { name: 'Alt text' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('A blue square')
  await page.getByRole('slider', { name: 'Horizontal' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Crop' }).click()
  const crop = page.getByRole('dialog', { name: 'Crop' })
  await crop.locator('cropper-selection').waitFor()
  assert.equal(await crop.getByRole('gridcell').count(), 0, 'the lines of the selection are no table')
  await crop.getByRole('button', { name: 'Crop' }).click()
  await page.getByRole('button', { name: 'Alt: edit attachment 2' }).waitFor()
  await page.getByRole('button', { name: 'Move attachment 2 forward' }).click()
  await page.getByRole('button', { name: 'Alt: describe attachment 2' }).click()
  await page.getByRole('slider', { name: 'Vertical' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Remove attachment 1' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Alt: edit attachment 1' }).waitFor()
  await page.locator('.upload-progress').waitFor({ state: 'hidden' })
  await page.getByLabel(/^Mark as sensitive/).check()
  assert.deepEqual(await axeViolations(page, 'dialog[open]'), [])
  await textOf(page).fill('Two squares')
  await postButton(page).click()
  await page.getByText('Post without alt text?').waitFor()
  await page.getByRole('button', { name: 'Add alt text' }).click()
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A red square')
  await page.getByRole('button', { name: 'Done' }).click()
  await postButton(page).click()
  await says(page, 'Posted')
  const [post] = await postsOf(ada)
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

test('an image that is larger than the server accepts is made smaller', options, async () => {
  const limit = 2 ** 19
  const limited = Promise.withResolvers<void>()
  const limitImages = (opening: Page) =>
    opening.route('**/api/v2/instance', async (route) => {
      const response = await route.fetch()
      const instance = await response.json()
      instance.configuration.media_attachments.image_size_limit = limit
      await route.fulfill({ response, json: instance })
      limited.resolve()
    })
  const page = await browser.show(server, ada, { path: '/publish', prepare: limitImages })
  await limited.promise
  // Noise does not compress.
  const [width, height] = [500, 400]
  const pixels = randomBytes(width * height * 3)
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  assert.ok(buffer.length > limit)
  const uploaded = page.waitForResponse('**/api/v2/media')
  await page.locator('.composer-tools input[type=file]').setInputFiles(await storeFile('camera.png', buffer))
  await page.getByRole('button', { name: 'Alt: describe attachment 1' }).click()
  await page.getByRole('textbox', { name: 'Alt text' }).fill('Noise')
  await page.getByRole('button', { name: 'Done' }).click()
  await textOf(page).fill('From a camera')
  await postButton(page).click()
  await says(page, 'Posted')
  const { requestBodySize } = await (await uploaded).request().sizes()
  assert.ok(requestBodySize > limit / 10 && requestBodySize < limit + 1000, `${requestBodySize} bytes`)
  const [post] = await postsOf(ada)
  const { original } = post?.media_attachments[0]?.meta ?? {}
  assert.ok(original.width < width && Math.abs(original.width / original.height - width / height) < 0.01)
})

test(
  'dropped files are attached; a video shows its progress, and plays',
  { ...options, skip: skipBrowser || !canMakeVideos },
  async () => {
    const page = await browser.show(server, ada, { path: '/publish' })
    const images = await Promise.all(
      ['red', 'blue'].map(async (colour) => storeFile(`${colour}.png`, (await pngFile('', colour, 60, 40)).buffer)),
    )
    await drop(page, images)
    await page.getByRole('img', { name: 'blue.png' }).waitFor()
    const attachments = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
    assert.equal(await attachments.count(), 2)
    const video = await makeVideo(server.ctx.config.dataDir, 'wren.mp4', { width: 160, height: 90, seconds: 2 })
    await drop(page, [video])
    await page.getByRole('alert').getByText('Video and audio cannot be combined with other attachments.').waitFor()
    for (let left = 2; left > 0; left -= 1)
      await page.getByRole('button', { name: `Remove attachment ${left}` }).click()

    const session = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 60_000 }
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slow)
    await drop(page, [video])
    const progress = attachments.getByRole('progressbar', { name: 'wren.mp4' })
    await eventually(async () => {
      const value = Number(await progress.getAttribute('value'))
      return value > 0 && value < 1
    })
    await page.getByText('Uploading…').waitFor()
    await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    // The server converts it.
    await progress.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Alt: describe attachment 1' }).click()
    await page.getByRole('textbox', { name: 'Alt text' }).fill('Moving colours')
    await page.getByRole('button', { name: 'Use this frame as thumbnail' }).click()
    await page.getByText('The thumbnail has been changed.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await textOf(page).fill('It moves')
    await postButton(page).click()
    await says(page, 'Posted')
    const [post] = await postsOf(ada)
    assert.deepEqual(
      post?.media_attachments.map(({ type, description }: any) => [type, description]),
      [['video', 'Moving colours']],
    )
    await goTo(page, `/@ada/${post?.id}`)
    const player = page.getByLabel('Moving colours')
    assert.equal(await player.evaluate((element: HTMLVideoElement) => element.paused), true)
    await player.focus()
    await page.keyboard.press('Space')
    await eventually(() => player.evaluate((element: HTMLVideoElement) => element.currentTime > 0.1))
  },
)

/** Returns the path, from which the browser reads the file itself: in a message to it, large files take seconds. */
async function storeFile(name: string, buffer: Buffer): Promise<string> {
  const path = join(server.ctx.config.dataDir, name)
  await writeFile(path, buffer)
  return path
}

/** Drags files from outside of the browser onto the text, and drops them. */
async function drop(page: Page, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const box = await textOf(page).boundingBox()
  assert.ok(box)
  const at = { x: box.x + 40, y: box.y + 20, data: { items: [], files, dragOperationsMask: 1 } }
  await session.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at })
  await session.send('Input.dispatchDragEvent', { type: 'dragOver', ...at })
  await page.locator('[data-dropping=true]').waitFor()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at })
  await page.locator('[data-dropping=true]').waitFor({ state: 'detached' })
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
