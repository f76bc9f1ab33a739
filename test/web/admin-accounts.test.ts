// The pages on which staff look after accounts: list, batches, account, sign-ups, appeals, templates.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { actOnAccount, appealWarning, sendConfirmation } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { CLI_TEXTS, modify } from '../support/internals.ts'
import { imageFile, uploadImage } from '../support/images.ts'
import { linkTo, mailsTo } from '../support/mail.ts'
import { startPeer } from '../support/peer.ts'
import { remoteAccount } from '../support/remote.ts'
import { type Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { follow, post } from '../support/timelines.ts'

const { server, ada, bob } = await stage({ accounts: ['ada', 'bob'] })
const { db } = server.ctx
const owner = await server.person('boss', { role: 'owner' })
const mod = await server.person('warden', { role: 'moderator' })
const far = await remoteAccount(server, 'faraway', 'far.test')

const tab = await signedIn(server, mod)
const boss = await signedIn(server, owner)

const pageOf = (id: string): string => `/admin/accounts/${id}`
const press = async (who: Browser, id: string, what: string, fields = {}): Promise<Page> =>
  who.submit(await who.get(pageOf(id)), fields, { action: `${pageOf(id)}/${what}` })
const stateOf = (id: string): Promise<any> => mod.get(`/api/v1/admin/accounts/${id}`)

test('only staff with the permission open the pages', async () => {
  const reader = await signedIn(server, await server.person('reader', { role: ['view_dashboard'] }))
  const pages = [
    '/admin/accounts',
    '/admin/accounts/pending',
    '/admin/appeals',
    '/admin/warning_presets',
    pageOf(ada.id),
  ]
  const ada2 = await signedIn(server, ada)
  for (const path of pages) {
    assert.match((await browser(server).get(path)).location, /^\/auth\/sign_in/, path)
    assert.equal((await ada2.get(path)).status, 403, path)
    assert.equal((await reader.get(path)).status, 403, path)
    assert.equal((await boss.get(path)).status, 200, path)
  }
  assert.equal((await tab.get('/admin/warning_presets')).status, 403)
  assert.equal((await tab.get(pageOf('7'))).status, 404)
  assert.equal((await tab.get('/admin/accounts/x')).status, 404)
})

test('the list has filters, and keeps what was typed', async () => {
  const remote = await tab.get('/admin/accounts?origin=remote')
  assert.match(remote.text, /@faraway@far\.test/)
  assert.doesNotMatch(remote.text, /@ada</)
  assert.match(remote.text, /<details><summary>Filter</, 'no field is filled in')
  const found = await tab.get('/admin/accounts?email=ada%40&status=active')
  assert.match(found.text, /ada@localhost/)
  assert.match(found.text, /<details open><summary>Filter</)
  assert.match(found.text, /class="badge state good">Active</)
  assert.doesNotMatch(found.text, /bob@localhost/)
  const wrong = await tab.get('/admin/accounts?ip=nonsense')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /value="nonsense"/)
  assert.match((await tab.get('/admin/accounts?username=nobody_at_all')).text, /No account matches/)
})

test('the list can be sorted by the last posts', async () => {
  await server.database.raw(`update account_stats set last_status_at = current_date - 400 where account_id = $1`, [
    bob.id,
  ])
  const order = async (query: string): Promise<string[]> => {
    const { text } = await tab.get(`/admin/accounts?origin=local${query}`)
    return [...new Set([...text.matchAll(/handle">@(ada|bob|boss)@/g)].map(([, name = '']) => name))]
  }
  assert.deepEqual(await order(''), ['boss', 'bob', 'ada'])
  assert.deepEqual(await order('&order=active'), ['bob', 'boss', 'ada'])
  assert.deepEqual(await order('&order=active&page=1'), [])
})

test('the page of an account leads to those with the same mail provider and address', async () => {
  const rare = await server.person('rare')
  await db.run(sql`update users set email = 'rare@odd-mail.test' where account_id = ${rare.id}`)
  const page = await tab.get(pageOf(rare.id))
  const provider = '/admin/accounts?email=%40odd-mail.test'
  assert.ok(page.text.includes(`<bdi>rare<a href="${provider}">@odd-mail.test</a></bdi>`))
  const found = await tab.get(provider)
  assert.match(found.text, /@rare@/)
  assert.doesNotMatch(found.text, /@ada@/)
  assert.match((await tab.get('/admin/accounts?ip=127.0.0.1')).text, /@ada@/)
})

test('the page of an account leads to its followers and the accounts that it follows', async () => {
  await follow(server, bob, ada)
  await db.run(sql`
    insert into follows (account_id, target_account_id) values (${far}, ${ada.id}), (${ada.id}, ${far}) on conflict do nothing`)
  const [followers, following] = [`/admin/accounts?followers_of=${ada.id}`, `/admin/accounts?followed_by=${ada.id}`]
  const page = await tab.get(pageOf(ada.id))
  for (const href of [followers, following]) assert.ok(page.text.includes(`href="${href}"`), href)
  const all = await tab.get(followers)
  assert.match(all.text, /<h1>Followers of .*@ada/)
  assert.match(all.text, /@faraway@far\.test<[^]*@bob@/)
  const local = await tab.get(`${followers}&origin=local`)
  assert.match(local.text, /@bob@/)
  assert.doesNotMatch(local.text, /@faraway/)
  const followed = await tab.get(following)
  assert.match(followed.text, /<h1>Accounts that .*@ada.* follows[^]*@faraway/)
  assert.doesNotMatch(followed.text, /@bob@/)
  assert.match((await tab.get(`${following}&username=bob`)).text, /No account matches/)
  assert.equal((await tab.get('/admin/accounts?followers_of=7')).status, 404)
})

test('pending registrations are approved and rejected together', async () => {
  const people = await Promise.all(
    ['pia', 'pit', 'pam'].map((name) => server.person(name, { approved: false, reason: `<b>${name}</b> likes it` })),
  )
  const page = await tab.get('/admin/accounts/pending')
  assert.match(page.text, /&lt;b&gt;pia&lt;\/b&gt; likes it/)
  // Those from one mail provider or network are found, and a rule against it is the next step.
  const provider = '/admin/accounts?status=pending&email=%40localhost'
  assert.ok(page.text.includes(`href="${provider.replace('&', '&amp;')}"`))
  assert.match((await boss.get(provider)).text, /@pia@[^]*value="reject"/)
  assert.match((await boss.get(provider)).text, /href="\/admin\/email_domain_blocks\/new\?domain=localhost"/)
  assert.doesNotMatch((await tab.get(provider)).text, /email_domain_blocks/)
  const network = /href="(\/admin\/ip_blocks\/new[^"]+)"/.exec((await boss.get('/admin/accounts?ip=192.0.2.0/24')).text)
  assert.match((await boss.get(network?.[1] ?? '')).text, /name="ip" value="192\.0\.2\.0\/24"/)
  const action = '/admin/accounts/pending/batch'
  assert.equal((await tab.submit(page, { act: 'approve' }, { action })).status, 422)
  const [pia, pit, pam] = people as [Person, Person, Person]
  const token = page.forms.find((form) => form.action === action)?.fields.csrf_token ?? ''
  assert.match((await tab.post(action, { csrf_token: token, act: 'approve', 'ids[]': pia.id })).text, /Done\./)
  const reject = async (chosen: Record<string, string>): Promise<Page> => {
    const asked = await tab.post(action, { csrf_token: token, act: 'reject', ...chosen })
    assert.match(asked.text, /1 request is deleted for good[^]*@p[ia][tm]</)
    return tab.submit(asked, {}, { action })
  }
  assert.match((await reject({ 'ids[]': pit.id })).text, /Done\./)
  assert.match((await tab.post(action, { csrf_token: token, act: 'approve', 'ids[]': pia.id })).text, /Done, except/)
  assert.match((await reject({ all: 'matching' })).text, /No one is waiting/)
  assert.equal((await pia.send('GET', '/api/v1/timelines/home')).status, 200)
  for (const gone of [pit, pam]) assert.match((await mailsTo(server, gone.email)).at(-1)?.subject ?? '', /declined/)
})

/** As `accounts modify` does on the command line. */
const modifyByCommand = (name: string, values: Record<string, string | boolean>): Promise<unknown> =>
  modify.run({
    open: async () => server.ctx,
    database: async () => server.database,
    config: server.ctx.config,
    progress: () => {},
    args: [name],
    language: 'en',
    t: CLI_TEXTS.en,
    values,
  })

test('an approval on the command line is mailed too, and is in the audit log, once', async () => {
  const pat = await server.person('pat', { approved: false })
  await modifyByCommand('pat', { approve: true })
  await modifyByCommand('pat', { approve: true })
  assert.equal((await pat.send('GET', '/api/v1/timelines/home')).status, 200)
  const subjects = (await mailsTo(server, pat.email)).map(({ subject }) => subject)
  assert.equal(subjects.filter((subject) => /approved/.test(subject)).length, 1)
  const entries = await db.many(sql`select action from audit_log where target_id = ${pat.id}`)
  assert.deepEqual(entries, [{ action: 'approve' }])
})

test('a new address by the command line is mailed to the former one, and ends links for a new password', async () => {
  const polly = await server.person('polly')
  const visit = browser(server)
  await visit.submit(await visit.get('/auth/password/new'), { 'user[email]': polly.email })
  const link = await linkTo(server, polly.email)
  assert.equal((await visit.get(link)).status, 200)
  await modifyByCommand('polly', { email: 'polly@new.test' })
  assert.match((await mailsTo(server, polly.email)).at(-1)?.text ?? '', /polly@new\.test/)
  assert.equal((await visit.get(link)).status, 404)
})

test('staff hear of sign-ups, unless they turn that off', async () => {
  await db.run(
    sql`insert into username_blocks (username, normalized_username, exact, allow_with_approval) values ('hope', 'hope', false, true)`,
  )
  const apply = async (name: string): Promise<void> => {
    const person = await server.person(name, { approved: false, confirmed: false, reason: 'I like rooks.' })
    await sendConfirmation(server.ctx, person.userId)
    await browser(server).get(await linkTo(server, person.email))
  }
  const about = async (): Promise<number> =>
    (await mailsTo(server, mod.email)).filter(({ text }) => text.includes('I like rooks.')).length
  await apply('hopeful')
  assert.equal(await about(), 1)
  const preferences = await tab.get('/settings/preferences')
  const { sign_up_mails: on, ...others } =
    preferences.forms.find(({ action }) => action === '/settings/preferences')?.fields ?? {}
  assert.equal(on, '1')
  await tab.post('/settings/preferences', others)
  await apply('hopeful_too')
  assert.equal(await about(), 1)
  await db.run(sql`delete from username_blocks`)
})

test('an account is warned, limited and restored on its page', async () => {
  await db.run(sql`insert into account_warning_presets (title, text) values ('Advertising', 'No advertising, please.')`)
  await post(ada, 'a public post of ada')
  await ada.post('/api/v1/statuses', { status: 'a bird', spoiler_text: 'Beaks', media_ids: [await uploadImage(ada)] })
  const page = await tab.get(pageOf(ada.id))
  assert.match(page.text, /a public post of ada/)
  assert.match(page.text, /<strong><bdi[^>]*>Beaks<[^]*<details class="excerpt-media"><summary>[^]*<img/)
  assert.match(page.text, /Advertising[^]*Stands below the template/)
  const long = await press(tab, ada.id, 'action', { type: 'silence', text: 'x'.repeat(5001) })
  assert.equal(long.status, 422)
  assert.match(long.text, /x{5001}/)
  assert.equal((await stateOf(ada.id)).silenced, false)
  const limits = await Promise.all(
    [1, 2].map(() => tab.submit(page, { type: 'silence', text: 'Too loud.' }, { action: `${pageOf(ada.id)}/action` })),
  )
  const [limited, late] = limits.toSorted((a, b) => a.status - b.status)
  assert.match(limited?.text ?? '', /The action is applied[^]*Too loud\./)
  assert.match(late?.text ?? '', /It was decided or changed meanwhile[^]*<textarea[^>]*>\nToo loud\./)
  assert.equal((await ada.get('/api/v1/notifications?types[]=moderation_warning')).length, 1)
  assert.equal((await stateOf(ada.id)).silenced, true)
  assert.match((await press(tab, ada.id, 'unsilence')).text, /No longer applies/)
  assert.equal((await stateOf(ada.id)).silenced, false)
  const admin = await server.person('deputy', { role: 'admin' })
  const { csrf_token = '' } = page.forms.find(({ action }) => action.endsWith('/action'))?.fields ?? {}
  for (const [who, { id }] of [
    [tab, mod],
    [tab, admin],
    [boss, owner],
  ] as const) {
    const { forms, text } = await who.get(pageOf(id))
    const actions = forms.map(({ action }) => action).filter((action) => action.startsWith(pageOf(id)))
    assert.deepEqual([actions, /whose role is below yours/.test(text)], [[`${pageOf(id)}/notes`], true])
  }
  assert.equal((await tab.post(`${pageOf(admin.id)}/action`, { csrf_token, type: 'silence' })).status, 403)
})

test('before a suspension, the page shows what it would do', async () => {
  await follow(server, bob, ada)
  const dry = await press(tab, ada.id, 'action', { type: 'suspend', text: 'Bye.' })
  assert.match(dry.text, /What this would do/)
  assert.match(dry.text, /lose an account that they follow<\/dt><dd>1</)
  assert.match(dry.text, /Loses a follow[^]*@bob/)
  assert.equal((await stateOf(ada.id)).suspended, false)
  const done = await tab.submit(dry, {}, { action: `${pageOf(ada.id)}/action` })
  assert.match(done.text, /will be deleted on/)
  assert.equal((await stateOf(ada.id)).suspended, true)
  await server.drain()
  assert.match((await press(tab, ada.id, 'unsuspend')).text, /The account is restored/)
  await server.drain()
  const [relationship] = await bob.get(`/api/v1/accounts/relationships?id[]=${ada.id}`)
  assert.equal(relationship.following, true)
})

test('the deletion of data is confirmed, and shows its progress', async () => {
  const doomed = await server.person('doomed')
  await post(doomed, 'one')
  await actOnAccount(server.ctx, null, { accountId: doomed.id, type: 'suspend' })
  const asked = await press(boss, doomed.id, 'delete')
  assert.match(asked.text, /deleted for good/)
  assert.match((await boss.submit(asked, {}, { action: `${pageOf(doomed.id)}/delete` })).text, /deletion has begun/)
  await server.drain()
  assert.match((await boss.get(pageOf(doomed.id))).text, /data of this account is deleted/)
  assert.equal((await press(tab, bob.id, 'action', { type: 'none' })).status, 200)
})

test('several accounts are suspended after a confirmation', async () => {
  const [one, two] = [await server.person('one'), await server.person('two')]
  await post(one, 'buy this')
  const list = await tab.get('/admin/accounts?username=o')
  const action = '/admin/accounts/batch?username=o'
  const token = list.forms.find((form) => form.action === action)?.fields.csrf_token ?? ''
  const asked = await tab.post(action, { csrf_token: token, act: 'suspend', 'ids[]': one.id })
  assert.match(asked.text, /1 account and everything/)
  assert.match(asked.text, /Posts that become unavailable<\/dt><dd>1</)
  const done = await tab.submit(asked, { text: 'Spam' }, { action })
  assert.match(done.text, /Done\./)
  assert.match(done.location, /\?username=o&/, 'the filters stay')
  assert.deepEqual([(await stateOf(one.id)).suspended, (await stateOf(two.id)).suspended], [true, false])
  assert.equal((await tab.post(action, { csrf_token: 'x', act: 'suspend', 'ids[]': two.id })).status, 403)
})

test('all accounts that match the filters are limited at once', async () => {
  const wave = await Promise.all(['wave_1', 'wave_2'].map((name) => server.person(name)))
  await db.run(sql`insert into accounts (id, username, domain, uri, url)
    select n, 'wave_' || n, 'sea.test', 'https://sea.test/' || n, '' from generate_series(10, 60) n`)
  assert.doesNotMatch((await tab.get('/admin/accounts')).text, /value="matching"/)
  const list = await tab.get('/admin/accounts?username=wave_')
  assert.match(list.text, /All 53 entries that match/)
  const action = '/admin/accounts/batch?username=wave_'
  const fields = { act: 'silence', all: 'matching' }
  assert.match((await tab.submit(list, fields, { action })).text, /Done\./)
  assert.match((await tab.submit(list, fields, { action })).text, /or to which it does not apply/)
  for (const { id } of wave) assert.equal((await stateOf(id)).silenced, true)
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from accounts where silenced_at is not null and username like 'wave%'`,
  )
  assert.equal(count, 53)
  assert.equal((await stateOf(bob.id)).silenced, false)
  await db.run(sql`insert into accounts (id, username, domain, uri, url)
    select n, 'wave_' || n, 'sea.test', 'https://sea.test/' || n, '' from generate_series(61, 520) n`)
  assert.match((await tab.get('/admin/accounts?username=wave_')).text, /> 500 entries that match, the most at once</)
})

test('the profile of an account is shown, and its images are removed', async () => {
  const ivy = await server.person('ivy')
  const form = new FormData()
  for (const kind of ['avatar', 'header']) form.set(kind, await imageFile())
  form.set('fields_attributes[0][name]', 'Buy here')
  form.set('fields_attributes[0][value]', 'https://pills.test/a/very/long/address/of/a/shop')
  await ivy.send('PATCH', '/api/v1/accounts/update_credentials', { form })
  const page = await tab.get(pageOf(ivy.id))
  assert.match(page.text, /Buy here<[^]*>https:\/\/pills\.test\/a\/very\/long\/address\/of\/a\/shop</)
  const { avatar } = await bob.get(`/api/v1/accounts/${ivy.id}`)
  const isServed = async (): Promise<boolean> => (await server.send('GET', new URL(avatar).pathname)).status === 200
  await server.database.raw(`
    create function refuse_late() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$;
    create constraint trigger refuse_late after insert on audit_log deferrable initially deferred for each row execute function refuse_late()`)
  server.expectErrors(/no commit/)
  assert.equal((await press(tab, ivy.id, 'remove_avatar')).status, 500)
  assert.ok(await isServed(), 'a file of a row that stays is not deleted')
  await server.database.raw('drop trigger refuse_late on audit_log')
  assert.match((await press(tab, ivy.id, 'remove_avatar')).text, /The image is removed[^]*remove_header/)
  assert.doesNotMatch((await press(tab, ivy.id, 'remove_header')).text, /remove_(avatar|header)"/)
  const [shown, without] = [await bob.get(`/api/v1/accounts/${ivy.id}`), await bob.get(`/api/v1/accounts/${bob.id}`)]
  assert.deepEqual([shown.avatar, shown.header], [without.avatar, without.header])
  assert.equal(await isServed(), false)
  const entries = await db.many(sql`select action from audit_log where target_id = ${ivy.id} order by id`)
  assert.deepEqual(entries, [{ action: 'remove_avatar' }, { action: 'remove_header' }])
  const { csrf_token = '' } = page.forms.find(({ action }) => action.endsWith('/remove_avatar'))?.fields ?? {}
  for (const id of [owner.id, far])
    assert.ok([403, 404].includes((await tab.post(`${pageOf(id)}/remove_avatar`, { csrf_token })).status))
})

test('notes are written and deleted', async () => {
  assert.equal((await press(tab, bob.id, 'notes', { note: '  ' })).status, 422)
  const long = await press(tab, bob.id, 'notes', { note: 'x'.repeat(2001) })
  assert.deepEqual([long.status, /too long[^]*x{2001}/.test(long.text)], [422, true])
  const noted = await press(tab, bob.id, 'notes', { note: 'Watch <him>.' })
  assert.match(noted.text, /Watch &lt;him&gt;\./)
  const gone = await tab.submit(noted, {}, { action: `${pageOf(bob.id)}/notes/delete` })
  assert.doesNotMatch(gone.text, /Watch/)
  const reports = await signedIn(server, await server.person('noting', { role: ['manage_reports'] }))
  const theirs = await press(reports, bob.id, 'notes', { note: 'Reported again.' })
  assert.match(theirs.text, /The note is added[^]*Reported again/)
  const appeals = await signedIn(server, await server.person('judging', { role: ['manage_appeals'] }))
  assert.match((await appeals.get(pageOf(bob.id))).text, /Reported again(?![^]*\/notes)/)
  assert.match((await press(reports, bob.id, 'notes/delete')).text, /The note is deleted/)
})

test('staff without the permission for the page learn nothing there, by a refused form either', async () => {
  await press(boss, ada.id, 'notes', { note: 'Between us.' })
  const reports = await signedIn(server, await server.person('reports', { role: ['manage_reports'] }))
  const { status, text } = await reports.get(pageOf(ada.id))
  assert.equal(status, 200)
  assert.match(text, /Between us/)
  assert.doesNotMatch(text, /<dt>(Sessions|Two-factor)/)
  assert.match((await boss.get(pageOf(ada.id))).text, /<dt>Sessions[^]*<dt>Two-factor/)
  const access = await signedIn(server, await server.person('access', { role: ['manage_user_access'] }))
  assert.equal((await access.get(pageOf(ada.id))).status, 403)
  const settings = await access.get('/settings/profile')
  const csrf_token = settings.forms.find(({ fields }) => fields.csrf_token)?.fields.csrf_token ?? ''
  const refused = await access.post(`${pageOf(ada.id)}/email`, { csrf_token, email: 'nonsense' })
  assert.equal(refused.status, 422)
  assert.doesNotMatch(refused.text, /Between us|<dt>/)
})

test('administrators change how a user signs in', async () => {
  const eve = await server.person('eve')
  assert.equal((await press(boss, eve.id, 'email', { email: 'nonsense' })).status, 422)
  assert.equal((await press(boss, eve.id, 'email', { email: bob.email })).status, 422)
  for (const _ of ['once', 'as the form was opened'])
    assert.match((await press(boss, eve.id, 'email', { email: 'eve@new.test' })).text, /eve@new\.test/)
  assert.match((await mailsTo(server, eve.email)).at(-1)?.text ?? '', /eve@new\.test/)
  for (const _ of ['once', 'as the form was opened'])
    assert.match((await press(boss, eve.id, 'role', { role: '1' })).text, /The change is saved/)
  assert.equal((await stateOf(eve.id)).role.name, 'Moderator')
  const { text: shown } = await boss.get(pageOf(eve.id))
  for (const role of ['-99', '1', '2', '3']) assert.ok(shown.includes(`<option value="${role}"`), role)
  assert.match(shown, /href="\/admin\/roles\/1"/)
  assert.match(shown, /Resetting the password signs the user out everywhere/)
  assert.doesNotMatch(shown, /the password alone is enough/, 'the user has no second factor')
  const keeper = await signedIn(server, await server.person('keeper', { role: ['manage_users', 'manage_roles'] }))
  assert.match((await keeper.get(pageOf(bob.id))).text, /<option value="-99"(?!.*<option value="1")/s)
  assert.doesNotMatch((await keeper.get(pageOf(eve.id))).text, /name="role"/)
  assert.match((await press(boss, eve.id, 'password')).text, /gets an e-mail/)
  assert.equal((await eve.send('GET', '/api/v1/accounts/verify_credentials')).status, 401)
  assert.match((await mailsTo(server, 'eve@new.test')).at(-1)?.text ?? '', /auth\/password\/edit/)
  const entries = await db.many<{ action: string; target_label: string }>(
    sql`select action, target_label from audit_log where target_type = 'account' and target_id = ${eve.id} order by id`,
  )
  assert.deepEqual(
    entries.map(({ action, target_label: label }) => `${action} ${label}`),
    ['change_email @eve', 'change_role @eve', 'reset_password @eve'],
  )
  const html = (await tab.get(pageOf(bob.id))).text
  assert.doesNotMatch(html, /Reset the password/)
})

test('a sign-up is confirmed and approved, or rejected, on its page', async () => {
  const invited = await boss.submit(await boss.get('/invites'), { comment: 'For Una' }, { action: '/invites' })
  const code = /\/invite\/([\w-]+)/.exec(invited.text)?.[1]
  const { id: inviteId } = await db.one<{ id: string }>(sql`select id from invites where code = ${code}`)
  const { json: app } = await server.send('POST', '/api/v1/apps', {
    form: { client_name: 'Nest', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  })
  const waiting = { approved: false, confirmed: false, reason: 'I know a rook.' }
  const una = await server.person('una', { ...waiting, appId: app.id })
  await db.run(sql`update users set invite_id = ${inviteId} where id = ${una.userId}`)
  const page = await boss.get(pageOf(una.id))
  for (const shown of [
    /I know a rook\./,
    /<bdi>Nest<\/bdi>/,
    new RegExp(`Invited by[^]*href="${pageOf(owner.id)}"[^]*@boss@`),
  ])
    assert.match(page.text, shown)
  assert.match((await press(boss, una.id, 'resend')).text, /gets an e-mail/)
  assert.match((await mailsTo(server, una.email)).at(-1)?.text ?? '', /confirmation_token=/)
  assert.match((await press(boss, una.id, 'confirm')).text, /The change is saved/)
  assert.deepEqual([(await stateOf(una.id)).confirmed, (await stateOf(una.id)).approved], [true, false])
  assert.doesNotMatch((await boss.get(pageOf(una.id))).text, /\/(confirm|resend)"/)
  assert.match((await press(tab, una.id, 'approve')).text, /approved/)
  assert.match((await mailsTo(server, una.email)).at(-1)?.subject ?? '', /approved/)
  assert.equal((await una.send('GET', '/api/v1/timelines/home')).status, 200)
  const { csrf_token = '' } = page.forms.at(-1)?.fields ?? {}
  const again = await boss.post(`${pageOf(una.id)}/approve`, { csrf_token })
  assert.deepEqual([again.status, /It was decided or changed meanwhile/.test(again.text)], [403, true])
  const uli = await server.person('uli', { ...waiting, confirmed: true })
  const asked = await press(tab, uli.id, 'reject')
  assert.match(asked.text, /1 request is deleted for good/)
  assert.equal((await tab.get(pageOf(uli.id))).status, 200)
  const rejected = await tab.submit(asked, {}, { action: `${pageOf(uli.id)}/reject` })
  assert.match(rejected.location, /^\/admin\/accounts\/pending\?/)
  assert.equal((await tab.get(pageOf(uli.id))).status, 404)
  assert.match((await mailsTo(server, uli.email)).at(-1)?.subject ?? '', /declined/)
})

test('pending users are approved and rejected in the list of accounts, too', async () => {
  const [yes, no] = [await server.person('yes', { approved: false }), await server.person('no', { approved: false })]
  const list = await tab.get('/admin/accounts?status=pending')
  const action = '/admin/accounts/batch?status=pending'
  for (const button of ['approve', 'reject']) assert.match(list.text, new RegExp(`name="act" value="${button}"`))
  const { csrf_token = '' } = list.forms.find((form) => form.action === action)?.fields ?? {}
  assert.match((await tab.post(action, { csrf_token, act: 'approve', 'ids[]': yes.id })).text, /Done\./)
  const asked = await tab.post(action, { csrf_token, act: 'reject', 'ids[]': no.id })
  assert.match((await tab.submit(asked, {}, { action })).text, /Done\./)
  assert.equal((await stateOf(yes.id)).approved, true)
  assert.equal((await tab.get(pageOf(no.id))).status, 404)
})

test('an address that staff set replaces one that awaits its confirmation', async () => {
  const kim = await server.person('kim')
  const visit = await signedIn(server, kim)
  const form = { action: '/auth/edit/email' }
  const typed = { 'user[email]': 'kim@thief.test', 'email[current_password]': kim.password }
  await visit.submit(await visit.get('/auth/edit'), typed, form)
  const link = await linkTo(server, 'kim@thief.test')
  assert.match((await boss.get(pageOf(kim.id))).text, /<bdi>kim@thief\.test</)
  await press(boss, kim.id, 'email', { email: 'kim@new.test' })
  assert.doesNotMatch((await boss.get(pageOf(kim.id))).text, /thief/)
  await visit.get(link)
  assert.equal((await stateOf(kim.id)).email, 'kim@new.test')
})

test('staff end the states sensitive and disabled on the page of the account', async () => {
  const vic = await server.person('vic')
  for (const type of ['sensitive', 'disable'] as const)
    await actOnAccount(server.ctx, mod.id, { accountId: vic.id, type })
  const page = await tab.get(pageOf(vic.id))
  assert.match(page.text, /badge state bad">[^<]*<[^]*badge state warning">/)
  assert.equal((await vic.send('GET', '/api/v1/timelines/home')).status, 403)
  await press(tab, vic.id, 'enable')
  await press(tab, vic.id, 'unsensitive')
  const state = await stateOf(vic.id)
  assert.deepEqual([state.disabled, state.sensitized], [false, false])
  assert.equal((await vic.send('GET', '/api/v1/timelines/home')).status, 200)
})

test('a memorial account cannot be used, nor get new followers, until that is undone', async () => {
  const late = await server.person('late')
  await follow(server, bob, late)
  const tab2 = await signedIn(server, late)
  await late.post('/api/v1/statuses', { status: 'Later', scheduled_at: new Date(Date.now() + 3.6e6).toISOString() })
  const seen = await tab.get(pageOf(late.id))
  assert.doesNotMatch(seen.text, /memorialize/)
  const { csrf_token = '' } = seen.forms.at(-1)?.fields ?? {}
  const refused = await tab.post(`${pageOf(late.id)}/memorialize`, { csrf_token, confirmed: '1' })
  assert.deepEqual([refused.status, (await stateOf(late.id)).account.memorial], [403, undefined])
  const asked = await press(boss, late.id, 'memorialize')
  assert.match(asked.text, /remembers someone who has died/)
  assert.match(
    (await boss.submit(asked, {}, { action: `${pageOf(late.id)}/memorialize` })).text,
    /is a memorial: no one/,
  )
  assert.equal((await bob.get(`/api/v1/accounts/${late.id}`)).memorial, true)
  assert.equal((await late.send('GET', '/api/v1/timelines/home')).status, 403)
  assert.match((await tab2.get('/settings/profile')).location, /^\/auth\/sign_in/)
  const again = browser(server)
  assert.match((await again.signIn(late.username, late.password)).text, /not possible to sign in/)
  assert.equal((await ada.send('POST', `/api/v1/accounts/${late.id}/follow`)).status, 403)
  assert.equal((await bob.post(`/api/v1/accounts/${late.id}/follow`, { reblogs: false })).showing_reblogs, false)
  await db.run(sql`update scheduled_statuses set scheduled_at = now() where account_id = ${late.id}`)
  await server.drain()
  assert.deepEqual(await bob.get(`/api/v1/accounts/${late.id}/statuses`), [])
  const log = await boss.get(`/admin/audit_log?type=account&target_id=${late.id}`)
  assert.match(log.text, /make it a memorial/)

  assert.match((await press(boss, late.id, 'unmemorialize')).text, /The change is saved/)
  assert.equal((await bob.get(`/api/v1/accounts/${late.id}`)).memorial, undefined)
  await follow(server, ada, late)
  assert.equal((await late.send('GET', '/api/v1/timelines/home')).status, 200)
})

test('appeals are accepted or rejected', async () => {
  const gus = await server.person('gus')
  const statusId = await post(gus, 'Go away')
  const { id: reportId } = await ada.post('/api/v1/reports', { account_id: gus.id, status_ids: [statusId] })
  const { warningId } = await actOnAccount(server.ctx, mod.id, {
    accountId: gus.id,
    type: 'disable',
    reportId,
    statusIds: [statusId],
  })
  await appealWarning(server.ctx, { accountId: gus.id, warningId, text: 'I was hacked.' })
  const page = await boss.get('/admin/appeals')
  assert.match(page.text, /I was hacked\./)
  const grounds = `<a href="/admin/reports/${reportId}">Report #${reportId}</a> <span class="muted">1 post</span>`
  for (const { text } of [page, await boss.get(pageOf(gus.id))]) assert.ok(text.includes(grounds))
  const form = page.forms.find(({ action }) => action.endsWith('/accept'))
  assert.match((await boss.submit(page, {}, { action: form?.action ?? '' })).text, /decision undone/)
  assert.equal((await stateOf(gus.id)).disabled, false)
  assert.match((await boss.get('/admin/appeals?state=approved')).text, /I was hacked\./)
  const late = await boss.submit(page, {}, { action: form?.action ?? '' })
  assert.deepEqual([late.status, /It was decided or changed meanwhile/.test(late.text)], [403, true])
})

test('templates are written, changed and deleted', async () => {
  const path = '/admin/warning_presets'
  const page = await boss.get(path)
  const refused = await boss.submit(page, { title: 'Kept title', text: ' ' }, { action: path })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /value="Kept title"/)
  assert.match(refused.text, /<a href="#field-text">[^]*id="field-text-error"/)
  for (const values of [
    { title: 'x'.repeat(300), text: 'y' },
    { title: 'x', text: 'y'.repeat(5001) },
  ]) {
    const long = await boss.submit(page, values, { action: path })
    assert.deepEqual([long.status, /too long/.test(long.text)], [422, true])
  }
  // Its beginning stands for a missing title in the audit log. Browsers count a line break as one character.
  const longest = `${'x'.repeat(59)}${'😀'.repeat(4939)}\r\n!`
  const untitled = await boss.submit(page, { text: longest }, { action: path })
  assert.equal(untitled.status, 200)
  const saved = await boss.submit(page, { title: 'Rude', text: 'Be kind.' }, { action: path })
  assert.match(saved.text, /The template is saved/)
  const link = /href="(\/admin\/warning_presets\/\d+)"><strong dir="auto">Rude/.exec(saved.text)?.[1] ?? ''
  const changed = await boss.submit(await boss.get(link), { text: 'Be kinder.' }, { action: link })
  assert.match(changed.text, /Be kinder\./)
  assert.doesNotMatch((await boss.submit(changed, {}, { action: `${link}/delete` })).text, /Be kinder/)
  assert.equal((await boss.get(link)).status, 404)
  const late = { csrf_token: changed.forms.at(-1)?.fields.csrf_token ?? '', text: 'Too late.' }
  assert.equal((await boss.post(link, late)).status, 404)
})

test('a remote account has a page too', async () => {
  const page = await tab.get(pageOf(far))
  assert.match(page.text, /far\.test/)
  assert.doesNotMatch(page.text, /Sessions/)
})

test('the profile of a remote account is fetched again at once', async () => {
  const peer = await startPeer()
  after(() => peer.stop())
  const mona = await peer.actor('mona')
  const { accounts } = await mod.get(`/api/v2/search?resolve=true&q=@mona@${peer.domain}`)
  const { id } = accounts[0]
  await server.drain()
  peer.serve('/users/mona', { ...mona.document, name: 'Mona the second' })
  await db.run(sql`update accounts set fetched_at = now() - interval '1 hour' where id = ${id}`)
  assert.match((await press(tab, id, 'refresh')).text, /is being fetched/)
  await server.drain()
  assert.match((await tab.get(pageOf(id))).text, /Mona the second/)
  assert.match((await boss.get(`/admin/audit_log?type=account&target_id=${id}`)).text, /refresh/)
  assert.doesNotMatch((await tab.get(pageOf(ada.id))).text, /refresh"/)
  const { csrf_token = '' } = (await tab.get(pageOf(ada.id))).forms.at(-1)?.fields ?? {}
  assert.equal((await tab.post(`${pageOf(ada.id)}/refresh`, { csrf_token })).status, 404)
})
