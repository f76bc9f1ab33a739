// The attachments of a post while it is written.
import { AudioLines, ChevronLeft, ChevronRight, Clapperboard, Pencil, RotateCw, X } from 'lucide'
import { useRef } from 'preact/hooks'
import { fullNumber, texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { Choice } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { moved } from '../ui/moved.ts'
import { removeMedia } from './add-media.ts'
import { changePost, describedMedia } from './current.ts'
import type { DraftMedia, DraftPost } from './draft.ts'
import { useMediaFile, useMediaUrl } from './file-url.ts'
import { MediaDialog } from './media-dialog.tsx'
import { startUpload, uploads } from './uploads.ts'
import { useSortable } from './use-sortable.ts'
import { Waveform } from './waveform.tsx'
import './media-list.css'

export function MediaList({ post }: { post: DraftPost }) {
  const { media } = post
  const list = useRef<HTMLUListElement>(null)
  const move = (from: number, to: number) =>
    changePost(post.key, (current) => ({ media: moved(current.media, from, to) }))
  useSortable(list, media.length, { onMove: move })
  const shown = media.find(({ key }) => key === describedMedia.value)
  return (
    <>
      <ul ref={list} class="media-list" aria-label={texts.compose.media}>
        {media.map((each, index) => (
          <li key={each.key} class="media-draft">
            <Thumbnail media={each} />
            <UploadProgress post={post} media={each} />
            <MediaButtons
              post={post}
              media={each}
              index={index}
              onEdit={() => (describedMedia.value = each.key)}
              onMove={(to) => move(index, to)}
            />
          </li>
        ))}
      </ul>
      {media.length > 0 && (
        <div class="media-sensitive">
          <Choice
            label={texts.compose.sensitive}
            checked={post.sensitive || post.warning !== null}
            disabled={post.warning !== null}
            onChange={(sensitive) => changePost(post.key, { sensitive })}
          />
        </div>
      )}
      {shown && <MediaDialog post={post} media={shown} onClose={() => (describedMedia.value = null)} />}
    </>
  )
}

function Thumbnail({ media }: { media: DraftMedia }) {
  const address = useMediaUrl(media)
  const file = useMediaFile(media.key)
  const preview = media.attachment?.preview_url
  if (media.kind === 'audio')
    return <div class="media-placeholder">{file ? <Waveform file={file} /> : <Icon icon={AudioLines} size={32} />}</div>
  const image = preview ?? (media.kind === 'image' ? address : null)
  if (!image)
    return (
      <div class="media-placeholder">
        <Icon icon={Clapperboard} size={32} />
      </div>
    )
  const { x, y } = media.focus ?? { x: 0, y: 0 }
  const position = `${(x + 1) * 50}% ${(1 - y) * 50}%`
  return <img src={image} alt={media.description || media.name} style={{ objectPosition: position }} />
}

type MediaButtonsProps = {
  post: DraftPost
  media: DraftMedia
  index: number
  onEdit: () => void
  onMove: (to: number) => void
}

function MediaButtons({ post, media, index, onEdit, onMove }: MediaButtonsProps) {
  const t = texts.compose
  const number = fullNumber(index + 1)
  const hasText = media.description.trim() !== ''
  return (
    <div class="media-buttons">
      <button
        type="button"
        class="alt-button"
        data-missing={!hasText}
        aria-label={hasText ? t.edit_alt({ number }) : t.add_alt({ number })}
        onClick={onEdit}
      >
        <Icon icon={Pencil} size={16} />
        {t.alt}
      </button>
      <span class="media-moves">
        {index > 0 && (
          <IconButton icon={ChevronLeft} label={t.move_earlier({ number })} onClick={() => onMove(index - 1)} />
        )}
        {index < post.media.length - 1 && (
          <IconButton icon={ChevronRight} label={t.move_later({ number })} onClick={() => onMove(index + 1)} />
        )}
      </span>
      <span class="media-remove">
        <IconButton icon={X} label={t.remove_media({ number })} onClick={() => void removeMedia(post.key, media)} />
      </span>
    </div>
  )
}

function UploadProgress({ post, media }: { post: DraftPost; media: DraftMedia }) {
  const t = texts.compose
  const state = uploads.value.get(media.key)
  if (!state) return null
  if (state.error)
    return (
      <p class="upload-error" role="alert">
        {state.error}
        <IconButton icon={RotateCw} label={t.retry_upload} onClick={() => void startUpload(post.key, media)} />
      </p>
    )
  return (
    <div class="upload-progress" role="status">
      <progress aria-label={media.name || t.media} max={1} {...(state.progress < 1 ? { value: state.progress } : {})} />
      {state.progress < 1 ? t.uploading : t.processing}
    </div>
  )
}
