import type { Context } from '../../context.ts'
import { triggerWebhooks } from '../server/webhooks.ts'

/** For a user who has become confirmed and approved. Call it in the transaction of the change. */
export async function welcomeUser(tx: Context, accountId: string): Promise<void> {
  await tx.enqueue('notifications.sign-up', { accountId })
  await triggerWebhooks(tx, 'account.approved', accountId)
}
