import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import type { FFEncoderCodec } from 'node-av/constants'

export type VideoOptions = {
  width?: number
  height?: number
  seconds?: number
  rate?: number
  /** Names of encoders; null for none. */
  video?: string | null
  audio?: string | null
  pixels?: string
  metadata?: Record<string, string>
  options?: Record<string, string>
}

const AV_LOG_ERROR = 16

/** Whether node-av, which encodes them, is installed for this platform. */
export const canMakeVideos = await import('node-av/api').then(
  () => true,
  () => false,
)

const made = new Map<string, Promise<string>>()

/**
 * The video has moving colours and a tone. The extension of `name` selects the container. Returns the path. Each kind is
 * encoded once.
 */
export async function makeVideo(folder: string, name: string, options: VideoOptions = {}): Promise<string> {
  const key = extname(name) + JSON.stringify(options)
  const encoding = made.get(key) ?? encodeVideo(name, options)
  made.set(key, encoding)
  const path = join(folder, name)
  await copyFile(await encoding, path)
  return path
}

/** In the folder of the test run, which is removed at its end. */
async function encodeVideo(name: string, options: VideoOptions): Promise<string> {
  const { width = 64, height = 48, seconds = 1, rate = 25, video = 'libx264', audio = 'aac' } = options
  const { Demuxer, Decoder, Encoder, FilterAPI, Muxer } = await import('node-av/api')
  const { Dictionary, Log } = await import('node-av/lib')
  Log.setLevel(AV_LOG_ERROR as never)
  const path = join(await mkdtemp(join(tmpdir(), 'rookery-made-')), name)
  const source = [
    ...(video === null ? [] : [`testsrc2=size=${width}x${height}:rate=${rate}:duration=${seconds}[out0]`]),
    ...(audio === null ? [] : [`sine=frequency=440:duration=${seconds}[out${video === null ? 0 : 1}]`]),
  ].join(';')
  await using input = await Demuxer.open(source, { format: 'lavfi' })
  await using output = await Muxer.open(path, { options: options.options ?? {} })
  if (options.metadata) output.getFormatContext().metadata = Dictionary.fromObject(options.metadata)
  const tracks = []
  for (const stream of input.streams) {
    const isVideo = stream === input.video()
    const filter = FilterAPI.create(
      isVideo ? `format=${options.pixels ?? 'yuv420p'}` : 'aformat=channel_layouts=stereo:sample_rates=48000',
    )
    const decoder = await Decoder.create(stream)
    const encoder = await Encoder.create((isVideo ? video : audio) as FFEncoderCodec, {
      decoder,
      filter,
      ...(isVideo ? { gopSize: 25 } : { autoResample: true }),
    })
    tracks.push({ stream, decoder, filter, encoder, index: output.addStream(encoder) })
  }
  await Promise.all(
    tracks.map(async ({ stream, decoder, filter, encoder, index }) => {
      for await (using packet of encoder.packets(filter.frames(decoder.frames(input.packets(stream.index)))))
        await output.writePacket(packet, index)
      for (const part of [decoder, filter, encoder]) part.close()
    }),
  )
  return path
}

/** A WAV file of a tone: 16 bits, one channel. `declared` is the length that its header claims, in bytes. */
export function tone(seconds: number, declared?: number): Buffer {
  const rate = 44_100
  const samples = Buffer.alloc(Math.round(seconds * rate) * 2)
  for (let i = 0; i < samples.length / 2; i++)
    samples.writeInt16LE(Math.round(Math.sin((i / rate) * 2 * Math.PI * 440) * 8000), i * 2)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE((declared ?? samples.length) + 36, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(declared ?? samples.length, 40)
  return Buffer.concat([header, samples])
}

export function withCover(mp3: Buffer, cover: Buffer, title: string): Buffer {
  const frame = (name: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(10)
    head.write(name, 0)
    head.writeUInt32BE(data.length, 4)
    return Buffer.concat([head, data])
  }
  const frames = Buffer.concat([
    frame('TIT2', Buffer.from(`\0${title}`)),
    frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0'), cover])),
  ])
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
  for (let i = 0; i < 4; i++) head[9 - i] = (frames.length >> (7 * i)) & 0x7f
  const start =
    mp3.toString('latin1', 0, 3) === 'ID3' ? 10 + mp3.subarray(6, 10).reduce((size, byte) => (size << 7) | byte, 0) : 0
  return Buffer.concat([head, frames, mp3.subarray(start)])
}

export async function firstPixel(path: string): Promise<number[]> {
  const { Demuxer, Decoder, Encoder } = await import('node-av/api')
  await using input = await Demuxer.open(path)
  const stream = input.video()
  if (!stream) throw new Error('the file has no video stream')
  using decoder = await Decoder.create(stream)
  for await (using frame of decoder.frames(input.packets(stream.index)))
    if (frame) {
      const png = await Encoder.encodeOne('png' as FFEncoderCodec, frame, { autoFormat: true })
      return [...(await sharp(png).removeAlpha().raw().toBuffer()).subarray(0, 3)]
    }
  throw new Error('the video has no frame')
}
