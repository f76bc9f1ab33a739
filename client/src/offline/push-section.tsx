// Push notifications on this device, at the top of the notifications' settings.
import { useState } from 'preact/hooks'
import { KINDS, TYPES, type NotificationType } from '../notifications/kinds.ts'
import { useLoaded } from '../state/loaded.ts'
import { useInstance, useMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { optimistic } from '../ui/optimistic.ts'
import { Choice } from '../ui/form.tsx'
import { showError } from '../ui/toasts.tsx'
import {
  canPush,
  changePush,
  loadPush,
  needsApp,
  startPush,
  stopPush,
  type PushAlerts,
  type PushPolicy,
} from './push.ts'
import './push-section.css'

const POLICIES = ['all', 'followed', 'follower'] as const

export function PushSection() {
  const t = texts.notifications
  const { configuration } = useInstance()
  const push = useLoaded(loadPush, [])
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isOn = Boolean(push.value)
  const turn = async (on: boolean) => {
    setProblem(null)
    setBusy(true)
    try {
      if (!on) {
        await stopPush()
        return push.set(null)
      }
      const started = await startPush(configuration.vapid.public_key, defaultAlerts())
      if (!started) setProblem(t.push_denied)
      push.set(started)
    } catch (error) {
      push.set(isOn ? (push.value ?? null) : null)
      // The browser's own refusals, such as of one without a push service.
      if (error instanceof DOMException) setProblem(t.push_unavailable)
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  const change = (alerts: PushAlerts, policy: PushPolicy) => {
    const before = push.value
    push.change((now) => now && { ...now, alerts, policy })
    return optimistic({
      on: 'push subscription',
      undo: () => push.set(before ?? null),
      request: () => changePush(alerts, policy),
      done: push.set,
    })
  }
  return (
    <section class="push-section">
      <h3>{t.push_title}</h3>
      <p>{explanation()}</p>
      {canPush() && (
        <Choice
          label={texts.offline.push_on}
          checked={isOn !== isBusy}
          disabled={push.value === undefined || isBusy}
          onChange={(on) => void turn(on)}
        />
      )}
      <p role="status">{problem}</p>
      {push.value && (
        <Choices
          alerts={push.value.alerts}
          policy={push.value.policy}
          onChange={(alerts, policy) => void change(alerts, policy)}
        />
      )}
    </section>
  )
}

function explanation(): string {
  const t = texts.notifications
  if (canPush()) return t.push_explanation
  return needsApp() ? t.push_needs_app : t.push_unavailable
}

const defaultAlerts = (): PushAlerts =>
  Object.fromEntries(TYPES.map((type) => [type, KINDS[type].permission === undefined])) as PushAlerts

type ChoicesProps = {
  alerts: PushAlerts
  policy: PushPolicy
  onChange: (alerts: PushAlerts, policy: PushPolicy) => void
}

function Choices({ alerts, policy, onChange }: ChoicesProps) {
  const t = texts.offline
  const { role } = useMe()
  const offered = TYPES.filter((type): type is NotificationType & keyof PushAlerts => {
    const { permission } = KINDS[type]
    return permission === undefined || (Number(role.permissions) & permission) !== 0
  })
  return (
    <>
      <fieldset>
        <legend>{t.push_alerts}</legend>
        {offered.map((type) => (
          <Choice
            key={type}
            label={texts.notifications.kinds[type]}
            checked={alerts[type]}
            onChange={(checked) => onChange({ ...alerts, [type]: checked }, policy)}
          />
        ))}
      </fieldset>
      <label class="push-from">
        {t.push_from}
        <select value={policy} onChange={(event) => onChange(alerts, event.currentTarget.value as PushPolicy)}>
          {POLICIES.map((each) => (
            <option key={each} value={each}>
              {t[`push_from_${each}`]}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
