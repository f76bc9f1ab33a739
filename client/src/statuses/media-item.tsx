// One image, video, animation or audio of a status.
import { Pause, Play } from 'lucide'
import { useId, useRef, useState } from 'preact/hooks'
import type { MediaAttachment } from '../api/entities.ts'
import { mayAutoplay } from '../state/motion.ts'
import { texts } from '../texts.ts'
import { IconButton } from '../ui/button.tsx'
import { opensHere } from '../ui/opens-here.ts'
import { showError } from '../ui/toasts.tsx'
import { webAddress } from '../ui/web-address.ts'
import { Blurhash } from './blurhash.tsx'

type MediaItemProps = {
  media: MediaAttachment
  /** What the viewer of media leafs through. */
  all: MediaAttachment[]
  statusId: string
  isHidden: boolean
  language: string | null
}

export function MediaItem({ media, all, statusId, isHidden, language }: MediaItemProps) {
  const [isLoaded, setLoaded] = useState(false)
  return (
    <div class="media-item" data-type={media.type}>
      {(isHidden || !isLoaded) && <Blurhash hash={media.blurhash} />}
      {!isHidden && (
        <>
          {media.type === 'image' && (
            <ImageItem media={media} all={all} statusId={statusId} onLoad={() => setLoaded(true)} />
          )}
          {media.type === 'gifv' && <AnimationItem media={media} onLoad={() => setLoaded(true)} />}
          {media.type === 'video' && (
            <video
              src={media.url ?? ''}
              poster={media.preview_url || undefined}
              aria-label={media.description || texts.statuses.video}
              controls
              preload="none"
              playsInline
            />
          )}
          {media.description && <AltBadge text={media.description} language={language} />}
        </>
      )}
    </div>
  )
}

/** One with sound plays at a time. Animations are muted. */
document.addEventListener(
  'play',
  ({ target }) => {
    if (!(target instanceof HTMLMediaElement) || target.muted) return
    for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio'))
      if (other !== target && !other.muted) other.pause()
  },
  // Media events do not bubble.
  true,
)

/** The focal point, as a position of the image in its frame. */
function focusOf({ meta }: MediaAttachment): string {
  const { x, y } = meta?.focus ?? {}
  return `${((x ?? 0) + 1) * 50}% ${(1 - (y ?? 0)) * 50}%`
}

type ImageItemProps = Pick<MediaItemProps, 'media' | 'all' | 'statusId'> & { onLoad: () => void }

function ImageItem({ media, all, statusId, onLoad }: ImageItemProps) {
  const { width, height } = media.meta?.small ?? {}
  return (
    <a
      href={webAddress(media.url ?? media.remote_url)}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        if (!opensHere(event)) return
        event.preventDefault()
        const opener = event.currentTarget
        const start = { id: media.id, opener, statusId }
        import('./media-viewer.ts').then(({ openMediaViewer }) => openMediaViewer(all, start), showError)
      }}
    >
      <img
        src={media.preview_url ?? media.url ?? ''}
        alt={media.description || texts.statuses.image_without_alt}
        {...(width && height ? { width, height } : {})}
        style={{ objectPosition: focusOf(media) }}
        loading="lazy"
        decoding="async"
        onLoad={onLoad}
        onError={onLoad}
      />
    </a>
  )
}

function AnimationItem({ media, onLoad }: { media: MediaAttachment; onLoad: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  // Browsers may refuse to play it by itself, such as Safari when the battery is low.
  const [isPlaying, setPlaying] = useState(false)
  const toggle = () => void (video.current?.paused ? video.current.play().catch(showError) : video.current?.pause())
  return (
    <>
      <video
        ref={video}
        src={media.url ?? ''}
        poster={media.preview_url || undefined}
        aria-label={media.description || texts.statuses.animation}
        style={{ objectPosition: focusOf(media) }}
        loop
        muted
        playsInline
        autoPlay={mayAutoplay()}
        preload={mayAutoplay() ? 'auto' : 'none'}
        onLoadedData={onLoad}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onClick={toggle}
      />
      <span class="media-play">
        <IconButton
          icon={isPlaying ? Pause : Play}
          label={isPlaying ? texts.statuses.pause : texts.statuses.play}
          onClick={toggle}
        />
      </span>
    </>
  )
}

export function AudioItem({ media, isHidden }: { media: MediaAttachment; isHidden: boolean }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <figure class="media-audio">
      {media.preview_url && !isHidden && (
        <img
          src={media.preview_url}
          alt=""
          hidden={isBroken}
          decoding="async"
          onLoad={() => setBroken(false)}
          onError={() => setBroken(true)}
        />
      )}
      {media.description && <figcaption dir="auto">{media.description}</figcaption>}
      <audio src={media.url ?? ''} aria-label={media.description || texts.statuses.audio} controls preload="none" />
    </figure>
  )
}

/** Shows the alt text to those who see the image, too. */
function AltBadge({ text, language }: { text: string; language: string | null }) {
  const id = useId()
  return (
    <>
      <button type="button" class="alt-badge" popovertarget={id} aria-label={texts.statuses.show_alt}>
        ALT
      </button>
      <div id={id} popover="auto" class="alt-text" dir="auto" lang={language || undefined}>
        <h3>{texts.statuses.alt_text}</h3>
        <p>{text}</p>
      </div>
    </>
  )
}
