import { useState } from 'preact/hooks'
import type { Account } from '../api/entities.ts'
import { answerRequest } from '../accounts/acts.ts'
import { relationshipOf } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'

/** Accept or reject; once answered, what the answer was. */
export function FollowRequestButtons({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  const [answer, setAnswer] = useState<'accepted' | 'rejected' | null>(null)
  const t = texts.notifications
  const respond = async (accepts: boolean) => {
    if (await answerRequest(account, accepts)) setAnswer(accepts ? 'accepted' : 'rejected')
  }
  if (answer) return <small role="status">{t[answer]}</small>
  if (!relationship?.requested_by) return null
  return (
    <div class="buttons">
      <Button kind="primary" onClick={() => void respond(true)}>
        {t.accept}
      </Button>
      <Button onClick={() => void respond(false)}>{t.reject}</Button>
    </div>
  )
}
