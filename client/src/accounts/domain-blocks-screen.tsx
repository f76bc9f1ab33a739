import { useState } from 'preact/hooks'
import { api, readPage } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { blockDomain, unblockDomain } from './domain-acts.ts'
import { PagedListView, pagedListOf, type PagedSource } from '../ui/paged-list.tsx'
import './domain-blocks-screen.css'

const domains: PagedSource<string> = {
  key: 'domain blocks',
  keyOf: (domain) => domain,
  load: (query) => readPage(api.GET('/api/v1/domain_blocks', { params: { query } })),
}

async function remove(host: string): Promise<void> {
  const list = pagedListOf(domains)
  const undo = list.remove(host)
  const sent = unblockDomain(host)
  list.leaveOut(host, sent)
  if (!(await sent)) undo()
}

export function DomainBlocksScreen() {
  const t = texts.accounts
  return (
    <Page title={t.domain_blocks}>
      <AddDomain />
      <PagedListView
        source={domains}
        label={t.domain_blocks}
        empty={t.no_domain_blocks}
        render={(host) => (
          <div class="domain-row">
            <bdi>{host}</bdi>
            <Button aria-label={t.unblock_domain({ host })} onClick={() => void remove(host)}>
              {t.unblock}
            </Button>
          </div>
        )}
      />
    </Page>
  )
}

function AddDomain() {
  const [host, setHost] = useState('')
  const [isBusy, setBusy] = useState(false)
  const t = texts.accounts
  const submit = async () => {
    if (isBusy) return
    const typed = host.trim()
    const text = [t.block_domain_posts, t.block_domain_follows].join(' ')
    const question = { title: t.block_domain_title({ host: typed }), text, action: t.block_domain, isDanger: true }
    if (!(await confirm(question))) return
    setBusy(true)
    if (await blockDomain(typed)) {
      setHost('')
      await pagedListOf(domains).loadFirst()
    }
    setBusy(false)
  }
  return (
    <Form class="domain-form" onSubmit={submit}>
      <TextField
        label={t.domain}
        hint={t.domain_hint}
        value={host}
        dir="ltr"
        inputMode="url"
        autocapitalize="none"
        spellcheck={false}
        placeholder="example.com"
        onText={setHost}
      />
      <Button type="submit" disabled={host.trim() === ''} aria-busy={isBusy}>
        {t.block}
      </Button>
    </Form>
  )
}
