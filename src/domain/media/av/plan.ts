// Runs in the child process.
import type { Inspected } from './protocol.ts'
import { codecOf, pixelsOf, type Source } from './source.ts'

export type Plan = {
  extension: Inspected['extension']
  video: 'copy' | 'encode' | null
  audio: 'copy' | 'encode' | null
}

/** What every browser and app plays: H.264 with AAC in MP4, MP3, AAC in M4A. The rest becomes that. */
export function planFor({ video, audio, type, input, width }: Source): Plan {
  const isAac = audio !== null && codecOf(audio) === 'aac' && audio.codecpar.channels <= 6
  if (video) {
    const square = width === video.codecpar.width || width === video.codecpar.height
    const plays =
      codecOf(video) === 'h264' && ['yuv420p', 'yuvj420p'].includes(pixelsOf(video)) && video.codecpar.extradataSize > 0
    return {
      extension: 'mp4',
      video: plays && square ? 'copy' : 'encode',
      audio: !audio || type === 'gifv' ? null : isAac ? 'copy' : 'encode',
    }
  }
  if (audio && codecOf(audio) === 'mp3' && input.formatName === 'mp3')
    return { extension: 'mp3', video: null, audio: 'copy' }
  return isAac ? { extension: 'm4a', video: null, audio: 'copy' } : { extension: 'mp3', video: null, audio: 'encode' }
}
