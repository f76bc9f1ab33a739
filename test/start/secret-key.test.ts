// The secret key, which is stored outside the database, and its file permissions.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openBackend, type Backend } from '../../src/backend.ts'
import { readConfig } from '../../src/config.ts'
import { issueToken } from '../../src/domain/auth/tokens.ts'
import { createTestDatabase } from '../support/database.ts'
import { members } from './members.ts'

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
const query = async (text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return client.query(text).finally(() => client.end())
}
const stored = async (): Promise<string[]> => {
  const { rows } = await query(`select value from secrets where name in ('token_key', 'cookie_key', 'vapid')`)
  return rows.map(({ value }) => value)
}

before(async () => {
  database = await createTestDatabase()
})
after(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('keys are stored sealed, and a second start opens them', async () => {
  const backend = await open()
  const [ada] = await members(backend, ['ada'])
  const { rows } = await query('select app_id, user_id, scopes from oauth_tokens')
  const request = { appId: rows[0].app_id, userId: rows[0].user_id, scopes: rows[0].scopes }
  await backend.close()
  const values = await stored()
  assert.equal(values.length, 3)
  for (const value of values) assert.match(value, /^sealed:/)
  const again = await open()
  assert.equal((await issueToken(again.ctx, request)).token, ada?.token)
  await again.close()
  assert.deepEqual(await stored(), values, 'a second start changed the sealed keys')
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
