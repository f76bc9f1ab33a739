import { useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { language, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { handleText, mute } from './acts.ts'
import { closeAccountDialog } from './open.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

const DURATIONS: readonly [seconds: number, unit: 'minute' | 'hour' | 'day', count: number][] = [
  [5 * MINUTE, 'minute', 5],
  [30 * MINUTE, 'minute', 30],
  [HOUR, 'hour', 1],
  [6 * HOUR, 'hour', 6],
  [DAY, 'day', 1],
  [3 * DAY, 'day', 3],
  [7 * DAY, 'day', 7],
  [30 * DAY, 'day', 30],
]

/** `5 minutes` in the reader's language */
const durationText = (unit: string, count: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)

export function MuteDialog({ account }: { account: Account }) {
  const [duration, setDuration] = useState(0)
  const [hidesNotifications, setHidesNotifications] = useState(true)
  const t = texts.accounts
  const submit = () => {
    closeAccountDialog()
    void mute(account, duration, hidesNotifications)
  }
  return (
    <Dialog
      title={t.mute_title({ handle: handleText(account) })}
      onClose={closeAccountDialog}
      actions={
        <>
          <Button onClick={closeAccountDialog}>{texts.frame.cancel}</Button>
          <Button kind="primary" onClick={submit}>
            {t.mute}
          </Button>
        </>
      }
    >
      <p>{t.mute_text}</p>
      <Field label={t.mute_duration}>
        {(control) => (
          <select {...control} value={duration} onChange={(event) => setDuration(Number(event.currentTarget.value))}>
            <option value={0}>{t.mute_forever}</option>
            {DURATIONS.map(([seconds, unit, count]) => (
              <option key={seconds} value={seconds}>
                {durationText(unit, count)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Choice
        label={t.mute_notifications}
        checked={hidesNotifications}
        onChange={(event) => setHidesNotifications(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
