import { EmbedDialog } from './embed-dialog.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import type { StatusDialogRequest } from './open.ts'
import { QuotePolicyDialog } from './quote-policy-dialog.tsx'
import { ReportDialog } from './report-dialog.tsx'
import './report-dialog.css'

export function StatusDialog({ request }: { request: StatusDialogRequest }) {
  if (request.kind === 'report') return <ReportDialog account={request.account} status={request.status} />
  const { kind, status } = request
  if (kind === 'embed') return <EmbedDialog status={status} />
  return kind === 'filter' ? <FilterDialog status={status} /> : <QuotePolicyDialog status={status} />
}
