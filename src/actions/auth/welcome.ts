import type { Context } from '../../context.ts'
import { findFunctionalUser } from '../../domain/users/states.ts'
import { findInviterToFollow } from '../../domain/registration/invites.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { follow } from '../accounts/follow.ts'
import { notify } from '../notifications/notify.ts'
import { mailUser } from '../server/mail.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

/** Seconds after which new users get a mail with first steps: until then they read the mails about their sign-up. */
const WELCOME_DELAY = 3600

/** For a user who has become confirmed and approved. Call it in the transaction of the change. */
export async function welcomeUser(tx: Context, accountId: string): Promise<void> {
  await tx.enqueue('notifications.sign-up', { accountId })
  await tx.enqueue('mail.welcome', { accountId }, { delay: WELCOME_DELAY })
  await triggerWebhooks(tx, 'account.approved', accountId)
}

/** Job `mail.welcome`. Sends nothing to a user who may not use the account any more. */
export const mailWelcome = (ctx: Context, { accountId }: JobData['mail.welcome']): Promise<void> =>
  ctx.transaction(async (tx) => {
    const user = await findFunctionalUser(tx, accountId)
    if (!user) return
    const { baseUrl, localDomain, webDomain } = tx.config
    await mailUser(tx, user.id, 'welcome', {
      handle: `@${user.username}@${localDomain}`,
      domain: webDomain,
      profileLink: `${baseUrl}/settings/profile`,
      exploreLink: `${baseUrl}/explore`,
    })
  })

/** Job `notifications.sign-up`: follows the inviter where the invitation says so, and notifies the users who may manage users. */
export async function greetNewUser(ctx: Context, { accountId }: JobData['notifications.sign-up']): Promise<void> {
  const targetAccountId = await findInviterToFollow(ctx, accountId)
  if (targetAccountId !== null)
    await follow(ctx, { accountId, targetAccountId }).catch((error: unknown) => {
      // The inviter is suspended, moved, or has blocked the new account.
      if (!(error instanceof AppError) || error.status >= 500) throw error
    })
  await ctx.transaction((tx) =>
    notify(tx, { type: 'admin.sign_up', fromAccountId: accountId, to: { may: 'manage_users' } }),
  )
}
