import type { Context } from '../../context.ts'
import { withProfileImages } from '../../domain/accounts/profile-images.ts'
import type { ProfileChanges } from '../../domain/accounts/profile-attributes.ts'
import { checkProfile } from '../../domain/accounts/profile-rules.ts'
import { updateProfileRow } from '../../domain/accounts/profile-update.ts'
import { saveUserSettings } from '../auth/user-settings.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { indexAccountStatuses } from '../../domain/search/status-index.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { federate } from '../federate.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { authorizePendingFollows } from './follow.ts'

/** Unlocking the account accepts pending follow requests. Throws Invalid with `details`. */
export async function saveProfile(
  ctx: Context,
  user: { accountId: string; userId: string },
  form: ProfileChanges,
  settings: UserSettings = {},
): Promise<void> {
  const changes = checkProfile(form)
  await withProfileImages(ctx, user.accountId, changes, (images) =>
    ctx.transaction(async (tx) => {
      const updated = await updateProfileRow(tx, user.accountId, changes, images)
      await saveUserSettings(tx, user.userId, settings)
      if (updated.changed) await spreadProfile(tx, user.accountId, changes)
      if (updated.indexableChanged) await tx.enqueue('search.account', { accountId: user.accountId, after: '0' })
      if (updated.unlocked) await authorizePendingFollows(tx, user.accountId)
      return updated
    }),
  )
}

async function spreadProfile(tx: Context, accountId: string, changes: ProfileChanges): Promise<void> {
  await federate(tx, { activity: 'update-actor', accountId })
  await triggerWebhooks(tx, 'account.updated', accountId)
  if (changes.fields?.some(({ value }) => /^https?:/i.test(value)))
    await tx.enqueue('accounts.verify-links', { accountId }, { key: accountId })
}

/** Job `search.account`: makes an account's public statuses searchable or not, as its profile says now. */
export async function indexAccount(ctx: Context, { accountId, after }: JobData['search.account']): Promise<void> {
  await ctx.transaction(async (tx) => {
    const next = await indexAccountStatuses(tx, accountId, after)
    if (next !== null) await tx.enqueue('search.account', { accountId, after: next })
  })
}
