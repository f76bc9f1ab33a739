import type { Context } from '../context.ts'
import { hasNoAccess } from '../domain/registration/ip-blocks.ts'
import { Forbidden } from '../lib/errors.ts'
import { message } from '../messages/message.ts'

/** Throws Forbidden for an address that administrators have shut out. Returns a promise when the blocks have to be read. */
export function checkAccess(ctx: Context, ip: string): Promise<void> | undefined {
  const blocked = hasNoAccess(ctx, ip)
  if (typeof blocked !== 'boolean') return blocked.then(refuse)
  refuse(blocked)
}

function refuse(isBlocked: boolean): void {
  if (isBlocked) throw new Forbidden(message('access_blocked'))
}
