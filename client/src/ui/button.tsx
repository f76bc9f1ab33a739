import type { IconNode } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import './button.css'
import { colon } from '../texts.ts'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> & {
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  icon?: IconNode | undefined
  children: ComponentChildren
}

export function Button({ kind = 'secondary', icon, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...useDisabled(rest)} class={`button ${kind}`}>
      {icon && <Icon icon={icon} size={18} />}
      {children}
    </button>
  )
}

/**
 * The browser takes the focus from a button that becomes disabled, such as when it has saved. One that has the focus is only marked
 * as disabled, and does nothing.
 */
function useDisabled({ disabled, onClick, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  const ref = useRef<HTMLButtonElement>(null)
  const isFocused = ref.current !== null && ref.current === document.activeElement
  if (!disabled || !isFocused) return { ...rest, ref, disabled, onClick }
  return { ...rest, ref, 'aria-disabled': true, onClick: (event: Event) => event.preventDefault() }
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> & {
  icon: IconNode
  /** What the button does, for screen readers, and as a tooltip where there is no `title`. The same whether a toggle is on or off. */
  label: string
  /** Whether a toggle is on; none for buttons that are no toggles. */
  pressed?: boolean
  /** A number beside the icon. */
  count?: string | undefined
  tone?: 'reply' | 'boost' | 'favourite' | 'bookmark'
}

/** The name of a control that shows a number, which is part of its name. */
export const withCount = (label: string, count: string | undefined): string =>
  count === undefined ? label : `${label}${colon}${count}`

export function IconButton({ icon, label, title = label, pressed, count, tone, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...useDisabled(rest)}
      class="icon-button"
      data-tone={tone}
      aria-label={withCount(label, count)}
      title={title}
      aria-pressed={pressed}
    >
      <Icon icon={icon} filled={pressed === true && (tone === 'favourite' || tone === 'bookmark')} />
      {count !== undefined && <span class="count">{count}</span>}
    </button>
  )
}
