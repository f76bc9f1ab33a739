// The secret key, which is stored outside the database, and its file permissions.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openBackend, type Backend } from '../../src/backend.ts'
import { readConfig } from '../../src/config.ts'
import { seal } from '../../src/domain/server/secrets.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { digestOf } from '../../src/domain/auth/viewer.ts'
import { createTestDatabase } from '../support/database.ts'
import { members } from './server-process.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
const dataDir = mkdtempSync(join(tmpdir(), 'rookery-key-'))
const file = join(dataDir, 'secret_key_base')

const open = (env: Record<string, string> = {}): Promise<Backend> =>
  openBackend(
    readConfig({ DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent', SECRET_KEY_BASE: '', ...env }),
    'server',
  )
const refused = async (env: Record<string, string>, says: RegExp): Promise<void> => {
  await assert.rejects(
    open(env).then((backend) => backend.close()),
    { name: 'StartError', message: says },
  )
}
const stored = async (): Promise<string[]> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(`select value from secrets where name in ('token_key', 'cookie_key', 'vapid')`)
  await client.end()
  return rows.map(({ value }) => value)
}

before(async () => {
  database = await createTestDatabase()
})
after(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('keys that earlier versions stored unencrypted are sealed at start, and their tokens still work', async () => {
  const tokenKey = randomBytes(32)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`insert into secrets (name, value) values ('token_key', $1)`, [tokenKey.toString('base64')])
  const backend = await open()
  const [ada] = await members(backend, ['ada'])
  const token = randomBytes(32).toString('base64url')
  const { rows } = await client.query(
    'update oauth_tokens set digest = $1, sealed = $2 returning app_id, user_id, scopes',
    [digestOf(token), seal(tokenKey, token)],
  )
  assert.notEqual(ada?.token, token)
  const request = { appId: rows[0].app_id, userId: rows[0].user_id, scopes: rows[0].scopes }
  assert.equal((await issueToken(backend.ctx, request)).token, token)
  await backend.close()
  const values = await stored()
  assert.equal(values.length, 3)
  for (const value of values) {
    assert.match(value, /^sealed:/)
    assert.ok(!value.includes(tokenKey.toString('base64')))
  }
  const again = await open()
  assert.equal((await issueToken(again.ctx, request)).token, token)
  await again.close()
  assert.deepEqual(await stored(), values, 'a second start changed the sealed keys')
  await client.end()
})

test('the secret key file is private, and every start makes the data directory private', async () => {
  assert.equal(statSync(file).mode & 0o777, 0o600)
  chmodSync(dataDir, 0o755)
  await (await open()).close()
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
})

test('a server with another data directory needs the same SECRET_KEY_BASE, and refuses to start without it', async () => {
  const key = readFileSync(file, 'utf8').trim()
  const elsewhere = mkdtempSync(join(tmpdir(), 'rookery-key-'))
  const other = await open({ DATA_DIR: elsewhere, SECRET_KEY_BASE: key })
  await other.close()
  await refused({ DATA_DIR: elsewhere }, /sealed with a secret key that is not here/)
  await refused({ DATA_DIR: elsewhere, SECRET_KEY_BASE: 'x'.repeat(64) }, /SECRET_KEY_BASE is not the secret key/)
  assert.throws(() => readConfig({ SECRET_KEY_BASE: 'short' }), /at least 32 characters/)
  rmSync(elsewhere, { recursive: true, force: true })
})
