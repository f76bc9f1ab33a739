import type { Context } from '../context.ts'
import { hasNoAccess } from '../domain/registration/ip-blocks.ts'
import { Forbidden } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/**
 * Throws Forbidden for an address that administrators have blocked, after a second look at the database. Addresses that are not
 * blocked as far as this process knows continue at once: `catchUpAndCheckAccess` checks them again later.
 */
export function checkAccess(ctx: Context, ip: string): Promise<void> | undefined {
  const blocked = hasNoAccess(ctx, ip)
  return blocked === false ? undefined : confirmAccess(ctx, ip, blocked)
}

async function confirmAccess(ctx: Context, ip: string, blocked: boolean | Promise<boolean>): Promise<void> {
  if (await blocked) await catchUpAndCheckAccess(ctx, ip)
}

/**
 * Afterwards, caches are as fresh as the database. Throws Forbidden for a blocked address, and Unavailable when the database
 * cannot be reached.
 */
export async function catchUpAndCheckAccess(ctx: Context, ip: string): Promise<void> {
  await ctx.changes.catchUp()
  if (await hasNoAccess(ctx, ip)) throw new Forbidden(message('access_blocked'))
}
