// Runs in the child process.
import { Decoder, Encoder, FilterAPI } from './library.ts'
import { FF_ENCODER_PNG } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { writeFile } from 'node:fs/promises'
import { ANIMATION_PIXELS_LIMIT, PREVIEW_AREA, VIDEO_PIXELS_LIMIT } from '../types.ts'
import { Refusal, type Source, measuresOf, openSource, planFor } from './source.ts'
import { UNSUPPORTED_FILE, SOURCE_FD, type Inspected, type MeasuredMedia, type MediaTask } from './protocol.ts'

/** The preview is the most representative of this many frames: videos often begin with black ones. */
const PREVIEW_FRAMES = 24

/** Checks that a file is accepted, and writes a preview of it to the target. Throws Refusal. */
export async function inspectFile(task: MediaTask): Promise<Inspected> {
  const source = await openSource(SOURCE_FD, task)
  try {
    const plan = planFor(source)
    if (plan.video === 'encode') checkCost(source)
    const preview = source.video ? await frameOf(source) : await decodeBeginning(source)
    if (source.video && !preview) throw new Refusal(UNSUPPORTED_FILE)
    if (preview) await writeFile(task.target, preview)
    return {
      type: source.type,
      extension: plan.extension,
      hasPreview: preview !== null,
      measures: measuresOf(source),
    }
  } finally {
    await source.input.close()
  }
}

/** Does not decode the file. Throws Refusal. */
export async function measureFile(task: MediaTask): Promise<MeasuredMedia> {
  const source = await openSource(SOURCE_FD, task)
  try {
    return { type: source.type, measures: measuresOf(source) }
  } finally {
    await source.input.close()
  }
}

/** Throws Refusal for a video whose conversion would take too long, by the values of its header. */
function checkCost({ width, height, frameRate, duration, isAnimation }: Source): void {
  const limit = isAnimation ? ANIMATION_PIXELS_LIMIT : VIDEO_PIXELS_LIMIT
  if (width * height * frameRate * duration > limit)
    throw new Refusal(`${width}x${height} videos of ${Math.round(duration)} seconds are not supported`)
}

/** A frame as PNG, upright and in square pixels, of the area of previews. Null when none can be decoded. */
async function frameOf(source: Source): Promise<Buffer | null> {
  const video = source.video
  if (!video) return null
  const scale = Math.min(1, Math.sqrt(PREVIEW_AREA / (source.width * source.height)))
  const size = [source.width, source.height].map((side) => Math.max(1, Math.round(side * scale)))
  const choose = source.type === 'gifv' ? [] : [`thumbnail=${PREVIEW_FRAMES}`]
  using decoder = await Decoder.create(video, { threadCount: 2 })
  using filter = FilterAPI.create(
    [...source.upright, `scale=${size.join(':')}`, 'setsar=1', ...choose, 'format=rgba'].join(','),
    { threads: 1 },
  )
  for await (const frame of filter.frames(decoder.frames(source.input.packets(video.index)))) {
    if (!frame) continue
    using first: Frame = frame
    return await Encoder.encodeOne(FF_ENCODER_PNG, first, { threadCount: 1 })
  }
  return null
}

/** Enough to find the cover, which precedes the audio. */
const MAX_PACKETS = 500

/** Checks that the beginning of an audio file can be decoded. Returns its cover, or null. Throws Refusal. */
async function decodeBeginning({ input, audio, cover }: Source): Promise<Buffer | null> {
  if (!audio) throw new Refusal(UNSUPPORTED_FILE)
  using decoder = await Decoder.create(audio, { threadCount: 1 })
  let [image, isDecoded, count]: [Buffer | null, boolean, number] = [null, false, 0]
  for await (const packet of input.packets()) {
    if (packet && packet.streamIndex === cover?.index && packet.data) image ??= Buffer.from(packet.data)
    for (const frame of !packet || packet.streamIndex === audio.index ? await decoder.decodeAll(packet) : []) {
      isDecoded = true
      frame.free()
    }
    packet?.free()
    if (!packet || (isDecoded && (image || !cover)) || ++count === MAX_PACKETS) break
  }
  if (!isDecoded) throw new Refusal(UNSUPPORTED_FILE)
  return image
}
