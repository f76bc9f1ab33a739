// Collections of accounts (FEP-7aa9).
import { publicCollection } from '../../../ap/audience.ts'
import { requestType } from '../../../ap/authorization.ts'
import { activityStreamsContext, featuredCollectionContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, CollectionItems } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri, collectionUri } from '../../../domain/server/addresses.ts'
import { featuredCollectionsUri, requestUri, usernameOf } from '../../ids.ts'
import { itemUri, renderCollections } from '../render/collection.ts'
import type { OutgoingActivity, Prepare } from './outgoing.ts'

/** Followers may want to know of a collection, and the servers of the accounts in it have it. */
const audienceOf = async (ctx: Context, accountId: string, collectionId: string): Promise<OutgoingActivity['to']> => {
  const members = await ctx.db.many<Pick<Accounts, 'id'>>(sql`
    select account_id as id from collection_items where collection_id = ${collectionId} and state in ('pending', 'accepted')`)
  return { followersOf: [accountId], accountIds: members.map(({ id }) => id) }
}

export const prepareCollection: Prepare<'collection' | 'update-collection'> = async (ctx, act) => {
  const { accountId, collectionId } = act
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  const uri = collectionUri(ctx, username, collectionId)
  const actor = accountUri(ctx, username)
  const topic = { kind: 'collection' as const, id: collectionId }
  const list = { to: [publicCollection], target: featuredCollectionsUri(ctx, username) }
  if (act.undo) {
    const activity = {
      '@context': activityStreamsContext,
      id: `${uri}#remove`,
      type: 'Remove',
      actor,
      ...list,
      object: uri,
    }
    return { accountId, activity, topic, to: { followersOf: [accountId], accountIds: act.to } }
  }
  const object = (await renderCollections(ctx, null, [collectionId])).get(collectionId)?.document
  if (!object) return null
  const add = { '@context': featuredCollectionContext, id: `${uri}#add`, type: 'Add', actor, ...list, object }
  const update = {
    '@context': featuredCollectionContext,
    id: `${uri}#updates/${Date.parse(String(object['updated']))}`,
    type: 'Update',
    actor,
    to: [publicCollection],
    object,
  }
  return {
    accountId,
    activity: act.activity === 'collection' ? add : update,
    topic,
    // Servers that have not received the Add yet receive it with the current collection.
    renewed: add,
    to: await audienceOf(ctx, accountId, collectionId),
  }
}

export const prepareItem: Prepare<'collection-item'> = async (ctx, act) => {
  const { accountId, collectionId, itemId } = act
  const username = await usernameOf(ctx, accountId)
  if (username === null) return null
  const target = collectionUri(ctx, username, collectionId)
  const uri = itemUri(target, itemId)
  const [actor, to, topic] = [
    accountUri(ctx, username),
    [publicCollection],
    { kind: 'collection-item' as const, id: itemId },
  ]
  const audience = await audienceOf(ctx, accountId, collectionId)
  if (act.undo) {
    const activity = {
      '@context': activityStreamsContext,
      id: `${uri}/remove`,
      type: 'Remove',
      actor,
      to,
      target,
      object: uri,
    }
    return { accountId, activity, topic, to: { ...audience, accountIds: [...(audience.accountIds ?? []), ...act.to] } }
  }
  const object = (await renderCollections(ctx, null, [collectionId])).get(collectionId)?.items.get(itemId)
  if (!object) return null
  const activity = { '@context': featuredCollectionContext, id: `${uri}/add`, type: 'Add', actor, to, target, object }
  return { accountId, activity, topic, to: audience }
}

type RequestedRow = Pick<Accounts, 'uri'> & Pick<CollectionItems, 'account_id' | 'collection_id'>

/** Asks a remote account whether it may be in a local collection; `id` is the item. */
export async function prepareFeatureRequest(
  ctx: Context,
  accountId: string,
  id: string,
): Promise<OutgoingActivity | null> {
  const username = await usernameOf(ctx, accountId)
  const row = await ctx.db.maybe<RequestedRow>(sql`
    select a.uri, i.account_id, i.collection_id from collection_items i join accounts a on a.id = i.account_id
    where i.id = ${id} and i.state = 'pending'`)
  if (username === null || !row?.uri || row.account_id === null) return null
  const activity = {
    '@context': featuredCollectionContext,
    id: requestUri(ctx, 'feature', username, id),
    type: requestType('feature'),
    actor: accountUri(ctx, username),
    to: row.uri,
    object: row.uri,
    instrument: collectionUri(ctx, username, row.collection_id),
  }
  return { accountId, activity, to: { accountIds: [row.account_id], inOwnInboxes: true } }
}
