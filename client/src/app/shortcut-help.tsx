import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SHORTCUTS } from './shortcuts.ts'
import './shortcut-help.css'

const modifier = (): string => (/Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘' : texts.palette.control)

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.appearance.shortcuts_title} kind="wide" onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(({ text, keys }) => (
          <div key={text}>
            <dt>{texts.appearance.shortcuts[text]}</dt>
            <dd>
              {(keys[0] ?? '').split(/[ +]/).map((key) => (
                <kbd key={key}>{key === '$mod' ? modifier() : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
