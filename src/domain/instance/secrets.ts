import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { perServer, type Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

export type Secrets = {
  /** Encrypts tokens at rest: 32 bytes. */
  tokenKey: Buffer
  /** Authenticates what browsers send back (cookies, forms): 32 bytes. */
  cookieKey: Buffer
  vapid: { publicKey: string; privateKey: string }
}

const known = perServer(() => ({ secrets: null as Promise<Secrets> | null, loaded: null as Secrets | null }))

/** The server's own keys, made once, when first needed, and kept in the database. */
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

type Stored = { token_key?: string; cookie_key?: string; vapid?: string }

async function load(ctx: Context): Promise<Secrets> {
  let stored = await read(ctx)
  if (!stored.token_key || !stored.cookie_key || !stored.vapid) {
    await make(ctx)
    stored = await read(ctx)
  }
  const { token_key, cookie_key, vapid } = stored as Required<Stored>
  return (known(ctx).loaded = {
    tokenKey: Buffer.from(token_key, 'base64'),
    cookieKey: Buffer.from(cookie_key, 'base64'),
    vapid: JSON.parse(vapid) as Secrets['vapid'],
  })
}

async function read(ctx: Context): Promise<Stored> {
  const rows = await ctx.db.many<{ name: string; value: string }>(sql`select name, value from secrets`)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Makes those that are missing. Two processes may come here at once: whoever is first has made the keys. */
async function make(ctx: Context): Promise<void> {
  const { default: webpush } = await import('web-push')
  const fresh: Required<Stored> = {
    token_key: randomBytes(32).toString('base64'),
    cookie_key: randomBytes(32).toString('base64'),
    vapid: JSON.stringify(webpush.generateVAPIDKeys()),
  }
  await ctx.db.run(sql`
    insert into secrets (name, value) select * from unnest(${Object.keys(fresh)}::text[], ${Object.values(fresh)}::text[])
    on conflict do nothing`)
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
