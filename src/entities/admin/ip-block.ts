import Type, { type Static } from 'typebox'
import { IP_BLOCK_SEVERITIES, type IpBlock as Row } from '../../domain/registration/ip-blocks.ts'
import { DateTime, Id, nullable } from '../schema.ts'

export const IpSeverity = Type.Enum([...IP_BLOCK_SEVERITIES])

/** https://docs.joinmastodon.org/entities/Admin_IpBlock/ */
export const AdminIpBlock = Type.Object(
  {
    id: Id,
    ip: Type.String(),
    severity: IpSeverity,
    comment: Type.String(),
    created_at: DateTime,
    expires_at: nullable(DateTime),
  },
  { $id: 'Admin_IpBlock' },
)

export const presentIpBlock = ({
  id,
  ip,
  severity,
  comment,
  created_at,
  expires_at,
}: Row): Static<typeof AdminIpBlock> => ({
  id,
  ip,
  severity,
  comment,
  created_at: created_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
})
