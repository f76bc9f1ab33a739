// Reports an account to the moderators: what for, which posts, in the viewer's words; then offers to mute or block.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { block, handleText, unfollow } from '../accounts/acts.ts'
import { openAccountDialog } from '../accounts/open.ts'
import type { Account, Status } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { showError } from '../ui/toasts.tsx'
import { closeStatusDialog } from './open.ts'
import { isComplete, sendReport, stepsOf, type ReportDraft, type ReportStep } from './report.ts'
import { CategoryStep, CommentStep, RulesStep, StatusesStep, type StepProps } from './report-steps.tsx'

const STEPS: Record<Exclude<ReportStep, 'done'>, (props: StepProps) => preact.JSX.Element> = {
  category: CategoryStep,
  rules: RulesStep,
  statuses: StatusesStep,
  comment: CommentStep,
}

export function ReportDialog({ account, status }: { account: Account; status: Status | null }) {
  const t = texts.statuses.report
  const { rules } = useInstance()
  // Closed by mistake, it is as it was.
  const form = useFormDraft<ReportDraft>(`report ${account.id} ${status?.id ?? ''}`, {
    category: null,
    ruleIds: [],
    statusIds: status ? [status.id] : [],
    comment: '',
    forward: false,
  })
  const draft = form.values
  const [step, setStep] = useState<ReportStep>('category')
  const [isSending, setSending] = useState(false)
  const place = useStepFocus(step)
  const steps = stepsOf(draft).filter((each) => each !== 'rules' || rules.length > 0)
  const at = steps.indexOf(step)
  const go = (by: number) => setStep(steps[at + by] ?? step)
  const send = async () => {
    setSending(true)
    try {
      await sendReport(account, draft)
      form.discard()
      setStep('done')
    } catch (error) {
      showError(error)
    }
    setSending(false)
  }
  const title = t.title({ handle: handleText(account) })
  if (step === 'done') return <Done account={account} isSent={draft.category !== 'dislike'} />
  const Step = STEPS[step]
  return (
    <Dialog
      title={title}
      onClose={closeStatusDialog}
      mayClose={() => !isSending}
      actions={
        <>
          {at > 0 && <Button onClick={() => go(-1)}>{t.back}</Button>}
          {step === 'comment' ? (
            <Button kind="primary" disabled={isSending} onClick={() => void send()}>
              {t.send}
            </Button>
          ) : (
            <Button kind="primary" disabled={!isComplete(step, draft)} onClick={() => go(1)}>
              {t.next}
            </Button>
          )}
        </>
      }
    >
      <div key={step} ref={place} class="report-step" tabIndex={-1}>
        <Step account={account} status={status} draft={draft} change={form.change} />
      </div>
    </Dialog>
  )
}

/** Keyboards and screen readers go on at what the step asks, and a second Enter sends nothing. */
function useStepFocus(step: ReportStep): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(step)
  useEffect(() => {
    if (before.current !== step) place.current?.focus()
    before.current = step
  }, [step])
  return place
}

function Done({ account, isSent }: { account: Account; isSent: boolean }) {
  const t = texts.statuses.report
  return (
    <Dialog
      title={isSent ? t.sent : t.not_sent}
      onClose={closeStatusDialog}
      actions={<DoneActions account={account} />}
    >
      <p>{isSent ? t.sent_text : t.not_sent_text}</p>
    </Dialog>
  )
}

function DoneActions({ account }: { account: Account }) {
  const t = texts.accounts
  const after = (act: () => void) => () => {
    closeStatusDialog()
    act()
  }
  return (
    <>
      {relationshipOf(account.id).value?.following && (
        <Button onClick={after(() => void unfollow(account))}>{t.unfollow}</Button>
      )}
      <Button onClick={after(() => openAccountDialog('mute', account))}>{t.mute}</Button>
      <Button kind="danger" onClick={after(() => void block(account))}>
        {t.block}
      </Button>
      <Button kind="primary" onClick={closeStatusDialog}>
        {texts.frame.close}
      </Button>
    </>
  )
}
