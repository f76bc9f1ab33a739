import type { Bindings } from 'pino'
import type { Log } from '../lib/log.ts'

type Arguments = Parameters<Log['info']>

/** The log of a request, which adds its id to each line. Made when there is something to log, as few requests log anything. */
export class RequestLog {
  readonly #server: Log
  readonly #bindings: Bindings
  #own: Log | null = null

  constructor(server: Log, bindings: Bindings) {
    this.#server = server
    this.#bindings = bindings
  }

  get #log(): Log {
    return (this.#own ??= this.#server.child(this.#bindings))
  }

  trace(...line: Arguments): void {
    this.#log.trace(...line)
  }

  debug(...line: Arguments): void {
    this.#log.debug(...line)
  }

  info(...line: Arguments): void {
    this.#log.info(...line)
  }

  warn(...line: Arguments): void {
    this.#log.warn(...line)
  }

  error(...line: Arguments): void {
    this.#log.error(...line)
  }

  fatal(...line: Arguments): void {
    this.#log.fatal(...line)
  }

  child(bindings: Bindings): Log {
    return this.#log.child(bindings)
  }
}
