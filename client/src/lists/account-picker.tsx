// Finds accounts to add to a list or collection. Those that are in it can be removed here, too.
import { Plus, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { handleOf } from '../accounts/acts.ts'
import { AccountRow } from '../accounts/account-row.tsx'
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { afterPause } from '../ui/after-pause.ts'
import { IconButton } from '../ui/button.tsx'
import { Field } from '../ui/form.tsx'
import { Failed, Note } from '../ui/state-message.tsx'

type PickerProps = {
  label: string
  /** Offers only accounts that the viewer follows. */
  onlyFollowed?: boolean
  isMember: (account: Account) => boolean
  /** Says why an account cannot be added. */
  refusal?: (account: Account) => string | undefined
  /** The button waits for what they return. */
  add: (account: Account) => unknown
  remove: (account: Account) => unknown
}

type Found = { accounts: Account[] } | { error: unknown } | null

/** Milliseconds after the last key. */
const DELAY = 250

export function AccountPicker({ label, onlyFollowed = false, isMember, refusal, add, remove }: PickerProps) {
  const [text, setText] = useState('')
  const [attempt, setAttempt] = useState(0)
  const found = useFound(text.trim(), onlyFollowed, attempt)
  return (
    <div class="account-picker">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            type="search"
            value={text}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <div aria-live="polite">
        {found && 'error' in found && <Failed error={found.error} retry={() => setAttempt(attempt + 1)} />}
        {found && 'accounts' in found && found.accounts.length === 0 && (
          <Note>{texts.lists.no_accounts_found({ query: text.trim() })}</Note>
        )}
        {found &&
          'accounts' in found &&
          found.accounts.map((account) => {
            const detail = isMember(account) ? undefined : refusal?.(account)
            return (
              <AccountRow key={account.id} account={account} detail={detail}>
                {detail === undefined && (
                  <MemberButton account={account} isMember={isMember(account)} add={add} remove={remove} />
                )}
              </AccountRow>
            )
          })}
      </div>
    </div>
  )
}

type MemberButtonProps = Pick<PickerProps, 'add' | 'remove'> & { account: Account; isMember: boolean }

export function MemberButton({ account, isMember, add, remove }: MemberButtonProps) {
  const handle = handleOf(account)
  const [isBusy, setBusy] = useState(false)
  const t = texts.lists
  const change = async () => {
    if (isBusy) return
    setBusy(true)
    await (isMember ? remove(account) : add(account))
    setBusy(false)
  }
  return (
    <IconButton
      icon={isMember ? X : Plus}
      label={isMember ? t.remove_account({ handle }) : t.add_account({ handle })}
      aria-disabled={isBusy || undefined}
      onClick={() => void change()}
    />
  )
}

function useFound(q: string, following: boolean, attempt: number): Found {
  const [found, setFound] = useState<Found>(null)
  useEffect(() => {
    if (q === '') return setFound(null)
    return afterPause(DELAY, (signal) => {
      const query = { q, following, limit: 8 }
      read(api.GET('/api/v1/accounts/search', { params: { query }, signal })).then(
        (accounts) => {
          for (const each of accounts) storeAccount(each)
          if (!signal.aborted) setFound({ accounts })
        },
        (error: unknown) => signal.aborted || setFound({ error }),
      )
    })
  }, [q, following, attempt])
  return found
}
