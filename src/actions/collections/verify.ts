import type { Context } from '../../context.ts'
import { findByUri } from '../../domain/accounts/remote.ts'
import { listUnverifiedItems, markVerified, type UnverifiedItem } from '../../domain/collections/remote.ts'
import { WebfingerError } from '../../domain/peers/webfinger.ts'
import type { JobData } from '../../jobs/kinds.ts'
import { FetchError, isTemporary } from '../../net/fetch-error.ts'
import { isAuthorized } from '../remote/authorizations.ts'
import { fetchActor } from '../remote/resolve-account.ts'

/** Limits of one job: items that are verified at once, milliseconds. */
const CONCURRENCY = 5
const MAX_MS = 60_000

/**
 * Job `federation.collection`: verifies with their own servers that the accounts in a remote collection want to be there. Throws
 * at the end when a server could not be reached, and a retry may succeed. Items beyond the limits stay unverified until the
 * collection is received again.
 */
export async function verifyItems(ctx: Context, { collectionId }: JobData['federation.collection']): Promise<void> {
  const queue = await listUnverifiedItems(ctx, collectionId)
  const deadline = Date.now() + MAX_MS
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined && Date.now() < deadline; item = queue.shift()) {
      try {
        await markVerified(ctx, item, await verifiedAccount(ctx, item))
      } catch (error) {
        if (error instanceof FetchError && error.reason === 'cause-budget') return
        if (!(error instanceof FetchError) || !isTemporary(error)) throw error
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  if (failures.length > 0) throw failures[0]
}

/** Null when the account does not exist, or did not authorize it. Throws FetchError when a retry may succeed. */
async function verifiedAccount(ctx: Context, item: UnverifiedItem): Promise<string | null> {
  try {
    const account = (await findByUri(ctx, item.object_uri)) ?? (await fetchActor(ctx, item.object_uri))
    if (!account || account.domain === null) return null
    const authorized = await isAuthorized(ctx, {
      kind: 'feature',
      uri: item.approval_uri,
      authorUri: account.uri,
      interactingObject: item.collection_uri,
      interactionTarget: account.uri,
    })
    return authorized ? account.id : null
  } catch (error) {
    const isFinal = error instanceof FetchError && !isTemporary(error) && error.reason !== 'cause-budget'
    if (!isFinal && !(error instanceof WebfingerError)) throw error
    return null
  }
}
