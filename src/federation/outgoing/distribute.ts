import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { statusUri } from '../../domain/server/addresses.ts'
import { storeActivity, type StoreOptions } from '../../domain/peers/outbox.ts'
import type { Distribution } from '../../jobs/distribution.ts'
import { findAccountUri, usernameOf } from '../accounts.ts'
import { inboxesOf, type Recipients } from './recipients.ts'
import * as render from './render/activity.ts'
import { renderActor } from './render/actor.ts'
import { renderFeatureTag } from './render/hashtag.ts'
import { answerRequest, isAnswer, isRequest, requestInteraction, revokeQuote } from './distribute-requests.ts'
import { boost, deletion, note, undoBoost } from './distribute-statuses.ts'
import { vote } from './distribute-votes.ts'

/** Takes a post back from servers that are no recipients any more. */
export type Withdrawal = { activity: Record<string, unknown>; to: Recipients }
/** An outgoing activity: who says it, what, to which recipients; and what of it still waiting to be delivered it replaces. */
export type Outgoing = StoreOptions & {
  accountId: string
  activity: Record<string, unknown>
  to: Recipients
  withdrawn?: Withdrawal
}
export type Of<Name extends Distribution['activity']> = Extract<Distribution, { activity: Name }>

/**
 * Renders an activity once, stores it, and adds a delivery for each inbox that is to have it. Nothing happens when what it
 * was about is gone meanwhile: then its Delete is on its way.
 */
export async function distribute(ctx: Context, data: Distribution, jobId: string): Promise<void> {
  const outgoing = await prepare(ctx, data, jobId)
  if (!outgoing) return
  const { accountId, activity, to, withdrawn, ...options } = outgoing
  const inboxes = await inboxesOf(ctx, to)
  await storeActivity(ctx, accountId, activity, inboxes, options)
  if (!withdrawn) return
  const hosts = new Set(inboxes.map((inbox) => new URL(inbox).host))
  const former = (await inboxesOf(ctx, withdrawn.to)).filter((inbox) => !hosts.has(new URL(inbox).host))
  await storeActivity(ctx, accountId, withdrawn.activity, former)
}

function prepare(ctx: Context, data: Distribution, jobId: string): Promise<Outgoing | null> {
  if (isRequest(data)) return requestInteraction(ctx, data)
  if (isAnswer(data)) return answerRequest(ctx, data, jobId)
  switch (data.activity) {
    case 'create':
    case 'update':
    case 'refresh':
      return note(ctx, data, jobId)
    case 'vote':
      return vote(ctx, data)
    case 'revoke-quote':
      return revokeQuote(ctx, data)
    case 'delete':
      return deletion(ctx, data)
    case 'announce':
      return boost(ctx, data)
    case 'undo-announce':
      return undoBoost(ctx, data)
    case 'like':
      return like(ctx, data)
    case 'undo-like':
      return undoLike(ctx, data)
    case 'follow':
    case 'undo-follow':
    case 'block':
    case 'undo-block':
      return tie(ctx, data)
    case 'accept-follow':
    case 'reject-follow':
      return answer(ctx, data, jobId)
    case 'add-featured':
    case 'remove-featured':
      return featured(ctx, data, jobId)
    case 'add-featured-tag':
    case 'remove-featured-tag':
      return featuredTag(ctx, data, jobId)
    case 'move':
      return move(ctx, data)
    case 'update-actor':
    case 'delete-actor':
      return actor(ctx, data, jobId)
  }
}

async function like(ctx: Context, data: Of<'like'>): Promise<Outgoing | null> {
  const row = await ctx.db.maybe<{
    username: string
    uri: string | null
    author_id: string
    approval_uri: string | null
  }>(sql`
    select a.username, s.uri, s.account_id as author_id, f.approval_uri
    from favourites f join accounts a on a.id = f.account_id join statuses s on s.id = f.status_id where f.id = ${data.favouriteId} and f.approval is null`)
  if (!row?.uri) return null
  return {
    accountId: data.accountId,
    activity: render.renderLike(ctx, row.username, data.favouriteId, row.uri, row.approval_uri),
    topic: `like ${row.uri}`,
    to: { accountIds: [row.author_id] },
  }
}

async function undoLike(ctx: Context, data: Of<'undo-like'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  const again = await ctx.db.maybe(sql`
    select from favourites f join statuses s on s.id = f.status_id where f.account_id = ${data.accountId} and s.uri = ${data.originalUri}`)
  if (username === null || again) return null
  return {
    accountId: data.accountId,
    activity: render.renderUndo(ctx, username, render.renderLike(ctx, username, data.favouriteId, data.originalUri)),
    topic: `like ${data.originalUri}`,
    to: { accountIds: data.to },
  }
}

type Tie = Of<'follow' | 'undo-follow' | 'block' | 'undo-block'>

async function tie(ctx: Context, data: Tie): Promise<Outgoing | null> {
  const [username, target] = await Promise.all([
    usernameOf(ctx, data.accountId),
    findAccountUri(ctx, data.targetAccountId),
  ])
  if (username === null || target === null) return null
  // Done and undone in quick succession, only what stands in the end is told.
  const undoes = data.activity.startsWith('undo')
  if ((await isTied(ctx, data)) === undoes) return null
  const activity =
    'followId' in data
      ? render.renderFollow(ctx, username, data.followId, target)
      : render.renderBlock(ctx, username, data.blockId, target)
  return {
    accountId: data.accountId,
    activity: undoes ? render.renderUndo(ctx, username, activity) : activity,
    topic: `${data.activity.replace('undo-', '')} ${data.targetAccountId}`,
    to: { accountIds: [data.targetAccountId] },
  }
}

/** Whether the follow, or the wish to follow, or the block is there at the moment. */
async function isTied(ctx: Context, { activity, accountId, targetAccountId }: Tie): Promise<boolean> {
  const between = sql`account_id = ${accountId} and target_account_id = ${targetAccountId}`
  const tied = activity.endsWith('follow')
    ? sql`select 1 from follows where ${between} union all select 1 from follow_requests where ${between}`
    : sql`select 1 from blocks where ${between}`
  return (await ctx.db.maybe(sql`${tied} limit 1`)) !== null
}

async function answer(
  ctx: Context,
  data: Of<'accept-follow' | 'reject-follow'>,
  eventId: string,
): Promise<Outgoing | null> {
  const [username, follower] = await Promise.all([
    usernameOf(ctx, data.accountId),
    findAccountUri(ctx, data.targetAccountId),
  ])
  if (username === null || follower === null) return null
  const type = data.activity === 'accept-follow' ? 'Accept' : 'Reject'
  const follow = { ...(data.followUri === null ? {} : { id: data.followUri }), actor: follower }
  return {
    accountId: data.accountId,
    activity: render.renderAnswer(ctx, type, username, eventId, follow),
    topic: `follower ${data.targetAccountId}`,
    to: { accountIds: [data.targetAccountId] },
  }
}

async function featured(
  ctx: Context,
  data: Of<'add-featured' | 'remove-featured'>,
  eventId: string,
): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const type = data.activity === 'add-featured' ? 'Add' : 'Remove'
  return {
    accountId: data.accountId,
    activity: render.renderFeature(ctx, type, { username, object: statusUri(ctx, username, data.statusId), eventId }),
    topic: `featured ${data.statusId}`,
    to: { followersOf: [data.accountId] },
  }
}

async function featuredTag(
  ctx: Context,
  data: Of<'add-featured-tag' | 'remove-featured-tag'>,
  eventId: string,
): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const type = data.activity === 'add-featured-tag' ? 'Add' : 'Remove'
  return {
    accountId: data.accountId,
    activity: renderFeatureTag(ctx, type, { username, name: data.name, eventId }),
    topic: `featured #${data.name.toLowerCase()}`,
    to: { followersOf: [data.accountId] },
  }
}

async function move(ctx: Context, data: Of<'move'>): Promise<Outgoing | null> {
  const [username, target] = await Promise.all([
    usernameOf(ctx, data.accountId),
    findAccountUri(ctx, data.targetAccountId),
  ])
  if (username === null || target === null) return null
  return {
    accountId: data.accountId,
    activity: render.renderMove(ctx, username, data.moveId, target),
    to: { followersOf: [data.accountId], accountIds: [data.targetAccountId] },
  }
}

async function actor(
  ctx: Context,
  data: Of<'update-actor' | 'delete-actor'>,
  eventId: string,
): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const [accountId, topic] = [data.accountId, 'profile']
  if (data.activity === 'delete-actor')
    return { accountId, topic, activity: render.renderDeleteActor(ctx, username), to: { everybody: true } }
  const rendered = await renderActor(ctx, accountId)
  if (!rendered) return null
  const activity = render.renderUpdateActor(ctx, username, rendered, eventId)
  return { accountId, topic, activity, to: { followersOf: [accountId] } }
}
