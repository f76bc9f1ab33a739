import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp, enqueueNodeInfo } from '../support/acts.ts'
import { sql } from '../support/database.ts'
import { type Answer } from '../support/server.ts'
import { stage } from '../support/stage.ts'
import { follow, home, post, storedHome } from '../support/timelines.ts'

const { server, ada } = await stage({ accounts: ['ada'] })

const count = async (table: string): Promise<number> =>
  Number((await server.database.raw(`select count(*) from ${table}`)).rows[0].count)

test('media without a post are deleted after a day, with their files', async () => {
  const store = async (id: string, age: string, statusId: string | null): Promise<void> => {
    await server.ctx.files.put(`media/${id}/file.png`, Buffer.from('x'), 'image/png')
    await server.ctx.files.put(`media/${id}/small.png`, Buffer.from('x'), 'image/png')
    await server.database.raw(
      `insert into media_attachments (id, account_id, status_id, file_key, preview_key, created_at) values ($1, $2, $3, $4, $5, now() - $6::interval)`,
      [id, ada.id, statusId, `media/${id}/file.png`, `media/${id}/small.png`, age],
    )
  }
  await store('1', '25 hours', null)
  await store('2', '23 hours', null)
  await store('3', '30 days', await post(ada, 'with a picture'))
  await cleanUp(server.ctx)
  const rows = await server.ctx.db.many<{ id: string }>(sql`select id from media_attachments order by id`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['2', '3'],
  )
  const isThere = async (key: string): Promise<boolean> => (await server.ctx.files.open(key)) !== null
  assert.deepEqual(
    await Promise.all(['1/file', '1/small', '2/file', '3/small'].map((name) => isThere(`media/${name}.png`))),
    [false, false, true, true],
  )
})

test('expired keys, activities, tokens and mutes are deleted; current ones and tombstones stay', async () => {
  await server.database.raw(`
    insert into idempotency_keys (account_id, key, created_at) values (${ada.id}, 'old', now() - interval '61 minutes'), (${ada.id}, 'new', now() - interval '59 minutes');
    insert into inbox_activities (digest, actor_uri, received_at) values ('1', '', now() - interval '31 days'), ('2', '', now() - interval '29 days');
    insert into outbox_activities (id, account_id, body, created_at) values (1, ${ada.id}, '{}', now() - interval '8 days'), (2, ${ada.id}, '{}', now() - interval '6 days');
    insert into one_time_tokens (digest, purpose, expires_at) values ('old', 'password', now() - interval '1 second'), ('new', 'password', now() + interval '1 hour');
    insert into tombstones (uri, created_at) values ('https://a.test/3', now() - interval '5 years')`)
  const bob = await server.person('bob')
  const cleo = await server.person('cleo')
  await server.ctx.db.run(sql`
    insert into mutes (account_id, target_account_id, expires_at) values (${ada.id}, ${bob.id}, now() - interval '1 second'), (${ada.id}, ${cleo.id}, now() + interval '1 hour')`)
  await cleanUp(server.ctx)
  for (const table of [
    'idempotency_keys',
    'inbox_activities',
    'outbox_activities',
    'one_time_tokens',
    'tombstones',
    'mutes',
  ])
    assert.equal(await count(table), 1, table)
})

test('unused applications are deleted after a day', async () => {
  const register = async (name: string): Promise<Record<string, string>> => {
    const json = { client_name: name, redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }
    return (await server.send('POST', '/api/v1/apps', { json })).json
  }
  const clientToken = (app: Record<string, string>): Promise<Answer> => {
    const json = { grant_type: 'client_credentials', client_id: app.client_id, client_secret: app.client_secret }
    return server.send('POST', '/oauth/token', { json })
  }
  const names = ['never used', 'new', 'with a token', 'with a code', 'with a post', 'that signed somebody up']
  const [unused, fresh, ...used] = await Promise.all(names.map(register))
  const apps = [unused, fresh, ...used] as Record<string, string>[]
  const [, , , coded, posted, joined] = apps.map(({ id }) => id) as string[]
  assert.equal((await clientToken(used[0] as Record<string, string>)).status, 200)
  await server.ctx.db.run(sql`
    insert into oauth_grants (digest, app_id, user_id, redirect_uri, scopes, expires_at)
    values ('code', ${coded}, ${ada.userId}, '', '{read}', now())`)
  await server.ctx.db.run(sql`update statuses set app_id = ${posted} where id = ${await post(ada, 'made with it')}`)
  await server.ctx.db.run(sql`update users set created_by_app_id = ${joined} where id = ${ada.userId}`)
  await server.ctx.db.run(
    sql`update oauth_apps set created_at = now() - interval '25 hours' where id <> ${(fresh as { id: string }).id}`,
  )
  await cleanUp(server.ctx)
  const statuses = await Promise.all(apps.map(async (app) => (await clientToken(app)).status))
  assert.deepEqual(statuses, [401, 200, 200, 200, 200, 200])
})

test('a user who lets the confirmation links expire is deleted, and the name and the address are free again', async () => {
  const appToken = await server.token({ scopes: ['read', 'write'] })
  const register = (username: string): Promise<Answer> => {
    const json = { username, email: `${username}@mail.test`, password: 'correct horse battery', agreement: true }
    return server.send('POST', '/api/v1/accounts', { token: appToken, json })
  }
  const tokenOf = async (username: string): Promise<string> => (await register(username)).json.access_token
  const checks = (token: string): Promise<Answer> => server.send('GET', '/api/v1/emails/check_confirmation', { token })
  const [gone, asked, late, suspended, confirmed, recent] = [
    await tokenOf('gone'),
    await tokenOf('asked'),
    await tokenOf('late'),
    await tokenOf('suspended'),
    await tokenOf('confirmed'),
    await tokenOf('recent'),
  ]
  await server.database.raw(`
    update users set created_at = now() - interval '15 days' where email in ('gone@mail.test', 'asked@mail.test', 'suspended@mail.test', 'confirmed@mail.test');
    update users set created_at = now() - interval '13 days' where email = 'late@mail.test';
    update users set confirmed_at = now() where email = 'confirmed@mail.test';
    update accounts set suspended_at = now() where username = 'suspended';
    update one_time_tokens set expires_at = now() - interval '1 second'`)
  const link = await server.send('POST', '/api/v1/emails/confirmations', { token: asked })
  assert.equal(link.status, 200, 'a user who requested another link has a week again')
  await cleanUp(server.ctx)
  const tokens = [gone, asked, late, confirmed, recent]
  const statuses = await Promise.all(tokens.map(async (token) => (await checks(token)).status))
  assert.deepEqual(statuses, [401, 200, 200, 200, 200])
  assert.equal((await checks(suspended)).status, 403, 'what moderators decided stays')
  const again = await Promise.all(['asked', 'late', 'suspended', 'confirmed'].map(register))
  assert.deepEqual(
    again.map(({ status }) => status),
    [422, 422, 422, 422],
  )
  assert.equal((await register('gone')).status, 200)
})

test('the IP addresses of sign-ups, sign-ins and applications are deleted after a year', async () => {
  const boss = await server.person('boss', { role: 'owner' })
  const [old, young] = [await server.person('old'), await server.person('young')]
  await server.database.raw(`
    update users set sign_up_ip = '192.0.2.1', created_at = now() - interval '366 days' where id = ${old.userId};
    update users set sign_up_ip = '192.0.2.2', created_at = now() - interval '364 days' where id = ${young.userId};
    update oauth_tokens set last_used_ip = '192.0.2.3', last_used_at = now() - interval '366 days' where user_id = ${old.userId};
    update oauth_tokens set last_used_ip = '192.0.2.4', last_used_at = now() - interval '364 days' where user_id = ${young.userId}`)
  for (const [{ userId }, ip, days] of [
    [old, '192.0.2.5', 366],
    [young, '192.0.2.6', 364],
  ] as const)
    await server.database.raw(
      `insert into login_activities (user_id, method, success, ip, created_at)
       values ($1, 'password', true, $2, now() - make_interval(days => $3::int))`,
      [userId, ip, days],
    )
  await cleanUp(server.ctx)
  const { rows } = await server.database.raw('select host(ip) as ip from login_activities')
  assert.deepEqual(rows, [{ ip: '192.0.2.6' }])
  const addresses = async (id: string): Promise<string[]> =>
    (await boss.get(`/api/v1/admin/accounts/${id}`)).ips.map(({ ip }: any) => ip)
  assert.deepEqual(await addresses(old.id), [])
  assert.deepEqual((await addresses(young.id)).toSorted(), ['192.0.2.2', '192.0.2.4'])
})

test('a home feed that is not read for 30 days is deleted and rebuilt on the next read', async () => {
  const dan = await server.person('dan')
  const own = await post(dan, 'mine')
  assert.deepEqual(await home(dan), [own])
  await server.ctx.db.run(sql`update home_feeds set read_at = now() - interval '29 days' where account_id = ${dan.id}`)
  await cleanUp(server.ctx)
  assert.deepEqual(await storedHome(server, dan), [own])
  await server.ctx.db.run(sql`update home_feeds set read_at = now() - interval '31 days' where account_id = ${dan.id}`)
  await cleanUp(server.ctx)
  assert.deepEqual(await storedHome(server, dan), [])
  const unseen = await post(dan, 'to nobody’s feed')
  assert.deepEqual(await storedHome(server, dan), [])
  assert.deepEqual(await home(dan), [unseen, own])
})

test('the read time of a home feed changes at most once an hour, and clean-up trims the feed to 400 posts', async () => {
  const [eve, fay] = [await server.person('eve'), await server.person('fay')]
  await home(eve)
  await follow(server, eve, fay)
  await server.ctx.db.run(sql`
    with made as (
      insert into statuses (id, account_id, visibility, local, content) select 1000 + n, ${fay.id}, 'public', true, '' from generate_series(1, 810) n returning id, account_id)
    insert into home_feed (account_id, status_id, original_id, author_id) select ${eve.id}, id, id, account_id from made`)
  const readAt = async (): Promise<number> =>
    (
      await server.ctx.db.one<{ at: Date }>(sql`select read_at as at from home_feeds where account_id = ${eve.id}`)
    ).at.getTime()
  const first = await readAt()
  await home(eve)
  assert.equal(await readAt(), first)
  assert.equal((await storedHome(server, eve)).length, 810)
  // Some of the posts of the last hour have the feeds of followers cut: those whose ids are multiples of 256.
  await server.ctx.db.run(sql`
    insert into statuses (id, account_id, visibility, local, content)
    values ((extract(epoch from now()) * 1000)::bigint << 16, ${fay.id}, 'public', true, '')`)
  await cleanUp(server.ctx)
  const trimmed = await storedHome(server, eve)
  assert.deepEqual([trimmed.length, trimmed[0], trimmed.at(-1)], [400, '1810', '1411'])
  await server.ctx.db.run(
    sql`insert into home_feed (account_id, status_id, original_id, author_id) select ${eve.id}, n, n, ${fay.id} from generate_series(1, 20) n`,
  )
  await server.ctx.db.run(
    sql`update home_feeds set read_at = now() - interval '61 minutes' where account_id = ${eve.id}`,
  )
  await home(eve)
  assert.ok((await readAt()) > Date.now() - 60_000)
  assert.deepEqual(await storedHome(server, eve), trimmed)
})

test('the clean-up asks each server once, in one statement, even when it runs again before the jobs start', async () => {
  const domains = ['one.asked.test', 'two.asked.test', 'three.asked.test']
  for (const domain of domains) await server.database.raw('insert into peers (domain) values ($1)', [domain])
  await server.drain()
  let keys: string[] = []
  let statements = 0
  const attempt = server.ctx.transaction(async (tx) => {
    const before = server.database.statements
    await enqueueNodeInfo(tx)
    statements = server.database.statements - before
    await enqueueNodeInfo(tx)
    const rows = await tx.db.many<{ key: string }>(
      sql`select singleton_key as key from pgboss.job where name = 'federation.node-info' and singleton_key = any(${domains}::text[])`,
    )
    keys = rows.map(({ key }) => key)
    throw new Error('rolled back, so that no job starts')
  })
  await assert.rejects(attempt, /rolled back/)
  assert.deepEqual(keys.toSorted(), domains.toSorted())
  assert.ok(statements <= 3, `${statements} statements`)
})
