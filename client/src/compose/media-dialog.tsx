// Alt text, focal point, crop and thumbnail of an attachment.
import { Crop } from 'lucide'
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { useInstance } from '../state/me.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { countGraphemes } from '../../../src/lib/text/count.ts'
import { showError } from '../ui/toasts.tsx'
import { replaceFile } from './add-media.ts'
import { CharactersLeft } from './characters-left.tsx'
import { changeMedia } from './current.ts'
import type { CropDialogProps } from './crop-dialog.tsx'
import type { DraftMedia, DraftPost } from './draft.ts'
import { useMediaFile, useMediaUrl } from './file-url.ts'
import { FocalPoint } from './focal-point.tsx'
import { VideoThumbnail } from './video-thumbnail.tsx'
import { Waveform } from './waveform.tsx'
import './media-dialog.css'

type MediaDialogProps = { post: DraftPost; media: DraftMedia; onClose: () => void }

export function MediaDialog({ post, media, onClose }: MediaDialogProps) {
  const t = texts.compose
  const { description_limit: limit } = useInstance().configuration.media_attachments
  const [description, setDescription] = useState(media.description)
  const [focus, setFocus] = useState(media.focus)
  const [CropDialog, setCropDialog] = useState<ComponentType<CropDialogProps> | null>(null)
  const left = limit - countGraphemes(description.trim())
  // However it is closed: nothing that was typed is lost.
  const save = () => {
    changeMedia(post.key, media.key, { description: description.trim(), focus })
    onClose()
  }
  if (CropDialog)
    return (
      <CropDialog
        media={media}
        onClose={() => setCropDialog(null)}
        onCrop={(file) => {
          onClose()
          void replaceFile(post.key, { ...media, description: description.trim(), focus: null }, file)
        }}
      />
    )
  return (
    <Dialog
      title={t.media_title}
      kind="wide"
      onClose={save}
      actions={
        <Button kind="primary" disabled={left < 0} onClick={save}>
          {t.save_media}
        </Button>
      }
    >
      <div class="media-editor">
        <MediaPreview
          media={media}
          focus={focus}
          onFocus={setFocus}
          onCrop={() => void import('./crop-dialog.tsx').then((m) => setCropDialog(() => m.CropDialog), showError)}
        />
        <AltText
          kind={media.kind}
          description={description}
          left={left}
          onText={(typed) => {
            setDescription(typed)
            // So that it is saved while it is typed, as the text of the post is.
            changeMedia(post.key, media.key, { description: typed })
          }}
        />
      </div>
    </Dialog>
  )
}

type AltTextProps = {
  kind: DraftMedia['kind']
  description: string
  left: number
  onText: (text: string) => void
}

function AltText({ kind, description, left, onText }: AltTextProps) {
  const t = texts.compose
  return (
    <div>
      <label class="alt-field">
        {t.alt_text}
        <textarea
          dir="auto"
          autofocus
          rows={6}
          value={description}
          placeholder={kind === 'audio' ? t.alt_audio : t.alt_placeholder}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </label>
      <CharactersLeft left={left} />
    </div>
  )
}

type PreviewProps = {
  media: DraftMedia
  focus: DraftMedia['focus']
  onFocus: (focus: DraftMedia['focus']) => void
  onCrop: () => void
}

function MediaPreview({ media, focus, onFocus, onCrop }: PreviewProps) {
  const address = useMediaUrl(media)
  const file = useMediaFile(media.key)
  if (media.kind === 'audio')
    return (
      <div>
        {file && <Waveform file={file} />}
        {address && <audio controls src={address} class="media-player" />}
      </div>
    )
  if (media.kind === 'video') return address ? <VideoThumbnail media={media} address={address} /> : null
  return (
    <div>
      {address && <FocalPoint address={address} focus={focus ?? { x: 0, y: 0 }} onChange={onFocus} />}
      {file && file.type !== 'image/gif' && (
        <Button icon={Crop} onClick={onCrop}>
          {texts.compose.crop}
        </Button>
      )}
    </div>
  )
}
