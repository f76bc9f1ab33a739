// The menu of everything that can be done with a status and its author.
import { ExternalLink, Link } from 'lucide'
import type { Status } from '../api/entities.ts'
import { texts } from '../texts.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { showToast } from '../ui/toasts.tsx'

export function moreItems(status: Status): MenuItem[][] {
  const t = texts.statuses
  const address = status.url ?? status.uri
  return [
    [
      {
        label: t.copy_link,
        icon: Link,
        onSelect: () => void navigator.clipboard.writeText(address).then(() => showToast(t.link_copied)),
      },
      { label: t.open_original, icon: ExternalLink, href: address },
    ],
  ]
}
