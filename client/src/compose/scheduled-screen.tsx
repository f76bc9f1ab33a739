// Posts that the server publishes later.
import { CalendarClock, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { ScheduledStatus, Status } from '../api/entities.ts'
import { api, read, readPage } from '../api/client.ts'
import { fullTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { optimistic } from '../ui/optimistic.ts'
import { PagedListView, type PagedList, type PagedSource } from '../ui/paged-list.tsx'
import { showToast } from '../ui/toasts.tsx'
import type { Draft } from './draft.ts'
import { openComposer } from './open.ts'
import { deleteOriginal } from './redraft.ts'
import { ScheduleDialog } from './schedule.tsx'
import { scheduledDraft } from './scheduled-draft.ts'
import { storeDraft } from './store.ts'
import './scheduled-screen.css'

const source: PagedSource<ScheduledStatus> = {
  key: 'scheduled statuses',
  keyOf: ({ id }) => id,
  load: (query) => readPage(api.GET('/api/v1/scheduled_statuses', { params: { query: { ...query, limit: 40 } } })),
}

export function ScheduledScreen() {
  const t = texts.compose
  return (
    <Page title={texts.frame.scheduled_posts}>
      <PagedListView
        source={source}
        label={texts.frame.scheduled_posts}
        empty={t.no_scheduled}
        render={(scheduled, list) => <ScheduledRow scheduled={scheduled} list={list} />}
      />
    </Page>
  )
}

type Question = Omit<Parameters<typeof confirm>[0], 'act'>

/** Returns what it was; null when it stays. As the answer may be lost, one to be edited is a draft before it is deleted. */
async function unschedule(
  scheduled: ScheduledStatus,
  question: Question,
  { isEdit = false } = {},
): Promise<Draft | null> {
  let draft: Draft | null = null
  const act = async () => {
    draft ??= await scheduledDraft(scheduled)
    if (isEdit) await storeDraft(draft)
    const params = { path: { id: scheduled.id } }
    await deleteOriginal(draft, api.DELETE('/api/v1/scheduled_statuses/{id}', { params }))
  }
  return (await confirm({ ...question, act })) ? draft : null
}

async function openAgain(draft: Draft): Promise<void> {
  await storeDraft(draft)
  openComposer({ draft: draft.id })
}

async function changeTime(scheduled: ScheduledStatus, list: PagedList<ScheduledStatus>, at: string): Promise<void> {
  const { id } = scheduled
  const show = (time: string) => list.replace({ ...scheduled, scheduled_at: time })
  show(at)
  const isDone = await optimistic({
    on: `scheduled status ${id}`,
    undo: () => show(scheduled.scheduled_at),
    request: () =>
      read(api.PUT('/api/v1/scheduled_statuses/{id}', { params: { path: { id } }, body: { scheduled_at: at } })),
    done: (changed) => list.replace(changed),
  })
  if (isDone) showToast(texts.compose.saved)
}

type ScheduledRowProps = { scheduled: ScheduledStatus; list: PagedList<ScheduledStatus> }

function ScheduledRow({ scheduled, list }: ScheduledRowProps) {
  const t = texts.compose
  const [isOpen, setOpen] = useState(false)
  const { id, params, media_attachments: media } = scheduled
  const edit = async () => {
    const question = { title: t.edit_scheduled_title, text: t.edit_scheduled_text, action: texts.statuses.edit }
    const draft = await unschedule(scheduled, question, { isEdit: true })
    if (!draft) return
    list.remove(id)
    openComposer({ draft: draft.id })
  }
  const remove = async () => {
    const question = { title: t.delete_scheduled_title, action: t.delete_draft, isDanger: true }
    const draft = await unschedule(scheduled, question)
    if (!draft) return
    list.remove(id)
    const action = { label: texts.statuses.write_again, onSelect: () => void openAgain(draft) }
    showToast(t.scheduled_deleted, { action })
  }
  const facts = [
    texts.statuses.visibilities[params.visibility as Status['visibility']],
    params.poll && t.poll,
    media.length > 0 && t.media_count({ count: media.length }),
  ]
  return (
    <div class="scheduled-row">
      <p class="scheduled-time">
        <time dateTime={scheduled.scheduled_at}>{fullTime(new Date(scheduled.scheduled_at))}</time>
      </p>
      {params.spoiler_text && <p dir="auto">{params.spoiler_text}</p>}
      <p class="scheduled-text" dir="auto">
        {params.text || t.no_text}
      </p>
      <small>{facts.filter(Boolean).join(' · ')}</small>
      <div class="buttons">
        <Button icon={CalendarClock} onClick={() => setOpen(true)}>
          {t.change_time}
        </Button>
        <Button icon={Pencil} onClick={() => void edit()}>
          {texts.statuses.edit}
        </Button>
        <Button icon={Trash2} onClick={() => void remove()}>
          {t.delete_draft}
        </Button>
      </div>
      {isOpen && (
        <ScheduleDialog
          at={scheduled.scheduled_at}
          onSet={(at) => void changeTime(scheduled, list, at)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
