import { encode as encodeBlurhash } from 'blurhash'
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { decode, type DecodeOptions, inspectImage, notAnImage, type SourceImage, withImageSemaphore } from './decode.ts'
import { ORIGINAL_AREA, PREVIEW_AREA } from './limits.ts'
import { stripGif, stripWebp } from './strip.ts'

export type EncodedImage = { data: Buffer; contentType: string; extension: string; width: number; height: number }

/** The `original` and `small` of a MediaAttachment's `meta`. */
export type Dimensions = { width: number; height: number; size: string; aspect: number }

export type ProcessedImage = {
  original: EncodedImage
  /** The preview: a still WebP, or PNG where `keepsPng` asks for it and the image came as PNG. */
  small: EncodedImage
  blurhash: string
  meta: { original: Dimensions; small: Dimensions }
}

/** WebP cannot have longer sides; a longer image is a line anyway. */
const MAX_SIDE = 16_383

/**
 * An uploaded image, ready to be stored: upright, in sRGB, without metadata, of at most 8.3 megapixels. JPEG, PNG and WebP stay
 * what they are, AVIF and HEIC become JPEG or WebP. Animations keep their frames and are still of type `image`, with a still preview.
 * Throws Invalid for what is not an image we take.
 */
export async function processImage(
  path: string,
  { keepsPng = false, ...options }: DecodeOptions & { keepsPng?: boolean } = {},
): Promise<ProcessedImage> {
  const source = await inspectImage(path, options)
  return withImageSemaphore(async () => {
    const original = keepsItsBytes(source) ? await strip(source) : await encodeOriginal(source)
    const small = await encodePreview(original, keepsPng && source.format === 'png')
    return {
      original,
      small,
      blurhash: await blurhashOf(small),
      meta: { original: dimensions(original), small: dimensions(small) },
    }
  })
}

/** Size and form of an image in the words of `meta`. */
function dimensions({ width, height }: { width: number; height: number }): Dimensions {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}

/** Frames cannot be encoded again cheaply, and a GIF not without loss. */
const keepsItsBytes = (source: SourceImage): boolean =>
  source.frames > 1 || (source.format === 'gif' && source.width * source.height <= ORIGINAL_AREA)

async function strip(source: SourceImage): Promise<EncodedImage> {
  const bytes = await readFile(source.path)
  const data = source.format === 'gif' ? stripGif(bytes) : stripWebp(bytes)
  if (!data) throw notAnImage()
  return {
    data,
    contentType: `image/${source.format}`,
    extension: source.format,
    width: source.width,
    height: source.height,
  }
}

function encodeOriginal(source: SourceImage): Promise<EncodedImage> {
  const target = fit(source, ORIGINAL_AREA)
  const isResized = target.width !== source.width || target.height !== source.height
  const image = isResized ? decode(source).resize(target.width, target.height, { fit: 'fill' }) : decode(source)
  return encodeLike(image, source, !isResized && source.isPalette)
}

/** Encodes in the format an image came in, or the nearest one that every client shows. */
export async function encodeLike(image: Sharp, source: SourceImage, palette = false): Promise<EncodedImage> {
  switch (source.format) {
    case 'png':
    case 'gif':
      return encoded(image.png({ palette }), 'image/png', 'png')
    case 'webp':
      return encodeWebp(image, 90)
    default:
      return source.hasAlpha ? encodeWebp(image, 90) : encoded(image.jpeg({ quality: 90 }), 'image/jpeg', 'jpg')
  }
}

// More effort takes twice the time for a few per cent.
const encodeWebp = (image: Sharp, quality: number): Promise<EncodedImage> =>
  encoded(image.webp({ quality, effort: 2 }), 'image/webp', 'webp')

async function encoded(image: Sharp, contentType: string, extension: string): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { data, contentType, extension, width: info.width, height: info.height }
}

/** From the stored original: smaller to decode than what was uploaded, and proof that it can be. */
function encodePreview(original: EncodedImage, isPng: boolean): Promise<EncodedImage> {
  const { width, height } = fit(original, PREVIEW_AREA)
  const image = sharp(original.data).resize(width, height, { fit: 'fill' })
  return isPng ? encoded(image.png(), 'image/png', 'png') : encodeWebp(image, 80)
}

async function blurhashOf(preview: EncodedImage): Promise<string> {
  const tiny = sharp(preview.data).resize(32, 32, { fit: 'inside' }).flatten({ background: '#fff' }).ensureAlpha().raw()
  const { data, info } = await tiny.toBuffer({ resolveWithObject: true })
  return encodeBlurhash(new Uint8ClampedArray(data), info.width, info.height, 4, 4)
}

/** The largest size of the same form within an area. Never enlarges. */
function fit({ width, height }: { width: number; height: number }, area: number): { width: number; height: number } {
  const scale = Math.min(1, Math.sqrt(area / (width * height)), MAX_SIDE / Math.max(width, height))
  const side = (length: number): number => Math.max(1, Math.floor(length * scale))
  return scale === 1 ? { width, height } : { width: side(width), height: side(height) }
}
