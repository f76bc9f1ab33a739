// Runs in the child process.
import { Demuxer } from 'node-av/api'
import { AV_DISPOSITION_ATTACHED_PIC, AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants'
import { avGetCodecName, avGetPixFmtName, type Stream } from 'node-av/lib'
import { VIDEO_FRAME_RATE_LIMIT, VIDEO_MATRIX_LIMIT } from '../limits.ts'
import { CODECS } from '../types.ts'
import { NOT_TAKEN, type Measures, type Order } from './protocol.ts'

/** The file is not one we take. The message goes to whoever sent it. */
export class Refusal extends Error {}

/** An opened file: its film and its sound, and what follows from both. `width` and `height` as it is seen. */
export type Source = {
  isAnimation: boolean
  input: Demuxer
  video: Stream | null
  audio: Stream | null
  cover: Stream | null
  width: number
  height: number
  /** Filters that turn frames upright, in square pixels where asked by `scale`. */
  upright: string[]
  /** Frames per second; 0 when unknown. */
  frameRate: number
  /** Seconds; 0 when unknown. */
  duration: number
  type: 'video' | 'gifv' | 'audio'
}

/** Silent films up to this many seconds are shown as animations. */
const ANIMATION_SECONDS = 60
/** Whatever claims to be longer is not believed. */
const MAX_SECONDS = 12 * 3600

/**
 * Opens a descriptor with the one demuxer that its bytes call for. A descriptor is all that FFmpeg may open: no name or address in
 * the file leads anywhere. Throws Refusal.
 */
export async function openSource(
  fd: number,
  { demuxer, isAnimation }: Pick<Order, 'demuxer' | 'isAnimation'>,
): Promise<Source> {
  const options = {
    fd: String(fd),
    protocol_whitelist: 'fd',
    ...(demuxer === 'gif' || demuxer === 'webp_anim' ? { ignore_loop: '1' } : {}),
  }
  const input = await Demuxer.open('fd:', { format: demuxer, options })
  const pictures = input.streams.filter(isPicture)
  const video =
    input.streams.find((stream) => stream === input.video(0) && !isPicture(stream)) ??
    input.streams.find((stream) => isVideo(input, stream) && !isPicture(stream)) ??
    null
  const audio = isAnimation ? null : (input.audio(0) ?? null)
  if (!video && !audio) throw new Refusal(NOT_TAKEN)
  for (const stream of [video, audio]) if (stream && !CODECS.has(codecOf(stream))) throw new Refusal(NOT_TAKEN)
  const duration = Math.max(0, input.duration || 0)
  if (duration > MAX_SECONDS)
    throw new Refusal(`Validation failed: Media of ${Math.round(duration)} seconds are not supported`)
  const view = video ? lookAt(video) : { width: 0, height: 0, upright: [], frameRate: 0 }
  const type = !video
    ? 'audio'
    : isAnimation || (!audio && duration > 0 && duration <= ANIMATION_SECONDS)
      ? 'gifv'
      : 'video'
  return { isAnimation, input, video, audio, cover: video ? null : (pictures[0] ?? null), duration, type, ...view }
}

const isPicture = (stream: Stream): boolean => stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC)
const isVideo = (input: Demuxer, stream: Stream): boolean =>
  stream.codecpar.codecType === input.video(0)?.codecpar.codecType

/** FFmpeg's name of the codec of a track. */
export const codecOf = (stream: Stream): string => avGetCodecName(stream.codecpar.codecId) ?? ''

export const pixelsOf = (stream: Stream): string => avGetPixFmtName(stream.codecpar.format as never) ?? ''

/** The size a film is seen in; throws Refusal where that, or its speed, is more than we take. */
function lookAt(video: Stream): Pick<Source, 'width' | 'height' | 'upright' | 'frameRate'> {
  const { width, height } = video.codecpar
  if (!(width > 0 && height > 0)) throw new Refusal(NOT_TAKEN)
  if (width * height > VIDEO_MATRIX_LIMIT)
    throw new Refusal(`Validation failed: ${width}x${height} videos are not supported`)
  // Unknown for a frame or two: the base rate would be that of the clock. The result is measured again.
  const rate = toNumber(video.avgFrameRate)
  if (Math.floor(rate) > VIDEO_FRAME_RATE_LIMIT)
    throw new Refusal(`Validation failed: ${Math.floor(rate)}fps videos are not supported`)
  const { filters, swapped } = turn(video.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX))
  const ratio = toNumber(video.codecpar.sampleAspectRatio) || 1
  // Pixels that are not square are made so, unless they are a joke.
  const seen = ratio > 0.2 && ratio < 5 ? Math.max(1, Math.round(width * ratio)) : width
  return { ...(swapped ? { width: height, height: seen } : { width: seen, height }), upright: filters, frameRate: rate }
}

const toNumber = ({ num, den }: { num: number; den: number }): number => (den === 0 ? 0 : num / den)

/** The filters that do what a display matrix asks for, in quarter turns; as in FFmpeg's own tool. */
function turn(matrix: Buffer | null): { filters: string[]; swapped: boolean } {
  if (!matrix || matrix.length < 36) return { filters: [], swapped: false }
  const at = (index: number): number => matrix.readInt32LE(index * 4) / 65536
  const degrees =
    (Math.round(
      (Math.atan2(at(1) / (Math.hypot(at(1), at(4)) || 1), at(0) / (Math.hypot(at(0), at(3)) || 1)) * 180) / Math.PI,
    ) +
      360) %
    360
  if (Math.abs(degrees - 90) < 2)
    return { filters: [`transpose=${at(3) > 0 ? 'cclock_flip' : 'clock'}`], swapped: true }
  if (Math.abs(degrees - 270) < 2)
    return { filters: [`transpose=${at(3) < 0 ? 'clock_flip' : 'cclock'}`], swapped: true }
  if (Math.abs(degrees - 180) < 2)
    return { filters: [...(at(0) < 0 ? ['hflip'] : []), ...(at(4) < 0 ? ['vflip'] : [])], swapped: false }
  return { filters: at(4) < 0 ? ['vflip'] : [], swapped: false }
}

/** What clients are told about a file that is ready. */
export function measuresOf({ input, video, audio, width, height, duration }: Source): Measures {
  const rate = video?.avgFrameRate
  return {
    ...(video ? { width, height } : {}),
    ...(rate && rate.num > 0 ? { frameRate: `${rate.num}/${rate.den}` } : {}),
    ...(duration > 0 ? { duration } : {}),
    // The library gives thousands.
    ...(input.bitRate > 0 ? { bitrate: Math.round(input.bitRate * 1000) } : {}),
    ...(audio
      ? { sound: { codec: codecOf(audio), sampleRate: audio.codecpar.sampleRate, channels: audio.codecpar.channels } }
      : {}),
  }
}
