// Commands that administrators know from tootctl: blocks of sign-ups, owners of files, relationships, old posts of other servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp, publishStatus, saveSettings } from '../support/acts.ts'
import { newId, sql } from '../support/database.ts'
import { newFileKey, proxyUrl } from '../support/internals.ts'
import { remoteAccount } from '../support/remote.ts'
import { stage } from '../support/stage.ts'
import { commandLine } from './command-line.ts'

const { server, ada, bob, peer } = await stage({
  accounts: ['ada', 'bob'],
  peers: ['peer'],
  env: { REGISTRATIONS_MODE: '' },
})
const { config } = server.ctx
const { rookery, done, refused, audited } = commandLine(server)
const appToken = await server.token({ userId: null, scopes: ['read', 'write'] })

let count = 0
const register = async (domain: string): Promise<number> => {
  const username = `person${++count}`
  const { status } = await server.send('POST', '/api/v1/accounts', {
    token: appToken,
    json: {
      username,
      email: `${username}@${domain}`,
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
    },
  })
  return status
}
const requestFrom = async (ip: string): Promise<number> =>
  (await server.send('GET', '/api/v2/instance', { headers: { 'x-forwarded-for': ip } })).status

async function assertAudited(...wanted: string[]): Promise<void> {
  const entries = await audited()
  for (const entry of wanted) assert.ok(entries.includes(entry), `${entry} in ${entries.join(', ')}`)
}

test('ip-blocks add shuts addresses and ranges out, and remove lets them in again', async () => {
  assert.equal(await requestFrom('203.0.113.7'), 200)
  const add = ['ip-blocks', 'add', '203.0.113.0/24', '2001:db8::1', '203.0.113.9/24', '--severity', 'no_access']
  assert.equal((await done(...add, '--comment', 'crawler')).count, 2, 'two of the three are the same range')
  assert.equal(await requestFrom('203.0.113.7'), 403)
  assert.equal(await requestFrom('2001:db8::1'), 403)

  const more = await done('ip-blocks', 'add', '203.0.113.0/24', '198.51.100.4', '--severity', 'sign_up_block')
  assert.deepEqual([more.count, more.skipped], [1, ['203.0.113.0/24']])
  await refused(
    1,
    /Blocked already: 198\.51\.100\.4\/32/,
    'ip-blocks',
    'add',
    '198.51.100.4',
    '--severity',
    'no_access',
  )
  assert.equal(await requestFrom('198.51.100.4'), 200, 'a block that exists keeps its severity')
  assert.equal((await done('ip-blocks', 'add', '192.0.2.1', '--severity', 'no_access', '--duration', '60')).count, 1)

  const listed = await done('ip-blocks', 'list')
  assert.deepEqual(
    listed.map((block: any) => [block.ip, block.severity, block.comment, block.expires_at !== null]),
    [
      ['192.0.2.1/32', 'no_access', '', true],
      ['198.51.100.4/32', 'sign_up_block', '', false],
      ['2001:db8::1/128', 'no_access', 'crawler', false],
      ['203.0.113.0/24', 'no_access', 'crawler', false],
    ],
  )
  assert.equal((await done('ip-blocks', 'list', '--limit', '1')).length, 1)
  assert.match(
    (await rookery('ip-blocks', 'list')).out,
    /^RANGE +SEVERITY +UNTIL [^]+203\.0\.113\.0\/24 +no_access +no end /,
  )

  assert.deepEqual(await done('ip-blocks', 'export'), ['192.0.2.1/32', '203.0.113.0/24', '2001:db8::1/128'])
  assert.equal((await rookery('ip-blocks', 'export')).out, '192.0.2.1/32\n203.0.113.0/24\n2001:db8::1/128')
  assert.match((await rookery('ip-blocks', 'export', '--format', 'nginx')).out, /^deny 203\.0\.113\.0\/24;$/m)
  await server.ctx.db.run(sql`update ip_blocks set expires_at = now() - interval '1 hour' where ip = '192.0.2.1'`)
  assert.equal((await done('ip-blocks', 'export')).length, 2, 'without blocks that have ended')

  const remove = ['ip-blocks', 'remove', '203.0.113.0/24', '2001:db8::1', '203.0.113.7']
  const dry = await done(...remove, '--dry-run')
  assert.deepEqual([dry.count, dry.dry_run, dry.skipped], [2, true, ['203.0.113.7/32']])
  assert.equal(await requestFrom('203.0.113.7'), 403)
  assert.match((await rookery(...remove)).out, /^Done: 2 blocks\.\nNot blocked: 203\.0\.113\.7\/32$/)
  assert.equal(await requestFrom('203.0.113.7'), 200)
  await refused(1, /Not blocked: 203\.0\.113\.0\/24/, 'ip-blocks', 'remove', '203.0.113.0/24')
  for (const range of ['203.0.113.0/24', '203.0.0.0/16', '198.51.100.0/24'])
    await done('ip-blocks', 'add', range, '--severity', 'no_access')
  const covering = await done('ip-blocks', 'remove', '203.0.113.7', '192.0.2.200', '--covering')
  assert.deepEqual([covering.count, covering.skipped], [2, ['192.0.2.200/32']])
  assert.ok((await done('ip-blocks', 'export')).includes('198.51.100.0/24'))
  await assertAudited('ip_block create 203.0.113.0/24', 'ip_block delete 2001:db8::1/128')
})

test('ip-blocks refuses wrong usage, and then adds nothing', async () => {
  const before = (await done('ip-blocks', 'list')).length
  const add = ['ip-blocks', 'add', '203.0.113.1']
  await refused(2, /ADDRESS\|RANGE/, 'ip-blocks', 'add', '--severity', 'no_access')
  await refused(2, /--severity must be one of sign_up_requires_approval, /, ...add)
  await refused(2, /--severity must be one of/, ...add, '--severity', 'hard')
  for (const wrong of ['somewhere', '203.0.113.1/33', '203.0.113', '203.0.113.1:80'])
    await refused(2, /is not an IP address or range/, ...add, wrong, '--severity', 'no_access')
  for (const wrong of ['0', '1.5', 'long', '99999999999'])
    await refused(
      2,
      /--duration must be a number from 1 to 315360000/,
      ...add,
      '--severity',
      'no_access',
      '--duration',
      wrong,
    )
  await refused(1, /too long/, ...add, '--severity', 'no_access', '--comment', 'x'.repeat(1001))
  await refused(2, /is not an IP address or range/, 'ip-blocks', 'remove', 'localhost')
  await refused(2, /ADDRESS\|RANGE/, 'ip-blocks', 'remove')
  await refused(2, /--format must be one of plain, nginx/, 'ip-blocks', 'export', '--format', 'constructor')
  await refused(2, /--limit must be a number from 1 to 10000/, 'ip-blocks', 'list', '--limit', '0')
  assert.equal((await done('ip-blocks', 'list')).length, before)
})

test('email-domain-blocks refuses sign-ups, or lets staff approve them', async () => {
  assert.equal(await register('spam.test'), 200)
  assert.equal((await done('email-domain-blocks', 'add', 'Spam.test', '@bulk.test', 'spam.test')).count, 2)
  assert.equal(await register('spam.test'), 422)
  assert.equal(await register('mail.bulk.test'), 422, 'with subdomains')
  const approval = await done('email-domain-blocks', 'add', 'odd.test', 'bulk.test', '--allow-with-approval')
  assert.deepEqual([approval.count, approval.skipped], [1, ['bulk.test']])
  assert.equal(await register('odd.test'), 200)
  const waiting = await server.ctx.db.one<{ approved: boolean }>(
    sql`select approved from users where email like '%@odd.test'`,
  )
  assert.equal(waiting.approved, false)

  const listed = await done('email-domain-blocks', 'list')
  assert.deepEqual(
    listed.map((block: any) => [block.domain, block.allow_with_approval]),
    [
      ['odd.test', true],
      ['bulk.test', false],
      ['spam.test', false],
    ],
  )
  const [parent] = listed.filter(({ domain }: any) => domain === 'bulk.test')
  await server.ctx.db.run(
    sql`insert into email_domain_blocks (domain, parent_id) values ('mx.bulk.test', ${parent.id})`,
  )
  const table = (await rookery('email-domain-blocks', 'list')).out
  assert.match(table, /^DOMAIN +SIGN-UPS +MAIL SERVER OF +SINCE\nmx\.bulk\.test +refused +bulk\.test /)
  assert.match(table, /^odd\.test +with approval +– /m)

  const remove = ['email-domain-blocks', 'remove', 'bulk.test', 'spam.test', 'unknown.test']
  assert.deepEqual((await done(...remove, '--dry-run')).skipped, ['unknown.test'])
  assert.equal(await register('spam.test'), 422)
  assert.equal((await done(...remove)).count, 2)
  assert.equal(await register('spam.test'), 200)
  assert.equal((await done('email-domain-blocks', 'list')).length, 1, 'the mail server is unblocked with its domain')
  await refused(1, /Not blocked: spam\.test/, 'email-domain-blocks', 'remove', 'spam.test')
  await refused(1, /Blocked already: odd\.test/, 'email-domain-blocks', 'add', 'odd.test')
  await refused(2, /a b is not a domain/, 'email-domain-blocks', 'add', 'fine.test', 'a b')
  await refused(2, /is not a domain/, 'email-domain-blocks', 'remove', 'https://spam.test/')
  await refused(2, /DOMAIN/, 'email-domain-blocks', 'add')
  await refused(2, /takes no arguments/, 'email-domain-blocks', 'list', 'spam.test')
  assert.equal((await done('email-domain-blocks', 'list')).length, 1)
  await assertAudited('email_domain_block create spam.test', 'email_domain_block delete bulk.test')
})

test('canonical-email-blocks finds the address of a suspended account in any spelling, and unblocks it', async () => {
  await server.person('mallory', { email: 'mal.lory@mail.test' })
  assert.equal((await done('canonical-email-blocks', 'find', 'mallory@mail.test')).blocked, false)
  await refused(1, /Not blocked: mallory@mail\.test/, 'canonical-email-blocks', 'remove', 'mallory@mail.test')
  await done('accounts', 'suspend', 'mallory')
  const found = await done('canonical-email-blocks', 'find', 'Mallory+again@mail.test')
  assert.deepEqual([found.blocked, found.accounts.map(({ username }: any) => username)], [true, ['mallory']])
  assert.match((await rookery('canonical-email-blocks', 'find', 'mallory@mail.test')).out, /is blocked\.\n.*@mallory/)
  assert.equal((await done('canonical-email-blocks', 'remove', 'mallory@mail.test', '--dry-run')).dry_run, true)
  assert.equal((await done('canonical-email-blocks', 'remove', 'm.allory@mail.test')).count, 1)
  assert.match((await rookery('canonical-email-blocks', 'find', 'mallory@mail.test')).out, /^Not blocked: /)
  for (const command of ['find', 'remove']) {
    await refused(2, /mallory is not an e-mail address/, 'canonical-email-blocks', command, 'mallory')
    await refused(2, /EMAIL/, 'canonical-email-blocks', command)
  }
  const [{ hash }] = found.blocks.map(({ canonical_email_hash }: any) => ({ hash: canonical_email_hash }))
  await assertAudited(`canonical_email_block delete ${hash}`)
})

test('media lookup names the post, profile or emoji of a file', async () => {
  const far = await remoteAccount(server, 'far', 'far.test', { avatar_remote_url: 'https://far.test/face.png' })
  const lookUp = (address: string): Promise<any> => done('media', 'lookup', address)

  const form = new FormData()
  form.set(
    'file',
    new Blob([Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')]),
    'a.gif',
  )
  const { id: mediaId, url } = (await ada.send('POST', '/api/v2/media', { form })).json
  assert.deepEqual((await lookUp(url))[0].status, null, 'not posted yet')
  const status = await ada.post('/api/v1/statuses', { status: 'look', media_ids: [mediaId] })
  const [posted] = await lookUp(`${url}?download`)
  assert.deepEqual(
    [posted.kind, posted.id, posted.status.url, posted.account.url, posted.admin_url],
    ['attachment', mediaId, status.url, `${config.baseUrl}/@ada`, `${config.baseUrl}/admin/accounts/${ada.id}`],
  )
  const key = url.slice(`${config.filesUrl}/`.length)
  assert.deepEqual(await lookUp(key), [posted], 'by its key')
  const text = (await rookery('media', 'lookup', url)).out
  assert.ok(text.includes(status.url) && text.includes(posted.admin_url), text)

  const remoteUrl = 'https://far.test/ph%C3%B6to.jpg'
  const { id: remoteId } = await publishStatus(server.ctx, {
    accountId: far,
    local: false,
    uri: 'https://far.test/posts/1',
    content: 'photo',
    visibility: 'public',
  })
  const attachment = newId()
  await server.ctx.db.run(sql`
    insert into media_attachments (id, account_id, status_id, type, remote_url) values (${attachment}, ${far}, ${remoteId}, 'image', ${remoteUrl})`)
  const [remote] = await lookUp(remoteUrl)
  assert.deepEqual(await lookUp('https://far.test/phöto.jpg'), [remote], 'in another spelling')
  assert.deepEqual(
    [remote.status, remote.account.domain, remote.account.url, remote.admin_url],
    [
      { id: remoteId, url: 'https://far.test/posts/1' },
      'far.test',
      'https://far.test/@far',
      `${config.baseUrl}/admin/accounts/${far}`,
    ],
  )
  assert.deepEqual(await lookUp(proxyUrl(server.ctx, attachment, 'original')), [remote])

  const [face] = await lookUp('https://far.test/face.png')
  assert.deepEqual([face.kind, face.id, face.status], ['avatar', far, null])
  const header = newFileKey('cache/headers', far, 'original', 'webp')
  await server.ctx.db.run(sql`update accounts set header_key = ${header} where id = ${far}`)
  assert.equal((await lookUp(server.ctx.files.url(header)))[0].kind, 'header')

  const emojiUrl = 'https://far.test/blob.png'
  const copy = newFileKey('cache/emojis', '0a1b', 'original', 'png')
  const local = newFileKey('custom_emojis', 'rook', 'original', 'png')
  await server.ctx.db.run(
    sql`insert into custom_emojis (shortcode, domain, remote_url) values ('blob', 'far.test', ${emojiUrl})`,
  )
  await server.ctx.db.run(sql`insert into custom_emojis (shortcode, image_key) values ('rook', ${local})`)
  await server.ctx.db.run(sql`
    insert into remote_emojis (digest, image_key, static_key) values (sha256(convert_to(${emojiUrl}, 'UTF8')), ${copy}, ${copy})`)
  const [emoji] = await lookUp(emojiUrl)
  assert.deepEqual(
    [emoji.emoji, emoji.admin_url],
    [{ shortcode: 'blob', domain: 'far.test' }, `${config.baseUrl}/admin/custom_emojis?from=far.test&search=blob`],
  )
  assert.deepEqual(await lookUp(server.ctx.files.url(copy)), [emoji])
  assert.deepEqual(
    await lookUp(`${config.baseUrl}/media_proxy/emojis/static?${new URLSearchParams({ url: emojiUrl })}`),
    [emoji],
  )
  assert.equal(
    (await lookUp(local))[0].admin_url,
    `${config.baseUrl}/admin/custom_emojis/${(await lookUp(local))[0].id}`,
  )
})

test('media lookup says when nothing has the file, and refuses what is no address', async () => {
  const other = newFileKey('media', ada.id, 'original', 'webp')
  for (const unknown of [
    'https://far.test/nothing.png',
    server.ctx.files.url(other),
    newFileKey('custom_emojis', 'none', 'original', 'png'),
    proxyUrl(server.ctx, '1', 'small'),
    `${config.baseUrl}/@ada`,
  ])
    await refused(1, /No post, account or emoji has the file/, 'media', 'lookup', unknown)
  for (const wrong of [
    'photo',
    'ftp://far.test/a.png',
    `${config.baseUrl}/media_proxy/emojis/static`,
    `${config.filesUrl}/a%20b`,
  ])
    await refused(2, /is not the address of a file/, 'media', 'lookup', wrong)
  await refused(2, /URL/, 'media', 'lookup')
})

test('statuses remove spares the posts of followed accounts unless told otherwise; retention does not', async () => {
  const [followed, other] = [await remoteAccount(server, 'followed'), await remoteAccount(server, 'other')]
  await server.ctx.db.run(sql`insert into follows (account_id, target_account_id) values (${ada.id}, ${followed})`)
  const createdAt = new Date(Date.now() - 100 * 86_400_000)
  const old = async (accountId: string): Promise<string> => {
    const uri = `https://far.test/${newId()}`
    const draft = { accountId, local: false, uri, content: 'old', visibility: 'public' as const, createdAt }
    return (await publishStatus(server.ctx, draft)).id
  }
  const exists = async (id: string): Promise<boolean> =>
    (await bob.send('GET', `/api/v1/statuses/${id}`)).status === 200
  const [ofFollowed, ofOther] = [await old(followed), await old(other)]
  assert.equal((await done('statuses', 'remove', '--dry-run')).count, 1)
  assert.equal((await done('statuses', 'remove', '--clean-followed', '--dry-run')).count, 2)
  assert.equal((await done('statuses', 'remove')).count, 1)
  assert.deepEqual([await exists(ofFollowed), await exists(ofOther)], [true, false])
  assert.equal((await done('statuses', 'remove', '--clean-followed')).clean_followed, true)
  assert.equal(await exists(ofFollowed), false)
  const retained = await old(followed)
  await saveSettings(server.ctx, { content_cache_retention_period: 30 })
  await cleanUp(server.ctx)
  assert.equal(await exists(retained), false)
  await refused(2, /--clean-followed/, 'statuses', 'remove', '--clean-followed=yes')
  await refused(2, /--days/, 'statuses', 'remove', '--days', 'old')
})

test('accounts approve --number approves the earliest sign-ups', async () => {
  await done('accounts', 'approve', 'all')
  for (const name of ['first', 'second', 'third']) await server.person(name, { approved: false } as object)
  const waiting = async (): Promise<string[]> => {
    const users = await done('accounts', 'list')
    return users.filter(({ approved }: any) => !approved).map(({ username }: any) => username)
  }
  const before = await waiting()
  assert.deepEqual(await done('accounts', 'approve', '--number', '2', '--dry-run'), { count: 2, dry_run: true })
  assert.deepEqual(await waiting(), before)
  assert.equal((await done('accounts', 'approve', '--number', '2')).count, 2)
  assert.deepEqual(
    before.filter((name) => name !== 'first' && name !== 'second'),
    await waiting(),
  )
  await refused(2, /NAME \| all \| --number N/, 'accounts', 'approve')
  await refused(2, /NAME \| all \| --number N/, 'accounts', 'approve', 'third', '--number', '1')
  await refused(2, /NAME/, 'accounts', 'approve', 'third', 'fourth')
  for (const wrong of ['0', '-1', 'two']) await refused(2, /--number/, 'accounts', 'approve', '--number', wrong)
  await refused(1, /no account named nobody/, 'accounts', 'approve', 'nobody')
  assert.equal((await done('accounts', 'approve', '--number', '9')).count, 1)
  await assertAudited('account approve @first', 'account approve @third')
})

test('accounts reset-relationships ends follows and removes followers, here and on other servers', async () => {
  const mona = await peer.actor('mona')
  const follow = { type: 'Follow', id: `${peer.url}/f1`, actor: mona.uri, object: `${config.baseUrl}/users/bob` }
  assert.equal(await peer.send(server, mona, follow), 202)
  await server.drain()
  const { accounts } = await bob.get(`/api/v2/search?q=mona@${peer.domain}&resolve=true&type=accounts`)
  await bob.post(`/api/v1/accounts/${accounts[0].id}/follow`)
  await server.drain()
  const sent = peer.received.find(({ type }: any) => type === 'Follow') as any
  const accept = { type: 'Accept', id: `${peer.url}/a1`, actor: mona.uri, object: sent.id }
  assert.equal(await peer.send(server, mona, accept), 202)
  await server.drain()
  await bob.post(`/api/v1/accounts/${ada.id}/follow`)
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const counts = async (): Promise<number[]> => {
    const { following_count: following, followers_count: followers } = await bob.get(`/api/v1/accounts/${bob.id}`)
    return [following, followers]
  }
  assert.deepEqual(await counts(), [2, 2])
  const received = (type: string): number => peer.received.filter((each: any) => each.type === type).length

  const reset = ['accounts', 'reset-relationships', 'bob']
  assert.deepEqual(await done(...reset, '--follows', '--followers', '--dry-run'), { count: 4, dry_run: true })
  assert.deepEqual(await counts(), [2, 2])
  assert.equal((await done(...reset, '--follows')).count, 2)
  await server.drain()
  assert.deepEqual([await counts(), received('Undo'), received('Reject')], [[0, 2], 1, 0])
  const both = await done(...reset, '--follows', '--followers')
  assert.deepEqual([both.count, both.sides], [2, ['follows', 'followers']])
  await server.drain()
  assert.deepEqual([await counts(), received('Undo'), received('Reject')], [[0, 0], 1, 1])
  assert.equal((await done(...reset, '--followers')).count, 0, 'nothing is left')

  await refused(2, /--follows \| --followers/, ...reset)
  await refused(2, /NAME/, 'accounts', 'reset-relationships', '--follows')
  await refused(1, /no account named nobody/, 'accounts', 'reset-relationships', 'nobody', '--follows')
  await refused(1, /no account named mona@/, 'accounts', 'reset-relationships', `mona@${peer.domain}`, '--followers')
  await assertAudited('command run accounts reset-relationships')
})
