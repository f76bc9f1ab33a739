import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { cleanUp } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Browser, signedIn } from '../support/forms.ts'
import { uploadImage } from '../support/images.ts'
import { mailsTo } from '../support/mail.ts'
import { remoteAccount } from '../support/remote.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const AT = '/admin/reports'
let mod: Person
let tab: Browser
let rule: string

before(async () => {
  mod = await server.person('mod', { role: 'moderator' })
  tab = browser(server)
  await tab.signIn(mod.email, mod.password)
  const row = await server.ctx.db.one<{ id: string }>(
    sql`insert into rules (text, hint) values ('No ads', 'Not even for pills') returning id`,
  )
  rule = row.id
})

const report = (form: object): Promise<{ id: string }> => ada.post('/api/v1/reports', form)
const post = (who: Person, status: string): Promise<{ id: string }> => who.post('/api/v1/statuses', { status })
const exists = async (id: string): Promise<boolean> =>
  (await server.send('GET', `/api/v1/statuses/${id}`)).status === 200

test('reports are listed with filters that find accounts and servers', async () => {
  assert.match((await tab.get(AT)).text, /There is nothing to look at/)
  const far = await remoteAccount(server, 'far')
  const [local, remote] = [
    await report({ account_id: bob.id, category: 'spam', comment: 'All day <b>long</b>' }),
    await report({ account_id: far, category: 'legal' }),
  ]
  const listed = async (query: string): Promise<string[]> => {
    const { text } = await tab.get(`${AT}?${query}`)
    return [...text.matchAll(/<a href="\/admin\/reports\/(\d+)"/g)].map(([, id = '']) => id)
  }
  assert.deepEqual(await listed(''), [remote.id, local.id])
  for (const query of ['origin=local', 'category=spam', 'target=@bob', 'target=bob', 'target_account_id=' + bob.id])
    assert.deepEqual(await listed(query), [local.id], query)
  for (const query of ['origin=remote', 'category=legal', 'domain=FAR.test', 'target=far@far.test'])
    assert.deepEqual(await listed(query), [remote.id], query)
  for (const query of [
    'resolved=1',
    'assigned=me',
    'reporter=nobody',
    'reporter=@bob',
    'target=%00',
    'account_id=x&resolved=1',
  ])
    assert.deepEqual(await listed(query), [], query)
  assert.deepEqual(await listed('reporter=ada'), [remote.id, local.id])
  assert.match((await tab.get(AT)).text, /All day &lt;b&gt;long&lt;\/b&gt;/)
  const { text: shown } = await tab.get(`${AT}/${local.id}`)
  assert.match(shown, /They read it with the warning/)
  assert.doesNotMatch(shown, /the template/, 'there is none')

  // The figures on the page of an account count resolved reports, too.
  await server.ctx.db.run(sql`update reports set action_taken_at = now() where id = ${local.id}`)
  const about = `target_account_id=${bob.id}&resolved=all`
  const account = await tab.get(`/admin/accounts/${bob.id}`)
  assert.ok(account.text.includes(`<a href="${AT}?${about.replace('&', '&amp;')}">1</a>`))
  assert.deepEqual(await listed(about), [local.id])
  assert.deepEqual(await listed(`target_account_id=${bob.id}`), [])
  const [form] = (await tab.get(`${AT}?${about}`)).forms.filter(({ method }) => method === 'GET')
  assert.deepEqual([form?.fields.target, form?.fields.resolved], ['bob', 'all'])
  await server.ctx.db.run(sql`delete from reports`)
})

test('a report still shows the text of posts that their author deleted before the decision', async () => {
  const image = await uploadImage(bob)
  await bob.put(`/api/v1/media/${image}`, { description: 'a jar of <i>pills</i>' })
  const pills = await bob.post('/api/v1/statuses', {
    status: 'buy <b>pills</b>',
    spoiler_text: 'health',
    media_ids: [image],
  })
  const poll = { options: ['red pill', 'blue pill'], expires_in: 600 }
  const choice = await bob.post('/api/v1/statuses', { status: 'which?', poll })
  const other = await post(bob, 'not reported')
  const { id } = await report({ account_id: bob.id, status_ids: [pills.id, choice.id] })
  for (const each of [pills, choice, other]) await bob.delete(`/api/v1/statuses/${each.id}`)
  const shown = (await tab.get(`${AT}/${id}`)).text
  assert.match(shown, /2 reported posts were deleted\. The text of deleted posts is kept for 30 days\./)
  for (const text of [
    'health',
    'buy &lt;b&gt;pills&lt;/b&gt;',
    'a jar of &lt;i&gt;pills&lt;/i&gt;',
    'which?',
    'blue pill',
  ])
    assert.ok(shown.includes(text), text)
  assert.doesNotMatch(shown, /not reported|name="status_ids\[\]"/)

  const stored = async (): Promise<string[]> =>
    (await server.ctx.db.many<{ id: string }>(sql`select id from deleted_reported_statuses order by id`)).map(
      (row) => row.id,
    )
  assert.deepEqual(await stored(), [pills.id, choice.id])
  await server.ctx.db.run(
    sql`update deleted_reported_statuses set deleted_at = now() - interval '31 days' where id = ${pills.id}`,
  )
  await cleanUp(server.ctx)
  assert.deepEqual(await stored(), [choice.id])
  assert.doesNotMatch((await tab.get(`${AT}/${id}`)).text, /buy &lt;b/)

  // Of a report that was decided, nothing is kept.
  const late = await post(bob, 'after the decision')
  const decided = await report({ account_id: bob.id, status_ids: [late.id] })
  await tab.submit(await tab.get(`${AT}/${decided.id}`), { act: 'resolve' }, { action: `${AT}/${decided.id}/outcome` })
  await bob.delete(`/api/v1/statuses/${late.id}`)
  assert.deepEqual(await stored(), [choice.id])
  await server.ctx.db.run(sql`delete from reports`)
})

test('a report shows the reported content, the rules and the history of both accounts', async () => {
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const secret = await bob.post('/api/v1/statuses', { status: 'very secret', visibility: 'private' })
  const pills = await post(bob, 'buy my pills')
  const earlier = await report({ account_id: bob.id, status_ids: [pills.id] })
  await tab.submit(await tab.get(`${AT}/${earlier.id}`), { act: 'resolve' }, { action: `${AT}/${earlier.id}/outcome` })
  const collection = await bob.post('/api/v1/collections', { name: 'Pharmacies' })
  const { id } = await report({
    account_id: bob.id,
    status_ids: [pills.id, secret.id],
    collection_ids: [collection.collection.id],
    rule_ids: [rule],
    comment: 'He does it\nagain',
  })
  const page = await tab.get(`${AT}/${id}`)
  for (const expected of [
    /He does it\nagain/,
    /buy my pills/,
    /Pharmacies/,
    /very secret/,
    /Not public/,
    /No ads/,
    /Not even for pills/,
    /@ada@/,
    /@bob@/,
    /Violation of rules/,
    new RegExp(`/admin/reports/${earlier.id}"`),
    /No action/,
  ])
    assert.match(page.text, expected)
  const user = await signedIn(server, bob)
  for (const path of [AT, `${AT}/${id}`, `${AT}/${id}/statuses`, `${AT}/next`])
    assert.equal((await user.get(path)).status, 403, path)
  for (const path of ['999999', 'x', '0/statuses', '99999999999999999999'])
    assert.equal((await tab.get(`${AT}/${path}`)).status, 404, path)
})

test('an outcome deletes or marks reported collections too, and tells their owner', async () => {
  const create = async (name: string): Promise<string> =>
    (await bob.post('/api/v1/collections', { name })).collection.id
  const [harmless, reported] = [await create('<Doves>'), await create('<Hawks>')]
  const { id } = await report({ account_id: bob.id, collection_ids: [reported] })
  const path = `${AT}/${id}/outcome`
  const page = await tab.get(`${AT}/${id}`)
  assert.match(page.text, /&lt;Hawks&gt;/)
  const { 'collection_ids[]': chosen, ...fields } = page.forms.find(({ action }) => action === path)?.fields ?? {}
  assert.equal(chosen, reported)
  const send = (more: Record<string, string>) => tab.post(path, { ...fields, act: 'delete_statuses', ...more })
  assert.match((await send({})).text, /Select at least one post or collection/)
  assert.match((await send({ 'collection_ids[]': reported })).text, /Collections that are deleted<\/dt><dd>1</)
  assert.equal((await bob.send('GET', `/api/v1/collections/${reported}`)).status, 200, 'not without a confirmation')
  const other = await report({ account_id: bob.id })
  const unnamed = { 'collection_ids[]': harmless, confirmed: '1' }
  await tab.post(`${AT}/${other.id}/outcome`, { ...fields, act: 'delete_statuses', ...unnamed })
  const confirmation = await send({ 'collection_ids[]': reported, text: 'No birds of prey' })
  const after = await tab.submit(confirmation, {}, { action: path })
  assert.match(after.text, /The report is resolved/)
  assert.match(after.text, /delete a collection/)
  assert.equal((await bob.send('GET', `/api/v1/collections/${reported}`)).status, 404)
  assert.equal((await bob.send('GET', `/api/v1/collections/${harmless}`)).status, 200, 'the report does not name it')
  const mail = (await mailsTo(server, bob.email)).at(-1)
  assert.match(mail?.subject ?? '', /Content of @bob has been removed/)
  assert.match(mail?.text ?? '', /Collections concerned: 1[^]*No birds of prey/)

  const next = await report({ account_id: bob.id, collection_ids: [harmless] })
  const marked = `${AT}/${next.id}/outcome`
  await tab.submit(await tab.get(`${AT}/${next.id}`), { act: 'mark_statuses_as_sensitive' }, { action: marked })
  const isSensitive = async (): Promise<boolean> =>
    (await bob.get(`/api/v1/collections/${harmless}`)).collection.sensitive
  assert.equal(await isSensitive(), true)
  await bob.send('PATCH', `/api/v1/collections/${harmless}`, { json: { sensitive: false } })
  assert.equal(await isSensitive(), true, 'its owner cannot change that')
  const [notification] = await bob.get('/api/v1/notifications?types[]=moderation_warning')
  const strike = `/disputes/strikes/${notification.moderation_warning.id}`
  const user = await signedIn(server, bob)
  const shown = await user.get(strike)
  assert.match(shown.text, /Content marked as sensitive[^]*Collections concerned[^]*1 collection<[^]*&lt;Doves&gt;/)
  await user.submit(shown, { text: 'They are doves.' }, { action: `${strike}/appeal` })
  const judge = await server.person('judge', { role: ['manage_appeals'] })
  const bench = await signedIn(server, judge)
  const appeals = await bench.get('/admin/appeals')
  await bench.submit(appeals, {}, { action: appeals.forms.find(({ action }) => action.endsWith('/accept'))?.action })
  assert.equal(await isSensitive(), false)
})

test('staff make a report of posts that they find on the page of an account', async () => {
  const eve = await server.person('eve')
  const [ad, secret] = [
    await post(eve, 'an advertisement'),
    await eve.post('/api/v1/statuses', { status: 'hidden words', visibility: 'private' }),
  ]
  await eve.post('/api/v1/statuses', { status: 'a bird', media_ids: [await uploadImage(eve)] })
  await eve.post(`/api/v1/accounts/${mod.id}/block`)
  const posts = `/admin/accounts/${eve.id}/statuses`
  assert.match((await tab.get(`/admin/accounts/${eve.id}`)).text, new RegExp(`href="${posts}"`))
  const media = await tab.get(`${posts}?media=1`)
  assert.match(media.text, /a bird/)
  assert.doesNotMatch(media.text, /an advertisement/)
  const page = await tab.get(posts)
  assert.doesNotMatch(page.text, /hidden words/)
  const { csrf_token = '' } = page.forms.find(({ action }) => action === posts)?.fields ?? {}
  assert.equal((await tab.post(posts, { csrf_token, act: 'report' })).status, 422)
  assert.equal((await tab.post(posts, { csrf_token, act: 'report', 'ids[]': secret.id })).status, 404)
  const made = await tab.post(posts, { csrf_token, act: 'report', 'ids[]': ad.id })
  assert.match(made.location, /^\/admin\/reports\/\d+$/)
  assert.match(made.text, /an advertisement[^]*Unassign/)
  const outcome = { action: `${made.location}/outcome` }
  const asked = await tab.submit(made, { act: 'delete_statuses', 'status_ids[]': ad.id }, outcome)
  assert.match((await tab.submit(asked, {}, outcome)).text, /resolved/i)
  assert.equal(await exists(ad.id), false)
})

test('staff assign, file, note and reopen a report', async () => {
  const { id } = await report({ account_id: bob.id })
  const path = `${AT}/${id}`
  const send = async (action: string, fields: Record<string, string>) =>
    tab.submit(await tab.get(path), fields, { action: `${path}/${action}` })
  assert.match((await send('assign', { account_id: mod.id })).text, /The assignment is saved/)
  assert.match((await tab.get(`${AT}?assigned=me`)).text, new RegExp(`${path}"`))
  assert.equal((await send('assign', { account_id: bob.id })).status, 422, 'only staff')
  const filed = await send('update', { category: 'violation', 'rule_ids[]': rule })
  assert.match(filed.text, /The report is saved/)
  assert.match(filed.text, /The report names these rules/)
  await server.ctx.db.run(sql`update rules set deleted_at = now() where id = ${rule}`)
  assert.match((await send('update', {})).text, /The report is saved[^]*names these rules/, 'a rule is gone since')
  await server.ctx.db.run(sql`update rules set deleted_at = null where id = ${rule}`)
  assert.match((await send('update', { category: 'spam', 'rule_ids[]': rule })).text, /names no rule/)
  assert.equal((await send('update', { category: 'boring' })).status, 422)
  assert.match((await send('notes', { note: 'I know him' })).text, /I know him/)
  const empty = await send('notes', { note: ' ' })
  assert.deepEqual([empty.status, /can(&#39;|')t be blank/.test(empty.text)], [422, true])
  const long = await send('notes', { note: 'x'.repeat(2001) })
  assert.equal(long.status, 422)
  assert.match(long.text, /x{2001}/, 'nothing typed is lost')
  assert.match(long.text, /<a href="#field-note">[^]*id="field-note-error"/)
  assert.doesNotMatch(long.text, /id="field-text-error"/, 'the field of the outcome')
  assert.doesNotMatch((await send('notes/delete', {})).text, /I know him/)
  assert.match((await send('outcome', { act: 'resolve' })).text, /The report is resolved/)
  assert.match((await send('reopen', {})).text, /The report is open again/)
  const { rows } = await server.database.raw(`select action from audit_log where target_id = '${id}' order by id`)
  assert.deepEqual(
    rows.map(({ action }: { action: string }) => action),
    ['assign', 'update', 'update', 'add_note', 'delete_note', 'resolve', 'reopen'],
  )
})

test('a private post that was removed from a report can be added again, but no other private post', async () => {
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const [named, other] = await Promise.all(
    ['removed by mistake', 'never reported'].map((status) =>
      bob.post('/api/v1/statuses', { status, visibility: 'private' }),
    ),
  )
  const { id } = await report({ account_id: bob.id, status_ids: [named.id] })
  const path = `${AT}/${id}`
  const page = await tab.get(path)
  const removal = { ...page.forms.find(({ action }) => action === `${path}/outcome`)?.fields, status_id: named.id }
  const removed = await tab.post(`${path}/statuses/remove`, removal)
  assert.match(removed.text, /The report is saved/)
  assert.doesNotMatch(removed.text, /removed by mistake/)
  const list = await tab.get(`${path}/statuses`)
  assert.match(list.text, /removed by mistake/)
  assert.doesNotMatch(list.text, /never reported/)
  const fields = list.forms.find(({ action }) => action === `${path}/statuses`)?.fields
  for (const each of [other, named]) await tab.post(`${path}/statuses`, { ...fields, 'ids[]': each.id })
  const { text } = await tab.get(path)
  assert.match(text, /removed by mistake/)
  assert.doesNotMatch(text, /never reported/)
})

test('an outcome acts on the account or its posts, after a confirmation where it is grave', async () => {
  const [one, two] = [await post(bob, 'spam one'), await post(bob, 'spam two')]
  const { id } = await report({ account_id: bob.id, status_ids: [one.id] })
  const path = `${AT}/${id}`
  const send = async (fields: Record<string, string>) =>
    tab.submit(await tab.get(path), fields, { action: `${path}/outcome` })
  const more = await tab.get(`${path}/statuses`)
  assert.match(more.text, /spam two/)
  const { csrf_token = '' } = more.forms.at(-1)?.fields ?? {}
  const none = await tab.post(`${path}/statuses`, { csrf_token })
  assert.deepEqual([none.status, /Select at least one/.test(none.text)], [422, true])
  assert.doesNotMatch(more.text, /very secret/, 'moderators do not browse private posts')
  const added = await tab.post(`${path}/statuses`, {
    ...more.forms.find(({ action }) => action === `${path}/statuses`)?.fields,
    'ids[]': two.id,
  })
  assert.match(added.text, /spam two/)
  const removal = { ...added.forms.find(({ action }) => action === `${path}/outcome`)?.fields, status_id: one.id }
  const removed = await tab.post(`${path}/statuses/remove`, removal)
  assert.match(removed.text, /The report is saved[^]*spam two/)
  assert.doesNotMatch(removed.text, /spam one/)
  for (const gone of [one.id, 'x', ''])
    assert.equal((await tab.post(`${path}/statuses/remove`, { ...removal, status_id: gone })).status, 404, gone)
  assert.equal((await send({ act: 'none', text: '' })).status, 422, 'a warning has a text')
  const tooLong = await send({ act: 'none', text: 'x'.repeat(5001) })
  assert.deepEqual([tooLong.status, /too long[^]*x{5001}/.test(tooLong.text)], [422, true])
  const asked = await send({ act: 'delete_statuses', text: 'Stop it', 'status_ids[]': two.id })
  assert.match(asked.text, /What this would do/)
  assert.ok(await exists(two.id))
  assert.match((await tab.submit(asked, {}, { action: `${path}/outcome` })).text, /The report is resolved/)
  assert.deepEqual([await exists(one.id), await exists(two.id)], [true, false])
  const [notification] = await bob.get('/api/v1/notifications?types[]=moderation_warning')
  assert.equal(notification.moderation_warning.action, 'delete_statuses')
  assert.equal(notification.moderation_warning.text, 'Stop it')
  assert.match((await tab.get(path)).text, /1 reported post was deleted/)

  const next = await report({ account_id: bob.id })
  const following = await tab.get(`${AT}/next?after=${id}`)
  assert.equal(following.location, `${AT}/${next.id}`)
  const limited = await tab.submit(following, { act: 'silence' }, { action: `${AT}/${next.id}/outcome` })
  assert.match(limited.text, /Limited/)
  assert.equal((await ada.get(`/api/v1/accounts/${bob.id}`)).limited, true)
})

test('all unresolved reports about an account are resolved at once, and staff cannot act on their equals', async () => {
  const carl = await server.person('carl')
  const ids = [await report({ account_id: carl.id }), await report({ account_id: carl.id })].map(({ id }) => id)
  const page = await tab.get(`${AT}/${ids[0]}`)
  assert.match(page.text, /Resolve all 2 unresolved reports/)
  assert.match(page.text, /id="about-silence">[^<]*All open reports about the account become resolved/)
  assert.doesNotMatch(page.text, /id="about-none">[^<]*become resolved/)
  await tab.submit(page, {}, { action: `${AT}/${ids[0]}/resolve_all` })
  const { rows } = await server.database.raw(
    'select action_taken_by_account_id as by from reports where id = any($1::bigint[])',
    [ids],
  )
  assert.deepEqual(rows, [{ by: mod.id }, { by: mod.id }])
  const last = await report({ account_id: carl.id })
  const path = `${AT}/${last.id}/outcome`
  const asked = await tab.submit(await tab.get(`${AT}/${last.id}`), { act: 'suspend', text: 'bye' }, { action: path })
  assert.match(asked.text, /Reports that are resolved<\/dt><dd>1</)
  assert.equal((await ada.get(`/api/v1/accounts/${carl.id}`)).suspended, undefined)
  assert.match((await tab.submit(asked, {}, { action: path })).text, /Suspended/)
  assert.equal((await ada.send('GET', `/api/v1/accounts/${carl.id}`)).status, 410)
  const owner = await server.person('owner', { role: 'owner' })
  const { id } = await report({ account_id: owner.id })
  const refused = await tab.submit(
    await tab.get(`${AT}/${id}`),
    { act: 'silence', text: 'no' },
    { action: `${AT}/${id}/outcome` },
  )
  assert.equal(refused.status, 422)
  assert.match(refused.text, /whose role is below yours/)
})

test('of several decisions on one report, the first holds', async () => {
  const dora = await server.person('dora')
  const { id } = await report({ account_id: dora.id })
  const path = `${AT}/${id}`
  const page = await tab.get(path)
  const send = (act: string, text: string) => tab.submit(page, { act, text }, { action: `${path}/outcome` })
  const warnings = () => dora.get('/api/v1/notifications?types[]=moderation_warning')
  const gone = { act: 'none', text: 'As typed', preset: '7' }
  const changed = await tab.submit(page, gone, { action: `${path}/outcome` })
  assert.deepEqual([changed.status, /decided or changed meanwhile[^]*As typed/.test(changed.text)], [422, true])
  const noId = await tab.submit(page, { ...gone, text: '', preset: 'x' }, { action: `${path}/outcome` })
  assert.deepEqual([noId.status, /Write a text/.test(noId.text)], [422, true])
  const answers = await Promise.all(Array.from({ length: 4 }, () => send('none', 'Calm down')))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422, 422])
  for (const [act, text] of [
    ['silence', 'Enough'],
    ['suspend', 'Enough'],
    ['none', ''],
  ] as const) {
    const late = await send(act, text)
    assert.deepEqual([late.status, /problem[^]*This report is resolved/.test(late.text)], [422, true], act)
  }
  assert.match((await send('resolve', '')).location, /notice=resolved/)
  assert.deepEqual(
    (await warnings()).map((each: any) => each.moderation_warning.action),
    ['none'],
  )
  assert.equal((await mailsTo(server, dora.email)).length, 1)
})

test('a report is mailed to each moderator in their language', async () => {
  const german = await server.person('erika', { role: 'moderator' })
  await server.database.raw(`update users set locale = 'de' where email = $1`, [german.email])
  await report({ account_id: (await server.person('quinn')).id })
  const newest = async ({ email }: Person): Promise<string> => (await mailsTo(server, email)).at(-1)?.subject ?? ''
  assert.match(await newest(german), /^Neue Meldung/)
  assert.match(await newest(mod), /^New report/)
  assert.equal((await mailsTo(server, ada.email)).length, 0)
})

test('staff choose whether they get mails about reports', async () => {
  const mails = async (): Promise<number> => {
    const { rows } = await server.database.raw(
      `select count(*)::int as n from pgboss.job where name = 'mail.send' and data ->> 'to' = $1`,
      [mod.email],
    )
    return rows[0].n
  }
  const [rita, sven] = [await server.person('rita'), await server.person('sven')]
  const before = await mails()
  await report({ account_id: rita.id })
  assert.equal(await mails(), before + 1)
  const preferences = await tab.get('/settings/preferences')
  const fields = preferences.forms.find(({ action }) => action === '/settings/preferences')?.fields
  assert.equal(fields?.report_mails, '1')
  const { report_mails: _, ...others } = fields ?? {}
  assert.match((await tab.post('/settings/preferences', others)).text, /Your preferences are saved/)
  await report({ account_id: sven.id })
  assert.equal(await mails(), before + 1)
  const user = await signedIn(server, bob)
  assert.doesNotMatch((await user.get('/settings/preferences')).text, /new report/)
})
