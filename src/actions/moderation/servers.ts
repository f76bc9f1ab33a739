// Acts of administrators on one other server, other than blocks.
import type { Context } from '../../context.ts'
import { deleteEmojisOf } from '../../domain/emojis/remote.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import { deleteModerationNote, insertModerationNote, MAX_MODERATION_NOTE } from '../../domain/moderation/notes.ts'
import {
  clearHostFailures,
  getServer,
  listAccountsToPurge,
  listInboxHosts,
  stopDeliveries,
} from '../../domain/moderation/servers.ts'
import { NotFound, requiredText } from '../../lib/errors.ts'
import { retryDeliveriesNow } from '../../jobs/deliveries.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { purgeRemoteAccount } from '../accounts/delete.ts'
import { listOutdatedNodeInfo } from '../../domain/peers/node-info.ts'
import { runSeverance, startSeverance } from './sever.ts'

/** Closes the circuit breaker, and retries waiting deliveries. Throws NotFound. */
export async function retryServer(ctx: Context, staffId: StaffId, domain: string): Promise<void> {
  await getServer(ctx, domain)
  const hosts = await listInboxHosts(ctx, domain)
  await ctx.transaction(async (tx) => {
    await clearHostFailures(tx, hosts)
    const count = await retryDeliveriesNow(tx, hosts)
    const details = { deliveries: count }
    await insertAuditEntry(tx, staffId, {
      type: 'server',
      action: 'clear_failures',
      id: domain,
      label: domain,
      details,
    })
    await tx.enqueue('federation.node-info', { domain }, { key: domain })
  })
}

/** Stops or resumes deliveries to a server. Its own deliveries are still accepted. Throws NotFound. */
export async function setDeliveryStopped(
  ctx: Context,
  staffId: StaffId,
  domain: string,
  { stopped }: { stopped: boolean },
): Promise<void> {
  await getServer(ctx, domain)
  const hosts = await listInboxHosts(ctx, domain)
  await ctx.transaction(async (tx) => {
    await stopDeliveries(tx, hosts, stopped)
    const action = stopped ? 'stop_delivery' : 'resume_delivery'
    await insertAuditEntry(tx, staffId, { type: 'server', action, id: domain, label: domain })
    tx.publish({ type: 'settings.changed' })
  })
}

/** A job severs the follows with a server's accounts and deletes all that is stored of them, for good. Throws NotFound. */
export async function purgeServer(ctx: Context, staffId: StaffId, domain: string): Promise<void> {
  const { accounts } = await getServer(ctx, domain)
  await ctx.transaction(async (tx) => {
    const severanceId = await startSeverance(tx, { type: 'domain_block', domain }, { announced: true })
    await tx.enqueue('moderation.purge-domain', { domain, severanceId })
    const details = { accounts }
    await insertAuditEntry(tx, staffId, { type: 'server', action: 'purge', id: domain, label: domain, details })
  })
}

/** For other staff. Throws NotFound for an unknown server, Invalid for an empty or long note. */
export const addServerNote = (ctx: Context, staffId: StaffId, domain: string, content: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    await getServer(tx, domain)
    const text = requiredText('text', content, MAX_MODERATION_NOTE)
    await insertModerationNote(tx, { domain }, { authorId: staffId, content: text })
    await insertAuditEntry(tx, staffId, { type: 'server', action: 'add_note', id: domain, label: domain })
  })

/** Throws NotFound. */
export const removeServerNote = (ctx: Context, staffId: StaffId, domain: string, noteId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (!(await deleteModerationNote(tx, { domain }, noteId))) throw new NotFound()
    await insertAuditEntry(tx, staffId, { type: 'server', action: 'delete_note', id: domain, label: domain })
  })

/** Clean-up: asks servers what software they run. */
export async function enqueueNodeInfo(ctx: Context): Promise<void> {
  const outdated = await listOutdatedNodeInfo(ctx)
  await ctx.enqueueMany(
    'federation.node-info',
    outdated.map(({ domain }) => ({ domain })),
    ({ domain }) => domain,
  )
}

/** Seconds in which other servers receive the ends of the follows, before the accounts are deleted. */
const PURGE_DELAY = 120

/** Job `moderation.purge-domain`: first severs, and deletes some minutes later. */
export async function purgeDomain(
  ctx: Context,
  { domain, severanceId }: JobData['moderation.purge-domain'],
): Promise<void> {
  if (severanceId !== undefined) {
    await runSeverance(ctx, { severanceId })
    return ctx.enqueue('moderation.purge-domain', { domain }, { delay: PURGE_DELAY })
  }
  let after: string | undefined = '0'
  while (after !== undefined) {
    const ids: string[] = await listAccountsToPurge(ctx, domain, after)
    for (const id of ids) await purgeRemoteAccount(ctx, id)
    after = ids.at(-1)
  }
  await deleteEmojisOf(ctx, domain)
}
