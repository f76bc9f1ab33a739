import { openWorld, type World } from './world.ts'

export type BenchOptions = {
  seconds: number
  rounds: number
  connections: number
  statuses: number
  followers: number
  activities: number
  /** A folder that stays, or null for a temporary one. */
  data: string | null
  progress(text: string): void
}

/** What the rows share: options, the server with twenty users, and measurements that several rows are figures of. */
export class Bench {
  readonly options: BenchOptions
  readonly #shared = new Map<unknown, Promise<unknown>>()
  #world: Promise<World> | null = null

  constructor(options: BenchOptions) {
    this.options = options
  }

  /** Starts and fills the server at the first call. */
  world(): Promise<World> {
    return (this.#world ??= openWorld(this.options))
  }

  /** Measures once, for all rows that ask. */
  shared<T>(measure: (bench: Bench) => Promise<T>): Promise<T> {
    if (!this.#shared.has(measure)) this.#shared.set(measure, measure(this))
    return this.#shared.get(measure) as Promise<T>
  }

  /** Stops the server with twenty users, if it runs. */
  async closeWorld(): Promise<void> {
    const world = await this.#world?.catch(() => null)
    this.#world = null
    await world?.stop()
  }
}
