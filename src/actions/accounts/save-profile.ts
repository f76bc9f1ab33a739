import type { Context } from '../../context.ts'
import { withPictures } from '../../domain/accounts/pictures.ts'
import { checkProfile, type ProfileChanges } from '../../domain/accounts/profile-rules.ts'
import { updateProfile } from '../../domain/accounts/update.ts'
import { saveUserSettings } from '../../domain/auth/user-settings.ts'
import type { UserSettings } from '../../domain/auth/viewer.ts'
import { authorizeAll } from './follow-requests.ts'

/**
 * Changes a person's profile and preferences together, or neither. Whoever waits to follow is let in when the profile is
 * unlocked. Throws Invalid with `details`.
 */
export async function saveProfile(
  ctx: Context,
  person: { accountId: string; userId: string },
  wanted: ProfileChanges,
  settings: UserSettings = {},
): Promise<void> {
  const changes = checkProfile(wanted)
  await withPictures(ctx, person.accountId, changes, (pictures) =>
    ctx.transaction(async (tx) => {
      const updated = await updateProfile(tx, person.accountId, changes, pictures)
      await saveUserSettings(tx, person.userId, settings)
      if (updated.unlocked) await authorizeAll(tx, person.accountId)
      return updated
    }),
  )
}
