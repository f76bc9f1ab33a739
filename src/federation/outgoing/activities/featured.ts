// Add and Remove: pinned posts and featured hashtags.
import { statusUri } from '../../../domain/server/addresses.ts'
import { usernameOf } from '../../ids.ts'
import type { Prepare } from './outgoing.ts'
import { renderFeature } from '../render/activity.ts'
import { renderFeatureTag } from '../render/tags.ts'

export const prepareFeature: Prepare<'feature'> = async (ctx, { undo, accountId, statusId }, jobId) => {
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  const object = statusUri(ctx, username, statusId)
  return {
    accountId,
    activity: renderFeature(ctx, undo ? 'Remove' : 'Add', { username, object, eventId: jobId }),
    topic: { kind: 'featured', id: statusId },
    to: { followersOf: [accountId] },
  }
}

export const prepareFeatureTag: Prepare<'feature-tag'> = async (ctx, { undo, accountId, name }, jobId) => {
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  return {
    accountId,
    activity: renderFeatureTag(ctx, undo ? 'Remove' : 'Add', { username, name, eventId: jobId }),
    topic: { kind: 'featured-tag', id: name.toLowerCase() },
    to: { followersOf: [accountId] },
  }
}
