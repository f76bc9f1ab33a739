// Runs in the child process.
import { Decoder, Encoder, FilterAPI } from 'node-av/api'
import { FF_ENCODER_PNG } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { writeFile } from 'node:fs/promises'
import { ANIMATION_PIXELS_LIMIT, PREVIEW_AREA, VIDEO_PIXELS_LIMIT } from '../limits.ts'
import { planFor } from './plan.ts'
import { NOT_TAKEN, SOURCE_FD, type Inspected, type Measures, type Order } from './protocol.ts'
import { measuresOf, openSource, Refusal, type Source } from './source.ts'

/** Of so many frames the most telling one is the preview: films often begin in the dark. */
const PREVIEW_FRAMES = 24

/** Looks whether a file is one we take, and writes a picture of it to the target. Throws Refusal. */
export async function inspectFile(order: Order): Promise<Inspected> {
  const source = await openSource(SOURCE_FD, order)
  try {
    const plan = planFor(source)
    if (plan.video === 'encode') checkCost(source)
    const picture = source.video ? await frameOf(source) : await hearSome(source)
    if (source.video && !picture) throw new Refusal(NOT_TAKEN)
    if (picture) await writeFile(order.target, picture)
    return {
      type: source.type,
      extension: plan.extension,
      hasPicture: picture !== null,
      measures: measuresOf(source),
    }
  } finally {
    await source.input.close()
  }
}

/** Measures a file without decoding it. Throws Refusal. */
export async function measureFile(order: Order): Promise<Measures> {
  const source = await openSource(SOURCE_FD, order)
  try {
    return measuresOf(source)
  } finally {
    await source.input.close()
  }
}

/** Throws Refusal for a video that would take too long to convert, as far as its header is right. */
function checkCost({ width, height, frameRate, duration, isAnimation }: Source): void {
  const limit = isAnimation ? ANIMATION_PIXELS_LIMIT : VIDEO_PIXELS_LIMIT
  if (width * height * frameRate * duration > limit)
    throw new Refusal(
      `Validation failed: ${width}x${height} videos of ${Math.round(duration)} seconds are not supported`,
    )
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
    using kept: Frame = frame
    return await Encoder.encodeOne(FF_ENCODER_PNG, kept, { threadCount: 1 })
  }
  return null
}

/** Covers come first. */
const PACKETS_TO_HEAR = 500

/** Decodes the beginning of a sound, as what cannot be heard is none; gives the cover that comes with it. Throws Refusal. */
async function hearSome({ input, audio, cover }: Source): Promise<Buffer | null> {
  if (!audio) throw new Refusal(NOT_TAKEN)
  using decoder = await Decoder.create(audio, { threadCount: 1 })
  let [picture, isHeard, count]: [Buffer | null, boolean, number] = [null, false, 0]
  for await (const packet of input.packets()) {
    if (packet && packet.streamIndex === cover?.index && packet.data) picture ??= Buffer.from(packet.data)
    for (const frame of !packet || packet.streamIndex === audio.index ? await decoder.decodeAll(packet) : []) {
      isHeard = true
      frame.free()
    }
    packet?.free()
    if (!packet || (isHeard && (picture || !cover)) || ++count === PACKETS_TO_HEAR) break
  }
  if (!isHeard) throw new Refusal(NOT_TAKEN)
  return picture
}
