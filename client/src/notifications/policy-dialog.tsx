// The policy that accepts notifications, filters them into requests, or drops them, by kind of sender.
import { useId } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { NotificationPolicy } from '../api/entities.ts'
import { PushSection } from '../offline/push-section.tsx'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { optimistic } from '../ui/optimistic.ts'

type Rule = Exclude<keyof NotificationPolicy, 'summary'>

const RULES: readonly Rule[] = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
  'for_bots',
]

const DECISIONS = ['accept', 'filter', 'drop'] as const

type PolicyDialogProps = {
  policy: NotificationPolicy
  onChange: (change: (policy: NotificationPolicy) => NotificationPolicy) => void
  onClose: () => void
}

export function PolicyDialog({ policy, onChange, onClose }: PolicyDialogProps) {
  const t = texts.notifications
  const id = useId()
  const change = (rule: Rule, decision: NotificationPolicy[Rule]) => {
    const before = policy[rule]
    onChange((now) => ({ ...now, [rule]: decision }))
    return optimistic({
      on: 'notification policy',
      undo: () => onChange((now) => ({ ...now, [rule]: before })),
      request: () => read(api.PATCH('/api/v2/notifications/policy', { body: { [rule]: decision } })),
      done: (changed) => onChange(() => changed),
    })
  }
  return (
    <Dialog title={t.settings} onClose={onClose}>
      <PushSection />
      <section class="policy-rows" aria-labelledby={id}>
        <h3 id={id}>{t.policy}</h3>
        {RULES.map((rule) => (
          <label key={rule}>
            {t.rules[rule]}
            <small>{t.rule_hints[rule]}</small>
            <select
              value={policy[rule]}
              onChange={(event) => void change(rule, event.currentTarget.value as NotificationPolicy[Rule])}
            >
              {DECISIONS.map((decision) => (
                <option key={decision} value={decision}>
                  {t.decisions[decision]}
                </option>
              ))}
            </select>
          </label>
        ))}
      </section>
    </Dialog>
  )
}
