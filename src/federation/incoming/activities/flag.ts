import { receiveReport } from '../../../actions/moderation/file-report.ts'
import { idsOf } from '../../../ap/normalise.ts'
import type { Context } from '../../../context.ts'
import { findByUri } from '../../../domain/accounts/remote.ts'
import { domainPolicy } from '../../../domain/peers/domain-policy.ts'
import { MAX_REPORTED } from '../../../domain/reports/reports.ts'
import { parseLocalUrl } from '../../../domain/server/addresses.ts'
import { findStatusByUri } from '../../../domain/statuses/find.ts'
import type { Handler } from './incoming.ts'

/** In characters. Other servers may allow longer comments than this one. */
const MAX_REMOTE_COMMENT = 5000

/** A report by another server: its objects are accounts and their statuses. It makes one report for each account. */
export const receiveFlag: Handler = async (ctx, { activity, actor, forwarded }) => {
  if (forwarded || actor.domain === null || activity.id === null) return
  if ((await domainPolicy(ctx, actor.domain)).rejectReports) return
  const named = await readObjects(ctx, idsOf(activity.objects))
  const comment = [...(activity.content ?? '')].slice(0, MAX_REMOTE_COMMENT).join('').trim()
  await receiveReport(ctx, { accountId: actor.id, domain: actor.domain, uri: activity.id, comment, ...named })
}

async function readObjects(
  ctx: Context,
  uris: readonly string[],
): Promise<{ accountIds: string[]; statusIds: string[] }> {
  const accountIds: string[] = []
  const statusIds: string[] = []
  for (const uri of new Set(uris.slice(0, MAX_REPORTED))) {
    const isStatus = (parseLocalUrl(ctx, uri)?.statusId ?? null) !== null
    const account = isStatus ? null : await findByUri(ctx, uri)
    const status = account ? null : await findStatusByUri(ctx, uri)
    if (account) accountIds.push(account.id)
    if (status) statusIds.push(status.id)
  }
  return { accountIds, statusIds }
}
