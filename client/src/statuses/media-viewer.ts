// Media in full size: zoom, swipe and keys come from PhotoSwipe. The browser's back button closes it.
import { ArrowDownToLine, ExternalLink, X, ZoomIn, type IconNode } from 'lucide'
import PhotoSwipe, { type SlideData, type UIElementData } from 'photoswipe'
import 'photoswipe/photoswipe.css'
import { h, render } from 'preact'
import type { MediaAttachment } from '../api/entities.ts'
import { isMotionReduced } from '../state/motion.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { webAddress } from '../ui/web-address.ts'
import { viewed } from './open.ts'
import './media-viewer.css'

/** Pixels, for media whose size the other server did not say. */
const USUAL_WIDTH = 1600
const USUAL_HEIGHT = 1200

/** The members of the API's attachments that avatars and headers have, too. */
type ViewedMedia = Pick<MediaAttachment, 'id' | 'type' | 'url' | 'remote_url' | 'preview_url' | 'description'> & {
  meta?: { original?: { width?: number; height?: number } } | null
}

const STATE = 'media'

type Start = {
  /** The id of the media that is shown first. */
  id: string
  /** Has the focus afterwards. */
  opener: HTMLElement
  /** The id of the status to which the media belong. */
  statusId?: string
}

export function openMediaViewer(all: readonly ViewedMedia[], { id, opener, statusId }: Start): void {
  const viewer = new PhotoSwipe({
    dataSource: all.map(slideOf),
    index: Math.max(
      0,
      all.findIndex((media) => media.id === id),
    ),
    bgOpacity: 1,
    wheelToZoom: true,
    returnFocus: false,
    showHideAnimationType: isMotionReduced() ? 'none' : 'fade',
    zoomAnimationDuration: isMotionReduced() ? false : 250,
    padding: { top: 48, bottom: statusId === undefined ? 64 : 112, left: 0, right: 0 },
    closeSVG: markupOf(X),
    zoomSVG: markupOf(ZoomIn),
    closeTitle: texts.frame.close,
    zoomTitle: texts.statuses.zoom,
    arrowPrevTitle: texts.statuses.previous_media,
    arrowNextTitle: texts.statuses.next_media,
    errorMsg: texts.statuses.media_failed,
  })
  addVideos(viewer)
  const shown = () => all[viewer.currIndex]
  viewer.on('uiRegister', () => {
    viewer.ui?.registerElement(foot(viewer, shown, statusId))
    viewer.ui?.registerElement(originalLink(viewer, shown))
    viewer.ui?.registerElement(downloadLink(viewer, shown))
  })
  viewer.on('afterInit', () => viewer.element?.setAttribute('aria-label', texts.statuses.media_viewer))
  closeOnBack(viewer)
  // Menus and dialogs above it have the keys to themselves.
  viewer.on('keydown', (event) => document.querySelector('dialog[open], .pswp :popover-open') && event.preventDefault())
  viewer.on('destroy', () => {
    // On another screen, its heading is where one goes on.
    const next = opener.isConnected ? opener : document.querySelector<HTMLElement>('#main h1')
    next?.focus({ preventScroll: true })
  })
  viewer.init()
}

function markupOf(icon: IconNode): string {
  const frame = document.createElement('div')
  render(h(Icon, { icon, size: 24 }), frame)
  return frame.innerHTML
}

function slideOf(media: ViewedMedia): SlideData {
  const { width = USUAL_WIDTH, height = USUAL_HEIGHT } = media.meta?.original ?? {}
  return {
    src: media.url ?? media.remote_url ?? '',
    alt: media.description ?? '',
    width,
    height,
    type: media.type === 'image' ? 'image' : 'video',
    ...(media.preview_url ? { msrc: media.preview_url } : {}),
  }
}

function addVideos(viewer: PhotoSwipe): void {
  viewer.on('contentLoad', (event) => {
    const { data, type } = event.content
    if (type !== 'video') return
    event.preventDefault()
    const video = document.createElement('video')
    Object.assign(video, { src: data.src, controls: true, playsInline: true, poster: data.msrc ?? '' })
    video.setAttribute('aria-label', data.alt || texts.statuses.video)
    // Dragging in the controls does not leaf through.
    video.addEventListener('pointerdown', (down) => down.stopPropagation())
    const frame = document.createElement('div')
    frame.className = 'viewer-video'
    frame.append(video)
    event.content.element = frame
    event.content.state = 'loaded'
  })
  viewer.on('contentDeactivate', ({ content }) => content.element?.querySelector('video')?.pause())
}

type Shown = () => ViewedMedia | undefined

/** The alt text, and what belongs to all media that the viewer leafs through. */
function foot(viewer: PhotoSwipe, shown: Shown, statusId: string | undefined): UIElementData {
  return {
    name: 'foot',
    appendTo: 'root',
    onInit(element) {
      const caption = document.createElement('p')
      caption.dir = 'auto'
      caption.setAttribute('aria-live', 'polite')
      const show = () => {
        caption.textContent = shown()?.description ?? ''
        caption.hidden = !caption.textContent
      }
      viewer.on('change', show)
      show()
      const place = document.createElement('div')
      place.className = 'viewed-post'
      element.append(caption, place)
      if (statusId === undefined) return
      const leave = (done: () => void) => {
        viewer.on('close', done)
        viewer.close()
      }
      viewed.value = { id: statusId, place, leave }
      viewer.on('destroy', () => (viewed.value = null))
    },
  }
}

const originalLink = (viewer: PhotoSwipe, shown: Shown): UIElementData =>
  linkButton(viewer, { name: 'original', title: texts.statuses.open_media, icon: ExternalLink }, (link) => {
    link.href = webAddress(shown()?.remote_url ?? shown()?.url) ?? ''
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  })

const downloadLink = (viewer: PhotoSwipe, shown: Shown): UIElementData =>
  linkButton(viewer, { name: 'download', title: texts.statuses.download, icon: ArrowDownToLine }, (link) => {
    link.href = webAddress(shown()?.url ?? shown()?.remote_url) ?? ''
    link.download = ''
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  })

function linkButton(
  viewer: PhotoSwipe,
  { name, title, icon }: { name: string; title: string; icon: IconNode },
  update: (link: HTMLAnchorElement) => void,
): UIElementData {
  return {
    name,
    title,
    ariaLabel: title,
    order: 8,
    isButton: true,
    tagName: 'a',
    html: markupOf(icon),
    onInit(element) {
      const change = () => update(element as HTMLAnchorElement)
      viewer.on('change', change)
      change()
    },
  }
}

/**
 * The viewer is a step in the history: going back closes it, and closing it otherwise takes that step. It stays open until the
 * browser has gone back, which would undo what people do on the page meanwhile.
 */
function closeOnBack(viewer: PhotoSwipe): void {
  history.pushState(STATE, '')
  const close = viewer.close.bind(viewer)
  let isLeaving = false
  viewer.close = () => {
    if (history.state !== STATE) return close()
    if (!isLeaving) history.back()
    isLeaving = true
  }
  // It does not close before it is fully open.
  const onBack = () => (viewer.opener.isOpen ? close() : viewer.on('openingAnimationEnd', close))
  addEventListener('popstate', onBack)
  viewer.on('close', () => {
    removeEventListener('popstate', onBack)
    // While it fades, its buttons still work: a zoom would end the animation that it waits for, and it would never close.
    viewer.element?.addEventListener('click', ignore, true)
  })
}

/** The page below is not meant either. */
function ignore(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
