// The dialogs about statuses. The frame renders it once; a dialog is loaded when it is opened.
import { ErrorBoundary } from 'preact-iso'
import { lazy } from '../ui/lazy.tsx'
import { statusDialog } from './open.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx').then((m) => m.StatusDialog), { isDialog: true })

export function StatusHost() {
  const request = statusDialog.value
  return <ErrorBoundary>{request && <StatusDialog request={request} />}</ErrorBoundary>
}
