// A collection with its accounts. Its address has a page for visitors, too.
import { Pencil, UserPlus } from 'lucide'
import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import { AccountRow } from '../accounts/account-row.tsx'
import { follow } from '../accounts/acts.ts'
import type { CollectionWithAccounts } from '../api/entities.ts'
import { relationshipOf } from '../state/accounts.ts'
import { useCached } from '../state/cached.ts'
import { isMe } from '../state/me.ts'
import { fill, texts } from '../texts.ts'
import { NameLink } from '../ui/account-line.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { tagPath } from '../ui/tag-path.ts'
import { leaveCollection, loadCollection, membersOfCollection, type CollectionMember } from './collection.ts'
import './collection.css'
import './lists.css'

export function CollectionScreen() {
  const { params } = useRoute()
  const id = params.id ?? ''
  const loaded = useCached(`collection ${id}`, () => loadCollection(id))
  const { value } = loaded
  const edit = value && isMe(value.collection.account_id) && (
    <a
      class="icon-button"
      href={`/collections/${id}/edit`}
      aria-label={texts.lists.edit_list({ title: value.collection.name })}
      title={texts.lists.edit}
    >
      <Icon icon={Pencil} />
    </a>
  )
  return (
    <Page title={value?.collection.name ?? texts.lists.collections} actions={edit}>
      {value && !loaded.error ? (
        <CollectionContent loaded={value} reload={loaded.reload} />
      ) : (
        <LoadingOrFailed loaded={loaded} />
      )}
    </Page>
  )
}

function CollectionContent({ loaded, reload }: { loaded: CollectionWithAccounts; reload: () => void }) {
  const { collection, accounts } = loaded
  const members = membersOfCollection(loaded)
  const owner = accounts.find(({ id }) => id === collection.account_id)
  const own = members.find(({ account }) => isMe(account.id))
  const t = texts.lists
  const leave = async () => {
    if (own && (await leaveCollection(collection, own.itemId))) reload()
  }
  return (
    <>
      <div class="collection-header">
        {collection.description && <RichText html={collection.description} language={collection.language} />}
        {owner && <p class="collection-owner">{fill(t.collection_by, { name: <NameLink account={owner} /> })}</p>}
        {collection.tag && (
          <p>
            <a href={tagPath(collection.tag.name)}>
              <bdi>#{collection.tag.name}</bdi>
            </a>
          </p>
        )}
        {own && (
          <p class="collection-notice">
            {t.features_you}
            <Button onClick={() => void leave()}>{t.leave}</Button>
          </p>
        )}
        <FollowAll members={members} />
      </div>
      {members.length === 0 ? (
        <Empty>{t.collection_empty}</Empty>
      ) : (
        <ul class="rows">
          {members.map(({ itemId, isPending, account }) => (
            <li key={itemId}>
              <AccountRow account={account} showsNote detail={isPending && t.waiting} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function FollowAll({ members }: { members: readonly CollectionMember[] }) {
  const [isSending, setSending] = useState(false)
  const others = members.map(({ account }) => account).filter(({ id }) => !isMe(id))
  const waiting = others.filter(({ id }) => {
    const relationship = relationshipOf(id).value
    return relationship && !relationship.following && !relationship.requested && !relationship.blocking
  })
  const isKnown = others.every(({ id }) => relationshipOf(id).value)
  const t = texts.lists
  if (others.length < 2 || !isKnown) return null
  if (waiting.length === 0) return <small>{t.follows_all}</small>
  const followAll = async () => {
    if (!(await confirm({ title: t.follow_all_title({ count: waiting.length }), action: t.follow_all }))) return
    setSending(true)
    for (const account of waiting) if (!(await follow(account))) break
    setSending(false)
  }
  return (
    <Button kind="primary" icon={UserPlus} disabled={isSending} onClick={() => void followAll()}>
      {t.follow_all}
    </Button>
  )
}
