import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBrowser } from './browser.ts'

test('the browser starts and renders text with the libraries and fonts of its package', async () => {
  const page = await (await sharedBrowser()).newPage()
  try {
    await page.setContent('<p id="a">wide text</p><script>document.title = "ran"</script>')
    assert.equal(await page.title(), 'ran')
    const box = await page.locator('#a').boundingBox()
    assert.ok(box && box.height > 5)
  } finally {
    await page.close()
  }
})
