// Cuts an avatar or header out of a file. Arrow keys move the selection, the slider changes its size.
import Cropper from 'cropperjs'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { canvasBlob } from '../ui/canvas-blob.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/form.tsx'
import { showError } from '../ui/toasts.tsx'
import { useObjectUrl } from '../ui/object-url.ts'
import type { ProfileImage } from './profile-draft.ts'

/** Pixels of what is uploaded. */
const SIZES: Record<ProfileImage, { width: number; height: number }> = {
  avatar: { width: 400, height: 400 },
  header: { width: 1500, height: 500 },
}

/** A percentage of the largest selection. */
const FIRST_SIZE = 100

const templateOf = (ratio: number): string => `
<cropper-canvas background>
  <cropper-image></cropper-image>
  <cropper-shade hidden></cropper-shade>
  <cropper-handle action="move" plain></cropper-handle>
  <cropper-selection initial-coverage="0.9" aspect-ratio="${ratio}" movable resizable keyboard outlined>
    <cropper-grid aria-hidden="true" covered></cropper-grid>
    <cropper-handle action="move" theme-color="rgba(255, 255, 255, 0.2)"></cropper-handle>
    <cropper-handle action="ne-resize"></cropper-handle>
    <cropper-handle action="nw-resize"></cropper-handle>
    <cropper-handle action="se-resize"></cropper-handle>
    <cropper-handle action="sw-resize"></cropper-handle>
  </cropper-selection>
</cropper-canvas>`

type Box = { x: number; y: number; width: number; height: number }

/** Where the image is in the canvas: as large as fits, in the middle. */
function imageBox(cropper: Cropper): Box | null {
  const canvas = cropper.getCropperCanvas()
  const { naturalWidth, naturalHeight } = cropper.element as HTMLImageElement
  if (!canvas || naturalWidth === 0 || canvas.offsetHeight === 0) return null
  const scale = Math.min(canvas.offsetWidth / naturalWidth, canvas.offsetHeight / naturalHeight)
  const [width, height] = [naturalWidth * scale, naturalHeight * scale]
  return { x: (canvas.offsetWidth - width) / 2, y: (canvas.offsetHeight - height) / 2, width, height }
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

/** Around its centre, to a percentage of the largest that fits. */
function resizeSelection(cropper: Cropper, ratio: number, percent: number): void {
  const selection = cropper.getCropperSelection()
  const box = imageBox(cropper)
  if (!selection || !box) return
  const width = (Math.min(box.width, box.height * ratio) * percent) / 100
  const height = width / ratio
  const x = clamp(selection.x + (selection.width - width) / 2, box.x, box.x + box.width - width)
  const y = clamp(selection.y + (selection.height - height) / 2, box.y, box.y + box.height - height)
  selection.$change(x, y, width, height)
}

/** Pixels that rounding may cost. */
const TOLERANCE = 1

/** A selection beyond the image would have empty edges. */
function holdInImage(cropper: Cropper): void {
  cropper.getCropperSelection()?.addEventListener('change', (event) => {
    const { x, y, width, height } = (event as CustomEvent<Box>).detail
    const box = imageBox(cropper)
    if (!box) return
    const isInside =
      x >= box.x - TOLERANCE &&
      y >= box.y - TOLERANCE &&
      x + width <= box.x + box.width + TOLERANCE &&
      y + height <= box.y + box.height + TOLERANCE
    if (!isInside) event.preventDefault()
  })
}

function useCropper(
  source: RefObject<HTMLImageElement | null>,
  address: string | null,
  ratio: number,
): RefObject<Cropper | null> {
  const cropper = useRef<Cropper>(null)
  useEffect(() => {
    const image = source.current
    if (!address || !image) return
    let created: Cropper | null = null
    const resized = new ResizeObserver(() =>
      requestAnimationFrame(() => created && resizeSelection(created, ratio, FIRST_SIZE)),
    )
    image.decode().then(() => {
      if (!image.isConnected) return
      created = new Cropper(image, { template: templateOf(ratio) })
      cropper.current = created
      holdInImage(created)
      const canvas = created.getCropperCanvas()
      if (canvas) resized.observe(canvas)
    }, showError)
    return () => {
      resized.disconnect()
      created?.destroy()
    }
  }, [address])
  return cropper
}

type CropProps = { image: ProfileImage; file: File; onCrop: (file: File) => void; onClose: () => void }

export function CropProfileImage({ image, file, onCrop, onClose }: CropProps) {
  const { width, height } = SIZES[image]
  const address = useObjectUrl(file)
  const source = useRef<HTMLImageElement>(null)
  const cropper = useCropper(source, address, width / height)
  const [size, setSize] = useState(FIRST_SIZE)
  const resize = (percent: number) => {
    setSize(percent)
    if (cropper.current) resizeSelection(cropper.current, width / height, percent)
  }
  const crop = async () => {
    const canvas = await cropper.current?.getCropperSelection()?.$toCanvas({ width, height })
    const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
    const blob = canvas && (await canvasBlob(canvas, type, 0.92))
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
      <div class="crop-area" dir="ltr">
        {address && <img ref={source} src={address} alt="" />}
      </div>
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
