// Passkeys (WebAuthn): registration, sign-in, and the challenges that browsers sign.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Passkeys } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { lockUser } from '../users/locks.ts'
import { type StateRow, type UserState, digestOf, stateColumns, stateOf } from './viewer.ts'
import { getSecrets } from '../server/secrets.ts'
import { getSettings } from '../server/settings.ts'
import { Invalid } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'

const MAX_PASSKEYS = 20
export const MAX_PASSKEY_NAME = 50
/** EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded on first use: its 300 modules are a tenth of all modules that a start would load. */
const webauthn = () => import('@simplewebauthn/server')

type PasskeyRow = StateRow &
  Pick<Passkeys, 'id' | 'user_id' | 'credential_id' | 'public_key' | 'sign_count' | 'transports'>

/** The domain that passkeys are bound to, without the port. */
const rpIdOf = (ctx: Context): string => new URL(ctx.config.baseUrl).hostname

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

export async function registrationOptions(
  ctx: Context,
  { userId, username }: { userId: string; username: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const [{ site_title }, known, challenge] = await Promise.all([
    getSettings(ctx),
    credentialsOf(ctx, userId),
    makeChallenge(ctx, `registration ${userId}`),
  ])
  return (await webauthn()).generateRegistrationOptions({
    rpName: site_title,
    rpID: rpIdOf(ctx),
    userName: username,
    userID: Uint8Array.from(Buffer.from(`user ${userId}`)),
    challenge: bytesOf(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Throws Invalid for a response that cannot be verified, a registered passkey, and above the limit. */
export async function registerPasskey(tx: Context, userId: string, name: string, json: string): Promise<void> {
  const purpose: ChallengePurpose = `registration ${userId}`
  const response = parse<RegistrationResponseJSON>(json)
  if (!response) throw refusal()
  const { verifyRegistrationResponse } = await webauthn()
  const info = await verified(tx, async () => {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => isValidChallenge(tx, purpose, challenge),
      expectedOrigin: tx.config.baseUrl,
      expectedRPID: rpIdOf(tx),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo ?? null
  })
  if (!info || !(await spendChallenge(tx, challengeOf(response)))) throw refusal()
  const { credential } = info
  await lockUser(tx, userId)
  const { count } = await tx.db.one<{ count: number }>(
    sql`select count(*)::int as count from passkeys where user_id = ${userId}`,
  )
  if (count >= MAX_PASSKEYS) throw new Invalid(message('passkey_limit', { count: MAX_PASSKEYS }))
  const made = await tx.db.run(sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${userId}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter}, ${credential.transports ?? []}::text[],
      ${[...name.trim()].slice(0, MAX_PASSKEY_NAME).join('') || 'Passkey'})
    on conflict do nothing`)
  if (made === 0) throw new Invalid(message('passkey_registered'))
}

/** `userId`: null accepts a passkey of any user. */
export async function signInOptions(
  ctx: Context,
  userId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await makeChallenge(ctx, signInPurpose(userId))
  return (await webauthn()).generateAuthenticationOptions({
    rpID: rpIdOf(ctx),
    challenge: bytesOf(challenge),
    // Without a password, the passkey is both factors: the device, and a finger or a PIN.
    userVerification: userId === null ? 'required' : 'discouraged',
    ...(userId === null ? {} : { allowCredentials: await credentialsOf(ctx, userId) }),
  })
}

/**
 * The user whose passkey signed the response, once per challenge; null when it cannot be verified. With `userId`, only
 * passkeys of this user count.
 */
export async function usePasskey(
  ctx: Context,
  json: string,
  userId: string | null,
): Promise<{ userId: string; state: UserState } | null> {
  const response = parse<AuthenticationResponseJSON>(json)
  if (!response) return null
  const passkey = await ctx.db.maybe<PasskeyRow>(sql`
    select p.id, p.user_id, p.credential_id, p.public_key, p.sign_count, p.transports, ${stateColumns}
    from passkeys p join users u on u.id = p.user_id join accounts a on a.id = u.account_id
    where p.credential_id = ${String(response.id)} and (${userId}::bigint is null or p.user_id = ${userId}::bigint)`)
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const info = await verified(ctx, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => isValidChallenge(ctx, signInPurpose(userId), challenge),
      expectedOrigin: ctx.config.baseUrl,
      expectedRPID: rpIdOf(ctx),
      requireUserVerification: userId === null,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: Number(passkey.sign_count),
        transports: passkey.transports,
      },
    })
    return verified ? authenticationInfo : null
  })
  if (!info || !(await spendChallenge(ctx, challengeOf(response)))) return null
  await ctx.db.run(
    sql`update passkeys set sign_count = ${info.newCounter}, last_used_at = now() where id = ${passkey.id}`,
  )
  return { userId: passkey.user_id, state: stateOf(passkey) }
}

function credentialsOf(ctx: Context, userId: string): Promise<(Pick<Passkeys, 'transports'> & { id: string })[]> {
  return ctx.db.many(sql`select credential_id as id, transports from passkeys where user_id = ${userId} order by id`)
}

function parse<T>(json: string): T | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as T) : null
  } catch {
    return null
  }
}

/** Null also where the library throws, as it does for responses that it cannot verify. */
async function verified<T>(ctx: Context, verify: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verify()
  } catch (error) {
    ctx.log.debug({ err: error }, 'passkey.response-invalid')
    return null
  }
}

function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge: string }
  return data.challenge
}

const refusal = (): Invalid => new Invalid(message('passkey_failed'))

/** Registration and second step are bound to a user's id; `sign-in` accepts any user. */
type ChallengePurpose = `registration ${string}` | `second step ${string}` | 'sign-in'

const signInPurpose = (userId: string | null): ChallengePurpose =>
  userId === null ? 'sign-in' : `second step ${userId}`

const RANDOM_BYTES = 16
/** The random bytes and the expiry as Unix time in ms. The signature follows them. */
const BODY_BYTES = RANDOM_BYTES + 8
const SIGNATURE_BYTES = 32

const CHALLENGE_LIFETIME_MS = 10 * 60_000

/** A challenge in base64url: random bytes and an expiry, signed together with the purpose. It is not stored. */
async function makeChallenge(ctx: Context, purpose: ChallengePurpose): Promise<string> {
  const body = Buffer.alloc(BODY_BYTES)
  randomBytes(RANDOM_BYTES).copy(body)
  body.writeBigUInt64BE(BigInt(Date.now() + CHALLENGE_LIFETIME_MS), RANDOM_BYTES)
  return Buffer.concat([body, await sign(ctx, purpose, body)]).toString('base64url')
}

async function isValidChallenge(ctx: Context, purpose: ChallengePurpose, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== BODY_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== challenge) return false
  const [body, signature] = [bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES)]
  return (
    timingSafeEqual(signature, await sign(ctx, purpose, body)) &&
    Number(body.readBigUInt64BE(RANDOM_BYTES)) > Date.now()
  )
}

async function spendChallenge(ctx: Context, challenge: string): Promise<boolean> {
  return (
    (await ctx.db.run(sql`
      insert into spent_challenges (digest, expires_at)
      values (${digestOf(challenge)}, now() + ${CHALLENGE_LIFETIME_MS} * interval '1 millisecond') on conflict do nothing`)) >
    0
  )
}

async function sign(ctx: Context, purpose: string, body: Buffer): Promise<Buffer> {
  const { cookieKey } = await getSecrets(ctx)
  return createHmac('sha256', cookieKey).update(`passkey ${purpose}\n`).update(body).digest()
}
