import { receiveReport } from '../../../actions/moderation/file-report.ts'
import { idsOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { domainPolicy } from '../../../domain/peers/domain-policy.ts'
import { MAX_REPORTED } from '../../../domain/reports/reports.ts'
import { parseCollectionUrl } from '../../../domain/server/addresses.ts'
import { findStatusIdsByUri } from '../../../domain/statuses/find.ts'
import { findAccountsByAddress } from '../../../domain/statuses/mentions.ts'
import type { Handler } from './incoming.ts'

/** In characters. Other servers may allow longer comments than this one. */
const MAX_REMOTE_COMMENT = 5000

/** A report by another server: its objects are accounts, their statuses and collections. It makes one report for each account. */
export const receiveFlag: Handler = async (ctx, { activity, actor, forwarded }) => {
  if (forwarded || actor.domain === null) return
  if ((await domainPolicy(ctx, actor.domain)).rejectReports) return
  const named = await readObjects(ctx, idsOf(activity.objects))
  const comment = [...(activity.content ?? '')].slice(0, MAX_REMOTE_COMMENT).join('').trim()
  await receiveReport(ctx, { accountId: actor.id, domain: actor.domain, uri: activity.id, comment, ...named })
}

async function readObjects(
  ctx: Context,
  uris: readonly string[],
): Promise<{ accountIds: string[]; statusIds: string[]; collectionIds: string[] }> {
  const named = uris.slice(0, MAX_REPORTED)
  const [accounts, statusIds] = await Promise.all([findAccountsByAddress(ctx, named), findStatusIdsByUri(ctx, named)])
  const collectionIds = named.flatMap((uri) => parseCollectionUrl(ctx, uri) ?? [])
  return { accountIds: [...accounts.values()], statusIds, collectionIds }
}
