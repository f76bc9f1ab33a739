// Says what a block of a whole server does before it does it.
import { api, read } from '../api/client.ts'
import type { Account } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { block, handleText } from './acts.ts'
import { blockDomain } from './domain-acts.ts'
import { hostOf } from './handle.tsx'
import { useCached } from '../state/cached.ts'
import { closeAccountDialog } from './open.ts'
import './account-dialogs.css'

export function BlockDomainDialog({ account }: { account: Account }) {
  const host = hostOf(account)
  const load = () => read(api.GET('/api/v1/domain_blocks/preview', { params: { query: { domain: host } } }))
  const { value: data } = useCached(`domain ${host}`, load)
  const t = texts.accounts
  return (
    <Dialog
      title={t.block_domain_title({ host })}
      onClose={closeAccountDialog}
      actions={
        <>
          <Button onClick={closeAccountDialog}>{texts.frame.cancel}</Button>
          <Button
            onClick={() => {
              closeAccountDialog()
              void block(account)
            }}
          >
            {t.block_only({ handle: handleText(account) })}
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              closeAccountDialog()
              void blockDomain(host)
            }}
          >
            {t.block_domain}
          </Button>
        </>
      }
    >
      <ul class="consequences">
        <li>{t.block_domain_posts}</li>
        <li>{t.block_domain_follows}</li>
        <li>{t.block_domain_hint}</li>
      </ul>
      <p aria-live="polite">
        {data && data.followers_count + data.following_count > 0 && (
          <strong>
            {data.following_count > 0 && t.block_domain_loses_following({ count: data.following_count })}{' '}
            {data.followers_count > 0 && t.block_domain_loses_followers({ count: data.followers_count })}
          </strong>
        )}
      </p>
    </Dialog>
  )
}
