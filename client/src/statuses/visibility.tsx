import { AtSign, Globe, Lock, Moon, type IconNode } from 'lucide'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'

/** Whether everyone may see what has it. */
export const isPublic = (visibility: Status['visibility']): boolean =>
  visibility === 'public' || visibility === 'unlisted'

export const VISIBILITY_ICONS: Record<Status['visibility'], IconNode> = {
  public: Globe,
  unlisted: Moon,
  private: Lock,
  direct: AtSign,
}

/** The widest first. */
export const VISIBILITIES = Object.keys(VISIBILITY_ICONS) as Status['visibility'][]

export function VisibilityIcon({ visibility }: Pick<Status, 'visibility'>) {
  return (
    <span
      role="img"
      aria-label={texts.statuses.visibilities[visibility]}
      title={texts.statuses.visibilities[visibility]}
    >
      <Icon icon={VISIBILITY_ICONS[visibility]} size={16} />
    </span>
  )
}
