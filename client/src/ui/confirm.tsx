// Asks before an act: `if (await confirm({ … })) …`.
import { signal } from '@preact/signals'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Question = { title: string; text?: string; action: string; isDanger?: boolean }

const asked = signal<(Question & { answer: (yes: boolean) => void }) | null>(null)

export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value?.answer(false)
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = null
        resolve(yes)
      },
    }
  })
}

/** The frame renders it once. */
export function ConfirmDialog() {
  const question = asked.value
  if (!question) return null
  const { title, text, action, isDanger = false, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>{texts.frame.cancel}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} autofocus onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      {text && <p>{text}</p>}
    </Dialog>
  )
}
