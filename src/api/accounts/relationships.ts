// GET /api/v1/accounts/relationships and /familiar_followers: how the caller stands to others.
import Type from 'typebox'
import { findShownIds } from '../../domain/accounts/find.ts'
import { findFamiliarFollowers } from '../../domain/relationships/lists.ts'
import { FamiliarFollowers, presentFamiliarFollowers } from '../../entities/familiar-followers.ts'
import { presentRelationships, Relationship } from '../../entities/relationship.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

const ids = Type.Optional(Type.Array(IdParam))

export const getRelationships = route({
  summary: 'Follows, blocks, mutes and the rest between the caller and other accounts',
  scope: 'read:follows',
  params: { id: ids, with_suspended: Type.Optional(Type.Boolean()) },
  returns: Type.Array(Relationship),
  async handle({ ctx, viewer, params }) {
    return presentRelationships(
      ctx,
      viewer,
      await findShownIds(ctx, params.id ?? [], { suspended: params.with_suspended ?? false }),
    )
  },
})

export const getFamiliarFollowers = route({
  summary: 'Whom the caller follows among the followers of other accounts',
  scope: 'read:follows',
  params: { id: ids },
  returns: Type.Array(FamiliarFollowers),
  async handle({ ctx, viewer, params }) {
    return presentFamiliarFollowers(ctx, await findFamiliarFollowers(ctx, viewer.accountId, params.id ?? []))
  },
})
