// Removes metadata, and bytes after the end, from animations without decoding their frames: encoding them again would
// cost seconds to minutes of CPU, and quality.

const GIF_TRAILER = 0x3b
/** Application blocks with the number of repetitions. */
const LOOP_BLOCKS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** A GIF without comments, XMP and other application data. Null for other bytes, and without a complete frame. */
export function stripGif(bytes: Buffer): Buffer | null {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  let at = 13 + colorTableSize(bytes[10])
  const parts = [bytes.subarray(0, at)]
  let frames = 0
  while (at < bytes.length && bytes[at] !== GIF_TRAILER) {
    const isFrame = bytes[at] === 0x2c
    if (!isFrame && bytes[at] !== 0x21) return null
    const dataAt = isFrame ? at + 11 + colorTableSize(bytes[at + 9]) : at + 2
    const end = subBlocksEnd(bytes, dataAt)
    // Truncated within a block: browsers show the complete frames.
    if (end === null) break
    if (isFrame) frames++
    if (isFrame || isRenderingExtension(bytes, at)) parts.push(bytes.subarray(at, end))
    at = end
  }
  return frames > 0 ? Buffer.concat([...parts, Buffer.from([GIF_TRAILER])]) : null
}

const colorTableSize = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** The end of a chain of length-prefixed blocks, after its terminating zero; null when truncated. */
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

/** ICCP, the colour profile, is part of how the frames look. */
const WEBP_CHUNKS = ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']
const EXIF_AND_XMP = 0x08 | 0x04

/** A WebP without EXIF, XMP and unknown chunks. Null for other bytes, and when truncated. */
export function stripWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return null
  const parts: Buffer[] = []
  for (let at = 12; at + 8 <= end;) {
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) return null
    const name = bytes.toString('latin1', at, at + 4)
    if (WEBP_CHUNKS.includes(name))
      parts.push(name === 'VP8X' ? withoutFlags(bytes.subarray(at, next)) : bytes.subarray(at, next))
    at = next
  }
  const body = Buffer.concat(parts)
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(4 + body.length, 4)
  return body.length > 0 ? Buffer.concat([header, body]) : null
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk)
  if (copy.length > 8) copy[8] = (copy[8] ?? 0) & ~EXIF_AND_XMP
  return copy
}
