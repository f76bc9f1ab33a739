// The dialogs about accounts and the hover cards. The frame renders it once; what it shows is loaded when it is needed.
import { ErrorBoundary } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { lazy } from '../ui/lazy.tsx'
import { hoveredLink, watchLinks } from './hovered-link.ts'
import { accountDialog } from './open.ts'

const AccountDialog = lazy(() => import('./account-dialog.tsx').then((m) => m.AccountDialog), { isDialog: true })
const HoverCard = lazy(() => import('./hover-card.tsx').then((m) => m.HoverCard))

export function AccountHost() {
  useEffect(watchLinks, [])
  const dialog = accountDialog.value
  const link = hoveredLink.value
  return (
    <ErrorBoundary>
      {dialog && <AccountDialog request={dialog} />}
      {link && <HoverCard key={link.dataset.account} link={link} />}
    </ErrorBoundary>
  )
}
