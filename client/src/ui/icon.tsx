import type { IconNode } from 'lucide'
import { h } from 'preact'

/** An icon of the lucide library. It is hidden from screen readers: the control that has it has a label. */
export function Icon({ icon, size = 20, filled = false }: { icon: IconNode; size?: number; filled?: boolean }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
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
