// Posts that the server publishes later.
import { CalendarClock, Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { ScheduledStatus } from '../api/entities.ts'
import { api, read, readPage } from '../api/client.ts'
import { fullTime, texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/confirm.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { showError, showToast } from '../ui/toasts.tsx'
import { ScheduleDialog } from './schedule.tsx'
import './scheduled-screen.css'

type Loaded = { items: ScheduledStatus[]; next: Record<string, string> | null }

export function ScheduledScreen() {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = async (next: Record<string, string> | null) => {
    try {
      const page = await readPage(api.GET('/api/v1/scheduled_statuses', { params: { query: { ...next, limit: 40 } } }))
      setLoaded((before) => ({ items: [...(next ? (before?.items ?? []) : []), ...page.items], next: page.next }))
      setError(null)
    } catch (failed) {
      setError(failed)
    }
  }
  useEffect(() => void load(null), [])
  const change = (id: string, changed: ScheduledStatus | null) =>
    setLoaded(
      (before) =>
        before && { ...before, items: before.items.flatMap((each) => (each.id === id ? (changed ?? []) : each)) },
    )
  const t = texts.compose
  return (
    <Page title={t.scheduled_title}>
      {loaded?.items.length === 0 && <Empty>{t.no_scheduled}</Empty>}
      {loaded && loaded.items.length > 0 && (
        <ul class="scheduled-list">
          {loaded.items.map((each) => (
            <ScheduledRow key={each.id} scheduled={each} onChange={change} />
          ))}
        </ul>
      )}
      {error !== null && <Failed error={error} retry={() => void load(null)} />}
      {!loaded && error === null && <Loading />}
      {loaded?.next && loaded.items.length > 0 && (
        <Button onClick={() => void load(loaded.next)}>{t.more_scheduled}</Button>
      )}
    </Page>
  )
}

type ScheduledRowProps = {
  scheduled: ScheduledStatus
  onChange: (id: string, changed: ScheduledStatus | null) => void
}

function ScheduledRow({ scheduled, onChange }: ScheduledRowProps) {
  const t = texts.compose
  const [isOpen, setOpen] = useState(false)
  const { id, params, media_attachments: media } = scheduled
  const set = async (at: string) => {
    try {
      onChange(
        id,
        await read(
          api.PUT('/api/v1/scheduled_statuses/{id}', { params: { path: { id } }, body: { scheduled_at: at } }),
        ),
      )
      showToast(t.saved)
    } catch (error) {
      showError(error)
    }
  }
  const remove = async () => {
    if (!(await confirm({ title: t.delete_scheduled_title, action: t.delete_draft, isDanger: true }))) return
    try {
      await read(api.DELETE('/api/v1/scheduled_statuses/{id}', { params: { path: { id } } }))
      onChange(id, null)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <li class="scheduled-row">
      <p class="scheduled-time">
        <time dateTime={scheduled.scheduled_at}>{fullTime(new Date(scheduled.scheduled_at))}</time>
      </p>
      {params.spoiler_text && <p dir="auto">{params.spoiler_text}</p>}
      <p class="scheduled-text" dir="auto">
        {params.text || t.no_text}
      </p>
      {media.length > 0 && <small>{t.media_count({ count: media.length })}</small>}
      <div class="composer-choices">
        <Button icon={CalendarClock} onClick={() => setOpen(true)}>
          {t.change_time}
        </Button>
        <Button icon={Trash2} onClick={() => void remove()}>
          {t.delete_draft}
        </Button>
      </div>
      {isOpen && (
        <ScheduleDialog at={scheduled.scheduled_at} onSet={(at) => void set(at)} onClose={() => setOpen(false)} />
      )}
    </li>
  )
}
