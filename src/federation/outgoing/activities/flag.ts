import { activityStreamsContext } from '../../../ap/context.ts'
import type { Accounts, Collections, Statuses } from '../../../db/schema.ts'
import { sql } from '../../../db/sql.ts'
import { instanceActorUri } from '../../../domain/accounts/keys.ts'
import { getReport } from '../../../domain/reports/reports.ts'
import { findAccountUri } from '../../ids.ts'
import type { Prepare } from './outgoing.ts'

type ReportedStatus = Pick<Statuses, 'uri'> & { replied_id: Accounts['id'] | null; replied_domain: string | null }

/**
 * A report for the server of the reported account, and for the servers of accounts that the reported statuses reply to. The
 * instance actor sends it, so it does not tell who reported.
 */
export const prepareFlag: Prepare<'flag'> = async (ctx, { reportId }, jobId) => {
  const report = await getReport(ctx, reportId)
  const [target, statuses, collections] = await Promise.all([
    findAccountUri(ctx, report.target_account_id),
    ctx.db.many<ReportedStatus>(sql`
      select s.uri, replied.id as replied_id, replied.domain as replied_domain
      from statuses s left join accounts replied on replied.id = s.in_reply_to_account_id
      where s.id = any(${report.status_ids}::bigint[]) and s.uri is not null order by s.id`),
    ctx.db.many<Pick<Collections, 'uri'>>(sql`
      select uri from collections where id = any(${report.collection_ids}::bigint[]) and uri is not null order by id`),
  ])
  if (target === null) return null
  const domains = new Set(report.forwarded_to)
  const replied = statuses.filter(({ replied_domain }) => replied_domain !== null && domains.has(replied_domain))
  const isForOrigin = await ctx.db.maybe(sql`
    select from accounts where id = ${report.target_account_id} and domain = any(${report.forwarded_to}::text[])`)
  return {
    accountId: null,
    activity: {
      '@context': activityStreamsContext,
      id: `${instanceActorUri(ctx)}#flags/${jobId}`,
      type: 'Flag',
      actor: instanceActorUri(ctx),
      content: report.comment,
      object: [target, ...[...statuses, ...collections].map(({ uri }) => uri)],
    },
    to: {
      accountIds: [
        ...(isForOrigin ? [report.target_account_id] : []),
        ...replied.flatMap(({ replied_id }) => replied_id ?? []),
      ],
    },
  }
}
