// The messages between the server and the child process that decodes uploads.

/** The child process reads the upload from this descriptor; it cannot open the file by name. */
export const SOURCE_FD = 3

/**
 * `measure` reads part of a file. `decode` is for HEIC photos. `probe` checks that the library runs and that the sandbox confines
 * it, and compiles the code of the others.
 */
export type MediaTask = {
  kind: 'inspect' | 'convert' | 'measure' | 'decode' | 'probe'
  demuxer: string
  isAnimation: boolean
  /** Name of the result in the child's working directory; for `probe`, the path of a file that must not be readable. */
  target: string
  /** `target` as a URL for the library. */
  output?: string
}

type AudioMeasures = { codec: string; sampleRate: number; channels: number }

/** Width and height after rotation; seconds; bits per second. */
export type Measures = {
  width?: number
  height?: number
  frameRate?: string
  duration?: number
  bitrate?: number
  audio?: AudioMeasures
}

export type MeasuredMedia = {
  type: 'video' | 'gifv' | 'audio'
  measures: Measures
}

/** The measures are of the upload; the converted file is measured again. */
export type Inspected = MeasuredMedia & {
  /** Of the converted file. */
  extension: 'mp4' | 'mp3' | 'm4a'
  /** Whether `target` now contains an image: a frame, or the cover of an audio file. */
  hasPreview: boolean
}

export type Reply =
  | { inspected: Inspected }
  | { converted: Measures }
  | { measured: MeasuredMedia }
  | { decoded: true }
  /** Whether the runtime and the library could read `target`, a file outside the sandbox. */
  | { probed: { runtimeReads: boolean; libraryReads: boolean } }
  /** The file is not accepted: the error for the client. */
  | { refused: string }
  /** The server is at fault, for example by a full disk. */
  | { failed: string }
  | { unavailable: string }

export const UNSUPPORTED_FILE = 'Validation failed: File content type is invalid, File is invalid'
export const CONVERSION_FAILED = 'Error processing thumbnail for uploaded media'
