// The accounts to which this browser can switch, the last used first.
import { signal } from '@preact/signals'
import type { Account } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { otherAccountIds } from '../api/session.ts'

export const otherAccounts = signal<readonly Account[]>([])

/** Throws ApiError. */
export async function loadOtherAccounts(): Promise<void> {
  if (otherAccountIds.length === 0) return
  const found = await read(api.GET('/api/v1/accounts', { params: { query: { 'id[]': otherAccountIds } } }))
  otherAccounts.value = otherAccountIds.flatMap((id) => found.find((account) => account.id === id) ?? [])
}

export function dropOtherAccount(id: string): void {
  otherAccounts.value = otherAccounts.value.filter((account) => account.id !== id)
}
