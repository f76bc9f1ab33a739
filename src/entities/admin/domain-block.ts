import Type, { type Static } from 'typebox'
import { type AdminDomainBlockRow, BLOCK_SEVERITIES } from '../../domain/moderation/domain-blocks.ts'
import { domainDigest } from '../../domain/peers/domain-policy.ts'
import { DateTime, Id } from '../schema.ts'

export const BlockSeverityParam = Type.Enum([...BLOCK_SEVERITIES])

/** https://docs.joinmastodon.org/entities/Admin_DomainBlock/ */
export const AdminDomainBlock = Type.Object(
  {
    id: Id,
    domain: Type.String(),
    digest: Type.String(),
    created_at: DateTime,
    severity: BlockSeverityParam,
    reject_media: Type.Boolean(),
    reject_reports: Type.Boolean(),
    private_comment: Type.Union([Type.String(), Type.Null()]),
    public_comment: Type.Union([Type.String(), Type.Null()]),
    obfuscate: Type.Boolean(),
  },
  { $id: 'AdminDomainBlock' },
)
type AdminDomainBlock = Static<typeof AdminDomainBlock>

export const presentAdminDomainBlock = (row: AdminDomainBlockRow): AdminDomainBlock => ({
  id: row.id,
  domain: row.domain,
  digest: domainDigest(row.domain),
  created_at: row.created_at.toISOString(),
  severity: row.severity,
  reject_media: row.reject_media,
  reject_reports: row.reject_reports,
  private_comment: row.private_comment,
  public_comment: row.public_comment,
  obfuscate: row.obfuscate,
})
