// GET /api/v1/accounts/:id/identity_proofs: always empty, as there is no service left that would vouch for anybody.
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { DateTime } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

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
  summary: 'Nothing: kept for clients that ask',
  scope: 'read:accounts',
  params: { id: IdParam },
  returns: Type.Array(IdentityProof),
  deprecated: Date.UTC(2022, 2, 30) / 1000,
  async handle({ ctx, params }) {
    await getShownAccount(ctx, params.id)
    return []
  },
})
