import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  checkRelayUrl,
  deleteStoredRelay,
  getRelay,
  insertRelay,
  markRelayIdle,
  markRelayPending,
  type RelayRow,
} from '../../domain/moderation/relays.ts'
import { federate } from '../federate.ts'
import { NotFound } from '../../lib/errors.ts'

/** Adds a relay by the address of its inbox, and follows it. Returns the id. Throws Invalid. */
export async function addRelay(ctx: Context, staffId: StaffId, address: string): Promise<string> {
  const inboxUrl = checkRelayUrl(ctx, address)
  return ctx.transaction(async (tx) => {
    const id = await insertRelay(tx, inboxUrl)
    await insertAuditEntry(tx, staffId, { type: 'relay', action: 'create', id, label: inboxUrl })
    await followRelay(tx, { id, inbox_url: inboxUrl })
    return id
  })
}

async function followRelay(
  tx: Context,
  { id, inbox_url: inboxUrl }: Pick<RelayRow, 'id' | 'inbox_url'>,
): Promise<void> {
  const followUri = await markRelayPending(tx, id)
  await federate(tx, { activity: 'follow-relay', inboxUrl, followUri })
  tx.publish({ type: 'settings.changed' })
}

/** Follows it again. Throws NotFound. */
export async function enableRelay(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const relay = await getRelay(tx, id)
    await followRelay(tx, relay)
    await insertAuditEntry(tx, staffId, { type: 'relay', action: 'enable', id, label: relay.inbox_url })
  })
}

/** Unfollows the relay, and no longer sends public posts to it. Throws NotFound. */
export async function disableRelay(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const relay = await getRelay(tx, id)
    await unfollowRelay(tx, relay)
    await markRelayIdle(tx, id)
    await insertAuditEntry(tx, staffId, { type: 'relay', action: 'disable', id, label: relay.inbox_url })
  })
}

/** Throws NotFound. */
export async function removeRelay(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const relay = await getRelay(tx, id)
    if ((await deleteStoredRelay(tx, id)) === 0) throw new NotFound()
    await unfollowRelay(tx, relay)
    await insertAuditEntry(tx, staffId, { type: 'relay', action: 'delete', id, label: relay.inbox_url })
  })
}

async function unfollowRelay(tx: Context, relay: RelayRow): Promise<void> {
  if (relay.follow_uri !== null)
    await federate(tx, {
      activity: 'follow-relay',
      undo: true,
      inboxUrl: relay.inbox_url,
      followUri: relay.follow_uri,
    })
  tx.publish({ type: 'settings.changed' })
}
