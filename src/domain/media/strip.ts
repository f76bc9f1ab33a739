/**
 * Takes metadata out of animations without touching their frames: decoding and encoding them again costs seconds to
 * minutes of CPU, and quality. What follows the end of the image goes as well.
 */

const GIF_TRAILER = 0x3b
/** Application blocks that say how often an animation repeats. */
const LOOP_BLOCKS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** A GIF without comments, XMP and other application data. Null when it is not one, or has no whole frame. */
export function stripGif(bytes: Buffer): Buffer | null {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  let at = 13 + colorTableSize(bytes[10])
  const kept = [bytes.subarray(0, at)]
  let frames = 0
  while (at < bytes.length && bytes[at] !== GIF_TRAILER) {
    const isFrame = bytes[at] === 0x2c
    if (!isFrame && bytes[at] !== 0x21) return null
    const dataAt = isFrame ? at + 11 + colorTableSize(bytes[at + 9]) : at + 2
    const end = subBlocksEnd(bytes, dataAt)
    // Cut off within a block: what came whole is shown, as browsers do.
    if (end === null) break
    if (isFrame) frames++
    if (isFrame || isRenderingExtension(bytes, at)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return frames > 0 ? Buffer.concat([...kept, Buffer.from([GIF_TRAILER])]) : null
}

const colorTableSize = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Where a chain of length-prefixed blocks ends, behind its terminating zero. */
function subBlocksEnd(bytes: Buffer, from: number): number | null {
  let at = from
  for (;;) {
    const size = bytes[at]
    if (size === undefined) return null
    at += size + 1
    if (size === 0) return at
  }
}

function isRenderingExtension(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  if (label === 0xf9) return true
  return label === 0xff && bytes[at + 2] === 11 && LOOP_BLOCKS.includes(bytes.toString('latin1', at + 3, at + 14))
}

/** The colour profile stays: without it the frames would show other colours. */
const WEBP_CHUNKS = ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']
const EXIF_AND_XMP = 0x08 | 0x04

/** A WebP without EXIF, XMP and unknown chunks. Null when it is not one, or is cut off. */
export function stripWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return null
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= end;) {
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) return null
    const name = bytes.toString('latin1', at, at + 4)
    if (WEBP_CHUNKS.includes(name))
      kept.push(name === 'VP8X' ? withoutFlags(bytes.subarray(at, next)) : bytes.subarray(at, next))
    at = next
  }
  const body = Buffer.concat(kept)
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(4 + body.length, 4)
  return body.length > 0 ? Buffer.concat([header, body]) : null
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk)
  if (copy.length > 8) copy[8] = (copy[8] ?? 0) & ~EXIF_AND_XMP
  return copy
}
