import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { StartError } from '../../lib/errors.ts'
import { findOrMakeSecretKey, findSecretKey, secretKeySource } from './secret-key.ts'

export type Secrets = {
  /** Encrypts tokens at rest: 32 bytes. */
  tokenKey: Buffer
  /** Authenticates what browsers send back (cookies, forms): 32 bytes. */
  cookieKey: Buffer
  vapid: { publicKey: string; privateKey: string }
}

const known = perServer(() => ({ secrets: null as Promise<Secrets> | null, loaded: null as Secrets | null }))

/** The server's own keys, made once, when first needed, and kept in the database, sealed. Throws StartError without the secret key. */
export function getSecrets(ctx: Context): Promise<Secrets> {
  const state = known(ctx)
  state.secrets ??= load(ctx).catch((error: unknown) => {
    state.secrets = null
    throw error
  })
  return state.secrets
}

/** The keys, for code that cannot wait for them: `getSecrets` is awaited before anything is served. */
export function loadedSecrets(ctx: Context): Secrets {
  const { loaded } = known(ctx)
  if (!loaded) throw new Error('the keys of this server were not loaded')
  return loaded
}

const NAMES = ['token_key', 'cookie_key', 'vapid'] as const
type Stored = Partial<Record<(typeof NAMES)[number], string>>

/** How a key is stored: sealed with the secret key, which is not in the database, so that a copy of it opens nothing. */
const SEALED = 'sealed:'
const isSealed = (value: string | undefined): boolean => value?.startsWith(SEALED) === true

async function load(ctx: Context): Promise<Secrets> {
  let stored = await read(ctx)
  // Sealed keys whose secret key is missing shall not get another one.
  const secretKey = await (Object.values(stored).some(isSealed) ? findSecretKey : findOrMakeSecretKey)(ctx.config)
  if (secretKey === null)
    throw new StartError(
      `The keys in the database are sealed with a secret key that is not here. Restore ${secretKeySource(ctx.config)} from a backup, or set SECRET_KEY_BASE to what it contains.`,
    )
  if (NAMES.some((name) => !isSealed(stored[name]))) {
    await make(ctx, secretKey, stored)
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
      `${source} is not the secret key of this database. Every process needs the same one: set SECRET_KEY_BASE to that of the others, or to what their DATA_DIR/secret_key_base contains.`,
      { cause },
    )
  }
}

async function read(ctx: Context): Promise<Stored> {
  const rows = await ctx.db.many<{ name: string; value: string }>(
    sql`select name, value from secrets where name = any(${NAMES}::text[])`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/**
 * Makes the keys that are missing, and seals those that earlier versions stored as they are. Two processes may come here at
 * once: the first one has made the keys.
 */
async function make(ctx: Context, secretKey: Buffer, stored: Stored): Promise<void> {
  const { default: webpush } = await import('web-push')
  const fresh: Required<Stored> = {
    token_key: randomBytes(32).toString('base64'),
    cookie_key: randomBytes(32).toString('base64'),
    vapid: JSON.stringify(webpush.generateVAPIDKeys()),
  }
  // Only what is not sealed yet is replaced.
  const before = NAMES.map((name) => (isSealed(stored[name]) ? null : (stored[name] ?? null)))
  const sealed = NAMES.map((name) => SEALED + seal(secretKey, stored[name] ?? fresh[name]).toString('base64'))
  await ctx.db.run(sql`
    with made as (
      select name, before, sealed
      from unnest(${NAMES}::text[], ${before}::text[], ${sealed}::text[]) as made (name, before, sealed)
    ), replaced as (
      update secrets set value = sealed from made where secrets.name = made.name and secrets.value = before
    )
    insert into secrets (name, value) select name, sealed from made on conflict do nothing`)
}

/** Encrypts a short text (AES-256-GCM): nonce, tag, ciphertext. */
export function seal(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Opens what `seal` made. Throws when it was changed or made with another key. */
export function unseal(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
