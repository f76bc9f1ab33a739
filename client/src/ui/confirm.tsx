// Asks before an act: `if (await confirm({ … })) …`, or `confirm({ …, act })` for an act whose effect does not show at once.
import { signal } from '@preact/signals'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { showError } from './toasts.tsx'

type Question = {
  title: string
  text?: string
  action: string
  isDanger?: boolean
  /** What the viewer may do instead. Its button takes the place of the one that cancels. */
  instead?: { action: string; act: () => void }
  /** The dialog stays and shows that it is under way until it is done. If it fails, one can try again. */
  act?: () => Promise<unknown>
}

const asked = signal<(Question & { answer: (yes: boolean) => void }) | null>(null)

const isActing = signal(false)

/** Resolves to whether the viewer agreed and the act, if there is one, is done. */
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

async function accept(): Promise<void> {
  const question = asked.value
  if (!question || isActing.value) return
  if (!question.act) return question.answer(true)
  isActing.value = true
  try {
    await question.act()
    question.answer(true)
  } catch (error) {
    showError(error)
  } finally {
    isActing.value = false
  }
}

/** The frame renders it once. */
export function ConfirmDialog() {
  const question = asked.value
  if (!question) return null
  const { title, text, action, isDanger = false, instead, answer } = question
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      mayClose={() => !isActing.value}
      actions={
        <>
          <Button
            disabled={isActing.value}
            onClick={() => {
              answer(false)
              instead?.act()
            }}
          >
            {instead?.action ?? texts.frame.cancel}
          </Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            autofocus
            aria-busy={isActing.value}
            onClick={() => void accept()}
          >
            {action}
          </Button>
        </>
      }
    >
      {text && <p>{text}</p>}
      <p class="visually-hidden" role="status">
        {isActing.value && texts.frame.loading}
      </p>
    </Dialog>
  )
}
