import type { Context } from '../../context.ts'
import { findInviterToFollow } from '../../domain/registration/invites.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { AppError } from '../../lib/errors.ts'
import { follow } from '../accounts/follow.ts'
import { notifySignUp } from '../notifications/notify.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

/** For a user who has become confirmed and approved. Call it in the transaction of the change. */
export async function welcomeUser(tx: Context, accountId: string): Promise<void> {
  await tx.enqueue('notifications.sign-up', { accountId })
  await triggerWebhooks(tx, 'account.approved', accountId)
}

/** Job `notifications.sign-up`: tells the staff, and follows the inviter where the invitation says so. */
export async function greetNewUser(ctx: Context, job: JobData['notifications.sign-up']): Promise<void> {
  const targetAccountId = await findInviterToFollow(ctx, job.accountId)
  if (targetAccountId !== null)
    await follow(ctx, { accountId: job.accountId, targetAccountId }).catch((error: unknown) => {
      // The inviter is suspended, moved, or has blocked the new account.
      if (!(error instanceof AppError) || error.status >= 500) throw error
    })
  await notifySignUp(ctx, job)
}
