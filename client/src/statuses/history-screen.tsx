// The versions of an edited status, newest first, with what changed in each.
import { diffWordsWithSpace } from 'diff'
import { useMemo, useState } from 'preact/hooks'
import { useCached } from '../state/cached.ts'
import { api, read } from '../api/client.ts'
import type { StatusEdit } from '../api/entities.ts'
import { fullTime, texts } from '../texts.ts'
import { emojify } from '../ui/emoji-text.tsx'
import { Page } from '../ui/page.tsx'
import { htmlToPlainText } from '../ui/plain-text.ts'
import { RichText } from '../ui/rich-text.tsx'
import { LoadingOrFailed } from '../ui/state-message.tsx'
import { MediaGrid } from './media-grid.tsx'
import './history-screen.css'

export function HistoryScreen({ id }: { id: string }) {
  const t = texts.statuses
  const load = () => read(api.GET('/api/v1/statuses/{id}/history', { params: { path: { id } } }))
  const history = useCached(`history ${id}`, load)
  const { value: data } = history
  const [showsChanges, setShowsChanges] = useState(true)
  return (
    <Page title={t.history_title}>
      {data ? (
        <>
          <label class="history-option">
            <input
              type="checkbox"
              checked={showsChanges}
              onChange={({ currentTarget }) => setShowsChanges(currentTarget.checked)}
            />
            {t.show_changes}
          </label>
          <ol class="history" reversed>
            {data
              .map((edit, index) => (
                <li key={edit.created_at}>
                  <Version
                    name={`${id} ${index}`}
                    edit={edit}
                    before={showsChanges ? (data[index - 1] ?? null) : null}
                    isFirst={index === 0}
                  />
                </li>
              ))
              .toReversed()}
          </ol>
        </>
      ) : (
        <LoadingOrFailed loaded={history} />
      )}
    </Page>
  )
}

type VersionProps = { name: string; edit: StatusEdit; before: StatusEdit | null; isFirst: boolean }

function Version({ name, edit, before, isFirst }: VersionProps) {
  const t = texts.statuses
  const time = fullTime(new Date(edit.created_at))
  const { spoiler_text: warning, media_attachments: media, poll } = edit
  const isSameMedia = before && mediaKey(before) === mediaKey(edit)
  return (
    <article class="history-version" aria-label={time}>
      <h2>{isFirst ? t.written_at({ time }) : t.edited_at({ time })}</h2>
      {before ? (
        <Changes before={before} after={edit} />
      ) : (
        <>
          {warning && (
            <p class="content-warning" dir="auto">
              {emojify(warning, edit.emojis)}
            </p>
          )}
          <RichText html={edit.content} emojis={edit.emojis} />
        </>
      )}
      {poll && (
        <ul>
          {poll.options.map(({ title }, index) => (
            <li key={index} dir="auto">
              {emojify(title, edit.emojis)}
            </li>
          ))}
        </ul>
      )}
      {media.length > 0 && !isSameMedia && (
        <MediaGrid status={{ id: name, media_attachments: media, sensitive: edit.sensitive, language: null }} />
      )}
      {before && !isSameMedia && <p class="history-note">{t.media_changed}</p>}
      {before && before.sensitive !== edit.sensitive && (
        <p class="history-note">{edit.sensitive ? t.marked_sensitive : t.unmarked_sensitive}</p>
      )}
    </article>
  )
}

const mediaKey = ({ media_attachments: media }: StatusEdit): string =>
  media.map(({ id, description }) => `${id} ${description ?? ''}`).join('\n')

function Changes({ before, after }: { before: StatusEdit; after: StatusEdit }) {
  const parts = useMemo(() => diffWordsWithSpace(plainText(before), plainText(after)), [before, after])
  const emojis = [...before.emojis, ...after.emojis]
  return (
    <p class="history-changes" dir="auto">
      {parts.map(({ added, removed, value }, index) => {
        const text = emojify(value, emojis)
        return added ? <ins key={index}>{text}</ins> : removed ? <del key={index}>{text}</del> : text
      })}
    </p>
  )
}

/** The content warning and the text, as they read. */
const plainText = ({ spoiler_text: warning, content }: StatusEdit): string =>
  [warning, htmlToPlainText(content)].filter(Boolean).join('\n\n')
