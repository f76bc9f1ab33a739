import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SHORTCUTS } from './shortcuts.ts'
import './shortcut-help.css'

const modifier = (): string => (/Mac|iP(?:hone|ad)/.test(navigator.platform) ? '⌘' : texts.palette.control)

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.appearance.shortcuts_title} kind="wide" onClose={onClose}>
      <dl class="shortcuts">
        {SHORTCUTS.map(({ text, keys: [keys = ''] }) => (
          <Row key={text} text={texts.appearance.shortcuts[text]} keys={keys} />
        ))}
        {/* The composer itself listens for it. */}
        <Row text={texts.compose.post} keys="$mod+Enter" />
      </dl>
    </Dialog>
  )
}

function Row({ text, keys }: { text: string; keys: string }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>
        {keys.split(/[ +]/).map((key) => (
          <kbd key={key}>{key === '$mod' ? modifier() : key}</kbd>
        ))}
      </dd>
    </div>
  )
}
