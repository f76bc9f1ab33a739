import type { Context } from '../../context.ts'
import { checkImageSize, decode, inspectImage, withDecodedHeic, withImageSemaphore } from './decode.ts'
import { type ReceivedFile, mediaKey, withStoredFiles } from './files.ts'
import { type Dimensions, processImage } from './image.ts'

export type Thumbnail = { previewKey: string; small: Dimensions; blurhash: string; colors?: Palette }

export const thumbnailMeta = ({ small, colors }: Thumbnail): Pick<Thumbnail, 'small' | 'colors'> => ({
  small,
  ...(colors ? { colors } : {}),
})

/**
 * An `artwork` (uploaded, or the cover in an audio file) stays a PNG if it is one, and has colors; a `frame` of a video
 * does not. The caller deletes the file when it is not used. Throws Invalid for an image that is not accepted.
 */
export async function prepareThumbnail(
  ctx: Context,
  mediaId: string,
  file: ReceivedFile,
  kind: 'artwork' | 'frame' = 'artwork',
): Promise<Thumbnail> {
  await checkImageSize(file, 'thumbnail')
  const [{ small, blurhash, meta }, colors] = await withDecodedHeic(ctx, file.path, async (path, options) => [
    await processImage(path, { keepsPng: kind === 'artwork', ...options }),
    kind === 'artwork' ? { colors: await paletteOf(path) } : {},
  ])
  const previewKey = mediaKey(mediaId, 'small', small)
  return withStoredFiles(ctx, [[previewKey, small]], async () => ({
    previewKey,
    small: meta.small,
    blurhash,
    ...colors,
  }))
}

/** The colours of an audio player, taken from the cover: #rrggbb. */
export type Palette = { background: string; foreground: string; accent: string }

type Color = { r: number; g: number; b: number; weight: number }

/** Contrast of text, and of graphical objects (WCAG 2.1, 1.4.3 and 1.4.11). */
const TEXT_CONTRAST = 4.5
const OBJECT_CONTRAST = 3
const SIDE = 48

/** The colour of an image's edges, a readable text colour on it, and the most vivid colour. Throws Invalid. */
async function paletteOf(path: string): Promise<Palette> {
  const image = decode(await inspectImage(path)).resize(SIDE, SIDE, { fit: 'fill' })
  const raw = image.flatten({ background: '#fff' }).removeAlpha().toColorspace('srgb').raw()
  const pixels = await withImageSemaphore(() => raw.toBuffer())
  const colors = byWeight(pixels, () => true)
  const background = byWeight(pixels, (x, y) => x < 4 || y < 4 || x >= SIDE - 4 || y >= SIDE - 4)[0] ?? BLACK
  const readable = colors.filter((color) => contrast(color, background) >= TEXT_CONTRAST)
  const foreground = readable[0] ?? (contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK)
  const vivid = colors
    .filter((color) => contrast(color, background) >= OBJECT_CONTRAST)
    .toSorted((a, b) => saturation(b) * Math.sqrt(b.weight) - saturation(a) * Math.sqrt(a.weight))
  return { background: hex(background), foreground: hex(foreground), accent: hex(vivid[0] ?? foreground) }
}

const WHITE: Color = { r: 255, g: 255, b: 255, weight: 0 }
const BLACK: Color = { r: 0, g: 0, b: 0, weight: 0 }

/** Groups similar pixels, the most frequent first; each colour is the mean of its pixels. */
function byWeight(pixels: Buffer, isWanted: (x: number, y: number) => boolean): Color[] {
  const groups = new Map<number, Color>()
  for (let i = 0; i + 2 < pixels.length; i += 3) {
    if (!isWanted((i / 3) % SIDE, Math.floor(i / 3 / SIDE))) continue
    const [r = 0, g = 0, b = 0] = pixels.subarray(i, i + 3)
    const key = ((r >> 5) << 6) | ((g >> 5) << 3) | (b >> 5)
    const group = groups.get(key) ?? { r: 0, g: 0, b: 0, weight: 0 }
    groups.set(key, { r: group.r + r, g: group.g + g, b: group.b + b, weight: group.weight + 1 })
  }
  return [...groups.values()]
    .map(({ r, g, b, weight }) => ({ r: r / weight, g: g / weight, b: b / weight, weight }))
    .toSorted((a, b) => b.weight - a.weight)
}

function contrast(a: Color, b: Color): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance({ r, g, b }: Color): number {
  const linear = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

const saturation = ({ r, g, b }: Color): number => (Math.max(r, g, b) - Math.min(r, g, b)) / (Math.max(r, g, b) || 1)

const hex = ({ r, g, b }: Color): string =>
  `#${[r, g, b].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`
