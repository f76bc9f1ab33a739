// A modal dialog. The browser's <dialog> holds the focus and closes on Escape; the focus returns to where it was.
import { X } from 'lucide'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { Toasts } from './toasts.tsx'
import './dialog.css'

type DialogProps = {
  title: string
  children: ComponentChildren
  /** Buttons, the main one last. */
  actions?: ComponentChildren
  /** Buttons beside the one that closes it. */
  tools?: ComponentChildren
  kind?: 'normal' | 'wide'
  onClose: () => void
  /** Asked before Escape or the close button close it: false leaves it open. */
  mayClose?: () => boolean
}

export function Dialog(props: DialogProps) {
  const { title, children, actions, tools, kind = 'normal', onClose, mayClose = () => true } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const isShown = useRef(true)
  /** A press that began inside, such as to select text, may end beside the dialog. */
  const isPressedBeside = useRef(false)
  const id = useId()
  useEffect(() => {
    const opened = dialog.current
    const opener = document.activeElement
    opened?.showModal()
    const body = opened?.querySelector<HTMLElement>('.dialog-body')
    if (!opened?.querySelector('[autofocus]')) focusContent(body)
    letKeysScroll(body)
    const stopFollowing = opened ? followVisibleArea(opened) : null
    return () => {
      isShown.current = false
      stopFollowing?.()
      opened?.close()
      // It is out of the document by now, from where the browser gives no focus back.
      if (document.activeElement === document.body) returnFocus(opener)
    }
  }, [])
  const close = () => {
    if (mayClose()) onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        close()
      }}
      onClose={(event) => {
        if (event.target !== dialog.current || !isShown.current) return
        // The browser closes it on a second Escape without asking.
        if (mayClose()) onClose()
        else dialog.current?.showModal()
      }}
      onPointerDown={(event) => (isPressedBeside.current = event.target === dialog.current)}
      onClick={(event) => event.target === dialog.current && isPressedBeside.current && close()}
      onKeyDown={closePopover}
    >
      <div class="dialog-frame">
        <div class="dialog-header">
          <h2 id={id}>{title}</h2>
          {tools}
          <IconButton icon={X} label={texts.frame.close} onClick={close} />
        </div>
        <div class="dialog-body">{children}</div>
        <Toasts />
        {actions && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  )
}

/**
 * Keeps a dialog out of the part of the window that the keyboard covers: iPhones lay it over the page, and move the page under it.
 * Elsewhere the page becomes smaller (`interactive-widget`). Returns a function that ends this.
 */
function followVisibleArea(dialog: HTMLElement): (() => void) | null {
  const view = window.visualViewport
  if (!view) return null
  const update = (): void => {
    // A user who zooms in sees a part of the dialog.
    const isZoomed = view.scale > 1.01
    const top = isZoomed ? 0 : Math.max(0, view.offsetTop)
    // On iPhones, `innerHeight` is the height of the visible part, too.
    const bottom = isZoomed ? 0 : Math.max(0, document.documentElement.clientHeight - top - view.height)
    dialog.style.setProperty('--covered-top', `${top}px`)
    dialog.style.setProperty('--covered-bottom', `${bottom}px`)
  }
  const listening = new AbortController()
  for (const event of ['resize', 'scroll']) view.addEventListener(event, update, { signal: listening.signal })
  update()
  return () => listening.abort()
}

/** Closes an open menu on Escape. Without this, Safari would close the dialog together with the menu. */
function closePopover(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  const open = [...event.currentTarget.querySelectorAll<HTMLElement>('[popover=auto]:popover-open')].at(-1)
  if (!open) return
  event.preventDefault()
  open.hidePopover()
}

/** To what opened the dialog; to the heading of the screen if that is gone, by now or since the dialog opened. */
function returnFocus(opener: Element | null): void {
  const target = opener?.closest('body *') ?? document.querySelector('#main h1')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** The browser begins at the button that closes it. */
function focusContent(body: HTMLElement | null | undefined): void {
  body?.querySelector<HTMLElement>('input, select, textarea, button, a')?.focus()
}

/** A long text without controls is scrolled by keys once it has the focus. */
function letKeysScroll(body: HTMLElement | null | undefined): void {
  if (body && body.scrollHeight > body.clientHeight && !body.querySelector('a, button, input, select, textarea'))
    body.tabIndex = 0
}
