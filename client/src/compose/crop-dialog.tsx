// Crops an image before it is uploaded again.
import Cropper from 'cropperjs'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { canvasBlob } from '../ui/canvas-blob.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { DraftMedia } from './draft.ts'
import { useMediaFile, useMediaUrl } from './file-url.ts'

export type CropDialogProps = { media: DraftMedia; onCrop: (file: File) => void; onClose: () => void }

export function CropDialog({ media, onCrop, onClose }: CropDialogProps) {
  const t = texts.compose
  const address = useMediaUrl(media)
  const file = useMediaFile(media.key)
  const image = useRef<HTMLImageElement>(null)
  const cropper = useRef<Cropper | null>(null)
  useEffect(() => {
    if (!address?.startsWith('blob:') || !image.current) return
    const created = new Cropper(image.current)
    cropper.current = created
    const selection = created.getCropperSelection()
    if (selection) {
      selection.keyboard = true
      selection.tabIndex = 0
      selection.ariaLabel = texts.compose.crop
      // Its lines are a table of empty cells to screen readers.
      selection.querySelector('cropper-grid')?.setAttribute('aria-hidden', 'true')
    }
    return () => created.destroy()
  }, [address])
  const crop = async () => {
    const selection = cropper.current?.getCropperSelection()
    // The image is shown smaller than it is.
    const scale = cropper.current?.getCropperImage()?.$getTransform()[0] ?? 1
    const canvas = await selection?.$toCanvas({ width: selection.width / scale, height: selection.height / scale })
    const type = file?.type === 'image/png' ? 'image/png' : 'image/jpeg'
    const blob = canvas && (await canvasBlob(canvas, type, 0.92))
    if (blob) onCrop(new File([blob], media.name, { type }))
  }
  return (
    <Dialog
      title={t.crop}
      kind="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.frame.cancel}</Button>
          <Button kind="primary" onClick={() => void crop()}>
            {t.crop}
          </Button>
        </>
      }
    >
      <div class="crop-frame" dir="ltr">
        {address && <img ref={image} src={address} alt={media.name} />}
      </div>
    </Dialog>
  )
}
