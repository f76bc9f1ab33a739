import { api, read, readDeletion } from '../api/client.ts'
import type { Account, Collection, CollectionWithAccounts } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { confirm } from '../ui/confirm.tsx'
import { showToast } from '../ui/toasts.tsx'
import { confirmDeletion } from './confirm-deletion.ts'

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
export const deleteCollection = ({ id, name }: Collection): Promise<boolean> =>
  confirmDeletion(name, texts.lists.delete_collection_text, () =>
    readDeletion(api.DELETE('/api/v1/collections/{id}', { params: { path: { id } } })),
  )

/** Resolves to whether the viewer's account has left. */
export async function leaveCollection({ id, name: title }: Collection, itemId: string): Promise<boolean> {
  const t = texts.lists
  const path = { collection_id: id, id: itemId }
  const act = () =>
    readDeletion(api.POST('/api/v1/collections/{collection_id}/items/{id}/revoke', { params: { path } }))
  const text = t.leave_text
  const isDone = await confirm({ title: t.leave_title({ title }), text, action: t.leave, isDanger: true, act })
  if (isDone) showToast(t.left({ title }))
  return isDone
}
