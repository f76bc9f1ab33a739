// The pages about other servers: blocks with a dry run and an undo, files, block lists, relays, and one server's page.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../support/database.ts'
import { type Page, signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'
import { remoteAuthor } from '../support/timelines.ts'
import { startSite } from '../support/website.ts'

const { server } = await stage()
const admin = await server.person('admin', { role: 'admin' })
const ada = await server.person('ada')
const eve = await remoteAuthor(server, 'eve', 'loud.test')
await eve.post('LOUD')
await server.database.raw(`insert into peers (domain, software, failing_since, retry_at) values
  ('loud.test', 'loudware', null, null), ('dead.test', null, now() - interval '2 days', now() + interval '1 hour')`)
await server.database.raw('insert into follows (account_id, target_account_id) values ($1, $2)', [ada.id, eve.id])
const site = await startSite()
after(() => site.stop())
const tab = await signedIn(server, admin)

const blocks = async (): Promise<string[]> =>
  (await admin.get('/api/v1/admin/domain_blocks')).map(({ domain }: any) => domain).toSorted()
const at = (action: string) => ({ action })
const upload = (path: string, csv: string, form: Page): Promise<Page> =>
  tab.submit(form, { file: new File([csv], 'list.csv'), mode: 'merge' }, at(path))

test('a user without the permission sees none of the pages', async () => {
  const other = await signedIn(server, ada)
  for (const path of [
    'instances',
    'domain_blocks',
    'domain_allows',
    'block_lists',
    'relays',
    'domain_blocks/export.csv',
  ])
    assert.equal((await other.get(`/admin/${path}`)).status, 403, path)
  assert.equal((await tab.get('/admin/domain_blocks/77777')).status, 404)
  assert.equal((await tab.get('/admin/instances/unknown.test')).status, 404)
})

test('a block shows its effects, is made after a confirmation, changed and undone with its follows', async () => {
  const form = await tab.get('/admin/domain_blocks/new?domain=loud.test')
  const bad = await tab.submit(form, { domain: 'no domain', public_comment: 'Too <loud>' }, at('/admin/domain_blocks'))
  assert.equal(bad.status, 422)
  assert.match(bad.text, /valid domain/)
  assert.match(bad.text, /Too &lt;loud/, 'nothing typed is lost')

  const preview = await tab.submit(
    form,
    { severity: 'suspend', public_comment: 'Too loud' },
    at('/admin/domain_blocks'),
  )
  assert.match(preview.text, /Follows of your users that end<\/dt><dd>1</)
  assert.match(preview.text, /@ada/)
  assert.deepEqual(await blocks(), [])
  const done = await tab.submit(preview, {}, at('/admin/domain_blocks'))
  assert.match(done.text, /The server is blocked/)
  await server.drain()
  assert.deepEqual(await blocks(), ['loud.test'])
  const again = await tab.submit(form, {}, at('/admin/domain_blocks'))
  assert.equal(again.status, 422)
  assert.match(again.text, /already does this/)

  const [{ id }] = await admin.get('/api/v1/admin/domain_blocks')
  const public_comment = 'Loud. '.repeat(800).trim()
  await admin.put(`/api/v1/admin/domain_blocks/${id}`, { public_comment })
  const edit = await tab.get(`/admin/domain_blocks/${id}`)
  assert.match((await tab.submit(edit, { private_comment: 'noted' }, at(`/admin/domain_blocks/${id}`))).text, /changed/)
  const [changed] = await admin.get('/api/v1/admin/domain_blocks')
  assert.deepEqual(
    [changed.public_comment, changed.private_comment],
    [public_comment, 'noted'],
    'as long as in the API',
  )
  const long = 'x'.repeat(5001)
  const tooLong = await tab.submit(edit, { private_comment: long }, at(`/admin/domain_blocks/${id}`))
  assert.deepEqual([tooLong.status, tooLong.text.includes(long)], [422, true])
  assert.match(tooLong.text, /Note for staff is too long \(maximum is 5000 characters\)/)
  const severe = { domain: 'other.test', severity: 'suspend', public_comment: long }
  const unsure = await tab.submit(form, severe, at('/admin/domain_blocks'))
  assert.deepEqual([unsure.status, unsure.text.includes(long)], [422, true])
  const severed = await server.database.raw(`select from severances where target_name = 'loud.test'`)
  assert.equal(severed.rows.length, 1, 'a block that stays severs nothing again')
  const csrf_token = edit.forms.at(-1)?.fields.csrf_token ?? ''
  assert.equal((await tab.post(`/admin/domain_blocks/${id}`, { csrf_token })).status, 422, 'without a severity')
  const question = await tab.submit(edit, {}, at(`/admin/domain_blocks/${id}/delete`))
  assert.match(question.text, /1 follow can be restored/)
  await tab.submit(question, { restore_follows: '1' }, at(`/admin/domain_blocks/${id}/delete`))
  await server.drain()
  assert.deepEqual(await blocks(), [])
  assert.equal((await ada.get(`/api/v1/accounts/relationships?id[]=${eve.id}`))[0].following, true)
  const history = await tab.get('/admin/instances/loud.test')
  assert.match(/Severed follows[\s\S]*/.exec(history.text)?.[0] ?? '', /1 follow restored/)
})

test('a milder block is made stricter after a confirmation, and follows that it ended return later', async () => {
  const form = await tab.get('/admin/domain_blocks/new?domain=loud.test')
  const preview = await tab.submit(form, { severity: 'silence' }, at('/admin/domain_blocks'))
  await tab.submit(preview, {}, at('/admin/domain_blocks'))
  const [{ id }] = await admin.get('/api/v1/admin/domain_blocks')
  const path = `/admin/domain_blocks/${id}`
  const question = await tab.submit(await tab.get(path), { severity: 'suspend', obfuscate: '1' }, at(path))
  assert.match(question.text, /Follows of your users that end<\/dt><dd>1</)
  const severity = async (): Promise<string> => (await admin.get(`/api/v1/admin/domain_blocks/${id}`)).severity
  assert.equal(await severity(), 'silence')
  await tab.submit(question, {}, at(path))
  assert.equal(await severity(), 'suspend')
  await server.drain()
  const listed = async (query: string): Promise<boolean> => /loud\.test</.test((await tab.get(query)).text)
  assert.deepEqual(
    [await listed('/admin/domain_blocks?severity=suspend'), await listed('/admin/domain_blocks?severity=noop')],
    [true, false],
  )
  assert.deepEqual(
    [await listed('/admin/instances?rule=suspend'), await listed('/admin/instances?rule=silence')],
    [true, false],
  )
  const instance = '/admin/instances/loud.test'
  assert.doesNotMatch((await tab.get(instance)).text, /loud\.test\/restore"/)
  await tab.submit(
    await tab.submit(await tab.get(path), {}, at(`${path}/delete`)),
    { restore_follows: '' },
    at(`${path}/delete`),
  )
  await server.drain()
  const follows = async (): Promise<boolean> =>
    (await ada.get(`/api/v1/accounts/relationships?id[]=${eve.id}`))[0].following
  assert.equal(await follows(), false)
  const restored = await tab.submit(await tab.get(instance), {}, at(`${instance}/restore`))
  assert.match(restored.text, /being restored/i)
  await server.drain()
  assert.equal(await follows(), true)
  assert.doesNotMatch((await tab.get(instance)).text, /loud\.test\/restore"/)
})

test('a file is previewed with its problems before it is imported, and exported again', async () => {
  const form = await tab.get('/admin/domain_blocks/import')
  assert.equal((await upload('/admin/domain_blocks/import', '', form)).status, 422)
  assert.equal((await upload('/admin/domain_blocks/import', 'x'.repeat(600_000), form)).status, 422)
  assert.match(
    (await upload('/admin/domain_blocks/import', 'domain\n"open.test\n', form)).text,
    /<p class="field-error|error-summary|notice/,
  )
  const many = Array.from({ length: 203 }, (_, i) => `m${i}.test`).join('\n')
  assert.match((await upload('/admin/domain_blocks/import', many, form)).text, /3 more/)
  const csv = `#domain,#severity,#public_comment\none.test,silence,"=1+1"\nnot a domain,suspend,\n${server.domain},suspend,\n`
  const preview = await upload('/admin/domain_blocks/import', csv, form)
  assert.match(preview.text, /1 block will be created/)
  assert.match(preview.text, /2 lines cannot be used/)
  assert.deepEqual(await blocks(), [])
  await tab.submit(preview, {}, at('/admin/domain_blocks/import'))
  assert.deepEqual(await blocks(), ['one.test'])
  assert.equal((await admin.get('/api/v1/admin/domain_blocks'))[0].public_comment, '=1+1')
  const file = await tab.get('/admin/domain_blocks/export.csv')
  assert.equal(
    file.text,
    "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\none.test,silence,false,false,'=1+1,false\n",
  )
  assert.match((await tab.get('/admin/domain_blocks?q=none')).text, /No block matches/)
})

test('allowed servers are added, imported and removed', async () => {
  const page = await tab.get('/admin/domain_allows')
  assert.match(page.text, /no effect until/)
  assert.equal((await tab.submit(page, { domain: '' }, at('/admin/domain_allows'))).status, 422)
  await tab.submit(page, { domain: 'friend.test' }, at('/admin/domain_allows'))
  assert.equal((await upload('/admin/domain_allows/import', 'a b\n', page)).status, 422)
  const preview = await upload('/admin/domain_allows/import', 'friend.test\npal.test\n', page)
  await tab.submit(preview, {}, at('/admin/domain_allows/import'))
  const allows: any[] = await admin.get('/api/v1/admin/domain_allows')
  assert.deepEqual(allows.map(({ domain }) => domain).toSorted(), ['friend.test', 'pal.test'])
  const removed = await tab.submit(
    await tab.get('/admin/domain_allows'),
    {},
    at(`/admin/domain_allows/${allows[0].id}/delete`),
  )
  assert.match(removed.text, /no longer allowed/)
})

test('texts that are cut do not end in half of a character, and NUL is left out', async () => {
  const path = '/admin/domain_blocks/import'
  const text = 'x'.repeat(4999)
  const csv = `#domain,#severity,#public_comment\nlong.test,silence,"\0${text}😀"\nlonger.test,silence,"${text}x😀"\nhalf.test,silence,"${text.slice(1)}👩‍👧"\n`
  await tab.submit(await upload(path, csv, await tab.get(path)), {}, at(path))
  const blocks = await admin.get('/api/v1/admin/domain_blocks')
  const commentOf = (domain: string): string => blocks.find((each: any) => each.domain === domain).public_comment
  assert.deepEqual(['long.test', 'longer.test', 'half.test'].map(commentOf), [`${text}😀`, `${text}x`, text.slice(1)])
  const url = site.serve('/long.txt', { body: '', type: 'text/plain' })
  const title = 'x'.repeat(99)
  const page = await tab.get('/admin/block_lists')
  const made = await tab.submit(page, { url, title: `${title}😀` }, at('/admin/block_lists'))
  assert.ok(made.text.includes(`${title}😀`))
  const renamed = await tab.submit(
    made,
    { title: `${title}xx` },
    { action: made.text.match(/action="(\/admin\/block_lists\/\d+)"/)?.[1] ?? '' },
  )
  assert.match(renamed.text, /Title[^]*is too long[^]*value="x{101}"/)
  await server.database.raw('delete from block_lists')
  await server.database.raw(`delete from domain_blocks where domain <> 'one.test'`)
})

test('a list is followed, its first content confirmed, and unfollowed', async () => {
  const url = site.serve('/list.txt', { body: 'spam.test\nworse.test\n', type: 'text/plain' })
  const page = await tab.get('/admin/block_lists')
  const bad = await tab.submit(page, { url: 'nowhere', title: 'Mine' }, at('/admin/block_lists'))
  assert.equal(bad.status, 422)
  assert.match(bad.text, /value="Mine"/)
  await tab.submit(page, { url, title: 'Ours', mode: 'apply' }, at('/admin/block_lists'))
  await server.drain()
  const { rows } = await server.database.raw('select id from block_lists')
  const twice = await tab.submit(page, { url }, at('/admin/block_lists'))
  assert.deepEqual([twice.status, /has already been taken/.test(twice.text)], [422, true])
  await server.database.raw(
    `insert into block_lists (title, url, mode, severity) select 'Full', 'https://full.test/' || n, 'ask', 'suspend' from generate_series(2, 50) n`,
  )
  const full = await tab.submit(page, { url: `${url}?51` }, at('/admin/block_lists'))
  assert.equal(full.status, 422)
  assert.match(full.text, /There are 50 block lists already: that is the limit/)
  await server.database.raw(`delete from block_lists where title = 'Full'`)
  const path = `/admin/block_lists/${rows[0].id}`
  const list = await tab.get(path)
  assert.match(list.text, /spam\.test/)
  assert.equal((await tab.submit(list, { act: 'accept' }, at(`${path}/answer`))).status, 422)
  const question = await tab.submit(list, { act: 'accept', all: 'matching' }, at(`${path}/answer`))
  assert.match(question.text, /2 changes of the list will be applied/)
  await tab.submit(question, {}, at(`${path}/answer`))
  assert.deepEqual(await blocks(), ['one.test', 'spam.test', 'worse.test'])
  assert.match((await tab.get('/admin/domain_blocks')).text, /Ours/)
  const [{ id: managed }] = (await admin.get('/api/v1/admin/domain_blocks')).filter(
    ({ domain }: any) => domain === 'worse.test',
  )
  assert.match((await tab.get(`/admin/domain_blocks/${managed}`)).text, /href="\/admin\/block_lists\/\d+"><bdi>Ours</)

  site.serve('/list.txt', { body: 'spam.test\nmore.test\nno domain\n', type: 'text/plain' })
  assert.match((await tab.submit(await tab.get(path), {}, at(`${path}/read`))).text, /being read/)
  await server.drain()
  assert.deepEqual(await blocks(), ['more.test', 'one.test', 'spam.test'])
  assert.match((await tab.get(path)).text, /1 line/)
  const settings = { title: 'Theirs', mode: 'ask', severity: 'silence' }
  assert.match((await tab.submit(await tab.get(path), settings, at(path))).text, /<h1>Theirs/)
  await server.drain()
  const changed = await tab.get(path)
  assert.match(changed.text, /value="ids\[\]"|name="ids\[\]" value="more\.test"/)
  assert.deepEqual(await blocks(), ['more.test', 'one.test', 'spam.test'], 'the milder entries wait')
  const milder = await tab.submit(changed, { act: 'accept', all: 'matching' }, at(`${path}/answer`))
  await tab.submit(milder, {}, at(`${path}/answer`))
  const [spam] = (await admin.get('/api/v1/admin/domain_blocks')).filter(({ domain }: any) => domain === 'spam.test')
  assert.equal(spam.severity, 'silence')
  const bye = await tab.submit(await tab.get(path), {}, at(`${path}/delete`))
  await tab.submit(bye, {}, at(`${path}/delete`))
  assert.deepEqual(await blocks(), ['one.test'])
})

test('relays are added, disabled and deleted, and deliveries to servers stopped and retried, by forms', async () => {
  const page = await tab.get('/admin/relays')
  assert.equal((await tab.submit(page, { inbox_url: 'nowhere' }, at('/admin/relays'))).status, 422)
  const follows: any[] = []
  site.serve('/inbox', ({ body }) => {
    follows.push(JSON.parse(body))
    return { status: 202, body: '' }
  })
  const added = await tab.submit(page, { inbox_url: `${site.url}/inbox` }, at('/admin/relays'))
  assert.match(added.text, /Waits for an answer/)
  assert.match(added.text, /Posts that came from it stay/)
  const { rows } = await server.database.raw('select id from relays')
  await server.drain()
  const off = await tab.submit(added, {}, at(`/admin/relays/${rows[0].id}/disable`))
  assert.match(off.text, /Off/)
  await server.drain()
  assert.match((await tab.submit(off, {}, at(`/admin/relays/${rows[0].id}/enable`))).text, /Waits for an answer/)
  await server.drain()
  const [first, undone, again] = follows
  assert.deepEqual([first.type, undone.type, again.type], ['Follow', 'Undo', 'Follow'])
  assert.equal(undone.object.id ?? undone.object, first.id)
  assert.notEqual(again.id, first.id)
  assert.equal((await tab.submit(added, { inbox_url: `${site.url}/inbox` }, at('/admin/relays'))).status, 422)
  assert.equal((await tab.post('/admin/relays/77/enable', { ...added.forms[0]?.fields })).status, 404)
  assert.match((await tab.submit(added, {}, at(`/admin/relays/${rows[0].id}/delete`))).text, /No relay/)

  assert.doesNotMatch((await tab.get('/admin/instances?state=stopped')).text, /loud\.test/)
  assert.match((await tab.get('/admin/instances?software=loudware')).text, /loud\.test/)
  await server.database.raw(`insert into peers (domain) select 'x' || n || '.many.test' from generate_series(1, 81) n`)
  const list = '/admin/instances?q=many.test'
  assert.match((await tab.get(list)).text, /href="\/admin\/instances\?q=many\.test&amp;page=1">Next/)
  const middle = (await tab.get(`${list}&page=1`)).text
  assert.match(middle, /href="\/admin\/instances\?q=many\.test">Previous[^]*page=2">Next/)
  assert.doesNotMatch((await tab.get(`${list}&page=2`)).text, />Next/)
  await server.database.raw(`insert into peer_traffic (domain, day, received, delivered, failed)
    values ('x81.many.test', current_date - 1, 9, 0, 1), ('x80.many.test', current_date - 2, 5, 0, 7), ('x79.many.test', current_date - 60, 0, 0, 99)`)
  const firstBy = async (order: string): Promise<string | undefined> =>
    /<bdi>(x\d+)\.many\.test/.exec((await tab.get(`${list}&order=${order}`)).text)?.[1]
  assert.deepEqual(await Promise.all(['received', 'failed', 'accounts', 'nonsense'].map(firstBy)), [
    'x81',
    'x80',
    'x1',
    'x1',
  ])
  assert.match((await tab.get(`${list}&order=failed`)).text, /order=failed&amp;page=1">Next/)
  await server.ctx.db.run(
    sql`update accounts set shared_inbox_url = 'https://inbox.elsewhere.test/inbox', inbox_url = 'https://inbox.elsewhere.test/1' where id = ${eve.id}`,
  )
  assert.match((await tab.get('/admin/instances/loud.test')).text, /<bdi>inbox\.elsewhere\.test<\/bdi>/)
  await server.database.raw(`
    insert into pgboss.job (name, data, state, retry_count, retry_limit, started_on, start_after, output, policy)
    select 'federation.deliver', '{"inbox": "https://dead.test/inbox"}', 'retry', 1, 18, now() - n * interval '1 minute', now() + interval '1 day',
      jsonb_build_object('value', 'FetchError: dead.test ' || problem), 'standard'
    from (values (3, 'returned status 500'), (2, 'returned status 503'), (1, 'is unavailable')) attempt (n, problem)`)
  const dead = await tab.get('/admin/instances/dead.test')
  await server.database.raw(`delete from pgboss.job where name = 'federation.deliver'`)
  assert.match(dead.text, /Failing/)
  assert.match(
    dead.text,
    /Latest error<\/dt><dd><bdi>FetchError: dead\.test returned status 503<\/bdi> .*2 minutes ago/,
  )
  assert.match((await tab.submit(dead, {}, at('/admin/instances/dead.test/retry'))).text, /Working/)
  assert.match((await tab.submit(dead, {}, at('/admin/instances/dead.test/delivery'))).text, /Stopped/)
  const question = await tab.submit(
    await tab.get('/admin/instances/loud.test'),
    {},
    at('/admin/instances/loud.test/purge'),
  )
  assert.match(question.text, /cannot be undone/)
  assert.match((await tab.submit(question, {}, at('/admin/instances/loud.test/purge'))).text, /being deleted/)
})

test('staff leave notes about a server for each other, and delete them', async () => {
  const path = '/admin/instances/dead.test'
  const notes = at(`${path}/notes`)
  assert.equal((await tab.submit(await tab.get(path), { note: '  ' }, notes)).status, 422)
  const long = await tab.submit(await tab.get(path), { note: 'x'.repeat(2001) }, notes)
  assert.deepEqual([long.status, /too long[^]*x{2001}/.test(long.text)], [422, true])
  const noted = await tab.submit(await tab.get(path), { note: 'Their admin <answers>.' }, notes)
  assert.match(noted.text, /note is added[^]*Their admin &lt;answers&gt;\.[^]*@admin/)
  assert.doesNotMatch((await tab.get('/admin/instances/loud.test')).text, /Their admin/)
  const note = noted.forms.find(({ action }) => action === `${path}/notes/delete`)?.fields
  assert.equal((await tab.post('/admin/instances/loud.test/notes/delete', { ...note })).status, 404)
  const log = '/admin/audit_log?type=server&target_id=dead.test'
  assert.match((await tab.get(log)).text, /add a note/)
  const gone = await tab.submit(await tab.get(path), {}, at(`${path}/notes/delete`))
  assert.match(gone.text, /note is deleted/)
  assert.doesNotMatch(gone.text, /Their admin/)
  assert.match((await tab.get(log)).text, /delete a note/)
})
