// Cuts an avatar or header out of a file. Arrow keys move the selection, the slider changes its size.
import Cropper from 'cropperjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { showError } from '../ui/toasts.tsx'
import { useObjectUrl } from './image-url.ts'
import type { ProfileImage } from './profile-draft.ts'

/** Pixels of what is uploaded. */
const SIZES: Record<ProfileImage, { width: number; height: number }> = {
  avatar: { width: 400, height: 400 },
  header: { width: 1500, height: 500 },
}

const templateOf = (ratio: number): string => `
<cropper-canvas background>
  <cropper-image translatable scalable></cropper-image>
  <cropper-shade hidden></cropper-shade>
  <cropper-handle action="move" plain></cropper-handle>
  <cropper-selection initial-coverage="0.9" aspect-ratio="${ratio}" movable resizable keyboard outlined>
    <cropper-grid role="presentation" covered></cropper-grid>
    <cropper-handle action="move" theme-color="rgba(255, 255, 255, 0.2)"></cropper-handle>
    <cropper-handle action="ne-resize"></cropper-handle>
    <cropper-handle action="nw-resize"></cropper-handle>
    <cropper-handle action="se-resize"></cropper-handle>
    <cropper-handle action="sw-resize"></cropper-handle>
  </cropper-selection>
</cropper-canvas>`

type CropProps = { image: ProfileImage; file: File; onCrop: (file: File) => void; onClose: () => void }

export function CropProfileImage({ image, file, onCrop, onClose }: CropProps) {
  const { width, height } = SIZES[image]
  const address = useObjectUrl(file)
  const source = useRef<HTMLImageElement>(null)
  const cropper = useRef<Cropper | null>(null)
  const [size, setSize] = useState(90)
  useEffect(() => {
    if (!address || !source.current) return
    const created = new Cropper(source.current, { template: templateOf(width / height) })
    cropper.current = created
    return () => created.destroy()
  }, [address])
  const resize = (percent: number) => {
    setSize(percent)
    const canvas = cropper.current?.getCropperCanvas()
    const selection = cropper.current?.getCropperSelection()
    if (!canvas || !selection) return
    const most = Math.min(canvas.offsetWidth, (canvas.offsetHeight * width) / height)
    const wide = (most * percent) / 100
    const high = (wide * height) / width
    const x = selection.x + (selection.width - wide) / 2
    const y = selection.y + (selection.height - high) / 2
    selection.$change(x, y, wide, high)
  }
  const crop = async () => {
    const canvas = await cropper.current?.getCropperSelection()?.$toCanvas({ width, height })
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas ? canvas.toBlob(resolve, type, 0.92) : resolve(null),
    )
    if (blob) onCrop(new File([blob], file.name, { type }))
    else showError(new Error('The image cannot be read'))
  }
  const t = texts.profile_edit
  return (
    <Dialog
      title={image === 'avatar' ? t.crop_avatar : t.crop_header}
      kind="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => onCrop(file)}>{t.use_whole}</Button>
          <Button kind="primary" onClick={() => void crop()}>
            {t.crop}
          </Button>
        </>
      }
    >
      <div class="crop-area">{address && <img ref={source} src={address} alt="" />}</div>
      <Field label={t.crop_size}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={10}
            max={100}
            value={size}
            onInput={(event) => resize(Number(event.currentTarget.value))}
          />
        )}
      </Field>
    </Dialog>
  )
}
