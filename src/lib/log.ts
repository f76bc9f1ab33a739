import { pino, type Logger } from 'pino'
import { escapeControls } from './text/controls.ts'

export type Log = Logger

/** Characters of a line whose texts stay whole. */
const MAX_LINE = 16_384
/** Characters of each text in a longer line. */
const MAX_TEXT = 1000

/** Lines may contain what users and other servers sent. JSON leaves the control characters from U+007F on as they are. */
function safeLine(line: string): string {
  if (line.length <= MAX_LINE) return escapeControls(line)
  const cut = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  return escapeControls(`${JSON.stringify(JSON.parse(line, cut))}\n`)
}

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
        // PostgreSQL's, which may quote a whole row.
      ],
      censor: '[removed]',
    },
  }
  const output = pino.destination({ dest: to === 'stderr' ? 2 : 1, sync: true })
  // Otherwise the first line on a full disk would end the process. Lines wait for room.
  output.on('error', () => {})
  return pino(options, output)
}
