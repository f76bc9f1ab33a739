// The media of a status.
import type { Status } from '../api/entities.ts'
import './media-grid.css'

export function MediaGrid({ status }: { status: Status }) {
  return (
    <div class="media-grid" data-count={Math.min(4, status.media_attachments.length)}>
      {status.media_attachments.map((media) => (
        <a key={media.id} href={media.url ?? media.remote_url ?? ''} target="_blank" rel="noopener">
          <img src={media.preview_url ?? ''} alt={media.description ?? ''} loading="lazy" decoding="async" />
        </a>
      ))}
    </div>
  )
}
