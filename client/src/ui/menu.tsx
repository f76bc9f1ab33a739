// A button that opens a menu. The popover API closes it on Escape and on clicks outside; arrow keys move in it.
import { autoUpdate, computePosition, flip, offset, shift, size } from '@floating-ui/dom'
import type { IconNode } from 'lucide'
import type { ComponentChildren, VNode } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import './menu.css'

export type MenuItem = {
  label: string
  icon?: IconNode
  /** Instead of an icon. */
  image?: VNode
  /** Explains the choice in a second line. */
  hint?: string
  isDanger?: boolean
  /** Shown all the same: its hint says why it is not available. */
  disabled?: boolean
  /** For one of several exclusive choices: whether it is taken. */
  checked?: boolean
  /** For a switch: whether it is on. */
  isOn?: boolean
  /** Where the item leads; otherwise what it does. */
  href?: string
  onSelect?: () => void
}

/** Items that belong together. `false` stands for one that is left out. */
export type MenuGroup = readonly (MenuItem | false)[]

type MenuProps = {
  label: string
  /** Groups, with a line between them. They are computed when the menu opens. */
  items: () => MenuGroup[]
  trigger: ComponentChildren
  triggerClass?: string
  /** A colour of its own for the button; `isOn`: whether its act is done. */
  tone?: 'boost'
  isOn?: boolean
  disabled?: boolean
  /** The edge of the button at which the menu begins. */
  align?: 'start' | 'end'
}

export function Menu(props: MenuProps) {
  const {
    label,
    items,
    trigger,
    triggerClass = 'icon-button',
    tone,
    isOn = false,
    disabled = false,
    align = 'end',
  } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // Before the next key: after the paint, the first item would take the focus from one that was chosen meanwhile.
  useLayoutEffect(() => {
    if (!isOpen || !button.current || !menu.current) return
    menu.current.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    return placePopover(button.current, menu.current, `bottom-${align}`)
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        class={isOn ? `${triggerClass} on` : triggerClass}
        data-tone={tone}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popovertarget={id}
        disabled={disabled}
      >
        {trigger}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="menu"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={(event) => moveFocus(event, menu.current)}
      >
        {isOpen && <MenuItems groups={items()} close={() => menu.current?.hidePopover()} />}
      </div>
    </>
  )
}

function MenuItems({ groups, close }: { groups: MenuGroup[]; close: () => void }) {
  return (
    <>
      {groups
        .map((group) => group.filter((item) => item !== false))
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <div role="group" key={index} class="menu-group">
            {group.map((item) => (
              <Item key={item.label} item={item} close={close} />
            ))}
          </div>
        ))}
    </>
  )
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const { label, icon, image, hint, isDanger, disabled = false, isOn, checked = isOn, href, onSelect } = item
  const content = (
    <>
      {icon && <Icon icon={icon} size={18} />}
      {image}
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </>
  )
  const look = `menu-item${isDanger ? ' danger' : ''}`
  if (href !== undefined)
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        class={look}
        href={href}
        {...(/^https?:/.test(href) ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
        onClick={close}
      >
        {content}
      </a>
    )
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : isOn === undefined ? 'menuitemradio' : 'menuitemcheckbox'}
      aria-checked={checked}
      tabIndex={-1}
      class={look}
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (disabled) return
        close()
        onSelect?.()
      }}
    >
      {content}
    </button>
  )
}

function moveFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key] ?? nextWith(event, items, at)
  if (next === undefined) {
    if (event.key === 'Tab') menu?.hidePopover()
    return
  }
  event.preventDefault()
  event.stopPropagation()
  items.at(next % items.length)?.focus()
}

/** The index of the next item after `at` that begins with the typed letter. */
function nextWith({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, items: HTMLElement[], at: number) {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const indexes = items.map((_, index) => (at + 1 + index) % items.length)
  return indexes.find((index) => items[index]?.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

/** Keeps a popover beside its button. Returns the function that ends it. */
export function placePopover(
  button: HTMLElement,
  menu: HTMLElement,
  placement: 'bottom-start' | 'bottom-end',
): () => void {
  return autoUpdate(button, menu, () => {
    // Otherwise content that has grown since the last time would not be given its room.
    menu.style.maxHeight = ''
    void computePosition(button, menu, {
      strategy: 'fixed',
      placement,
      middleware: [
        offset(4),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply: ({ availableHeight }) => void (menu.style.maxHeight = `${Math.max(120, availableHeight)}px`),
        }),
      ],
    }).then(({ x, y }) => Object.assign(menu.style, { left: `${x}px`, top: `${y}px` }))
  })
}
