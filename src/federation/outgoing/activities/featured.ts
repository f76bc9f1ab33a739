// Add and Remove: pinned posts and featured hashtags.
import { sql } from '../../../db/sql.ts'
import { statusUri } from '../../../domain/server/addresses.ts'
import { usernameOf } from '../../ids.ts'
import { normaliseTag } from '../../../lib/text/tags.ts'
import type { Prepare } from './outgoing.ts'
import { renderFeature } from '../render/activity.ts'
import { renderFeatureTag } from '../render/tags.ts'

// When an account features something and undoes it in quick succession, only the last state is sent.

export const prepareFeature: Prepare<'feature'> = async (ctx, { undo, accountId, statusId }, jobId) => {
  const pin = await ctx.db.maybe(
    sql`select from status_pins where account_id = ${accountId} and status_id = ${statusId}`,
  )
  const username = await usernameOf(ctx, accountId)
  if (username === null || (pin === null) !== (undo ?? false)) return null
  const object = statusUri(ctx, username, statusId)
  return {
    accountId,
    activity: renderFeature(ctx, undo ? 'Remove' : 'Add', { username, object, eventId: jobId }),
    topic: { kind: 'featured', id: statusId },
    to: { followersOf: [accountId] },
  }
}

export const prepareFeatureTag: Prepare<'feature-tag'> = async (ctx, { undo, accountId, name }, jobId) => {
  const featured = await ctx.db.maybe(sql`
    select from featured_tags f join tags t on t.id = f.tag_id
    where f.account_id = ${accountId} and t.name = ${normaliseTag(name)}`)
  const username = await usernameOf(ctx, accountId)
  if (username === null || (featured === null) !== (undo ?? false)) return null
  return {
    accountId,
    activity: renderFeatureTag(ctx, undo ? 'Remove' : 'Add', { username, name, eventId: jobId }),
    topic: { kind: 'featured-tag', id: name.toLowerCase() },
    to: { followersOf: [accountId] },
  }
}
