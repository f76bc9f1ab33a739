import type { Context } from '../../context.ts'
import { endInvites, getInvite, insertInvite, type InviteValues } from '../../domain/registration/invites.ts'
import { NotFound } from '../../lib/errors.ts'

/** Returns the code. Throws Invalid. The caller checks the permission `invite_users`. */
export const createInvite = (ctx: Context, userId: string, values: InviteValues): Promise<{ code: string }> =>
  ctx.transaction((tx) => insertInvite(tx, userId, values))

/** Ends one of the user's own invitations, unless it has ended. Throws NotFound. */
export async function endOwnInvite(ctx: Context, userId: string, id: string): Promise<void> {
  const { user_id: ownerId } = await getInvite(ctx, id)
  if (ownerId !== userId) throw new NotFound()
  await endInvites(ctx, [id])
}
