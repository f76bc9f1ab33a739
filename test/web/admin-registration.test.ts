import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actOnAccount, assignRole } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { browser, type Browser, type Page, signedIn } from '../support/forms.ts'
import { mailsTo } from '../support/mail.ts'
import { beforeCommit } from '../support/races.ts'
import type { Person } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server } = await stage()
const owner = await server.person('owner', { role: 'owner' })
const bea = await server.person('bea')
const staffTab = async (person: Person): Promise<Browser> => {
  const tab = await signedIn(server, person)
  return {
    ...tab,
    // The first form of the page itself: the header has one to sign out.
    submit(page, fields, which = {}) {
      const { action = page.forms.find((form) => form.action !== '/auth/sign_out')?.action ?? '' } = which
      return tab.submit(page, fields, { action })
    },
  }
}
const staff = await staffTab(owner)
const count = async (table: string): Promise<number> =>
  Number((await server.database.raw(`select count(*) as n from ${table}`)).rows[0]?.n)

/** Checks the given rows of a list and presses its button. */
async function batch(path: string, act: string, match: RegExp): Promise<Page> {
  const page = await staff.get(path)
  const form = page.forms.find(({ action }) => action === `${path}/batch`)
  assert.ok(form, page.text)
  const line = page.text.split('<tr ').find((row) => match.test(row)) ?? ''
  const id = /name="ids\[\]" value="(\d+)"/.exec(line)?.[1] ?? ''
  const { csrf_token: csrf = '' } = form.fields
  return staff.post(form.action, { csrf_token: csrf, act, 'ids[]': id })
}

test('IP rules: added, refused at the field, changed and removed in a batch', async () => {
  const path = '/admin/ip_blocks'
  assert.match((await staff.get(path)).text, /No IP rules/)
  const form = await staff.get(`${path}/new`)
  const wrong = await staff.submit(form, { ip: '1.2.3', severity: 'sign_up_block', comment: 'kept' }, { action: path })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /href="#field-ip">IP address or range is invalid/)
  assert.match(wrong.text, /value="1\.2\.3".*aria-invalid/)
  assert.match(wrong.text, /value="kept"/)
  const own = await staff.submit(wrong, { ip: '127.0.0.1', severity: 'no_access' }, { action: path })
  assert.match(own.text, /your own address/)
  const done = await staff.submit(own, { ip: '192.0.2.1/24', severity: 'no_access', expires: '7' }, { action: path })
  assert.match(done.text, /192\.0\.2\.0\/24/)
  const edit = await staff.get(/\/admin\/ip_blocks\/\d+/.exec(done.text)?.[0] ?? '')
  const taken = await staff.submit(
    await staff.get(`${path}/new`),
    { ip: '192.0.2.0/24', severity: 'no_access' },
    { action: path },
  )
  assert.match(taken.text, /has already been taken/)
  const other = await staff.submit(edit, { ip: '127.0.0.0/8', severity: 'no_access', comment: 'kept too' })
  assert.deepEqual([other.status, /your own address[^]*value="kept too"/.test(other.text)], [422, true])
  assert.match((await staff.submit(edit, { severity: 'sign_up_block', comment: 'milder' })).text, /milder/)
  const { rows } = await server.database.raw('select severity, expires_at is not null as ends from ip_blocks')
  assert.deepEqual(rows, [{ severity: 'sign_up_block', ends: true }])
  const none = await staff.post(`${path}/batch`, { csrf_token: edit.forms.at(-1)?.fields.csrf_token ?? '' })
  assert.deepEqual([none.status, /Select at least one entry/.test(none.text)], [422, true])
  assert.match((await batch(path, 'remove', /192\.0\.2/)).text, /Removed\./)
  assert.equal(await count('ip_blocks'), 0)
  assert.equal((await staff.get(`${path}/99999`)).status, 404)
  assert.equal((await staff.get(`${path}/nonsense`)).status, 404)
})

test('e-mail rules: a provider with its mail servers, and single addresses', async () => {
  const path = '/admin/email_domain_blocks'
  const form = await staff.get(`${path}/new`)
  const wrong = await staff.submit(
    form,
    { domain: 'no spaces', allow_with_approval: '1', act: 'block' },
    { action: path },
  )
  assert.match(wrong.text, /href="#field-domain"/)
  const looked = await staff.submit(wrong, { domain: 'spam.test', act: 'look_up' }, { action: path })
  assert.match(looked.text, /No mail servers were found|Its mail servers/)
  const done = await staff.submit(
    looked,
    { domain: 'Spam.test', act: 'block', 'servers[]': 'mx.spam.test' },
    { action: path },
  )
  assert.match(done.text, /Mail server of spam\.test/)
  assert.equal(await count('email_domain_blocks'), 2)
  assert.match((await batch(path, 'remove', /value="\d+"[^>]*aria-label="Select spam\.test"/)).text, /No e-mail rules/)

  const addresses = '/admin/canonical_email_blocks'
  const list = await staff.get(addresses)
  const bad = await staff.submit(list, { email: 'nobody', act: 'block' }, { action: addresses })
  assert.match(bad.text, /id="field-email-error"/)
  assert.match(
    (await staff.submit(list, { email: 'a.b@mail.test', act: 'test' }, { action: addresses })).text,
    /is not blocked/,
  )
  await staff.submit(list, { email: 'a.b@mail.test', act: 'block' }, { action: addresses })
  assert.match(
    (await staff.submit(list, { email: 'AB+x@mail.test', act: 'test' }, { action: addresses })).text,
    /address is blocked/,
  )
  assert.equal((await staff.submit(list, { email: 'ab@mail.test', act: 'block' }, { action: addresses })).status, 422)
  assert.match((await batch(addresses, 'remove', /aria-label="Select/)).text, /No blocked addresses/)
  const troll = await server.person('troll')
  await actOnAccount(server.ctx, owner.id, { accountId: troll.id, type: 'suspend' })
  const { text } = await staff.get(addresses)
  assert.match(text, new RegExp(`href="/admin/accounts/${troll.id}"[^]*@troll`))
  assert.match(text, /<caption class="visually-hidden">Single addresses<\/caption>/)
  assert.match((await batch(addresses, 'remove', /aria-label="Select/)).text, /No blocked addresses/)
})

test('blocked usernames: added, changed and removed', async () => {
  const path = '/admin/username_blocks'
  const list = await staff.get(path)
  assert.match(
    (await staff.submit(list, { username: 'no spaces' }, { action: path })).text,
    /letters, numbers and underscores/,
  )
  assert.match((await staff.submit(list, { username: '___' }, { action: path })).text, /Username is invalid/)
  const added = await staff.submit(
    list,
    { username: 'Bank', match: 'contains', allow_with_approval: '1' },
    { action: path },
  )
  assert.match(added.text, /With approval/)
  assert.match(
    (await staff.submit(list, { username: 'b4nk' }, { action: path })).text,
    /already been taken/,
    'a look-alike',
  )
  const edit = await staff.get(/\/admin\/username_blocks\/\d+/.exec(added.text)?.[0] ?? '')
  for (const [username, problem] of [
    ['', /can(&#39;|')t be blank/],
    ['x'.repeat(300), /too long/],
    ['a b', /letters, numbers and underscores/],
  ] as const) {
    const refused = await staff.submit(edit, { username })
    assert.deepEqual([refused.status, problem.test(refused.text)], [422, true], username)
  }
  assert.equal((await staff.get(`${path}/77777`)).status, 404)
  assert.match((await staff.submit(edit, { username: 'Banker', match: 'exact' })).text, /This name only/)
  assert.match((await batch(path, 'remove', /Banker/)).text, /No blocked names/)
})

test('invitations: those of everyone are listed and deactivated', async () => {
  const guest = await staffTab(bea)
  for (const comment of ['one', 'two', 'three'])
    await guest.submit(await guest.get('/invites'), { comment }, { action: '/invites' })
  const list = await staff.get('/admin/invites?state=usable')
  assert.equal(list.text.match(/Can be used<\/span>/g)?.length, 3)
  await server.ctx.db.run(sql`
    with used as (update invites set uses = 1, max_uses = 5 where comment = 'one' returning id)
    update users set invite_id = (select id from used) where id = ${bea.userId}`)
  const used = /href="([^"]+invite=\d+)"/.exec((await staff.get('/admin/invites')).text)?.[1]
  assert.match((await staff.get(used ?? '')).text, /<h1>Invitation [^]*@bea@/)
  assert.doesNotMatch((await staff.get(used ?? '')).text, /@owner@/)
  assert.match((await batch('/admin/invites', 'deactivate', /<div>two</)).text, /can no longer be used/)
  assert.equal((await staff.get('/admin/invites?state=ended')).text.match(/badge state plain">Ended/g)?.length, 1)
  await staff.submit(await staff.get('/admin/invites/deactivate_all'), {}, { action: '/admin/invites/deactivate_all' })
  assert.equal(await count('invites where expires_at is null or expires_at > now()'), 0)
  assert.equal((await guest.get('/admin/invites')).status, 403)
})

test('roles: created with a badge, given, taken away and deleted', async () => {
  const path = '/admin/roles'
  const form = await staff.get(`${path}/new`)
  const values = { name: 'Helper', color: '#ff00aa', position: '5', collection_limit: '3', highlighted: '1' }
  const wrong = await staff.submit(form, { ...values, name: 'moderator', color: 'red' }, { action: path })
  assert.match(wrong.text, /href="#field-color">Colour is invalid/)
  assert.match(
    (await staff.submit(form, { ...values, name: 'moderator' }, { action: path })).text,
    /already been taken/,
  )
  for (const position of ['1000', '-1', '1.5', ''])
    assert.equal((await staff.submit(form, { ...values, position }, { action: path })).status, 422, position)
  assert.match((await staff.submit(form, { ...values, position: '-1' }, { action: path })).text, /value="-1"/)
  for (const [change, problem] of [
    [{ name: ' ' }, /Name can(&#39;|')t be blank/],
    [{ name: 'x'.repeat(101) }, /Name is too long/],
    [{ collection_limit: '-1' }, /must be/],
    [{ collection_limit: '9999' }, /must be/],
  ] as const) {
    const refused = await staff.submit(form, { ...values, ...change }, { action: path })
    assert.deepEqual([refused.status, problem.test(refused.text)], [422, true], JSON.stringify(change))
  }
  const role = await staff.submit(form, { ...values, 'permissions[]': 'manage_blocks' }, { action: path })
  assert.match(role.text, /The role is ready/)
  const members = role.forms.find(({ action }) => action.endsWith('/members'))?.action ?? ''
  assert.match((await staff.submit(role, { username: 'missing' }, { action: members })).text, /no user of this name/)
  const give = () => staff.submit(role, { username: '@bea' }, { action: members })
  const given = await beforeCommit(server, (tx) => assignRole(tx, null, bea.id, members.split('/')[3] ?? ''), give)
  assert.match(given.text, /The role is given/)
  assert.deepEqual((await bea.get('/api/v1/accounts/verify_credentials')).roles, [
    { id: members.split('/')[3], name: 'Helper', color: '#ff00aa' },
  ])
  const helper = await staffTab(bea)
  assert.equal((await helper.get('/admin/ip_blocks')).status, 200)
  assert.equal((await helper.get(path)).status, 403)

  const edit = await staff.get(members.replace('/members', ''))
  await staff.submit(edit, { name: 'Assistant', 'permissions[]': 'manage_rules' })
  assert.equal((await helper.get('/admin/ip_blocks')).status, 403, 'the change holds at once')
  assert.equal((await bea.get('/api/v1/accounts/verify_credentials')).roles[0].name, 'Assistant')
  const removal = await staff.get(`${members.replace('/members', '')}/delete`)
  assert.match(removal.text, /@bea/)
  assert.match((await staff.submit(removal)).text, /The role is deleted/)
  const temporary = await staff.submit(form, { ...values, name: 'Temporary' }, { action: path })
  const action = temporary.forms.find((each) => each.action.endsWith('/members'))?.action ?? ''
  const late = await beforeCommit(
    server,
    (tx) => tx.db.run(sql`delete from roles where name = 'Temporary'`),
    () => staff.submit(temporary, { username: '@bea' }, { action }),
  )
  assert.equal(late.status, 404)
  assert.deepEqual((await bea.get('/api/v1/accounts/verify_credentials')).roles, [])
})

test('staff cannot grant permissions that they lack, or change roles that are not below their own', async () => {
  const manager = await server.person('manager', { role: ['manage_roles', 'manage_blocks'] })
  const tab = await staffTab(manager)
  const form = await tab.get('/admin/roles/new')
  assert.doesNotMatch(form.text, /id="permission-administrator"/)
  const values = { name: 'Rival', position: '1', collection_limit: '10' }
  const elevated = await tab.submit(form, { ...values, 'permissions[]': 'administrator' }, { action: '/admin/roles' })
  assert.match(elevated.text, /include some that you do not have yourself/)
  const higher = await tab.submit(form, { ...values, position: '5' }, { action: '/admin/roles' })
  assert.match(higher.text, /must be below that of your own role/)
  const csrf_token = form.forms.at(-1)?.fields.csrf_token ?? ''
  for (const id of ['1', '2', '3']) {
    assert.match((await tab.get(`/admin/roles/${id}`)).text, /but not change it/)
    assert.equal((await tab.post(`/admin/roles/${id}`, { csrf_token, ...values })).status, 403)
    assert.equal((await tab.post(`/admin/roles/${id}/delete`, { csrf_token })).status, 403)
    for (const username of ['bea', 'missing'])
      assert.equal((await tab.post(`/admin/roles/${id}/members`, { csrf_token, username })).status, 403)
  }
  const { id: own } = await server.ctx.db.one<{ id: string }>(
    sql`select role_id as id from users where id = ${manager.userId}`,
  )
  assert.equal((await tab.post(`/admin/roles/${own}`, { csrf_token, ...values })).status, 403)
  const created = await tab.submit(form, { ...values, 'permissions[]': 'manage_blocks' }, { action: '/admin/roles' })
  const id = /action="\/admin\/roles\/(\d+)"/.exec(created.text)?.[1] ?? ''
  assert.equal((await tab.post(`/admin/roles/${id}/members`, { csrf_token, username: 'owner' })).status, 403)
  assert.match((await tab.post(`/admin/roles/${id}/members`, { csrf_token, username: 'bea' })).text, /is given/)
  assert.match(
    (await tab.post(`/admin/roles/${id}/members/remove`, { csrf_token, account_id: bea.id })).text,
    /taken away/,
  )
  const { id: richer } = await server.ctx.db.one<{ id: string }>(
    sql`insert into roles (name, position, permissions) values ('Richer', 1, 1) returning id`,
  )
  const page = await tab.get(`/admin/roles/${richer}`)
  assert.doesNotMatch(page.text, /name="username"/)
  assert.equal((await tab.post(`/admin/roles/${richer}/members`, { csrf_token, username: 'bea' })).status, 403)

  const everyone = await staff.get('/admin/roles/-99')
  const dangerous = await staff.submit(everyone, { collection_limit: '10', 'permissions[]': 'manage_users' })
  assert.match(dangerous.text, /would make every user a member of staff/)
  assert.equal((await staff.submit(everyone, { collection_limit: '20', 'permissions[]': '' })).status, 200)
  assert.equal((await server.send('GET', '/api/v1/instance')).json.invites_enabled, false)
  const ownerRole = await staff.get('/admin/roles/3')
  assert.equal((await staff.submit(ownerRole, { name: 'Boss', color: '' })).status, 200)
  const { csrf_token: mine = '' } = ownerRole.forms.at(-1)?.fields ?? {}
  for (const role of ['-99', '3'])
    assert.equal((await staff.post(`/admin/roles/${role}/delete`, { csrf_token: mine })).status, 403)
})

const dayAfter = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('terms of service: draft, preview, publication, mails, and what everyone sees', async () => {
  const path = '/admin/terms_of_service'
  assert.equal((await server.send('GET', '/api/v1/instance/terms_of_service')).status, 404)
  assert.equal((await browser(server).get('/terms-of-service')).status, 404)
  const empty = await staff.submit(
    await staff.get(`${path}/draft`),
    { text: '  ', changelog: 'kept' },
    { action: `${path}/draft` },
  )
  assert.match(empty.text, /Text can&#39;t be blank/)
  assert.match(empty.text, /kept/)
  const wrong: Record<string, string>[] = [
    { text: 'x'.repeat(60_001) },
    { text: 'x', changelog: 'y'.repeat(5001) },
    { text: 'x', effective_date: '2030-02-31' },
  ]
  for (const values of wrong) {
    const refused = await staff.submit(await staff.get(`${path}/draft`), values, { action: `${path}/draft` })
    assert.deepEqual([refused.status, /too long|is invalid/.test(refused.text)], [422, true])
  }
  const text =
    '# Our terms\n\nOn **%{domain}**, see [this](https://example.org).\n\n- one\n- two\n\n<script>alert(1)</script> [x](javascript:alert)'
  const save = async (effective_date: string): Promise<Page> =>
    staff.submit(
      await staff.get(`${path}/draft`),
      { text, changelog: 'A *new* rule.', effective_date },
      { action: `${path}/draft` },
    )
  const preview = await save('')
  assert.match(preview.text, /<h1>Our terms<\/h1>/)
  assert.doesNotMatch(preview.text, /<script>alert|href="javascript/)
  assert.match((await staff.submit(preview)).text, /href="#field-effective-date"/)
  const past = await staff.submit(await save(dayAfter(-1)))
  assert.match(past.text, /must not be in the past/)
  const published = await staff.submit(await save(dayAfter(0)))
  assert.match(published.text, /The version is published/)

  const { json } = await server.send('GET', '/api/v1/instance/terms_of_service')
  assert.deepEqual([json.effective_date, json.effective, json.succeeded_by], [dayAfter(0), true, null])
  assert.match(json.content, /<h1>Our terms<\/h1>\n<p>On <strong>localhost:\d+<\/strong>/)
  assert.match(json.content, /<ul>\n<li>one<\/li>\n<li>two<\/li>\n<\/ul>/)
  assert.match((await browser(server).get('/about')).text, /href="\/terms-of-service"/)
  assert.match((await browser(server).get('/auth/sign_up')).text, /I agree to the terms of service/)
  const { json: instance } = await server.send('GET', '/api/v2/instance')
  assert.match(instance.configuration.urls.terms_of_service, /\/terms-of-service$/)

  assert.match((await staff.submit(await save(dayAfter(0)))).text, /has already been taken/)
  await staff.submit(await save(dayAfter(30)))
  const now = (await server.send('GET', '/api/v1/instance/terms_of_service')).json
  assert.deepEqual([now.effective_date, now.succeeded_by], [dayAfter(0), dayAfter(30)])
  const next = (await server.send('GET', `/api/v1/instance/terms_of_service/${dayAfter(30)}`)).json
  assert.deepEqual([next.effective, next.succeeded_by], [false, null])
  for (const date of [dayAfter(29), 'nonsense', '2026-02-30', '0000-01-01', '0']) {
    assert.equal((await server.send('GET', `/api/v1/instance/terms_of_service/${date}`)).status, 404, date)
    assert.equal((await server.send('GET', `/terms-of-service/${date}`)).status, 404, date)
  }
  assert.match((await browser(server).get(`/terms-of-service/${dayAfter(30)}`)).text, /These terms apply from/)
  assert.match((await browser(server).get('/terms-of-service')).text, /a new version/)

  await save('')
  const drafted = await staff.get(path)
  const discarded = await staff.submit(drafted, {}, { action: `${path}/draft/discard` })
  assert.match(discarded.text, /The draft is discarded/)
  assert.doesNotMatch(discarded.text, /id="draft"/)
  assert.equal((await staff.get(`${path}/draft/preview`)).status, 404)

  const list = await staff.get(path)
  const mail = /\/admin\/terms_of_service\/\d+\/mail/.exec(list.text)?.[0] ?? ''
  const confirm = await staff.get(mail)
  const mailed = async ({ email }: Person): Promise<number> =>
    (await mailsTo(server, email)).filter(({ subject }) => subject.includes('terms of service')).length
  assert.match((await staff.submit(confirm, { act: 'test' })).text, /The test e-mail is being sent/)
  assert.deepEqual([await mailed(owner), await mailed(bea)], [1, 0])
  await Promise.all([staff.submit(confirm), staff.submit(confirm)])
  await server.drain()
  const mails = await mailsTo(server, bea.email)
  assert.equal(mails.filter(({ subject }) => subject.includes('terms of service')).length, 1)
  assert.match(mails.at(-1)?.text ?? '', new RegExp(`/terms-of-service/${dayAfter(30)}[^]*A \\*new\\* rule`))
  const { rows } = await server.database.raw(
    'select mails_total, mails_sent from terms_of_service where mailing_started_at is not null',
  )
  assert.deepEqual(rows, [{ mails_total: rows[0]?.mails_total, mails_sent: rows[0]?.mails_total }])
  assert.match((await staff.get(path)).text, /<progress/)
  assert.equal((await staff.get(mail)).status, 404, 'once')
  const log = await server.ctx.db.many<{ action: string }>(
    sql`select action from audit_log where target_type = 'terms_of_service' order by id`,
  )
  assert.deepEqual(
    log.map(({ action }) => action),
    ['update', 'update', 'update', 'publish', 'update', 'update', 'publish', 'update', 'delete', 'mail'],
  )
})
