import { Secret, TOTP } from 'otpauth'
import type { Context } from '../../context.ts'
import type { TotpKeys } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { withoutPort } from '../server/addresses.ts'
import { getSecrets, seal, unseal } from '../server/secrets.ts'
import { getSettings } from '../server/settings.ts'

/** What an authenticator app needs: the URI for the QR code, or the key to type in. */
export type TotpOffer = { uri: string; key: string }

/** Seconds. */
const PERIOD = 30
/** By how many periods the clocks of server and phone may differ. */
const DRIFT = 1

const keyOf = (secret: Secret, label = '', issuer = ''): TOTP =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD })

/** The key stays the same until a code confirms it. Null when an app is registered. */
export async function offerTotp(ctx: Context, user: { userId: string; username: string }): Promise<TotpOffer | null> {
  const { tokenKey } = await getSecrets(ctx)
  const fresh = new Secret({ size: 20 })
  await ctx.db.run(sql`
    insert into totp_keys (user_id, sealed) values (${user.userId}, ${seal(tokenKey, fresh.base32)}) on conflict do nothing`)
  const row = await ctx.db.one<Pick<TotpKeys, 'sealed'> & { confirmed: boolean }>(
    sql`select sealed, confirmed_at is not null as confirmed from totp_keys where user_id = ${user.userId}`,
  )
  if (row.confirmed) return null
  const { site_title } = await getSettings(ctx)
  const secret = Secret.fromBase32(unseal(tokenKey, row.sealed))
  // A colon separates issuer and label in the URI.
  const issuer = site_title.replaceAll(':', ' ').trim() || ctx.config.localDomain
  const label = `${user.username}@${withoutPort(ctx.config.localDomain)}`
  return { uri: keyOf(secret, label, issuer).toString(), key: secret.base32 }
}

/** Returns false for a wrong code, or without an offer. */
export const confirmTotp = (tx: Context, userId: string, code: string): Promise<boolean> =>
  useCode(tx, userId, code, 'offered')

/** Each code works once. */
export const useTotp = (ctx: Context, userId: string, code: string): Promise<boolean> =>
  useCode(ctx, userId, code, 'registered')

async function useCode(ctx: Context, userId: string, code: string, state: 'offered' | 'registered'): Promise<boolean> {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return false
  const isRegistered = state === 'registered'
  const row = await ctx.db.maybe<Pick<TotpKeys, 'sealed'>>(
    sql`select sealed from totp_keys where user_id = ${userId} and (confirmed_at is not null) = ${isRegistered}`,
  )
  if (!row) return false
  const { tokenKey } = await getSecrets(ctx)
  const now = Date.now()
  const totp = keyOf(Secret.fromBase32(unseal(tokenKey, row.sealed)))
  const delta = totp.validate({ token: digits, timestamp: now, window: DRIFT })
  if (delta === null) return false
  const step = Math.floor(now / 1000 / PERIOD) + delta
  // Only one of two simultaneous uses of a code succeeds.
  const used = await ctx.db.run(sql`
    update totp_keys set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${userId} and coalesce(last_step, 0) < ${step} and (confirmed_at is not null) = ${isRegistered}`)
  return used > 0
}
