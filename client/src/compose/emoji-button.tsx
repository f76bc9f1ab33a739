// A button that opens the emoji picker. The picker and its data are loaded when it is opened for the first time.
import { Smile, type IconNode } from 'lucide'
import type { ComponentType } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { placePopover } from '../ui/menu.tsx'
import { Loading } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'
import './emoji-picker.css'

type EmojiButtonProps = {
  label: string
  icon?: IconNode
  /** Receives an emoji, or the `:shortcode:` of one of the server's. */
  onPick: (emoji: string) => void
}

type PickerProps = { onPick: (emoji: string) => void }

export function EmojiButton({ label, icon = Smile, onPick }: EmojiButtonProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [Picker, setPicker] = useState<ComponentType<PickerProps> | null>(null)
  useEffect(() => {
    if (!isOpen || !button.current || !panel.current) return
    if (!Picker) import('./emoji-picker.tsx').then((loaded) => setPicker(() => loaded.EmojiPicker), showError)
    return placePopover(button.current, panel.current, 'bottom-start')
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popovertarget={id}
      >
        <Icon icon={icon} />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={texts.compose.emojis}
        class="emoji-panel"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen &&
          (Picker ? (
            <Picker
              onPick={(emoji) => {
                panel.current?.hidePopover()
                onPick(emoji)
              }}
            />
          ) : (
            <Loading />
          ))}
      </div>
    </>
  )
}
