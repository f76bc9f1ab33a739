// The messages between the server and the child process that decodes uploads.

/** The child process reads the upload from this descriptor; it cannot open the file by name. */
export const SOURCE_FD = 3

/** The task of a child process. `ready` checks that the library runs and that the sandbox confines it. */
export type MediaTask = {
  kind: 'inspect' | 'convert' | 'measure' | 'image' | 'ready'
  demuxer: string
  isAnimation: boolean
  /** Name of the result in the child's working directory; for `ready`, path of a file that must not be readable. */
  target: string
  /** The same file as a URL for the library. */
  output?: string
}

type AudioMeasures = { codec: string; sampleRate: number; channels: number }

/** Measures of video or audio: width and height after rotation, seconds, bits per second. */
export type Measures = {
  width?: number
  height?: number
  frameRate?: string
  duration?: number
  bitrate?: number
  audio?: AudioMeasures
}

export type Inspected = {
  type: 'video' | 'gifv' | 'audio'
  /** Of the upload; the converted file is measured again. */
  measures: Measures
  /** Of the converted file. */
  extension: 'mp4' | 'mp3' | 'm4a'
  /** Whether `target` now contains an image: a frame, or the cover of an audio file. */
  hasPreview: boolean
}

export type Reply =
  | { inspected: Inspected }
  | { converted: Measures }
  | { measured: Measures }
  /** `target` now contains the image as PNG. */
  | { decoded: true }
  /** Whether the runtime and the library could read `target`, a file outside the sandbox. */
  | { ready: { runtimeReads: boolean; libraryReads: boolean } }
  /** The file is not accepted: the error for the client. */
  | { refused: string }
  /** The server is at fault, for example by a full disk. */
  | { failed: string }
  /** The library does not run on this system. */
  | { unavailable: string }

export const UNSUPPORTED_FILE = 'Validation failed: File content type is invalid, File is invalid'
export const CONVERSION_FAILED = 'Error processing thumbnail for uploaded media'
