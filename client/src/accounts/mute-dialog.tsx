import { useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { durationText, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { handleText, mute } from './acts.ts'
import { closeAccountDialog } from './open.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

const DURATIONS = [5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY]

export function MuteDialog({ account }: { account: Account }) {
  const [duration, setDuration] = useState(0)
  const [hidesNotifications, setHidesNotifications] = useState(true)
  const t = texts.accounts
  const submit = () => {
    closeAccountDialog()
    void mute(account, { duration, notifications: hidesNotifications })
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
            {DURATIONS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {durationText(seconds)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Choice label={t.mute_notifications} checked={hidesNotifications} onChange={setHidesNotifications} />
    </Dialog>
  )
}
