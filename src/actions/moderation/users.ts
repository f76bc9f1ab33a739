import { welcomeUser } from '../auth/join.ts'
import { revokeTokensOf } from '../auth/tokens.ts'
import { storePassword } from '../../domain/auth/sign-in.ts'
import type { Context } from '../../context.ts'
import { hashPassword } from '../../domain/auth/passwords.ts'
import { endSessionsOf } from '../../domain/auth/sessions.ts'
import { newSecret } from '../../domain/auth/tokens.ts'
import { checkEmailIsFree, updateUser, type UserChanges } from '../../domain/auth/user-admin.ts'

/** Absent members stay as they are. Throws Invalid when another user has the address. */
export async function modifyUser(ctx: Context, userId: string, changes: UserChanges): Promise<void> {
  if (changes.email !== undefined) await checkEmailIsFree(ctx, userId, changes.email)
  await ctx.transaction(async (tx) => {
    const joinedAccountId = await updateUser(tx, userId, changes)
    if (joinedAccountId !== null) await welcomeUser(tx, joinedAccountId)
    tx.publish({ type: 'user.changed', userId })
  })
}

/** Returns the password. Ends the user's sessions and revokes the tokens. */
export async function setRandomPassword(ctx: Context, userId: string): Promise<string> {
  const password = newSecret().slice(0, 20)
  const hash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    await storePassword(tx, userId, hash)
    await endSessionsOf(tx, userId)
    await revokeTokensOf(tx, userId)
    tx.publish({ type: 'user.changed', userId })
  })
  return password
}
