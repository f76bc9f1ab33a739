import { api, read } from '../api/client.ts'
import type { Account, Collection, CollectionWithAccounts } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { confirm } from '../ui/confirm.tsx'
import { showError, showToast } from '../ui/toasts.tsx'

export async function loadCollection(id: string): Promise<CollectionWithAccounts> {
  const loaded = await read(api.GET('/api/v1/collections/{id}', { params: { path: { id } } }))
  for (const each of loaded.accounts) storeAccount(each)
  return loaded
}

/** The accounts in a collection, with what the API needs to remove each. */
export type CollectionMember = { itemId: string; isPending: boolean; account: Account }

export const membersOfCollection = ({ accounts, collection }: CollectionWithAccounts): CollectionMember[] =>
  collection.items.flatMap(({ id, account_id: accountId, state }) => {
    const account = accounts.find((each) => each.id === accountId)
    return account ? [{ itemId: id, isPending: state === 'pending', account }] : []
  })

/** Resolves to whether it was deleted. */
export async function deleteCollection({ id, name: title }: Collection): Promise<boolean> {
  const t = texts.lists
  const question = {
    title: t.delete_title({ title }),
    text: t.delete_collection_text,
    action: t.delete,
    isDanger: true,
  }
  if (!(await confirm(question))) return false
  try {
    await read(api.DELETE('/api/v1/collections/{id}', { params: { path: { id } } }))
    showToast(t.deleted({ title }))
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

/** Resolves to whether the viewer's account has left. */
export async function leaveCollection({ id, name: title }: Collection, itemId: string): Promise<boolean> {
  const t = texts.lists
  const question = { title: t.leave_title({ title }), text: t.leave_text, action: t.leave, isDanger: true }
  if (!(await confirm(question))) return false
  try {
    const path = { collection_id: id, id: itemId }
    await read(api.POST('/api/v1/collections/{collection_id}/items/{id}/revoke', { params: { path } }))
    showToast(t.left({ title }))
    return true
  } catch (error) {
    showError(error)
    return false
  }
}
