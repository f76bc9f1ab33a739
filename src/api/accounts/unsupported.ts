// GET /api/v1/accounts/:id/identity_proofs: always empty, as there is no service left that would vouch for anybody.
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

// POST /api/v1/accounts/:id/email_subscriptions: newsletters of accounts, which this server does not send.

export const subscribeByEmail = route({
  summary: 'Be sent the posts of an account by mail: not found, as nobody here offers that',
  auth: 'public',
  params: { id: IdParam, email: Type.Optional(Type.String()) },
  returns: Empty,
  async handle() {
    throw new NotFound()
  },
})
