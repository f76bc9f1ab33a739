// Endpoints that this server does not support: they return nothing.
import { getShownAccount } from '../../domain/accounts/find.ts'
import { DateTime } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import Type from 'typebox'

const IdentityProof = Type.Object(
  {
    provider: Type.String(),
    provider_username: Type.String(),
    updated_at: DateTime,
    proof_url: Type.String(),
    profile_url: Type.String(),
  },
  { $id: 'IdentityProof' },
)

export const getIdentityProofs = route({
  summary: 'Always an empty list, for old clients',
  scope: 'read:accounts',
  params: { id: IdParam },
  returns: Type.Array(IdentityProof),
  deprecated: Date.UTC(2022, 2, 30) / 1000,
  async handle({ ctx, params }) {
    await getShownAccount(ctx, params.id)
    return []
  },
})
