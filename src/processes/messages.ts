import type { ProcessRole } from '../config.ts'

/** Messages of a supervised process to the primary one. A message `stream` comes with the connection of its request. */
export type ToPrimary =
  | { type: 'ready'; address: string; setUpLink: string | null }
  /** The process could not start. `reason`: a line for people. */
  | { type: 'failed'; reason: string }
  | { type: 'stream'; request: string }

export type ToChild = { type: 'stop' } | { type: 'stream'; request: string }

/** In the order in which they stop. */
export const STOP_ORDER: readonly ProcessRole[] = ['web', 'streaming', 'worker']
