// The viewer's lists, and which of them an account is on. Each choice takes effect at once.
import { useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Account, List } from '../api/entities.ts'
import { changeMember } from '../lists/list-member.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextField } from '../ui/form.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { showError } from '../ui/toasts.tsx'
import { handleText } from './acts.ts'
import { useCached } from '../state/cached.ts'
import { closeAccountDialog } from './open.ts'
import './account-dialogs.css'

const byTitle = (a: List, b: List): number => a.title.localeCompare(b.title)

export function ListsDialog({ account }: { account: Account }) {
  const { id } = account
  const all = useCached('lists', () => read(api.GET('/api/v1/lists')))
  const own = useCached(`lists of ${id}`, () =>
    read(api.GET('/api/v1/accounts/{id}/lists', { params: { path: { id } } })),
  )
  const t = texts.accounts
  const reload = () => {
    all.reload()
    own.reload()
  }
  const show = (list: List, isMember: boolean) =>
    own.change((now) => [...now.filter((each) => each.id !== list.id), ...(isMember ? [list] : [])])
  const change = (list: List, isMember: boolean) => {
    show(list, isMember)
    const request = () => changeMember(list, id, isMember)
    return optimistic({ on: `list ${list.id} ${id}`, undo: () => show(list, !isMember), request })
  }
  const add = async (title: string) => {
    const list = await read(api.POST('/api/v1/lists', { body: { title } }))
    all.change((now) => [...now, list])
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
              onChange={(checked) => void change(list, checked)}
            />
          ))}
          <NewList add={add} />
        </>
      ) : (
        <LoadingOrFailed loaded={{ error: all.error ?? own.error, reload }} />
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
    <Form class="new-list" onSubmit={submit}>
      <TextField label={texts.accounts.new_list} value={title} maxLength={256} onText={setTitle} />
      <Button type="submit" disabled={isSending || title.trim() === ''}>
        {texts.accounts.create_list}
      </Button>
    </Form>
  )
}
