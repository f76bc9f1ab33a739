import { usableTokens } from '../domain/auth/tokens.ts'
import type { BusMessage } from '../bus/messages.ts'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { covers } from '../domain/auth/scopes.ts'
import { findCaller, type Viewer } from '../domain/auth/viewer.ts'
import { ensureHome } from '../domain/timelines/home-build.ts'
import { whoLacksHome } from '../domain/timelines/live.ts'
import { REFUSALS } from '../http/auth.ts'
import { Forbidden, Unauthorized } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import type { Channel } from './channels.ts'
import type { Hub, Listener } from './hub.ts'

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

/** Ends connections whose token was revoked, and looks again at people that changed. */
export function guard(ctx: Context, hub: Hub, message: BusMessage): void {
  if (message.type === 'tokens.gone')
    for (const listener of hub.listeners)
      if (message.tokenIds.includes(listener.viewer.tokenId)) listener.end('revoked')
  if (message.type === 'user.changed') {
    // After all others have heard of it: the caches among them are then empty.
    setImmediate(() => {
      for (const listener of hub.listeners) if (listener.viewer.userId === message.userId) void refresh(ctx, listener)
    })
  }
}

async function refresh(ctx: Context, listener: Listener): Promise<void> {
  try {
    const caller = await findCaller(ctx, listener.token)
    if (caller?.viewer && caller.state === 'usable') listener.viewer = caller.viewer
    else listener.end('revoked')
  } catch (error) {
    ctx.log.warn({ err: error }, 'streaming.viewer-refresh-failed')
  }
}

/** What messages may have been lost over: revoked tokens, and feeds that a crash of the database emptied. */
export async function inspect(ctx: Context, hub: Hub): Promise<void> {
  const listeners = [...hub.listeners]
  const usable = await usableTokens(ctx, [...new Set(listeners.map(({ viewer }) => viewer.tokenId))])
  for (const listener of listeners) if (!usable.has(listener.viewer.tokenId)) listener.end('revoked')
  for (const accountId of await whoLacksHome(ctx, hub.keys('user'))) await ensureHome(ctx, accountId)
}
