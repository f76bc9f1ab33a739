// The viewer's lists, and which of them an account is on. Each choice takes effect at once.
import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Account, List } from '../api/entities.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field } from '../ui/form.tsx'
import { Failed, Loading } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'
import { handleText } from './acts.ts'
import { useCached } from '../state/cached.ts'
import { closeAccountDialog } from './open.ts'
import './account-dialogs.css'

async function changeMembership(listId: string, accountId: string, isMember: boolean): Promise<void> {
  const path = { id: listId }
  if (isMember)
    await read(api.POST('/api/v1/lists/{id}/accounts', { params: { path }, body: { account_ids: [accountId] } }))
  else {
    const query = { 'account_ids[]': [accountId] }
    await read(api.DELETE('/api/v1/lists/{id}/accounts', { params: { path, query } }))
  }
}

const byTitle = (a: List, b: List): number => a.title.localeCompare(b.title)

export function ListsDialog({ account }: { account: Account }) {
  const { id } = account
  const all = useCached('lists', () => read(api.GET('/api/v1/lists')))
  const own = useCached(`lists of ${id}`, () =>
    read(api.GET('/api/v1/accounts/{id}/lists', { params: { path: { id } } })),
  )
  const t = texts.accounts
  const error = all.error ?? own.error
  const change = async (list: List, isMember: boolean) => {
    const before = own.value ?? []
    const others = before.filter((each) => each.id !== list.id)
    own.set(isMember ? [...others, list] : others)
    try {
      await changeMembership(list.id, id, isMember)
    } catch (failed) {
      own.set(before)
      showError(failed)
    }
  }
  const add = async (title: string) => {
    const list = await read(api.POST('/api/v1/lists', { body: { title } }))
    all.set([...(all.value ?? []), list])
    await change(list, true)
  }
  return (
    <Dialog
      title={t.lists_title({ handle: handleText(account) })}
      onClose={closeAccountDialog}
      actions={
        <Button kind="primary" onClick={closeAccountDialog}>
          {t.done}
        </Button>
      }
    >
      {all.value && own.value ? (
        <>
          {all.value.length === 0 && <p>{t.no_lists}</p>}
          {all.value.toSorted(byTitle).map((list) => (
            <Choice
              key={list.id}
              label={<bdi>{list.title}</bdi>}
              checked={own.value?.some((each) => each.id === list.id) === true}
              onChange={(event) => void change(list, event.currentTarget.checked)}
            />
          ))}
          <NewList add={add} />
        </>
      ) : error ? (
        <Failed error={error} retry={() => void Promise.all([all.reload(), own.reload()])} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

function NewList({ add }: { add: (title: string) => Promise<void> }) {
  const [title, setTitle] = useState('')
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setSending(true)
    try {
      await add(title.trim())
      setTitle('')
    } catch (error) {
      showError(error)
    }
    setSending(false)
  }
  return (
    <form
      class="new-list"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field label={texts.accounts.new_list}>
        {(control) => (
          <input {...control} value={title} maxLength={255} onInput={(event) => setTitle(event.currentTarget.value)} />
        )}
      </Field>
      <Button type="submit" disabled={isSending || title.trim() === ''}>
        {texts.accounts.create_list}
      </Button>
    </form>
  )
}
