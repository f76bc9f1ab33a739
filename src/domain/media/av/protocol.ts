// What this process and the one that reads foreign films tell each other.

/** What to do with a file, and where results may be written: `target` is the path of the one file. */
export type Order = {
  task: 'inspect' | 'convert'
  path: string
  demuxer: string
  isAnimation: boolean
  target: string
}

export type Sound = { codec: string; sampleRate: number; channels: number }

/** Measures of a film or sound. Width and height as it is seen, seconds, bits per second. */
export type Measures = {
  width?: number
  height?: number
  frameRate?: string
  duration?: number
  bitrate?: number
  sound?: Sound
}

export type Inspected = {
  type: 'video' | 'gifv' | 'audio'
  /** Of the upload; the result is measured again. */
  measures: Measures
  /** What it will be kept as. */
  extension: 'mp4' | 'mp3' | 'm4a'
  /** Whether `target` holds a picture now: a frame, or the cover of a record. */
  hasPicture: boolean
}

export type Reply =
  | { inspected: Inspected }
  | { converted: Measures }
  /** The file is at fault; `reason` is what its sender is told. */
  | { refused: string }
  /** Something of ours is at fault, such as a full disk. */
  | { failed: string }
  /** The library does not run here. */
  | { unavailable: string }

export const NOT_TAKEN = 'Validation failed: File content type is invalid, File is invalid'
export const NOT_PROCESSED = 'Error processing thumbnail for uploaded media'
