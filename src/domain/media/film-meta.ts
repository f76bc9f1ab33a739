import type { MediaMeta } from './attachments.ts'
import type { Measures } from './av/protocol.ts'

/** What clients are told about a film or a sound: `original`, and beside it the names of before 2.0. */
export function describeMeasures({ width, height, frameRate, duration, bitrate, sound }: Measures): MediaMeta {
  const [frames = 0, per = 1] = (frameRate ?? '').split('/').map(Number)
  return {
    ...(duration === undefined ? {} : { length: clock(duration), duration }),
    ...(frames > 0 && per > 0 ? { fps: Math.round(frames / per) } : {}),
    ...(width && height ? { size: `${width}x${height}`, width, height, aspect: width / height } : {}),
    ...(sound
      ? {
          audio_encode: sound.codec,
          audio_bitrate: `${sound.sampleRate} Hz`,
          audio_channels: CHANNELS[sound.channels] ?? `${sound.channels} channels`,
        }
      : {}),
    original: {
      ...(width && height ? { width, height } : {}),
      ...(frameRate === undefined ? {} : { frame_rate: frameRate }),
      ...(duration === undefined ? {} : { duration }),
      ...(bitrate === undefined ? {} : { bitrate }),
    },
  }
}

const CHANNELS: Record<number, string> = { 1: 'mono', 2: 'stereo', 6: '5.1' }

/** 0:01:28.65 */
function clock(seconds: number): string {
  const hundredths = Math.round(seconds * 100)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [
    Math.floor(hundredths / 360_000),
    Math.floor(hundredths / 6000) % 60,
    hundredths % 6000,
  ]
  return `${hours}:${two(minutes)}:${two(Math.floor(rest / 100))}.${two(rest % 100)}`
}
