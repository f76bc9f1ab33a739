// The media of a status. The place for them is as large as they will be, so that nothing moves when they load.
import { Eye, EyeOff, Link } from 'lucide'
import type { MediaAttachment, Status } from '../api/entities.ts'
import { usePreferences } from '../state/me.ts'
import { settings } from '../state/settings.ts'
import { fill, texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { webAddress } from '../ui/web-address.ts'
import { choiceOf } from './disclosure.ts'
import { AudioItem, MediaItem } from './media-item.tsx'
import './media-grid.css'

type MediaGridProps = {
  status: Pick<Status, 'id' | 'media_attachments' | 'sensitive' | 'language'>
  /** The title of the filter that hides them. */
  filteredBy?: string | undefined
}

export function MediaGrid({ status, filteredBy }: MediaGridProps) {
  const { media_attachments: media, sensitive } = status
  const choice = choiceOf(status.id, 'media')
  const isHidden = choice.value === null ? filteredBy !== undefined || hidesMedia(sensitive) : !choice.value
  const visual = media.filter(({ type }) => type === 'image' || type === 'gifv' || type === 'video')
  const isHideable = sensitive || filteredBy !== undefined || choice.value !== null
  return (
    <div class="media" role="group" aria-label={texts.statuses.media_count({ count: media.length })}>
      {visual.length > 0 && (
        <div class="media-grid" data-count={Math.min(5, visual.length)} style={{ aspectRatio: ratioOf(visual) }}>
          {visual.map((each) => (
            <MediaItem
              key={each.id}
              media={each}
              all={visual}
              statusId={status.id}
              isHidden={isHidden}
              language={status.language}
            />
          ))}
          {isHidden && <Cover sensitive={sensitive} filteredBy={filteredBy} show={() => (choice.value = true)} />}
          {!isHidden && isHideable && (
            <span class="media-hide">
              <IconButton icon={EyeOff} label={texts.statuses.hide_media} onClick={() => (choice.value = false)} />
            </span>
          )}
        </div>
      )}
      {media.map((each) =>
        each.type === 'audio' ? <AudioItem key={each.id} media={each} isHidden={isHidden} /> : null,
      )}
      {media.map((each) => (each.type === 'unknown' ? <UnknownItem key={each.id} media={each} /> : null))}
    </div>
  )
}

/** This device's setting goes before the one of the account. */
export function hidesMedia(isSensitive: boolean): boolean {
  const own = settings.value.media
  const mode = own === 'default' ? usePreferences()['reading:expand:media'] : own
  return mode === 'hide_all' || (mode !== 'show_all' && isSensitive)
}

function Cover({
  sensitive,
  filteredBy,
  show,
}: {
  sensitive: boolean
  filteredBy: string | undefined
  show: () => void
}) {
  const t = texts.statuses
  return (
    <div class="media-cover">
      <p>
        {filteredBy === undefined
          ? sensitive
            ? t.sensitive_media
            : t.hidden_media
          : fill(t.filtered_by, { filters: <bdi>{filteredBy}</bdi> })}
      </p>
      <Button icon={Eye} onClick={show}>
        {t.show_media}
      </Button>
    </div>
  )
}

/** A single image has its own shape, within limits; several share a landscape. */
function ratioOf(media: MediaAttachment[]): string {
  const [first] = media
  if (media.length > 4) return '1'
  if (media.length > 1) return '16 / 10'
  const { width, height } = first?.meta?.original ?? {}
  const ratio = width && height ? width / height : 16 / 9
  return String(Math.min(3, Math.max(0.8, ratio)))
}

function UnknownItem({ media }: { media: MediaAttachment }) {
  const address = webAddress(media.remote_url ?? media.url)
  if (!address) return null
  return (
    <a class="media-unknown" href={address} target="_blank" rel="noopener noreferrer nofollow">
      <Icon icon={Link} size={18} />
      <span>{media.description || texts.statuses.unknown_media}</span>
    </a>
  )
}
