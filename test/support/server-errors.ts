// An error that a server in this process logs, such as the cause of a 500, is a bug unless a test provokes it.
import { pino } from 'pino'
import type { Log } from '../../src/lib/log.ts'

export type ServerErrors = {
  /** From now on, and until `check`, errors that match are expected. */
  expect(pattern: RegExp): void
  /** Throws if there were other errors since the last call, and clears the list. */
  check(): void
}

type Line = { level: number; msg?: string; err?: { stack?: string; status?: number; code?: string } }

/** Prints each unexpected error at once, beside the test that caused it. */
export function watchErrors(log: Log): ServerErrors {
  let expected: RegExp[] = []
  let unexpected: string[] = []
  // The children of a log share its stream.
  const inner = log as Log & Record<typeof pino.symbols.streamSym, { write(line: string): void }>
  const stream = inner[pino.symbols.streamSym]
  inner[pino.symbols.streamSym] = {
    write(line) {
      const text = errorIn(line)
      if (process.env.TEST_LOG) stream.write(line)
      if (text === null || expected.some((pattern) => pattern.test(text))) return
      unexpected.push(text)
      console.error(`✖ server: ${text}`)
    },
  }
  return {
    expect: (pattern) => void expected.push(pattern),
    check() {
      const found = unexpected
      expected = []
      unexpected = []
      if (found.length > 0) throw new Error(`the server logged ${found.length} errors, printed above: ${found[0]}`)
    },
  }
}

/**
 * Null for lines that are no errors, and for refusals meant for the client, such as 503 while too much is under way. Fastify only warns
 * of a second response to a request.
 */
function errorIn(line: string): string | null {
  const { level, msg = '', err, ...fields } = JSON.parse(line) as Line
  const isError = level >= pino.levels.values.error! || err?.code === 'FST_ERR_REP_ALREADY_SENT'
  if (!isError || err?.status === 503) return null
  return `${msg}: ${err?.stack ?? JSON.stringify({ err, ...fields })}`
}
