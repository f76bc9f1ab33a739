import type { Context } from '../../context.ts'
import { checkOutranks, type StaffId } from '../../domain/auth/staff.ts'
import { lockModerated } from '../../domain/moderation/accounts.ts'
import { NotFound } from '../../lib/errors.ts'
import { saveProfile } from '../accounts/save-profile.ts'
import { recordAccountAct } from './audit.ts'

export type ProfileImage = 'avatar' | 'header'

/**
 * Deletes the avatar or header of a local account, whose user can upload another one. Throws NotFound for an account without a
 * user, Forbidden unless the staff member outranks it.
 */
export async function removeProfileImage(
  ctx: Context,
  staffId: StaffId,
  accountId: string,
  image: ProfileImage,
): Promise<void> {
  await checkOutranks(ctx, staffId, accountId)
  await ctx.transaction(async (tx) => {
    const account = await lockModerated(tx, accountId)
    if (!account.user) throw new NotFound()
    const removed =
      image === 'avatar' ? { avatar: null, avatar_description: '' } : { header: null, header_description: '' }
    await saveProfile(tx, { accountId, userId: account.user.id }, removed)
    await recordAccountAct(tx, staffId, `remove_${image}`, account)
  })
}
