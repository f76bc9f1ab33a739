import { Hourglass } from 'lucide'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'

/** Some authors approve replies. Until they do, and when they refuse, only its own author sees a reply. */
export function ApprovalLine({ status: { approval } }: { status: Status }) {
  if (!approval) return null
  return (
    <p class="status-reason approval">
      <Icon icon={Hourglass} size={16} />
      {texts.statuses.approvals[approval]}
    </p>
  )
}
