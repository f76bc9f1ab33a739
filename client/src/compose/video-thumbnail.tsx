// A video with the choice of its thumbnail: a frame of it, or an image.
import { useRef, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { canvasBlob } from '../ui/canvas-blob.ts'
import { FileButton } from '../ui/file-button.tsx'
import { changeMedia, currentDraft } from './current.ts'
import type { DraftMedia } from './draft.ts'
import { errorText } from '../ui/error-text.ts'

export function VideoThumbnail({ media, address }: { media: DraftMedia; address: string }) {
  const t = texts.compose
  const video = useRef<HTMLVideoElement>(null)
  const [message, setMessage] = useState('')
  const { attachment } = media
  const isPosted = currentDraft.value?.edited !== null
  const send = async (image: Blob | null) => {
    if (!attachment) return
    if (!image) return setMessage(t.thumbnail_failed)
    setMessage(t.uploading)
    setMessage(await storeThumbnail(media, attachment.id, image))
  }
  return (
    <div>
      <video ref={video} controls src={address} class="media-player" />
      {attachment && !isPosted && (
        <div class="composer-choices">
          <Button onClick={() => void frameOf(video.current).then(send)}>{t.thumbnail_frame}</Button>
          <FileButton accept="image/*" onFile={(file) => void send(file)}>
            {t.thumbnail_file}
          </FileButton>
        </div>
      )}
      <p role="status">{message}</p>
    </div>
  )
}

/** Returns what to say about it. */
async function storeThumbnail(media: DraftMedia, id: string, image: Blob): Promise<string> {
  const form = new FormData()
  form.append('thumbnail', image, 'thumbnail.jpg')
  try {
    const attachment = await read(api.PUT('/api/v1/media/{id}', { params: { path: { id } }, body: form }))
    const post = currentDraft.value?.posts.find(({ media: all }) => all.some(({ key }) => key === media.key))
    if (post) changeMedia(post.key, media.key, { attachment })
    return texts.compose.thumbnail_set
  } catch (error) {
    return errorText(error)
  }
}

/** Resolves to null when the browser cannot show the video. */
async function frameOf(video: HTMLVideoElement | null): Promise<Blob | null> {
  if (!video) return null
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA && !video.error)
    await new Promise((resolve) => {
      for (const event of ['loadeddata', 'error']) video.addEventListener(event, resolve, { once: true })
      // Browsers that save data load the frame only when they are told to.
      video.preload = 'auto'
    })
  if (video.videoWidth === 0) return null
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return canvasBlob(canvas, 'image/jpeg', 0.9)
}
