import { Hourglass } from 'lucide'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'

/** Some authors approve replies: until then, or when they refuse, only the one who replied sees the reply. */
export function ApprovalLine({ status: { approval } }: { status: Status }) {
  if (!approval) return null
  return (
    <p class="status-reason approval">
      <Icon icon={Hourglass} size={16} />
      {texts.statuses.approvals[approval]}
    </p>
  )
}
