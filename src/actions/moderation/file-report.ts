import { formatHandle, normaliseDomain } from '../../ap/handle.ts'
import type { Context } from '../../context.ts'
import { type AccountRow, getAccountRow, getShownAccount } from '../../domain/accounts/find.ts'
import {
  checkReportedCollections,
  checkReportedStatuses,
  findRepliedDomains,
  findReportedByServer,
} from '../../domain/reports/reportable.ts'
import {
  type NewReport,
  type ReportCategory,
  countRecentReportsFrom,
  hasOtherUnresolvedReport,
  insertReport,
} from '../../domain/reports/reports.ts'
import { NotFound } from '../../lib/errors.ts'
import { federate } from '../federate.ts'
import { notify } from '../notifications/notify.ts'
import { triggerWebhooks } from '../server/webhooks.ts'
import { checkRules } from './handle-reports.ts'
import { mailStaff } from './mail-staff.ts'

/** Reports from one server, with its subdomains, within a day: as many as a local user may file. */
const MAX_REMOTE_REPORTS = 400

export type ReportForm = {
  accountId: string
  targetAccountId: string
  /** Rules make it a `violation`, as in Mastodon. */
  category?: ReportCategory | undefined
  comment?: string | undefined
  statusIds: readonly string[]
  collectionIds: readonly string[]
  ruleIds: readonly string[]
  /** Whether to send a copy to other servers: those in `forwardToDomains`, or the server of the reported account. */
  forward: boolean
  forwardToDomains?: readonly string[] | undefined
}

/**
 * Stores the report of a local account, tells staff, and sends it to other servers without the name of the reporter. Returns its
 * id. Throws NotFound when the reporter cannot see the account or what it wrote, and Invalid for unknown rules.
 */
export async function fileReport(ctx: Context, form: ReportForm): Promise<string> {
  const target = await getShownAccount(ctx, form.targetAccountId)
  if (target.suspended_at) throw new NotFound()
  const statusIds = [...new Set(form.statusIds)]
  const collectionIds = [...new Set(form.collectionIds)]
  const ruleIds = [...new Set(form.ruleIds)]
  await checkReportedStatuses(ctx, form.accountId, target.id, statusIds)
  await checkReportedCollections(ctx, form.accountId, target.id, collectionIds)
  await checkRules(ctx, ruleIds)
  const report = {
    accountId: form.accountId,
    targetAccountId: target.id,
    category: ruleIds.length > 0 ? 'violation' : (form.category ?? 'other'),
    comment: form.comment?.trim() ?? '',
    statusIds,
    collectionIds,
    ruleIds,
    forwardedTo: form.forward ? await chooseDomains(ctx, target, statusIds, form.forwardToDomains) : [],
  } as const
  return ctx.transaction(async (tx) => {
    const id = await storeReport(tx, report)
    if (id === null) throw new Error('a report without a URI was not stored')
    if (report.forwardedTo.length > 0) await federate(tx, { activity: 'flag', reportId: id })
    return id
  })
}

/**
 * The requested domains that are the target's, or those of remote accounts to which the statuses reply. None for a local target.
 */
async function chooseDomains(
  ctx: Context,
  target: AccountRow,
  statusIds: readonly string[],
  requested: readonly string[] = [target.domain ?? ''],
): Promise<string[]> {
  if (target.domain === null) return []
  const known = new Set([target.domain, ...(await findRepliedDomains(ctx, statusIds))])
  return [...new Set(requested.flatMap((domain) => normaliseDomain(domain.trim()) ?? []))].filter((each) =>
    known.has(each),
  )
}

export type RemoteReport = {
  /** The actor that sent the Flag: an instance actor, or the reporter. */
  accountId: string
  domain: string
  uri: string | null
  comment: string
  accountIds: readonly string[]
  statusIds: readonly string[]
  collectionIds: readonly string[]
}

/**
 * Stores one report for each account that the server may report. May run twice. Drops reports of a server that files too many.
 */
export async function receiveReport(ctx: Context, report: RemoteReport): Promise<void> {
  const { accountId, domain, uri, comment } = report
  const targets = await findReportedByServer(ctx, domain, report)
  if (targets.length === 0) return
  if ((await countRecentReportsFrom(ctx, domain)) >= MAX_REMOTE_REPORTS) {
    ctx.log.warn({ domain }, 'report.dropped')
    return
  }
  await ctx.transaction(async (tx) => {
    for (const [i, { accountId: targetAccountId, statusIds, collectionIds }] of targets.entries()) {
      // The URI is unique; the first of several reports shows that the activity was processed.
      const stored = {
        accountId,
        targetAccountId,
        category: 'other',
        comment,
        statusIds,
        collectionIds,
        uri: i === 0 ? uri : null,
      } as const
      if ((await storeReport(tx, stored)) === null) return
    }
  })
}

/** Also tells staff. Null when a report with its URI is stored. */
async function storeReport(tx: Context, report: NewReport): Promise<string | null> {
  const id = await insertReport(tx, report)
  if (id === null) return null
  // Staff know of the account already while another report about it is unresolved; many may report the same post.
  if (!(await hasOtherUnresolvedReport(tx, report.targetAccountId, id))) await notifyStaff(tx, id, report)
  await triggerWebhooks(tx, 'report.created', id)
  return id
}

async function notifyStaff(tx: Context, id: string, report: NewReport): Promise<void> {
  await notify(tx, {
    type: 'admin.report',
    fromAccountId: report.accountId,
    subjectId: id,
    to: { may: 'manage_reports' },
  })
  await mailAbout(tx, id, report)
}

/** `reporter` in the mail is a handle, or the server of a remote account. */
const mailAbout = (tx: Context, id: string, { accountId, targetAccountId }: NewReport): Promise<void> =>
  mailStaff(
    tx,
    'report',
    async () => {
      const [reporter, target] = await Promise.all([getAccountRow(tx, accountId), getAccountRow(tx, targetAccountId)])
      return {
        reporter: reporter.domain ?? `@${reporter.username}`,
        target: `@${formatHandle(target)}`,
        link: `${tx.config.baseUrl}/admin/reports/${id}`,
      }
    },
    { exceptId: accountId },
  )
