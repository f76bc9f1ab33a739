// Runs in the child process.
import { Decoder, Encoder, FilterAPI, Muxer } from './library.ts'
import { FF_ENCODER_AAC, FF_ENCODER_LIBMP3LAME, FF_ENCODER_LIBX264 } from 'node-av/constants'
import { Dictionary, Rational, type Frame, type Packet, type Stream } from 'node-av/lib'
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { ANIMATION_PIXELS_LIMIT, VIDEO_FRAME_RATE_LIMIT, VIDEO_PIXELS_LIMIT } from '../types.ts'
import { Refusal, type Source, measuresOf, openSource, planFor } from './source.ts'
import { CONVERSION_FAILED, SOURCE_FD, type Measures, type MediaTask } from './protocol.ts'

const MAX_VIDEO_AREA = 1920 * 1080
/** Seconds between frames. */
const MIN_GAP = 1 / (VIDEO_FRAME_RATE_LIMIT + 5)
const THREADS = Math.min(4, availableParallelism())

/** Receives the packets of one track in order; null at the end. */
type Track = { index: number; push(packet: Packet | null): Promise<void>; close(): void }

/**
 * Copies tracks that every browser plays, encodes others, and drops everything else, such as title, place and date.
 * Throws Refusal.
 */
export async function convertFile(task: MediaTask): Promise<Measures> {
  const source = await openSource(SOURCE_FD, task)
  try {
    await write(source, task.output ?? task.target)
  } finally {
    await source.input.close()
  }
  return measureResult(task.target)
}

async function write(source: Source, target: string): Promise<void> {
  const plan = planFor(source)
  const options = plan.extension === 'mp3' ? { id3v2_version: '0', write_id3v1: '0' } : { movflags: '+faststart' }
  await using output = await Muxer.open(target, { format: plan.extension === 'mp3' ? 'mp3' : 'mp4', options })
  const tracks: Track[] = []
  if (source.video && plan.video)
    tracks.push(plan.video === 'copy' ? copy(output, source.video) : await encodeVideo(output, source, source.video))
  if (source.audio && plan.audio)
    tracks.push(
      plan.audio === 'copy' ? copy(output, source.audio) : await encodeAudio(output, source.audio, plan.extension),
    )
  try {
    // One packet at a time, in the order of the file, to keep little in memory.
    for await (const packet of source.input.packets()) {
      if (!packet) break
      await tracks.find(({ index }) => index === packet.streamIndex)?.push(packet)
      packet.free()
    }
    for (const track of tracks) await track.push(null)
  } finally {
    for (const track of tracks) track.close()
  }
}

function copy(output: Muxer, stream: Stream): Track {
  const index = output.addStream(stream)
  const copied = output.getStream(index)
  if (copied) copied.metadata = new Dictionary()
  return {
    index: stream.index,
    push: async (packet) => {
      if (packet) await output.writePacket(packet, index)
    },
    close: () => {},
  }
}

async function encodeVideo(output: Muxer, source: Source, stream: Stream): Promise<Track> {
  const scale = Math.min(1, Math.sqrt(MAX_VIDEO_AREA / (source.width * source.height)))
  const [width = 2, height = 2] = [source.width, source.height].map((side) =>
    Math.max(2, Math.floor((side * scale) / 2) * 2),
  )
  const decoder = await Decoder.create(stream, { threadCount: THREADS })
  // Video has no transparency: the background becomes white, as on a page.
  const backdrop = ['format=rgba', `split[a][b];[a]drawbox=color=white:thickness=fill:replace=1[back];[back][b]overlay`]
  const filters = [
    ...source.upright,
    `scale=${width}:${height}`,
    'setsar=1',
    ...(stream.codecpar.format !== undefined && source.type === 'gifv' ? backdrop : []),
    'format=yuv420p',
  ]
  const filter = FilterAPI.create(filters.join(','), { threads: THREADS })
  const rate = Math.min(120, Math.max(10, source.frameRate || 25))
  const bits = Math.round(Math.min(10_000_000, Math.max(800_000, width * height * rate * 0.12)))
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    decoder,
    filter,
    threadCount: THREADS,
    maxRate: bits,
    bufSize: 2 * bits,
    options: { preset: 'veryfast', crf: 23, profile: 'high' },
    configure: (context) => {
      const base = filter.timeBase
      // Keeps the times of frames: a grid of the average rate would shift those of animations.
      context.timeBase =
        base && base.den <= 100_000 * base.num ? new Rational(base.num, base.den) : new Rational(1, 90_000)
    },
  })
  const maxPixels = source.isAnimation ? ANIMATION_PIXELS_LIMIT : VIDEO_PIXELS_LIMIT
  return transcode(output, stream, { decoder, filter, encoder, maxPixels })
}

async function encodeAudio(output: Muxer, stream: Stream, extension: string): Promise<Track> {
  const decoder = await Decoder.create(stream, { threadCount: 1 })
  const rate = stream.codecpar.sampleRate === 44_100 ? 44_100 : 48_000
  const filter = FilterAPI.create(
    `aresample=${rate},aformat=sample_fmts=fltp:channel_layouts=${stream.codecpar.channels === 1 ? 'mono' : 'stereo'}`,
  )
  const isMp3 = extension === 'mp3'
  const encoder = await Encoder.create(isMp3 ? FF_ENCODER_LIBMP3LAME : FF_ENCODER_AAC, {
    decoder,
    filter,
    bitrate: isMp3 ? 192_000 : 160_000,
    autoResample: true,
  })
  return transcode(output, stream, { decoder, filter, encoder, maxPixels: null })
}

type Codecs = {
  decoder: Decoder
  filter: FilterAPI
  encoder: Encoder
  /** Limits the sum of all decoded frames, whatever number the header declares; null for audio. */
  maxPixels: number | null
}

function transcode(output: Muxer, stream: Stream, { decoder, filter, encoder, maxPixels }: Codecs): Track {
  const index = output.addStream(encoder)
  let last: number | null = null
  let pixels = 0
  const encode = async (frame: Frame | null): Promise<void> => {
    // The container refuses unordered and duplicate frames. Frames above the frame rate limit are dropped too.
    const at = frame && maxPixels !== null ? (Number(frame.pts) * frame.timeBase.num) / frame.timeBase.den : null
    if (at !== null && last !== null && at < last + MIN_GAP) return
    last = at ?? last
    for (const packet of await encoder.encodeAll(frame)) {
      await output.writePacket(packet, index)
      packet.free()
    }
  }
  const encodeAll = async (frames: Frame[]): Promise<void> => {
    for (const frame of frames) {
      await encode(frame)
      frame.free()
    }
  }
  return {
    index: stream.index,
    async push(packet) {
      for (const frame of await decoder.decodeAll(packet)) {
        pixels += frame.width * frame.height
        if (maxPixels !== null && pixels > maxPixels) throw new Refusal(CONVERSION_FAILED)
        await encodeAll(await filter.processAll(frame))
        frame.free()
      }
      if (packet) return
      await filter.flush()
      for (;;) {
        const frame = await filter.receive()
        if (!frame) break
        await encodeAll([frame])
      }
      await encode(null)
    },
    close() {
      for (const part of [decoder, filter, encoder]) part.close()
    },
  }
}

async function measureResult(path: string): Promise<Measures> {
  const file = await open(path)
  try {
    if ((await file.stat()).size === 0) throw new Refusal(CONVERSION_FAILED)
    const source = await openSource(file.fd, { demuxer: path.endsWith('.mp3') ? 'mp3' : 'mov', isAnimation: false })
    try {
      return measuresOf(source)
    } finally {
      await source.input.close()
    }
  } finally {
    await file.close()
  }
}
