import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { NotFound, Unauthorized } from '../../lib/errors.ts'
import { message } from '../../messages/message.ts'
import { getSettings, type DomainBlockAudience } from '../server/settings.ts'

/** A blocked domain as the public may see it. `digest` (SHA-256, hex) lets those who know the domain recognise it. */
export type ShownDomainBlock = { domain: string; digest: string; severity: 'silence' | 'suspend'; comment?: string }

/**
 * Which domains are blocked here, the severest first. Throws NotFound where administrators keep that to themselves,
 * Unauthorized where only local accounts may read them.
 */
export async function listShownDomainBlocks(ctx: Context, isUser: boolean): Promise<ShownDomainBlock[]> {
  const { show_domain_blocks: audience, show_domain_blocks_rationale: rationale } = await getSettings(ctx)
  if (audience === 'disabled') throw new NotFound()
  if (!mayRead(audience, isUser)) throw new Unauthorized(message('method_requires_user'))
  const rows = await ctx.db.many<{
    domain: string
    severity: 'silence' | 'suspend'
    obfuscate: boolean
    public_comment: string | null
  }>(sql`
    select domain, severity, obfuscate, public_comment from domain_blocks
    where severity in ('silence', 'suspend') order by severity = 'silence', domain`)
  return rows.map((row) => ({
    domain: row.obfuscate ? obfuscated(row.domain) : row.domain,
    digest: createHash('sha256').update(row.domain).digest('hex'),
    severity: row.severity,
    ...(mayRead(rationale, isUser) ? { comment: row.public_comment ?? '' } : {}),
  }))
}

const mayRead = (audience: DomainBlockAudience, isUser: boolean): boolean =>
  audience === 'all' || (audience === 'users' && isUser)

/** Stars for the middle half; dots stay. */
function obfuscated(domain: string): string {
  const visible = Math.floor(domain.length / 4)
  return [...domain]
    .map((character, i) => (i > visible && i < domain.length - visible && character !== '.' ? '*' : character))
    .join('')
}
