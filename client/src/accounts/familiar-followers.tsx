// Which followers of an account the viewer follows.
import type { Account } from '../api/entities.ts'
import { api, read } from '../api/client.ts'
import { storeAccount } from '../state/accounts.ts'
import { fill, texts } from '../texts.ts'
import { Avatar, NameLink } from '../ui/account-line.tsx'
import { useCached } from '../state/cached.ts'
import './familiar-followers.css'

/** How many are named. */
const NAMED = 2

async function loadFamiliar(id: string): Promise<Account[]> {
  const query = { 'id[]': [id] }
  const [found] = await read(api.GET('/api/v1/accounts/familiar_followers', { params: { query } }))
  for (const each of found?.accounts ?? []) storeAccount(each)
  return found?.accounts ?? []
}

export function FamiliarFollowers({ account: { id } }: { account: Account }) {
  const { value: data } = useCached(`familiar ${id}`, () => loadFamiliar(id))
  if (!data || data.length === 0) return null
  const named = data.slice(0, NAMED)
  const rest = data.length - named.length
  const names = named.map((account, index) => (
    <span key={account.id}>
      {index > 0 && texts.accounts.name_separator}
      <NameLink account={account} />
    </span>
  ))
  const text = rest > 0 ? texts.accounts.familiar_more({ count: rest }) : texts.accounts.familiar
  return (
    <div class="familiar-followers">
      <span class="familiar-avatars" aria-hidden="true">
        {data.slice(0, 3).map((account) => (
          <Avatar key={account.id} account={account} size={24} />
        ))}
      </span>
      <span>{fill(text, { names: <>{names}</> })}</span>
    </div>
  )
}
