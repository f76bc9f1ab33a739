import { useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { type Answer, answerRequest } from '../accounts/acts.ts'
import { relationshipOf } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'

/** Accept or reject; once answered, what the answer was. */
export function FollowRequestButtons({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  const [given, setGiven] = useState<Answer | null>(null)
  const t = texts.notifications
  const respond = async (answer: Answer) => {
    if (await answerRequest(account, answer)) setGiven(answer)
  }
  if (given) return <small role="status">{given === 'authorize' ? t.accepted : t.rejected}</small>
  if (!relationship?.requested_by) return null
  return (
    <div class="buttons">
      <Button kind="primary" onClick={() => void respond('authorize')}>
        {t.accept}
      </Button>
      <Button onClick={() => void respond('reject')}>{t.reject}</Button>
    </div>
  )
}
