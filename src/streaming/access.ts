import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { covers } from '../domain/auth/scopes.ts'
import { findCaller, type Viewer } from '../domain/auth/viewer.ts'
import { REFUSALS } from '../http/auth.ts'
import { Forbidden, Unauthorized } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import type { Channel } from './channels/channel.ts'

/** Who wants to listen. Throws Unauthorized for missing and bad tokens, Forbidden for people who may not use theirs. */
export async function identify(ctx: Context, token: string | null): Promise<{ viewer: Viewer; token: string }> {
  const caller = token === null ? null : await findCaller(ctx, token)
  if (token === null || !caller) throw new Unauthorized()
  if (caller.state !== 'usable') throw new Forbidden(REFUSALS[caller.state])
  if (!caller.viewer) throw new Unauthorized(message('method_requires_user'))
  recordActivity(ctx, caller.viewer)
  return { viewer: caller.viewer, token }
}

/** Throws Unauthorized unless the token covers what the stream tells. */
export function checkScope(channel: Channel, { scopes }: Viewer): void {
  if (channel.scopes.length > 0 && !channel.scopes.some((scope) => covers(scopes, scope))) {
    throw new Unauthorized(message('stream_scopes'))
  }
}
