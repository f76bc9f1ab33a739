// The media of an account as a grid. Each leads to its post.
import { Image as ImageIcon, Music, Play, type IconNode } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import type { Status } from '../api/entities.ts'
import { chunksOf } from '../state/chunks.ts'
import { findStatus } from '../state/statuses.ts'
import { statusPath } from '../statuses/links.ts'
import { hidesMedia } from '../statuses/media-grid.tsx'
import { texts } from '../texts.ts'
import { timelineOf } from '../timelines/timelines.ts'
import type { TimelineSource } from '../timelines/timeline-source.ts'
import { Icon } from '../ui/icon.tsx'
import { Empty, Failed, Loading } from '../ui/state-message.tsx'
import { VirtualList } from '../ui/virtual-list.tsx'

type Cell = { status: Status; media: Status['media_attachments'][number] }

const COLUMNS = 3

const KINDS: Partial<Record<Cell['media']['type'], IconNode>> = { video: Play, gifv: Play, audio: Music }

export function MediaWall({ source }: { source: TimelineSource }) {
  const timeline = useMemo(() => timelineOf(source), [source.path])
  useEffect(() => timeline.open(), [timeline])
  const state = timeline.state.value
  const retry = () => void (timeline.items.value.length > 0 ? timeline.loadOlder() : timeline.loadFirst())
  const end =
    state === 'failed' ? (
      <Failed error={timeline.error.value} retry={retry} />
    ) : timeline.isComplete.value ? null : (
      <Loading />
    )
  const cells = timeline.items.value.flatMap((item) => (item.kind === 'status' ? cellsOf(item.id) : []))
  const rows = chunksOf(cells, COLUMNS)
  if (rows.length === 0) return end ?? <Empty>{texts.accounts.no_media}</Empty>
  return (
    <VirtualList
      key={source.path}
      label={texts.accounts.media}
      items={rows}
      keyOf={(row) => row[0]?.media.id ?? ''}
      render={(row) => (
        <div class="media-row">
          {row.map((cell) => (
            <MediaCell key={cell.media.id} cell={cell} />
          ))}
        </div>
      )}
      position={timeline.position}
      onPosition={(position) => (timeline.position = position)}
      {...(state === 'ready' ? { onEnd: () => void timeline.loadOlder() } : {})}
      footer={end}
    />
  )
}

function cellsOf(id: string): Cell[] {
  const status = findStatus(id)?.value
  return (status?.media_attachments ?? []).map((media) => ({ status: status as Status, media }))
}

function MediaCell({ cell: { status, media } }: { cell: Cell }) {
  const isHidden = hidesMedia(status.sensitive)
  const kind = KINDS[media.type]
  const label = media.description || texts.accounts.media_without_description
  return (
    <a
      href={statusPath(status)}
      class={isHidden ? 'media-cell is-sensitive' : 'media-cell'}
      aria-label={isHidden ? texts.accounts.sensitive_media : label}
      title={isHidden ? texts.accounts.sensitive_media : label}
    >
      {media.preview_url ? (
        <img src={media.preview_url} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon icon={kind ?? ImageIcon} size={32} />
      )}
      {kind && (
        <span class="media-kind">
          <Icon icon={kind} size={16} />
        </span>
      )}
    </a>
  )
}
