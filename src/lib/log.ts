import { pino, type Logger } from 'pino'
import { escapeControls } from './text/controls.ts'

export type Log = Logger

/** Characters of a line whose texts stay whole. */
const MAX_LINE = 16_384
/** Characters of each text in a longer line. */
const MAX_TEXT = 1000

/** Bytes of lines that wait in memory while they cannot be written: some thousand lines. */
const MAX_WAITING = 1_000_000
const RETRY_MS = 1000

/** Never blocks or throws: lines that cannot be written wait, and those beyond a limit are dropped and counted. */
export function createLog(level: string, to: 'stdout' | 'stderr' = 'stdout'): Log {
  const options = {
    level,
    hooks: { streamWrite: safeLine },
    redact: {
      paths: [
        'password',
        '*.password',
        'token',
        '*.token',
        'authorization',
        '*.authorization',
        'headers.authorization',
        'headers.cookie',
        '*.headers.authorization',
        '*.headers.cookie',
        'client_secret',
        '*.client_secret',
        // PostgreSQL's, which may quote a whole row.
        '*.detail',
      ],
      censor: '[removed]',
    },
  }
  const output = pino.destination({
    dest: to === 'stderr' ? 2 : 1,
    sync: true,
    maxLength: MAX_WAITING,
    // Otherwise the process would sleep until the reader of a full pipe goes on.
    retryEAGAIN: () => false,
  })
  const log = pino(options, output)
  let retry: NodeJS.Timeout | null = null
  // Without a listener, the first line on a full disk would end the process.
  output.on('error', () => {
    retry ??= setTimeout(() => {
      retry = null
      output.write('')
    }, RETRY_MS).unref()
  })
  let dropped = 0
  output.on('drop', () => void dropped++)
  output.on('drain', () => {
    const lines = dropped
    dropped = 0
    if (lines > 0) log.warn({ lines }, 'log.dropped')
  })
  return log
}

/** Lines may contain what users and other servers sent. JSON leaves the control characters from U+007F on as they are. */
function safeLine(line: string): string {
  if (line.length <= MAX_LINE) return escapeControls(line)
  const cut = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  return escapeControls(`${JSON.stringify(JSON.parse(line, cut))}\n`)
}
