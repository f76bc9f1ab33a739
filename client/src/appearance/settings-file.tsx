// Takes the settings of this device to another browser, as a file.
import { Download, Upload } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { loadDrafts, storedDrafts } from '../compose/store.ts'
import { useInstance, useMe } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { Choice } from '../ui/form.tsx'
import { draftsForFile, LARGEST_FILE, readFile, RefusedFile, writeFile } from './file-format.ts'
import { ImportDialog, type Import } from './import-dialog.tsx'

function useAccount(): string {
  const { username } = useMe()
  const { domain } = useInstance()
  return `@${username}@${domain}`
}

export function SettingsFile() {
  const t = texts.transfer
  const account = useAccount()
  const [withDrafts, setWithDrafts] = useState(false)
  const [found, setFound] = useState<Import | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => void loadDrafts(), [])
  const drafts = draftsForFile(storedDrafts.value)
  const open = async (file: File) => {
    setProblem('')
    try {
      if (file.size > LARGEST_FILE) throw new RefusedFile(t.too_large)
      const content = readFile(await file.text())
      setFound({ ...content, isOwn: content.account === account })
    } catch (error) {
      if (!(error instanceof RefusedFile)) console.warn(error)
      setProblem(error instanceof RefusedFile ? error.message : t.unknown)
    }
  }
  return (
    <section>
      <h2>{t.title}</h2>
      <p>{t.explanation}</p>
      {drafts.length > 0 && (
        <Choice label={t.with_drafts} hint={t.with_drafts_hint} checked={withDrafts} onChange={setWithDrafts} />
      )}
      <div class="buttons appearance-actions">
        <Button icon={Download} onClick={() => save(account, withDrafts ? drafts : [])}>
          {t.export}
        </Button>
        <FileButton icon={Upload} accept="application/json,.json" onFile={(file) => void open(file)}>
          {t.import}
        </FileButton>
      </div>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {found && <ImportDialog found={found} onClose={() => setFound(null)} />}
    </section>
  )
}

function save(account: string, drafts: ReturnType<typeof draftsForFile>): void {
  const exportedAt = new Date().toISOString()
  const text = writeFile({ account, exportedAt, settings: settings.value, drafts })
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const download = `${location.hostname}-${exportedAt.slice(0, 10)}.json`
  Object.assign(document.createElement('a'), { href, download }).click()
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
