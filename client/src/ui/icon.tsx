import {
  ArrowLeft,
  ArrowRight,
  ChevronLeft,
  ChevronRight,
  CornerDownRight,
  ExternalLink,
  ListPlus,
  LogOut,
  Reply,
  type IconNode,
} from 'lucide'
import { h } from 'preact'

/** They point along the text, so that they are mirrored where it runs from right to left. */
const DIRECTED: ReadonlySet<IconNode> = new Set([
  ArrowLeft,
  ArrowRight,
  ChevronLeft,
  ChevronRight,
  CornerDownRight,
  ExternalLink,
  ListPlus,
  LogOut,
  Reply,
])

/**
 * An icon of the lucide library, as large as `size` pixels at the usual font size. Hidden from screen readers, which read the label
 * of its control.
 */
export function Icon({ icon, size = 20, filled = false }: { icon: IconNode; size?: number; filled?: boolean }) {
  return (
    <svg
      class={DIRECTED.has(icon) ? 'icon directed' : 'icon'}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {icon.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
