import type { BusMessage } from '../bus/messages.ts'
import type { Context } from '../context.ts'
import { usableTokens } from '../domain/auth/live-tokens.ts'
import { findCaller } from '../domain/auth/viewer.ts'
import { ensureHome } from '../domain/timelines/home-build.ts'
import { whoLacksHome } from '../domain/timelines/live.ts'
import type { Hub, Listener } from './hub.ts'

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
