// Endpoints that this server does not support: they return nothing, or not found.
import { getShownAccount } from '../../domain/accounts/find.ts'
import { DateTime, Empty } from '../../entities/schema.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'
import { NotFound } from '../../lib/errors.ts'
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

export const subscribeByEmail = route({
  summary: 'Subscribe to an account by mail; always not found, as this server does not offer that',
  auth: 'public',
  params: { id: IdParam, email: Type.Optional(Type.String()) },
  returns: Empty,
  async handle() {
    throw new NotFound()
  },
})
