// DELETE /api/v1/statuses/:id returns what a redraft needs; media_attributes on PUT /api/v1/statuses/:id
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pngOf } from '../support/images.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const png = async (color: string): Promise<Blob> => {
  const bytes = await pngOf(8, 6, color)
  return new Blob([bytes], { type: 'image/png' })
}
async function upload(): Promise<string> {
  const form = new FormData()
  form.set('file', await png('#3c3'), 'a.png')
  form.set('description', 'green')
  return (await ada.send('POST', '/api/v2/media', { form })).json.id
}

test('a deleted post can be posted again with its media', async () => {
  const media = [await upload(), await upload()]
  const { id } = await ada.post('/api/v1/statuses', { status: 'typo *here*', spoiler_text: 'cw', media_ids: media })
  const deleted = await ada.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual([deleted.text, deleted.spoiler_text], ['typo *here*', 'cw'])
  assert.deepEqual(
    deleted.media_attachments.map((medium: any) => medium.id),
    media,
  )
  const again = await ada.post('/api/v1/statuses', { status: 'no typo', media_ids: media.toReversed() })
  assert.deepEqual(
    again.media_attachments.map((medium: any) => [medium.id, medium.description]),
    media.toReversed().map((m) => [m, 'green']),
  )
})

test('deleting a quote returns the quoted post', async () => {
  const original = await bob.post('/api/v1/statuses', { status: 'said' })
  const { id } = await ada.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: original.id })
  const deleted = await ada.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual([deleted.text, deleted.quote.quoted_status.id], ['quoting', original.id])
})

test('an edit can replace the preview of a media attachment', async () => {
  const media = await upload()
  const { id } = await ada.post('/api/v1/statuses', { status: 'x', media_ids: [media] })
  const before = (await ada.get(`/api/v1/statuses/${id}`)).media_attachments[0]
  const form = new FormData()
  form.set('status', 'x')
  form.append('media_ids[]', media)
  form.append('media_attributes[][id]', media)
  form.append('media_attributes[][thumbnail]', await png('#c33'), 'b.png')
  const { status, json, text } = await ada.send('PUT', `/api/v1/statuses/${id}`, { form })
  assert.equal(status, 200, text)
  const [after] = json.media_attachments
  assert.notEqual(after.preview_url, before.preview_url)
  assert.notEqual(after.blurhash, before.blurhash)
  assert.deepEqual([after.url, after.description], [before.url, 'green'])
  assert.notEqual(json.edited_at, null)
  assert.equal((await fetch(after.preview_url.replace(`http://${server.domain}`, server.url))).status, 200)
  assert.equal((await fetch(before.preview_url.replace(`http://${server.domain}`, server.url))).status, 404)
})

test('an invalid preview, or one for media of another post, changes nothing', async () => {
  const [media, second, other] = [await upload(), await upload(), await upload()]
  const { id } = await ada.post('/api/v1/statuses', { status: 'x', media_ids: [media, second] })
  const put = async (...previews: [name: string, file: Blob][]) => {
    const form = new FormData()
    for (const [i, [name, file]] of previews.entries()) {
      form.append(`media_attributes[${i}][id]`, name)
      form.append(`media_attributes[${i}][thumbnail]`, file, 'b.png')
    }
    return ada.send('PUT', `/api/v1/statuses/${id}`, { form })
  }
  const files = () => Array.fromAsync(server.ctx.files.list(), ({ key }) => key)
  const before = await files()
  const invalid = new Blob(['no picture'], { type: 'image/png' })
  assert.equal((await put([media, invalid])).status, 422)
  assert.equal((await put([media, await png('#c33')], [second, invalid])).status, 422)
  assert.equal((await put([other, await png('#c33')])).json.edited_at, null)
  assert.deepEqual((await files()).toSorted(), before.toSorted())
  const json = { media_attributes: [{ id: media, thumbnail: 'no file' }] }
  assert.equal((await ada.send('PUT', `/api/v1/statuses/${id}`, { json })).status, 422)
})
