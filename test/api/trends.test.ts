// Trends over several days: order, decay, review, languages, and what stays out.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { mailReviews, cleanUp, publishStatus, refreshTrends, saveSettings } from '../support/acts.ts'
import { signedIn } from '../support/forms.ts'
import { mailsTo } from '../support/mail.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { boost, post, remoteAuthor, type RemoteAuthor } from '../support/timelines.ts'
import { startSite } from '../support/website.ts'

const { server, ada } = await stage({ accounts: ['ada'] })
const staff = await server.person('staff', { role: ['manage_taxonomies'] })
const outsider = await server.person('outsider', { role: ['manage_reports'] })
const crowd: Person[] = []
for (let i = 0; i < 10; i++) crowd.push(await server.person(`crowd${i}`))
await server.database.raw('update accounts set discoverable = true')
const site = await startSite()
after(() => site.stop())

const raw = (text: string, values: unknown[] = []) => server.database.raw(text, values)
const refresh = () => refreshTrends(server.ctx)
const save = (changes: Parameters<typeof saveSettings>[1]) => saveSettings(server.ctx, changes)

/** Moves everything that trends depend on into the past. */
async function passTime(days: number, hours = 0): Promise<void> {
  const span = `interval '${days} days ${hours} hours'`
  for (const table of ['tag_uses', 'link_uses', 'tag_days', 'link_days']) {
    // Step by step would collide with the row of the day before.
    await raw(`update ${table} set day = day - 1000 - ${days}`)
    await raw(`update ${table} set day = day + 1000`)
  }
  await raw(`update tag_trends set peak_at = peak_at - ${span}`)
  await raw(`update link_trends set peak_at = peak_at - ${span}`)
  await raw(`update statuses set created_at = created_at - ${span}`)
  await raw(`update favourites set created_at = created_at - ${span}`)
  await raw(`update tags set last_status_at = last_status_at - ${span}`)
}

beforeEach(async () => {
  await save({ trends: true, trendable_by_default: true })
  for (const table of [
    'tag_trends',
    'link_trends',
    'status_trends',
    'tag_uses',
    'link_uses',
    'tag_days',
    'link_days',
    'favourites',
  ])
    await raw(`delete from ${table}`)
})

const names = async (path = '/api/v1/trends/tags', who: Person | null = null): Promise<string[]> => {
  const answer = await server.send('GET', path, { token: who?.token ?? null })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.map((tag: any) => tag.name)
}
const ids = async (path: string, who: Person | null = null): Promise<string[]> => {
  const answer = await server.send('GET', path, { token: who?.token ?? null })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.map(({ id }: any) => id)
}
const use = async (tag: string, people: number, more: Record<string, unknown> = {}): Promise<void> => {
  for (const person of crowd.slice(0, people)) await post(person, `about #${tag}`, more)
}

test('hashtags trend by how many more accounts use them than before, and decay', async () => {
  await use('steady', 8)
  await use('quiet', 4)
  await refresh()
  assert.deepEqual(await names(), ['steady'])
  await passTime(1)
  await refresh()
  assert.deepEqual(await names(), [], 'after a day without use')
  await use('steady', 8)
  await use('rising', 6)
  await use('burst', 10)
  await use('private', 9, { visibility: 'unlisted' })
  for (let i = 0; i < 9; i++) await post(ada, `alone #lonely`)
  await refresh()
  assert.deepEqual(await names(), ['burst', 'rising'])
  assert.deepEqual(await names('/api/v1/trends'), ['burst', 'rising'])
  assert.deepEqual(await names('/api/v1/trends/tags?limit=1&offset=1'), ['rising'])
  const page = await server.send('GET', '/api/v1/trends?limit=1')
  assert.match(page.headers.get('link') ?? '', /offset=1/)
  assert.equal(page.headers.get('deprecation'), '@1648598400')
  await passTime(0, 4)
  await refresh()
  const { rows } = await raw(
    `select round(score::numeric) as score from tag_trends trend join tags on tags.id = tag_id where name = 'burst'`,
  )
  assert.equal(Number(rows[0].score), 40, 'half of (10 - 1)² after the half-life')
  await passTime(0, 40)
  await refresh()
  assert.deepEqual(await names(), [], 'the same use does not make them trend again')
  await passTime(1)
  await use('burst', 10)
  await refresh()
  assert.deepEqual(await names(), [], 'as much as the day before is no news')
  await passTime(3)
  await refresh()
  assert.equal((await raw('select from tag_trends')).rows.length, 0)
})

test('hashtags that accounts used which are suspended or limited since do not trend by them', async () => {
  await use('junk', 8)
  await use('mixed', 6)
  await post(ada, 'about #mixed')
  await refresh()
  assert.deepEqual(await names(), ['junk', 'mixed'])
  const spammers = crowd.slice(0, 8).map(({ id }) => id)
  await raw('update accounts set suspended_at = now() where id = any($1)', [spammers.slice(0, 3)])
  await refresh()
  assert.deepEqual(await names(), ['junk'], 'five accounts are left, and four')
  await raw('update accounts set silenced_at = now() where id = any($1)', [spammers.slice(3)])
  await refresh()
  assert.deepEqual(await names(), [])
  assert.equal((await ada.get('/api/v1/tags/mixed')).history[0].accounts, '1')
  await raw('update accounts set suspended_at = null, silenced_at = null')
})

test('the history of a hashtag has the days of its use, counted as they happen', async () => {
  await use('days', 3)
  await post(crowd[0] as Person, 'twice #days')
  await passTime(2)
  await refresh()
  await use('days', 2)
  const history = async () =>
    (await ada.get('/api/v1/tags/days')).history.map((day: any) => `${day.uses}/${day.accounts}`)
  assert.deepEqual(await history(), ['2/2', '0/0', '4/3', '0/0', '0/0', '0/0', '0/0'])
  await passTime(5)
  assert.deepEqual((await history()).slice(4), ['0/0', '2/2', '0/0'])
  await refresh()
  assert.deepEqual((await history()).slice(4), ['0/0', '2/2', '0/0'], 'the same once the day is summed up')
  await passTime(40)
  await cleanUp(server.ctx)
  assert.equal((await raw('select from tag_days')).rows.length, 0)
  const id = await post(ada, 'first')
  await ada.put(`/api/v1/statuses/${id}`, { status: 'then with a #days' })
  await ada.put(`/api/v1/statuses/${id}`, { status: 'again with a #days' })
  assert.deepEqual((await history())[0], '1/1')
})

test('trends that are not approved wait for a review, for which staff are asked once', async () => {
  await save({ trendable_by_default: false })
  await use('fresh', 7)
  await use('other', 6)
  await refresh()
  assert.deepEqual(await names(), [])
  assert.deepEqual(await names('/api/v1/admin/trends/tags', outsider), [])
  assert.deepEqual(await names('/api/v1/admin/trends/tags'), [])
  assert.equal((await server.send('GET', '/api/v1/admin/trends/tags', { token: ada.token })).status, 403)
  const [fresh, other] = await staff.get('/api/v1/admin/trends/tags')
  assert.deepEqual(
    [fresh.name, fresh.trendable, fresh.usable, fresh.listable, fresh.requires_review, other.name],
    ['fresh', false, true, true, true, 'other'],
  )
  await mailReviews(server.ctx)
  await mailReviews(server.ctx)
  const mails = (await mailsTo(server, staff.email)).map(({ text }) => text)
  assert.equal(mails.length, 1)
  assert.match(mails[0] ?? '', /#fresh, #other[^]*\/admin\/trends/)
  assert.deepEqual(await mailsTo(server, outsider.email), [])
  const approved = await staff.post(`/api/v1/admin/trends/tags/${fresh.id}/approve`)
  assert.deepEqual([approved.trendable, approved.requires_review], [true, false])
  assert.deepEqual(await names(), ['fresh'])
  const rejected = await staff.post(`/api/v1/admin/trends/tags/${fresh.id}/reject`)
  assert.deepEqual([rejected.trendable, rejected.requires_review], [false, false])
  assert.deepEqual(await names(), [])
  for (const [path, who, status] of [
    [`/api/v1/admin/trends/tags/${fresh.id}/approve`, outsider, 403],
    [`/api/v1/admin/trends/tags/${fresh.id}/approve`, ada, 403],
    [`/api/v1/admin/trends/tags/${fresh.id}/approve`, null, 401],
    ['/api/v1/admin/trends/tags/1234567/approve', staff, 404],
    ['/api/v1/admin/trends/links/1234567/approve', staff, 404],
    ['/api/v1/admin/trends/statuses/nothing/reject', staff, 404],
    ['/api/v1/admin/trends/links/publishers/7654321/reject', staff, 404],
  ] as const)
    assert.equal((await server.send('POST', path, { token: who?.token ?? null })).status, status, path)
  const { rows } = await raw(`select action, target_label from audit_log where target_type = 'tag' order by id`)
  assert.deepEqual(rows, [
    { action: 'approve', target_label: 'fresh' },
    { action: 'reject', target_label: 'fresh' },
  ])
  await save({ trends: false, trendable_by_default: true })
  assert.deepEqual(await names(), [])
})

test('trends in the languages of the viewer come first', async () => {
  await use('englisch', 9, { language: 'en' })
  await use('deutsch', 6, { language: 'de' })
  await use('japanisch', 7, { language: 'ja' })
  await refresh()
  assert.deepEqual(await names(), ['englisch', 'japanisch', 'deutsch'])
  const tab = await signedIn(server, ada)
  const preferences = '/settings/preferences'
  const { fields = {} } = (await tab.get(preferences)).forms.find(({ action }) => action === preferences) ?? {}
  await tab.post(preferences, { ...fields, 'chosen_languages[]': 'de' })
  assert.deepEqual(await names('/api/v1/trends/tags', ada), ['deutsch', 'englisch', 'japanisch'])
  await tab.post(preferences, fields)
  assert.deepEqual(await names('/api/v1/trends/tags', ada), ['englisch', 'japanisch', 'deutsch'])
})

test('staff decides whether a hashtag may be used, found and trend', async () => {
  await use('spam', 6)
  await refresh()
  const listed = await staff.send('GET', '/api/v1/admin/tags?limit=1')
  assert.deepEqual([listed.json.length, listed.json[0].name], [1, 'spam'])
  assert.match(listed.headers.get('link') ?? '', /max_id=/)
  const { id } = listed.json[0]
  assert.equal((await staff.get(`/api/v1/admin/tags/${id}`)).name, 'spam')
  const refused = await staff.send('PUT', `/api/v1/admin/tags/${id}`, { json: { display_name: 'Ham' } })
  assert.deepEqual(
    [refused.status, refused.json.error],
    [422, 'Validation failed: Display name does not match the previous name'],
  )
  const changed = await staff.put(`/api/v1/admin/tags/${id}`, { display_name: 'SPAM', listable: false })
  assert.deepEqual(
    [changed.name, changed.listable, changed.usable, changed.requires_review],
    ['SPAM', false, true, false],
  )
  assert.deepEqual((await ada.get('/api/v2/search?q=spam&type=hashtags')).hashtags, [])
  assert.deepEqual(await names(), [])
  const barred = await staff.send('PATCH', `/api/v1/admin/tags/${id}`, { json: { usable: false, listable: true } })
  assert.equal(barred.json.usable, false)
  const answer = await ada.send('POST', '/api/v1/statuses', { json: { status: 'more #Spam' } })
  assert.deepEqual(
    [answer.status, answer.json.error],
    [422, 'Validation failed: Text contained a disallowed hashtag: Spam'],
  )
  await staff.put(`/api/v1/admin/tags/${id}`, { usable: true })
  await post(ada, 'more #Spam')
  assert.equal((await staff.send('GET', '/api/v1/admin/tags/7654321')).status, 404)
  assert.equal((await staff.send('PUT', '/api/v1/admin/tags/7654321', { json: { usable: true } })).status, 404)
  for (const who of [ada, outsider]) assert.equal((await who.send('GET', '/api/v1/admin/tags')).status, 403)
})

test('links trend by the accounts that post and boost them; their publisher is reviewed', async () => {
  await save({ trendable_by_default: false })
  const html =
    '<title>News</title><meta property="og:description" content="All of it"><link rel="canonical" href="/news">'
  const [link, same] = [site.serve('/news?a', { body: html }), site.serve('/news?b', { body: html })]
  const hidden = site.serve('/hidden', { body: '<title>Hidden</title>' })
  // Each page is read once; while that goes on, other posts with the link wait.
  const first = await post(ada, link)
  await post(crowd[0] as Person, `look ${same}`)
  await server.drain()
  for (const person of crowd.slice(1, 3)) await post(person, `look ${same}`)
  for (const person of crowd) await post(person, `look ${hidden}`, { sensitive: true })
  await server.drain()
  for (const person of crowd.slice(2, 6)) await boost(person, first)
  await refresh()
  assert.deepEqual((await server.send('GET', '/api/v1/trends/links')).json, [])
  const [card, ...more] = await staff.get('/api/v1/admin/trends/links?review=true')
  assert.deepEqual(
    [card.title, card.requires_review, card.history[0], more],
    ['News', true, { day: card.history[0].day, uses: '8', accounts: '7' }, []],
  )
  await mailReviews(server.ctx)
  const plain = await staff.get('/api/v1/admin/trends/links')
  assert.deepEqual([plain[0].title, plain[0].id], ['News', undefined])
  const [publisher] = await staff.get('/api/v1/admin/trends/links/publishers')
  assert.deepEqual([publisher.domain, publisher.trendable, publisher.requires_review], [site.domain, null, true])
  const known = await staff.post(`/api/v1/admin/trends/links/publishers/${publisher.id}/approve`)
  assert.deepEqual([known.trendable, known.requires_review], [true, false])
  const shown = async () => (await server.send('GET', '/api/v1/trends/links')).json.map(({ title }: any) => title)
  assert.deepEqual(await shown(), ['News'])
  assert.equal((await staff.post(`/api/v1/admin/trends/links/${card.id}/reject`)).requires_review, false)
  assert.deepEqual(await shown(), [])
  await staff.post(`/api/v1/admin/trends/links/${card.id}/approve`)
  await staff.post(`/api/v1/admin/trends/links/publishers/${publisher.id}/reject`)
  assert.deepEqual(await shown(), ['News'], 'a decision on the link comes before that on its publisher')
  await passTime(1)
  await refresh()
  assert.deepEqual(await shown(), ['News'])
  await passTime(2)
  await refresh()
  assert.deepEqual(await shown(), [])
})

test('posts trend by boosts and favourites; what is hidden, limited or not meant to be found stays out', async () => {
  const like = async (id: string, people: number): Promise<void> => {
    for (const person of crowd.slice(0, people)) await person.post(`/api/v1/statuses/${id}/favourite`)
  }
  const bob = await server.person('bob')
  const cleo = await server.person('cleo')
  await raw('update accounts set discoverable = true where id = $1', [bob.id])
  const [good, better] = [await post(ada, 'good', { language: 'de' }), await post(bob, 'better', { language: 'en' })]
  await like(good, 7)
  await like(better, 5)
  for (const person of crowd.slice(0, 4)) await boost(person, better)
  const few = await post(ada, 'few')
  await like(few, 3)
  const closed = await post(cleo, 'not discoverable')
  const quoting = await post(bob, 'look at this', { quoted_status_id: closed })
  for (const id of [
    closed,
    quoting,
    await post(ada, 'sensitive', { sensitive: true }),
    await post(ada, 'warned', { spoiler_text: 'careful' }),
    await post(ada, 'a reply', { in_reply_to_id: good }),
    await post(ada, 'unlisted', { visibility: 'unlisted' }),
  ])
    await like(id, 8)
  await refresh()
  const path = '/api/v1/trends/statuses'
  assert.deepEqual(await ids(path), [better, good])
  assert.deepEqual(await ids(`${path}?limit=1&offset=1`), [good])
  for (const [act, undo] of [
    ['block', 'unblock'],
    ['mute', 'unmute'],
  ] as const) {
    await ada.post(`/api/v1/accounts/${bob.id}/${act}`)
    assert.deepEqual(await ids(path, ada), [good], act)
    await ada.post(`/api/v1/accounts/${bob.id}/${undo}`)
  }
  await bob.post(`/api/v1/accounts/${ada.id}/block`)
  assert.deepEqual([await ids(path, ada), await ids(path, bob)], [[good], [better]])
  await bob.post(`/api/v1/accounts/${ada.id}/unblock`)
  await raw('update accounts set discoverable = true where id = $1', [cleo.id])
  await refresh()
  assert.ok((await ids(path)).includes(quoting), 'a quote of a post that may trend itself')
  await raw('update accounts set discoverable = false where id = $1', [cleo.id])
  await refresh()
  await raw('update accounts set silenced_at = now() where id = $1', [bob.id])
  assert.deepEqual(await ids(path), [good])
  await raw('update accounts set silenced_at = null, suspended_at = now() where id = $1', [bob.id])
  assert.deepEqual(await ids(path), [good])
  await raw('update accounts set suspended_at = null where id = $1', [bob.id])
  await raw(`update statuses set spoiler_text = 'careful' where id = $1`, [better])
  assert.deepEqual(await ids(path), [good])
  await raw(`update statuses set spoiler_text = '' where id = $1`, [better])
  await save({ trendable_by_default: false })
  assert.deepEqual(await ids(path), [])
  const waiting = await staff.get('/api/v1/admin/trends/statuses?review=true')
  assert.deepEqual(
    waiting.map(({ id, requires_review }: any) => [id, requires_review]),
    [
      [better, true],
      [good, true],
    ],
  )
  assert.equal((await staff.post(`/api/v1/admin/trends/statuses/${good}/approve`)).requires_review, false)
  assert.deepEqual(await ids(path), [good])
  await staff.post(`/api/v1/admin/trends/statuses/${good}/reject`)
  assert.deepEqual(await ids(path), [])
  const secret = await post(ada, 'secret', { visibility: 'private' })
  assert.equal((await staff.send('POST', `/api/v1/admin/trends/statuses/${secret}/approve`)).status, 404)
  await save({ trendable_by_default: true })
  await passTime(0, 12)
  const late = await post(await server.person('late'), 'late')
  await raw('update accounts set discoverable = true where username = $1', ['late'])
  await like(late, 6)
  await refresh()
  assert.deepEqual(await ids(path), [late, better])
  await passTime(2)
  await refresh()
  assert.deepEqual(await ids(path), [])
})

test('posts of other servers count, but not those of limited accounts, and not twice for one author', async () => {
  const authors: RemoteAuthor[] = []
  for (let i = 0; i < 7; i++) authors.push(await remoteAuthor(server, `far${i}`, 'far.test'))
  await raw(`update accounts set silenced_at = now() where username in ('far0', 'far1')`)
  const write = async (tag: string, more: number): Promise<void> => {
    for (const author of authors.slice(0, more))
      await Promise.all([1, 2].map((n) => author.post(`<p>#${tag} ${n}</p>`, { tags: [tag] })))
  }
  await write('enough', 7)
  await write('toofew', 6)
  await refresh()
  assert.deepEqual(await names(), ['enough'])
  const [today] = (await ada.get('/api/v1/tags/enough')).history
  assert.deepEqual([today.uses, today.accounts], ['10', '5'])
})

test('a post does not wait for another one with the same hashtag', async () => {
  const [first, second] = crowd as [Person, Person]
  await post(first, 'the first #popular')
  await server.ctx.transaction(async (tx) => {
    const content = '<p>#popular</p>'
    await publishStatus(tx, { accountId: first.id, local: true, visibility: 'public', content, tags: ['popular'] })
    await post(second, 'meanwhile #popular')
  })
  const [today] = (await ada.get('/api/v1/tags/popular')).history
  assert.deepEqual([today.uses, today.accounts], ['3', '2'])
})
