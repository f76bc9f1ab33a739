// Polls and quotes on public pages
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'

import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const RED = { width: 8, height: 8, channels: 3, background: 'red' } as const
const page = async ({ url }: { url: string }): Promise<string> =>
  (await server.send('GET', new URL(url).pathname, { headers: { accept: 'text/html' } })).text

test('a public page shows the results of a poll, unless they are hidden', async () => {
  const poll = { options: ['tea & <b>milk</b>', 'coffee'], expires_in: 600 }
  const post = await ada.post('/api/v1/statuses', { status: 'Which?', poll })
  await bob.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [1] })
  const text = await page(post)
  assert.match(text, /tea &amp; &lt;b&gt;milk&lt;\/b&gt;/)
  assert.match(text, /<span class="share">100%<\/span>/)
  assert.match(text, /1 person voted · open/)
  const secret = await ada.post('/api/v1/statuses', { status: 'Which?', poll: { ...poll, hide_totals: true } })
  await bob.post(`/api/v1/polls/${secret.poll.id}/votes`, { choices: [1] })
  assert.doesNotMatch(await page(secret), /class="share"/)
})

test('a public page shows the quoted post until its author revokes the quote', async () => {
  const original = await ada.post('/api/v1/statuses', { status: 'first said' })
  const made = await bob.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: original.id })
  assert.match(await page(made), /<blockquote class="quoted">.*first said.*<\/blockquote>/s)
  await ada.post(`/api/v1/statuses/${original.id}/quotes/${made.id}/revoke`)
  assert.doesNotMatch(await page(made), /first said/)
  assert.match(await page(made), /The quoted post cannot be shown/)
  const form = new FormData()
  form.set('file', new Blob([await sharp({ create: RED }).png().toBuffer()]))
  form.set('description', 'a red square')
  const { id } = (await ada.send('POST', '/api/v2/media', { form })).json
  const imagePost = await ada.post('/api/v1/statuses', { media_ids: [id] })
  const quoting = await bob.post('/api/v1/statuses', { status: 'look', quoted_status_id: imagePost.id })
  assert.match(await page(quoting), /<blockquote class="quoted">.*alt="a red square".*<\/blockquote>/s)
})
