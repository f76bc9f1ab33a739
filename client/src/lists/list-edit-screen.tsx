// The settings and members of a list. Members come and go at once.
import { Trash } from 'lucide'
import { useLocation, useRoute } from 'preact-iso'
import { useMemo, useState } from 'preact/hooks'
import { AccountRow } from '../accounts/account-row.tsx'
import { accountSource } from '../accounts/account-source.ts'
import { handleOf } from '../accounts/acts.ts'
import { PagedListView, pagedListOf } from '../ui/paged-list.tsx'
import { api, read, readDeletion, readPage } from '../api/client.ts'
import type { Account, List } from '../api/entities.ts'
import { changeCached } from '../state/cached.ts'
import { useLoaded } from '../state/loaded.ts'
import { texts } from '../texts.ts'
import { restartTimeline } from '../timelines/timelines.ts'
import { IconButton } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { offerUndo, optimistic } from '../ui/optimistic.ts'
import { showToast } from '../ui/toasts.tsx'
import { AccountPicker, MemberButton } from './account-picker.tsx'
import { confirmDeletion } from './confirm-deletion.ts'
import { changeMember } from './list-member.ts'
import { ListForm, type ListValues } from './list-form.tsx'
import './lists.css'

export function ListEditScreen() {
  const { params } = useRoute()
  const { route } = useLocation()
  const path = { id: params.id ?? '' }
  const list = useLoaded(() => read(api.GET('/api/v1/lists/{id}', { params: { path } })), [path.id])
  const t = texts.lists
  const title = list.value?.title ?? ''
  const save = async (body: ListValues) => {
    const saved = await read(api.PUT('/api/v1/lists/{id}', { params: { path }, body }))
    if (saved.replies_policy !== list.value?.replies_policy) restartTimeline(`/lists/${path.id}`)
    if (saved.exclusive !== list.value?.exclusive) restartTimeline('/home')
    list.set(saved)
    changeCached<List[]>('lists', (now) => now.map((each) => (each.id === saved.id ? saved : each)))
    showToast(t.saved)
  }
  const remove = async () => {
    const act = () => readDeletion(api.DELETE('/api/v1/lists/{id}', { params: { path } }))
    if (!(await confirmDeletion(title, t.delete_list_text, act))) return
    changeCached<List[]>('lists', (now) => now.filter(({ id }) => id !== path.id))
    if (list.value?.exclusive) restartTimeline('/home')
    route('/lists', true)
  }
  return (
    <Page
      title={title || texts.frame.lists}
      actions={list.value && <IconButton icon={Trash} label={t.delete} onClick={() => void remove()} />}
    >
      {list.value ? (
        <>
          <div class="form-area">
            <ListForm key={list.value.id} id={list.value.id} initial={list.value} action={t.save} save={save} />
          </div>
          <Members list={list.value} />
        </>
      ) : (
        <LoadingOrFailed loaded={list} />
      )}
    </Page>
  )
}

const membersOf = (id: string) =>
  accountSource(`list members ${id}`, (query) =>
    readPage(api.GET('/api/v1/lists/{id}/accounts', { params: { path: { id }, query } })),
  )

function Members({ list }: { list: List }) {
  const { id } = list
  const source = useMemo(() => membersOf(id), [id])
  const members = pagedListOf(source)
  // Accounts on pages that are not loaded yet are unknown until one adds or removes them.
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isMember = (account: Account) =>
    changed.get(account.id) ?? members.items.value.some((each) => each.id === account.id)
  const show = (account: Account, isAdded: boolean) => {
    setChanged((now) => new Map(now).set(account.id, isAdded))
    if (isAdded) members.prepend(account)
    else members.remove(account.id)
  }
  const change = async (account: Account, isAdded: boolean) => {
    show(account, isAdded)
    const request = () => changeMember(list, account.id, isAdded)
    const undo = () => show(account, !isAdded)
    if (!(await optimistic({ on: `list ${id} ${account.id}`, undo, request }))) return
    const handle = handleOf(account)
    const text = isAdded ? texts.lists.account_added({ handle }) : texts.lists.account_removed({ handle })
    offerUndo(text, () => change(account, !isAdded))
  }
  const add = (account: Account) => void change(account, true)
  const remove = (account: Account) => void change(account, false)
  const t = texts.lists
  return (
    <section class="members" aria-label={t.members}>
      <h2>{t.members}</h2>
      <AccountPicker label={t.find_followed} onlyFollowed isMember={isMember} add={add} remove={remove} />
      <PagedListView
        source={source}
        label={t.members}
        empty={t.no_members}
        render={(account) => (
          <AccountRow account={account}>
            <MemberButton account={account} isMember add={add} remove={remove} />
          </AccountRow>
        )}
      />
    </section>
  )
}
