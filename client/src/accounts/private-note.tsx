// What the viewer notes about an account. It is saved while they type.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { isMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Field } from '../ui/form.tsx'
import { writeNote } from './acts.ts'
import './private-note.css'

/** Milliseconds without a key before the note is saved. */
const PAUSE = 800

/** Characters that the server accepts. */
const MAX_LENGTH = 2000

export function PrivateNote({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  return relationship && !isMe(account.id) ? (
    <NoteDetails key={account.id} account={account} saved={relationship.note} />
  ) : null
}

function NoteDetails({ account, saved }: { account: Account; saved: string }) {
  // A note that is emptied does not close under the fingers.
  const [isOpen] = useState(saved !== '')
  return (
    <details class="private-note" open={isOpen}>
      <summary>{texts.accounts.note}</summary>
      <NoteEditor account={account} saved={saved} />
    </details>
  )
}

function NoteEditor({ account, saved }: { account: Account; saved: string }) {
  const [text, setText] = useState(saved)
  const [state, setState] = useState<'' | 'saving' | 'saved' | 'failed'>('')
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; text: string } | null>(null)
  const save = async (typed: string) => {
    setState('saving')
    try {
      await writeNote(account, typed)
      setState('saved')
    } catch {
      setState('failed')
    }
  }
  const flush = () => {
    const left = waiting.current
    if (!left) return
    clearTimeout(left.timer)
    waiting.current = null
    void save(left.text)
  }
  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [])
  const type = (typed: string) => {
    setText(typed)
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = { text: typed, timer: setTimeout(flush, PAUSE) }
  }
  const t = texts.accounts
  const said = { '': '', saving: t.note_saving, saved: t.note_saved, failed: t.note_failed }[state]
  return (
    <>
      <Field label={t.note} hint={t.note_hint} isLabelHidden>
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={2}
            maxLength={MAX_LENGTH}
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
            onBlur={flush}
          />
        )}
      </Field>
      <small role="status" class={state === 'failed' ? 'field-error' : ''}>
        {said}
      </small>
    </>
  )
}
