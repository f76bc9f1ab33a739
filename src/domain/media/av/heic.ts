// Runs in the child process.
import { FilterAPI } from './library.ts'
import { AV_CODEC_ID_HEVC, AV_PIX_FMT_RGB24, AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG } from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, Frame, Packet, Rational } from 'node-av/lib'
import { fstatSync, readSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { IMAGE_SIZE_LIMIT } from '../types.ts'
import { readHeif, type CodedTile, type HeifImage } from './heif.ts'
import { UNSUPPORTED_FILE, SOURCE_FD, type MediaTask } from './protocol.ts'
import { Refusal } from './source.ts'

/** Frames are coded in blocks of up to 64x64, which may exceed the declared size. */
const BLOCK = 64

type Pixels = { width: number; height: number; rgb: Buffer }

/** Decodes the primary image of a HEIC file, and writes it to the target as PNG, upright. Throws Refusal. */
export async function decodeImage(task: MediaTask): Promise<void> {
  const image = readHeif(readSource())
  const { width, height, rgb } = await transform(await assemble(image), image.transformations)
  await writeFile(task.target, encodePng({ width, height, rgb }, image.icc))
}

function readSource(): Buffer {
  const { size } = fstatSync(SOURCE_FD)
  if (size > IMAGE_SIZE_LIMIT) throw new Refusal(UNSUPPORTED_FILE)
  const file = Buffer.alloc(size)
  for (let at = 0; at < size;) {
    const read = readSync(SOURCE_FD, file, at, size - at, at)
    if (read === 0) throw new Refusal(UNSUPPORTED_FILE)
    at += read
  }
  return file
}

async function assemble(image: HeifImage): Promise<Pixels> {
  const { width, height, columns, tileWidth, tileHeight, tiles, nclx } = image
  const rgb = Buffer.alloc(width * height * 3)
  using filter = FilterAPI.create('format=rgb24', { threads: 1 })
  for (const [i, tile] of tiles.entries()) {
    using frame = await decodeTile(tile, tileWidth, tileHeight)
    if (nclx) {
      frame.colorSpace = nclx.matrix as never
      frame.colorRange = nclx.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
    const [left, top] = [(i % columns) * tileWidth, Math.floor(i / columns) * tileHeight]
    const length = Math.min(tileWidth, width - left) * 3
    for (const converted of await filter.processAll(frame)) {
      using rgbFrame = converted
      const [rows, stride] = [rgbFrame.data?.[0], rgbFrame.linesize[0]]
      if (!rows || !stride) throw new Refusal(UNSUPPORTED_FILE)
      for (let y = 0; length > 0 && y < Math.min(tileHeight, height - top); y++)
        rows.copy(rgb, ((top + y) * width + left) * 3, y * stride, y * stride + length)
    }
  }
  return { width, height, rgb }
}

/** Refuses a tile that differs from the declared size before it allocates memory. */
async function decodeTile({ configuration, data }: CodedTile, width: number, height: number): Promise<Frame> {
  const codec = Codec.findDecoder(AV_CODEC_ID_HEVC)
  if (!codec) throw new Refusal(UNSUPPORTED_FILE)
  using context = new CodecContext()
  context.allocContext3(codec)
  context.extraData = configuration
  context.threadCount = 1
  const options = { max_pixels: String((width + BLOCK) * (height + BLOCK)), err_detect: 'explode' }
  FFmpegError.throwIfError(await context.open2(codec, Dictionary.fromObject(options)))
  using packet = new Packet()
  packet.alloc()
  packet.data = data
  FFmpegError.throwIfError(await context.sendPacket(packet))
  FFmpegError.throwIfError(await context.sendPacket(null))
  const frame = new Frame()
  frame.alloc()
  FFmpegError.throwIfError(await context.receiveFrame(frame))
  if (frame.width !== width || frame.height !== height) throw new Refusal(UNSUPPORTED_FILE)
  frame.pts = 0n
  frame.timeBase = new Rational(1, 1)
  return frame
}

async function transform(pixels: Pixels, transformations: string[]): Promise<Pixels> {
  if (transformations.length === 0) return pixels
  const { width, height, rgb } = pixels
  using frame = Frame.fromVideoBuffer(rgb, { width, height, format: AV_PIX_FMT_RGB24, timeBase: new Rational(1, 1) })
  using filter = FilterAPI.create([...transformations, 'format=rgb24'].join(','), { threads: 1 })
  const [transformed] = await filter.processAll(frame)
  if (!transformed) throw new Refusal(UNSUPPORTED_FILE)
  using result = transformed
  return { width: result.width, height: result.height, rgb: result.toBuffer() }
}

/** Keeps the colour profile, and barely compresses, as the file is read once. */
function encodePng({ width, height, rgb }: Pixels, icc: Buffer | null): Buffer {
  const stride = width * 3
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) rgb.copy(rows, y * (stride + 1) + 1, y * stride, (y + 1) * stride)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(icc ? [pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)]))] : []),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8)
  return chunk
}
