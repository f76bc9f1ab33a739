// `/collections/new` and `/collections/:id/edit`
import { Trash } from 'lucide'
import { useLocation, useRoute } from 'preact-iso'
import { AccountRow } from '../accounts/account-row.tsx'
import { handleOf } from '../accounts/acts.ts'
import { api, read } from '../api/client.ts'
import type { Account, Collection, CollectionWithAccounts } from '../api/entities.ts'
import { useCached } from '../state/cached.ts'
import type { Loaded } from '../state/loaded.ts'
import { isMe } from '../state/me.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { AccountPicker, MemberButton } from './account-picker.tsx'
import { CollectionForm, type CollectionValues } from './collection-form.tsx'
import { deleteCollection, loadCollection, membersOfCollection } from './collection.ts'
import './lists.css'

export function CollectionCreateScreen() {
  const { route } = useLocation()
  const t = texts.lists
  const create = async (body: CollectionValues) => {
    const { collection } = await read(api.POST('/api/v1/collections', { body }))
    route(`/collections/${collection.id}/edit`, true)
  }
  return (
    <Page title={t.new_collection}>
      <CollectionForm action={t.create} save={create} />
    </Page>
  )
}

export function CollectionEditScreen() {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = params.id ?? ''
  const loaded = useCached(`collection ${id}`, () => loadCollection(id))
  // Only owners see the form: the server refuses changes of others.
  const own = loaded.value && isMe(loaded.value.collection.account_id) ? loaded.value : undefined
  const t = texts.lists
  const save = async (body: CollectionValues) => {
    const { collection } = await read(api.PATCH('/api/v1/collections/{id}', { params: { path: { id } }, body }))
    if (own) loaded.set({ ...own, collection })
    showToast(t.saved)
  }
  const remove = async (collection: Collection) => {
    if (await deleteCollection(collection)) route('/collections', true)
  }
  return (
    <Page
      title={own?.collection.name ?? t.collections}
      actions={own && <IconButton icon={Trash} label={t.delete} onClick={() => void remove(own.collection)} />}
    >
      {loaded.error || !loaded.value ? (
        <LoadingOrFailed loaded={loaded} />
      ) : own ? (
        <>
          <CollectionForm key={id} initial={own.collection} action={t.save} save={save} />
          <CollectionAccounts own={own} loaded={loaded} />
        </>
      ) : (
        <Empty>{texts.frame.not_found}</Empty>
      )}
    </Page>
  )
}

/** Where the API says something else, such as `unknown`, only an attempt shows whether the account can be added. */
const refusal = ({ feature_approval: { current_user: approval } }: Account) =>
  approval === 'denied' || approval === 'missing' ? texts.lists.not_featurable : undefined

type AccountsProps = { own: CollectionWithAccounts; loaded: Loaded<CollectionWithAccounts> }

function CollectionAccounts({ own, loaded }: AccountsProps) {
  const { id } = own.collection
  const members = membersOfCollection(own)
  const memberOf = (account: Account) => members.find((each) => each.account.id === account.id)
  const t = texts.lists
  const change = async (sent: Promise<unknown>, text: string) => {
    try {
      await sent
      loaded.set(await loadCollection(id))
      showToast(text)
    } catch (error) {
      showError(error)
    }
  }
  const add = (account: Account) => {
    const params = { path: { collection_id: id } }
    const sent = api.POST('/api/v1/collections/{collection_id}/items', { params, body: { account_id: account.id } })
    return change(read(sent), t.account_added({ handle: handleOf(account) }))
  }
  const remove = (account: Account) => {
    const params = { path: { collection_id: id, id: memberOf(account)?.itemId ?? '' } }
    const sent = api.DELETE('/api/v1/collections/{collection_id}/items/{id}', { params })
    return change(read(sent), t.account_removed({ handle: handleOf(account) }))
  }
  return (
    <section class="members" aria-label={t.accounts}>
      <h2>{t.accounts}</h2>
      <p class="section-hint">
        <small>{t.accounts_hint}</small>
      </p>
      <AccountPicker
        label={t.find_accounts}
        isMember={(account) => memberOf(account) !== undefined}
        refusal={refusal}
        add={add}
        remove={remove}
      />
      {members.length === 0 && <Empty>{t.collection_empty}</Empty>}
      <ul class="rows">
        {members.map(({ itemId, isPending, account }) => (
          <li key={itemId}>
            <AccountRow account={account} detail={isPending && t.waiting}>
              <MemberButton account={account} isMember add={add} remove={remove} />
            </AccountRow>
          </li>
        ))}
      </ul>
    </section>
  )
}
