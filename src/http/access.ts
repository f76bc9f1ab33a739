import type { Context } from '../context.ts'
import { hasNoAccess } from '../domain/registration/ip-blocks.ts'
import { Forbidden } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** Throws Forbidden for an address that administrators have shut out. */
export async function checkAccess(ctx: Context, ip: string): Promise<void> {
  if (await hasNoAccess(ctx, ip)) throw new Forbidden(message('access_blocked'))
}
