// What this process and the one that reads foreign films tell each other.

/** The descriptor that the child process reads the file from: it cannot open it by a name. */
export const SOURCE_FD = 3

/** What the child process does with its file. `ready` tells whether the library runs, and whether the sandbox holds. */
export type Order = {
  task: 'inspect' | 'convert' | 'measure' | 'image' | 'ready'
  demuxer: string
  isAnimation: boolean
  /** Name of the result in the child's working directory; for `ready`, path of a file that must not be readable. */
  target: string
  /** The same file as an address for the library. */
  output?: string
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
  | { measured: Measures }
  /** `target` holds the image as PNG now. */
  | { decoded: true }
  /** Who could read the file named by `target`, which lies outside of the sandbox: the runtime, the library. */
  | { ready: { runtimeReads: boolean; libraryReads: boolean } }
  /** The file is at fault; `reason` is what its sender is told. */
  | { refused: string }
  /** Something of ours is at fault, such as a full disk. */
  | { failed: string }
  /** The library does not run here. */
  | { unavailable: string }

export const NOT_TAKEN = 'Validation failed: File content type is invalid, File is invalid'
export const NOT_PROCESSED = 'Error processing thumbnail for uploaded media'
