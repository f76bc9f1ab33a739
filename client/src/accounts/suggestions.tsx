// Accounts that the viewer may want to follow, each with the reason.
import { X } from 'lucide'
import { api, read } from '../api/client.ts'
import type { Suggestion } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { AccountRow } from './account-row.tsx'
import { handleText } from './acts.ts'
import { FollowButton } from './follow-button.tsx'
import { useCached } from '../state/cached.ts'

const LIMIT = 40

async function loadSuggestions(): Promise<Suggestion[]> {
  const suggestions = await read(api.GET('/api/v2/suggestions', { params: { query: { limit: LIMIT } } }))
  for (const { account } of suggestions) storeAccount(account)
  return suggestions
}

export function Suggestions() {
  const loaded = useCached('suggestions', loadSuggestions)
  const { value: data, change } = loaded
  const t = texts.accounts
  if (!data) return <LoadingOrFailed loaded={loaded} />
  const dismiss = (suggestion: Suggestion) => {
    const { id } = suggestion.account
    change((now) => now.filter((each) => each.account.id !== id))
    const request = () => read(api.DELETE('/api/v1/suggestions/{account}', { params: { path: { account: id } } }))
    return optimistic({ on: `suggestion ${id}`, undo: () => change((now) => [suggestion, ...now]), request })
  }
  return (
    <>
      <p class="list-intro">
        <a href="/directory">{t.to_directory}</a>
      </p>
      {data.length === 0 && <Empty>{t.no_suggestions}</Empty>}
      {data.map((suggestion) => {
        const { account, sources } = suggestion
        return (
          <AccountRow key={account.id} account={account} detail={reasonText(sources[0])} showsNote>
            <FollowButton account={account} />
            <IconButton
              icon={X}
              label={t.dismiss({ handle: handleText(account) })}
              onClick={() => void dismiss(suggestion)}
            />
          </AccountRow>
        )
      })}
    </>
  )
}

const reasonText = (source: Suggestion['sources'][number] | undefined): string =>
  source ? texts.accounts.reasons[source] : ''
