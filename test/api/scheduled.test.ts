// scheduled_at of POST /api/v1/statuses, and the publication of scheduled posts
import { enqueueLateJobs, publishScheduled } from '../support/acts.ts'
import { deleteOrphanedMedia } from '../support/internals.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishNow } from '../support/jobs.ts'
import { uploadImage } from '../support/images.ts'
import { startTwin } from '../support/server-pool.ts'
import { eventually, type Answer, type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })

const MINUTE = 60_000
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString()
const send = (who: Person, json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  who.send('POST', '/api/v1/statuses', { json, headers })
const schedule = async (who: Person, json: object = {}): Promise<any> => {
  const answer = await send(who, { status: 'later', scheduled_at: ahead(60 * MINUTE), ...json })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}
const posts = (who: Person): Promise<any[]> => who.get(`/api/v1/accounts/${who.id}/statuses`)

test('a scheduled post is not published yet and returns its parameters', async () => {
  const parent = await bob.post('/api/v1/statuses', { status: 'parent' })
  const at = ahead(24 * 60 * MINUTE)
  const { json, text } = await send(ada, {
    status: 'later @bob',
    spoiler_text: 'cw',
    in_reply_to_id: parent.id,
    visibility: 'unlisted',
    language: 'de',
    scheduled_at: at,
    quote_approval_policy: 'nobody',
    poll: { options: ['a', 'b'], expires_in: '600', multiple: '1' },
  })
  assert.equal(json.scheduled_at, at)
  // An id exceeds the precision of a JavaScript number, so the test matches the raw JSON.
  assert.match(text, new RegExp(`"in_reply_to_id":${parent.id}[,}]`))
  assert.equal(Number.isInteger(json.params.application_id), true)
  const { in_reply_to_id: _parent, application_id: _app, ...params } = json.params
  assert.deepEqual(params, {
    text: 'later @bob',
    poll: { options: ['a', 'b'], expires_in: 600, multiple: true, hide_totals: false },
    media_ids: null,
    sensitive: null,
    spoiler_text: 'cw',
    visibility: 'unlisted',
    language: 'de',
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
    quoted_status_id: null,
    quote_approval_policy: 'nobody',
    allowed_mentions: null,
  })
  assert.deepEqual(json.media_attachments, [])
  assert.deepEqual(await posts(ada), [])
  assert.deepEqual(await ada.get(`/api/v1/scheduled_statuses/${json.id}`), json)
  await ada.delete(`/api/v1/scheduled_statuses/${json.id}`)
})

test('omitted parameters are null and take the defaults of the author when published', async () => {
  const eve = await server.person('zed')
  await eve.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { source: { privacy: 'private', language: 'de', sensitive: true, quote_policy: 'nobody' } },
  })
  const { id, params } = await schedule(eve)
  assert.deepEqual(
    { ...params, application_id: 0 },
    {
      text: 'later',
      poll: null,
      media_ids: null,
      sensitive: null,
      spoiler_text: null,
      visibility: 'private',
      in_reply_to_id: null,
      language: null,
      application_id: 0,
      scheduled_at: null,
      idempotency: null,
      with_rate_limit: false,
      quoted_status_id: null,
      quote_approval_policy: null,
      allowed_mentions: null,
    },
  )
  await publishNow(server, id)
  const [post] = await posts(eve)
  assert.deepEqual([post.visibility, post.language, post.sensitive], ['private', 'de', true])
})

test('scheduled_at is returned in UTC, even for distant dates', async () => {
  const cases: [string, string][] = [
    ['4000-01-01T12:34:56.789Z', '4000-01-01T12:34:56.789Z'],
    ['4000-01-02T00:00:00+02:00', '4000-01-01T22:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['4000-01-03', '4000-01-03T00:00:00.000Z'],
  ]
  for (const [sent, answered] of cases) {
    const { id, scheduled_at } = await schedule(ada, { scheduled_at: sent })
    assert.equal(scheduled_at, answered)
    await ada.delete(`/api/v1/scheduled_statuses/${id}`)
  }
})

test('invalid dates and dates within five minutes are refused; a past date publishes at once', async () => {
  for (const scheduled_at of [
    ahead(MINUTE),
    ahead(4.9 * MINUTE),
    'tomorrow',
    '2030-13-01',
    '2030-02-30',
    '12345',
    'now()',
    '+123456-01-01',
  ])
    assert.equal((await send(ada, { status: 'x', scheduled_at })).status, 422, scheduled_at)
  assert.equal((await send(ada, { status: 'x', scheduled_at: ['2030-01-01'] })).status, 422)
  const { json } = await send(ada, { status: 'x', scheduled_at: 'tomorrow' })
  assert.equal(json.error, 'Invalid date supplied')
  const soon = await send(ada, { status: 'x', scheduled_at: ahead(MINUTE) })
  assert.equal(soon.json.error, 'Validation failed: Scheduled at date must be in the future')
  const now = await send(ada, { status: 'long ago', scheduled_at: '2001-01-01T00:00:00Z' })
  assert.equal(now.json.content, '<p>long ago</p>')
  assert.equal((await ada.get('/api/v1/scheduled_statuses')).length, 0)
})

test('a post that would be refused cannot be scheduled', async () => {
  const at = ahead(60 * MINUTE)
  const hidden = await bob.post('/api/v1/statuses', { status: 'hidden', visibility: 'direct' })
  const refused: [object, number][] = [
    [{ status: '' }, 422],
    [{ status: 'x'.repeat(501) }, 422],
    [{ status: 'x', poll: { options: ['a'], expires_in: 600 } }, 422],
    [{ status: 'x', media_ids: ['1'] }, 422],
    [{ status: 'x', media_ids: [await uploadImage(bob)] }, 422],
    [{ status: 'x', in_reply_to_id: hidden.id }, 404],
    [{ status: 'x', quoted_status_id: hidden.id }, 404],
    [{ status: 'x @bob', allowed_mentions: [ada.id] }, 422],
  ]
  for (const [json, status] of refused)
    assert.equal((await send(ada, { scheduled_at: at, ...json })).status, status, JSON.stringify(json))
})

test('a scheduled post is published once, with the defaults of when it was scheduled', async () => {
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { source: { privacy: 'unlisted', language: 'de' } },
  })
  const media = await uploadImage(ada)
  const scheduled = await schedule(ada, { status: 'hello @bob', media_ids: [media] })
  assert.deepEqual(
    scheduled.media_attachments.map(({ id }: any) => id),
    [media],
  )
  await ada.send('PATCH', '/api/v1/accounts/update_credentials', {
    json: { source: { privacy: 'public', language: 'en' } },
  })
  const count = (await posts(ada)).length
  await publishNow(server, scheduled.id)
  const [post, ...older] = await posts(ada)
  assert.equal(older.length, count)
  assert.deepEqual(
    [post.visibility, post.language, post.application.name, post.media_attachments[0].id, post.mentions[0].acct],
    ['unlisted', 'de', 'Tests', media, 'bob'],
  )
  assert.equal((await bob.get('/api/v1/notifications?types[]=mention'))[0].status.id, post.id)
  assert.equal((await ada.send('GET', `/api/v1/scheduled_statuses/${scheduled.id}`)).status, 404)
  await publishScheduled(server.ctx, { scheduledId: scheduled.id })
  assert.equal((await posts(ada)).length, count + 1)
})

test('the poll of a scheduled post runs from its publication', async () => {
  const { id } = await schedule(ada, { poll: { options: ['a', 'b'], expires_in: 600 } })
  const before = Date.now()
  await publishNow(server, id)
  const [post] = await posts(ada)
  const end = Date.parse(post.poll.expires_at)
  assert(end >= before + 600_000 && end <= Date.now() + 600_000)
})

test('a scheduled post is published once and at its time, even with two processes', async () => {
  const { id } = await schedule(ada, { status: 'on time' })
  const at = Date.now() + 4000
  await server.database.raw(`update scheduled_statuses set scheduled_at = $1 where id = $2`, [new Date(at), id])
  await server.database.raw(
    `update pgboss.job set start_after = $1 where name = 'statuses.publish' and data ->> 'scheduledId' = $2`,
    [new Date(at), id],
  )
  // A second process over the same database, started before the post is due.
  const twin = await startTwin(server.ctx)
  try {
    const post = await eventually(async () => (await posts(ada)).find(({ content }) => content === '<p>on time</p>'))
    const late = Date.parse(post.created_at) - at
    // A moment on an idle machine; without its timer it would wait for the hourly clean-up.
    assert(late >= 0 && late < 15_000, `${late} ms`)
    assert.equal((await posts(ada)).filter(({ content }) => content === '<p>on time</p>').length, 1)
  } finally {
    await twin.stop()
  }
})

test('the clean-up publishes a late scheduled post whose job was lost', async () => {
  const { id } = await schedule(ada, { status: 'found again' })
  await server.database.raw(`delete from pgboss.job where data ->> 'scheduledId' = $1`, [id])
  await server.database.raw(`update scheduled_statuses set scheduled_at = now() - interval '1 hour' where id = $1`, [
    id,
  ])
  await enqueueLateJobs(server.ctx)
  await server.drain()
  assert.equal((await posts(ada)).filter(({ content }) => content === '<p>found again</p>').length, 1)
})

test('concurrent attempts to publish create one post', async () => {
  const { id } = await schedule(ada, { status: 'race' })
  await server.database.raw(`update scheduled_statuses set scheduled_at = now() where id = $1`, [id])
  await Promise.all(Array.from({ length: 5 }, () => publishScheduled(server.ctx, { scheduledId: id })))
  assert.equal((await posts(ada)).filter(({ content }) => content === '<p>race</p>').length, 1)
})

test('a scheduled reply is dropped if its parent was deleted', async () => {
  const parent = await bob.post('/api/v1/statuses', { status: 'parent' })
  const { id } = await schedule(ada, { status: 'an answer to nothing', in_reply_to_id: parent.id })
  await bob.delete(`/api/v1/statuses/${parent.id}`)
  const count = (await posts(ada)).length
  await publishNow(server, id)
  assert.equal((await posts(ada)).length, count)
  assert.equal((await ada.send('GET', `/api/v1/scheduled_statuses/${id}`)).status, 404)
})

test('the scheduled post of a disabled user is not published', async () => {
  const dan = await server.person('dan')
  const { id } = await schedule(dan)
  await server.database.raw('update users set disabled = true where id = $1', [dan.userId])
  await publishNow(server, id)
  assert.deepEqual(await ada.get(`/api/v1/accounts/${dan.id}/statuses`), [])
})

test('media of a scheduled post cannot be attached again or deleted, and survive the clean-up', async () => {
  const media = await uploadImage(ada)
  const { id } = await schedule(ada, { media_ids: [media] })
  await server.database.raw(`update media_attachments set created_at = now() - interval '3 days' where id = $1`, [
    media,
  ])
  await deleteOrphanedMedia(server.ctx)
  assert.equal((await send(ada, { status: 'x', media_ids: [media] })).status, 422)
  assert.equal((await send(ada, { status: 'x', media_ids: [media], scheduled_at: ahead(60 * MINUTE) })).status, 422)
  assert.equal((await ada.send('DELETE', `/api/v1/media/${media}`)).status, 422)
  await ada.delete(`/api/v1/scheduled_statuses/${id}`)
  await deleteOrphanedMedia(server.ctx)
  const post = await ada.post('/api/v1/statuses', { status: 'now', media_ids: [media] })
  assert.equal(post.media_attachments[0].id, media)
})

test('an idempotency key creates one scheduled post and later returns the published one', async () => {
  const json = { status: 'keyed', scheduled_at: ahead(60 * MINUTE) }
  const twins = await Promise.all(Array.from({ length: 4 }, () => send(ada, json, { 'idempotency-key': 'k1' })))
  assert.deepEqual(
    [...new Set(twins.map((answer) => `${answer.status} ${answer.json.id}`))],
    [`200 ${twins[0]?.json.id}`],
  )
  assert.equal(twins[0]?.json.params.idempotency, 'k1')
  await publishNow(server, twins[0]?.json.id)
  const again = await send(ada, json, { 'idempotency-key': 'k1' })
  assert.equal(again.json.content, '<p>keyed</p>')
  assert.equal((await ada.get('/api/v1/scheduled_statuses')).length, 0)
})
