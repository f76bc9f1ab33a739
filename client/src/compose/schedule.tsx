// The time at which the server posts a draft.
import { CalendarClock, X } from 'lucide'
import { useState } from 'preact/hooks'
import { fullTime, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { changeDraft } from './current.ts'
import type { Draft } from './draft.ts'

/** The server wants five minutes; one more is for the time that it takes to write. */
const SOONEST = 6 * 60_000

/** As `<input type="datetime-local">` has it: in the zone of this device. */
function localValue(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Shown while the draft has a time. */
export function ScheduleNote({ draft, onChange }: { draft: Draft; onChange: () => void }) {
  const t = texts.compose
  if (!draft.scheduledAt) return null
  return (
    <p class="composer-note schedule-note">
      <Icon icon={CalendarClock} size={18} />
      <span>{t.scheduled_for({ time: fullTime(new Date(draft.scheduledAt)) })}</span>
      <Button kind="quiet" onClick={onChange}>
        {t.change}
      </Button>
      <IconButton icon={X} label={t.remove_schedule} onClick={() => changeDraft({ scheduledAt: null })} />
    </p>
  )
}

type ScheduleDialogProps = { at: string | null; onSet: (at: string) => void; onClose: () => void }

export function ScheduleDialog({ at, onSet, onClose }: ScheduleDialogProps) {
  const t = texts.compose
  const soonest = new Date(Date.now() + SOONEST)
  const [value, setValue] = useState(localValue(at ? new Date(at) : new Date(Date.now() + 3_600_000)))
  const chosen = new Date(value)
  const isValid = value !== '' && chosen.getTime() >= Date.now() + SOONEST - 60_000
  return (
    <Dialog
      title={t.schedule}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.frame.cancel}</Button>
          <Button
            kind="primary"
            disabled={!isValid}
            onClick={() => {
              onSet(chosen.toISOString())
              onClose()
            }}
          >
            {t.schedule_action}
          </Button>
        </>
      }
    >
      <label class="alt-field">
        {t.schedule_time({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        <input
          type="datetime-local"
          value={value}
          min={localValue(soonest)}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      </label>
      {!isValid && <p class="composer-error">{t.schedule_too_soon}</p>}
    </Dialog>
  )
}
