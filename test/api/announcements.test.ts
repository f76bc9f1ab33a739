import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createAnnouncement,
  deleteAnnouncement,
  enqueueLateAnnouncements,
  modifyAnnouncement,
  publishAnnouncement,
  unpublishAnnouncement,
} from '../support/acts.ts'
import { mailsIn, mailsTo } from '../support/mail.ts'
import { stage } from '../support/stage.ts'
import { listen } from '../streaming/listen.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const { ctx } = server
const owner = await server.person('owner', { role: 'owner' })
const PATH = '/api/v1/announcements'

const form = (change: object = {}) => ({
  text: 'Hello',
  startsAt: null,
  endsAt: null,
  allDay: false,
  mailsUsers: false,
  when: 'now' as const,
  scheduledAt: null,
  ...change,
})
const announce = (change: object = {}) => createAnnouncement(ctx, owner.id, form(change))
const ids = async (): Promise<string[]> => (await ada.get(PATH)).map(({ id }: { id: string }) => id)
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n))
const emojis = ['😀', '🎉', '👍🏽', '🇩🇪', '❤️', '🐘', '🦊']

await server.database.raw(
  `insert into custom_emojis (shortcode, image_key, disabled) values ('blobcat', 'cat.png', false), ('old', 'old.png', true)`,
)
await server.database.raw(
  `insert into custom_emojis (shortcode, domain, image_key) values ('far', 'remote.example', 'far.png')`,
)

test('an announcement is read, dismissed and shown with what it links to', async () => {
  const status = await ada.post('/api/v1/statuses', { status: 'Look' })
  const hidden = await ada.post('/api/v1/statuses', { status: 'Hidden', visibility: 'private' })
  const id = await announce({
    text: `Read ${status.url} and ${hidden.url}, @bob, #news :blobcat:\n\n<b>Bye</b>`,
    startsAt: day(1),
  })
  const [announcement] = await ada.get(PATH)
  assert.deepEqual(announcement.statuses, [{ id: status.id, url: status.url }])
  assert.deepEqual(
    announcement.mentions.map(({ acct, id: account }: any) => [acct, account]),
    [['bob', bob.id]],
  )
  assert.deepEqual(
    announcement.tags.map(({ name }: any) => name),
    ['news'],
  )
  assert.deepEqual(
    announcement.emojis.map(({ shortcode }: any) => shortcode),
    ['blobcat'],
  )
  assert.match(announcement.content, /<p>&lt;b&gt;Bye&lt;\/b&gt;<\/p>$/)
  assert.deepEqual(
    [announcement.read, announcement.starts_at, announcement.ends_at],
    [false, day(1).toISOString(), null],
  )
  for (const _ of [1, 2]) assert.deepEqual(await ada.post(`${PATH}/${id}/dismiss`), {})
  assert.equal((await ada.get(PATH))[0].read, true)
  assert.equal((await bob.get(PATH))[0].read, false)
  assert.deepEqual(await ada.get(`${PATH}?with_dismissed=false`), [])
  await deleteAnnouncement(ctx, owner.id, id)
  assert.deepEqual(await ids(), [])
})

test('reactions are counted, at most eight emojis, each once for an account', async () => {
  const id = await announce()
  const react = (name: string, person = ada) =>
    person.send('PUT', `${PATH}/${id}/reactions/${encodeURIComponent(name)}`)
  const both = await Promise.all([react('blobcat'), react('blobcat')])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422])
  for (const name of emojis) assert.equal((await react(name)).status, 200, name)
  assert.equal((await react('❤', bob)).status, 200)
  for (const [name, text] of [
    ['🍎', 'Validation failed: Limit of different reactions reached'],
    ['❤', 'Validation failed: Name has already been taken'],
    ['old', 'Validation failed: Name is not a recognized emoji'],
    ['far', 'Validation failed: Name is not a recognized emoji'],
    ['😀😀', 'Validation failed: Name is not a recognized emoji'],
    ['ab', 'Validation failed: Name is not a recognized emoji'],
  ] as const)
    assert.deepEqual((await react(name)).json, { error: text })
  const [{ reactions }] = await ada.get(PATH)
  assert.deepEqual(
    reactions.map(({ name }: any) => name),
    ['blobcat', ...emojis],
  )
  assert.match(reactions[0].url, /cat\.png$/)
  assert.deepEqual(
    reactions.find(({ name }: any) => name === '❤️'),
    { name: '❤️', count: 2, me: true },
  )

  const remove = (name: string, person = ada) =>
    person.send('DELETE', `${PATH}/${id}/reactions/${encodeURIComponent(name)}`)
  await server.database.raw(`update custom_emojis set disabled = true where shortcode = 'blobcat'`)
  assert.deepEqual(
    [(await remove('blobcat')).status, (await remove('blobcat')).status, (await remove('😀', bob)).status],
    [200, 422, 200],
  )
  await server.database.raw(`update custom_emojis set disabled = false where shortcode = 'blobcat'`)
  assert.deepEqual(
    (await ada.get(PATH))[0].reactions.map(({ name }: any) => name),
    emojis,
  )
  for (const path of [`${PATH}/999/reactions/😀`, `${PATH}/${await announce({ when: 'draft' })}/reactions/😀`]) {
    assert.equal((await ada.send('PUT', encodeURI(path))).status, 404)
    assert.equal((await ada.send('DELETE', encodeURI(path))).status, 404)
  }
  assert.equal((await ada.send('POST', `${PATH}/999/dismiss`)).status, 404)
  await server.database.raw('delete from announcements')
})

test('drafts and ended announcements are not shown; scheduled ones are published, once', async () => {
  const draft = await announce({ when: 'draft' })
  const past = await announce({ startsAt: day(1), endsAt: day(2) })
  const today = new Date(new Date().toISOString().slice(0, 10))
  const allDay = await announce({ startsAt: today, endsAt: today, allDay: true })
  const scheduled = await announce({ when: 'schedule', scheduledAt: new Date(Date.now() + 3_600_000) })
  await server.drain()
  assert.deepEqual(await ids(), [allDay])
  await server.database.raw(`update announcements set scheduled_at = now() - interval '1 minute' where id = $1`, [
    scheduled,
  ])
  for (const _ of [1, 2]) await enqueueLateAnnouncements(ctx)
  await server.drain()
  assert.deepEqual(await ids(), [scheduled, allDay])
  const states = await server.database.raw('select id, published, scheduled_at from announcements order by id')
  assert.deepEqual(
    states.rows.map((row) => [row.id, row.published]),
    [
      [draft, false],
      [past, false],
      [allDay, true],
      [scheduled, true],
    ],
  )
  await publishAnnouncement(ctx, owner.id, draft)
  await unpublishAnnouncement(ctx, owner.id, scheduled)
  assert.deepEqual(await ids(), [draft, allDay])
  await server.database.raw('delete from announcements')

  for (const [change, field] of [
    [{ text: '  ' }, 'text'],
    [{ text: 'x'.repeat(5001) }, 'text'],
    [{ startsAt: day(2), endsAt: day(2) }, 'ends_at'],
    [{ startsAt: day(2), endsAt: day(1), allDay: true }, 'ends_at'],
    [{ when: 'schedule' }, 'scheduled_at'],
  ] as const)
    await assert.rejects(announce(change), (error: any) => {
      assert.deepEqual([error.status, Object.keys(error.extra.details)], [422, [field]])
      return true
    })
  for (const act of [publishAnnouncement, unpublishAnnouncement, deleteAnnouncement])
    await assert.rejects(act(ctx, owner.id, '999'), { status: 404 })
})

test('streams tell of announcements, reactions and removals; users are mailed once', async () => {
  const stream = await listen(server, { token: ada.token, streams: ['user'] })
  const id = await announce({ text: 'Maintenance', mailsUsers: true })
  const published = await stream.event('announcement')
  assert.deepEqual([published.id, published.content, 'read' in published], [id, '<p>Maintenance</p>', false])
  await bob.put(`${PATH}/${id}/reactions/blobcat`)
  const { url, static_url: _, ...reaction } = await stream.event('announcement.reaction')
  assert.deepEqual(reaction, { name: 'blobcat', count: 1, announcement_id: id })
  assert.match(url, /cat/)
  await bob.delete(`${PATH}/${id}/reactions/blobcat`)
  assert.equal((await stream.event('announcement.reaction')).count, 0)
  await modifyAnnouncement(ctx, owner.id, id, form({ text: 'Later', mailsUsers: true, when: 'draft' }))
  assert.equal((await stream.event('announcement')).content, '<p>Later</p>')
  for (let twice = 0; twice < 2; twice++) await unpublishAnnouncement(ctx, owner.id, id)
  assert.equal((await stream.next(({ event }) => event === 'announcement.delete')).payload, id)
  await publishAnnouncement(ctx, owner.id, id)
  await server.drain()
  await ctx.enqueue('announcements.mail', { announcementId: id, after: '0' })
  await server.drain()
  const mails = await mailsTo(server, ada.email)
  assert.equal(mails.length, 1)
  const log = await server.database.raw(
    `select action from audit_log where target_type = 'announcement' and target_id = $1 order by id`,
    [id],
  )
  assert.deepEqual(
    log.rows.map(({ action }) => action),
    ['create', 'publish', 'update', 'unpublish', 'publish'],
  )
})

test('an announcement is mailed to more users than one job takes, also when a published one asks for it later', async () => {
  await server.database.raw(
    `with made as (
       insert into accounts (id, username) select 1000 + n, 'reader' || n from generate_series(1, 205) n returning id, username)
     insert into users (id, account_id, email, password_hash, confirmed_at)
     select id, id, username || '@mass.test', '', now() from made`,
  )
  const id = await announce({ text: 'For everyone' })
  await server.drain()
  assert.deepEqual(await mailsTo(server, 'reader1@mass.test'), [])
  const change = form({ text: 'For everyone', mailsUsers: true, when: 'draft' })
  await modifyAnnouncement(ctx, owner.id, id, change)
  await modifyAnnouncement(ctx, owner.id, id, change)
  await server.drain()
  const mails = (await mailsIn(ctx.config.dataDir)).filter(({ text }) => text.includes('For everyone'))
  const addresses = mails.map(({ to }) => to)
  assert.equal(new Set(addresses).size, addresses.length, 'once each')
  for (const address of ['reader1@mass.test', 'reader205@mass.test', bob.email]) assert.ok(addresses.includes(address))
})

test('an announcement that is taken down while it is mailed mails the others when it is published again', async () => {
  await server.database.raw(`
    create function take_down() returns trigger language plpgsql as $$ begin new.published = false; return new; end $$;
    create trigger take_down before update of mailed_up_to on announcements for each row execute function take_down()`)
  const id = await announce({ text: 'In two parts', mailsUsers: true })
  await server.drain()
  await server.database.raw('drop trigger take_down on announcements; drop function take_down')
  const mailed = async (): Promise<string[]> =>
    (await mailsIn(ctx.config.dataDir)).filter(({ text }) => text.includes('In two parts')).map(({ to }) => to)
  const first = await mailed()
  assert.equal(first.length, 200)
  const late = await server.person('late')
  for (const _ of [1, 2]) {
    await publishAnnouncement(ctx, owner.id, id)
    await server.drain()
    const all = await mailed()
    assert.ok(all.length > first.length)
    assert.equal(new Set(all).size, all.length, 'once each')
    for (const address of ['reader205@mass.test', ada.email, owner.email]) assert.ok(all.includes(address), address)
    assert.ok(!all.includes(late.email), 'not those who joined later')
    await unpublishAnnouncement(ctx, owner.id, id)
  }
})
