import { api, read } from '../api/client.ts'

/** Adds an account to a list of the viewer's, or removes it. Throws ApiError. */
export function changeMember(listId: string, accountId: string, isMember: boolean): Promise<unknown> {
  const path = { id: listId }
  if (isMember)
    return read(api.POST('/api/v1/lists/{id}/accounts', { params: { path }, body: { account_ids: [accountId] } }))
  return read(api.DELETE('/api/v1/lists/{id}/accounts', { params: { path, query: { 'account_ids[]': [accountId] } } }))
}
