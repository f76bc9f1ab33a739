import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Context, perServer } from '../../context.ts'
import type { Secrets as SecretRows } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { StartError } from '../../lib/errors.ts'

type Secrets = {
  /** Encrypts tokens at rest: 32 bytes. */
  tokenKey: Buffer
  /** Signs cookies and forms: 32 bytes. */
  cookieKey: Buffer
  vapid: { publicKey: string; privateKey: string }
}

const known = perServer(() => ({ secrets: null as Promise<Secrets> | null, loaded: null as Secrets | null }))

/** The server's keys, created on first use and stored in the database, sealed. Throws StartError without the secret key. */
export function getSecrets(ctx: Context): Promise<Secrets> {
  const state = known(ctx)
  state.secrets ??= load(ctx).catch((error: unknown) => {
    state.secrets = null
    throw error
  })
  return state.secrets
}

/** The keys, for synchronous code: `openBackend` awaits `getSecrets`. */
function loadedSecrets(ctx: Context): Secrets {
  const { loaded } = known(ctx)
  if (!loaded) throw new Error('getSecrets has not finished')
  return loaded
}

/** The signature of a text, which must begin with its purpose. It never expires. */
export const signatureOf = (ctx: Context, text: string): string =>
  createHmac('sha256', loadedSecrets(ctx).cookieKey).update(text).digest('base64url')

export function isSignature(ctx: Context, text: string, signature: string): boolean {
  const expected = Buffer.from(signatureOf(ctx, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const NAMES = ['token_key', 'cookie_key', 'vapid'] as const
type Stored = Partial<Record<(typeof NAMES)[number], string>>

/**
 * Keys are sealed with the secret key, which is not in the database, so that a copy of the database opens nothing. This marks
 * them.
 */
const SEALED = 'sealed:'

async function load(ctx: Context): Promise<Secrets> {
  let stored = await read(ctx)
  // A new secret key could not open the keys that are sealed with a lost one.
  const secretKey = await (Object.keys(stored).length > 0 ? findSecretKey : findOrCreateSecretKey)(ctx.config)
  if (secretKey === null)
    throw new StartError(
      `The keys in the database are sealed with a secret key that is not here. Restore ${secretKeySource(ctx.config)} from a backup, or set SECRET_KEY_BASE to what it contains.`,
    )
  if (NAMES.some((name) => stored[name] === undefined)) {
    await createKeys(ctx, secretKey)
    stored = await read(ctx)
  }
  const opened = (name: keyof Stored): string => unsealStored(ctx, secretKey, stored[name] ?? '')
  return (known(ctx).loaded = {
    tokenKey: Buffer.from(opened('token_key'), 'base64'),
    cookieKey: Buffer.from(opened('cookie_key'), 'base64'),
    vapid: JSON.parse(opened('vapid')) as Secrets['vapid'],
  })
}

function unsealStored(ctx: Context, secretKey: Buffer, value: string): string {
  try {
    return unseal(secretKey, Buffer.from(value.slice(SEALED.length), 'base64'))
  } catch (cause) {
    const source = secretKeySource(ctx.config)
    throw new StartError(
      `${source} is not the secret key of this database. Every process needs the same one: set SECRET_KEY_BASE to that of the others, or to what their DATA_DIR/secret_key_base contains. If a restore was interrupted, run it again.`,
      { cause },
    )
  }
}

async function read(ctx: Context): Promise<Stored> {
  const rows = await ctx.db.many<SecretRows>(sql`select name, value from secrets where name = any(${NAMES}::text[])`)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Creates the keys. When two processes do so at once, those of the first one stay. */
async function createKeys(ctx: Context, secretKey: Buffer): Promise<void> {
  const { default: webpush } = await import('web-push')
  const keys: Required<Stored> = {
    token_key: randomBytes(32).toString('base64'),
    cookie_key: randomBytes(32).toString('base64'),
    vapid: JSON.stringify(webpush.generateVAPIDKeys()),
  }
  const sealed = NAMES.map((name) => SEALED + seal(secretKey, keys[name]).toString('base64'))
  await ctx.db.run(sql`
    insert into secrets (name, value) select * from unnest(${NAMES}::text[], ${sealed}::text[]) on conflict do nothing`)
}

/** AES-256-GCM: nonce, tag, ciphertext. */
export function seal(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Throws for changed bytes or another key. */
export function unseal(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

const FILE = 'secret_key_base'

const derive = (base: string): Buffer => Buffer.from(hkdfSync('sha256', base, '', 'rookery secrets', 32))

const secretKeySource = (config: Config): string =>
  config.secretKeyBase === null ? join(config.dataDir, FILE) : 'SECRET_KEY_BASE'

/** The key that seals the other keys: from SECRET_KEY_BASE, or a file in the data directory. Null when neither exists. */
async function findSecretKey(config: Config): Promise<Buffer | null> {
  if (config.secretKeyBase !== null) return derive(config.secretKeyBase)
  const text = await readFile(join(config.dataDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new StartError(`${join(config.dataDir, FILE)} cannot be read (${error.message}).`, { cause: error })
  })
  return text.trim() ? derive(text.trim()) : null
}

/** Two simultaneous processes get the same key. */
async function findOrCreateSecretKey(config: Config): Promise<Buffer> {
  const found = await findSecretKey(config)
  if (found) return found
  const file = join(config.dataDir, FILE)
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  await writeDurably(unfinished, `${randomBytes(64).toString('hex')}\n`)
  try {
    // Unlike a rename, a link replaces no file.
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { force: true })
  }
  await sync(config.dataDir)
  return (await findSecretKey(config)) as Buffer
}

/** Synced, because a crash must not leave sealed keys without their secret key. */
async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
