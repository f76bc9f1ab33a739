import type { Context } from '../../context.ts'
import { insertAuditEntry } from '../../domain/audit/audit-log.ts'
import type { StaffId } from '../../domain/auth/staff.ts'
import {
  deleteDomainAllow,
  findDomainAllow,
  getDomainAllow,
  insertDomainAllows,
} from '../../domain/moderation/domain-allows.ts'
import { severDomains } from './sever.ts'

/** Federates with the domain in limited federation mode. Returns the id, also of an entry that existed. */
export async function allowDomain(ctx: Context, staffId: StaffId, domain: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const [created] = await insertDomainAllows(tx, [domain])
    if (!created) return (await findDomainAllow(tx, domain))?.id ?? '0'
    await tx.enqueue('moderation.apply-domain', { domain })
    tx.publish({ type: 'settings.changed' })
    await insertAuditEntry(tx, staffId, { type: 'domain_allow', action: 'create', id: created.id, label: domain })
    return created.id
  })
}

/** In limited federation mode, the domain's accounts are suspended and its follows severed. Throws NotFound. */
export async function disallowDomain(ctx: Context, staffId: StaffId, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { domain } = await getDomainAllow(tx, id)
    if (!(await deleteDomainAllow(tx, id))) return
    if (ctx.config.limitedFederation) {
      await severDomains(tx, [domain])
      await tx.enqueue('moderation.apply-domain', { domain })
    }
    tx.publish({ type: 'settings.changed' })
    await insertAuditEntry(tx, staffId, { type: 'domain_allow', action: 'delete', id, label: domain })
  })
}
