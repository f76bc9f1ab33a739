// The dialogs about statuses, and what the viewer of media shows of one. The frame renders it once; both are loaded when they are opened.
import { createPortal } from 'preact'
import { ErrorBoundary } from 'preact-iso'
import { lazy } from '../ui/lazy.tsx'
import { statusDialog, viewed } from './open.ts'

const StatusDialog = lazy(() => import('./status-dialog.tsx').then((m) => m.StatusDialog), { isDialog: true })
const ViewedPost = lazy(() => import('./viewed-post.tsx').then((m) => m.ViewedPost))

export function StatusHost() {
  const request = statusDialog.value
  return (
    <>
      <ErrorBoundary>{request && <StatusDialog request={request} />}</ErrorBoundary>
      {viewed.value &&
        createPortal(
          <ErrorBoundary>
            <ViewedPost viewed={viewed.value} />
          </ErrorBoundary>,
          viewed.value.place,
        )}
    </>
  )
}
