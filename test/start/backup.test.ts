// rookery backup and rookery restore: one archive that brings a server back, and archives that are refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { extract, pack } from 'tar-stream'
import { readConfig } from '../../src/config.ts'
import { applyMigrations, knownMigrations } from '../../src/db/migrate.ts'
import { offerTotp } from '../../src/domain/auth/totp.ts'
import { issueRecoveryCodes, useRecoveryCode } from '../../src/domain/auth/two-factor.ts'
import { createBackup } from '../../src/domain/backup/create.ts'
import { FILE_COLUMNS } from '../../src/domain/media/stored-files.ts'
import { openFileStore } from '../../src/files/open-store.ts'
import type { StoredFile } from '../../src/files/store.ts'
import { runCli } from '../../src/cli/run.ts'
import { createTestDatabase } from '../support/database.ts'
import { loseAnswer } from '../support/faults.ts'
import { uploadImage } from '../support/images.ts'
import { startObjectStorage } from '../support/object-storage.ts'
import { acquireServer } from '../support/server-pool.ts'
import { eventually } from '../support/server.ts'
import { stage } from '../support/stage.ts'

const { server, ada, bob, peer } = await stage({ accounts: ['ada', 'bob'], peers: ['peer'], fresh: true })
const folder = mkdtempSync(join(tmpdir(), 'rookery-backup-'))
const archive = join(folder, 'backup.tar')
after(() => rmSync(folder, { recursive: true, force: true }))

type Env = Record<string, string>
const { config } = server.ctx
const here: Env = {
  DATABASE_URL: config.databaseUrl as string,
  DATA_DIR: config.dataDir,
  LOCAL_DOMAIN: config.localDomain,
  SECRET_KEY_BASE: config.secretKeyBase as string,
}

async function rookery(env: Env, ...words: string[]): Promise<{ status: number; text: string }> {
  const lines = { out: '', err: '' }
  const write =
    (to: 'out' | 'err') =>
    (line: string): void =>
      void (lines[to] += `${line}\n`)
  const status = await runCli(words, { out: write('out'), err: write('err') }, env)
  return { status, text: status === 0 ? lines.out : lines.err }
}

const ids = async (path: string): Promise<string[]> => (await ada.get(path)).map(({ id }: any) => id)

test('an archive brings tokens, posts, keys, follows, media, second factors and waiting jobs to an empty server', async () => {
  const mona = await peer.actor('mona')
  assert.equal(
    await peer.send(server, mona, {
      type: 'Follow',
      id: `${peer.url}/f1`,
      actor: mona.uri,
      object: `${server.ctx.config.baseUrl}/users/ada`,
    }),
    202,
  )
  await ada.post(`/api/v1/accounts/${bob.id}/follow`)
  const mediaId = await uploadImage(ada)
  const status = await ada.post('/api/v1/statuses', {
    status: 'Tab\t, line\nend, back\\slash and 😀 #kept',
    media_ids: [mediaId],
  })
  const at = new Date(Date.now() + 3600_000).toISOString()
  const scheduled = await ada.post('/api/v1/statuses', { status: 'later', scheduled_at: at })
  await offerTotp(server.ctx, ada)
  await server.ctx.transaction((tx) =>
    tx.db.run({ strings: ['update totp_keys set confirmed_at = now()'], values: [] }),
  )
  const [code = ''] = await issueRecoveryCodes(server.ctx, ada.userId)
  await server.drain()

  // The first request of each person and token is recorded in the background, which must not happen after the archive.
  await bob.get('/api/v1/accounts/verify_credentials')
  await eventually(async () => {
    const { rows } = await server.database.raw(
      `select 1 from users where last_active_at is null union all select 1 from oauth_tokens where last_used_at is null`,
    )
    return rows.length === 0
  })

  // Several parts of one table.
  await server.database.raw(
    `insert into tombstones (uri) select i || repeat(md5(i::text), 64) from generate_series(1, 2200) i`,
  )

  // Posts appear while the archive is written.
  let writing = true
  const posting = (async () => {
    for (let i = 0; writing && i < 20; i++) await bob.post('/api/v1/statuses', { status: 'meanwhile' })
  })()
  const made = await rookery(here, 'backup', archive, '--media', '--json')
  writing = false
  await posting
  assert.equal(made.status, 0, made.text)
  const summary = JSON.parse(made.text)
  assert.ok(summary.tables.statuses >= 1 && summary.tables['pgboss.job'] >= 1 && summary.media.included >= 2)
  assert.equal(summary.tables.home_feed, undefined, 'derived tables are left out')
  assert.ok(readFileSync(archive).includes('tables/tombstones/000002.'))
  assert.equal(statSync(archive).mode & 0o777, 0o600)
  const again = await rookery(here, 'backup', archive)
  assert.deepEqual([again.status, /exists already/.test(again.text)], [1, true])
  const nowhere = await rookery(here, 'backup', join(archive, 'missing/a.tar'))
  assert.deepEqual([nowhere.status, /a\.tar cannot be written \(ENO/.test(nowhere.text)], [1, true], nowhere.text)
  assert.match((await rookery(here, 'restore', archive)).text, /has accounts or posts already/)

  const empty = await createTestDatabase()
  const dataDir = join(folder, 'data')
  const there: Env = {
    DATABASE_URL: empty.url,
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: config.localDomain,
    SECRET_KEY_BASE: '',
  }
  // A restore that was killed just before its commit leaves the archived key beside the database as it was.
  assert.equal((await rookery(there, 'settings', 'get', 'site_title')).status, 0)
  writeFileSync(join(dataDir, 'secret_key_base'), here.SECRET_KEY_BASE as string)
  const refused = await rookery(there, 'settings', 'get', 'site_title')
  assert.match(
    refused.text,
    /^[^\n]*not the secret key of this database[^\n]*restore was interrupted, run it again\.\n$/,
  )
  const dry = await rookery(there, 'restore', archive, '--dry-run')
  assert.deepEqual([dry.status, /is whole/.test(dry.text)], [0, true], dry.text)
  // The connection breaks after the commit, before its confirmation.
  const hasBroken = loseAnswer((text) => text.startsWith('truncate public.'))
  const restored = await rookery(there, 'restore', archive, '--json')
  assert.ok(hasBroken())
  assert.equal(restored.status, 0, restored.text)
  assert.deepEqual(JSON.parse(restored.text).tables, summary.tables)
  const contents = async (url: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // An archive does not know of itself.
    await client.query(`delete from settings where key = 'last_backup'`)
    const tables = [
      'accounts',
      'follows',
      'media_attachments',
      'oauth_tokens',
      'settings',
      'tombstones',
      'totp_keys',
      'users',
    ]
    const { rows } = await client.query(
      tables
        .map(
          (table) =>
            `select '${table}' as name, count(*), md5(string_agg(t::text, ',' order by t::text)) from ${table} t`,
        )
        .join(' union all '),
    )
    await client.end()
    return rows
  }
  assert.deepEqual(await contents(empty.url), await contents(here.DATABASE_URL as string))
  assert.equal(statSync(join(dataDir, 'secret_key_base')).mode & 0o777, 0o600)

  const before = {
    follows: await ids(`/api/v1/accounts/${ada.id}/following`),
    followers: await ids(`/api/v1/accounts/${ada.id}/followers`),
    scheduled: (await ada.get('/api/v1/scheduled_statuses')).map((each: any) => each.id),
    actor: (await server.send('GET', '/users/ada', { headers: { accept: 'application/activity+json' } })).json,
  }
  assert.deepEqual([before.follows.length, before.followers.length, before.scheduled], [1, 1, [scheduled.id]])
  const { server: copy, release } = await acquireServer({ ...there, SECRET_KEY_BASE: '' }, true)
  try {
    const get = async (path: string, headers: Env = { authorization: `Bearer ${ada.token}` }): Promise<any> => {
      const answer = await fetch(`http://127.0.0.1:${copy.ctx.config.port}${path}`, { headers })
      assert.equal(answer.status, 200, path)
      return answer.json()
    }
    assert.equal((await get('/api/v1/accounts/verify_credentials')).id, ada.id)
    const restored = await get(`/api/v1/statuses/${status.id}`)
    assert.equal(restored.content, status.content)
    assert.deepEqual(
      (await get('/api/v1/timelines/home')).some(({ id }: any) => id === status.id),
      true,
      'home feeds are rebuilt',
    )
    const listed = async (path: string): Promise<string[]> => (await get(path)).map(({ id }: any) => id)
    assert.deepEqual(await listed(`/api/v1/accounts/${ada.id}/following`), before.follows)
    assert.deepEqual(await listed(`/api/v1/accounts/${ada.id}/followers`), before.followers)
    assert.deepEqual(await listed('/api/v1/scheduled_statuses'), before.scheduled)
    const { rows } = await copy.database.raw(`select start_after from pgboss.job where name = 'statuses.publish'`)
    assert.equal(rows[0].start_after.toISOString(), at)
    const actor = await get('/users/ada', { accept: 'application/activity+json' })
    assert.equal(actor.publicKey.publicKeyPem, before.actor.publicKey.publicKeyPem)
    const [image] = restored.media_attachments
    for (const url of [image.url, image.preview_url]) {
      const [original, copied] = await Promise.all(
        [config.port, copy.ctx.config.port].map(async (port) =>
          Buffer.from(await (await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`)).arrayBuffer()),
        ),
      )
      assert.ok(original?.length && copied?.equals(original))
    }
    assert.equal(await useRecoveryCode(copy.ctx, ada.userId, code), true)
    const answer = await fetch(`http://127.0.0.1:${copy.ctx.config.port}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'after' }),
    })
    assert.equal(answer.status, 200, 'sequences go on')
  } finally {
    await release()
    await empty.drop()
  }
})

test('a backup waits for a lock although the database limits how long statements do, until its connection ends', async () => {
  const client = new pg.Client({ connectionString: config.databaseUrl as string })
  await client.connect()
  const database = client.escapeIdentifier(client.database as string)
  await client.query(`alter database ${database} set lock_timeout = '1ms'`)
  await client.query('begin')
  await client.query('lock table tombstones in access exclusive mode')
  const waitingFor = (what: string): Promise<pg.QueryResult> =>
    client.query(`select ${what} from pg_locks where relation = 'tombstones'::regclass and not granted`)
  const begin = async (file: string): Promise<{ done: ReturnType<typeof rookery> }> => {
    const done = rookery(here, 'backup', join(folder, file))
    await eventually(async () => (await waitingFor('')).rowCount === 1 || Promise.race([done, false]))
    return { done }
  }
  const broken = await begin('broken.tar')
  await waitingFor('pg_terminate_backend(pid)')
  const outage = await broken.done
  assert.deepEqual([outage.status, readdirSync(folder).filter((name) => name.startsWith('broken'))], [1, []])
  assert.match(outage.text, /^rookery: There was a temporary problem [^\n]* \(terminating connection [^\n]*\)\n$/)
  const { done: waiting } = await begin('waited.tar')
  await client.query('commit')
  const { status, text } = await waiting
  await client.query(`alter database ${database} reset lock_timeout`)
  await client.end()
  assert.equal(status, 0, text)
})

test('a backup lists a file as missing that is deleted while the archive is written', async () => {
  const bucket = await startObjectStorage()
  const media = await ada.get(`/api/v1/media/${await uploadImage(ada)}`)
  const deleted = new URL(media.preview_url).pathname.replace('/files/', '')
  const disk = openFileStore(config)
  const s3 = openFileStore(readConfig({ ...here, ...bucket.env }))
  const original = new URL(media.url).pathname.replace('/files/', '')
  for (const key of [deleted, original])
    await s3.put(key, readFileSync(join(config.dataDir, 'files', key)), 'image/webp')
  for (const [name, store] of Object.entries({ s3, disk })) {
    const file = join(folder, `${name}.tar`)
    const open = async (key: string): Promise<StoredFile | null> => {
      const found = await store.open(key)
      if (key === deleted) await store.delete([key])
      return found
    }
    await createBackup(server.database, file, { config, files: { ...store, open }, withMedia: true })
    assert.match((await rookery(here, 'restore', file, '--dry-run')).text, /is whole/)
    const names = await membersOf(file)
    assert.deepEqual([names.includes(`media/${original}`), names.includes(`media/${deleted}`)], [true, false], name)
  }
  await bucket.stop()
})

test('of two simultaneous backups to one file, one is written and the other refused', async () => {
  const file = join(folder, 'twice.tar')
  const both = await Promise.all([rookery(here, 'backup', file), rookery(here, 'backup', file)])
  const refused = both.filter(({ status }) => status !== 0)
  assert.equal(refused.length, 1, JSON.stringify(both))
  assert.match(refused[0]?.text as string, /exists already/)
  assert.match((await rookery(here, 'restore', file, '--dry-run')).text, /is whole/)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('twice')),
    ['twice.tar'],
  )
})

test('a damaged, truncated, incomplete, newer or foreign archive changes nothing', async () => {
  const empty = await createTestDatabase()
  const dataDir = join(folder, 'refused')
  const there: Env = {
    DATABASE_URL: empty.url,
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: config.localDomain,
    SECRET_KEY_BASE: '',
  }
  const whole = readFileSync(archive)
  const file = join(folder, 'bad.tar')
  const refuse = async (says: RegExp, bytes: Buffer | null, env: Env = {}): Promise<void> => {
    if (bytes) writeFileSync(file, bytes)
    const { status, text } = await rookery({ ...there, ...env }, 'restore', file)
    assert.deepEqual([status, says.test(text)], [1, true], text)
  }
  const flipped = Buffer.from(whole)
  const at = whole.indexOf('tables/statuses/') + 600
  flipped[at] = (flipped[at] as number) ^ 1
  await refuse(/damaged \(tables\/statuses\/000001/, flipped)
  assert.match((await rookery(there, 'restore', file, '--dry-run')).text, /damaged \(tables\/statuses\/000001/)
  writeFileSync(file, whole)
  truncateSync(file, Math.floor(whole.length / 2))
  await refuse(/incomplete|damaged/, null)
  writeFileSync(file, whole.subarray(0, whole.indexOf('manifest.json.sha256')))
  await refuse(/incomplete/, null)
  await refuse(/not an archive/, Buffer.from('not a tar file'))
  await refuse(/not an archive/, Buffer.alloc(0))
  await refuse(/damaged|incomplete/, await edited((name) => (name.startsWith('tables/follows/') ? null : undefined)))
  await refuse(
    /damaged/,
    await edited((name) => (name === 'keys/secret_key_base' ? Buffer.from('another') : undefined)),
  )
  const about = (change: (about: any) => void) =>
    edited((name, data) => {
      if (name !== 'about.json') return undefined
      const json = JSON.parse(data.toString())
      change(json)
      return Buffer.from(JSON.stringify(json))
    })
  await refuse(/comes from Rookery 9\.9/, await about((json) => Object.assign(json, { format: 2, rookery: '9.9' })))
  await refuse(/comes from Rookery/, await about((json) => json.migrations.push({ id: '9999_future', checksum: 'x' })))
  await refuse(/belongs to localhost:\d+, and this server is other\.example/, whole, { LOCAL_DOMAIN: 'other.example' })
  await refuse(/SECRET_KEY_BASE differs/, whole, { SECRET_KEY_BASE: 'x'.repeat(64) })
  assert.match((await rookery(there, 'restore', join(folder, 'none.tar'))).text, /cannot be read/)
  assert.equal(statSync(dataDir, { throwIfNoEntry: false })?.isFile() ?? false, false)
  const client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  const users = await client.query('select count(*)::int as count from users')
  await client.end()
  assert.equal(users.rows[0].count, 0)
  await empty.drop()
})

async function membersOf(file: string): Promise<string[]> {
  const source = extract()
  source.end(readFileSync(file))
  const names: string[] = []
  for await (const entry of source) {
    names.push(entry.header.name)
    entry.resume()
  }
  return names
}

/** The archive with members replaced (a buffer) or left out (null). Checksums stay as they were. */
async function edited(
  change: (name: string, data: Buffer) => Buffer | null | undefined,
  from = archive,
): Promise<Buffer> {
  const [source, target] = [extract(), pack()]
  source.end(readFileSync(from))
  for await (const entry of source) {
    const data = Buffer.concat(await Array.fromAsync(entry as unknown as AsyncIterable<Buffer>))
    const replaced = change(entry.header.name, data)
    if (replaced !== null) target.entry({ name: entry.header.name }, replaced ?? data)
  }
  target.finalize()
  return Buffer.concat(await Array.fromAsync(target as unknown as AsyncIterable<Buffer>))
}

/** The archive with another name of a column of its jobs, and the checksum that follows from it. */
async function withColumnOfJobs(column: string, from: string): Promise<Buffer> {
  let manifest = Buffer.alloc(0)
  return edited((name, data) => {
    if (name === 'manifest.json.sha256')
      return Buffer.from(`${createHash('sha256').update(manifest).digest('hex')}  manifest.json\n`)
    if (name !== 'manifest.json') return undefined
    const json = JSON.parse(data.toString())
    json.tables.find((table: any) => table.name === 'pgboss.job').columns.push(column)
    return (manifest = Buffer.from(JSON.stringify(json)))
  }, from)
}

test('an archive of an older version is brought to this one, but not with statements in names of columns', async () => {
  const [older, newer] = [await createTestDatabase(), await createTestDatabase()]
  const known = knownMigrations()
  const file = join(folder, 'older.tar')
  const client = new pg.Client({ connectionString: older.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.query('begin')
  // Few: the restore applies them once more.
  await applyMigrations(client, known.slice(0, 30))
  await client.query(`insert into settings (key, value) values ('site_title', '"Old"')`)
  await client.query('commit')
  await client.end()
  const env = (url: string): Env => ({ ...here, DATABASE_URL: url })
  const made = await rookery(env(older.url), 'backup', file)
  assert.equal(made.status, 0, made.text)
  const crafted = join(folder, 'crafted.tar')
  writeFileSync(crafted, await withColumnOfJobs('id") from stdin; select 1; --', file))
  const injected = await rookery(env(newer.url), 'restore', crafted)
  assert.deepEqual([injected.status, /incomplete/.test(injected.text)], [1, true], injected.text)
  const restored = await rookery(env(newer.url), 'restore', file)
  assert.equal(restored.status, 0, restored.text)
  const check = new pg.Client({ connectionString: newer.url })
  await check.connect()
  const { rows } = await check.query(
    `select (select value #>> '{}' from settings where key = 'site_title') as title, (select count(*)::int from schema_migrations) as migrations`,
  )
  await check.end()
  assert.deepEqual(rows, [{ title: 'Old', migrations: known.length }])
  await Promise.all([older.drop(), newer.drop()])
})

test('checksums in the archive are in the format of sha256sum', async () => {
  const source = extract()
  source.end(readFileSync(archive))
  const hashes = new Map<string, string>()
  const lines: string[] = []
  for await (const entry of source) {
    const data = Buffer.concat(await Array.fromAsync(entry as unknown as AsyncIterable<Buffer>))
    if (entry.header.name.endsWith('.sha256')) lines.push(...data.toString().trim().split('\n'))
    else hashes.set(entry.header.name, createHash('sha256').update(data).digest('hex'))
  }
  assert.deepEqual(Object.fromEntries(lines.map((line) => line.split('  ').toReversed())), Object.fromEntries(hashes))
})

test('the list of columns that name files is complete', async () => {
  const { rows } = await server.database.raw(`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and column_name ~ '^(file|preview|source|result|image|static|avatar|avatar_static|header|header_static)_key$'`)
  const known = Object.entries(FILE_COLUMNS).flatMap(([table, { columns }]) =>
    columns.map((column) => `${table}.${column}`),
  )
  assert.deepEqual(
    rows.map(({ table_name, column_name }) => `${table_name}.${column_name}`).toSorted(),
    known.toSorted(),
  )
})

test('nothing is restored while the server runs, which a dry run says', async () => {
  await server.database.raw('delete from statuses')
  await server.database.raw('delete from users')
  const dry = await rookery(here, 'restore', archive, '--dry-run')
  assert.deepEqual([dry.status, /is whole[\s\S]*server is running/.test(dry.text)], [0, true], dry.text)
  assert.match((await rookery(here, 'restore', archive)).text, /server is running/)
})
