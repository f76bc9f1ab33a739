// Accounts that want to follow the viewer, answered one by one or several at once.
import { Check, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { api, readPage } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { subscribe } from '../state/streaming.ts'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Choice } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { AccountRow } from './account-row.tsx'
import { accountSource } from './account-source.ts'
import { type Answer, answerRequest, handleText } from './acts.ts'
import { useRelationshipChanges } from './relationship-changes.ts'
import { PagedListView, pagedListOf } from '../ui/paged-list.tsx'
import './follow-requests-screen.css'

const requests = accountSource('follow requests', (query) =>
  readPage(api.GET('/api/v1/follow_requests', { params: { query } })),
)

/** How many answers are on their way: until then, the server still has the requests. */
let answering = 0

/** The rows leave at once, so that the focus stays in what is left, and come back when the server refuses. */
async function respond(accounts: readonly Account[], answer: Answer): Promise<void> {
  const removed = accounts.map((account) => ({ account, undo: pagedListOf(requests).remove(account.id) }))
  answering += 1
  for (const { account, undo } of removed) if (!(await answerRequest(account, answer))) undo()
  answering -= 1
}

/** Others arrive, and other tabs answer some. */
function useChanges(): void {
  const reload = () => answering === 0 && void pagedListOf(requests).loadFirst()
  useRelationshipChanges(reload, requests.key)
  useEffect(
    () =>
      subscribe({
        names: [{ stream: 'user:notification' }],
        onEvent: ({ event, payload }) =>
          event === 'notification' && (JSON.parse(payload) as { type: string }).type === 'follow_request' && reload(),
        onConnect: reload,
      }),
    [],
  )
}

export function FollowRequestsScreen() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const accounts = pagedListOf(requests).items.value
  useChanges()
  const t = texts.accounts
  const choose = (id: string, isChosen: boolean) => {
    const changed = new Set(chosen)
    if (isChosen) changed.add(id)
    else changed.delete(id)
    setChosen(changed)
  }
  return (
    <Page title={t.follow_requests}>
      {accounts.length > 1 && <Batch accounts={accounts} chosen={chosen} setChosen={setChosen} />}
      <PagedListView
        source={requests}
        label={t.follow_requests}
        empty={t.no_follow_requests}
        render={(account) => (
          <div class="follow-request">
            {accounts.length > 1 && (
              <input
                type="checkbox"
                aria-label={t.choose({ handle: handleText(account) })}
                checked={chosen.has(account.id)}
                onChange={(event) => choose(account.id, event.currentTarget.checked)}
              />
            )}
            <AccountRow account={account} showsNote>
              <IconButton
                icon={Check}
                label={t.accept_one({ handle: handleText(account) })}
                onClick={() => void respond([account], 'authorize')}
              />
              <IconButton
                icon={X}
                label={t.reject_one({ handle: handleText(account) })}
                onClick={() => void respond([account], 'reject')}
              />
            </AccountRow>
          </div>
        )}
      />
    </Page>
  )
}

type BatchProps = { accounts: Account[]; chosen: ReadonlySet<string>; setChosen: (ids: ReadonlySet<string>) => void }

function Batch({ accounts, chosen, setChosen }: BatchProps) {
  const t = texts.accounts
  const taken = accounts.filter(({ id }) => chosen.has(id))
  const respondToAll = (answer: Answer) => {
    setChosen(new Set())
    return respond(taken, answer)
  }
  return (
    <div class="request-batch">
      <Choice
        label={t.choose_all}
        checked={taken.length === accounts.length}
        onChange={(checked) => setChosen(new Set(checked ? accounts.map(({ id }) => id) : []))}
      />
      <Button kind="primary" disabled={taken.length === 0} onClick={() => void respondToAll('authorize')}>
        {t.accept}
      </Button>
      <Button disabled={taken.length === 0} onClick={() => void respondToAll('reject')}>
        {t.reject}
      </Button>
    </div>
  )
}
