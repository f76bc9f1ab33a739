import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { accountUri, statusUri } from '../domain/instance/addresses.ts'
import { storeActivity, type StoreOptions } from '../domain/instance/outbox.ts'
import type { Distribution } from '../jobs/names.ts'
import { newId } from '../lib/ids.ts'
import { findAccountUri, usernameOf } from './accounts.ts'
import { inboxesOf, type Recipients } from './recipients.ts'
import * as render from './render/activity.ts'
import { renderActor } from './render/actor.ts'
import { renderFeatureTag } from './render/hashtag.ts'
import { loadNotes, type NoteRow } from './render/note.ts'
import { acceptOrRejectQuote, requestQuote, revokeQuote } from './distribute-quotes.ts'
import { vote } from './distribute-votes.ts'

/** What goes out: by whom, what, to whom; and what of it still waits to be delivered is done with. */
export type Outgoing = StoreOptions & { accountId: string; activity: Record<string, unknown>; to: Recipients }
export type Of<Name extends Distribution['activity']> = Extract<Distribution, { activity: Name }>

/**
 * Renders an activity once, stores it, and adds a delivery for each inbox that is to have it. Nothing happens when what it
 * was about is gone meanwhile: then its Delete is on its way.
 */
export async function distribute(ctx: Context, data: Distribution): Promise<void> {
  const outgoing = await prepare(ctx, data)
  if (!outgoing) return
  const { accountId, activity, to, ...options } = outgoing
  await storeActivity(ctx, accountId, activity, await inboxesOf(ctx, to), options)
}

function prepare(ctx: Context, data: Distribution): Promise<Outgoing | null> {
  switch (data.activity) {
    case 'create':
    case 'update':
    case 'refresh':
      return note(ctx, data)
    case 'vote':
      return vote(ctx, data)
    case 'request-quote':
      return requestQuote(ctx, data)
    case 'accept-quote':
    case 'reject-quote':
      return acceptOrRejectQuote(ctx, data)
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
      return answer(ctx, data)
    case 'add-featured':
    case 'remove-featured':
      return featured(ctx, data)
    case 'add-featured-tag':
    case 'remove-featured-tag':
      return featuredTag(ctx, data)
    case 'move':
      return move(ctx, data)
    case 'update-actor':
    case 'delete-actor':
      return actor(ctx, data)
  }
}

async function note(
  ctx: Context,
  { activity, statusId }: Of<'create' | 'update'> | Of<'refresh'>,
): Promise<Outgoing | null> {
  const row = (await loadNotes(ctx, [statusId])).get(statusId)
  if (!row) return null
  const open = row.visibility === 'public' || row.visibility === 'unlisted'
  const named = await ctx.db.many<{ id: string }>(sql`
    select account_id as id from mentions where status_id = ${statusId}
    union select in_reply_to_account_id from statuses where id = ${statusId} and ${open} and in_reply_to_account_id is not null
    union select quoted_account_id from quotes where status_id = ${statusId} and ${open} and quoted_account_id is not null`)
  return {
    accountId: row.account_id,
    activity: renderAs(ctx, activity, row),
    topic: statusTopic(statusId),
    statusId,
    // Who has not been told of the post yet is told of it as it is now.
    renewed: render.renderCreate(ctx, row),
    to: {
      accountIds: named.map(({ id }) => id),
      ...(row.visibility === 'direct' ? {} : { followersOf: row.account_id }),
      ...(activity !== 'create' && open ? { reachOf: statusId } : {}),
    },
  }
}

const statusTopic = (statusId: string): string => `status ${statusId}`

function renderAs(ctx: Context, activity: 'create' | 'update' | 'refresh', row: NoteRow): Record<string, unknown> {
  if (activity === 'create') return render.renderCreate(ctx, row)
  return activity === 'update' ? render.renderUpdate(ctx, row) : render.renderRefresh(ctx, row, new Date())
}

async function deletion(ctx: Context, data: Of<'delete'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const to = { accountIds: data.to, ...(data.visibility === 'direct' ? {} : { followersOf: data.accountId }) }
  const activity = render.renderDelete(ctx, username, data.statusId)
  return { accountId: data.accountId, activity, topic: statusTopic(data.statusId), to }
}

async function boost(ctx: Context, { statusId }: Of<'announce'>): Promise<Outgoing | null> {
  const row = await ctx.db.maybe<{
    account_id: string
    username: string
    visibility: string
    created_at: Date
    original_id: string
    original_uri: string | null
    author_id: string
    author_username: string
    author_uri: string | null
  }>(sql`
    select s.account_id, a.username, s.visibility, s.created_at, o.id as original_id, o.uri as original_uri,
      o.account_id as author_id, oa.username as author_username, oa.uri as author_uri
    from statuses s join accounts a on a.id = s.account_id join statuses o on o.id = s.reblog_of_id join accounts oa on oa.id = o.account_id
    where s.id = ${statusId} and s.local`)
  if (!row) return null
  const activity = render.renderAnnounce(ctx, {
    id: statusId,
    username: row.username,
    visibility: row.visibility,
    originalUri: row.original_uri ?? statusUri(ctx, row.author_username, row.original_id),
    originalAuthorUri: row.author_uri ?? accountUri(ctx, row.author_username),
    createdAt: row.created_at,
  })
  return {
    accountId: row.account_id,
    activity,
    topic: statusTopic(statusId),
    statusId,
    to: { followersOf: row.account_id, accountIds: [row.author_id] },
  }
}

async function undoBoost(ctx: Context, data: Of<'undo-announce'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const announce = render.renderAnnounce(ctx, {
    id: data.statusId,
    username,
    visibility: data.visibility,
    originalUri: data.originalUri,
    originalAuthorUri: null,
    createdAt: new Date(),
  })
  return {
    accountId: data.accountId,
    activity: render.renderUndo(ctx, username, announce),
    topic: statusTopic(data.statusId),
    to: { followersOf: data.accountId, accountIds: data.to },
  }
}

async function like(ctx: Context, data: Of<'like'>): Promise<Outgoing | null> {
  const row = await ctx.db.maybe<{ username: string; uri: string | null; author_id: string }>(sql`
    select a.username, s.uri, s.account_id as author_id
    from favourites f join accounts a on a.id = f.account_id join statuses s on s.id = f.status_id where f.id = ${data.favouriteId}`)
  if (!row?.uri) return null
  return {
    accountId: data.accountId,
    activity: render.renderLike(ctx, row.username, data.favouriteId, row.uri),
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

async function answer(ctx: Context, data: Of<'accept-follow' | 'reject-follow'>): Promise<Outgoing | null> {
  const [username, follower] = await Promise.all([
    usernameOf(ctx, data.accountId),
    findAccountUri(ctx, data.targetAccountId),
  ])
  if (username === null || follower === null) return null
  const type = data.activity === 'accept-follow' ? 'Accept' : 'Reject'
  const follow = { ...(data.followUri === null ? {} : { id: data.followUri }), actor: follower }
  return {
    accountId: data.accountId,
    activity: render.renderAnswer(ctx, type, username, newId(), follow),
    topic: `follower ${data.targetAccountId}`,
    to: { accountIds: [data.targetAccountId] },
  }
}

async function featured(ctx: Context, data: Of<'add-featured' | 'remove-featured'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const type = data.activity === 'add-featured' ? 'Add' : 'Remove'
  return {
    accountId: data.accountId,
    activity: render.renderFeature(ctx, type, username, statusUri(ctx, username, data.statusId)),
    topic: `featured ${data.statusId}`,
    to: { followersOf: data.accountId },
  }
}

async function featuredTag(
  ctx: Context,
  data: Of<'add-featured-tag' | 'remove-featured-tag'>,
): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const type = data.activity === 'add-featured-tag' ? 'Add' : 'Remove'
  return {
    accountId: data.accountId,
    activity: renderFeatureTag(ctx, type, username, data.name),
    topic: `featured #${data.name.toLowerCase()}`,
    to: { followersOf: data.accountId },
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
    to: { followersOf: data.accountId, accountIds: [data.targetAccountId] },
  }
}

async function actor(ctx: Context, data: Of<'update-actor' | 'delete-actor'>): Promise<Outgoing | null> {
  const username = await usernameOf(ctx, data.accountId)
  if (username === null) return null
  const [accountId, topic] = [data.accountId, 'profile']
  if (data.activity === 'delete-actor')
    return { accountId, topic, activity: render.renderDeleteActor(ctx, username), to: { everybody: true } }
  const rendered = await renderActor(ctx, accountId)
  if (!rendered) return null
  const activity = render.renderUpdateActor(ctx, username, rendered, new Date())
  return { accountId, topic, activity, to: { followersOf: accountId } }
}
