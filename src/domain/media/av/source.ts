// Runs in the child process.
import { Demuxer } from './library.ts'
import { AV_DISPOSITION_ATTACHED_PIC, AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants'
import { type Stream, avGetCodecName, avGetPixFmtName } from 'node-av/lib'
import { type Inspected, type Measures, UNSUPPORTED_FILE, type MediaTask } from './protocol.ts'
import { CODECS, VIDEO_FRAME_RATE_LIMIT, VIDEO_MATRIX_LIMIT } from '../types.ts'

/** The message is the error for the client. */
export class Refusal extends Error {}

/** `width` and `height` are those after rotation. */
export type Source = {
  isAnimation: boolean
  input: Demuxer
  video: Stream | null
  audio: Stream | null
  cover: Stream | null
  width: number
  height: number
  /** FFmpeg filters that rotate frames upright. */
  upright: string[]
  /** Frames per second; 0 when unknown. */
  frameRate: number
  /** Seconds; 0 when unknown. */
  duration: number
  type: 'video' | 'gifv' | 'audio'
}

/** Videos without audio up to this many seconds become animations (`gifv`). */
const ANIMATION_SECONDS = 60
/** Longer durations are taken for an error in the header. */
const MAX_SECONDS = 12 * 3600

/**
 * Opens a descriptor with the demuxer for its format. FFmpeg may open nothing else, so that it cannot follow a path or URL
 * in the file. Throws Refusal.
 */
export async function openSource(
  fd: number,
  { demuxer, isAnimation }: Pick<MediaTask, 'demuxer' | 'isAnimation'>,
): Promise<Source> {
  const options = {
    fd: String(fd),
    protocol_whitelist: 'fd',
    ...(demuxer === 'gif' || demuxer === 'webp_anim' ? { ignore_loop: '1' } : {}),
  }
  const input = await Demuxer.open('fd:', { format: demuxer, options })
  const covers = input.streams.filter(isCover)
  const video =
    input.streams.find((stream) => stream === input.video(0) && !isCover(stream)) ??
    input.streams.find((stream) => isVideo(input, stream) && !isCover(stream)) ??
    null
  const audio = isAnimation ? null : (input.audio(0) ?? null)
  if (!video && !audio) throw new Refusal(UNSUPPORTED_FILE)
  for (const stream of [video, audio]) if (stream && !CODECS.has(codecOf(stream))) throw new Refusal(UNSUPPORTED_FILE)
  const duration = Math.max(0, input.duration || 0)
  if (duration > MAX_SECONDS) throw new Refusal(`Media of ${Math.round(duration)} seconds are not supported`)
  const view = video ? measureVideo(video) : { width: 0, height: 0, upright: [], frameRate: 0 }
  const isShortAndSilent = !audio && duration > 0 && duration <= ANIMATION_SECONDS
  const moving = isAnimation || isShortAndSilent ? 'gifv' : 'video'
  const type = video ? moving : 'audio'
  return { isAnimation, input, video, audio, cover: video ? null : (covers[0] ?? null), duration, type, ...view }
}

const isCover = (stream: Stream): boolean => stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC)
const isVideo = (input: Demuxer, stream: Stream): boolean =>
  stream.codecpar.codecType === input.video(0)?.codecpar.codecType

const codecOf = (stream: Stream): string => avGetCodecName(stream.codecpar.codecId) ?? ''

const pixelsOf = (stream: Stream): string => avGetPixFmtName(stream.codecpar.format as never) ?? ''

/** Throws Refusal above the limits. */
function measureVideo(video: Stream): Pick<Source, 'width' | 'height' | 'upright' | 'frameRate'> {
  const { width, height } = video.codecpar
  if (!(width > 0 && height > 0)) throw new Refusal(UNSUPPORTED_FILE)
  if (width * height > VIDEO_MATRIX_LIMIT) throw new Refusal(`${width}x${height} videos are not supported`)
  // Unknown (0) for one or two frames, whose base rate is that of the clock. The converted file is measured again.
  const rate = toNumber(video.avgFrameRate)
  if (Math.floor(rate) > VIDEO_FRAME_RATE_LIMIT) throw new Refusal(`${Math.floor(rate)}fps videos are not supported`)
  const { filters, swapped } = rotationOf(video.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX))
  const ratio = toNumber(video.codecpar.sampleAspectRatio) || 1
  // Non-square pixels are made square, unless the ratio is absurd.
  const shownWidth = ratio > 0.2 && ratio < 5 ? Math.max(1, Math.round(width * ratio)) : width
  return {
    ...(swapped ? { width: height, height: shownWidth } : { width: shownWidth, height }),
    upright: filters,
    frameRate: rate,
  }
}

const toNumber = ({ num, den }: { num: number; den: number }): number => (den === 0 ? 0 : num / den)

/** Quarter turns only, as in FFmpeg's own tool. */
function rotationOf(matrix: Buffer | null): { filters: string[]; swapped: boolean } {
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

export function measuresOf({ input, video, audio, width, height, duration }: Source): Measures {
  const rate = video?.avgFrameRate
  return {
    ...(video ? { width, height } : {}),
    ...(rate && rate.num > 0 ? { frameRate: `${rate.num}/${rate.den}` } : {}),
    ...(duration > 0 ? { duration } : {}),
    // node-av reports kbit/s.
    ...(input.bitRate > 0 ? { bitrate: Math.round(input.bitRate * 1000) } : {}),
    ...(audio
      ? { audio: { codec: codecOf(audio), sampleRate: audio.codecpar.sampleRate, channels: audio.codecpar.channels } }
      : {}),
  }
}

export type Plan = {
  extension: Inspected['extension']
  video: 'copy' | 'encode' | null
  audio: 'copy' | 'encode' | null
}

/** Every browser and app plays H.264 with AAC in MP4, MP3, and AAC in M4A. Other tracks are encoded. */
export function planFor({ video, audio, type, input, width }: Source): Plan {
  const isAac = audio !== null && codecOf(audio) === 'aac' && audio.codecpar.channels <= 6
  const asAac = isAac ? 'copy' : 'encode'
  if (video) {
    const isSquare = width === video.codecpar.width || width === video.codecpar.height
    const isPlayable =
      codecOf(video) === 'h264' && ['yuv420p', 'yuvj420p'].includes(pixelsOf(video)) && video.codecpar.extradataSize > 0
    return {
      extension: 'mp4',
      video: isPlayable && isSquare ? 'copy' : 'encode',
      audio: !audio || type === 'gifv' ? null : asAac,
    }
  }
  if (audio && codecOf(audio) === 'mp3' && input.formatName === 'mp3')
    return { extension: 'mp3', video: null, audio: 'copy' }
  return isAac ? { extension: 'm4a', video: null, audio: 'copy' } : { extension: 'mp3', video: null, audio: 'encode' }
}
