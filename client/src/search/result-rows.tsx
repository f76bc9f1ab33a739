// How each kind of result looks in a list.
import { AccountRow } from '../accounts/account-row.tsx'
import type { Account, Collection, Status, Tag } from '../api/entities.ts'
import { Sparkline } from '../explore/sparkline.tsx'
import { TagUsage } from '../explore/tag-usage.tsx'
import { StatusItem } from '../statuses/status-item.tsx'
import { texts } from '../texts.ts'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { tagPath } from '../ui/tag-path.ts'
import './search.css'

export const renderAccount = (account: Account) => <AccountRow account={account} showsNote />
export const renderStatus = ({ id }: Status) => <StatusItem id={id} />

export const renderTag = (tag: Tag) => (
  <a class="result-row" href={tagPath(tag.name)}>
    <span>
      <TagUsage tag={tag} />
    </span>
    <Sparkline history={tag.history} />
  </a>
)

export const renderCollection = (collection: Collection) => (
  <a class="result-row" href={`/collections/${collection.id}`}>
    <span>
      <strong dir="auto">{collection.name}</strong>
      {collection.description && <span dir="auto">{htmlToPlainText(collection.description)}</span>}
      <small>{texts.accounts.account_count({ count: collection.item_count })}</small>
    </span>
  </a>
)
