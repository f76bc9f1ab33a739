import type { Context } from '../../context.ts'
import { deleteSessions, insertSession, type NewSession, type SessionChoice } from '../../domain/auth/sessions.ts'
import { insertLoginActivity, type SignInMethod } from '../../domain/auth/login-activities.ts'
import { describeAttempt } from '../../domain/auth/mails.ts'
import { isNewNetwork } from '../../domain/auth/ip-addresses.ts'
import { useProof, type SignInProof } from '../../domain/auth/sign-in.ts'
import { sessionTokenOf } from '../../domain/auth/web-client.ts'
import { mailUser } from '../server/mail.ts'

/**
 * Returns what the browser's cookies contain: the secret of the session, and the access token of the web client.
 * After a sign-in by password alone, the user gets a mail if the network is unknown, as another person may know the password.
 * Null when a new password has ended `proof`.
 */
export const createSession = (
  ctx: Context,
  { method, proof = null, ...session }: NewSession & { method: SignInMethod; proof?: SignInProof | null },
): Promise<{ secret: string; token: string } | null> =>
  ctx.transaction(async (tx) => {
    const { userId, ip, userAgent } = session
    if (proof && !(await useProof(tx, userId, proof))) return null
    if (method === 'password' && (await isNewNetwork(tx, userId, ip)))
      await mailUser(tx, userId, 'new_sign_in', {
        attempt: describeAttempt(session),
        link: `${tx.config.baseUrl}/auth/edit`,
      })
    const { id, secret } = await insertSession(tx, session)
    await insertLoginActivity(tx, userId, { method, success: true, ip, userAgent })
    return { secret, token: await sessionTokenOf(tx, { id, userId: session.userId }) }
  })

/** Their tokens stop working at once, and their streams close. False when there was no such session. */
export const endSessions = (ctx: Context, userId: string, choice: SessionChoice = {}): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const { count, tokenIds } = await deleteSessions(tx, userId, choice)
    if (tokenIds.length > 0) tx.publish({ type: 'tokens.gone', tokenIds })
    return count > 0
  })
