// Blocks of whole domains.
import { api, read } from '../api/client.ts'
import { changeRelationshipsAt } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { showError, showToast } from '../ui/toasts.tsx'

export async function blockDomain(host: string): Promise<boolean> {
  const undo = changeRelationshipsAt(host, { domain_blocking: true, following: false, followed_by: false })
  try {
    await read(api.POST('/api/v1/domain_blocks', { body: { domain: host } }))
    const action = { label: texts.frame.undo, onSelect: () => void unblockDomain(host) }
    showToast(texts.accounts.domain_blocked({ host }), { action })
    return true
  } catch (error) {
    undo()
    showError(error)
    return false
  }
}

export async function unblockDomain(host: string): Promise<boolean> {
  const undo = changeRelationshipsAt(host, { domain_blocking: false })
  try {
    await read(api.DELETE('/api/v1/domain_blocks', { params: { query: { domain: host } } }))
    const action = { label: texts.frame.undo, onSelect: () => void blockDomain(host) }
    showToast(texts.accounts.domain_unblocked({ host }), { action })
    return true
  } catch (error) {
    undo()
    showError(error)
    return false
  }
}
