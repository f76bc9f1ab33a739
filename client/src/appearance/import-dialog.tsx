// What an imported file would replace, before it does.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { settings, type ClientSettings } from '../state/settings.ts'
import { fill, fullTime, percentText, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { readablePath } from '../ui/readable-path.ts'
import { showError, showToast } from '../ui/toasts.tsx'
import { CHOICE_NAMES, SWITCHES, type Choices, type Switches } from './choices.ts'
import type { readFile } from './file-format.ts'
import { applyFile, changesIn, newDraftsIn } from './import-file.ts'

/** `isOwn`: it comes from the account that would import it. */
export type Import = ReturnType<typeof readFile> & { isOwn: boolean }

export function ImportDialog({ found, onClose }: { found: Import; onClose: () => void }) {
  const t = texts.transfer
  const [isBusy, setBusy] = useState(false)
  const { columns: _columns, shortcuts: _shortcuts, ...shared } = found.settings
  const changes = changesIn(found.isOwn ? found.settings : shared)
  const drafts = found.isOwn ? newDraftsIn(found.drafts) : []
  const isEmpty = Object.keys(changes).length + drafts.length === 0
  const apply = async () => {
    setBusy(true)
    try {
      const undo = await applyFile(changes, drafts)
      showToast(t.imported, { action: { label: texts.frame.undo, onSelect: undo } })
      onClose()
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t.preview_title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.frame.cancel}</Button>
          <Button kind="primary" disabled={isEmpty || isBusy} onClick={() => void apply()}>
            {t.apply}
          </Button>
        </>
      }
    >
      {found.account && (
        <p>
          {fill(t.from, {
            account: <bdi>{found.account}</bdi>,
            time: found.exportedAt && fullTime(new Date(found.exportedAt)),
          })}
        </p>
      )}
      {!found.isOwn && <p>{t.other_account}</p>}
      {isEmpty ? <p>{t.nothing}</p> : <Changes changes={changes} />}
      {drafts.length > 0 && <p>{t.drafts_added({ count: drafts.length })}</p>}
    </Dialog>
  )
}

function Changes({ changes }: { changes: Partial<ClientSettings> }) {
  const names = Object.keys(changes) as (keyof ClientSettings)[]
  if (names.length === 0) return null
  return (
    <dl class="setting-changes">
      {names.map((name) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            {fill(texts.transfer.change, {
              before: <bdi>{valueOf(name, settings.value)}</bdi>,
              after: <bdi>{valueOf(name, changes)}</bdi>,
            })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isChoice = (name: keyof ClientSettings): name is Choices => CHOICE_NAMES.some((each) => each === name)
const isSwitch = (name: keyof ClientSettings): name is Switches => SWITCHES.some((each) => each === name)

function labelOf(name: keyof ClientSettings): string {
  const t = texts.appearance
  if (isChoice(name)) return t.choices[name].legend
  if (isSwitch(name)) return t.switches[name]
  if (name === 'shortcuts') return texts.frame.navigation
  return name === 'columns' ? texts.frame.deck : t.font_size
}

function valueOf(name: keyof ClientSettings, values: Partial<ClientSettings>): ComponentChildren {
  const value = values[name]
  if (isChoice(name)) return (texts.appearance.choices[name] as Record<string, string>)[String(value)]
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? readablePath(each) : each.label)).join(', ') || '–'
  if (typeof value === 'number') return percentText(value)
  return value ? texts.transfer.on : texts.transfer.off
}
