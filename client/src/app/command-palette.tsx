// Goes anywhere and changes settings by a few letters. Arrow keys choose, Enter does it, Escape closes.
import { Check } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Avatar } from '../ui/account-line.tsx'
import { useCombobox } from '../ui/combobox.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { loadRecentCommands, rememberCommand } from './recent-commands.ts'
import type { Command } from './commands.ts'
import { useCommands } from './use-commands.ts'
import './command-palette.css'

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = texts.palette
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [text, setText] = useState('')
  const commands = useCommands(text)
  useEffect(() => void loadRecentCommands(), [])
  useCombobox({
    input,
    list,
    onTake(index) {
      const command = commands[index]
      if (!command) return
      void rememberCommand(command)
      onClose()
      command.run()
    },
  })
  return (
    <Dialog title={texts.appearance.shortcuts.palette} onClose={onClose}>
      <div class="command-palette">
        <input
          ref={input}
          type="text"
          enterkeyhint="go"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          dir="auto"
          maxLength={200}
          aria-label={t.field}
          placeholder={t.field}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ul ref={list} id={`commands${id}`} role="listbox" aria-label={texts.search.suggestions}>
          {commands.map((command, index) => (
            <li key={command.id} id={`${id}-${encodeURIComponent(command.id)}`} role="option" data-index={index}>
              <CommandOption command={command} />
            </li>
          ))}
        </ul>
        <span class="visually-hidden" role="status">
          {texts.search.suggestions_count({ count: commands.length })}
        </span>
      </div>
    </Dialog>
  )
}

function CommandOption({ command: { label, hint, icon, account, isOn } }: { command: Command }) {
  return (
    <>
      {account ? <Avatar account={account} size={24} /> : icon && <Icon icon={icon} />}
      <bdi>{label}</bdi>
      {hint !== undefined && (
        <small>
          <bdi>{hint}</bdi>
        </small>
      )}
      {isOn && (
        <span class="command-state">
          <Icon icon={Check} size={18} />
          <span class="visually-hidden">{texts.transfer.on}</span>
        </span>
      )}
    </>
  )
}
