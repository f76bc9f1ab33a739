import Type, { type Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { CanonicalEmailBlock } from '../../domain/registration/canonical-email-blocks.ts'
import { readAttempts, type EmailDomainBlock } from '../../domain/registration/email-domain-blocks.ts'
import { DateTime, Id } from '../schema.ts'

/** https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/ */
export const AdminEmailDomainBlock = Type.Object(
  {
    id: Id,
    domain: Type.String(),
    created_at: DateTime,
    /** The newest day first. `accounts`: different IP addresses. */
    history: Type.Array(Type.Object({ day: Type.String(), accounts: Type.String(), uses: Type.String() })),
    allow_with_approval: Type.Boolean(),
  },
  { $id: 'Admin_EmailDomainBlock' },
)

/** In the order of the rows. */
export async function presentEmailDomainBlocks(
  ctx: Context,
  rows: readonly EmailDomainBlock[],
): Promise<Static<typeof AdminEmailDomainBlock>[]> {
  const attempts = await readAttempts(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, domain, created_at, allow_with_approval }) => ({
    id,
    domain,
    created_at: created_at.toISOString(),
    history: (attempts.get(id) ?? []).map(({ day, accounts, uses }) => ({
      day,
      accounts: String(accounts),
      uses: String(uses),
    })),
    allow_with_approval,
  }))
}

/** https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/ */
export const AdminCanonicalEmailBlock = Type.Object(
  { id: Id, canonical_email_hash: Type.String() },
  { $id: 'Admin_CanonicalEmailBlock' },
)

export const presentCanonicalEmailBlock = ({
  id,
  canonical_email_hash,
}: CanonicalEmailBlock): Static<typeof AdminCanonicalEmailBlock> => ({ id, canonical_email_hash })
