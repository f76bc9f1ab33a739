// Collections of accounts (FEP-7aa9).
import { requestType } from '../../../ap/authorization.ts'
import { featuredCollectionContext } from '../../../ap/context.ts'
import type { Context } from '../../../context.ts'
import type { Accounts, CollectionItems } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { accountUri, collectionUri } from '../../../domain/server/addresses.ts'
import { requestUri, usernameOf } from '../../ids.ts'
import type { OutgoingActivity } from './outgoing.ts'

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
  return { accountId, activity, to: { accountIds: [row.account_id] } }
}
