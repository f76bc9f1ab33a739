// What administrators do with auxiliary service providers.
import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteStoredProvider,
  getProvider,
  hasCapability,
  isUsable,
  storeCapability,
  storeProviderInfo,
  type Capability,
  type Provider,
} from '../../domain/fasp/providers.ts'
import { askProvider, fetchProviderInfo } from '../../domain/fasp/requests.ts'
import { NotFound, invalidRequest } from '../../lib/errors.ts'
import { FetchError } from '../../net/fetch-error.ts'

/** Throws Invalid, which says what went wrong, in place of FetchError. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FetchError) throw invalidRequest('fasp_failed', { reason: error.message })
    throw error
  }
}

type Act = 'confirm' | 'reject' | 'update' | 'delete'

const recordAct = (
  tx: Context,
  staffId: StaffId,
  { id, name }: Provider,
  { action, details = {} }: { action: Act; details?: Record<string, unknown> },
): Promise<void> =>
  insertAuditEntry(tx, staffId, {
    type: 'fasp_provider',
    action,
    // A refused registration has no page any more.
    id: action === 'reject' ? null : id,
    label: name,
    details,
  })

/**
 * Accepts a registration once the provider has said what it offers. Throws NotFound; Invalid when the provider does not answer.
 */
export async function confirmProvider(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  const provider = await getProvider(ctx, id)
  const info = await explained(fetchProviderInfo(ctx, provider))
  await ctx.transaction(async (tx) => {
    await storeProviderInfo(tx, id, info, { confirm: true })
    if (provider.confirmed_at === null)
      await recordAct(tx, staffId, provider, { action: 'confirm', details: { base_url: provider.base_url } })
  })
}

/** Reads again what a provider offers. Throws as confirmProvider. */
export async function refreshProvider(ctx: Context, id: string): Promise<void> {
  const provider = await getProvider(ctx, id)
  await storeProviderInfo(ctx, id, await explained(fetchProviderInfo(ctx, provider)), { confirm: false })
}

/** Refuses a registration, or ends the use of a provider: its requests are refused from now on. Throws NotFound. */
export async function deleteProvider(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const provider = await getProvider(tx, id)
    await deleteStoredProvider(tx, id)
    await recordAct(tx, staffId, provider, { action: provider.confirmed_at === null ? 'reject' : 'delete' })
  })
}

/**
 * Uses the chosen capabilities of a confirmed provider and no others, and tells the provider. Throws NotFound; Invalid when the
 * provider does not answer. Then a capability that was to be used is not used, and one that was in use is used no more.
 */
export async function chooseCapabilities(
  ctx: Context,
  staffId: StaffId,
  id: string,
  chosen: readonly string[],
): Promise<void> {
  const provider = await getProvider(ctx, id)
  if (provider.confirmed_at === null) throw new NotFound()
  for (const { id: capability } of provider.capabilities.filter(isUsable)) {
    const enabled = chosen.includes(capability)
    if (enabled === provider.enabled.includes(capability)) continue
    // Before the provider hears of it, as it may use the capability at once.
    await storeChoice(ctx, staffId, provider, { capability, enabled })
    const path = `/capabilities/${capability}/0/activation`
    try {
      await explained(askProvider(ctx, provider, { method: enabled ? 'POST' : 'DELETE', path }))
    } catch (error) {
      if (enabled) await storeChoice(ctx, staffId, provider, { capability, enabled: false })
      throw error
    }
  }
}

const storeChoice = (
  ctx: Context,
  staffId: StaffId,
  provider: Provider,
  { capability, enabled }: { capability: Capability; enabled: boolean },
): Promise<void> =>
  ctx.transaction(async (tx) => {
    if (await storeCapability(tx, provider.id, { capability, enabled }))
      await recordAct(tx, staffId, provider, { action: 'update', details: { [capability]: enabled } })
  })

/**
 * Asks a provider to call this server: the page of the provider shows its calls. Throws NotFound; Invalid when it does not
 * answer.
 */
export async function callForDebugging(ctx: Context, id: string): Promise<void> {
  const provider = await getProvider(ctx, id)
  if (!hasCapability(provider, 'callback')) throw new NotFound()
  const body = { from: ctx.config.webDomain, at: new Date().toISOString() }
  await explained(askProvider(ctx, provider, { method: 'POST', path: '/debug/v0/callback/logs', body }))
}
