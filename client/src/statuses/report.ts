// A report while it is written.
import type { Account, Report, Status } from '../api/entities.ts'
import { api, read, readPage } from '../api/client.ts'

/** What is not liked is no matter for moderators: the reader decides what they see. */
export type ReportCategory = 'dislike' | Report['category']

export type ReportDraft = {
  category: ReportCategory | null
  ruleIds: readonly string[]
  statusIds: readonly string[]
  comment: string
  forward: boolean
}

export type ReportStep = 'category' | 'rules' | 'statuses' | 'comment' | 'done'

/** Rules are asked for only where they are broken. */
export function stepsOf({ category }: ReportDraft): ReportStep[] {
  if (category === 'dislike') return ['category', 'done']
  return category === 'violation'
    ? ['category', 'rules', 'statuses', 'comment', 'done']
    : ['category', 'statuses', 'comment', 'done']
}

/** What is missing in a step keeps the reader from going on. */
export function isComplete(step: ReportStep, { category, ruleIds }: ReportDraft): boolean {
  if (step === 'category') return category !== null
  return step !== 'rules' || ruleIds.length > 0
}

export async function sendReport(account: Account, draft: ReportDraft): Promise<void> {
  const { category, ruleIds, statusIds, comment, forward } = draft
  const body = {
    account_id: account.id,
    status_ids: [...statusIds],
    comment,
    forward,
    category: category === null || category === 'dislike' ? 'other' : category,
    ...(category === 'violation' ? { rule_ids: [...ruleIds] } : {}),
  }
  await read(api.POST('/api/v1/reports', { body }))
}

/** The latest posts of an account, to choose from. The one that the report began at comes first, however old it is. */
export async function loadReportable({ id }: Account, reported: Status | null): Promise<Status[]> {
  const query = { exclude_reblogs: true, limit: 20 }
  const { items } = await readPage(api.GET('/api/v1/accounts/{id}/statuses', { params: { path: { id }, query } }))
  return reported ? [reported, ...items.filter((each) => each.id !== reported.id)] : items
}
