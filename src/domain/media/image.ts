import { encode as encodeBlurhash } from 'blurhash'
import { readFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { openImage } from './sharp.ts'
import { type DecodeOptions, type SourceImage, decode, inspectImage, notAnImage, withImageSemaphore } from './decode.ts'
import type { EncodedFile } from './files.ts'
import { stripGif, stripWebp } from './strip.ts'
import { IMAGE_MATRIX_LIMIT, ORIGINAL_AREA, PREVIEW_AREA } from './types.ts'

export type EncodedImage = EncodedFile & { width: number; height: number }

export type Dimensions = { width: number; height: number; size: string; aspect: number }

export type ProcessedImage = {
  original: EncodedImage
  /** The preview: a still WebP, or PNG for a PNG upload with `keepsPng`. */
  small: EncodedImage
  blurhash: string
  meta: { original: Dimensions; small: Dimensions }
}

/** The limit of WebP. */
const MAX_SIDE = 16_383

/**
 * Prepares an uploaded image for storage: upright, in sRGB, without metadata, at most 8.3 megapixels. AVIF and HEIC become
 * JPEG or WebP, other formats stay. Animations keep their frames and type `image`, with a still preview. Throws Invalid
 * for an image that is not accepted.
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

function dimensions({ width, height }: { width: number; height: number }): Dimensions {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}

/** Encoding animations again is costly, and GIF loses quality. */
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

/** Keeps the format of the upload, or takes the nearest one that every client shows. */
async function encodeLike(image: Sharp, source: SourceImage, palette = false): Promise<EncodedImage> {
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

// More effort takes twice the time to save a few per cent.
const encodeWebp = (image: Sharp, quality: number): Promise<EncodedImage> =>
  encoded(image.webp({ quality, effort: 2 }), 'image/webp', 'webp')

export async function encoded(image: Sharp, contentType: string, extension: string): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { data, contentType, extension, width: info.width, height: info.height }
}

/** Decodes the stored original: it is smaller than the upload, and this proves that it can be decoded. */
function encodePreview(original: EncodedImage, isPng: boolean): Promise<EncodedImage> {
  const { width, height } = fit(original, PREVIEW_AREA)
  const image = openImage(original.data).resize(width, height, { fit: 'fill' })
  return isPng ? encoded(image.png(), 'image/png', 'png') : encodeWebp(image, 80)
}

export async function blurhashOf(preview: EncodedImage): Promise<string> {
  const tiny = openImage(preview.data)
    .resize(32, 32, { fit: 'inside' })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
  const { data, info } = await tiny.toBuffer({ resolveWithObject: true })
  return encodeBlurhash(new Uint8ClampedArray(data), info.width, info.height, 4, 4)
}

/** Keeps the aspect ratio. Never enlarges. */
function fit({ width, height }: { width: number; height: number }, area: number): { width: number; height: number } {
  const scale = Math.min(1, Math.sqrt(area / (width * height)), MAX_SIDE / Math.max(width, height))
  const side = (length: number): number => Math.max(1, Math.floor(length * scale))
  return scale === 1 ? { width, height } : { width: side(width), height: side(height) }
}

type ProfileImage = {
  image: EncodedImage
  /** The first frame of an animation; null for a still image. */
  still: EncodedImage | null
}

/** 400x400, cropped around the centre. Throws Invalid for an image that is not accepted. */
export const processAvatar = (path: string, options: DecodeOptions = {}): Promise<ProfileImage> =>
  cover(path, 400, 400, options)

/** 1500x500, cropped around the centre. Throws Invalid for an image that is not accepted. */
export const processHeader = (path: string, options: DecodeOptions = {}): Promise<ProfileImage> =>
  cover(path, 1500, 500, options)

/** Pixels of all frames, decoded or encoded: a few seconds of CPU. Longer animations become their first frame. */
const MAX_ANIMATED_PIXELS = IMAGE_MATRIX_LIMIT

async function cover(path: string, width: number, height: number, options: DecodeOptions): Promise<ProfileImage> {
  const source = await inspectImage(path, options)
  return withImageSemaphore(async () => {
    const still = await encodeLike(decode(source).resize(width, height, { fit: 'cover' }), source)
    const isShort =
      source.frames * width * height <= MAX_ANIMATED_PIXELS &&
      source.frames * source.width * source.height <= MAX_ANIMATED_PIXELS
    if (source.frames === 1 || !isShort) return { image: still, still: null }
    // Encoding a GIF takes fifty times as long as WebP.
    const animation = decode(source, { animated: true })
      .resize(width, height, { fit: 'cover' })
      .webp({ quality: 80, effort: 2 })
    return {
      image: { data: await animation.toBuffer(), contentType: 'image/webp', extension: 'webp', width, height },
      still,
    }
  })
}
