// What an account puts on show: tags, accounts and collections.
import { api, read } from '../api/client.ts'
import type { Account, Collection } from '../api/entities.ts'
import { storeAccount } from '../state/accounts.ts'
import { texts } from '../texts.ts'
import { AccountLine } from '../ui/account-line.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { FollowButton } from './follow-button.tsx'
import { useCached } from '../state/cached.ts'
import { TagLinks, useFeaturedTags } from './profile-timelines.tsx'

type Featured = { accounts: Account[]; collections: Collection[] }

async function loadFeatured(id: string): Promise<Featured> {
  const [accounts, { collections }] = await Promise.all([
    read(api.GET('/api/v1/accounts/{id}/endorsements', { params: { path: { id } } })),
    read(api.GET('/api/v1/accounts/{account_id}/collections', { params: { path: { account_id: id } } })),
  ])
  for (const each of accounts) storeAccount(each)
  return { accounts, collections }
}

export function ProfileFeatured({ account }: { account: Account }) {
  const tags = useFeaturedTags(account)
  const featured = useCached(`featured ${account.id}`, () => loadFeatured(account.id))
  const t = texts.accounts
  if (!featured.value) return <LoadingOrFailed loaded={featured} />
  const { accounts, collections } = featured.value
  if (tags.length + accounts.length + collections.length === 0) return <Empty>{t.nothing_featured}</Empty>
  return (
    <>
      {tags.length > 0 && (
        <section class="featured-section">
          <h3>{t.featured_tags}</h3>
          <TagLinks account={account} />
        </section>
      )}
      {collections.length > 0 && (
        <section class="featured-section">
          <h3>{t.collections}</h3>
          {collections.map((collection) => (
            <CollectionCard key={collection.id} collection={collection} />
          ))}
        </section>
      )}
      {accounts.length > 0 && (
        <section class="featured-section">
          <h3>{t.featured_accounts}</h3>
          {accounts.map((each) => (
            <AccountLine key={each.id} account={each}>
              <FollowButton account={each} />
            </AccountLine>
          ))}
        </section>
      )}
    </>
  )
}

function CollectionCard({ collection }: { collection: Collection }) {
  return (
    <a class="collection-card" href={`/collections/${collection.id}`}>
      <strong dir="auto">{collection.name}</strong>
      {collection.description && <p dir="auto">{htmlToPlainText(collection.description)}</p>}
      <small>{texts.accounts.account_count({ count: collection.item_count })}</small>
    </a>
  )
}
