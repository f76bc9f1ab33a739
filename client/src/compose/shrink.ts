// Cameras make larger images than servers accept. Instead of refusing one, the browser makes it smaller.
import { canvasBlob } from '../ui/canvas-blob.ts'
import type { MediaLimits } from './media-rules.ts'

/** Formats that browsers write, and that do not move. */
const SHRINKABLE = ['image/jpeg', 'image/png']
const QUALITY = 0.9
/** In pixels. Safari draws nothing on larger canvases. */
const MAX_CANVAS = 2 ** 24
/** How often to try a smaller size, and how much shorter the sides become each time. */
const ATTEMPTS = 5
const STEP = 0.75

/** Null when the browser cannot read the image, or not make it small enough. */
export async function shrunk(
  file: File,
  { image_size_limit: bytes, image_matrix_limit: pixels }: MediaLimits,
): Promise<File | null> {
  if (!SHRINKABLE.includes(file.type)) return null
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return null
  try {
    let scale = Math.min(1, Math.sqrt(Math.min(pixels, MAX_CANVAS) / (bitmap.width * bitmap.height)))
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const blob = await drawn(bitmap, scale, file.type)
      if (blob && blob.size <= bytes) return new File([blob], file.name, { type: file.type })
      scale *= STEP
    }
    return null
  } finally {
    bitmap.close()
  }
}

async function drawn(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(bitmap.width * scale))
  canvas.height = Math.max(1, Math.floor(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return canvasBlob(canvas, type, QUALITY)
}
