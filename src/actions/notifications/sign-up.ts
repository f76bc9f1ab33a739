import type { Context } from '../../context.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { notify } from './notify.ts'

/** Job `notifications.sign-up`: tells those who may manage users that somebody has joined. */
export const tellSignUp = (ctx: Context, { accountId }: JobData['notifications.sign-up']): Promise<void> =>
  ctx.transaction((tx) => notify(tx, { type: 'admin.sign_up', fromAccountId: accountId, to: { may: 'manage_users' } }))
