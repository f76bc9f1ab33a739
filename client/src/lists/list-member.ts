import { api, read } from '../api/client.ts'
import type { List } from '../api/entities.ts'
import { restartTimeline } from '../timelines/timelines.ts'

/** Adds an account to a list of the viewer's, or removes it. Throws ApiError. */
export async function changeMember({ id, exclusive }: List, accountId: string, isMember: boolean): Promise<void> {
  const path = { id }
  const query = { 'account_ids[]': [accountId] }
  await (isMember
    ? read(api.POST('/api/v1/lists/{id}/accounts', { params: { path }, body: { account_ids: [accountId] } }))
    : read(api.DELETE('/api/v1/lists/{id}/accounts', { params: { path, query } })))
  restartTimeline(`/lists/${id}`)
  if (exclusive) restartTimeline('/home')
}
