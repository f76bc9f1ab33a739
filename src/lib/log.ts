import { pino, type Logger } from 'pino'

export type Log = Logger

/**
 * The process's log: JSON lines on standard output, or on standard error where that is for something else. What could be
 * a secret is removed by name.
 */
export function createLog(level: string, to: 'stdout' | 'stderr' = 'stdout'): Log {
  const options = {
    level,
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
        // Of a job that sends a mail: the link in it may be all that it takes to be somebody.
        'data.text',
      ],
      censor: '[removed]',
    },
  }
  return pino(options, pino.destination({ dest: to === 'stderr' ? 2 : 1, sync: true }))
}
