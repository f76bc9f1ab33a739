// The handle of an account, which opens to say what its parts are.
import { Copy } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { Account } from '../api/entities.ts'
import { identity, useInstance } from '../state/me.ts'
import { fill, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'

/** The domain of the server where an account lives. */
export function hostOf({ acct }: Pick<Account, 'acct'>): string {
  return acct.split('@')[1] ?? identity.peek()?.instance.domain ?? ''
}

export const isRemote = ({ acct }: Pick<Account, 'acct'>): boolean => acct.includes('@')

export function Handle({ account }: { account: Account }) {
  const { domain } = useInstance()
  const host = hostOf(account)
  const whole = `@${account.username}@${host}`
  const t = texts.accounts
  return (
    <details class="profile-handle">
      <summary>
        <bdi>{whole}</bdi>
      </summary>
      <div class="profile-handle-text">
        <p>{fill(t.handle_name, { name: <Part>@{account.username}</Part> })}</p>
        <p>{fill(host === domain ? t.handle_own_server : t.handle_server, { host: <Part>{host}</Part> })}</p>
        <Button icon={Copy} onClick={() => void copyText(whole)}>
          {t.copy_handle}
        </Button>
      </div>
    </details>
  )
}

const Part = ({ children }: { children: ComponentChildren }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)
