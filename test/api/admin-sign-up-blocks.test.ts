import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { after, test } from 'node:test'
import { commandLine, rookeryIn } from '../start/command-line.ts'
import { saveSettings } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import type { Answer } from '../support/server.ts'
import { signedIn } from '../support/forms.ts'
import { stage } from '../support/stage.ts'

/** A name server that knows the mail servers of a few domains, fails for some, and says of all others that they do not exist. */
const names: Record<string, { mx?: string[]; a?: string[]; fails?: true }> = {
  'harmless.example': { mx: ['mx.harmless.example'] },
  'mx.harmless.example': { a: ['192.0.2.10'] },
  'fresh-spam.example': { mx: ['in.mail.spam.example'] },
  'other-spam.example': { mx: ['mx.neutral.example'] },
  'mx.neutral.example': { a: ['192.0.2.66'] },
}
const nameServer = createSocket('udp4')
nameServer.on('message', (query, { port, address }) => nameServer.send(answerTo(query), port, address))
await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve))
after(() => nameServer.close())

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

function answerTo(query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (; query[at] !== 0; at += (query[at] as number) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] as number)).toString())
  const type = query.readUInt16BE(at + 1)
  const known = names[labels.join('.').toLowerCase()]
  const data =
    type === 15
      ? (known?.mx ?? []).map((host) => Buffer.concat([Buffer.from([0, 10]), encodeName(host)]))
      : type === 1
        ? (known?.a ?? []).map((ip) => Buffer.from(ip.split('.').map(Number)))
        : []
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(known?.fails ? 0x8182 : known ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 6)
  const records = data.map((bytes) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length])
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, query.subarray(12, at + 5), ...records])
}

const ENV = { REGISTRATIONS_MODE: '', DNS_SERVERS: `127.0.0.1:${nameServer.address().port}` }
const { server } = await stage({ env: ENV })
const admin = await server.person('boss', { role: 'owner' })
const appToken = await server.token({ scopes: ['read', 'write'] })

let count = 0
const register = (changes: Record<string, unknown> = {}, ip?: string): Promise<Answer> =>
  server.send('POST', '/api/v1/accounts', {
    token: appToken,
    json: {
      username: `person${++count}`,
      email: `person${count}@mail.test`,
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
      ...changes,
    },
    headers: ip === undefined ? {} : { 'x-forwarded-for': ip },
  })
const errorsOf = async (answer: Promise<Answer>): Promise<Record<string, string[]>> => {
  const { status, json, text } = await answer
  assert.equal(status, 422, text)
  const details = json.details as Record<string, { error: string }[]>
  return Object.fromEntries(Object.entries(details).map(([field, list]) => [field, list.map(({ error }) => error)]))
}
const isApproved = async (username: string): Promise<boolean> =>
  (
    await server.ctx.db.one<{ approved: boolean }>(
      sql`select approved from users u join accounts a on a.id = u.account_id where a.username = ${username}`,
    )
  ).approved
const from = (ip: string, path = '/api/v2/instance'): Promise<Answer> =>
  server.send('GET', path, { headers: { 'x-forwarded-for': ip } })

test('an IP block is created, shown, changed and removed, with an entry in the audit log', async () => {
  const { json: block } = await admin.send('POST', '/api/v1/admin/ip_blocks', {
    json: { ip: '198.51.100.77/24', severity: 'sign_up_block', comment: ' Noise ', expires_in: 3600 },
  })
  assert.deepEqual([block.ip, block.severity, block.comment], ['198.51.100.0/24', 'sign_up_block', 'Noise'])
  assert.ok(Math.abs(Date.parse(block.expires_at) - Date.now() - 3_600_000) < 20_000)
  const path = `/api/v1/admin/ip_blocks/${block.id}`
  assert.deepEqual(await admin.get(path), block)
  const changed = await admin.put(path, {
    ip: '::ffff:198.51.100.7/120',
    severity: 'sign_up_requires_approval',
    expires_in: '',
  })
  assert.deepEqual(
    [changed.ip, changed.severity, changed.comment],
    ['198.51.100.0/24', 'sign_up_requires_approval', 'Noise'],
  )
  assert.equal(changed.expires_at, block.expires_at, 'an empty value is no value')
  assert.equal((await admin.put(path, { expires_in: 0 })).expires_at, null)
  assert.deepEqual(await admin.delete(path), {})
  assert.equal((await admin.send('GET', path)).status, 404)
  assert.equal((await admin.send('DELETE', path)).status, 404)
  assert.equal((await admin.send('PUT', path, { json: {} })).status, 404)
  const log = await server.ctx.db.many<{ action: string }>(
    sql`select action from audit_log where target_type = 'ip_block' and account_id = ${admin.id} order by id`,
  )
  assert.deepEqual(
    log.map(({ action }) => action),
    ['create', 'update', 'update', 'delete'],
  )
})

test('IP blocks are listed newest first, by pages', async () => {
  for (const ip of ['203.0.113.1', '203.0.113.2', '2001:db8:1::/48'])
    await admin.post('/api/v1/admin/ip_blocks', { ip, severity: 'sign_up_block' })
  const first = await admin.send('GET', '/api/v1/admin/ip_blocks?limit=2')
  assert.deepEqual(
    first.json.map(({ ip }: { ip: string }) => ip),
    ['2001:db8:1::/48', '203.0.113.2/32'],
  )
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await admin.get(new URL(next).pathname + new URL(next).search)
  assert.deepEqual(
    second.map(({ ip }: { ip: string }) => ip),
    ['203.0.113.1/32'],
  )
  await server.ctx.db.run(sql`delete from ip_blocks`)
})

test('nonsense in an IP block is refused', async () => {
  const refused = async (json: object): Promise<[number, string]> => {
    const answer = await admin.send('POST', '/api/v1/admin/ip_blocks', { json })
    return [answer.status, answer.json.error]
  }
  const severity = 'sign_up_block'
  for (const ip of [
    'nonsense',
    '300.1.1.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3',
    '::1/129',
    '1.2.3.4/24/8',
    'fe80::1%eth0',
    '0x7f.1',
    '::ffff:1.2.3.4/90',
  ])
    assert.deepEqual(await refused({ ip, severity }), [422, 'Validation failed: IP address or range is invalid'], ip)
  assert.deepEqual(await refused({ ip: '', severity }), [422, "Validation failed: IP address or range can't be blank"])
  assert.deepEqual(await refused({ ip: '192.0.2.1' }), [422, "Validation failed: Severity can't be blank"])
  assert.equal((await refused({ ip: '192.0.2.1', severity: '' }))[0], 422)
  assert.equal((await refused({ ip: '192.0.2.1', severity: 'none' }))[0], 422)
  assert.equal((await refused({ ip: '192.0.2.1', severity, expires_in: -1 }))[0], 422)
  assert.equal((await refused({ ip: '192.0.2.1', severity, comment: 'x'.repeat(1001) }))[0], 422)
  const answers = await Promise.all([1, 2].map(() => refused({ ip: '192.0.2.1', severity })))
  assert.deepEqual(answers.map(([status]) => status).toSorted(), [200, 422], 'twice at once')
  for (const ip of ['127.0.0.0/8', '0.0.0.0/0', '::ffff:127.0.0.1'])
    assert.match((await refused({ ip, severity: 'no_access' }))[1], /your own address/, ip)
  assert.deepEqual((await from('127.0.0.1')).status, 200)
  await server.ctx.db.run(sql`delete from ip_blocks`)
})

test('IP blocks restrict sign-up, whatever form the address has, until they expire', async () => {
  await admin.post('/api/v1/admin/ip_blocks', { ip: '203.0.113.0/24', severity: 'sign_up_block' })
  await admin.post('/api/v1/admin/ip_blocks', { ip: '203.0.113.128/25', severity: 'sign_up_requires_approval' })
  await admin.post('/api/v1/admin/ip_blocks', { ip: '2001:db8:2::/48', severity: 'sign_up_requires_approval' })
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.200']) {
    const answer = await register({}, ip)
    assert.deepEqual([answer.status, answer.json.error], [403, 'Sign-up from your network is not possible'], ip)
  }
  assert.equal((await register({ username: 'sixer' }, '2001:db8:2:3::4')).status, 200)
  assert.equal(await isApproved('sixer'), false)
  assert.equal((await register({ username: 'neighbour' }, '203.0.114.9')).status, 200)
  assert.equal(await isApproved('neighbour'), true)
  await server.ctx.db.run(sql`update ip_blocks set expires_at = now() - interval '1 second'`)
  assert.equal((await register({ username: 'later' }, '203.0.113.9')).status, 200)
  assert.equal(await isApproved('later'), true)
  await server.ctx.db.run(sql`delete from ip_blocks`)
})

test('a block without access refuses every request until it is removed or expires', async () => {
  const { json: block } = await admin.send('POST', '/api/v1/admin/ip_blocks', {
    json: { ip: '203.0.113.0/24', severity: 'no_access' },
  })
  for (const path of ['/api/v2/instance', '/about', '/auth/sign_in', '/@boss', '/assets/icon.png', '/nothing']) {
    assert.equal((await from('203.0.113.5', path)).status, 403, path)
    assert.notEqual((await from('203.0.112.5', path)).status, 403, path)
  }
  assert.equal((await from('::ffff:203.0.113.5')).status, 403)
  assert.equal((await register({}, '203.0.113.5')).status, 403)
  await admin.delete(`/api/v1/admin/ip_blocks/${block.id}`)
  assert.equal((await from('203.0.113.5')).status, 200)
  await admin.post('/api/v1/admin/ip_blocks', { ip: '2001:db8:3::/48', severity: 'no_access', expires_in: 1 })
  assert.equal((await from('2001:db8:3::1')).status, 403)
  await server.ctx.db.run(sql`update ip_blocks set expires_at = now() - interval '1 second'`)
  assert.equal((await from('2001:db8:3::1')).status, 200)
  await server.ctx.db.run(sql`delete from ip_blocks`)
})

test('an e-mail domain block refuses its domain, its subdomains, and domains whose mail its hosts receive', async () => {
  const { json: block } = await admin.send('POST', '/api/v1/admin/email_domain_blocks', {
    json: { domain: ' @Spam.Example. ' },
  })
  assert.deepEqual([block.domain, block.allow_with_approval], ['spam.example', false])
  for (const email of ['a@spam.example', 'a@deep.sub.SPAM.example', 'a@fresh-spam.example'])
    assert.deepEqual(await errorsOf(register({ email }, '192.0.2.200')), { email: ['ERR_BLOCKED'] }, email)
  assert.deepEqual(await errorsOf(register({ email: 'b@spam.example' }, '192.0.2.201')), { email: ['ERR_BLOCKED'] })
  for (const email of ['a%spam.example@harmless.example', 'spam.example!a@harmless.example'])
    assert.deepEqual(await errorsOf(register({ email })), { email: ['ERR_INVALID'] }, 'passed on to that domain')
  for (const email of ['a@notspam.example', 'a@other-spam.example', 'a@harmless.example'])
    assert.equal((await register({ email })).status, 200, email)
  const { history } = await admin.get(`/api/v1/admin/email_domain_blocks/${block.id}`)
  assert.equal(history.length, 7)
  const midnight = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`) / 1000
  assert.deepEqual(history[0], { day: String(midnight), accounts: '2', uses: '4' })
  assert.deepEqual(history[1], { day: String(midnight - 86_400), accounts: '0', uses: '0' })
  assert.deepEqual(await admin.get('/api/v1/admin/email_domain_blocks'), [{ ...block, history }])
  assert.deepEqual(await admin.delete(`/api/v1/admin/email_domain_blocks/${block.id}`), {})
  assert.equal((await register({ email: 'a@spam.example' })).status, 200)
  assert.equal((await admin.send('GET', `/api/v1/admin/email_domain_blocks/${block.id}`)).status, 404)
})

test('the command line blocks the mail servers of an e-mail domain, too', async () => {
  const env = { ...commandLine(server).env, DNS_SERVERS: ENV.DNS_SERVERS }
  const { status } = await rookeryIn(env, 'email-domain-blocks', 'add', 'other-spam.example', '--with-dns-records')
  assert.equal(status, 0)
  const blocks = await admin.get('/api/v1/admin/email_domain_blocks')
  const names = blocks.map(({ domain }: { domain: string }) => domain)
  assert.deepEqual(names.toSorted(), ['192.0.2.66', 'mx.neutral.example', 'other-spam.example'])
  const [{ id }] = blocks.filter(({ domain }: { domain: string }) => domain === 'other-spam.example')
  await admin.delete(`/api/v1/admin/email_domain_blocks/${id}`)
  assert.deepEqual(await admin.get('/api/v1/admin/email_domain_blocks'), [])
})

test('an invitation opens a blocked e-mail domain, but not blocked mail servers, nor ones that need approval', async () => {
  const invite_code = 'atBlocked234'
  await server.ctx.db.run(
    sql`insert into invites (user_id, code, comment, autofollow) values (${admin.userId}, ${invite_code}, '', false)`,
  )
  const block = (json: object): Promise<unknown> => admin.post('/api/v1/admin/email_domain_blocks', json)
  await block({ domain: 'spam.example' })
  await block({ domain: 'neutral.example' })
  await block({ domain: 'harmless.example', allow_with_approval: true })
  const invited = (username: string, email: string): Promise<Answer> => register({ username, email, invite_code })
  assert.equal((await invited('welcome', 'w@sub.spam.example')).status, 200)
  assert.equal(await isApproved('welcome'), true)
  assert.equal((await invited('checked', 'c@harmless.example')).status, 200)
  assert.equal(await isApproved('checked'), false)
  for (const email of ['i@fresh-spam.example', 'i@other-spam.example'])
    assert.deepEqual(await errorsOf(invited('refused', email)), { email: ['ERR_BLOCKED'] }, email)
  const wrong = register({ email: 'x@spam.example', invite_code: 'none' })
  assert.deepEqual(await errorsOf(wrong), { email: ['ERR_BLOCKED'] })
  await server.ctx.db.run(sql`delete from email_domain_blocks`)
})

test('an e-mail domain block by the address of a mail server may let sign-ups pass with approval', async () => {
  await admin.post('/api/v1/admin/email_domain_blocks', { domain: '192.0.2.66', allow_with_approval: true })
  assert.equal((await register({ username: 'waiting', email: 'z@other-spam.example' })).status, 200)
  assert.equal(await isApproved('waiting'), false)
  const { access_token: token } = (await register({ username: 'detour' })).json
  assert.equal(await isApproved('detour'), true)
  const json = { email: 'detour@other-spam.example' }
  assert.equal((await server.send('POST', '/api/v1/emails/confirmations', { token, json })).status, 200)
  assert.equal(await isApproved('detour'), false, 'another address before the confirmation is no way around')
  await admin.post('/api/v1/admin/email_domain_blocks', { domain: 'neutral.example' })
  assert.deepEqual(await errorsOf(register({ email: 'y@other-spam.example' })), { email: ['ERR_BLOCKED'] })
  const answer = await server.send('POST', '/api/v1/emails/confirmations', {
    token: (await register({ username: 'unsure' })).json.access_token,
    json: { email: 'unsure@neutral.example' },
  })
  assert.deepEqual([answer.status, Object.keys(answer.json.details ?? {})], [422, ['email']])
  for (const domain of ['no spaces', 'a/b', 'http://x.example', '-a.example', '1.2.3', 'x'.repeat(300), '.', 'a..b'])
    assert.equal(
      (await admin.send('POST', '/api/v1/admin/email_domain_blocks', { json: { domain } })).status,
      422,
      domain,
    )
  for (const json of [{}, { domain: '' }])
    assert.equal((await admin.send('POST', '/api/v1/admin/email_domain_blocks', { json })).status, 422)
  const twice = await Promise.all(
    [1, 2].map(() => admin.send('POST', '/api/v1/admin/email_domain_blocks', { json: { domain: 'twice.example' } })),
  )
  assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 422])
  await server.ctx.db.run(sql`delete from email_domain_blocks`)
})

test('a server that sends mail refuses addresses whose domain receives none, unless the DNS fails', async () => {
  Object.assign(names, {
    'no-mail.example': { mx: [''], a: ['192.0.2.10'] },
    'lost-mail.example': { mx: ['gone.example'] },
    'parked.example': {},
    'bare.example': { a: ['192.0.2.10'] },
    'broken.example': { fails: true },
    'half-broken.example': { mx: ['broken.example'] },
  })
  const { server: sending } = await stage({ env: { ...ENV, SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' } })
  const token = await sending.token({ scopes: ['read', 'write'] })
  const signUp = (domain: string, to = sending, as = token): Promise<Answer> => {
    const username = `person${++count}`
    const json = { username, email: `${username}@${domain}`, password: 'correct horse battery', agreement: true }
    return to.send('POST', '/api/v1/accounts', { token: as, json })
  }
  const refused = ['no-mail.example', 'lost-mail.example', 'parked.example', 'nowhere.example']
  for (const domain of refused) {
    assert.deepEqual(await errorsOf(signUp(domain)), { email: ['ERR_UNREACHABLE'] }, domain)
    assert.equal((await signUp(domain, server, appToken)).status, 200, 'where mail goes nowhere')
  }
  for (const domain of ['bare.example', 'broken.example', 'half-broken.example'])
    assert.equal((await signUp(domain)).status, 200, domain)
  const { access_token } = (await signUp('harmless.example')).json
  const change = (email: string): Promise<Answer> =>
    sending.send('POST', '/api/v1/emails/confirmations', { token: access_token, json: { email } })
  const wrong = await change('me@nowhere.example')
  assert.match(wrong.json.error, /does not seem to exist or to receive mail/)
  assert.equal((await change('me@bare.example')).status, 200)
  await admin.post('/api/v1/admin/email_domain_blocks', { domain: 'nowhere.example' })
  assert.deepEqual(await errorsOf(signUp('nowhere.example', server, appToken)), { email: ['ERR_BLOCKED'] })
  await server.ctx.db.run(sql`delete from email_domain_blocks`)
})

test('a canonical e-mail block holds for every spelling of an address', async () => {
  const path = '/api/v1/admin/canonical_email_blocks'
  const { json: block } = await admin.send('POST', path, { json: { email: 'Some.One+tag@Mail.test' } })
  // The SHA-256 of someone@mail.test.
  assert.equal(block.canonical_email_hash, '061178a36858759593a8badb9ea653aeb01f8e44d4c1cfdb07f4ea5ebc2b4ffb')
  const spellings = ['someone@mail.test', 's.o.m.e.o.n.e+x@MAIL.test']
  for (const email of spellings) {
    assert.deepEqual(await admin.post(`${path}/test`, { email }), [block])
    assert.deepEqual(await errorsOf(register({ email })), { email: ['ERR_TAKEN'] })
  }
  const { access_token: token } = (await register()).json
  const change = server.send('POST', '/api/v1/emails/confirmations', { token, json: { email: spellings[1] } })
  assert.deepEqual(await errorsOf(change), { email: ['ERR_TAKEN'] })
  assert.deepEqual(await admin.post(`${path}/test`, { email: 'another@mail.test' }), [])
  assert.equal((await admin.send('POST', `${path}/test`, { json: {} })).status, 400)
  assert.equal((await admin.send('POST', path, { json: { email: 'someone@mail.test' } })).status, 422, 'taken')
  assert.equal((await admin.send('POST', path, { json: {} })).status, 422)
  assert.equal((await admin.send('POST', path, { json: { email: 'nobody' } })).status, 422)
  assert.equal((await admin.send('POST', path, { json: { canonical_email_hash: 'abc' } })).status, 422)
  const byHash = await admin.post(path, { canonical_email_hash: 'A'.repeat(64) })
  assert.deepEqual(await admin.get(path), [byHash, block])
  assert.deepEqual(await admin.get(`${path}/${byHash.id}`), byHash)
  assert.deepEqual(await admin.delete(`${path}/${block.id}`), {})
  assert.equal((await admin.send('DELETE', `${path}/${block.id}`)).status, 404)
  assert.equal((await register({ email: spellings[1] })).status, 200)
})

test('the address of a suspended account cannot sign up again until the suspension ends', async () => {
  const gone = await server.person('gone', { email: 'gone.away@mail.test' })
  await admin.post(`/api/v1/admin/accounts/${gone.id}/action`, { type: 'suspend' })
  assert.deepEqual(await errorsOf(register({ email: 'goneaway+new@mail.test' })), { email: ['ERR_TAKEN'] })
  await admin.post(`/api/v1/admin/accounts/${gone.id}/unsuspend`)
  assert.equal((await register({ email: 'goneaway+new@mail.test' })).status, 200)
})

test('a sign-up with several restrictions names all of its problems', async () => {
  await saveSettings(server.ctx, { registrations_mode: 'approved', require_invite_text: true })
  await server.ctx.db.run(sql`insert into email_domain_blocks (domain) values ('mail.test')`)
  assert.deepEqual(await errorsOf(register({ username: 'admin' })), {
    username: ['ERR_RESERVED'],
    email: ['ERR_BLOCKED'],
    reason: ['ERR_BLANK'],
  })
  await server.ctx.db.run(sql`delete from email_domain_blocks`)
  await saveSettings(server.ctx, { registrations_mode: 'open', require_invite_text: false })
})

test('a provider is blocked with the mail servers that a page looked up, and its list counts attempts', async () => {
  names['page-spam.example'] = { mx: ['mx.page-spam.example'] }
  names['mx.page-spam.example'] = { a: ['192.0.2.77'] }
  const tab = await signedIn(server, admin)
  const path = '/admin/email_domain_blocks'
  const looked = await tab.submit(
    await tab.get(`${path}/new`),
    { domain: 'page-spam.example', allow_with_approval: '1', act: 'look_up' },
    { action: path },
  )
  assert.match(looked.text, /name="servers\[\]" value="mx\.page-spam\.example">/)
  assert.match(looked.text, /name="servers\[\]" value="192\.0\.2\.77">/)
  const refused = await tab.submit(looked, { domain: 'a b', act: 'block', 'servers[]': '192.0.2.77' }, { action: path })
  assert.equal(refused.status, 422)
  const wrong = await tab.submit(looked, { act: 'block', 'servers[]': 'not a server' }, { action: path })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /value="mx\.page-spam\.example">/, 'they are offered again')
  const done = await tab.submit(looked, { act: 'block', 'servers[]': '192.0.2.77' }, { action: path })
  assert.match(done.text, /Mail server of page-spam\.example/)
  const again = await tab.submit(looked, { act: 'block', 'servers[]': '192.0.2.77' }, { action: path })
  assert.match(again.text, /already been taken[^]*value="192\.0\.2\.77" checked>/)
  names['cousin.example'] = { mx: ['mx.page-spam.example'] }
  await register({ email: 'cat@cousin.example' }, '203.0.113.9')
  const row = (await tab.get(path)).text.split('<tr ').find((each) => each.includes('192.0.2.77')) ?? ''
  assert.match(row, /With approval[^]*1 /)
})
