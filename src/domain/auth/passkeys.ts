import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { Invalid } from '../../lib/errors.ts'
import { getSettings } from '../server/settings.ts'
import { isOurChallenge, makeChallenge, spendChallenge, type ChallengePurpose } from './passkey-challenges.ts'
import { stateOf, type UserState } from './viewer.ts'
import { holdFactors } from './two-factor.ts'

const MAX_PASSKEYS = 20
const NAME_LIMIT = 50
/** EdDSA, ES256, RS256: what all devices know. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it brings 300 modules, a tenth of all that a start would load. */
const webauthn = () => import('@simplewebauthn/server')

type Row = {
  id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  sign_count: string
  transports: string[]
  confirmed: boolean
  approved: boolean
  disabled: boolean
  suspended: boolean
}

/** The domain that passkeys are bound to, without its port. */
const rpIdOf = (ctx: Context): string => new URL(ctx.config.baseUrl).hostname

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64url'))

/** What a browser needs to make a passkey for somebody. */
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

/** Registers the passkey that a browser made. Throws Invalid for an answer that does not fit. */
export async function registerPasskey(tx: Context, userId: string, name: string, answer: string): Promise<void> {
  const purpose: ChallengePurpose = `registration ${userId}`
  const response = parse<RegistrationResponseJSON>(answer)
  if (!response) throw refusal()
  const { credential } = await verified(tx, async () => {
    const { registrationInfo } = await (
      await webauthn()
    ).verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => isOurChallenge(tx, purpose, challenge),
      expectedOrigin: tx.config.baseUrl,
      expectedRPID: rpIdOf(tx),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo ?? null
  })
  if (!(await spendChallenge(tx, challengeOf(response)))) throw refusal()
  await holdFactors(tx, userId)
  const { count } = await tx.db.one<{ count: number }>(
    sql`select count(*)::int as count from passkeys where user_id = ${userId}`,
  )
  if (count >= MAX_PASSKEYS) throw new Invalid(`You cannot have more than ${MAX_PASSKEYS} passkeys`)
  const made = await tx.db.run(sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name)
    values (${userId}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter}, ${credential.transports ?? []}::text[],
      ${[...name.trim()].slice(0, NAME_LIMIT).join('') || 'Passkey'})
    on conflict do nothing`)
  if (made === 0) throw new Invalid('This passkey is registered already')
}

/** What a browser needs to ask for a passkey: any of this server, or one of this user as their second step. */
export async function signInOptions(
  ctx: Context,
  userId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await makeChallenge(ctx, userId === null ? 'sign-in' : `second step ${userId}`)
  return (await webauthn()).generateAuthenticationOptions({
    rpID: rpIdOf(ctx),
    challenge: bytesOf(challenge),
    // Alone it has to stand for two factors: having the device, and a finger or a PIN.
    userVerification: userId === null ? 'required' : 'discouraged',
    ...(userId === null ? {} : { allowCredentials: await credentialsOf(ctx, userId) }),
  })
}

/**
 * Whose passkey has answered, once per challenge. With `userId`, the answer must be of one of their passkeys. Null when it does
 * not fit.
 */
export async function usePasskey(
  ctx: Context,
  answer: string,
  userId: string | null,
): Promise<{ userId: string; state: UserState } | null> {
  const response = parse<AuthenticationResponseJSON>(answer)
  if (!response) return null
  const passkey = await ctx.db.maybe<Row>(sql`
    select p.*, u.confirmed_at is not null as confirmed, u.approved, u.disabled, a.suspended_at is not null as suspended
    from passkeys p join users u on u.id = p.user_id join accounts a on a.id = u.account_id
    where p.credential_id = ${String(response.id)} and (${userId}::bigint is null or p.user_id = ${userId}::bigint)`)
  if (!passkey) return null
  const purpose: ChallengePurpose = userId === null ? 'sign-in' : `second step ${userId}`
  const info = await verified(ctx, async () => {
    const { verified, authenticationInfo } = await (
      await webauthn()
    ).verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => isOurChallenge(ctx, purpose, challenge),
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
  }).catch((error: unknown) => {
    if (error instanceof Invalid) return null
    throw error
  })
  if (!info || !(await spendChallenge(ctx, challengeOf(response)))) return null
  await ctx.db.run(
    sql`update passkeys set sign_count = ${info.newCounter}, last_used_at = now() where id = ${passkey.id}`,
  )
  return { userId: passkey.user_id, state: stateOf(passkey) }
}

function credentialsOf(ctx: Context, userId: string): Promise<{ id: string; transports: string[] }[]> {
  return ctx.db.many(sql`select credential_id as id, transports from passkeys where user_id = ${userId} order by id`)
}

function parse<T>(answer: string): T | null {
  try {
    const value: unknown = JSON.parse(answer)
    return typeof value === 'object' && value !== null ? (value as T) : null
  } catch {
    return null
  }
}

/** The library throws plain errors for whatever does not fit. */
async function verified<T>(ctx: Context, verify: () => Promise<T | null>): Promise<T> {
  try {
    const result = await verify()
    if (result !== null) return result
  } catch (error) {
    ctx.log.debug({ err: error }, 'the answer of a passkey does not fit')
  }
  throw refusal()
}

/** The challenge that an answer, verified before, is to. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge: string }
  return data.challenge
}

const refusal = (): Invalid => new Invalid('The passkey could not be checked. Load the page again and try once more')
