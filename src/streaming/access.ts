import type { BusMessage } from '../bus/bus.ts'
import type { Context } from '../context.ts'
import { recordActivity } from '../domain/auth/activity.ts'
import { covers } from '../domain/auth/scopes.ts'
import { usableTokens } from '../domain/auth/tokens.ts'
import { findCaller, type Viewer } from '../domain/auth/viewer.ts'
import { ensureHome } from '../domain/timelines/home-build.ts'
import { findAccountsWithoutHome } from '../domain/timelines/live.ts'
import { REFUSALS } from '../http/auth.ts'
import { Forbidden, Unauthorized } from '../lib/errors.ts'
import { message } from '../messages/message.ts'
import type { Channel } from './channels.ts'
import type { Hub, Listener } from './hub.ts'

/** Throws Unauthorized for missing and invalid tokens, Forbidden for users who may not act. */
export async function authenticateStream(
  ctx: Context,
  token: string | null,
): Promise<{ viewer: Viewer; token: string }> {
  await ctx.changes.catchUp()
  const caller = token === null ? null : await findCaller(ctx, token)
  if (token === null || !caller) throw new Unauthorized()
  if (caller.state !== 'usable') throw new Forbidden(REFUSALS[caller.state])
  if (!caller.viewer) throw new Unauthorized(message('method_requires_user'))
  recordActivity(ctx, caller.viewer)
  return { viewer: caller.viewer, token }
}

/** Throws Unauthorized unless the token covers a scope of the channel. */
export function checkScope(channel: Channel, { scopes }: Viewer): void {
  if (channel.scopes.length > 0 && !channel.scopes.some((scope) => covers(scopes, scope))) {
    throw new Unauthorized(message('stream_scopes'))
  }
}

/** Ends connections whose token was revoked, and reloads viewers that changed. */
export function applyAccessChange(ctx: Context, hub: Hub, message: BusMessage): void {
  if (message.type === 'tokens.gone')
    for (const listener of hub.listeners)
      if (message.tokenIds.includes(listener.viewer.tokenId)) listener.end('revoked')
  if (message.type === 'user.changed')
    for (const listener of hub.listeners)
      if (listener.viewer.userId === message.userId) void reloadViewer(ctx, listener)
}

/** Call it for a new listener, too: the token may have been revoked before the hub had it. */
export async function reloadViewer(ctx: Context, listener: Listener): Promise<void> {
  try {
    await ctx.changes.catchUp()
    const caller = await findCaller(ctx, listener.token)
    if (caller?.viewer && caller.state === 'usable') listener.viewer = caller.viewer
    else listener.end('revoked')
  } catch (error) {
    ctx.log.warn({ err: error }, 'streaming.viewer-refresh-failed')
  }
}

/** Repairs what a lost message may have missed: revoked tokens, and home feeds that a crash of the database emptied. */
export async function inspectListeners(ctx: Context, hub: Hub): Promise<void> {
  const { listeners } = hub
  const usable = await usableTokens(ctx, [...new Set(listeners.map(({ viewer }) => viewer.tokenId))])
  for (const listener of listeners) if (!usable.has(listener.viewer.tokenId)) listener.end('revoked')
  for (const accountId of await findAccountsWithoutHome(ctx, hub.keys('user'))) await ensureHome(ctx, accountId)
}
