// The commands of administrators, on a server with another one beside it.
import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { newId, sql } from '../support/database.ts'
import { newFileKey } from '../support/internals.ts'
import { remoteAccount } from '../support/remote.ts'
import { eventually } from '../support/eventually.ts'
import { stage } from '../support/stage.ts'
import { commandLine, rookeryIn } from './command-line.ts'

const { server, ada, bob, peer } = await stage({
  accounts: ['ada', 'bob'],
  peers: ['peer'],
  fresh: true,
  env: { REGISTRATIONS_MODE: '' },
})
const { config } = server.ctx
const { env, rookery, done, audited, refused: refusedWith } = commandLine(server)
const refused = (says: RegExp, ...words: string[]): Promise<void> => refusedWith(null, says, ...words)
const statusOf = async (path: string): Promise<number> => (await ada.send('GET', path)).status

test('accounts: approve, suspend, follow, new keys, archives; each is audited', async () => {
  const waiting = await server.person('waiting', { approved: false } as object)
  assert.deepEqual(await done('accounts', 'approve', 'waiting', '--dry-run'), { count: 1, dry_run: true })
  assert.equal((await done('accounts', 'approve', 'waiting')).count, 1)
  assert.equal((await waiting.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
  await refused(/@ada does not wait for approval/, 'accounts', 'approve', 'ada')

  assert.equal((await done('accounts', 'follow', 'ada', '--dry-run')).count, 2)
  assert.equal((await done('accounts', 'follow', '@ada')).count, 2)
  assert.equal((await bob.get(`/api/v1/accounts/relationships?id[]=${ada.id}`))[0].following, true)
  const counts = async (command: string): Promise<number[]> => [
    (await done('accounts', command, 'ada', '--dry-run')).count,
    (await done('accounts', command, 'ada')).count,
    (await done('accounts', command, 'ada')).count,
  ]
  assert.deepEqual(await counts('follow'), [0, 0, 0], 'all follow already')
  assert.deepEqual(await counts('unfollow'), [2, 2, 0])
  await ada.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await counts('follow'), [1, 1, 0], 'without the account that is blocked')
  await ada.post(`/api/v1/accounts/${bob.id}/unblock`)
  assert.deepEqual(await counts('unfollow'), [1, 1, 0])
  assert.equal((await bob.get(`/api/v1/accounts/relationships?id[]=${ada.id}`))[0].following, false)

  assert.equal((await done('accounts', 'suspend', 'bob', '--dry-run')).dry_run, true)
  assert.equal(await statusOf(`/api/v1/accounts/${bob.id}`), 200)
  await done('accounts', 'suspend', 'bob', '--text', 'Spam')
  assert.equal(await statusOf(`/api/v1/accounts/${bob.id}`), 410)
  assert.match((await rookery('accounts', 'list')).out, /^bob .* suspended /m)
  await refused(/@bob is suspended already/, 'accounts', 'suspend', '@bob')
  assert.equal((await done('accounts', 'unsuspend', 'bob', '--dry-run')).count, 1)
  assert.equal((await done('accounts', 'unsuspend', 'bob')).count, 1)
  assert.equal((await done('accounts', 'unsuspend', 'bob')).count, 0)
  assert.equal((await done('accounts', 'unsuspend', 'bob', '--dry-run')).count, 0)
  assert.equal(await statusOf(`/api/v1/accounts/${bob.id}`), 200)

  const isMemorial = async (): Promise<unknown> => (await ada.get(`/api/v1/accounts/${bob.id}`)).memorial
  await done('accounts', 'memorialize', 'bob', '--dry-run')
  assert.equal(await isMemorial(), undefined)
  await done('accounts', 'memorialize', 'bob')
  assert.equal(await isMemorial(), true)
  assert.match((await rookery('accounts', 'list')).out, /^bob .* memorial /m)
  assert.equal((await done('accounts', 'memorialize', 'bob')).count, 0)
  assert.equal((await done('accounts', 'memorialize', 'bob', '--dry-run')).count, 0)
  await done('accounts', 'memorialize', 'bob', '--undo')
  assert.equal(await isMemorial(), undefined)

  const keyOf = async (): Promise<string> =>
    (await server.send('GET', '/users/ada', { headers: { accept: 'application/activity+json' } })).json.publicKey
      .publicKeyPem
  const before = await keyOf()
  assert.equal((await done('accounts', 'rotate-keys', 'all', '--dry-run')).count, 3)
  await refused(/no account named nobody/, 'accounts', 'rotate-keys', 'nobody', '--dry-run')
  assert.equal(await keyOf(), before)
  assert.equal((await done('accounts', 'rotate-keys', 'ada')).count, 1)
  assert.notEqual(await keyOf(), before)
  const mona = await peer.actor('mona')
  const follow = { type: 'Follow', id: `${peer.url}/f1`, actor: mona.uri, object: `${config.baseUrl}/users/ada` }
  assert.equal(await peer.send(server, mona, follow), 202)
  await server.drain()
  for (const command of [
    ['accounts', 'rotate-keys'],
    ['accounts', 'backup'],
    ['feeds', 'build'],
  ])
    await refused(/no account named mona@/, ...command, `mona@${peer.domain}`)

  assert.equal((await done('accounts', 'backup', 'ada')).count, 1)
  await done('accounts', 'modify', 'bob', '--role', 'moderator', '--disable-2fa')
  await server.ctx.db.run(sql`insert into roles (name, position, permissions) values ('Event Team', 3, 0)`)
  assert.equal((await done('accounts', 'modify', 'bob', '--role', 'event TEAM')).role, 'event team')
  await refused(/There are: Owner, Admin, Moderator, Event Team, user/, 'accounts', 'modify', 'bob', '--role', 'king')
  await refused(/7 days/, 'accounts', 'backup', 'ada')
  await refused(/no account named nobody/, 'accounts', 'suspend', 'nobody')
  const entries = await audited()
  for (const entry of [
    'account approve @waiting',
    'command run accounts follow',
    'account suspend @bob',
    'account memorialize @bob',
    'account unsuspend @bob',
    'account update @ada',
    'account change_role @bob',
    'account disable_2fa @bob',
    'command run accounts backup',
  ])
    assert.ok(entries.includes(entry), `${entry} in ${entries.join(', ')}`)
})

test('other servers: refresh, cull, prune, block, unblock, purge, stats, crawl', async () => {
  const { id: goneId } = await server.ctx.db.one<{ id: string }>(
    sql`select ${await remoteAccount(server, 'gone', peer.domain, { uri: `${peer.url}/users/gone` })}::text as id`,
  )
  await remoteAccount(server, 'still', '127.0.0.1:1', { uri: 'http://127.0.0.1:1/users/still' })
  const silent = await done('accounts', 'cull', '127.0.0.1:1')
  assert.deepEqual([silent.count, silent.unreachable, silent.servers], [0, 1, ['127.0.0.1:1']])
  assert.match((await rookery('accounts', 'cull', '127.0.0.1:1')).out, /127\.0\.0\.1:1/)
  const loner = await remoteAccount(server, 'loner', 'far.test', { fetched_at: new Date(0) })
  assert.equal((await done('accounts', 'refresh', peer.domain, '--dry-run')).count, 2)
  assert.equal((await done('accounts', 'refresh', `mona@${peer.domain}`)).count, 1)
  await server.ctx.db.run(sql`update accounts set fetched_at = '2001-01-01' where domain = ${peer.domain}`)
  assert.equal((await done('accounts', 'refresh', peer.domain)).count, 2)
  await server.drain()
  const { rows } = await server.database.raw(
    `select username from accounts where fetched_at > '2002-01-01' and domain = $1`,
    [peer.domain],
  )
  assert.ok(rows.some(({ username }) => username === 'mona'))
  for (const own of [`ada@${config.localDomain}`, config.localDomain])
    await refused(/names no account of another server/, 'media', 'refresh', own)
  await server.ctx.db.run(sql`update accounts set fetched_at = '2001-01-01' where domain = ${peer.domain}`)
  for (const name of ['ada', '@ada'])
    await refused(
      /names no account of another server.*ada@example\.org, or a domain, or all/,
      'accounts',
      'refresh',
      name,
    )
  assert.equal((await done('media', 'refresh', `@mona@${peer.domain}`)).count, 1)
  await server.drain()
  await server.ctx.db.run(sql`update accounts set display_name = 'as stored' where domain = ${peer.domain}`)
  assert.equal((await done('accounts', 'cull', peer.domain, '--dry-run')).count, 1)
  assert.equal(await statusOf(`/api/v1/accounts/${goneId}`), 200)
  assert.equal((await done('accounts', 'cull', peer.domain)).count, 1)
  const [{ display_name: name }] = await ada.get(`/api/v1/accounts/search?q=mona@${peer.domain}`)
  assert.equal(name, 'as stored', 'an account that exists is not fetched anew')
  assert.equal(await statusOf(`/api/v1/accounts/${goneId}`), 404)
  assert.equal((await done('accounts', 'prune', '--days', '3', '--dry-run')).count, 1)
  assert.equal((await done('accounts', 'prune', '--days', '3')).count, 1)
  assert.equal(await statusOf(`/api/v1/accounts/${loner}`), 404)

  const dry = await done('domains', 'block', peer.domain, '--dry-run')
  assert.deepEqual([dry.dry_run, dry.effects.accounts, dry.effects.followers], [true, 1, 1])
  const silence = ['domains', 'block', peer.domain, '--severity', 'silence']
  assert.match((await rookery(...silence, '--dry-run')).out, /^Would affect 1 server\. .*Follows lost: 0 .* 0 /)
  await done(...silence, '--comment', 'noisy')
  for (const more of [[], ['--dry-run']])
    await refused(/blocked already/, 'domains', 'block', peer.domain, '--severity', 'silence', ...more)
  await done('domains', 'unblock', peer.domain)
  await refused(/is not blocked/, 'domains', 'unblock', peer.domain)
  await refused(/must be one of suspend|must be one of noop/, 'domains', 'block', peer.domain, '--severity', 'hard')
  await refused(/not a domain/, 'domains', 'block', 'a b')
  await refused(/omain/, 'domains', 'block', config.localDomain)
  await server.ctx.db.run(sql`insert into peers (domain) values (${peer.domain}) on conflict do nothing`)
  assert.ok((await done('domains', 'stats')).some(({ domain }: any) => domain === peer.domain))
  await refused(/from 1 to/, 'domains', 'stats', '--limit', '0')
  await refused(/--days/, 'accounts', 'prune', '--days', 'many')
  await refused(/extra/, 'domains', 'crawl', 'extra')
  await refused(/--limit/, 'domains', 'stats', '--limit')
  const known = (await done('domains', 'stats')).length
  assert.deepEqual(await done('domains', 'crawl', '--dry-run'), { count: known, dry_run: true })
  await server.ctx.db.run(sql`update peers set software = 'rooksoft' where domain = ${peer.domain}`)
  const crawled = await done('domains', 'crawl')
  assert.equal(crawled.count, known)
  await remoteAccount(server, 'other', 'other.test')
  const beneath = await remoteAccount(server, 'beneath', 'sub.other.test')
  await server.ctx.db.run(
    sql`insert into follows (id, account_id, target_account_id) values (${newId()}, ${bob.id}, ${beneath})`,
  )
  await server.ctx.db.run(
    sql`insert into peers (domain) values ('other.test'), ('sub.other.test') on conflict do nothing`,
  )
  const both = [peer.domain, 'other.test', peer.domain]
  await refused(/--yes/, 'domains', 'purge', ...both)
  const planned = await done('domains', 'purge', ...both, '--dry-run')
  assert.deepEqual(
    [planned.dry_run, planned.count, planned.accounts, planned.domains],
    [true, 2, 2, [peer.domain, 'other.test']],
  )
  await refused(/nowhere\.test is not known here/, 'domains', 'purge', ...both, 'nowhere.test', '--yes')
  assert.equal((await done('domains', 'purge', ...both, '--yes')).accounts, 2)
  await server.drain()
  await server.database.raw(`update pgboss.job set start_after = now() where name = 'moderation.purge-domain'`)
  await server.drain()
  assert.ok(
    !(await done('domains', 'stats')).some(({ domain, accounts }: any) => both.includes(domain) && accounts > 0),
  )
  const [{ following }] = await bob.get(`/api/v1/accounts/relationships?id[]=${beneath}`)
  assert.equal(following, true, 'the server of a subdomain stays')
  await server.ctx.db.run(sql`delete from follows where target_account_id = ${beneath}`)
  await server.ctx.db.run(sql`delete from peers where domain like '%other.test'`)
  for (const option of ['--yes', '--dry-run'])
    await refused(/nowhere\.test is not known here/, 'domains', 'purge', 'nowhere.test', option)
  const entries = await audited()
  for (const entry of [`domain_block create ${peer.domain}`, `server purge ${peer.domain}`, 'server purge other.test'])
    assert.ok(entries.includes(entry), entries.join(', '))
})

test('media, feeds, search, posts, counters, settings and statistics', async () => {
  const id = newId()
  const key = newFileKey('cache/avatars', id, 'original', 'webp')
  const orphan = newFileKey('media', id, 'original', 'webp')
  await server.ctx.files.put(key, Buffer.alloc(2000), 'image/webp')
  await server.ctx.files.put(orphan, Buffer.alloc(10), 'image/webp')
  await server.ctx.db.run(sql`update cached_files set used_at = now() - interval '9 days'`)
  assert.equal((await done('media', 'usage')).cache.bytes, 2000)
  assert.deepEqual(await done('media', 'remove', '--days', '8', '--dry-run'), { count: 1, dry_run: true, bytes: 2000 })
  const { out } = await rookery('media', 'remove', '--days', '8', '--dry-run')
  assert.equal(out, 'Would affect 1 file, 2.0 kB. Nothing was changed.')
  const favourite = await ada.post('/api/v1/statuses', { status: 'a favourite' })
  await ada.post(`/api/v1/statuses/${favourite.id}/favourite`)
  const other = await ada.post('/api/v1/statuses', { status: 'none' })
  for (const status of [favourite, other]) {
    const attachment = newId()
    await server.ctx.files.put(
      newFileKey('cache/media', attachment, 'original', 'webp'),
      Buffer.alloc(100),
      'image/webp',
    )
    await server.ctx.db.run(sql`
      insert into media_attachments (id, account_id, status_id, type) values (${attachment}, ${ada.id}, ${status.id}, 'image')`)
  }
  await server.ctx.db.run(sql`update cached_files set used_at = now() - interval '9 days'`)
  const keeping = ['media', 'remove', '--days', '8', '--keep-interacted']
  assert.deepEqual(await done(...keeping, '--dry-run'), { count: 2, dry_run: true, bytes: 2100 })
  assert.deepEqual((await done(...keeping)).bytes, 2100)
  await server.ctx.db.run(sql`update cached_files set used_at = now() - interval '9 days'`)
  assert.equal((await done('media', 'remove', '--days', '8')).bytes, 100)
  for (const { id: statusId } of [favourite, other]) await ada.send('DELETE', `/api/v1/statuses/${statusId}`)
  await server.drain()
  const named = newFileKey('avatars', ada.id, 'original', 'webp')
  await server.ctx.files.put(named, Buffer.alloc(10), 'image/webp')
  await server.ctx.db.run(sql`update accounts set avatar_key = ${named} where id = ${ada.id}`)
  assert.equal((await done('media', 'remove-orphans')).count, 0, 'new files may have no row yet')
  const lastWeek = new Date(Date.now() - 7 * 86_400_000)
  for (const old of [orphan, named]) await utimes(join(config.dataDir, 'files', old), lastWeek, lastWeek)
  assert.equal((await done('media', 'remove-orphans')).count, 1)
  assert.equal(await server.ctx.files.open(orphan), null)
  assert.notEqual(await server.ctx.files.open(named), null)

  const { id: statusId } = await ada.post('/api/v1/statuses', { status: 'a needle in the haystack' })
  await ada.get('/api/v1/timelines/home')
  await server.ctx.db.run(sql`delete from status_search`)
  assert.ok((await done('search', 'deploy')).count >= 1)
  const found = await ada.get('/api/v2/search?q=needle&type=statuses')
  assert.deepEqual(
    found.statuses.map((each: any) => each.id),
    [statusId],
  )
  await done('feeds', 'clear')
  assert.equal((await done('feeds', 'build', 'all', '--dry-run')).dry_run, true)
  assert.ok((await done('feeds', 'build', 'all')).count >= 2)
  await done('feeds', 'build', 'ada')
  assert.equal((await ada.get('/api/v1/timelines/home'))[0].id, statusId)

  await server.ctx.db.run(sql`update account_stats set statuses_count = 99 where account_id = ${ada.id}`)
  assert.equal((await done('cache', 'recount')).count, 1)
  assert.equal((await ada.get(`/api/v1/accounts/${ada.id}`)).statuses_count, 1)
  assert.equal((await done('cache', 'recount')).count, 0)
  await done('cache', 'clear')
  assert.equal((await done('statuses', 'remove', '--dry-run')).count, 0)
  assert.ok((await done('maintenance', 'reindex', '--dry-run')).count > 50)
  // Leaves an invalid index, as an interrupted run does.
  await assert.rejects(server.database.raw('create unique index concurrently leftover_ccnew on accounts ((true))'))
  const reader = await server.database.dedicated()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select 1')
  const reindexing = done('maintenance', 'reindex')
  // The first run waits for the reader.
  await eventually(async () => {
    const { rows } = await server.database.raw(
      `select from pg_stat_activity where datname = current_database() and query like 'reindex%' and state = 'active'`,
    )
    return rows.length === 1
  })
  await refused(/rebuilt already by another run/, 'maintenance', 'reindex')
  await reader.end()
  const { count: tables } = await reindexing
  const { rows: invalid } = await server.database.raw('select from pg_index where not indisvalid')
  assert.deepEqual([tables > 50, invalid.length], [true, 0])
  const closed = { ...env, REGISTRATIONS_MODE: 'none' }
  for (const words of [
    ['registrations', 'open'],
    ['set', 'registrations_mode', 'open'],
  ]) {
    const { status, err } = await rookeryIn(closed, 'settings', ...words)
    assert.deepEqual([status, /REGISTRATIONS_MODE/.test(err)], [1, true], err)
  }
  await refused(/open, close, approved/, 'settings', 'registrations', 'ajar')
  assert.deepEqual(await done('settings', 'set', 'min_age', '16'), { min_age: 16 })
  assert.equal((await server.send('GET', '/api/v2/instance')).json.registrations.min_age, 16)
  await refused(/min_age must be a number from 1 to 120, or none/, 'settings', 'set', 'min_age', 'old')
  await refused(/from 1 to 3650\n/, 'settings', 'set', 'backups_retention_period', 'none')
  assert.deepEqual(await done('settings', 'set', 'min_age', 'none'), { min_age: null })
  await server.ctx.db.run(sql`
    insert into host_budgets (host, hour, requests, caused, accounts, refused) values ('busy.test', date_trunc('hour', now()), 4, 3, 2, 1)`)
  assert.match((await rookery('federation', 'budgets')).out, /busy\.test: +4 \D+3 \D+2 \D+1 /)
  await refused(/--before/, 'accounts', 'list', '--before', 'ada')
  assert.deepEqual(await done('settings', 'registrations', 'close'), { registrations_mode: 'none' })
  assert.equal((await server.send('GET', '/api/v2/instance')).json.registrations.enabled, false)
  assert.deepEqual(await done('settings', 'set', 'media_cache_max_bytes', '5 GB'), { media_cache_max_bytes: 5e9 })
  await refused(/must be a size such as "5 GB", or none/, 'settings', 'set', 'media_cache_max_bytes', 'much')
  await refused(/all, users, disabled/, 'settings', 'set', 'show_domain_blocks', 'some')
  await refused(/rookery: .*blank/, 'settings', 'set', 'site_title', '')
  await refused(/ has invalid entries: xx, b!\n/, 'settings', 'set', 'languages', 'en xx b!')
  await refused(/rookery: .*exist/, 'settings', 'set', 'site_contact_username', 'nobody')
  assert.deepEqual(await done('settings', 'set', 'trends', 'off'), { trends: false })
  assert.deepEqual(await done('settings', 'set', 'set_up', 'yes'), { set_up: true })
  assert.ok((await done('statistics')).users >= 2)
})

test('self-destruct needs the name of the domain, and tells other servers', async () => {
  const nora = await peer.actor('nora')
  const follow = { type: 'Follow', id: `${peer.url}/f2`, actor: nora.uri, object: `${config.baseUrl}/users/ada` }
  assert.equal(await peer.send(server, nora, follow), 202)
  await server.drain()
  assert.equal((await done('self-destruct', '--dry-run')).dry_run, true)
  const { out } = await rookery('self-destruct', '--dry-run')
  assert.match(out, /deletes 3 accounts with all posts for good, and tells 1 server\.\nNothing was changed\.$/m)
  await refused(/was not typed/, 'self-destruct')
  await refused(/was not typed/, 'self-destruct', '--confirm', 'other.example')
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 200)
  const { count } = await done('self-destruct', '--confirm', config.localDomain)
  assert.equal(count, 3)
  assert.equal((await ada.send('GET', '/api/v1/accounts/verify_credentials')).status, 401)
  await server.drain()
  assert.ok(peer.received.some(({ type, actor }: any) => type === 'Delete' && actor.endsWith('/users/ada')))
})

test('accounts migrate moves an account, and sends its move again', async () => {
  const hal = await server.person('hal')
  const home = `${config.baseUrl}/users/hal`
  const next = await peer.actor('next', { alsoKnownAs: [home] })
  const fan = await peer.actor('fan')
  const follow = { type: 'Follow', id: `${peer.url}/follows/hal`, actor: fan.uri, object: home }
  assert.equal(await peer.send(server, fan, follow), 202)
  await server.drain()
  const moves = async (): Promise<number> => {
    await server.drain()
    return peer.received.filter(({ type, object, target }) => type === 'Move' && object === home && target === next.uri)
      .length
  }
  assert.equal((await done('accounts', 'migrate', 'hal', '--replay')).count, 0)
  await refused(/as an alias/, 'accounts', 'migrate', 'hal', '--target', `@fan@${peer.domain}`)
  assert.equal(await moves(), 0)
  assert.equal((await done('accounts', 'migrate', 'hal', '--target', `next@${peer.domain}`)).count, 1)
  assert.equal((await hal.get('/api/v1/accounts/verify_credentials')).moved.uri, next.uri)
  const sent = await moves()
  assert.ok(sent > 0)
  assert.ok(
    peer.received.some(({ type, object }) => type === 'Update' && object.id === home && object.movedTo === next.uri),
  )
  assert.equal((await done('accounts', 'migrate', 'hal', '--replay')).count, 1)
  assert.equal(await moves(), 2 * sent)
  await refused(/has moved|moved already/i, 'accounts', 'migrate', 'hal', '--target', `next@${peer.domain}`)
})

test('accounts merge: what belonged to one account of a person belongs to the other', async () => {
  const [cleo, dan, eli, fay, gil] = [
    await server.person('cleo'),
    await server.person('dan'),
    await server.person('eli'),
    await server.person('fay'),
    await server.person('gil'),
  ]
  const [former, live] = [await peer.actor('former'), await peer.actor('live')]
  const idOf = async ({ uri }: { uri: string }): Promise<string> =>
    (await eli.get(`/api/v2/search?q=${encodeURIComponent(uri)}&resolve=true&type=accounts`)).accounts[0].id
  const [formerId, liveId] = [await idOf(former), await idOf(live)]
  let sent = 0
  const send = async (actor: typeof former, activity: object): Promise<void> => {
    const id = `${peer.url}/merge/${++sent}`
    assert.equal(await peer.send(server, actor, { id, actor: actor.uri, ...activity }), 202)
    await server.drain()
  }
  const follow = async (person: typeof cleo, actor: typeof former, id: string): Promise<void> => {
    await person.post(`/api/v1/accounts/${id}/follow`)
    await server.drain()
    const object = peer.received.findLast((activity) => activity.type === 'Follow' && activity.object === actor.uri)
    await send(actor, { type: 'Accept', object })
  }
  await follow(cleo, former, formerId)
  await follow(dan, former, formerId)
  await follow(dan, live, liveId)
  await follow(fay, former, formerId)
  await fay.post(`/api/v1/accounts/${liveId}/block`)
  await follow(eli, live, liveId)
  await eli.post(`/api/v1/accounts/${formerId}/block`)
  await follow(gil, live, liveId)
  await send(former, { type: 'Block', object: `${config.baseUrl}/users/gil` })
  await dan.post(`/api/v1/accounts/${liveId}/note`, { comment: 'Newer' })
  await cleo.post(`/api/v1/accounts/${formerId}/note`, { comment: 'An old friend' })
  const list = await cleo.post('/api/v1/lists', { title: 'Friends' })
  await cleo.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [formerId] })
  const post = await dan.post('/api/v1/statuses', { status: 'popular' })
  for (const actor of [former, live]) {
    await send(actor, { type: 'Announce', to: ['as:Public'], object: post.uri })
    await send(actor, { type: 'Follow', object: `${config.baseUrl}/users/dan` })
  }
  await send(former, { type: 'Like', object: post.uri })
  const note = peer.create(former, { content: '<p>from before</p>' })
  await send(former, note)
  const direct = { to: [`${config.baseUrl}/users/cleo`], cc: [], content: '<p>psst</p>' }
  await send(former, peer.create(former, direct))

  const [from, to] = [`@former@${peer.domain}`, `live@${peer.domain}`]
  await refused(/no key in common/, 'accounts', 'merge', from, to)
  await refused(/one account/, 'accounts', 'merge', to, to)
  await refused(/no account of another server/, 'accounts', 'merge', 'dan', to)
  assert.equal((await done('accounts', 'merge', from, to, '--force', '--dry-run')).dry_run, true)
  assert.equal((await dan.send('GET', `/api/v1/accounts/${formerId}`)).status, 200)
  await server.drain()
  peer.received.length = 0
  await done('accounts', 'merge', from, to, '--force')
  await server.drain()

  assert.equal((await dan.send('GET', `/api/v1/accounts/${formerId}`)).status, 404)
  const relationship = async (person: typeof cleo): Promise<any> =>
    (await person.get(`/api/v1/accounts/relationships?id[]=${liveId}`))[0]
  const people = [cleo, dan, fay, eli, gil]
  const seen = await Promise.all(people.map(relationship))
  assert.deepEqual(
    seen.map(({ following, blocking }) => [following, blocking]),
    [
      [true, false],
      [true, false],
      [false, true],
      [false, true],
      [false, false],
    ],
  )
  assert.equal(seen[4].blocked_by, true)
  assert.deepEqual([seen[0].note, seen[1].note], ['An old friend', 'Newer'])
  const counts = await Promise.all(people.map((person) => person.get(`/api/v1/accounts/${person.id}`)))
  assert.deepEqual(
    counts.map(({ following_count }) => following_count),
    [1, 1, 0, 0, 0],
  )
  assert.equal(counts[1].followers_count, 1)
  const members = await cleo.get(`/api/v1/lists/${list.id}/accounts`)
  assert.deepEqual(
    members.map(({ id }: any) => id),
    [liveId],
  )
  const { reblogs_count: reblogs, favourites_count: favourites } = await dan.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([reblogs, favourites], [1, 1])
  const [likedBy] = await dan.get(`/api/v1/statuses/${post.id}/favourited_by`)
  assert.equal(likedBy.id, liveId)
  const home = await cleo.get('/api/v1/timelines/home')
  assert.ok(home.some(({ uri, account }: any) => uri === note.object.id && account.id === liveId))
  const [conversation] = await cleo.get('/api/v1/conversations')
  assert.deepEqual([conversation.accounts[0].id, conversation.accounts.length], [liveId, 1])
  // The server of the live account learns of the follows and blocks that are new to it.
  const activities = peer.received.map(({ type, actor }) => `${type} ${String(actor).split('/').at(-1)}`)
  assert.deepEqual(activities.filter((line) => /^(?:Follow|Block)/.test(line)).toSorted(), ['Block eli', 'Follow cleo'])
})
