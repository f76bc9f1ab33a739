// POST /api/v1/accounts/:id/block, /unblock, /mute, /unmute, /note
import Type from 'typebox'
import { getShownAccount } from '../../domain/accounts/find.ts'
import { block, unblock } from '../../actions/accounts/block.ts'
import { mute, unmute } from '../../actions/accounts/mute.ts'
import { writeNote } from '../../domain/relationships/relationship.ts'
import { presentRelationship, Relationship } from '../../entities/relationship.ts'
import { IdParam } from '../../http/params.ts'
import { route } from '../../http/route.ts'

export const blockAccount = route({
  summary: 'Block an account; follows between the two end',
  scope: 'write:blocks',
  params: { id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await block(ctx, { accountId: viewer.accountId, targetAccountId: id })
    return presentRelationship(ctx, viewer, id)
  },
})

export const unblockAccount = route({
  summary: 'Take back a block',
  scope: 'write:blocks',
  params: { id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await unblock(ctx, { accountId: viewer.accountId, targetAccountId: id })
    return presentRelationship(ctx, viewer, id)
  },
})

export const muteAccount = route({
  summary: 'Mute an account, for good or for some seconds',
  scope: 'write:mutes',
  params: {
    id: IdParam,
    notifications: Type.Optional(Type.Boolean()),
    duration: Type.Optional(Type.Integer({ lenient: true, minimum: 0 })),
  },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await mute(ctx, {
      accountId: viewer.accountId,
      targetAccountId: id,
      notifications: params.notifications ?? true,
      duration: params.duration ?? 0,
    })
    return presentRelationship(ctx, viewer, id)
  },
})

export const unmuteAccount = route({
  summary: 'End a mute',
  scope: 'write:mutes',
  params: { id: IdParam },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await unmute(ctx, { accountId: viewer.accountId, targetAccountId: id })
    return presentRelationship(ctx, viewer, id)
  },
})

export const noteAccount = route({
  summary: 'Keep a private remark about an account; an empty one is removed',
  scope: 'write:accounts',
  params: { id: IdParam, comment: Type.Optional(Type.String()) },
  returns: Relationship,
  async handle({ ctx, viewer, params }) {
    const { id } = await getShownAccount(ctx, params.id)
    await writeNote(ctx, { accountId: viewer.accountId, targetAccountId: id, comment: params.comment ?? '' })
    return presentRelationship(ctx, viewer, id)
  },
})
